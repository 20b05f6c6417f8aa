import MessageBus
import Status

/// BlueZ: whether an adapter is on, and the devices that are connected.
final class BluetoothService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.bluetooth, name = "org.bluez"

    static let objects = "org.freedesktop.DBus.ObjectManager"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1", battery = "org.bluez.Battery1"
    /// A search changes the strength of every device in reach all the time, which is not shown.
    private static let shown: [String: Set<String>] = [
        adapter: ["Powered"], device: ["Connected", "Alias"], battery: ["Percentage"],
    ]
    /// No more objects than these are looked at.
    static let most = 4096
    /// The paths of the adapters.
    private(set) var adapters: [String] = []

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] {
        ["interface='\(Self.objects)'"]
            + Self.shown.keys.sorted().map { "interface='\(StatusBus.properties)',member='PropertiesChanged',arg0='\($0)'" }
    }

    func concerns(_ signal: Incoming) -> Bool {
        guard signal.path == "/" || signal.path.hasPrefix("/org/bluez") else { return false }
        if signal.interface == Self.objects { return signal.member == "InterfacesAdded" || signal.member == "InterfacesRemoved" }
        return changes(signal, Self.shown)
    }

    func read() {
        bus.call(self, "/", Self.objects, "GetManagedObjects") { [unowned self] answer in
            schedule.succeed()
            var found: [String] = [], isOn = false, connected: [Bluetooth.Device] = []
            answer.objects(Set(Self.shown.keys), most: Self.most) { path, tables in
                if let adapter = tables[Self.adapter] {
                    found.append(path)
                    if adapter["Powered"]?.flag ?? false { isOn = true }
                }
                if let device = tables[Self.device], device["Connected"]?.flag ?? false {
                    let battery = tables[Self.battery]?["Percentage"]?.integer
                    connected.append(.init(name: device["Alias"]?.text ?? "", battery: battery.map { Int(clamping: $0) }))
                }
            }
            adapters = found
            bus.onBluetooth(!found.isEmpty ? Bluetooth(isOn: isOn, connected: connected) : nil)
        }
    }

    func tellAbsent() {
        adapters = []
        bus.onBluetooth(nil)
    }
}
