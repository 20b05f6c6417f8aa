import Geometry
import Rooms

/// The facts of the device that a person reads at a glance: the time, the battery, the network, Bluetooth.
///
/// A service that is not there has no fact, and one that goes leaves none behind. A service that does not answer is said to hang, and its
/// last words do not count.
public struct Status: Room {
    public private(set) var time: TimeOfDay?
    public private(set) var battery: Battery?
    public private(set) var network: Network?
    public private(set) var bluetooth: Bluetooth?
    /// The services that do not answer.
    public private(set) var hanging: StatusServices = []
    /// Whether the clock ticks.
    private var hasClock = false

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        case time(TimeOfDay)
        /// nil: there is no such service, or it has nothing of the kind.
        case battery(BatteryFacts?)
        case network(NetworkFacts?)
        case bluetooth(Bluetooth?)
        /// The service has not answered for `patience`.
        case hangs(StatusServices)
        /// Whether the time is in sight.
        case clockSeen(Bool)
    }

    public enum Outcome: Hashable, Sendable {
        /// Something that is shown changed.
        case changed
        /// Tell the time, now and with every minute; false: no more.
        case clock(Bool)
    }

    /// Seconds that a service may take to answer.
    public static let patience = 5.0

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        let before = self
        switch event {
        case .time(let time): self.time = time
        case .battery(let facts):
            battery = facts?.battery
            hanging.remove(.battery)
        case .network(let facts):
            network = facts?.network
            hanging.remove(.network)
        case .bluetooth(let state):
            bluetooth = state
            hanging.remove(.bluetooth)
        case .hangs(let services):
            hanging.formUnion(services)
            if services.contains(.battery) { battery = nil }
            if services.contains(.network) { network = nil }
            if services.contains(.bluetooth) { bluetooth = nil }
        case .clockSeen(let isSeen):
            guard isSeen != hasClock else { return [] }
            hasClock = isSeen
            return [.clock(isSeen)]
        }
        return self == before ? [] : [.changed]
    }

    public func violations(in context: Void) -> [String] {
        var found: [String] = []
        if let battery, !(0...1).contains(battery.level) { found.append("the battery has \(battery.level)") }
        if let battery, battery.remaining.map({ $0 <= 0 }) ?? false { found.append("the battery lasts no time") }
        if let network, !(0...3).contains(network.strength) { found.append("the network has the strength \(network.strength)") }
        if hanging.contains(.battery), battery != nil { found.append("a battery of a service that hangs") }
        if hanging.contains(.network), network != nil { found.append("a network of a service that hangs") }
        if hanging.contains(.bluetooth), bluetooth != nil { found.append("Bluetooth of a service that hangs") }
        return found
    }
}

/// The services of the machine that tell of its state.
public struct StatusServices: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// UPower, NetworkManager, BlueZ.
    public static let battery = StatusServices(rawValue: 1), network = StatusServices(rawValue: 2), bluetooth = StatusServices(rawValue: 4)
}
