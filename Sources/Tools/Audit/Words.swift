/// The languages of reports.
public enum Language: String, CaseIterable, Codable, Sendable {
    case english = "en", korean = "ko", japanese = "ja"

    /// Takes the language of a person with these settings; English for languages that reports do not have.
    public init(environment: [String: String]) {
        let name = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        self = Language(rawValue: String(name.prefix(2))) ?? .english
    }
}

/// A text in the languages of reports.
public struct Words: Hashable, Encodable, Sendable {
    public var en: String
    public var ko: String
    public var ja: String

    public init(_ en: String, ko: String, ja: String) {
        (self.en, self.ko, self.ja) = (en, ko, ja)
    }

    public subscript(_ language: Language) -> String {
        switch language {
        case .english: en
        case .korean: ko
        case .japanese: ja
        }
    }
}
