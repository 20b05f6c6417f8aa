import Clocks
import MessageBus
import Status

/// The devices of BlueZ: the list while a person looks at it, and how one of them is paired, connected and forgotten.
final class DeviceList {
    private unowned let bus: StatusBus
    private var watch: BusWatch?
    private(set) var isOn = false
    private var reading = ListReading()
    /// The adapter that searches.
    private var adapter: String?

    private static let bluez = "org.bluez"
    private static let most = 2048

    init(_ bus: StatusBus) { self.bus = bus }

    func setOn(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        reading = ListReading()
        watch = nil
        if isOn { begin() } else { search(false) }
    }

    func begin() {
        guard isOn, let connection = bus.link.connection, bus.link.isReady else { return }
        if watch == nil { watch = connection.watch("type='signal',sender='\(Self.bluez)'") }
        reading.ask(at: Clocks.monotonicNanoseconds)
        bus.link.changed()
    }

    func lose(isBusGone: Bool) {
        reading = ListReading()
        adapter = nil
        if isBusGone { watch = nil }
        bus.onDevices(nil)
    }

    var due: Int64? { isOn ? reading.due : nil }

    func processed(at now: Int64) { if isOn, reading.begin(at: now) { read() } }

    func heard(_ signal: Incoming) {
        if isOn, signal.path == "/" || signal.path.hasPrefix("/org/bluez") { reading.ask(at: Clocks.monotonicNanoseconds) }
    }

    private func read() {
        let shown: Set = [BluetoothService.adapter, BluetoothService.device, BluetoothService.battery]
        call("/", BluetoothService.objects, "GetManagedObjects") { [unowned self] answer in
            reading.end()
            guard isOn else { return }
            guard case .success(let message) = answer else { return bus.onDevices(nil) }
            var devices: [NearDevice] = [], adapters: [String] = []
            message.objects(shown, most: Self.most) { path, tables in
                if let adapter = tables[BluetoothService.adapter], adapter["Powered"]?.flag ?? false { adapters.append(path) }
                guard let device = tables[BluetoothService.device] else { return }
                let isPaired = device["Paired"]?.flag ?? false
                devices.append(
                    NearDevice(
                        // A device without a name has its address as its alias.
                        path: path, name: (isPaired || device["Name"] != nil ? device["Alias"]?.text ?? device["Name"]?.text : nil) ?? "",
                        icon: device["Icon"]?.text ?? "", isPaired: isPaired, isConnected: device["Connected"]?.flag ?? false,
                        battery: tables[BluetoothService.battery]?["Percentage"]?.integer.map { Int(clamping: $0) }))
            }
            bus.onDevices(devices)
            let first = adapters.min()
            if first != adapter {
                adapter = first
                search(true)
            }
            bus.link.changed()
        }
    }

    /// Searches, and lets other devices find this one, as long as a person looks at the list.
    private func search(_ isOn: Bool) {
        guard let adapter else { return }
        call(adapter, BluetoothService.adapter, isOn ? "StartDiscovery" : "StopDiscovery") { _ in }
        call(
            adapter, StatusBus.properties, "Set",
            {
                $0.string(BluetoothService.adapter)
                $0.string("Discoverable")
                $0.container(.variant, "b") { $0.bool(isOn) }
            }
        ) { _ in }
        if !isOn { self.adapter = nil }
        bus.link.changed()
    }

    func pair(_ path: String) { step(path, "Pair", patience: 75) }
    func connect(_ path: String) { step(path, "Connect", patience: 40) }
    func disconnect(_ path: String) { step(path, "Disconnect", patience: 20) }

    private func step(_ path: String, _ member: String, patience: UInt64) {
        guard bus.link.isReady else { return bus.onDeviceDone(path, "there is no system bus") }
        call(path, BluetoothService.device, member, patience: patience) { [unowned self] answer in
            switch answer {
            case .success: bus.onDeviceDone(path, nil)
            case .failure(let error):
                let words = error.text.isEmpty ? error.name : error.text
                bus.onDeviceDone(path, error.name == "org.bluez.Error.AlreadyExists" && member == "Pair" ? nil : words)
            }
        }
        bus.link.changed()
    }

    func trust(_ path: String) {
        call(
            path, StatusBus.properties, "Set",
            {
                $0.string(BluetoothService.device)
                $0.string("Trusted")
                $0.container(.variant, "b") { $0.bool(true) }
            }
        ) { _ in }
        bus.link.changed()
    }

    func forget(_ path: String) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        call(String(path[..<slash]), BluetoothService.adapter, "RemoveDevice", { $0.path(path) }) { [unowned self] answer in
            if case .failure(let error) = answer { bus.onRefusal(.bluetooth, error.text.isEmpty ? error.name : error.text) }
        }
        bus.link.changed()
    }

    func cancel(_ path: String) {
        call(path, BluetoothService.device, "CancelPairing") { _ in }
        bus.link.changed()
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, patience: UInt64 = 5, _ arguments: (inout Outgoing) -> Void = { _ in },
        done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        bus.link.call(Self.bluez, path, interface, member, timeout: patience * 1000, starts: false, arguments, done: done)
    }
}
