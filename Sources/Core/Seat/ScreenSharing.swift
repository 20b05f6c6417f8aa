import Geometry
import Rooms

/// The clients that share the screen (S-07). `ScreenCaptures` finds them.
public struct ScreenSharing: Room {
    public private(set) var clients: [UInt64] = []
    /// Whether any program takes pictures of the screen, also single ones.
    public private(set) var isPictured = false

    public init() {}

    public var isShared: Bool { !clients.isEmpty }

    /// The shell's own remote view does not count, because its viewer is the person.
    public mutating func handle(_ event: CaptureEvent, in context: Void, at now: Moment) -> [Never] {
        switch event {
        case .begins(_, isOwnView: true): break
        case .begins(let client, isOwnView: false): if !clients.contains(client) { clients.append(client) }
        case .ends(let client): clients.removeAll { $0 == client }
        case .pictures(let are): isPictured = are
        }
        return []
    }
}
