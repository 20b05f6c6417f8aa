import Geometry

/// The power that the device has left.
public struct Battery: Hashable, Codable, Sendable {
    public enum Power: String, Hashable, Codable, Sendable {
        case discharging, charging, full
        /// It is plugged in and does not charge, because of a limit.
        case held
    }

    /// From 0 to 1.
    public var level: Double
    public var power: Power
    /// Seconds until it is empty, or full while it charges; nil: not known.
    public var remaining: Double?
    public var need: Need

    /// How much a person should plug it in.
    public enum Need: Int, Hashable, Codable, Sendable, Comparable {
        case none, low, critical
        /// UPower is about to end the work of the machine.
        case action

        public static func < (a: Need, b: Need) -> Bool { a.rawValue < b.rawValue }
    }

    public init(level: Double, power: Power, remaining: Double? = nil, need: Need = .none) {
        self.level = level
        self.power = power
        self.remaining = remaining
        self.need = need
    }

    /// In whole percent.
    public var percent: Int { Int(clamping: (level * 100).rounded()) }

    public var isPluggedIn: Bool { power != .discharging }

    public var isLow: Bool { need != .none }
}

/// The words of UPower about its `DisplayDevice`, as they came.
public struct BatteryFacts: Hashable, Codable, Sendable {
    public var isPresent: Bool
    /// 2: a battery, 3: a UPS.
    public var kind: Int64
    /// 1 charging, 2 discharging, 3 empty, 4 full, 5 waits to charge, 6 waits to discharge.
    public var state: Int64
    /// nil: it says none.
    public var percentage: Double?
    /// Seconds; 0: unknown.
    public var toEmpty: Int64, toFull: Int64
    /// 3 low, 4 critical, 5 action.
    public var warning: Int64

    public init(
        isPresent: Bool = true, kind: Int64 = 2, state: Int64 = 2, percentage: Double?, toEmpty: Int64 = 0, toFull: Int64 = 0,
        warning: Int64 = 1
    ) {
        self.isPresent = isPresent
        self.kind = kind
        self.state = state
        self.percentage = percentage
        self.toEmpty = toEmpty
        self.toFull = toFull
        self.warning = warning
    }

    /// The battery that a person has; nil: there is none, or nothing sensible is known of it. A level beyond the ends is at the end, and a
    /// time that no battery has is unknown.
    public var battery: Battery? {
        guard isPresent, kind == 2 || kind == 3, let percentage, percentage.isFinite else { return nil }
        let power: Battery.Power =
            switch state {
            case 1: .charging
            case 4: .full
            case 5: .held
            default: .discharging
            }
        let seconds = power == .charging ? toFull : power == .discharging ? toEmpty : 0
        return Battery(
            level: max(0, min(100, percentage)) / 100, power: power,
            remaining: (1...BatteryFacts.longest).contains(seconds) ? Double(seconds) : nil,
            need: power == .discharging && (3...5).contains(warning) ? Battery.Need(rawValue: Int(warning) - 2)! : .none)
    }

    /// A hundred days.
    private static let longest: Int64 = 8_640_000
}
