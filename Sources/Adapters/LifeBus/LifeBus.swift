import LifeService
import Lifecycle
import MessageBus
import Modality

/// `org.mullion.Life1` on the session bus: the life of apps as they see it, for toolkits and scripts without Wayland
/// (docs/life-api.md). It translates, identifies programs and enforces limits; `LifeHost` decides.
///
/// Without a session bus it retries from time to time. It never blocks, and runs on one thread, callbacks included.
public final class LifeBus {
    /// Receives notes for troubleshooting.
    public var onNote: (String) -> Void = { _ in }
    /// Answers for the shell. Without it every call is refused.
    public weak var host: (any LifeHost)?
    /// Answers for the session manager. Without it there is none.
    public weak var sessionHost: (any SessionHost)?

    /// Called when the shell owns its names on the bus, or cannot get them.
    public var onServing: () -> Void = {}
    public private(set) var isServing = false
    public var isConnecting: Bool { link.isConnecting }

    /// Shows views. Without it every request for a view is refused.
    public weak var viewHost: (any ViewHost)?

    /// Shows files. Without it every request for that is refused.
    public weak var fileHost: (any FileHost)?

    /// Shows activity views. Without it every request for one is refused.
    public weak var shareHost: (any ShareHost)?

    /// Whether the bus accepted the connection.
    public var isConnected: Bool { link.isReady }

    package private(set) lazy var link = BusLink(self, kind: .takesFiles, firstPause: firstPause) { [environment] in
        BusAddress.session(environment)
    }
    var connection: BusConnection? { link.connection }
    private lazy var service = LifeBusService(self)
    private let environment: [String: String]
    private let firstPause: Int64

    /// Starts connecting.
    /// - Parameters:
    ///   - environment: locates the bus by DBUS_SESSION_BUS_ADDRESS or XDG_RUNTIME_DIR.
    ///   - firstPause: nanoseconds before the second attempt. Each further pause is twice as long.
    public init(environment: [String: String], firstPause: Int64 = 3_000_000_000) {
        self.environment = environment
        self.firstPause = firstPause
        link.connect()
    }

    // MARK: Messages to programs

    /// A person ended an inhibitor of a program.
    public func inhibitorEnded(_ id: InhibitorID) { service.sessions.remove(id) }

    /// Asks a program whether the session may end. It answers through `SessionHost.clientAnswered`.
    public func queryEnd(_ id: SessionClientID) { service.sessions.emit(id, "QueryEndSession", flags: 0) }
    public func endSession(_ id: SessionClientID, isForced: Bool) { service.sessions.emit(id, "EndSession", flags: isForced ? 1 : 0) }
    public func cancelEnd(_ id: SessionClientID) { service.sessions.emit(id, "CancelEndSession", flags: nil) }
    /// Reports how a view ended.
    public func viewAnswered(_ id: ModalID, _ answer: ModalAnswer) {
        if !service.portals.answered(id, answer) { service.views.answered(id, answer) }
    }
    /// These are the shortcuts of a session of the portal now.
    public func shortcutsBound(_ session: UInt32, _ shortcuts: [OfferedShortcut]) { service.portals.shortcuts.bound(session, shortcuts) }
    /// The keys of a shortcut are pressed, or released.
    public func shortcutPressed(_ session: UInt32, _ id: String, _ isDown: Bool) {
        service.portals.shortcuts.isPressed(session, id, isDown)
    }
    /// The look that apps follow.
    public func lookIs(_ look: PortalLook) {
        service.look.tell(look, on: link.isReady ? link.connection : nil)
        link.changed()
    }
    /// The screen is locked, or is no longer.
    public func screenLocked(_ isLocked: Bool) {
        service.screenSaver.screenLocked(isLocked)
        service.portals.inhibit.screenLocked()
    }
    /// A person stopped an app that portals allow to run in the background.
    public func forbidBackground(_ app: String) { service.permissions.forbid(app) }
    public func sessionEnds() {
        service.sessions.sessionEnds()
        service.portals.inhibit.sessionEnds(true)
    }
    /// The session does not end after all.
    public func sessionGoesOn() { service.portals.inhibit.sessionEnds(false) }

    func serves() {
        isServing = true
        onServing()
    }

    /// Leaves the bus permanently. Clients of the session manager are told to end; their inhibitors are not withdrawn.
    public func close() {
        service.sessions.stop()
        sessionHost = nil
        link.close()
    }

    /// Updates what the event loop has to wait for after something was sent or is awaited.
    func reportChange() { link.changed() }

    /// - Parameter timeout: in milliseconds.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, timeout: UInt64 = 10_000,
        _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        link.call(destination, path, interface, member, timeout: timeout, arguments, done: done)
    }

    func callBus(
        _ member: String, _ arguments: (inout Outgoing) -> Void, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        link.callBus(member, arguments, done: done)
    }

    static let bus = BusLink.bus
}

extension LifeBus: LinkedBus {
    package func begins(_ bus: BusConnection) { service.export(on: bus) }
    package func joined() { service.start() }

    package func lost() {
        isServing = false
        service.forgetAll()
    }

    package func has(_ path: String, _ interface: String) -> Bool {
        switch interface {
        case LifeBusService.interface: path == LifeBusService.path
        case ViewService.name: path == ViewService.path
        case ScreenSaver.name: service.screenSaver.has(path)
        case LookPortal.interface: path == PortalService.path
        case let interface where PortalService.serves(interface): service.portals.has(path, interface)
        default: service.sessions.has(path, interface)
        }
    }
    package func method(_ call: Incoming) -> Int32 {
        call.interface == LookPortal.interface ? service.look.method(call) : service.method(call)
    }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        if interface == ScreenshotPortal.interface {
            value.uint32(ScreenshotPortal.version)
        } else if interface == GlobalShortcutPortal.interface {
            value.uint32(GlobalShortcutPortal.version)
        } else if interface.hasPrefix("org.mullion.") || interface == LookPortal.interface || interface == PortalService.session {
            value.uint32(1)
        } else {
            service.sessions.get(property, &value)
        }
    }

    package func signal(_ signal: Incoming) {
        guard !service.permissions.hears(signal) else { return }
        guard let (name, owner) = BusLink.ownerChange(signal), owner.isEmpty else { return }
        service.clientGone(name)
    }
}
