import Geometry

/// The hardware, as far as it says how a person holds the device (W-25). Adapters report it and decide nothing.
public struct Hardware: Hashable, Codable, Sendable {
    /// Whether the tablet switch of a convertible is on; nil: the device has no such switch.
    public var isTablet: Bool?
    /// A real keyboard is connected.
    public var hasKeyboard = false
    /// A real touch screen is connected.
    public var hasTouch = false
    /// A mouse or touchpad has moved since it was connected. Receivers and televisions announce pointers that never move.
    public var hasMovedPointer = false
    public var output = Output()

    public init() {}

    /// The output in use, as its connector and its own data name it.
    public struct Output: Hashable, Codable, Sendable {
        /// The connector, such as `HDMI-A-1`.
        public var name: String
        /// Maker and model.
        public var model: String
        /// Empty: it says none.
        public var serial: String
        /// In inches; nil: unknown, as of outputs that the shell makes itself.
        public var diagonal: Double?

        public init(name: String = "", model: String = "", serial: String = "", diagonal: Double? = nil) {
            self.name = name
            self.model = model
            self.serial = serial
            self.diagonal = diagonal
        }

        /// - Parameters:
        ///   - width: of the picture in millimetres; 0: unknown.
        ///   - height: the same.
        public init(name: String, model: String, serial: String = "", width: Int32, height: Int32) {
            let squares = Double(width) * Double(width) + Double(height) * Double(height)
            self.init(
                name: name, model: model, serial: serial, diagonal: width > 0 && height > 0 ? squares.squareRoot() / 25.4 : nil)
        }

        /// The same for the same screen at any connector; of one that does not say what it is, the connector. Outputs that the shell makes
        /// itself have no size.
        public var identity: String {
            guard diagonal != nil || !serial.isEmpty, !model.isEmpty else { return name }
            return serial.isEmpty ? model : "\(model) \(serial)"
        }

        /// For a person.
        public var title: String { identity == name ? name : model }
    }
}

/// A change of the hardware.
public enum HardwareEvent: Hashable, Codable, Sendable {
    /// Everything that was connected at the start has been reported.
    case known
    /// The tablet switch; nil: it is gone, with the cover or the base that it sits in.
    case tabletMode(Bool?)
    case keyboard(Bool)
    case touch(Bool)
    case pointerMoved(Bool)
    case output(Hardware.Output)
    /// A sensor says how the device is held now.
    case held(Posture)
}

extension Hardware {
    mutating func note(_ event: HardwareEvent) {
        switch event {
        case .known, .held: break
        // A convertible without its base is a tablet.
        case .tabletMode(let isOn): isTablet = isOn ?? (isTablet == nil ? nil : true)
        case .keyboard(let has): hasKeyboard = has
        case .touch(let has): hasTouch = has
        case .pointerMoved(let has): hasMovedPointer = has
        case .output(let new): output = new
        }
    }
}
