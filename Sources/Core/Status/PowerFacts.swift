/// How the machine can end its work.
public enum MachineEnd: String, Hashable, Codable, Sendable, CaseIterable {
    case turnOff = "turn-off", restart, suspend
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
