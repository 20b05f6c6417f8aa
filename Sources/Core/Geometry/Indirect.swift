/// A value that is stored by reference, so that the struct around it stays small.
///
/// The state of the shell is one large value, and functions that are handed a part of it may get a copy. The cost of such a
/// copy is the size of the struct, so large parts that rarely change are stored apart. Copies share the
/// value; a new value replaces it, so it keeps the semantics of a value.
@propertyWrapper
public struct Indirect<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value

        @usableFromInline
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    @inlinable
    public var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}

extension Indirect: Equatable where Value: Equatable {
    @inlinable
    public static func == (a: Indirect, b: Indirect) -> Bool { a.storage === b.storage || a.storage.value == b.storage.value }
}

extension Indirect: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}

/// It is written as the value alone.
extension Indirect: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try storage.value.encode(to: encoder) }
}

/// Lets a struct with an optional value leave it out, as if it was stored directly.
extension KeyedDecodingContainer {
    public func decode<Value: Codable>(_ type: Indirect<Value?>.Type, forKey key: Key) throws -> Indirect<Value?> {
        Indirect(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value: Codable>(_ value: Indirect<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
