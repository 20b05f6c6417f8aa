import Geometry
import Rooms

/// Tells a person of a battery that runs low, once for each level that UPower names. What happens when it is empty is UPower's.
public struct BatteryWarnings: Room {
    /// The level that a person was told of.
    public private(set) var told = Battery.Need.none

    public init() {}

    public enum Outcome: Hashable, Sendable {
        case tells
        case withdraws
    }

    /// - Parameter event: the battery as it is now; nil: there is none.
    public mutating func handle(_ event: Battery?, in context: Void, at now: Moment) -> [Outcome] {
        let need = event?.need ?? .none
        // A level that rises without a charger is a guess that was corrected.
        guard need > told || need == .none && told != .none else { return [] }
        told = need
        return [need == .none ? .withdraws : .tells]
    }
}
