import Multitasking
import Status

/// Answer to `get status`: the time, the battery and the connections, as the shell shows them. What a service does not tell is missing.
public struct StatusReport: Codable, Hashable, Sendable {
    /// Missing while no view shows it.
    public var time: String?
    public var battery: Battery?
    public var network: Network?
    public var bluetooth: Bluetooth?
    /// The light of the screen, from 0 to 1.
    public var brightness: Double?
    /// The services that do not answer: "battery", "network", "bluetooth".
    public var hanging: [String]

    public init(_ status: Status) {
        time = status.hasClock ? status.time?.text : nil
        battery = status.battery
        network = status.network
        bluetooth = status.bluetooth
        brightness = status.brightness
        hanging = [(StatusServices.battery, "battery"), (.network, "network"), (.bluetooth, "bluetooth")]
            .filter { status.hanging.contains($0.0) }.map(\.1)
    }

    /// Filters the report for a locked session: removes the names of networks and devices.
    init(told system: System) {
        self.init(system.status)
        guard system.isLocked, WhileLocked.rule(for: .getStatus) == .withoutNames else { return }
        network?.name = ""
        bluetooth = bluetooth.map { Bluetooth(isOn: $0.isOn) }
    }
}
