/// An event or a request on the connection of a client, as the laws of the wire (`WireLaws`) read it.
public struct WireMessage: Hashable, Sendable {
    /// The number of the connection. No two connections have the same.
    public var client: UInt64
    /// The id of the object. It is used again once the object is destroyed.
    public var object: UInt32
    /// The name of the object's interface.
    public var interface: String
    /// The object's version of the interface.
    public var version: Int
    public var name: String
    /// Whether the shell sent it; otherwise the client did.
    public var isEvent: Bool
    /// As many as the protocol's description has.
    public var arguments: [Argument]

    public enum Argument: Hashable, Sendable {
        /// An integer, or a fixed-point number in 1/256.
        case number(Int64)
        /// The id of an object; nil: none.
        case object(UInt32?)
        /// The id that a new object gets.
        case new(UInt32)
        /// An array of 32-bit numbers.
        case numbers([UInt32])
        /// A text or a descriptor, which no law looks at.
        case other
    }

    public init(
        client: UInt64, object: UInt32, interface: String, version: Int = 1, name: String, isEvent: Bool, arguments: [Argument] = []
    ) {
        self.client = client
        self.object = object
        self.interface = interface
        self.version = version
        self.name = name
        self.isEvent = isEvent
        self.arguments = arguments
    }

    /// The number at a place in the arguments; 0 if there is none.
    func number(_ index: Int) -> Int64 {
        guard index < arguments.count, case .number(let number) = arguments[index] else { return 0 }
        return number
    }

    /// The object at a place in the arguments.
    func object(_ index: Int) -> UInt32? {
        guard index < arguments.count, case .object(let id) = arguments[index] else { return nil }
        return id
    }

    /// The new object that the message makes.
    var made: UInt32? {
        for argument in arguments { if case .new(let id) = argument { return id } }
        return nil
    }

    func numbers(_ index: Int) -> [UInt32] {
        guard index < arguments.count, case .numbers(let numbers) = arguments[index] else { return [] }
        return numbers
    }
}

/// A violation of a law of the wire: P-05 does not hold.
public struct WireViolation: Hashable, Sendable, CustomStringConvertible {
    public enum Law: String, Hashable, Sendable, CaseIterable {
        /// A finger is put down, moved and lifted, in this order.
        case touch
        /// A surface is entered, pressed and left, in this order; one client at a time.
        case pointer
        /// The same for keys.
        case keyboard
        /// A text field is entered and left; one client at a time.
        case text
        /// A drag enters, moves, and leaves or drops; its source is told how it ended.
        case drag
        /// A popup is dismissed once, and hears nothing afterwards.
        case popup
        /// A configure says something new, answers a request, or follows from a decision.
        case configure
        /// Two events of a pair follow each other in turn.
        case pair
        /// After its last event an object is silent.
        case end
    }

    public var law: Law
    public var client: UInt64
    /// `wl_touch@12`
    public var object: String
    /// The name of the event; empty where the end of something is missing.
    public var event: String
    public var what: String

    public init(_ law: Law, client: UInt64, object: String, event: String = "", _ what: String) {
        self.law = law
        self.client = client
        self.object = object
        self.event = event
        self.what = what
    }

    public var description: String { "P-05 (\(law)): client \(client): \(object)\(event.isEmpty ? "" : ".\(event)"): \(what)" }
}
