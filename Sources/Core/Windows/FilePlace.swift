/// Where the command of an app takes what it opens: a field code (`%f`, `%F`, `%u` or `%U`) of its desktop entry.
public struct FilePlace: Hashable, Codable, Sendable {
    /// Before this word of the command, or within it.
    public var index: Int
    /// Takes several at once. Otherwise the command runs once for each.
    public var isMany: Bool
    /// Takes addresses (URLs) besides files.
    public var takesAddresses: Bool

    /// The word in which the field code stands; nil: it is a word of its own.
    public var within: Within?

    /// A word that contains a field code, such as `--open=%f` or `"exec app %u"`.
    public struct Within: Hashable, Codable, Sendable {
        public var before: String
        public var after: String
        /// In double quotes all of them are one word, each quoted for the shell that reads it. Otherwise the first and the last one
        /// take the rest of the word.
        public var isQuoted: Bool

        public init(before: String, after: String, isQuoted: Bool) {
            self.before = before
            self.after = after
            self.isQuoted = isQuoted
        }

        func words(_ items: [String]) -> [String] {
            if isQuoted { return [before + items.map(App.quoted).joined(separator: " ") + after] }
            var words = items
            words[0] = before + words[0]
            words[words.count - 1] += after
            return words
        }
    }

    public init(index: Int, isMany: Bool, takesAddresses: Bool, within: Within? = nil) {
        self.index = index
        self.isMany = isMany
        self.takesAddresses = takesAddresses
        self.within = within
    }
}

extension App {
    /// The commands that open these, in their order: absolute paths and addresses. None if the app takes nothing.
    public func commands(opening items: [String]) -> [[String]] {
        guard let place = filePlace, place.index <= command.count, !items.isEmpty else { return [] }
        let words = items.map { place.takesAddresses && $0.hasPrefix("/") ? App.address(of: $0) : $0 }
        let groups = place.isMany ? [words] : words.map { [$0] }
        guard let within = place.within else { return groups.map { group in command[..<place.index] + group + command[place.index...] } }
        guard place.index < command.count else { return [] }
        return groups.map { group in command[..<place.index] + within.words(group) + command[(place.index + 1)...] }
    }

    /// Text in single quotes, as a shell reads it.
    public static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text.unicodeScalars {
            if character == "'" { result += "'\\''" } else { result.unicodeScalars.append(character) }
        }
        return result + "'"
    }

    /// The address of a file.
    public static func address(of path: String) -> String { "file://" + escaped(path, also: "/") }

    /// Text as a part of an address.
    public static func escaped(_ text: String, also plain: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8), kept = Set("-._~".utf8).union(plain.utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            case let byte where kept.contains(byte): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
