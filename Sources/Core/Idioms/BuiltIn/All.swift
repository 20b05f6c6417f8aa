extension Idiom {
    /// The idioms of the source documents.
    public static let all: [Idiom] = [.phone, .pad, .mac, .tv, .watch, .roundWatch, .vision]
    /// The idioms that this build offers: the others lack views of their own.
    public static let offered: [Idiom] = [.pad, .phone, .mac, .tv, .watch, .roundWatch, .vision]

    /// nil: no idiom that is offered has this name.
    public static func named(_ name: String) -> Idiom? { offered.first { $0.name == name } }
}
