/// Decodes JSON values. Errors describe the fault and its place in plain words.
extension JSON {
    /// Decodes a value. Throws `DecodingError`.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try decode(type, path: [])
    }

    fileprivate func decode<T: Decodable>(_ type: T.Type, path: [any CodingKey]) throws -> T {
        if type == String.self, let text = string { return text as! T }
        if type == Double.self, let number { return number as! T }
        if type == Bool.self, let bool { return bool as! T }
        if type == JSON.self { return self as! T }
        if type == Int.self { return try integer(Int.self, path) as! T }
        if type == String.self || type == Double.self || type == Bool.self {
            throw mismatch(type == String.self ? "a string" : type == Double.self ? "a number" : "true or false", type, path)
        }
        return try T(from: JSONDecoding(json: self, codingPath: path))
    }

    fileprivate func integer<I: FixedWidthInteger>(_ type: I.Type, _ path: [any CodingKey]) throws -> I {
        guard case .integer(let whole) = self, let value = I(exactly: whole) else {
            // A whole number beyond Int64 was parsed as floating point.
            if case .number(let number) = self, let value = I(exactly: number) { return value }
            throw mismatch("a whole number from \(I.min) to \(I.max)", type, path)
        }
        return value
    }

    fileprivate func mismatch(_ wanted: String, _ type: any Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "has to be \(wanted), and is \(described)"))
    }

    /// The value if it is short, otherwise its kind.
    private var described: String {
        switch self {
        case .array, .object: kind
        default: text().utf8.count <= 60 ? text() : kind
        }
    }
}

private struct JSONDecoding: Decoder {
    let json: JSON
    var codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let fields = json.object else { throw json.mismatch("an object", [String: JSON].self, codingPath) }
        return KeyedDecodingContainer(KeyedValues<Key>(fields: fields, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let values = json.array else { throw json.mismatch("an array", [JSON].self, codingPath) }
        return Values(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValue(json: json, codingPath: codingPath) }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: JSON]
    var codingPath: [any CodingKey]

    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try value(key).decode(type, path: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try nested(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { JSONDecoding(json: fields["super"] ?? .null, codingPath: codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

    private func nested(_ key: Key) throws -> JSONDecoding {
        JSONDecoding(json: try value(key), codingPath: codingPath + [key])
    }

    private func value(_ key: Key) throws -> JSON {
        guard let value = fields[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "is missing"))
        }
        return value
    }
}

private struct Values: UnkeyedDecodingContainer {
    let values: [JSON]
    var codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(values: [JSON], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        guard try next() == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try next().decode(type, path: path)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try nested() }

    private var path: [any CodingKey] { codingPath + [AnyKey(intValue: currentIndex)] }

    private func next() throws -> JSON {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSON.self, .init(codingPath: codingPath, debugDescription: "has only \(values.count) values"))
        }
        return values[currentIndex]
    }

    private mutating func nested() throws -> JSONDecoding {
        let decoding = JSONDecoding(json: try next(), codingPath: path)
        currentIndex += 1
        return decoding
    }
}

private struct SingleValue: SingleValueDecodingContainer {
    let json: JSON
    var codingPath: [any CodingKey]

    func decodeNil() -> Bool { json == .null }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try json.decode(type, path: codingPath) }
    // All other numbers decode themselves in this way.
    func decode(_ type: Int8.Type) throws -> Int8 { try json.integer(type, codingPath) }
    func decode(_ type: Int16.Type) throws -> Int16 { try json.integer(type, codingPath) }
    func decode(_ type: Int32.Type) throws -> Int32 { try json.integer(type, codingPath) }
    func decode(_ type: Int64.Type) throws -> Int64 { try json.integer(type, codingPath) }
    func decode(_ type: UInt.Type) throws -> UInt { try json.integer(type, codingPath) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try json.integer(type, codingPath) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try json.integer(type, codingPath) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try json.integer(type, codingPath) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try json.integer(type, codingPath) }
    func decode(_ type: Float.Type) throws -> Float { Float(try json.decode(Double.self, path: codingPath)) }
}

/// The place of a `DecodingError` in a value, for example `do.launch.command[1]`, and its message.
public struct JSONMistake: Hashable, Sendable {
    public var place: String
    public var what: String

    /// nil if it is not a `DecodingError`.
    public init?(_ error: any Error, in root: String = "") {
        guard let error = error as? DecodingError else { return nil }
        var (context, key): (DecodingError.Context, (any CodingKey)?) = (.init(codingPath: [], debugDescription: ""), nil)
        switch error {
        case .keyNotFound(let missing, let c): (context, key) = (c, missing)
        case .typeMismatch(_, let c), .valueNotFound(_, let c), .dataCorrupted(let c): context = c
        @unknown default: return nil
        }
        place = root
        for key in context.codingPath + (key.map { [$0] } ?? []) {
            if let index = key.intValue {
                place += "[\(index)]"
            } else if key.stringValue != "_0" {
                place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        what = key?.stringValue == "_0" ? "needs a value" : JSONMistake.reworded(context.debugDescription)
    }

    /// Rewords Swift's messages about enums for users.
    private static func reworded(_ text: String) -> String {
        if text.hasPrefix("Invalid number of keys found") {
            return "must be one of the known names, as \"name\" or {\"name\": …}"
        }
        if text.hasPrefix("Cannot initialize "), let range = text.firstRange(of: " from invalid String value ") {
            return "\"\(text[range.upperBound...])\" is not one of the values that it may have"
        }
        return text
    }
}
