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

/// logind: how the machine can end its work, and which programs hold that up.
final class EndService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.login, name = "org.freedesktop.login1"

    static let path = "/org/freedesktop/login1", interface = "org.freedesktop.login1.Manager"

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] { ["path='\(Self.path)',interface='\(StatusBus.properties)',member='PropertiesChanged'"] }

    func concerns(_ signal: Incoming) -> Bool { signal.path == Self.path && changes(signal, [Self.interface: ["BlockInhibited"]]) }

    func read() {
        bus.call(self, Self.path, Self.interface, "ListInhibitors") { [unowned self] answer in
            bus.onBlockers(answer.blockers)
            ask([.turnOff, .restart, .suspend], [], challenged: [])
        }
    }

    private func ask(_ left: ArraySlice<MachineEnd>, _ found: [MachineEnd], challenged: [MachineEnd]) {
        guard let end = left.first else {
            schedule.succeed()
            return bus.onEnds(found, challenged)
        }
        // Where the machine cannot do one of them, logind may answer with an error. The others are possible all the same.
        bus.call(self, Self.path, Self.interface, "Can\(end.method)", takesErrors: true) { [unowned self] answer in
            let word = answer?.string(), isChallenged = ["challenge", "inhibited", "inhibitor-blocked"].contains(word)
            ask(left.dropFirst(), word == "yes" ? found + [end] : found, challenged: isChallenged ? challenged + [end] : challenged)
        }
    }

    func tellAbsent() {
        bus.onEnds([], [])
        bus.onBlockers([])
    }
}

extension Incoming {
    /// The inhibitors of logind that block: `a(ssssuu)`.
    fileprivate var blockers: [PowerBlocker] {
        var found: [PowerBlocker] = []
        _ = wholeArray(of: "(ssssuu)", limit: 256) { () -> Bool? in
            structure("ssssuu") { () -> Bool? in
                guard let what = string(), let who = string(), let why = string(), let mode = string(), uint32() != nil, uint32() != nil
                else { return nil }
                let kinds = what.split(separator: ":"), isForShutdown = kinds.contains("shutdown"), isForSleep = kinds.contains("sleep")
                if mode == "block", isForShutdown || isForSleep {
                    found.append(PowerBlocker(name: who, reason: why, isForShutdown: isForShutdown, isForSleep: isForSleep))
                }
                return true
            }
        }
        return found
    }
}

/// The interface of display managers for the sessions of a seat.
enum DisplayManager {
    static let name = "org.freedesktop.DisplayManager", interface = "org.freedesktop.DisplayManager.Seat"
}

/// PackageKit installs prepared updates with the next restart.
enum PreparedUpdates {
    static let name = "org.freedesktop.PackageKit", path = "/org/freedesktop/PackageKit", interface = "org.freedesktop.PackageKit.Offline"
}

extension MachineEnd {
    /// The method of logind.
    var method: String {
        switch self {
        case .turnOff: "PowerOff"
        case .restart, .update: "Reboot"
        case .suspend: "Suspend"
        }
    }
}
