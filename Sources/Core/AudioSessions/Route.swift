/// An output for sound.
public struct AudioOutput: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        case speaker, receiver, headphones, headset, usb, hdmi
        case bluetoothA2DP, bluetoothHFP
        case lineOut, network
        /// No device: sound goes nowhere, or to whatever records the sink.
        case virtual

        /// Whether others cannot hear it. Sound that plays there must never continue on a speaker.
        public var isPrivate: Bool {
            switch self {
            case .headphones, .headset, .bluetoothA2DP, .bluetoothHFP: true
            // Most USB and unknown devices that are unplugged are headsets. A false pause is better than sudden
            // noise.
            case .usb: true
            case .speaker, .receiver, .hdmi, .lineOut, .network, .virtual: false
            }
        }
    }

    public var id: PortID
    public var kind: Kind
    /// The name for users.
    public var name: String
    /// The sound server's priority. The highest is chosen if the user picked none.
    public var priority: Int
    /// The level as the user sets it, 0 to 1 (cubic: 0.5 sounds half as loud).
    public var level: Double
    public var isMuted: Bool

    /// The null output that the engine makes if there is no other one. Its name depends on the user's language.
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

/// An input for sound.
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

/// Why the route changed. The numbers are sent over the bus.
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
