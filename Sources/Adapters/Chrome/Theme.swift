import Windows

/// The user's choices for the look of the shell.
public struct Theme: Hashable, Sendable {
    public var isDark = false
    /// Stronger colours: text has a contrast of at least 7:1 to its background.
    public var increasedContrast = false
    /// Multiplies the font sizes. Clamped to 1 to 2.
    public var textScale = 1.0
    public var language: Language = .english
    /// Makes the right side the leading one.
    public var isRightToLeft = false
    public var accent = Accent.blue

    public init() {}

    var effectiveTextScale: Double { textScale.isFinite ? min(max(textScale, 1), 2) : 1 }
}

/// A language that the shell's own texts support.
public enum Language: String, CaseIterable, Sendable {
    case english = "en", korean = "ko", japanese = "ja"

    /// The first of the user's languages that the shell supports, or English.
    /// - Parameter languages: preferred first, in lower case without a country: "ko".
    public init(among languages: [String]) {
        self = languages.lazy.compactMap(Language.init(rawValue:)).first ?? .english
    }
}
