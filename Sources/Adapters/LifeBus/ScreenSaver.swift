import Clocks
import LifeService
import MessageBus

/// `org.gnome.ScreenSaver`: whether the screen is locked, for programs that lock with it.
///
/// The GTK portal passes inhibitors of apps on to the session manager only if this name has an owner as well (S-06).
final class ScreenSaver {
    static let name = "org.gnome.ScreenSaver"
    static let path = "/org/gnome/ScreenSaver"

    private unowned let service: LifeBusService
    private(set) var isLocked = false
    /// When it was locked, in nanoseconds of the monotonic clock.
    private var since: Int64 = 0

    init(_ service: LifeBusService) { self.service = service }

    func export(on bus: BusConnection) {
        bus.export(
            Self.name, below: Self.path,
            [
                .method("GetActive", gives: "b"), .method("GetActiveTime", gives: "u"), .method("SetActive", takes: "b"), .method("Lock"),
                .method("SimulateUserActivity"), .signal("ActiveChanged", "b"), .signal("WakeUpScreen", ""),
            ])
    }

    /// Takes the bus name if no other program owns it.
    func start() {
        guard service.bus.sessionHost != nil else { return }
        service.bus.link.own(Self.name, note: service.bus.onNote)
    }

    func has(_ path: String) -> Bool { path == Self.path && service.bus.sessionHost != nil }

    func screenLocked(_ isLocked: Bool) {
        guard isLocked != self.isLocked else { return }
        self.isLocked = isLocked
        since = Clocks.monotonicNanoseconds
        service.bus.connection?.emit(Self.path, Self.name, "ActiveChanged") { $0.bool(isLocked) }
        service.bus.reportChange()
    }

    /// Nothing here unlocks, and input devices alone report activity.
    func handle(_ call: Incoming) -> Int32 {
        switch call.member {
        case "GetActive": call.reply { [isLocked] in $0.bool(isLocked) }
        case "GetActiveTime":
            call.reply { [isLocked, since] in
                $0.uint32(isLocked ? UInt32(clamping: (Clocks.monotonicNanoseconds - since) / 1_000_000_000) : 0)
            }
        case "SetActive" where call.bool() == false: call.reply { _ in }
        case "Lock", "SetActive": call.refuse("NotSupported", "ask the login manager: loginctl lock-session")
        case "SimulateUserActivity": call.reply { _ in }
        default: -95
        }
    }
}
