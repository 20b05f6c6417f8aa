import MessageBus
import Status

/// power-profiles-daemon: the balance of speed and battery.
final class ProfileService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.profiles, name = "net.hadess.PowerProfiles"

    static let path = "/net/hadess/PowerProfiles", interface = "net.hadess.PowerProfiles"

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] { ["path='\(Self.path)',interface='\(StatusBus.properties)',member='PropertiesChanged'"] }

    func concerns(_ signal: Incoming) -> Bool {
        signal.path == Self.path && changes(signal, [Self.interface: ["ActiveProfile", "Profiles"]])
    }

    func read() {
        bus.call(self, Self.path, StatusBus.properties, "GetAll", { $0.string(Self.interface) }) { [unowned self] answer in
            schedule.succeed()
            var active = "", all: [String] = []
            _ = answer.wholeArray(of: "{sv}", limit: 64) { () -> Bool? in
                answer.entry("sv") { () -> Bool? in
                    guard let key = answer.string() else { return nil }
                    if key == "Profiles" {
                        all =
                            answer.whole(.variant, "aa{sv}") { answer.wholeArray(of: "a{sv}", limit: 16) { answer.table() } }?
                            .compactMap { $0["Profile"]?.text } ?? []
                        return true
                    }
                    guard let value = answer.value() else { return nil }
                    if key == "ActiveProfile" { active = value.text ?? "" }
                    return true
                }
            }
            bus.onProfiles(PowerProfiles(active: active, all: all))
        }
    }

    func tellAbsent() { bus.onProfiles(nil) }
}

/// logind: how the machine can end its work. What needs an administrator's password is not offered.
final class EndService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.login, name = "org.freedesktop.login1"

    static let path = "/org/freedesktop/login1", interface = "org.freedesktop.login1.Manager"

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] { [] }

    func concerns(_ signal: Incoming) -> Bool { false }

    func read() { ask(MachineEnd.allCases[...], []) }

    private func ask(_ left: ArraySlice<MachineEnd>, _ found: [MachineEnd]) {
        guard let end = left.first else {
            schedule.succeed()
            return bus.onEnds(found)
        }
        bus.call(self, Self.path, Self.interface, "Can\(end.method)") { [unowned self] answer in
            ask(left.dropFirst(), answer.string() == "yes" ? found + [end] : found)
        }
    }

    func tellAbsent() { bus.onEnds([]) }
}

extension MachineEnd {
    /// The method of logind.
    var method: String {
        switch self {
        case .turnOff: "PowerOff"
        case .restart: "Reboot"
        case .suspend: "Suspend"
        }
    }
}
