import CWlroots

/// A Wayland global. Releasing it removes it from the registry, so release it before the display is destroyed.
public final class Global {
    private var raw: OpaquePointer?
    private let bind: (Binding) -> Void

    /// A client's bind request.
    public struct Binding {
        public let client: WaylandClient?
        public let version: Int32
        /// The object id that the client chose.
        public let id: UInt32
    }

    /// Returns nil if out of memory.
    public init?(
        _ display: OpaquePointer, _ interface: UnsafePointer<wl_interface>?, version: Int32, bind: @escaping (Binding) -> Void
    ) {
        self.bind = bind
        raw = wl_global_create(display, interface, version, Unmanaged.passUnretained(self).toOpaque()) { client, data, version, id in
            let global = Unmanaged<Global>.fromOpaque(data!).takeUnretainedValue()
            global.bind(Binding(client: client, version: Int32(version), id: id))
        }
        guard raw != nil else { return nil }
    }

    /// A global whose objects all have the same owner, which is the usual case.
    public convenience init?<Table>(
        _ display: OpaquePointer, _ interface: UnsafePointer<wl_interface>?, version: Int32, _ requests: Requests<Table>,
        owner: some ResourceOwner
    ) {
        self.init(display, interface, version: version) { [unowned owner] binding in
            makeResource(binding.client, interface, version: binding.version, id: binding.id, requests, owner: owner)
        }
    }

    deinit {
        if let raw { wl_global_destroy(raw) }
    }
}
