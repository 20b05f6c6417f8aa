import OrderedCollections

/// Input methods that get no text, because another one has the text fields: there can be only one. A person who starts a second one
/// has to learn why it does nothing.
public struct UnheardMethods: Hashable, Codable, Sendable {
    /// Their programs, by the clients that asked.
    private var names: OrderedDictionary<UInt64, String> = [:]
    /// The program that has the text fields.
    public private(set) var present = ""
    /// More say nothing new.
    private static let most = 8

    public init() {}

    public mutating func add(_ name: String, client: UInt64, present: String) {
        self.present = present
        if names[client] != nil || names.count < Self.most { names[client] = name }
    }

    public mutating func clientGone(_ client: UInt64) { names[client] = nil }

    /// The one that came last; nil: there is none.
    public var last: String? { names.values.last }
}
