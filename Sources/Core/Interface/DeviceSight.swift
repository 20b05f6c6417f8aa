import Status
import Tray

/// The device, as the views show it.
public struct DeviceSight: Hashable, Codable, Sendable {
    public var status = Status()
    public var wireless = Wireless()
    public var pairing = Pairing()
    public var drives = Drives()
    /// The data kept for apps, while a person looks at it.
    public var kept: [KeptStates.Item] = []
    /// The questions of services and programs.
    public var prompts = AgentPrompts()
    /// The items of apps in the tray.
    public var tray = Tray()
    /// Whether a sensor says how the device is held, so that the screen can turn with it.
    public var hasTurnSensor = false
    /// Whether the screen stays as it is when the device is turned.
    public var locksRotation = false
    /// Whether the screen has warmer colours; nil: it cannot.
    public var isNightLight: Bool?

    /// The programs that hear, see, watch or locate a person.
    public var sensors = SensorUse()

    public init() {}
}
