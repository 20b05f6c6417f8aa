import Multitasking
import Status

/// Answer to `get status`: the time, the battery and the connections, as the shell shows them. What a service does not tell is missing.
public struct StatusReport: Codable, Hashable, Sendable {
    /// Missing while nothing needs it.
    public var time: String?
    public var battery: Battery?
    public var network: Network?
    public var bluetooth: Bluetooth?
    /// The light of the screen, from 0 to 1.
    public var brightness: Double?
    /// Whether all radios are off; missing where there are not two of them.
    public var isAeroplane: Bool?
    /// Whether the screen stays as it is when the device is turned; missing without a sensor.
    public var locksRotation: Bool?
    /// Whether the colours are warmer, the lamp of the camera is on, and the screen is recorded; each is missing where the device cannot.
    public var isNightLight: Bool?
    public var flashLight: Bool?
    public var isRecording: Bool?
    public var powerProfile: PowerProfiles?
    /// How the machine can end its work: "turn-off", "restart", "suspend".
    public var ends: [MachineEnd]
    /// The wireless networks and the devices of Bluetooth, while their page is open.
    public var networks: [NetworkReport]?
    public var devices: [NearDevice]?
    /// The data kept for apps, while that page is open.
    public var kept: [KeptStates.Item]?
    /// Whether an app uses the location; missing without GeoClue.
    public var isLocated: Bool?
    /// The removable drives.
    public var drives: [DriveReport]
    /// The services that do not answer: "battery", "network", "bluetooth", "profiles", "login".
    public var hanging: [String]

    /// A wireless network of the list, with the id by which it is joined.
    public struct NetworkReport: Codable, Hashable, Sendable {
        public var id: String
        public var name: String
        public var security: WirelessSecurity
        /// From 0 to 3; missing: it is out of reach.
        public var strength: Int?
        public var state: WirelessNetwork.State
        public var isSaved: Bool

        init(_ network: WirelessNetwork) {
            id = network.id
            name = network.name
            security = network.security
            strength = network.strength
            state = network.state
            isSaved = network.isSaved
        }
    }

    /// A volume of a removable drive, with the id by which it is opened and ejected.
    public struct DriveReport: Codable, Hashable, Sendable {
        public var id: String
        public var name: String
        public var bytes: UInt64
        /// Its folder; missing: it is not mounted.
        public var folder: String?
        /// Whether it is being opened or ejected.
        public var isBusy: Bool
    }

    public init(_ status: Status) {
        drives = []
        time = status.hasClock ? status.time?.text : nil
        battery = status.battery
        network = status.network
        bluetooth = status.bluetooth
        brightness = status.brightness
        isAeroplane = status.isAeroplane
        powerProfile = status.profiles
        flashLight = status.flashLight
        isRecording = status.isRecording
        ends = status.ends
        hanging = [
            (StatusServices.battery, "battery"), (.network, "network"), (.bluetooth, "bluetooth"), (.profiles, "profiles"),
            (.login, "login"),
        ].filter { status.hanging.contains($0.0) }.map(\.1)
    }

    /// Filters the report for a locked session: removes the names of networks and devices.
    init(told system: System) {
        self.init(system.status)
        if system.hasTurnSensor { locksRotation = system.preferences.locksRotation }
        isNightLight = system.isNightLight
        isLocated = system.locating.isInUse
        if system.keptStates.isSeen { kept = system.keptStates.items }
        if system.wireless.isSeen { networks = system.wireless.networks.map(NetworkReport.init) }
        if system.pairing.isSeen { devices = system.pairing.devices }
        drives = system.drives.volumes.map { volume in
            DriveReport(
                id: volume.id, name: volume.name, bytes: volume.bytes, folder: volume.mountPoint,
                isBusy: system.drives.job(of: volume) != nil)
        }
        guard system.isLocked, WhileLocked.rule(for: .getStatus) == .withoutNames else { return }
        drives = []
        network?.name = ""
        bluetooth = bluetooth.map { Bluetooth(isOn: $0.isOn) }
    }
}
