import CWlroots
import Seat
import WaylandServer

/// Idleness: tells programs that the user is idle (ext-idle-notify-v1 and KDE's older protocol), and tracks
/// inhibitors (idle-inhibit-v1). wlroots 0.15 has only KDE's, and crashes if a timeout is used after its release.
///
/// An inhibitor counts while its surface is visible: it belongs to a window that the shell shows (the state that
/// taskbars get) or to a mapped layer surface. A card in the app switcher does not count.
final class Idle: ResourceOwner {
    fileprivate let context: Protocols.Context
    private var globals: [Global] = []
    fileprivate var notifications: [ObjectIdentifier: Notification] = [:]
    private var inhibitors: [UnsafeMutableRawPointer: Inhibitor] = [:]
    private var newInhibitor: Listener?
    /// Checks the inhibitors once per turn for all changes of a client, because each check may look up every surface.
    private var look: AfterTurn?
    fileprivate var lastActivity = mw_now()
    fileprivate var isInhibited = false
    /// The session counts as used, whatever windows show.
    var isHeld = false {
        didSet { if isHeld != oldValue { look?.ask() } }
    }

    init?(_ context: Protocols.Context) {
        self.context = context
        guard let inhibit = wlr_idle_inhibit_v1_create(context.display) else { return nil }
        look = AfterTurn(context.loop) { [unowned self] in
            setInhibited(isHeld || inhibitors.values.contains { mw_surface_is_in_sight(context.server, $0.surface) })
        }
        newInhibitor = Listener(inhibit.pointer(to: \.events.new_inhibitor)!) { [unowned self] data in
            let inhibitor = data!.assumingMemoryBound(to: wlr_idle_inhibitor_v1.self)
            inhibitors[data!] = Inhibitor(self, inhibitor)
            look?.ask()
        }
        guard
            let notify = Global(
                context.display, mw_interface_ext_idle_notifier_v1(), version: 1, Idle.notifierRequests, owner: self),
            let older = Global(context.display, mw_interface_org_kde_kwin_idle(), version: 1, Idle.olderRequests, owner: self)
        else { return nil }
        globals = [notify, older]
    }

    /// The user did something.
    func activity() {
        lastActivity = mw_now()
        for notification in notifications.values { notification.wake() }
    }

    /// A window was shown or hidden, which may change whether an inhibitor counts.
    func sightChanged() {
        if !inhibitors.isEmpty { look?.ask() }
    }

    private func setInhibited(_ inhibited: Bool) {
        guard inhibited != isInhibited else { return }
        isInhibited = inhibited
        // The idle time starts again when the last inhibitor ends.
        if !inhibited { lastActivity = mw_now() }
        for notification in notifications.values { notification.inhibitionChanged() }
    }

    private static let notifierRequests: Requests<ext_idle_notifier_v1_requests> = {
        // Newer headers know a request of version 2, which the shell does not offer.
        var requests = ext_idle_notifier_v1_requests()
        requests.destroy = destroyResource
        // There is only one seat, so the argument does not matter.
        requests.get_idle_notification = { client, notifier, id, timeout, _ in
            owner(of: notifier, as: Idle.self).add(client, notifier, id, milliseconds: timeout, isOlder: false)
        }
        return Requests(requests)
    }()

    private static let olderRequests = Requests(org_kde_kwin_idle_requests(
        get_idle_timeout: { client, manager, id, _, timeout in
            owner(of: manager, as: Idle.self).add(client, manager, id, milliseconds: timeout, isOlder: true)
        }))

    private func add(_ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, milliseconds: UInt32, isOlder: Bool) {
        guard let notification = Notification(self, timeout: Int64(milliseconds) * 1_000_000, isOlder: isOlder) else {
            return wl_client_post_no_memory(client)
        }
        notification.serve(client, version: wl_resource_get_version(manager), id: id)
    }

    /// A surface that keeps the session awake while it is visible.
    private final class Inhibitor {
        let surface: Surface
        private var listeners: [Listener] = []

        init(_ idle: Idle, _ raw: UnsafeMutablePointer<wlr_idle_inhibitor_v1>) {
            surface = raw.pointee.surface
            listeners = [
                Listener(raw.pointer(to: \.events.destroy)!) { [unowned idle] _ in
                    idle.inhibitors[UnsafeMutableRawPointer(raw)] = nil
                    if !idle.context.isEnding { idle.look?.ask() }
                },
                // A surface may get its role, or its window, after its inhibitor.
                Listener(surface.pointer(to: \.events.commit)!) { [unowned idle] _ in idle.look?.ask() },
            ]
        }
    }
}

/// A client's wait for a certain idle time.
private final class Notification: ResourceOwner {
    static let requests = Requests(ext_idle_notification_v1_requests(destroy: destroyResource))
    static let olderRequests = Requests(org_kde_kwin_idle_timeout_requests(
        release: destroyResource,
        simulate_user_activity: { _, resource in
            let notification = owner(of: resource, as: Notification.self)
            notification.clock.restart(at: mw_now())
            notification.wake()
        }))

    private unowned let idle: Idle
    private var clock: IdleClock
    private let isOlder: Bool
    private var resource: WaylandResource?
    private var timer: Timer!

    init?(_ idle: Idle, timeout: Int64, isOlder: Bool) {
        self.idle = idle
        clock = IdleClock(timeout: timeout, at: mw_now())
        self.isOlder = isOlder
        timer = Timer(idle.context.loop) { [unowned self] in consider() }
        guard timer != nil else { return nil }
    }

    func serve(_ client: WaylandClient?, version: Int32, id: UInt32) {
        resource = isOlder
            ? makeResource(
                client, mw_interface_org_kde_kwin_idle_timeout(), version: version, id: id, Notification.olderRequests, owner: self)
            : makeResource(
                client, mw_interface_ext_idle_notification_v1(), version: version, id: id, Notification.requests, owner: self)
        guard resource != nil else { return }
        idle.notifications[ObjectIdentifier(self)] = self
        consider()
    }

    func resourceDestroyed() {
        timer = nil
        idle.notifications[ObjectIdentifier(self)] = nil
    }

    /// The user did something.
    func wake() {
        // Otherwise the timer notices.
        guard clock.isIdle || clock.isInstant else { return }
        tell(clock.wake())
        consider()
    }

    func inhibitionChanged() {
        if idle.isInhibited { tell(clock.wake()) } else { consider() }
    }

    private func consider() { tell(clock.look(lastActivity: idle.lastActivity, isInhibited: idle.isInhibited, at: mw_now())) }

    private func tell(_ step: IdleClock.Step) {
        switch step {
        case .nothing: break
        case .wait(let time): timer.arm(in: time)
        case .tell(let isIdle):
            switch (isOlder, isIdle) {
            case (true, true): org_kde_kwin_idle_timeout_send_idle(resource)
            case (true, false): org_kde_kwin_idle_timeout_send_resumed(resource)
            case (false, true): ext_idle_notification_v1_send_idled(resource)
            case (false, false): ext_idle_notification_v1_send_resumed(resource)
            }
        }
    }
}
