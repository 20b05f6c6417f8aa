import Multitasking

/// The order in which the shell works: its rooms, and the passes after an event, by name.
public struct OrderReport: Hashable, Codable, Sendable {
    /// In the order in which another idiom begins in them.
    public var rooms = System.rooms.map(\.name)
    /// The passes after every event.
    public var afterEvent = System.afterEvent.map(\.name)
    /// The passes that settle a change.
    public var settling = System.settling.map(\.name)

    public init() {}
}
