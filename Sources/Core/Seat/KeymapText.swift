/// Checks the text of a client's keymap before it is compiled.
///
/// libxkbcommon compiles the text inside the shell and trusts it: it reads any included file, allocates as many keys
/// and levels as the text mentions, and parses sums recursively. So the check refuses whatever no real keymap needs.
public enum KeymapText {
    /// In bytes. The longest known keymap has about 90 KiB. Name lookup is linear: a MiB of names took 2 s.
    public static let longest = 1 << 18
    /// The kernel has at most 767 keys, but wtype numbers the characters of its text.
    static let largestKeycode: UInt64 = 65535
    /// As in X11. Each list of symbols allocates room for this many levels.
    static let largestLevel: UInt64 = 64
    static let mostLists = 32768
    /// Layouts, options and common parts need about twenty. Each include reads a file.
    static let mostIncludes = 64
    /// Per statement. Each operator adds a level of recursion.
    static let mostOperators = 256

    /// Why the text is refused; nil if it is acceptable. Reads `bytes` up to the first NUL.
    public static func refusal(of bytes: some Sequence<UInt8>) -> String? {
        var text = Scanner(Array(bytes.prefix { $0 != 0 }))
        // Versions of libxkbcommon may disagree whether this ends a line.
        if text.hasLoneCarriageReturn { return "there is a carriage return within a line" }
        var count = Count()
        while let token = text.next() {
            if let wrong = count.wrong(token) { return wrong }
            count.follow(token)
        }
        return nil
    }

    enum Token: Equatable {
        case word(String)
        /// Without its quotes.
        case string([UInt8])
        case keyName
        case number(UInt64)
        /// An escaped quote in a string: versions of libxkbcommon disagree about its meaning.
        case unclear
        /// Any other character.
        case sign(UInt8)
    }

    /// Totals so far, and the context of the current statement.
    private struct Count {
        var includes = 0, lists = 0, operators = 0
        var isIncluding = false, isOfLevels = false, isOfValue = false
        /// `<A>`, `<A> =`
        var isAfterKey = false, isOfCode = false

        mutating func wrong(_ token: Token) -> String? {
            switch token {
            case .unclear: return "there is a quote in a string"
            case .string(let bytes):
                guard isIncluding else { return nil }
                if Self.leadsOut(bytes) { return "it includes a file from outside of the folders for keymaps" }
                includes += 1 + bytes.count { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "^") }
                return includes > mostIncludes ? "it includes more than 64 files" : nil
            case .number(let value):
                if isOfCode, value > largestKeycode { return "a keycode is larger than 65535" }
                return isOfLevels && value > largestLevel ? "a level is larger than 64" : nil
            case .sign(let sign) where "+-*/~!".utf8.contains(sign):
                if isOfLevels, isOfValue { return "a level is more than a number or a name" }
                operators += 1
                return operators > mostOperators ? "there are more than 256 operators in a statement" : nil
            case .sign(UInt8(ascii: "[")):
                lists += 1
                return lists > mostLists ? "there are more than 32768 lists" : nil
            case .word, .keyName, .sign: return nil
            }
        }

        mutating func follow(_ token: Token) {
            var word = ""
            if case .word(let found) = token { word = found }
            // All of these include a file if a string follows.
            isIncluding = ["include", "augment", "override", "replace", "alternate"].contains(word)
            isOfCode = isAfterKey && token == .sign(UInt8(ascii: "="))
            isAfterKey = token == .keyName
            if case .sign(let sign) = token {
                if ";{}".utf8.contains(sign) { (isOfLevels, isOfValue) = (false, false) }
                if sign == UInt8(ascii: ";") { operators = 0 }
                if sign == UInt8(ascii: "=") { isOfValue = true }
            }
            // libxkbcommon accepts both `level_name` and `levelname`.
            if ["map", "level_name", "levelname"].contains(word) { isOfLevels = true }
        }

        /// Whether any of the names, as in "pc+us(intl)", leads out of the keymap folders.
        private static func leadsOut(_ name: [UInt8]) -> Bool {
            for (index, character) in name.enumerated() {
                // An escape, or the syntax of newer versions for special folders.
                if character == UInt8(ascii: "\\") || character == UInt8(ascii: "%") { return true }
                guard character == UInt8(ascii: "/") else { continue }
                if index == 0 || !(Scanner.isOfWord(name[index - 1]) || name[index - 1] == UInt8(ascii: "-")) { return true }
            }
            return false
        }
    }

    /// Splits the text into tokens as libxkbcommon does.
    struct Scanner {
        private let bytes: [UInt8]
        private var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var hasLoneCarriageReturn: Bool {
            bytes.indices.contains { bytes[$0] == 0x0d && byte($0 + 1) != 0x0a }
        }

        /// Independent of the locale.
        static func isOfWord(_ byte: UInt8) -> Bool {
            isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        /// 0 at the end.
        private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

        /// nil at the end of the text.
        mutating func next() -> Token? {
            skipSpace()
            let begin = at
            let first = byte(at)
            guard first != 0 else { return nil }
            if first == UInt8(ascii: "\"") { return string() }
            if Self.isDigit(first) { return number() }
            at += 1
            if first == UInt8(ascii: "<") {
                while byte(at) > 0x20, byte(at) < 0x7f, byte(at) != UInt8(ascii: ">") { at += 1 }
                if byte(at) == UInt8(ascii: ">") { at += 1 }
                return .keyName
            }
            guard Self.isOfWord(first) else { return .sign(first) }
            while Self.isOfWord(byte(at)) { at += 1 }
            return .word(String(decoding: bytes[begin..<at].map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
        }

        private mutating func skipSpace() {
            while true {
                while byte(at) == 0x20 || (0x09...0x0d).contains(byte(at)) { at += 1 }
                let slash = UInt8(ascii: "/")
                guard byte(at) == UInt8(ascii: "#") || (byte(at) == slash && byte(at + 1) == slash) else { return }
                while byte(at) != 0, byte(at) != 0x0a { at += 1 }
            }
        }

        /// libxkbcommon refuses strings that span lines.
        private mutating func string() -> Token {
            at += 1
            let begin = at
            let backslash = UInt8(ascii: "\\"), quote = UInt8(ascii: "\"")
            while byte(at) != 0, byte(at) != 0x0a, byte(at) != quote {
                if byte(at) == backslash, byte(at + 1) == quote { return .unclear }
                at += byte(at) == backslash && byte(at + 1) == backslash ? 2 : 1
            }
            let token = Token.string(Array(bytes[begin..<at]))
            if byte(at) == quote { at += 1 }
            return token
        }

        /// Numbers beyond 64 bits become the largest one.
        private mutating func number() -> Token {
            var base: UInt64 = 10
            if byte(at) == 0x30, byte(at + 1) == UInt8(ascii: "x"), Self.digit(byte(at + 2), 16) != nil {
                base = 16
                at += 2
            }
            var value: UInt64 = 0
            while let digit = Self.digit(byte(at), base) {
                let (product, isTooLarge) = value.multipliedReportingOverflow(by: base)
                let (sum, carries) = product.addingReportingOverflow(digit)
                value = isTooLarge || carries || value == .max ? .max : sum
                at += 1
            }
            return .number(value)
        }

        private static func digit(_ byte: UInt8, _ base: UInt64) -> UInt64? {
            switch byte {
            case 0x30...0x39: UInt64(byte - 0x30)
            case 0x61...0x66 where base == 16: UInt64(byte - 0x61 + 10)
            case 0x41...0x46 where base == 16: UInt64(byte - 0x41 + 10)
            default: nil
            }
        }
    }
}
