/// Where sound leaves.
public struct AudioOutput: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        case speaker, receiver, headphones, headset, usb, hdmi
        case bluetoothA2DP, bluetoothHFP
        case lineOut, network
        /// No device: sound goes nowhere, or to whoever records the sink.
        case virtual

        /// Others hear nothing of it: what plays there must never go on by a speaker.
        public var isPrivate: Bool {
            switch self {
            case .headphones, .headset, .bluetoothA2DP, .bluetoothHFP: true
            // Most USB and unknown sound devices that are pulled are headsets; a false pause is better than a blare.
            case .usb: true
            case .speaker, .receiver, .hdmi, .lineOut, .network, .virtual: false
            }
        }

        public var isWireless: Bool { self == .bluetoothA2DP || self == .bluetoothHFP || self == .network }
    }

    public var id: PortID
    public var kind: Kind
    /// As people read it.
    public var name: String
    /// Of the sound server: the higher, the rather it is chosen when nobody chose.
    public var priority: Int
    /// As people set it, 0 to 1 (cubic: 0.5 sounds half as loud).
    public var level: Double
    public var isMuted: Bool

    /// The one that leads nowhere, which the engine makes where there is no other. What it is called is a matter of the
    /// person's language.
    public static let nowhere = PortID("mullion.nowhere")

    public init(id: PortID, kind: Kind, name: String, priority: Int = 0, level: Double = 1, isMuted: Bool = false) {
        self.id = id
        self.kind = kind
        self.name = name
        self.priority = priority
        self.level = level
        self.isMuted = isMuted
    }
}

/// Where sound enters.
public struct AudioInput: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        case builtIn, headset, usb, bluetooth, lineIn, virtual
    }

    public var id: PortID
    public var kind: Kind
    public var name: String
    public var priority: Int

    public init(id: PortID, kind: Kind, name: String, priority: Int = 0) {
        self.id = id
        self.kind = kind
        self.name = name
        self.priority = priority
    }
}

/// Why the route is another one; the numbers go over the bus.
public enum RouteChangeReason: UInt32, CaseIterable, Hashable, Codable, Sendable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
}

public struct AudioRoute: Hashable, Codable, Sendable {
    public var output: PortID?
    public var input: PortID?

    public init(output: PortID? = nil, input: PortID? = nil) {
        self.output = output
        self.input = input
    }
}
