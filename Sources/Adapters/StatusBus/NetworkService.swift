import MessageBus
import Status

/// NetworkManager: its primary connection, and the access point of that. The strength of the access point changes every six seconds, so it
/// is read once a minute instead of being followed.
final class NetworkService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.network, name = "org.freedesktop.NetworkManager"

    private static let path = "/org/freedesktop/NetworkManager", interface = "org.freedesktop.NetworkManager"
    static let manager = (path: path, interface: interface)
    private static let point = "org.freedesktop.NetworkManager.AccessPoint"
    private static let shown: Set = [
        "WirelessEnabled", "WwanEnabled", "RadioFlags", "PrimaryConnection", "PrimaryConnectionType", "Connectivity", "State",
    ]
    private var isWireless = false

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] { ["path='\(Self.path)',interface='\(StatusBus.properties)',member='PropertiesChanged'"] }

    func concerns(_ signal: Incoming) -> Bool { signal.path == Self.path && changes(signal, [Self.interface: Self.shown]) }

    func minutePassed() { if isWireless { schedule.ask(at: 0) } }

    func read() {
        bus.getAll(self, Self.path, Self.interface) { [unowned self] table in
            var facts = NetworkFacts(
                // Bit 0: the machine has a wireless device.
                hasWireless: (table["RadioFlags"]?.integer ?? 0) & 1 != 0, isWirelessOn: table["WirelessEnabled"]?.flag ?? false,
                hasCellular: (table["RadioFlags"]?.integer ?? 0) & 2 != 0, isCellularOn: table["WwanEnabled"]?.flag ?? false,
                state: table["State"]?.integer ?? 0, connectivity: table["Connectivity"]?.integer ?? 0,
                checkPage: table["ConnectivityCheckUri"]?.text ?? "",
                kind: table["PrimaryConnectionType"]?.text ?? "")
            isWireless = facts.kind == "802-11-wireless"
            guard isWireless, let connection = table["PrimaryConnection"]?.text, connection != "/" else { return tell(facts) }
            bus.getAll(self, connection, "org.freedesktop.NetworkManager.Connection.Active") { [unowned self] table in
                guard let point = table["SpecificObject"]?.text, point != "/" else { return tell(facts) }
                readPoint(point) { [unowned self] ssid, strength in
                    (facts.ssid, facts.strength) = (ssid, strength)
                    tell(facts)
                }
            }
        }
    }

    private func readPoint(_ path: String, done: @escaping ([UInt8], Int64?) -> Void) {
        func get(_ property: String, done: @escaping (Incoming) -> Void) {
            bus.call(
                self, path, StatusBus.properties, "Get",
                {
                    $0.string(Self.point)
                    $0.string(property)
                }, done: done)
        }
        get("Ssid") { answer in
            let ssid: [UInt8] = answer.whole(.variant, "ay") { answer.bytes().map { Array($0.prefix(32)) } } ?? []
            get("Strength") { done(ssid, $0.value()?.integer) }
        }
    }

    private func tell(_ facts: NetworkFacts) {
        schedule.succeed()
        bus.onNetwork(facts)
    }

    func tellAbsent() {
        isWireless = false
        bus.onNetwork(nil)
    }
}
