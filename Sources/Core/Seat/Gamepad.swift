/// Translates a gamepad into the keys of a remote control. The cross and the left stick are arrows, A is OK, B is back, Start is the menu,
/// the shoulders go to the next and the previous app, and the button in the middle goes home.
///
/// A pad may report a thousand times a second. Only changes of keys come out, once for each report.
public struct Gamepad: Hashable, Sendable {
    /// The range of a stick or trigger, as the device reports it.
    public struct Range: Hashable, Sendable {
        public var minimum: Int32
        public var maximum: Int32

        public init(minimum: Int32, maximum: Int32) {
            self.minimum = minimum
            self.maximum = maximum
        }

        /// -1 to 1.
        func share(_ value: Int32) -> Double {
            guard maximum > minimum else { return 0 }
            let low = Double(minimum), high = Double(maximum)
            return max(-1, min(1, (Double(value) - (low + high) / 2) * 2 / (high - low)))
        }
    }

    /// An event of the kernel (struct input_event), without its time.
    public struct Report: Hashable, Sendable {
        public var type: UInt16
        public var code: UInt16
        public var value: Int32

        public init(type: UInt16, code: UInt16, value: Int32) {
            self.type = type
            self.code = code
            self.value = value
        }
    }

    public struct Change: Hashable, Sendable {
        /// The Linux code of a key (`RemoteKeys`).
        public var key: UInt32
        public var isPressed: Bool

        public init(key: UInt32, isPressed: Bool) {
            self.key = key
            self.isPressed = isPressed
        }
    }

    /// A stick counts as pushed from this share of its way, and until it is back within the smaller one.
    public static let pushed = 0.55, released = 0.4

    /// Buttons by their Linux codes, and the keys that they stand for.
    public static let buttons: [UInt16: UInt32] = [
        // BTN_SOUTH, BTN_EAST, BTN_SELECT, BTN_START, BTN_MODE, BTN_TL and BTN_TR.
        0x130: 352, 0x131: 158, 0x13a: 158, 0x13b: 139, 0x13c: 172, 0x136: 0x193, 0x137: 0x192,
        // BTN_DPAD_UP, DOWN, LEFT and RIGHT.
        0x220: 103, 0x221: 108, 0x222: 105, 0x223: 106,
    ]
    /// ABS_X, ABS_Y, ABS_HAT0X and ABS_HAT0Y: the keys towards their minimum and their maximum.
    private static let axes: [UInt16: (low: UInt32, high: UInt32)] = [0: (105, 106), 1: (103, 108), 0x10: (105, 106), 0x11: (103, 108)]

    private var ranges: [UInt16: Range]
    /// The buttons (by code) and axes (by code and direction) that hold each key down.
    private var holders: [UInt32: Set<Int32>] = [:]
    /// The keys that were reported as down.
    private var down: Set<UInt32> = []

    /// - Parameter ranges: of the sticks and the cross, by the codes of their axes.
    public init(ranges: [UInt16: Range] = [:]) { self.ranges = ranges }

    /// Whether a device with these buttons is a gamepad (BTN_SOUTH, or a cross of buttons).
    public static func isOne(_ hasButton: (UInt16) -> Bool) -> Bool { hasButton(0x130) || hasButton(0x220) }

    /// Returns the changes at the end of a report.
    public mutating func handle(_ report: Report) -> [Change] {
        switch report.type {
        // EV_SYN, of which SYN_DROPPED says that reports were lost: nothing is known to be held any more.
        case 0:
            if report.code == 3 { holders.removeAll() }
            return changes()
        // EV_KEY; 2 is a repeat.
        case 1:
            guard let key = Self.buttons[report.code], report.value != 2 else { return [] }
            hold(key, by: Int32(report.code), report.value == 1)
        // EV_ABS.
        case 3:
            guard let keys = Self.axes[report.code] else { return [] }
            let range =
                ranges[report.code] ?? (report.code >= 0x10 ? Range(minimum: -1, maximum: 1) : Range(minimum: -32768, maximum: 32767))
            let share = range.share(report.value), id = Int32(report.code)
            for (key, way) in [(keys.low, -share), (keys.high, share)] {
                let holder = 0x10000 + id, isHeld = holders[key]?.contains(holder) ?? false
                hold(key, by: holder, way >= (isHeld ? Self.released : Self.pushed))
            }
        default: break
        }
        return []
    }

    /// The device is gone, or an app has it now: its keys are released (law 4).
    public mutating func end() -> [Change] {
        holders.removeAll()
        return changes()
    }

    private mutating func hold(_ key: UInt32, by holder: Int32, _ isHeld: Bool) {
        if isHeld { holders[key, default: []].insert(holder) } else { holders[key]?.remove(holder) }
        if holders[key]?.isEmpty ?? false { holders[key] = nil }
    }

    private mutating func changes() -> [Change] {
        let now = Set(holders.keys)
        let changes =
            down.subtracting(now).sorted().map { Change(key: $0, isPressed: false) }
            + now.subtracting(down).sorted().map { Change(key: $0, isPressed: true) }
        down = now
        return changes
    }
}
