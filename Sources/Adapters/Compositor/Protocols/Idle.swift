import CWlroots
import Seat
import WaylandServer

/// Idleness: ext-idle-notify-v1, KDE's older protocol and idle-inhibit-v1. Reports waiting clients and the surfaces of inhibitors, and
/// sends programs the decisions of the core (`Idleness`). wlroots 0.15 has only KDE's protocol, and crashes if a timeout is used after its
/// release.
final class Idle: ResourceOwner {
    fileprivate let context: Protocols.Context
    private unowned let compositor: Compositor
    private var globals: [Global] = []
    fileprivate var notifications: [IdleWatchID: Notification] = [:]
    private var inhibitors: [UnsafeMutableRawPointer: Inhibitor] = [:]
    private var newInhibitor: Listener?
    /// Finds the surfaces of inhibitors once per turn for all changes of a client, because each look may visit every surface.
    private var afterTurn: AfterTurn?
    private var lastWatch: UInt32 = 0, lastInhibitor: UInt32 = 0
    /// Runs for a while after activity was reported. Until it ends, more of it is only owed.
    private var pause: Timer?
    private var isPaused = false, isOwed = false

    /// The least nanoseconds between two reports of activity.
    private static let period: Int64 = 1_000_000_000

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
        guard let inhibit = wlr_idle_inhibit_v1_create(context.display) else { return nil }
        afterTurn = AfterTurn(context.loop) { [unowned self] in for inhibitor in inhibitors.values { report(inhibitor) } }
        pause = Timer(context.loop) { [unowned self] in
            isPaused = false
            if isOwed { activity() }
        }
        newInhibitor = Listener(inhibit.pointer(to: \.events.new_inhibitor)!) { [unowned self] data in
            lastInhibitor += 1
            inhibitors[data!] = Inhibitor(self, IdleInhibitorID(lastInhibitor), data!.assumingMemoryBound(to: wlr_idle_inhibitor_v1.self))
            look()
        }
        guard pause != nil,
            let notify = Global(
                context.display, mw_interface_ext_idle_notifier_v1(), version: 1, Idle.notifierRequests, owner: self),
            let older = Global(context.display, mw_interface_org_kde_kwin_idle(), version: 1, Idle.olderRequests, owner: self)
        else { return nil }
        globals = [notify, older]
    }

    fileprivate func emit(_ event: IdleEvent) { if !context.isEnding { compositor.emit(.idle(event)) } }

    // MARK: Reports

    /// A person used the device, and no other event says so. A recording of it must not show when the keys of a password were
    /// pressed, nor how many, so it says so once a second at most.
    func activity() {
        guard !isPaused else { return isOwed = true }
        isOwed = false
        guard !notifications.isEmpty else { return }
        emit(.activity)
        isPaused = true
        pause?.arm(in: Idle.period)
    }

    /// A surface with an inhibitor may be part of something else now.
    func look() { if !inhibitors.isEmpty { afterTurn?.ask() } }

    private func report(_ inhibitor: Inhibitor) {
        let place = place(of: inhibitor.surface)
        guard place != inhibitor.place else { return }
        inhibitor.place = place
        emit(.inhibitor(inhibitor.id, on: place))
    }

    private func place(of surface: Surface) -> IdleInhibitorPlace {
        if let window = mw_window_of_surface(context.server, surface) { return compositor.ids[window].map { .window($0) } ?? .nothing }
        let panel = mw_layers_panel_of(context.server, surface)
        return panel == 0 ? .nothing : .panel(PanelID(panel))
    }

    // MARK: Carrying out decisions

    func tell(_ id: IdleWatchID, isIdle: Bool) { notifications[id]?.tell(isIdle) }

    // MARK: Requests

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

    private static let olderRequests = Requests(
        org_kde_kwin_idle_requests(
            get_idle_timeout: { client, manager, id, _, timeout in
                owner(of: manager, as: Idle.self).add(client, manager, id, milliseconds: timeout, isOlder: true)
            }))

    private func add(_ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, milliseconds: UInt32, isOlder: Bool) {
        lastWatch += 1
        let notification = Notification(self, IdleWatchID(lastWatch), isOlder: isOlder)
        guard notification.serve(client, version: wl_resource_get_version(manager), id: id) else { return }
        notifications[notification.id] = notification
        emit(.watchAdded(notification.id, milliseconds: milliseconds))
    }

    /// A surface that keeps the device from being idle.
    private final class Inhibitor {
        let id: IdleInhibitorID
        let surface: Surface
        /// The place that was last reported.
        var place: IdleInhibitorPlace?
        private var listeners: [Listener] = []

        init(_ idle: Idle, _ id: IdleInhibitorID, _ raw: UnsafeMutablePointer<wlr_idle_inhibitor_v1>) {
            self.id = id
            surface = raw.pointee.surface
            listeners = [
                Listener(raw.pointer(to: \.events.destroy)!) { [unowned idle] _ in
                    guard let gone = idle.inhibitors.removeValue(forKey: UnsafeMutableRawPointer(raw)) else { return }
                    if gone.place != nil { idle.emit(.inhibitorGone(gone.id)) }
                },
                // A surface may get its role, or its window, after its inhibitor.
                Listener(surface.pointer(to: \.events.commit)!) { [unowned idle] _ in idle.look() },
            ]
        }
    }
}

/// A client's wait for a certain idle time.
private final class Notification: ResourceOwner {
    static let requests = Requests(ext_idle_notification_v1_requests(destroy: destroyResource))
    static let olderRequests = Requests(
        org_kde_kwin_idle_timeout_requests(
            release: destroyResource,
            simulate_user_activity: { _, resource in
                let notification = owner(of: resource, as: Notification.self)
                notification.idle.emit(.watchRestarted(notification.id))
            }))

    let id: IdleWatchID
    private unowned let idle: Idle
    private let isOlder: Bool
    private var resource: WaylandResource?

    init(_ idle: Idle, _ id: IdleWatchID, isOlder: Bool) {
        self.idle = idle
        self.id = id
        self.isOlder = isOlder
    }

    /// Returns false if out of memory; the client was told.
    func serve(_ client: WaylandClient?, version: Int32, id: UInt32) -> Bool {
        resource =
            isOlder
            ? makeResource(
                client, mw_interface_org_kde_kwin_idle_timeout(), version: version, id: id, Notification.olderRequests, owner: self)
            : makeResource(
                client, mw_interface_ext_idle_notification_v1(), version: version, id: id, Notification.requests, owner: self)
        return resource != nil
    }

    func resourceDestroyed() {
        idle.notifications[id] = nil
        idle.emit(.watchGone(id))
    }

    func tell(_ isIdle: Bool) {
        switch (isOlder, isIdle) {
        case (true, true): org_kde_kwin_idle_timeout_send_idle(resource)
        case (true, false): org_kde_kwin_idle_timeout_send_resumed(resource)
        case (false, true): ext_idle_notification_v1_send_idled(resource)
        case (false, false): ext_idle_notification_v1_send_resumed(resource)
        }
    }
}
