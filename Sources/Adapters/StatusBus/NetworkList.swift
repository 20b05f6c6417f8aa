import Clocks
import Glibc
import MessageBus
import Status

/// The wireless networks of NetworkManager: the list while a person looks at it, and how one of them is joined, kept and forgotten.
final class NetworkList {
    private unowned let bus: StatusBus
    /// Signals of all access points, profiles and connections, while the list is in sight.
    private var watch: BusWatch?
    private(set) var isOn = false
    private var reading = ListReading()
    private var nextSearch: Int64?
    /// The device, the access points and the connections, by path.
    private var device: String?
    private var points: [WirelessFacts.Point] = []
    /// Profiles that were read, by path; nil: it is none of a wireless network.
    private var profiles: [String: WirelessFacts.Profile?] = [:]
    private var active: [(path: String, fact: WirelessFacts.Active)] = []
    private var attempts: [UInt64: Attempt] = [:]

    private struct Attempt {
        var join: WirelessJoin
        var profile: String?
        var active: String?
        var watch: BusWatch?
    }

    private static let manager = "org.freedesktop.NetworkManager", path = "/org/freedesktop/NetworkManager"
    private static let wireless = manager + ".Device.Wireless", point = manager + ".AccessPoint"
    private static let connection = manager + ".Connection.Active", settings = manager + ".Settings.Connection"
    private static let own = "802-11-wireless", security = "802-11-wireless-security"
    /// An answer has no more objects than these, or the rest is left out.
    private static let most = 16384, mostProfiles = 256

    init(_ bus: StatusBus) { self.bus = bus }

    // MARK: The list

    func setOn(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        reading = ListReading()
        watch = nil
        nextSearch = nil
        guard isOn else { return points = [] }
        begin()
    }

    /// The bus is there, or NetworkManager came back.
    func begin() {
        guard isOn, let connection = bus.link.connection, bus.link.isReady else { return }
        if watch == nil { watch = connection.watch("type='signal',sender='\(Self.manager)',path_namespace='/org/freedesktop'") }
        reading.ask(at: Clocks.monotonicNanoseconds)
        nextSearch = Clocks.monotonicNanoseconds + 1_000_000_000
        bus.link.changed()
    }

    /// NetworkManager or the bus is gone.
    func lose(isBusGone: Bool) {
        for number in attempts.keys.sorted() { bus.onJoined(number, .failed) }
        attempts = [:]
        profiles = [:]
        (points, active, device) = ([], [], nil)
        reading = ListReading()
        nextSearch = nil
        if isBusGone { watch = nil }
        if isOn { bus.onNetworks(nil) }
    }

    var due: Int64? { isOn ? [reading.due, nextSearch].compactMap(\.self).min() : nil }

    func processed(at now: Int64) {
        guard isOn else { return }
        if let moment = nextSearch, moment <= now, let device {
            nextSearch = now + 15_000_000_000
            call(device, Self.wireless, "RequestScan", { $0.table([:]) }) { _ in }
        } else if let moment = nextSearch, moment <= now {
            nextSearch = now + 2_000_000_000
        }
        if reading.begin(at: now) { read() }
    }

    func heard(_ signal: Incoming) {
        guard signal.path.hasPrefix(Self.path) || signal.path == "/org/freedesktop" else { return }
        if signal.interface == Self.connection, signal.member == "StateChanged" { stateChanged(signal) }
        guard isOn else { return }
        if signal.interface == Self.settings, signal.member == "Updated" { profiles[signal.path] = nil }
        reading.ask(at: Clocks.monotonicNanoseconds)
    }

    private func read() {
        let shown: Set = [Self.wireless, Self.point, Self.connection, Self.settings]
        // Thousands of access points take NetworkManager a while to tell.
        call("/org/freedesktop", BluetoothService.objects, "GetManagedObjects", patience: 25) { [unowned self] answer in
            guard isOn else { return }
            guard case .success(let message) = answer else {
                reading.end()
                reading.ask(at: Clocks.monotonicNanoseconds + 5_000_000_000)
                return bus.onNetworks(nil)
            }
            var found: [String] = []
            (points, active, device) = ([], [], nil)
            message.objects(shown, most: Self.most) { path, tables in
                if tables[Self.wireless] != nil, device.map({ path < $0 }) ?? true { device = path }
                if let table = tables[Self.point] { points.append(.init(path: path, table)) }
                if let table = tables[Self.connection], table["Type"]?.text == Self.own {
                    active.append((path, .init(profile: table["Connection"]?.text ?? "", state: table["State"]?.integer ?? 0)))
                }
                if tables[Self.settings] != nil, found.count < Self.mostProfiles { found.append(path) }
            }
            readProfiles(found)
        }
    }

    /// Profiles change seldom: each is read once, and again when it was changed.
    private func readProfiles(_ paths: [String]) {
        let known = Set(paths)
        profiles = profiles.filter { known.contains($0.key) }
        let unknown = paths.filter { profiles[$0] == nil }
        guard !unknown.isEmpty else { return tell() }
        var left = unknown.count
        for path in unknown {
            call(path, Self.settings, "GetSettings") { [unowned self] answer in
                if case .success(let message) = answer {
                    profiles[path] = message.settings().map { WirelessFacts.Profile(path: path, ssid: $0.ssid, keyManagement: $0.keys) }
                }
                left -= 1
                if left == 0 { tell() }
            }
        }
    }

    private func tell() {
        reading.end()
        guard isOn else { return }
        bus.onNetworks(WirelessFacts(points: points, profiles: profiles.values.compactMap(\.self), active: active.map(\.fact)))
        bus.link.changed()
    }

    // MARK: Joining

    func join(_ number: UInt64, _ join: WirelessJoin) {
        guard bus.link.isReady else { return bus.onJoined(number, .failed) }
        attempts[number] = Attempt(join: join, profile: join.profile)
        let device = self.device ?? "/"
        if let profile = join.profile {
            call(Self.path, Self.manager, "ActivateConnection", patience: 30, { for path in [profile, device, "/"] { $0.path(path) } }) {
                [unowned self] in begun(number, $0) { $0.objectPath() }
            }
        } else {
            let id = WirelessNetwork.id(join.ssid, join.security)
            let matching = points.filter { WirelessNetwork.id($0.ssid, .init(flags: $0.flags, wpa: $0.wpa, rsn: $0.rsn)) == id }
            let near = matching.max { $0.strength < $1.strength }
            call(
                Self.path, Self.manager, "AddAndActivateConnection2", patience: 30,
                {
                    Self.write(join, near, in: &$0)
                    $0.path(device)
                    $0.path(near?.path ?? "/")
                    // It is kept once it has worked: a wrong password leaves nothing behind.
                    $0.table(["persist": .text("volatile")])
                }
            ) { [unowned self] in
                begun(number, $0) { [unowned self] answer in
                    attempts[number]?.profile = answer.objectPath()
                    return answer.objectPath()
                }
            }
        }
        bus.link.changed()
    }

    private static func write(_ join: WirelessJoin, _ near: WirelessFacts.Point?, in message: inout Outgoing) {
        var own: [String: BusValue] = ["ssid": .bytes(join.ssid)]
        if join.isHidden { own["hidden"] = .flag(true) }
        var connection: [String: BusValue] = ["id": .text(NetworkFacts.name(join.ssid))]
        // A profile for all people of the machine needs an administrator's password.
        if let user = getpwuid(getuid()) { connection["permissions"] = .texts(["user:\(String(cString: user.pointee.pw_name)):"]) }
        var sections: [(String, [String: BusValue])] = [(Self.own, own), ("connection", connection)]
        let keys = near.map { $0.wpa | $0.rsn } ?? 0
        switch join.security {
        case .personal:
            sections.append(
                (
                    Self.security,
                    [
                        "key-mgmt": .text(keys & 0x100 == 0 && keys & 0x400 != 0 ? "sae" : "wpa-psk"),
                        "psk": .text(join.password?.text ?? ""),
                    ]
                ))
        case .wep: sections.append((Self.security, ["key-mgmt": .text("none"), "wep-key0": .text(join.password?.text ?? "")]))
        case .open: if keys & 0x800 != 0 { sections.append((Self.security, ["key-mgmt": .text("owe")])) }
        case .enterprise: break
        }
        message.container(.array, "{sa{sv}}") { array in
            for (name, table) in sections {
                array.container(.entry, "sa{sv}") {
                    $0.string(name)
                    $0.table(table)
                }
            }
        }
    }

    private func begun(_ number: UInt64, _ answer: Result<Incoming, BusError>, _ path: (Incoming) -> String?) {
        guard attempts[number] != nil else { return }
        switch answer {
        case .failure(let error):
            attempts[number] = nil
            bus.onJoined(number, .refused(error.text.isEmpty ? error.name : error.text))
        case .success(let message):
            guard let active = path(message) else { return end(number, .failed) }
            attempts[number]!.active = active
            attempts[number]!.watch = bus.link.connection?.watch(
                "type='signal',sender='\(Self.manager)',path='\(active)',interface='\(Self.connection)',member='StateChanged'")
            // It may have been faster than the subscription.
            call(
                active, StatusBus.properties, "Get",
                {
                    $0.string(Self.connection)
                    $0.string("State")
                }
            ) { [unowned self] answer in
                switch answer {
                case .success(let message): changed(number, to: message.value()?.integer ?? 0, reason: 0)
                case .failure: end(number, .failed)
                }
            }
        }
        if isOn { reading.ask(at: Clocks.monotonicNanoseconds) }
    }

    private func stateChanged(_ signal: Incoming) {
        guard let number = attempts.first(where: { $0.value.active == signal.path })?.key, let state = signal.uint32(),
            let reason = signal.uint32()
        else { return }
        changed(number, to: Int64(state), reason: reason)
    }

    private func changed(_ number: UInt64, to state: Int64, reason: UInt32) {
        switch (state, reason) {
        case (2, _): end(number, .connected, isKept: true)
        // No secrets, or a failed login; a network that does not answer to a wrong password takes too long.
        case (4, 9), (4, 10), (4, 6): end(number, .noSecret)
        case (4, _): end(number, .failed)
        default: break
        }
    }

    /// `isKept`: the profile of the attempt is still asked for.
    private func end(_ number: UInt64, _ end: Wireless.End, isKept: Bool = false) {
        guard let attempt = attempts[number] else { return }
        attempts[number]?.watch = nil
        bus.onJoined(number, end)
        if attempt.join.profile != nil || !isKept { attempts[number] = nil }
    }

    func keep(_ number: UInt64) {
        guard let profile = attempts.removeValue(forKey: number)?.profile else { return }
        // Flag 1: to the disk. Empty settings: as they are.
        call(
            profile, Self.settings, "Update2",
            {
                $0.container(.array, "{sa{sv}}") { _ in }
                $0.uint32(1)
                $0.table([:])
            }
        ) { [unowned self] answer in
            if case .failure(let error) = answer { bus.onRefusal(.network, error.text.isEmpty ? error.name : error.text) }
        }
        bus.link.changed()
    }

    func forget(_ paths: [String]) {
        for path in paths {
            call(path, Self.settings, "Delete") { [unowned self] answer in
                if case .failure(let error) = answer { bus.onRefusal(.network, error.text.isEmpty ? error.name : error.text) }
                reading.ask(at: Clocks.monotonicNanoseconds)
            }
        }
        bus.link.changed()
    }

    func leave() {
        for one in active where one.fact.state == 1 || one.fact.state == 2 {
            call(Self.path, Self.manager, "DeactivateConnection", { $0.path(one.path) }) { [unowned self] answer in
                if case .failure(let error) = answer { bus.onRefusal(.network, error.text.isEmpty ? error.name : error.text) }
            }
        }
        bus.link.changed()
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, patience: Double = Status.patience,
        _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        bus.link.call(
            Self.manager, path, interface, member, timeout: UInt64(patience * 1000), starts: false, arguments, done: done)
    }
}

extension WirelessFacts.Point {
    fileprivate init(path: String, _ table: [String: BusValue]) {
        self.init(
            path: path, ssid: Array((table["Ssid"]?.bytes ?? []).prefix(32)), strength: table["Strength"]?.integer ?? 0,
            flags: table["Flags"]?.integer ?? 0, wpa: table["WpaFlags"]?.integer ?? 0, rsn: table["RsnFlags"]?.integer ?? 0)
    }
}

extension Incoming {
    /// The name and the key management of a wireless network's profile; nil: it is another profile.
    func settings() -> (ssid: [UInt8], keys: String)? {
        guard let tables = tables(["connection", "802-11-wireless", "802-11-wireless-security"]),
            let ssid = tables["802-11-wireless"]?["ssid"]?.bytes
        else { return nil }
        return (Array(ssid.prefix(32)), tables["802-11-wireless-security"]?["key-mgmt"]?.text ?? "")
    }
}

/// When a list is read: one reading at a time, and at most once a second, however often it says that it changed.
struct ListReading {
    private var isReading = false
    private var wanted: Int64?
    private var last: Int64?

    mutating func ask(at moment: Int64) { wanted = min(wanted ?? .max, max(moment, last.map { $0 + 1_000_000_000 } ?? moment)) }

    var due: Int64? { isReading ? nil : wanted }

    mutating func begin(at now: Int64) -> Bool {
        guard !isReading, let wanted, wanted <= now else { return false }
        (self.wanted, isReading, last) = (nil, true, now)
        return true
    }

    mutating func end() { isReading = false }
}
