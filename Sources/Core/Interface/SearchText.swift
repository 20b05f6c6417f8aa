/// Text as a search compares it: without accents, case and width, Katakana as Hiragana, and Hangul as the letters that a
/// person types one after another.
///
/// A search for "resume" finds "Résumé", ｶ finds か and カ, and ㄱ or 가 finds 각. The last syllable of a search may still be in
/// the making: 각 finds 가구.
struct SearchText: Hashable, Sendable {
    /// Folded. Syllables of Hangul are their conjoining letters, with doubled vowels and finals in two.
    let scalars: [Unicode.Scalar]

    init(_ text: String) {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { Fold.append(scalar, to: &scalars) }
        self.scalars = scalars
    }

    private init(_ scalars: ArraySlice<Unicode.Scalar>) { self.scalars = Array(scalars) }

    var isEmpty: Bool { scalars.isEmpty }

    /// Its words, divided by spaces.
    var words: [SearchText] { scalars.split(separator: " ").map(SearchText.init) }

    /// - Parameter search: the typed text.
    func begins(with search: SearchText) -> Bool { matches(search, at: 0) }

    func contains(_ search: SearchText) -> Bool { scalars.indices.contains { matches(search, at: $0) } }

    /// Whether it has the search where a person wrote together what it divides: "wifi" in "Wi-Fi", "darkmode" in "Dark Mode".
    func hasJoined(_ search: SearchText) -> Bool {
        let wanted = SearchText(search.scalars[...].filter { !Self.isDivider($0) }[...])
        guard !wanted.isEmpty else { return false }
        return scalars.indices.contains { start in
            (start == 0 || Self.isDivider(scalars[start - 1]))
                && SearchText(scalars[start...].filter { !Self.isDivider($0) }[...]).matches(wanted, at: 0)
        }
    }

    private static func isDivider(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "-" || scalar == "・" || scalar == "/" }

    /// Whether a name such as `org.example.App` has it. Most have plain letters alone, which need no folding.
    func isIn(_ text: String) -> Bool {
        var text = text
        let found: Bool? = text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            guard let last = bytes.count >= scalars.count ? bytes.count - scalars.count : nil else { return false }
            return (0...last).contains { start in
                scalars.indices.allSatisfy { place in
                    let byte = bytes[start + place]
                    return scalars[place].value == UInt32(byte >= 0x41 && byte <= 0x5A ? byte + 32 : byte)
                }
            }
        }
        return found ?? SearchText(text).contains(self)
    }

    /// Whether a word of it begins with the search.
    func hasWord(_ search: SearchText) -> Bool {
        scalars.indices.contains { ($0 == 0 || scalars[$0 - 1] == " ") && matches(search, at: $0) }
    }

    private func matches(_ search: SearchText, at start: Int) -> Bool {
        var place = start
        for index in search.scalars.indices {
            guard place < scalars.count else { return false }
            let wanted = search.scalars[index], found = scalars[place]
            if found == wanted {
                place += 1
            } else if wanted.value < 0x1100 {
                // Nearly every text ends here, and the tables of Hangul need not be asked.
                return false
            } else if Fold.isAlone(wanted), let initial = Fold.initials[wanted], found == initial {
                // A letter alone stands for a syllable that begins with it.
                place += 1
                while place < scalars.count, Fold.isInner(scalars[place]) { place += 1 }
            } else if Fold.isInner(wanted), let initial = Fold.initialOfFinal[wanted], found == initial, search.isLastSyllable(from: index)
            {
                // The consonant that ends the last syllable so far may begin the next one.
                place += 1
            } else {
                return false
            }
        }
        return true
    }

    /// Whether no syllable begins after a final.
    private func isLastSyllable(from index: Int) -> Bool { scalars[(index + 1)...].allSatisfy { Fold.initialOfFinal[$0] != nil } }
}

/// Differences that a search ignores. Unicode gives names and case; the tables have the rest.
private enum Fold {
    /// - Parameter isTable: whether the table of letters is there to be read.
    static func append(_ scalar: Unicode.Scalar, to out: inout [Unicode.Scalar], isTable: Bool = true) {
        switch scalar.value {
        case 0x41...0x5A: out.append(Unicode.Scalar(UInt8(scalar.value + 32)))
        case 0..<0x80: out.append(scalar)
        case 0xA0, 0x2000...0x200A, 0x202F, 0x3000: out.append(" ")
        case 0xAC00...0xD7A3: appendSyllable(scalar.value - 0xAC00, to: &out)
        // Katakana, with the marks of repetition.
        case 0x30A1...0x30F6, 0x30FD, 0x30FE: appendShifted(scalar, by: -0x60, to: &out)
        // か, then a mark: one letter.
        case 0x3099, 0x309A, 0xFF9E, 0xFF9F: appendVoice(isVoiced: scalar.value == 0x3099 || scalar.value == 0xFF9E, scalar, to: &out)
        case 0x1100...0x11FF: out += jamo[scalar] ?? [scalar]
        case 0x3131...0x3163: out += clusters[scalar] ?? [scalar]
        case 0xFF01...0xFF5E: append(Unicode.Scalar(scalar.value - 0xFEE0)!, to: &out)
        case 0x2E80..<0xF900: out.append(scalar)
        default: out += (isTable ? folded[scalar.value] : nil) ?? letters(of: scalar)
        }
    }

    private static func appendShifted(_ scalar: Unicode.Scalar, by step: Int, to out: inout [Unicode.Scalar]) {
        out.append(Unicode.Scalar(UInt32(Int(clamping: scalar.value) + step)) ?? scalar)
    }

    private static func appendVoice(isVoiced: Bool, _ mark: Unicode.Scalar, to out: inout [Unicode.Scalar]) {
        let unvoiced = "かきくけこさしすせそたちつてとはひふへほ".unicodeScalars
        if let last = out.last, last == "う", isVoiced {
            out[out.count - 1] = "ゔ"
        } else if let last = out.last, unvoiced.contains(last), isVoiced || last >= "は" {
            out.removeLast()
            appendShifted(last, by: isVoiced ? 1 : 2, to: &out)
        } else {
            out.append(isVoiced ? "\u{3099}" : "\u{309A}")
        }
    }

    // MARK: Letters with marks

    /// Folded once: names take long to look up.
    private static let folded: [UInt32: [Unicode.Scalar]] = {
        var table: [UInt32: [Unicode.Scalar]] = [:]
        for range in [0xA0...0x58F, 0x1E00...0x1FFF, 0x2C60...0x2C7F, 0xFB00...0xFB06, 0xFF61...0xFFDC] as [ClosedRange<UInt32>] {
            for value in range { if let scalar = Unicode.Scalar(value) { table[value] = letters(of: scalar) } }
        }
        return table
    }()

    /// Letters whose names say nothing of the plain one: canonical decompositions, and what people type instead.
    private static let plain: [Unicode.Scalar: String] = [
        "æ": "ae", "Æ": "ae", "ǽ": "ae", "Ǽ": "ae", "ǣ": "ae", "Ǣ": "ae", "œ": "oe", "Œ": "oe", "й": "и", "Й": "и", "ё": "е", "Ё": "е",
        "ї": "і", "Ї": "і", "ў": "у", "Ў": "у", "ѓ": "г", "Ѓ": "г", "ќ": "к", "Ќ": "к", "ѷ": "ѵ", "Ѷ": "ѵ", "‘": "'", "’": "'",
        "“": "\"", "”": "\"", "‐": "-", "‑": "-",
    ]

    /// The letters of Latin, Greek, Cyrillic, Katakana and Hangul by their names.
    private static let named: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [:]
        for range in [0x41...0x5A, 0x61...0x7A, 0x250...0x2AF, 0x370...0x52F, 0x30A1...0x30FC, 0x3131...0x3163] as [ClosedRange<UInt32>] {
            for value in range {
                if let scalar = Unicode.Scalar(value), let name = scalar.properties.name { table[name] = scalar }
            }
        }
        return table
    }()

    private static func letters(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let properties = scalar.properties
        // Accents. Signs of lower classes change letters: a nukta, a virama.
        if properties.canonicalCombiningClass.rawValue > 9 || properties.canonicalCombiningClass == .overlay { return [] }
        if properties.isDefaultIgnorableCodePoint, properties.generalCategory == .format { return [] }
        if let plain = plain[scalar] { return Array(plain.unicodeScalars) }
        if let name = properties.name, let base = base(of: name), base != scalar {
            var out: [Unicode.Scalar] = []
            append(base, to: &out, isTable: false)
            return out
        }
        guard properties.isCased else { return [scalar] }
        // By way of the capital: ß is ss, ς is σ, ﬁ is fi.
        let small = properties.uppercaseMapping.unicodeScalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
        return small == [scalar] ? small : small.filter { $0.properties.canonicalCombiningClass == .notReordered }
    }

    /// The letter that "LATIN SMALL LETTER E WITH ACUTE" or "HALFWIDTH KATAKANA LETTER KA" names.
    private static func base(of name: String) -> Unicode.Scalar? {
        var words = name.split(separator: " ")[...]
        if words.first == "HALFWIDTH" || words.first == "FULLWIDTH" { words = words.dropFirst() }
        if let mark = words.firstIndex(of: "WITH") { words = words[..<mark] }
        return named[words.joined(separator: " ")]
    }

    // MARK: Hangul

    private static func appendSyllable(_ index: UInt32, to out: inout [Unicode.Scalar]) {
        out.append(Unicode.Scalar(0x1100 + index / 588)!)
        appendJamo(Unicode.Scalar(0x1161 + index % 588 / 28)!, to: &out)
        if index % 28 != 0 { appendJamo(Unicode.Scalar(0x11A7 + index % 28)!, to: &out) }
    }

    private static func appendJamo(_ scalar: Unicode.Scalar, to out: inout [Unicode.Scalar]) {
        if let parts = jamo[scalar] { out += parts } else { out.append(scalar) }
    }

    /// Vowels and finals that are typed as two letters.
    private static let jamo: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\u{116A}": ["\u{1169}", "\u{1161}"], "\u{116B}": ["\u{1169}", "\u{1162}"], "\u{116C}": ["\u{1169}", "\u{1175}"],
        "\u{116F}": ["\u{116E}", "\u{1165}"], "\u{1170}": ["\u{116E}", "\u{1166}"], "\u{1171}": ["\u{116E}", "\u{1175}"],
        "\u{1174}": ["\u{1173}", "\u{1175}"],
        "\u{11AA}": ["\u{11A8}", "\u{11BA}"], "\u{11AC}": ["\u{11AB}", "\u{11BD}"], "\u{11AD}": ["\u{11AB}", "\u{11C2}"],
        "\u{11B0}": ["\u{11AF}", "\u{11A8}"], "\u{11B1}": ["\u{11AF}", "\u{11B7}"], "\u{11B2}": ["\u{11AF}", "\u{11B8}"],
        "\u{11B3}": ["\u{11AF}", "\u{11BA}"], "\u{11B4}": ["\u{11AF}", "\u{11C0}"], "\u{11B5}": ["\u{11AF}", "\u{11C1}"],
        "\u{11B6}": ["\u{11AF}", "\u{11C2}"], "\u{11B9}": ["\u{11B8}", "\u{11BA}"],
    ]

    /// Consonants that an input method joins: ㄱ and ㅅ, typed for two syllables, are ㄳ.
    private static let clusters: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ㄳ": ["ㄱ", "ㅅ"], "ㄵ": ["ㄴ", "ㅈ"], "ㄶ": ["ㄴ", "ㅎ"], "ㄺ": ["ㄹ", "ㄱ"], "ㄻ": ["ㄹ", "ㅁ"], "ㄼ": ["ㄹ", "ㅂ"], "ㄽ": ["ㄹ", "ㅅ"],
        "ㄾ": ["ㄹ", "ㅌ"], "ㄿ": ["ㄹ", "ㅍ"], "ㅀ": ["ㄹ", "ㅎ"], "ㅄ": ["ㅂ", "ㅅ"],
    ]

    /// The letters that begin a syllable, by those that stand alone.
    static let initials: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
        uniqueKeysWithValues: zip("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars, (0x1100...0x1112).compactMap { Unicode.Scalar($0 as UInt32) }))

    /// The letters that begin a syllable, by those that end one.
    static let initialOfFinal: [Unicode.Scalar: Unicode.Scalar] = {
        let finals: [(UInt32, Unicode.Scalar)] = [
            (0x11A8, "ㄱ"), (0x11A9, "ㄲ"), (0x11AB, "ㄴ"), (0x11AE, "ㄷ"), (0x11AF, "ㄹ"), (0x11B7, "ㅁ"), (0x11B8, "ㅂ"), (0x11BA, "ㅅ"),
            (0x11BB, "ㅆ"), (0x11BC, "ㅇ"), (0x11BD, "ㅈ"), (0x11BE, "ㅊ"), (0x11BF, "ㅋ"), (0x11C0, "ㅌ"), (0x11C1, "ㅍ"), (0x11C2, "ㅎ"),
        ]
        return Dictionary(
            uniqueKeysWithValues: finals.compactMap { final, letter in
                Unicode.Scalar(final).flatMap { key in initials[letter].map { (key, $0) } }
            })
    }()

    /// A letter that stands alone.
    static func isAlone(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x3163).contains(scalar.value) }

    /// A vowel or final within a syllable.
    static func isInner(_ scalar: Unicode.Scalar) -> Bool { (0x1160...0x11FF).contains(scalar.value) }
}
