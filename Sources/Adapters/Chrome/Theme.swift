/// How the shell looks to this person.
public struct Theme: Hashable, Sendable {
    public var isDark = false
    /// Stronger colours: text has at least 7:1 on what it stands on.
    public var increasedContrast = false
    /// Multiplies the sizes of the type scale; what lies outside 1 to 2 counts as the nearest of them.
    public var textScale = 1.0
    public var language: Language = .english
    /// Leading is then the right side.
    public var isRightToLeft = false

    public init() {}

    var effectiveTextScale: Double { textScale.isFinite ? min(max(textScale, 1), 2) : 1 }
}

/// A language that the shell itself speaks.
public enum Language: String, CaseIterable, Sendable {
    case english = "en", korean = "ko", japanese = "ja"

    /// The first of a person's languages that the shell speaks; English if it speaks none of them.
    /// - Parameter languages: the best first, in lower case and without their countries: "ko".
    public init(among languages: [String]) {
        self = languages.lazy.compactMap(Language.init(rawValue:)).first ?? .english
    }
}
