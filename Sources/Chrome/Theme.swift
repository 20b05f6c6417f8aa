/// How the shell looks to this person.
public struct Theme: Hashable, Sendable {
    public var isDark = false
    /// Stronger colours: text has at least 7:1 on what it stands on (X-05).
    public var increasedContrast = false
    /// Multiplies the sizes of the type scale; what lies outside 1 to 2 counts as the nearest of them (X-05).
    public var textScale = 1.0
    public var language: Language = .english
    /// Leading is then the right side.
    public var isRightToLeft = false

    public init() {}

    var effectiveTextScale: Double { textScale.isFinite ? min(max(textScale, 1), 2) : 1 }
}

/// A language that the shell itself speaks (X-04).
public enum Language: String, CaseIterable, Sendable {
    case english = "en", korean = "ko", japanese = "ja"

    /// The first of `LANGUAGE`'s list that the shell speaks, otherwise that of the first of `LC_ALL`, `LC_MESSAGES` and
    /// `LANG` that says anything; English if none does.
    public init(environment: [String: String]) {
        for entry in environment["LANGUAGE", default: ""].split(separator: ":") {
            if let language = Language(locale: entry) {
                self = language
                return
            }
        }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = locale.flatMap { Language(locale: $0[...]) } ?? .english
    }

    /// `ko`, `ko_KR`, `ko-KR`, `ko_KR.UTF-8`, `ko@hanja`.
    private init?(locale: Substring) {
        self.init(rawValue: locale.prefix { !"_-.@".contains($0) }.lowercased())
    }
}
