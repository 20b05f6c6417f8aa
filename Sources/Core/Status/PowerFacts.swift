/// How the machine can end its work.
public enum MachineEnd: String, Hashable, Codable, Sendable, CaseIterable {
    case turnOff = "turn-off", restart
    /// A restart that installs the updates which are prepared.
    case update
    case suspend
}

/// A program that keeps the machine from ending its work.
public struct PowerBlocker: Hashable, Codable, Sendable {
    public var name: String
    /// In its own words; empty: it gives none.
    public var reason: String
    /// Against turning off and restarting, and against sleep.
    public var isForShutdown: Bool, isForSleep: Bool

    public init(name: String, reason: String, isForShutdown: Bool, isForSleep: Bool) {
        self.name = name.oneLine(60)
        self.reason = reason.oneLine(120)
        self.isForShutdown = isForShutdown
        self.isForSleep = isForSleep
    }

    func stops(_ end: MachineEnd) -> Bool { end == .suspend ? isForSleep : isForShutdown }
}

/// The balance of speed and battery that the machine keeps, as power-profiles-daemon names it.
public struct PowerProfiles: Hashable, Codable, Sendable {
    public var active: String
    /// In their order: from saving power to speed.
    public var all: [String]

    /// The names that a person can read, in their order.
    public static let known = ["power-saver", "balanced", "performance"]

    public init(active: String, all: [String]) {
        self.active = active
        self.all = Self.known.filter(all.contains)
    }
}
