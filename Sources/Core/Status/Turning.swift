import Geometry
import Rooms

/// How the device is held, as the accelerometer says: which edge of it is up.
public enum HeldWay: String, Hashable, Codable, Sendable, CaseIterable {
    case upright = "normal", left = "left-up", over = "bottom-up", right = "right-up"

    /// Counter-clockwise quarter turns of the screen, so that a person reads it upright.
    public var turns: Int {
        switch self {
        case .upright: 0
        case .left: 1
        case .over: 2
        case .right: 3
        }
    }
}

/// Turns the screen with the device, unless a person has locked it. The sensor is read only while that is of use.
public struct Turning: Room {
    /// Whether the device has a sensor.
    public private(set) var hasSensor = false
    private var held: HeldWay?
    private var isSensing = false
    /// The turns that the screen was told, until a person may have turned it by hand.
    private var told: Int?

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        /// A sensor is there, or gone.
        case sensor(Bool)
        case held(HeldWay)
        /// Something of the context may have changed.
        case settled
    }

    public struct Context: Hashable, Sendable {
        /// The idiom lets the screen turn, and a person can see it.
        public var turns: Bool
        /// A person has locked the rotation.
        public var isLocked: Bool

        public init(turns: Bool, isLocked: Bool) {
            self.turns = turns
            self.isLocked = isLocked
        }

        var isOn: Bool { turns && !isLocked }
    }

    public enum Outcome: Hashable, Sendable {
        /// Tell how the device is held; false: no more.
        case sense(Bool)
        case turn(Int)
        case changed
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        var out: [Outcome] = []
        switch event {
        case .sensor(let isThere):
            guard isThere != hasSensor else { return [] }
            hasSensor = isThere
            if !isThere { (held, told) = (nil, nil) }
            out.append(.changed)
        case .held(let way): held = way
        case .settled: break
        }
        let wants = hasSensor && context.isOn
        if wants != isSensing {
            isSensing = wants
            out.append(.sense(wants))
            // The device may be held in another way when the sensor is read again.
            if !wants { (held, told) = (nil, nil) }
        }
        if isSensing, let turns = held?.turns, turns != told {
            told = turns
            out.append(.turn(turns))
        }
        return out
    }

    public func violations(in context: Context) -> [String] {
        isSensing && !(hasSensor && context.isOn) ? ["the sensor is read for nothing"] : []
    }
}
