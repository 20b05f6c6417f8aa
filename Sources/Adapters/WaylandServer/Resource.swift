import CWlroots

/// A protocol object in libwayland.
public typealias WaylandResource = UnsafeMutablePointer<wl_resource>
/// A client in libwayland.
public typealias WaylandClient = OpaquePointer

/// A table of functions that handle a protocol's requests. It lives as long as the process.
///
/// `Table` is the struct that wayland-scanner generates, under the name that `scripts/protocols` gives it for Swift:
/// `ext_idle_notifier_v1_requests` has a member for each request of `ext_idle_notifier_v1`. If later versions of a
/// protocol have more requests than the shell implements, make an empty table and set the supported ones. The others
/// are never called.
public struct Requests<Table>: @unchecked Sendable { // written once, here, and only read after that
    /// For functions of libwayland that compare tables.
    public let table: UnsafePointer<Table>

    public init(_ table: Table) {
        let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        memory.initialize(to: table)
        self.table = UnsafePointer(memory)
    }
}

/// Handles the requests of a protocol object. libwayland retains it as long as the object exists.
public protocol ResourceOwner: AnyObject {
    /// The object was destroyed, by a request or because its client is gone.
    func resourceDestroyed()
}

extension ResourceOwner {
    public func resourceDestroyed() {}
}

/// Makes a protocol object for a client, handled by `owner`. If memory runs out, the client is disconnected.
///
/// - Returns: nil if the client is disconnected. Otherwise the object, which is valid until `owner` is told of its
///   destruction.
@discardableResult
public func makeResource<Table>(
    _ client: WaylandClient?, _ interface: UnsafePointer<wl_interface>?, version: Int32, id: UInt32,
    _ requests: Requests<Table>, owner: some ResourceOwner
) -> WaylandResource? {
    guard let resource = wl_resource_create(client, interface, version, id) else {
        wl_client_post_no_memory(client)
        return nil
    }
    // The object retains a box, so that its destroy callback can call an owner of any type.
    let box = Unmanaged.passRetained(Box(owner)).toOpaque()
    wl_resource_set_implementation(resource, requests.table, box) { resource in
        guard let data = wl_resource_get_user_data(resource) else { return }
        let box = Unmanaged<Box>.fromOpaque(data).takeRetainedValue()
        wl_resource_set_user_data(resource, nil)
        box.owner.resourceDestroyed()
    }
    return resource
}

/// The owner of a protocol object made by `makeResource`. Traps if the owner has another type: requests reach only
/// the functions of their own table, so that would be a bug in the table.
public func owner<Owner: ResourceOwner>(of resource: WaylandResource?, as type: Owner.Type = Owner.self) -> Owner {
    let box = Unmanaged<Box>.fromOpaque(wl_resource_get_user_data(resource)).takeUnretainedValue()
    return unsafeDowncast(box.owner, to: Owner.self)
}

/// The `destroy` request of most interfaces.
public let destroyResource: @convention(c) (WaylandClient?, WaylandResource?) -> Void = { _, resource in
    wl_resource_destroy(resource)
}

private final class Box {
    let owner: any ResourceOwner

    init(_ owner: any ResourceOwner) { self.owner = owner }
}
