import MessageBus
import Status

/// GeoClue: whether a program uses the location.
final class LocationService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.location, name = LocationAgent.service

    private static let path = "/org/freedesktop/GeoClue2/Manager", interface = "org.freedesktop.GeoClue2.Manager"
    static let manager = (path: path, interface: interface)

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] { ["path='\(Self.path)',interface='\(StatusBus.properties)',member='PropertiesChanged'"] }

    func concerns(_ signal: Incoming) -> Bool { signal.path == Self.path && changes(signal, [Self.interface: ["InUse"]]) }

    func read() {
        bus.getAll(self, Self.path, Self.interface) { [unowned self] table in
            schedule.succeed()
            bus.onLocation(table["InUse"]?.flag ?? false)
        }
    }

    func tellAbsent() { bus.onLocation(nil) }
}

/// GeoClue's agent: it asks whether an app in a sandbox may know the location, and a person answers. GeoClue takes only agents that its
/// configuration names (docs/limits.md).
final class LocationAgent {
    private unowned let bus: StatusBus
    private var held: [UInt64: (call: HeldCall, accuracy: UInt32)] = [:]
    private var lastNumber: UInt64 = 0

    static let service = "org.freedesktop.GeoClue2"
    static let path = "/org/freedesktop/GeoClue2/Agent", interface = "org.freedesktop.GeoClue2.Agent"
    /// GeoClue's most exact level.
    static let exact: UInt32 = 8
    private static let most = 32

    init(_ bus: StatusBus) { self.bus = bus }

    func export(on connection: BusConnection) {
        connection.export(
            Self.interface, below: Self.path,
            // GeoClue runs as a user of its own. `StatusBus.method` looks at the sender.
            [.openMethod("AuthorizeApp", takes: "su", gives: "bu"), .property("MaxAccuracyLevel", "u")])
    }

    /// Registers as the agent of the person, each time that GeoClue comes.
    func register() {
        let manager = LocationService.manager
        bus.link.call(Self.service, manager.path, manager.interface, "AddAgent", timeout: 5000, starts: false, { $0.string("mullion") }) {
            [unowned self] answer in
            if case .failure(let error) = answer { bus.onNote("GeoClue takes no agent for the location: \(error.text)") }
        }
        bus.link.changed()
    }

    func lose() {
        for number in held.keys.sorted() { bus.onLocationWithdrawn(number) }
        held = [:]
    }

    func method(_ call: Incoming) -> Int32 {
        guard let app = call.string(), let accuracy = call.uint32() else { return call.refuse("InvalidArgs", "an app is expected") }
        guard held.count < Self.most else { return reply(call, false, accuracy) }
        lastNumber += 1
        held[lastNumber] = (call.keep(), accuracy)
        bus.onLocationAsked(lastNumber, app)
        return 1
    }

    func answer(_ number: UInt64, _ isAllowed: Bool) {
        guard let (call, accuracy) = held.removeValue(forKey: number) else { return }
        _ = reply(call.call, isAllowed, accuracy)
        bus.link.changed()
    }

    private func reply(_ call: Incoming, _ isAllowed: Bool, _ accuracy: UInt32) -> Int32 {
        call.reply {
            $0.bool(isAllowed)
            $0.uint32(isAllowed ? accuracy : 0)
        }
    }
}
