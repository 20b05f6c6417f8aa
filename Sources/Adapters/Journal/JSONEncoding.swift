/// Encodes Swift values as JSON. Unlike Foundation's encoder, it sorts sets and dictionaries, so that equal values
/// have equal JSON in every run. Recordings are compared by it.
extension JSON {
    /// Throws `EncodingError` for numbers without a JSON form.
    public init(encoding value: some Encodable) throws {
        self = try JSONTree(value, path: []).json
    }

    /// The value's JSON as one line, without a newline.
    public static func bytes(_ value: some Encodable) throws -> [UInt8] { try JSON(encoding: value).bytes }
}

/// Collections whose order differs from run to run.
private protocol Unordered {
    /// Whether it becomes a JSON object, whose keys are sorted anyway.
    var isKeyed: Bool { get }
    /// The elements in any order: values or pairs.
    func parts(path: [any CodingKey]) throws -> [[JSON]]
}

/// Keys that Swift encodes as the field names of an object.
private protocol StringKey {}
extension String: StringKey {}
extension Int: StringKey {}

extension Set: Unordered where Element: Encodable {
    fileprivate var isKeyed: Bool { false }

    fileprivate func parts(path: [any CodingKey]) throws -> [[JSON]] {
        try map { [try JSONTree($0, path: path).json] }
    }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
    fileprivate var isKeyed: Bool { Key.self is any StringKey.Type }

    fileprivate func parts(path: [any CodingKey]) throws -> [[JSON]] {
        try map { [try JSONTree($0.key, path: path).json, try JSONTree($0.value, path: path).json] }
    }
}

/// A value under construction.
private final class JSONTree {
    private enum Content {
        case value(JSON)
        case array([JSONTree])
        case object([String: JSONTree])
    }

    private var content = Content.value(.null)

    init() {}

    init<T: Encodable>(_ value: T, path: [any CodingKey]) throws {
        try set(value, path: path)
    }

    var json: JSON {
        switch content {
        case .value(let value): value
        case .array(let values): .array(values.map(\.json))
        case .object(let fields): .object(fields.mapValues(\.json))
        }
    }

    var count: Int { if case .array(let values) = content { values.count } else { 0 } }

    func becomeArray() { if case .array = content {} else { content = .array([]) } }
    func becomeObject() { if case .object = content {} else { content = .object([:]) } }

    func append(_ tree: JSONTree) {
        guard case .array(var values) = content else { return }
        content = .value(.null)
        values.append(tree)
        content = .array(values)
    }

    func put(_ tree: JSONTree, at key: String) {
        guard case .object(var fields) = content else { return }
        content = .value(.null)
        fields[key] = tree
        content = .object(fields)
    }

    func set<T: Encodable>(_ value: T, path: [any CodingKey]) throws {
        switch value {
        case let value as String: content = .value(.string(value))
        case let value as Double: content = .value(try number(value, path))
        case let value as Float: content = .value(try number(Double(value), path))
        case let value as Bool: content = .value(.bool(value))
        case let value as Int: set(value)
        case let value as JSON: content = .value(value)
        default:
            // Only sets and dictionaries can be `Unordered`, and both have this size. The check comes first because the first cast of
            // each type to a protocol makes the runtime search all conformances of the program.
            if MemoryLayout<T>.size == MemoryLayout<Set<Int>>.size, let value = value as? any Unordered, !value.isKeyed {
                let parts = try value.parts(path: path).map { (part: $0, text: JSON.array($0).text()) }
                content = .value(.array(parts.sorted { $0.text < $1.text }.flatMap(\.part)))
            } else {
                try value.encode(to: JSONTreeEncoder(tree: self, codingPath: path))
            }
        }
    }

    func set(_ value: some BinaryInteger) {
        content = .value(Int64(exactly: value).map { .integer($0) } ?? JSON(Double(value)))
    }

    private func number(_ value: Double, _ path: [any CodingKey]) throws -> JSON {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: path, debugDescription: "JSON has no number for \(value)"))
        }
        return JSON(value)
    }
}

private struct JSONTreeEncoder: Encoder {
    let tree: JSONTree
    var codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tree.becomeObject()
        return KeyedEncodingContainer(Keyed<Key>(tree: tree, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tree.becomeArray()
        return Unkeyed(tree: tree, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(tree: tree, codingPath: codingPath) }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: JSONTree
    var codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) { tree.put(JSONTree(), at: key.stringValue) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        tree.put(try JSONTree(value, path: codingPath + [key]), at: key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(AnyKey(stringValue: "super")) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> JSONTreeEncoder {
        let child = JSONTree()
        tree.put(child, at: key.stringValue)
        return JSONTreeEncoder(tree: child, codingPath: codingPath + [key])
    }
}

private struct Unkeyed: UnkeyedEncodingContainer {
    let tree: JSONTree
    var codingPath: [any CodingKey]
    var count: Int { tree.count }

    mutating func encodeNil() { tree.append(JSONTree()) }

    mutating func encode<T: Encodable>(_ value: T) throws { tree.append(try JSONTree(value, path: path)) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { nested() }

    private var path: [any CodingKey] { codingPath + [AnyKey(intValue: count)] }

    private func nested() -> JSONTreeEncoder {
        let child = JSONTree()
        let path = path
        tree.append(child)
        return JSONTreeEncoder(tree: child, codingPath: path)
    }
}

private struct Single: SingleValueEncodingContainer {
    let tree: JSONTree
    var codingPath: [any CodingKey]

    mutating func encodeNil() throws { try tree.set(JSON.null, path: codingPath) }
    mutating func encode<T: Encodable>(_ value: T) throws { try tree.set(value, path: codingPath) }
    // All other integers encode themselves in this way.
    mutating func encode(_ value: Int8) { tree.set(value) }
    mutating func encode(_ value: Int16) { tree.set(value) }
    mutating func encode(_ value: Int32) { tree.set(value) }
    mutating func encode(_ value: Int64) { tree.set(value) }
    mutating func encode(_ value: UInt) { tree.set(value) }
    mutating func encode(_ value: UInt8) { tree.set(value) }
    mutating func encode(_ value: UInt16) { tree.set(value) }
    mutating func encode(_ value: UInt32) { tree.set(value) }
    mutating func encode(_ value: UInt64) { tree.set(value) }
}

struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
