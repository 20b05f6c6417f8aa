/// Reasons and evidence in the languages of reports.
///
/// Findings are English, because baselines, CI and other programs read them. A reader's language is looked up here: a phrase
/// has `{}` where something of the app stands, such as a size or a count. `{*}` at its end takes the rest of the line, such as the
/// app's own words.
enum Phrases {
    /// Returns a text in every language. Texts outside the catalogue, such as messages of the app, stay as they are.
    static func words(_ text: String) -> Words {
        if let whole = match(text) { return whole }
        // Facts of one line, each with a phrase of its own.
        for separator in ["; ", ", "] where text.contains(separator) {
            let parts = pieces(text, separator).map { words($0) }
            if parts.contains(where: { $0.ko != $0.en }) {
                func joined(_ language: Language, _ separator: String) -> String { parts.map { $0[language] }.joined(separator: separator) }
                return Words(text, ko: joined(.korean, separator), ja: joined(.japanese, separator == ", " ? "、" : "；"))
            }
        }
        return Words(text, ko: text, ja: text)
    }

    private static func match(_ text: String) -> Words? {
        if let words = exact[text] { return words }
        for phrase in open {
            guard let values = phrase.values(in: text) else { continue }
            return Words(text, ko: filled(phrase.words.ko, values, .korean), ja: filled(phrase.words.ja, values, .japanese))
        }
        return nil
    }

    /// Fills the gaps. A value may be a phrase itself.
    private static func filled(_ phrase: String, _ values: [String], _ language: Language) -> String {
        var parts = pieces(phrase, "{}")
        for (index, value) in values.enumerated() where index + 1 < parts.count { parts[index] += match(value)?[language] ?? value }
        return parts.joined()
    }

    private static func pieces(_ text: String, _ separator: String) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// A phrase with gaps.
    private struct Open {
        var words: Words
        /// The text between the gaps.
        var parts: [String]

        /// Whether the last gap takes the rest of a line.
        var takesRest: Bool

        init(_ words: Words) {
            takesRest = words.en.hasSuffix("{*}")
            func plain(_ text: String) -> String { Phrases.pieces(text, "{*}").joined(separator: "{}") }
            self.words = Words(plain(words.en), ko: plain(words.ko), ja: plain(words.ja))
            parts = Phrases.pieces(self.words.en, "{}")
        }

        /// Returns the values in the gaps of a text; nil if it is not this phrase.
        func values(in text: String) -> [String]? {
            guard text.hasPrefix(parts[0]) else { return nil }
            var rest = text.dropFirst(parts[0].count)
            var values: [String] = []
            for (index, part) in parts.dropFirst().enumerated() {
                let isLast = index == parts.count - 2
                if part.isEmpty {
                    guard isLast else { return nil }
                    values.append(String(rest))
                    break
                }
                guard let found = isLast ? (rest.hasSuffix(part) ? rest.index(rest.endIndex, offsetBy: -part.count) : nil) : rest.firstRange(of: part)?.lowerBound
                else { return nil }
                values.append(String(rest[..<found]))
                rest = rest[found...].dropFirst(part.count)
            }
            // A gap holds one fact.
            return values.dropLast(takesRest ? 1 : 0).allSatisfy { !$0.contains(", ") && !$0.contains("; ") } ? values : nil
        }
    }

    private static let exact = Dictionary(
        (PhraseCatalogue.reasons + PhraseCatalogue.evidence).filter { !$0.en.contains("{") }.map { ($0.en, $0) }, uniquingKeysWith: { first, _ in first })

    /// Phrases with gaps. The longest ones come first, because they say most.
    private static let open = (PhraseCatalogue.reasons + PhraseCatalogue.evidence).filter { $0.en.contains("{") }.sorted { $0.en.count > $1.en.count }.map { Open($0) }
}
