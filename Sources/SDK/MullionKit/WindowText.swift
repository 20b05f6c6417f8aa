import Glibc

/// The few words that MullionKit gives to apps, in the shell's languages.
enum WindowText {
    case openInNewWindow
    /// Where items do not open in windows of their own.
    case showDetails

    /// In the language of the environment; English if that is another one.
    func localized(_ language: String = WindowText.language) -> String {
        switch (self, language) {
        case (.openInNewWindow, "ko"): "새로운 창에서 열기"
        case (.openInNewWindow, "ja"): "新規ウインドウで開く"
        case (.openInNewWindow, _): "Open in New Window"
        case (.showDetails, "ko"): "세부사항 보기…"
        case (.showDetails, "ja"): "詳細を表示…"
        case (.showDetails, _): "Show Details…"
        }
    }

    /// The language of messages as setlocale(3) finds it: "ko" for `ko_KR.UTF-8`. If LANGUAGE lists several, the first one counts.
    static var language: String {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        let locales: [String] = ["LC_ALL", "LC_MESSAGES", "LANG"].map(variable)
        guard let locale = locales.first(where: { !$0.isEmpty }), locale != "C", locale != "POSIX" else { return "en" }
        let listed = variable("LANGUAGE")
        return language(of: listed.isEmpty ? locale : listed)
    }

    static func language(of locale: String) -> String { String(locale.prefix { $0.isLetter && $0.isASCII }).lowercased() }
}
