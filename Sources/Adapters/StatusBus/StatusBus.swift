import Clocks
import MessageBus
import Status

/// The services of the system bus that tell of the device: UPower, NetworkManager, BlueZ, logind, power profiles, UDisks and GeoClue. It
/// waits for none of them. A service that is not there, or goes, has no facts. One that does not answer in time hangs, and the bus asks it again later.
package final class StatusBus: LinkedBus {
    package var onBattery: (BatteryFacts?) -> Void = { _ in }
    package var onNetwork: (NetworkFacts?) -> Void = { _ in }
    package var onBluetooth: (Bluetooth?) -> Void = { _ in }
    package var onProfiles: (PowerProfiles?) -> Void = { _ in }
    /// How the machine can end its work, and how it could by an administrator's word.
    package var onEnds: ([MachineEnd], [MachineEnd]) -> Void = { _, _ in }
    /// The programs that keep the machine from ending its work.
    package var onBlockers: ([PowerBlocker]) -> Void = { _ in }
    /// The wireless networks, while they are watched.
    package var onNetworks: (WirelessFacts?) -> Void = { _ in }
    /// An attempt to join a network ended, by its number.
    package var onJoined: (UInt64, Wireless.End) -> Void = { _, _ in }
    /// NetworkManager asks for a password: its number, the network, whether the last one was wrong, and whether a person may be asked.
    package var onSecretAsked: (UInt64, [UInt8], WirelessSecurity, Bool, Bool) -> Void = { _, _, _, _, _ in }
    package var onSecretWithdrawn: (UInt64) -> Void = { _ in }
    /// The devices of Bluetooth, while they are watched.
    package var onDevices: ([NearDevice]?) -> Void = { _ in }
    /// A step with a device is done, or failed for this reason.
    package var onDeviceDone: (String, String?) -> Void = { _, _ in }
    /// BlueZ asks: its number, the device and its name, what it asks, and whether the device is paired.
    package var onPairingAsked: (UInt64, String, String, Pairing.Asks, Bool) -> Void = { _, _, _, _, _ in }
    package var onPairingWithdrawn: (UInt64) -> Void = { _ in }
    /// The filesystems on drives; nil: there is no such service.
    package var onVolumes: ([VolumeFacts]?) -> Void = { _ in }
    /// UDisks answers to a step, by its number.
    package var onDriveStep: (UInt64, Drives.Answer) -> Void = { _, _ in }
    /// Whether a program uses the location; nil: there is no such service.
    package var onLocation: (Bool?) -> Void = { _ in }
    /// GeoClue asks whether an app may know the location: its number, and the app's id.
    package var onLocationAsked: (UInt64, String) -> Void = { _, _ in }
    package var onLocationWithdrawn: (UInt64) -> Void = { _ in }
    package var onHang: (StatusServices) -> Void = { _ in }
    /// A service did not set what it should, for this reason.
    package var onRefusal: (StatusServices, String) -> Void = { _, _ in }
    /// There is no system bus, or a service says something else than its protocol.
    package var onNote: (String) -> Void = { _ in }

    private let address: String
    package private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    private lazy var network = NetworkService(self)
    private lazy var bluetooth = BluetoothService(self)
    private lazy var profiles = ProfileService(self)
    private lazy var end = EndService(self)
    private lazy var drives = DriveService(self)
    private lazy var location = LocationService(self)
    private lazy var services: [any StatusService] = [PowerService(self), network, bluetooth, profiles, end, drives, location]
    private lazy var networks = NetworkList(self)
    private lazy var devices = DeviceList(self)
    private lazy var secrets = SecretAgent(self)
    private lazy var codes = PairingAgent(self)
    private lazy var places = LocationAgent(self)
    /// The seat of the display manager.
    private var seat: String?
    private var onSeat: (Bool) -> Void = { _ in }
    /// The connections that own the names of services.
    private var owners: [String: String] = [:]

    package init(address: String) { self.address = address }

    /// A minute has passed: what changes all the time is read again.
    package func minutePassed() {
        guard link.isReady else { return }
        for service in services { service.minutePassed() }
        link.changed()
    }

    package func close() { link.close() }

    // `onRefusal` hears of a service that refuses, or does not answer.

    package func watchNetworks(_ isOn: Bool) { networks.setOn(isOn) }
    package func watchDevices(_ isOn: Bool) { devices.setOn(isOn) }
    package func join(_ number: UInt64, _ join: WirelessJoin) { networks.join(number, join) }
    package func keepNetwork(_ number: UInt64) { networks.keep(number) }
    package func forgetNetworks(_ profiles: [String]) { networks.forget(profiles) }
    package func leaveNetwork() { networks.leave() }
    package func answer(network request: UInt64, _ secret: Secret?) { secrets.answer(request, secret) }
    package func answer(location request: UInt64, _ isAllowed: Bool) { places.answer(request, isAllowed) }
    package func answer(device request: UInt64, _ answer: Pairing.Answer) { codes.answer(request, answer) }
    package func pair(_ path: String) { devices.pair(path) }
    package func trust(_ path: String) { devices.trust(path) }
    package func connect(_ path: String) { devices.connect(path) }
    package func disconnect(_ path: String) { devices.disconnect(path) }
    package func forget(_ path: String) { devices.forget(path) }
    package func cancel(_ path: String) { devices.cancel(path) }

    package func take(_ number: UInt64, _ step: Drives.Step) { drives.take(number, step) }

    package func setCellular(_ isOn: Bool) {
        set("WwanEnabled", .flag(isOn), NetworkService.manager.path, NetworkService.manager.interface, at: network)
    }

    package func setProfile(_ name: String) {
        set("ActiveProfile", .text(name), ProfileService.path, ProfileService.interface, at: profiles)
    }

    /// Ends the work of the machine. `anyway`: whatever programs hold it up, with a question for an administrator's password if need be.
    package func end(_ how: MachineEnd, anyway: Bool) {
        guard link.isReady else { return onRefusal(.login, "there is no system bus") }
        defer { link.changed() }
        let trouble = { [unowned self] (error: BusError) in onRefusal(.login, error.text.isEmpty ? error.name : error.text) }
        // A person may have to write a password.
        let patience: UInt64 = anyway ? 300_000 : UInt64(Status.patience * 1000)
        let end = { [unowned self] in
            link.call(
                self.end.name, EndService.path, EndService.interface, how.method, timeout: patience, starts: false, { $0.bool(anyway) }
            ) { if case .failure(let error) = $0 { trouble(error) } }
            link.changed()
        }
        guard how == .update else { return end() }
        link.call(
            PreparedUpdates.name, PreparedUpdates.path, PreparedUpdates.interface, "Trigger", timeout: 25_000, starts: true,
            { $0.string("reboot") }
        ) { if case .failure(let error) = $0 { trouble(error) } else { end() } }
    }

    /// Whether the display manager can show its greeter beside this session. `seat`: its object, as it named it to the session.
    package func findGreeter(_ seat: String, then: @escaping (Bool) -> Void) {
        (self.seat, onSeat) = (seat, then)
        readSeat()
    }

    private func readSeat() {
        guard link.isReady, let seat else { return }
        link.call(
            DisplayManager.name, seat, Self.properties, "Get", timeout: UInt64(Status.patience * 1000), starts: false,
            {
                $0.string(DisplayManager.interface)
                $0.string("CanSwitch")
            }
        ) { [unowned self] in
            if case .success(let answer) = $0, case .flag(let isPossible)? = answer.value() { onSeat(isPossible) }
        }
        link.changed()
    }

    package func showGreeter() {
        guard link.isReady, let seat else { return onRefusal(.login, "there is no display manager") }
        link.call(
            DisplayManager.name, seat, DisplayManager.interface, "SwitchToGreeter", timeout: 25_000, starts: false, { _ in }
        ) { [unowned self] in if case .failure(let error) = $0 { onRefusal(.login, error.text.isEmpty ? error.name : error.text) } }
        link.changed()
    }

    package func setWireless(_ isOn: Bool) {
        set("WirelessEnabled", .flag(isOn), NetworkService.manager.path, NetworkService.manager.interface, at: network)
    }

    package func setBluetooth(_ isOn: Bool) {
        for path in bluetooth.adapters { set("Powered", .flag(isOn), path, BluetoothService.adapter, at: bluetooth) }
    }

    private func set(_ property: String, _ value: BusValue, _ path: String, _ interface: String, at service: any StatusService) {
        link.call(
            service.name, path, Self.properties, "Set", timeout: UInt64(Status.patience * 1000), starts: false,
            {
                $0.string(interface)
                $0.string(property)
                $0.variant(value)
            }
        ) { [unowned self] answer in
            if case .failure(let error) = answer { onRefusal(service.kind, error.text.isEmpty ? error.name : error.text) }
            service.schedule.ask(at: 0)
        }
        link.changed()
    }

    /// Sets the light of a screen by the login manager, which lets the foreground session do that. `done`: it is set, or refused for a
    /// reason.
    package func setBacklight(_ name: String, of kind: String = "backlight", to value: UInt32, done: @escaping (String?) -> Void) {
        guard link.isReady else { return done("there is no system bus") }
        link.call(
            "org.freedesktop.login1", "/org/freedesktop/login1/session/auto", "org.freedesktop.login1.Session", "SetBrightness",
            timeout: UInt64(Status.patience * 1000), starts: false,
            {
                $0.string(kind)
                $0.string(name)
                $0.uint32(value)
            }
        ) { answer in
            if case .failure(let error) = answer { done(error.text.isEmpty ? error.name : error.text) } else { done(nil) }
        }
        link.changed()
    }

    // MARK: BusUser

    package func has(_ path: String, _ interface: String) -> Bool {
        path == SecretAgent.path && interface == SecretAgent.interface || path == PairingAgent.path && interface == PairingAgent.interface
            || path == LocationAgent.path && interface == LocationAgent.interface
    }

    package func begins(_ bus: BusConnection) {
        secrets.export(on: bus)
        codes.export(on: bus)
        places.export(on: bus)
    }

    /// Only the services themselves ask: a password goes to no other program.
    package func method(_ call: Incoming) -> Int32 {
        let asker: String, answer: (Incoming) -> Int32
        switch call.path {
        case SecretAgent.path: (asker, answer) = (network.name, secrets.method)
        case LocationAgent.path: (asker, answer) = (location.name, places.method)
        default: (asker, answer) = (bluetooth.name, codes.method)
        }
        guard owners[asker] == call.sender else { return call.refuse("AccessDenied", "only \(asker) may ask") }
        return answer(call)
    }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        // Of the agent for the location: as exactly as GeoClue knows it.
        if property == "MaxAccuracyLevel" { value.uint32(LocationAgent.exact) }
    }

    /// A service is there: it gets the agent of this shell, and the list in sight is read.
    private func came(_ name: String, _ owner: String) {
        owners[name] = owner
        if name == network.name {
            secrets.register()
            networks.begin()
        } else if name == bluetooth.name {
            codes.register()
            devices.begin()
        } else if name == location.name {
            places.register()
        }
    }

    private func went(_ name: String, isBusGone: Bool = false) {
        owners[name] = nil
        if name == network.name {
            secrets.lose()
            networks.lose(isBusGone: isBusGone)
        } else if name == bluetooth.name {
            codes.lose()
            devices.lose(isBusGone: isBusGone)
        } else if name == location.name {
            places.lose()
        }
    }

    package func joined() {
        for service in services {
            link.watchOwner(of: service.name)
            for rule in service.rules { link.connection?.match("type='signal',sender='\(service.name)',\(rule)") }
            service.schedule.ask(at: 0)
        }
        readSeat()
        for name in [network.name, bluetooth.name, location.name] {
            link.callBus("GetNameOwner", { $0.string(name) }) { [unowned self] answer in
                if case .success(let message) = answer, let owner = message.string() { came(name, owner) }
            }
        }
    }

    package func lost() {
        for service in services {
            service.forget()
            went(service.name, isBusGone: true)
        }
    }

    package func gaveUp() { onNote("there is no system bus") }

    package var due: Int64? { (services.map(\.schedule.due) + [networks.due, devices.due, secrets.due]).compactMap(\.self).min() }

    package func processed() {
        let now = Clocks.monotonicNanoseconds
        guard link.isReady else { return }
        for service in services where service.schedule.begin(at: now) { service.read() }
        networks.processed(at: now)
        devices.processed(at: now)
        secrets.processed(at: now)
    }

    package func signal(_ signal: Incoming) {
        if let (name, owner) = BusLink.ownerChange(signal) {
            guard let service = services.first(where: { $0.name == name }) else { return }
            service.forget()
            went(name)
            if owner.isEmpty {
                service.tellAbsent()
                // One that was killed comes back by a call alone.
                if service.starts { service.schedule.ask(at: Clocks.monotonicNanoseconds + StatusBus.restart) }
            } else {
                came(name, owner)
                service.schedule.ask(at: 0)
            }
            return
        }
        networks.heard(signal)
        signal.rewind()
        devices.heard(signal)
        // The bus delivers a signal only from the owner of a name, because of the rules above.
        for service in services where service.concerns(signal) { service.schedule.ask(at: Clocks.monotonicNanoseconds) }
    }

    // MARK: Calls

    static let properties = "org.freedesktop.DBus.Properties"

    /// Reads all properties of an interface of an object. `done` is not called for an answer that no longer counts.
    func getAll(_ service: any StatusService, _ path: String, _ interface: String, done: @escaping ([String: BusValue]) -> Void) {
        call(service, path, Self.properties, "GetAll", { $0.string(interface) }) { done($0.table(.init(text: 4096, entries: 256)) ?? [:]) }
    }

    func call(
        _ service: any StatusService, _ path: String, _ interface: String, _ member: String,
        _ arguments: (inout Outgoing) -> Void = { _ in },
        done: @escaping (Incoming) -> Void
    ) {
        call(service, path, interface, member, arguments, takesErrors: false) { if let answer = $0 { done(answer) } }
    }

    /// `takesErrors`: an error of a service that answers is nil for `done`, and no failure of the service.
    func call(
        _ service: any StatusService, _ path: String, _ interface: String, _ member: String,
        _ arguments: (inout Outgoing) -> Void = { _ in }, takesErrors: Bool,
        done: @escaping (Incoming?) -> Void
    ) {
        let turn = service.schedule.turn
        link.call(service.name, path, interface, member, timeout: service.patience, starts: service.starts, arguments) {
            [unowned self, unowned service] answer in
            guard service.schedule.turn == turn else { return }
            switch answer {
            case .success(let message): done(message)
            case .failure(let error) where takesErrors && !error.isSilence: done(nil)
            case .failure(let error): failed(service, error)
            }
        }
        link.changed()
    }

    private func failed(_ service: any StatusService, _ error: BusError) {
        service.schedule.end()
        switch error.name {
        case _ where error.isSilence:
            service.schedule.ask(at: Clocks.monotonicNanoseconds + StatusBus.pause)
            onHang(service.kind)
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner": service.tellAbsent()
        // The object of the call may have gone meanwhile, such as a connection.
        case _ where service.schedule.fails(): service.schedule.ask(at: Clocks.monotonicNanoseconds)
        default:
            service.schedule.ask(at: Clocks.monotonicNanoseconds + StatusBus.pause)
            onNote("\(service.name): \(error.text.isEmpty ? error.name : error.text)")
            service.tellAbsent()
        }
    }

    /// Nanoseconds until a service that hangs is asked again.
    private static let pause: Int64 = 30_000_000_000
    /// Nanoseconds until a service that ended is started again. One that is being restarted anyway needs less.
    private static let restart: Int64 = 3_000_000_000
}

/// A service of the machine, and how it is read.
protocol StatusService: AnyObject {
    var kind: StatusServices { get }
    var name: String { get }
    /// The rules for its signals, without the sender.
    var rules: [String] { get }
    /// Whether the bus starts it.
    var starts: Bool { get }
    var schedule: StatusSchedule { get set }
    /// Whether a signal tells of something that is shown.
    func concerns(_ signal: Incoming) -> Bool
    /// Asks for the facts, and ends the schedule's turn when they are there.
    func read()
    func minutePassed()
    func tellAbsent()
}

extension StatusService {
    var starts: Bool { false }

    func minutePassed() {}

    func forget() { schedule = StatusSchedule(turn: schedule.turn + 1) }

    /// Milliseconds for an answer. A service that the bus starts first needs longer.
    var patience: UInt64 { starts && schedule.isFirst ? 25_000 : UInt64(Status.patience * 1000) }

    /// Whether properties changed that are shown.
    func changes(_ signal: Incoming, _ shown: [String: Set<String>]) -> Bool {
        guard signal.member == "PropertiesChanged", let interface = signal.string(), let names = shown[interface] else { return false }
        let changed = signal.table(.init(text: 4096, entries: 256)).map { Set($0.keys) } ?? []
        let invalid = signal.array(of: "s", limit: 256) { signal.string() } ?? []
        return !names.isDisjoint(with: changed.union(invalid))
    }
}

/// When a service is read: one turn at a time, and at most once a second, however often it says that something changed.
struct StatusSchedule {
    /// Answers of an earlier turn do not count.
    private(set) var turn: UInt64
    private(set) var isFirst = true
    private var isReading = false
    private var wanted: Int64?
    private var last: Int64?
    private var hasFailed = false

    private static let pause: Int64 = 1_000_000_000

    init(turn: UInt64 = 0) { self.turn = turn }

    mutating func ask(at moment: Int64) { wanted = min(wanted ?? .max, max(moment, last.map { $0 + Self.pause } ?? moment)) }

    var due: Int64? { isReading ? nil : wanted }

    /// Whether to read now.
    mutating func begin(at now: Int64) -> Bool {
        guard !isReading, let wanted, wanted <= now else { return false }
        self.wanted = nil
        isReading = true
        last = now
        turn += 1
        return true
    }

    /// An answer was no use. Returns whether that is the first time in a row.
    mutating func fails() -> Bool {
        defer { hasFailed = true }
        return !hasFailed
    }

    /// Everything is read.
    mutating func succeed() {
        end()
        hasFailed = false
    }

    mutating func end() {
        isReading = false
        isFirst = false
    }
}
