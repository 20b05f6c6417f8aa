/// The error of a text that is not valid JSON, with its place.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in bytes.
    public var offset: Int
    public var what: String

    public var description: String { "\(what) at character \(offset + 1)" }
}

extension JSON {
    /// Parses exactly one JSON value with optional surrounding blanks.
    public init(parsing bytes: some Collection<UInt8>) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: Array(bytes))
        self = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.isAtEnd else { throw parser.error("something follows the value") }
    }
}

private struct JSONParser {
    /// The greatest nesting depth. Deeper text is an attack on the stack.
    static let deepest = 128

    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    func error(_ what: String) -> JSONSyntaxError { JSONSyntaxError(offset: position, what: what) }

    mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func value(depth: Int) throws(JSONSyntaxError) -> JSON {
        skipBlanks()
        guard depth < JSONParser.deepest else { throw error("more than \(JSONParser.deepest) values inside one another") }
        guard let first = next else { throw error("the text ends where a value should be") }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("no value begins like this")
        }
    }

    private mutating func word(_ text: String, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        guard bytes[position...].starts(with: text.utf8) else { throw error("no value begins like this") }
        position += text.utf8.count
        return value
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSON {
        position += 1
        var values: [JSON] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or ] is missing") }
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSON {
        position += 1
        var fields: [String: JSON] = [:]
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(fields) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("the name of a field is missing") }
            let start = position
            let name = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is missing") }
            let isNew = fields.updateValue(try value(depth: depth + 1), forKey: name) == nil
            guard isNew else { throw JSONSyntaxError(offset: start, what: "the field \"\(name)\" is there twice") }
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(fields) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or } is missing") }
        }
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw error("a digit is missing") }
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = position
        var isWhole = true
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else {
            throw JSONSyntaxError(offset: start, what: "the number \(text.prefix(40)) is too large")
        }
        return JSON(number)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while true {
            guard let byte = next else { throw JSONSyntaxError(offset: start, what: "the string is not terminated") }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw JSONSyntaxError(offset: start, what: "the string is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &content)
            case 0..<0x20: throw error("a control character in a string has to be escaped")
            default:
                content.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = next else { throw error("the string is not terminated") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0c)
        case UInt8(ascii: "n"): content.append(0x0a)
        case UInt8(ascii: "r"): content.append(0x0d)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var value = try hex()
            if (0xd800..<0xdc00).contains(value), bytes[position...].starts(with: "\\u".utf8) {
                position += 2
                let low = try hex()
                guard (0xdc00..<0xe000).contains(low) else { throw error("half of a surrogate pair is missing") }
                value = 0x10000 + (value - 0xd800) << 10 + (low - 0xdc00)
            }
            guard let scalar = Unicode.Scalar(value) else { throw error("half of a surrogate pair is missing") }
            content += UTF8.encode(scalar)!
        default:
            position -= 1
            throw error("there is no such escape")
        }
    }

    private mutating func hex() throws(JSONSyntaxError) -> UInt32 {
        let text = bytes[position..<min(position + 4, bytes.count)]
        guard text.count == 4, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: text, as: UTF8.self), radix: 16)
        else { throw error("four hexadecimal digits are missing") }
        position += 4
        return value
    }
}
