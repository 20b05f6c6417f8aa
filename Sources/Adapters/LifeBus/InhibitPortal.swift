import Callers
import LifeService
import Lifecycle
import MessageBus

/// The backend of the Inhibit portal (`org.freedesktop.impl.portal.Inhibit`): an app keeps the session, the device or the screen from
/// ending, sleeping or going dark. The session manager has the inhibitors, so a person sees them and ends them where they do others (S-06).
///
/// Monitors tell whether the screen is locked and whether the session ends. The shell asks the windows of an app to close before that, and
/// so asks no monitor.
final class InhibitPortal {
    static let interface = "org.freedesktop.impl.portal.Inhibit"

    /// The states of the session, in the numbers of the portal.
    private enum Phase {
        static let running: UInt32 = 1, ending: UInt32 = 3
    }

    private struct Monitor {
        let sender: String
        let payer: Owner
    }

    private unowned let service: LifeBusService
    private unowned let portals: PortalService
    /// By the path of their session.
    private var monitors: [String: Monitor] = [:]
    private var isEnding = false

    init(_ service: LifeBusService, _ portals: PortalService) {
        self.service = service
        self.portals = portals
    }

    func export(on bus: BusConnection) {
        bus.export(
            Self.interface, below: PortalService.path,
            [
                .method("Inhibit", takes: "ossua{sv}"), .method("CreateMonitor", takes: "ooss", gives: "u"),
                .method("QueryEndResponse", takes: "o"), .signal("StateChanged", "oa{sv}"),
            ])
    }

    func has(session: String) -> Bool { monitors[session] != nil }

    func handle(
        _ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller, _ host: any PortalHost
    ) throws(LifeError) -> Int32 {
        switch call.member {
        case "Inhibit": return try inhibit(call, client, caller, host)
        case "CreateMonitor": return try monitor(call, caller)
        // No monitor is asked, so there is nothing to answer.
        case "QueryEndResponse": return call.reply { _ in }
        default: return -95
        }
    }

    private func inhibit(
        _ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller, _ host: any PortalHost
    ) throws(LifeError) -> Int32 {
        let request = try portals.begin(call, caller)
        guard let raw = call.uint32(), let options = call.table() else { throw LifeError(.badParameter, "flags and options are expected") }
        let kinds = Inhibitor.Kinds(rawValue: raw)
        let known: Inhibitor.Kinds = [.logOut, .switchUser, .suspend, .idle]
        guard !kinds.isEmpty, kinds.isSubset(of: known) else {
            throw LifeError(.badParameter, "the flags are \(raw), and go from 1 to \(known.rawValue)")
        }
        // The portal cannot name every app, but the window that it names may have one.
        let app = request.app.isEmpty ? host.app(ofWindow: request.window) : request.app
        guard app.utf8.count <= SessionLimits.app else { throw LifeError(.badParameter, "the app's id is too long") }
        let reason = PortalService.limited(options["reason"]?.text ?? "", SessionLimits.reason)
        let id = try service.sessions.hold(kinds, app: app, reason: reason, client, caller)
        portals.hold(request, counts: false) { [unowned service] in service.sessions.release(id) }
        return call.reply { _ in }
    }

    // MARK: Monitors

    private func monitor(_ call: Incoming, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard call.objectPath() != nil, let session = call.objectPath(), let app = call.string() else {
            throw LifeError(.badParameter, "a handle, a session and an app are expected")
        }
        guard !portals.hasSession(session) else { throw LifeError(.nameInUse, "there is a session \(session) already") }
        let payer = try portals.takeSession(of: app, caller)
        monitors[session] = Monitor(sender: call.sender, payer: payer)
        let status = call.reply { $0.uint32(PortalService.Answer.yes) }
        tell(session)
        return status
    }

    func close(session: String) {
        if let one = monitors.removeValue(forKey: session) { service.holdings.giveBack(.portalSessions, for: one.payer) }
    }

    func ownerGone(_ owner: String) {
        for (session, one) in monitors where one.sender == owner { close(session: session) }
    }

    /// The screen is locked, or is no longer.
    func screenLocked() { tellAll() }

    /// The session ends, or continues after all.
    func sessionEnds(_ isEnding: Bool) {
        guard isEnding != self.isEnding else { return }
        self.isEnding = isEnding
        tellAll()
    }

    private func tellAll() { for session in monitors.keys.sorted() { tell(session) } }

    private func tell(_ session: String) {
        let isLocked = service.screenSaver.isLocked, phase = isEnding ? Phase.ending : Phase.running
        service.bus.connection?.emit(PortalService.path, Self.interface, "StateChanged", to: monitors[session]?.sender) {
            $0.path(session)
            $0.container(.array, "{sv}") {
                $0.container(.entry, "sv") {
                    $0.string("screensaver-active")
                    $0.container(.variant, "b") { $0.bool(isLocked) }
                }
                $0.container(.entry, "sv") {
                    $0.string("session-state")
                    $0.container(.variant, "u") { $0.uint32(phase) }
                }
            }
        }
        service.bus.reportChange()
    }
}
