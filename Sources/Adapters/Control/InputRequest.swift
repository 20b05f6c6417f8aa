import Geometry

/// Input as devices would send it. Places are in points of the screen, times in milliseconds of the shell's clock.
///
/// The first group happens at once and is answered at once; a finger or key that was put down stays down until it is
/// lifted. The second group is answered when it has ended.
public enum InputRequest: Hashable, Codable, Sendable {
    /// `touch` tells fingers apart; 0 if left out.
    case touchDown(touch: Int32? = nil, at: Point)
    case touchMotion(touch: Int32? = nil, at: Point)
    case touchUp(touch: Int32? = nil)
    case touchCancel(touch: Int32? = nil)
    case pointerMotion(at: Point)
    /// The left button if left out.
    case pointerButton(button: Button? = nil, pressed: Bool)
    /// In points; down and right are positive.
    case pointerAxis(value: Double, horizontal: Bool? = nil)
    case key(key: KeyName, pressed: Bool)
    /// A pen over the screen or, with a `pressure` above 0 (up to 1), with its tip down. `tiltX`, `tiltY`: degrees.
    case pen(at: Point, pressure: Double? = nil, tiltX: Double? = nil, tiltY: Double? = nil)
    /// A button on the pen's barrel, by its Linux code.
    case penButton(button: Button, pressed: Bool)
    /// The pen goes out of reach.
    case penAway
    /// What fingers do on a touchpad beside moving the pointer. `by`: points; `rotation`: degrees.
    case touchpad(
        gesture: TouchpadGesture, phase: TouchpadPhase, fingers: UInt32? = nil, by: Point? = nil, scale: Double? = nil,
        rotation: Double? = nil)

    /// A key with modifiers pressed and released: "Super+Left".
    case press(keys: String)
    /// Text as typed on a US keyboard.
    case type(text: String)
    /// `hold`: how long the finger rests; 50 if left out.
    case tap(at: Point, hold: Double? = nil, touch: Int32? = nil)
    /// Moves the pointer there, presses and releases.
    case click(at: Point, button: Button? = nil)
    /// From place to place in `duration` (300), at a steady speed that is kept when it lets go: a throw.
    /// `hold`: rests that long before it moves; `rest`: after it moved, so that nothing is thrown.
    /// `via`: places on the way. `pointer`: with the left mouse button and not with a finger.
    case drag(
        from: Point, to: Point, via: [Point]? = nil, duration: Double? = nil, hold: Double? = nil, rest: Double? = nil,
        touch: Int32? = nil, pointer: Bool? = nil)
    /// Two fingers about `center`, their distance changing in `duration` (300), along a line at `angle` degrees (0).
    /// The second finger's number is one higher than `touch`.
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

    /// A key by its place on a US keyboard: "a", "Left", "Super_L", or its Linux code.
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
