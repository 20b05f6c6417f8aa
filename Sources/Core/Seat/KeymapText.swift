/// Whether the text of a keymap that a client brings may be compiled.
///
/// libxkbcommon compiles the text within the shell, and it trusts it: it reads whatever file is named to be included, makes room
/// for as many keys and levels as are numbered, and takes a sum apart by recursion. So the text is looked through, and what
/// no keymap needs is refused.
public enum KeymapText {
    /// Bytes. The longest known keymap has about 90 KiB. Names are looked for one by one: a MiB of them took 2 s.
    public static let longest = 1 << 18
    /// The kernel knows no more than 767 keys, but wtype numbers the characters of its text.
    static let largestKeycode: UInt64 = 65535
    /// As in X11. Each list of symbols may have so many, with room for each.
    static let largestLevel: UInt64 = 64
    static let mostLists = 32768
    /// Layouts, options and what is common to all are some twenty; each is a file that is read.
    static let mostIncludes = 64
    /// In one statement. Each is one deeper in the recursion.
    static let mostOperators = 256

    /// Why the text is refused; nil if it is not. `bytes` are read up to the first NUL.
    public static func refusal(of bytes: some Sequence<UInt8>) -> String? {
        var text = Scanner(Array(bytes.prefix { $0 != 0 }))
        // Is that the end of a line? Versions may differ.
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
        /// A quote in a string: versions of libxkbcommon do not agree on what it means.
        case unclear
        /// A character that stands for itself.
        case sign(UInt8)
    }

    /// What a keymap has had so far, and what the statement that is being read is about.
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
            // All of these, before a string, include files.
            isIncluding = ["include", "augment", "override", "replace", "alternate"].contains(word)
            isOfCode = isAfterKey && token == .sign(UInt8(ascii: "="))
            isAfterKey = token == .keyName
            if case .sign(let sign) = token {
                if ";{}".utf8.contains(sign) { (isOfLevels, isOfValue) = (false, false) }
                if sign == UInt8(ascii: ";") { operators = 0 }
                if sign == UInt8(ascii: "=") { isOfValue = true }
            }
            // Both `level_name` and `levelname` are words for it.
            if ["map", "level_name", "levelname"].contains(word) { isOfLevels = true }
        }

        /// Several names in one, as in "pc+us(intl)": none may lead out of the folders that are for keymaps.
        private static func leadsOut(_ name: [UInt8]) -> Bool {
            for (index, character) in name.enumerated() {
                // An escape, or newer versions' word for a folder.
                if character == UInt8(ascii: "\\") || character == UInt8(ascii: "%") { return true }
                guard character == UInt8(ascii: "/") else { continue }
                if index == 0 || !(Scanner.isOfWord(name[index - 1]) || name[index - 1] == UInt8(ascii: "-")) { return true }
            }
            return false
        }
    }

    /// Takes the text apart as libxkbcommon does.
    struct Scanner {
        private let bytes: [UInt8]
        private var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var hasLoneCarriageReturn: Bool {
            bytes.indices.contains { bytes[$0] == 0x0d && byte($0 + 1) != 0x0a }
        }

        /// Whatever the language is set to.
        static func isOfWord(_ byte: UInt8) -> Bool {
            isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        /// 0 at the end.
        private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

        /// nil: the text is over.
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

        /// libxkbcommon refuses one that does not end in its line.
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

        /// A number that is too large for 64 bits is the largest one.
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
