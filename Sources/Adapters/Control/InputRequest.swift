import Geometry

/// Input as devices would send it. Positions are in points of the screen, times in milliseconds of the shell's clock.
///
/// The first group takes effect and is answered at once. A finger or key stays down until it is released. The second
/// group is answered when the gesture has ended.
public enum InputRequest: Hashable, Codable, Sendable {
    /// `touch` identifies the finger; 0 by default.
    case touchDown(touch: Int32? = nil, at: Point)
    case touchMotion(touch: Int32? = nil, at: Point)
    case touchUp(touch: Int32? = nil)
    case touchCancel(touch: Int32? = nil)
    case pointerMotion(at: Point)
    /// `button` is the left one by default.
    case pointerButton(button: Button? = nil, pressed: Bool)
    /// In points. Down and right are positive.
    case pointerAxis(value: Double, horizontal: Bool? = nil)
    case key(key: KeyName, pressed: Bool)
    /// A pen that hovers, or touches the screen if `pressure` is above 0 (at most 1). `tiltX` and `tiltY` in degrees.
    case pen(at: Point, pressure: Double? = nil, tiltX: Double? = nil, tiltY: Double? = nil)
    /// A button on the pen's barrel, by its Linux code.
    case penButton(button: Button, pressed: Bool)
    /// The pen leaves proximity.
    case penAway
    /// A touchpad gesture. `by` in points; `rotation` in degrees.
    case touchpad(
        gesture: TouchpadGesture, phase: TouchpadPhase, fingers: UInt32? = nil, by: Point? = nil, scale: Double? = nil,
        rotation: Double? = nil)

    /// Presses and releases a key with modifiers, such as "Super+Left".
    case press(keys: String)
    /// Types text as on a US keyboard.
    case type(text: String)
    /// `hold`: how long the finger stays down; 50 by default.
    case tap(at: Point, hold: Double? = nil, touch: Int32? = nil)
    /// Moves the pointer there, presses and releases.
    case click(at: Point, button: Button? = nil)
    /// Moves from point to point in `duration` (300) at constant speed. The finger keeps that speed when it lifts,
    /// which throws. `hold`: time before it moves. `rest`: time after it moved, so that nothing is thrown. `via`:
    /// points on the way. `pointer`: uses the left mouse button instead of a finger. `isDown`: the finger is down at `from`
    /// already. `staysDown`: it does not lift.
    case drag(
        from: Point, to: Point, via: [Point]? = nil, duration: Double? = nil, hold: Double? = nil, rest: Double? = nil,
        touch: Int32? = nil, pointer: Bool? = nil, isDown: Bool? = nil, staysDown: Bool? = nil)
    /// Two fingers around `center` whose distance changes in `duration` (300), along a line at `angle` degrees (0).
    /// The second finger's number is `touch` plus one.
    case pinch(
        center: Point, from: Double, to: Double, duration: Double? = nil, angle: Double? = nil, rest: Double? = nil,
        touch: Int32? = nil)

    public enum TouchpadGesture: String, Hashable, Codable, Sendable {
        case swipe, pinch, hold
    }

    public enum TouchpadPhase: String, Hashable, Codable, Sendable {
        case begin, update, end, cancel
    }

    /// A mouse button: "left", "right", "middle", or its Linux code.
    public struct Button: Hashable, Sendable {
        public var code: UInt32

        public init(code: UInt32) { self.code = code }

        public static let left = Button(code: 0x110)
        public static let right = Button(code: 0x111)
        public static let middle = Button(code: 0x112)

        static let names: [(String, Button)] = [("left", .left), ("right", .right), ("middle", .middle)]

        public init?(_ name: String) {
            guard let known = Button.names.first(where: { $0.0 == name }) else { return nil }
            self = known.1
        }
    }

    /// A key by its position on a US keyboard: "a", "Left", "Super_L", or its Linux code.
    public struct KeyName: Hashable, Sendable {
        public var code: UInt32

        public init(code: UInt32) { self.code = code }

        public init?(_ name: String) {
            guard let code = Keyboard.code(named: name) else { return nil }
            self.code = code
        }
    }
}

extension InputRequest.Button: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let code = try? container.decode(UInt32.self) {
            self.init(code: code)
            return
        }
        guard let name = try? container.decode(String.self), let button = Self(name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a button is \"left\", \"right\", \"middle\" or a Linux button code")
        }
        self = button
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let known = Self.names.first(where: { $0.1 == self }) {
            try container.encode(known.0)
        } else {
            try container.encode(code)
        }
    }
}

extension InputRequest.KeyName: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let code = try? container.decode(UInt32.self) {
            self.init(code: code)
            return
        }
        guard let name = try? container.decode(String.self), let key = Self(name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a key is its name on a US keyboard, as \"a\" or \"Left\", or a Linux key code")
        }
        self = key
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
