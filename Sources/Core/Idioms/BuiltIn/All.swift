extension Idiom {
    /// The idioms of this build, in the order in which people see them. Data files add others.
    public static let all: [Idiom] = [.pad, .phone, .mac, .tv, .watch, .roundWatch, .vision]

    /// nil: no idiom of this build has this name.
    public static func named(_ name: String) -> Idiom? { all.first { $0.name == name } }
}
