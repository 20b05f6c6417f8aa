/// Where the command of an app takes what it opens: a field code (`%f`, `%F`, `%u` or `%U`) of its desktop entry.
public struct FilePlace: Hashable, Codable, Sendable {
    /// Before this word of the command.
    public var index: Int
    /// Takes several at once. Otherwise the command runs once for each.
    public var isMany: Bool
    /// Takes addresses (URLs) besides files.
    public var takesAddresses: Bool

    public init(index: Int, isMany: Bool, takesAddresses: Bool) {
        self.index = index
        self.isMany = isMany
        self.takesAddresses = takesAddresses
    }
}

extension App {
    /// The commands that open these, in their order: absolute paths and addresses. None if the app takes nothing.
    public func commands(opening items: [String]) -> [[String]] {
        guard let place = filePlace, place.index <= command.count, !items.isEmpty else { return [] }
        let words = items.map { place.takesAddresses && $0.hasPrefix("/") ? App.address(of: $0) : $0 }
        let groups = place.isMany ? [words] : words.map { [$0] }
        return groups.map { group in command[..<place.index] + group + command[place.index...] }
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
