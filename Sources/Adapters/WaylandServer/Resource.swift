import CWlroots

/// A protocol object as libwayland knows it.
public typealias WaylandResource = UnsafeMutablePointer<wl_resource>
/// A client as libwayland knows it.
public typealias WaylandClient = OpaquePointer

/// A table of a protocol's requests: which function answers each. It lives for as long as the program.
///
/// `Table` is the struct that wayland-scanner generates, under the name that `scripts/protocols` gives it for Swift:
/// `ext_idle_notifier_v1_requests` has a member for each request of `ext_idle_notifier_v1`. Where later versions of a protocol
/// have more requests than are served, make an empty table and set what is served: the others are never called.
public struct Requests<Table>: @unchecked Sendable {  // written once, here, and only read after that
    /// For functions of libwayland that compare tables.
    public let table: UnsafePointer<Table>

    public init(_ table: Table) {
        let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        memory.initialize(to: table)
        self.table = UnsafePointer(memory)
    }
}

/// What answers the requests of a protocol object. libwayland keeps it for as long as the object lives.
public protocol ResourceOwner: AnyObject {
    /// The object is gone: the client destroyed it, or is gone itself.
    func resourceDestroyed()
}

extension ResourceOwner {
    public func resourceDestroyed() {}
}

/// Makes a protocol object of a client that `owner` answers for. A client for which there is no memory is disconnected.
///
/// - Returns: nil if the client is disconnected; the object otherwise. It may be used until `owner` hears of its end.
@discardableResult
public func makeResource<Table>(
    _ client: WaylandClient?, _ interface: UnsafePointer<wl_interface>?, version: Int32, id: UInt32,
    _ requests: Requests<Table>, owner: some ResourceOwner
) -> WaylandResource? {
    guard let resource = wl_resource_create(client, interface, version, id) else {
        wl_client_post_no_memory(client)
        return nil
    }
    // The object holds a box, so that its end can call an owner of any type.
    let box = Unmanaged.passRetained(Box(owner)).toOpaque()
    wl_resource_set_implementation(resource, requests.table, box) { resource in
        guard let data = wl_resource_get_user_data(resource) else { return }
        let box = Unmanaged<Box>.fromOpaque(data).takeRetainedValue()
        wl_resource_set_user_data(resource, nil)
        box.owner.resourceDestroyed()
    }
    return resource
}

/// Who answers for a protocol object that `makeResource` made. The program ends if it is somebody else's: requests come to
/// the functions of their own table only, so that would be a mistake in the table.
public func owner<Owner: ResourceOwner>(of resource: WaylandResource?, as type: Owner.Type = Owner.self) -> Owner {
    let box = Unmanaged<Box>.fromOpaque(wl_resource_get_user_data(resource)).takeUnretainedValue()
    return unsafeDowncast(box.owner, to: Owner.self)
}

/// The request `destroy` of most interfaces.
public let destroyResource: @convention(c) (WaylandClient?, WaylandResource?) -> Void = { _, resource in
    wl_resource_destroy(resource)
}

private final class Box {
    let owner: any ResourceOwner

    init(_ owner: any ResourceOwner) { self.owner = owner }
}
