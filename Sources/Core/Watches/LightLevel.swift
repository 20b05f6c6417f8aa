import Geometry
import Rooms

/// The level of the screen's light, in sight for a moment after a key changed it, as for the volume.
public struct LightLevel: Room {
    public private(set) var isShown = false

    public init() {}

    public enum Event: Hashable, Sendable {
        /// A key changed the light.
        case stepped
        case timeIsUp
    }

    public enum Outcome: Hashable, Sendable {
        case show(Bool)
        case wake(Moment)
    }

    /// Seconds after the last key.
    public static let duration = 1.5

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        switch event {
        case .stepped:
            let isFirst = !isShown
            isShown = true
            return (isFirst ? [.show(true)] : []) + [.wake(now + Self.duration)]
        case .timeIsUp:
            guard isShown else { return [] }
            isShown = false
            return [.show(false)]
        }
    }
}
