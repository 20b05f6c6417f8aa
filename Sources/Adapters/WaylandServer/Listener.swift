import CWlroots

/// Runs a closure whenever a signal of libwayland or wlroots is emitted, until the listener is removed or released.
///
/// The closure may release its own listener. Confined to the thread of the event loop, like everything in this
/// module.
public final class Listener {
    private let raw: UnsafeMutablePointer<mw_listener>
    private let body: (UnsafeMutableRawPointer?) -> Void

    /// - Parameter body: gets the signal's data, a pointer whose type depends on the signal.
    public convenience init(_ signal: UnsafeMutablePointer<wl_signal>, _ body: @escaping (UnsafeMutableRawPointer?) -> Void) {
        self.init(body)
        wl_signal_add(signal, listener)
    }

    private init(_ body: @escaping (UnsafeMutableRawPointer?) -> Void) {
        self.body = body
        raw = .allocate(capacity: 1)
        raw.initialize(to: mw_listener())
        raw.pointee.listener.notify = Listener.notify
        raw.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    /// Runs `body` once, when a protocol object is destroyed.
    public convenience init(destroying resource: WaylandResource, _ body: @escaping () -> Void) {
        self.init { _ in body() }
        wl_resource_add_destroy_listener(resource, listener)
    }

    /// Runs `body` once, when a client is destroyed, before its objects are.
    public convenience init(destroying client: WaylandClient, _ body: @escaping () -> Void) {
        self.init { _ in body() }
        wl_client_add_destroy_listener(client, listener)
    }

    /// Runs `body` for each client that connects, before its first request is read.
    public init(clientsOf display: OpaquePointer, _ body: @escaping (WaylandClient) -> Void) {
        self.body = { body(OpaquePointer($0!)) }
        raw = .allocate(capacity: 1)
        raw.initialize(to: mw_listener())
        raw.pointee.listener.notify = Listener.notify
        raw.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        wl_display_add_client_created_listener(display, listener)
    }

    /// Stops listening. Further calls do nothing.
    public func remove() {
        guard raw.pointee.listener.link.next != nil else { return }
        // The link is the listener's first member.
        UnsafeMutableRawPointer(raw).withMemoryRebound(to: wl_list.self, capacity: 1) { wl_list_remove($0) }
        raw.pointee.listener.link = wl_list()
    }

    deinit {
        remove()
        raw.deallocate()
    }

    private var listener: UnsafeMutablePointer<wl_listener> {
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: wl_listener.self)
    }

    private static let notify: wl_notify_func_t = { listener, data in
        let raw = UnsafeMutableRawPointer(listener!).assumingMemoryBound(to: mw_listener.self)
        // Retain it: the closure may release the listener. The signal's emitter has already read the next link.
        let owner = Unmanaged<Listener>.fromOpaque(raw.pointee.owner).takeUnretainedValue()
        withExtendedLifetime(owner) { owner.body(data) }
    }
}
