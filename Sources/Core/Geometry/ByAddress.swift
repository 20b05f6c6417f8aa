/// A field of no content. The compiler passes a struct that has one by its address.
///
/// It passes other structs by value, however large: to call a function on a part of the shell's state, it copies the part
/// to the stack first. With this field in the largest parts, a motion of the pointer costs half as much.
public struct ByAddress: Sendable {
    /// Only its type matters: the compiler does not know the layout of a value of any type.
    private var nothing: (any Sendable)?

    public init() {}
}

extension ByAddress: Hashable {
    public static func == (a: ByAddress, b: ByAddress) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

/// It is never written.
extension ByAddress: Codable {
    public init(from decoder: any Decoder) {}
    public func encode(to encoder: any Encoder) {}
}

extension KeyedDecodingContainer {
    public func decode(_ type: ByAddress.Type, forKey key: Key) -> ByAddress { ByAddress() }
}

extension KeyedEncodingContainer {
    public mutating func encode(_ value: ByAddress, forKey key: Key) {}
}
