import CWlroots
import Glibc
import Seat
import WaylandServer

/// Counts the objects of each client as they are created and destroyed, and disconnects a client that exceeds a limit
/// of `ClientLimits`.
final class ClientCounts {
    private typealias Kind = ClientLimits.Counted

    fileprivate let server: OpaquePointer
    /// The objects of all clients together.
    fileprivate(set) var objects = 0
    private var created: Listener?

    init(_ server: OpaquePointer) {
        self.server = server
        created = Listener(clientsOf: mw_server_display(server)) { [unowned self] client in
            guard !Compositor.of(self.server).isMakingOwnClient else { return }
            Tally.begin(self, client)
        }
    }

    // MARK: Kinds of objects

    /// Keyed by the interface's name. The string's address is stable for the life of the process.
    private var kinds: [UnsafePointer<CChar>: Int] = [:]
    private static let numbers: [String: Int] = Dictionary(
        uniqueKeysWithValues: Kind.allCases.enumerated().flatMap { index, kind in kind.interfaces.map { ($0, index) } })
    fileprivate static let all = Kind.allCases
    fileprivate static let most = Kind.allCases.map { UInt32($0.most) }
    private static let others = Kind.allCases.firstIndex(of: .objects)!
    fileprivate static let buffers = Kind.allCases.firstIndex(of: .buffers)!
    fileprivate static let frames = Kind.allCases.firstIndex(of: .frames)!
    fileprivate static let pools = Kind.allCases.firstIndex(of: .pools)!

    fileprivate func kind(of resource: WaylandResource) -> Int {
        let name = wl_resource_get_class(resource)!
        if let known = kinds[name] { return known }
        let kind = Self.numbers[String(cString: name)] ?? Self.others
        kinds[name] = kind
        return kind
    }

    // MARK: Disconnecting clients

    fileprivate func refuse(_ client: WaylandClient, _ what: String, most: Int) {
        var process: pid_t = 0
        wl_client_get_credentials(client, &process, nil, nil)
        Compositor.of(server).log.error("\(name(of: client, process)) (process \(process)) is disconnected: more than \(most) \(what)")
        mw_post_implementation_error(client, "limit of one client: \(most) \(what)")
    }

    /// The app id of one of the client's windows, or the name of its process.
    private func name(of client: WaylandClient, _ process: pid_t) -> String {
        for window in Compositor.of(server).windows.values {
            let fields = mw_window_fields(window).pointee
            if let app = fields.toplevel?.pointee.app_id, app.pointee != 0, let surface = fields.surface,
                wl_resource_get_client(surface.pointee.resource) == client
            {
                return String(cString: app)
            }
        }
        return Clients.name(of: process)
    }
}

/// Memory that a client shares. It stays mapped as long as the pool or one of its buffers exists.
final class Pool {
    var users = 0
    var bytes: Int64 = 0
}

/// The counts of one client. They outlive the client's connection, because libwayland destroys the last objects after that.
final class Tally {
    private unowned let counts: ClientCounts
    /// nil once the client is gone or was refused something, and for a client without limits.
    private var client: WaylandClient?
    private var numbers = [UInt32](repeating: 0, count: ClientCounts.all.count)
    private var objects: UInt32 = 0
    private var poolBytes: Int64 = 0
    private var tokens = Lately(), keymaps = Lately(), selections = Lately(), pastes = Lately()
    private var primaries = SelectionPace()
    /// The pool that the object created by the current request belongs to.
    private var expected: Pool?

    /// Listeners for a client's new objects and for its end. The second one retains the tally.
    private struct ClientListeners {
        var made = mw_listener()
        var gone = mw_listener()
    }

    private init(_ counts: ClientCounts, _ client: WaylandClient) {
        self.counts = counts
        self.client = client
    }

    static func begin(_ counts: ClientCounts, _ client: WaylandClient) {
        let tally = Tally(counts, client)
        let listeners = UnsafeMutablePointer<ClientListeners>.allocate(capacity: 1)
        listeners.initialize(to: ClientListeners())
        listeners.pointee.made.owner = Unmanaged.passUnretained(tally).toOpaque()
        listeners.pointee.made.listener.notify = { listener, data in
            let raw = UnsafeMutableRawPointer(listener!).assumingMemoryBound(to: mw_listener.self)
            Unmanaged<Tally>.fromOpaque(raw.pointee.owner).takeUnretainedValue().add(data!.assumingMemoryBound(to: wl_resource.self))
        }
        wl_client_add_resource_created_listener(client, listeners.pointer(to: \.made.listener)!)
        listeners.pointee.gone.owner = Unmanaged.passRetained(tally).toOpaque()
        listeners.pointee.gone.listener.notify = clientGone
        wl_client_add_destroy_listener(client, listeners.pointer(to: \.gone.listener)!)
    }

    private static let clientGone: wl_notify_func_t = { listener, _ in
        let gone = UnsafeMutableRawPointer(listener!)
        let listeners = (gone - MemoryLayout<ClientListeners>.offset(of: \.gone)!).assumingMemoryBound(to: ClientListeners.self)
        wl_list_remove(listeners.pointer(to: \.made.listener.link)!)
        wl_list_remove(listeners.pointer(to: \.gone.listener.link)!)
        let tally = Unmanaged<Tally>.fromOpaque(listeners.pointee.gone.owner).takeRetainedValue()
        tally.client = nil
        listeners.deallocate()
    }

    /// nil if the client is gone or is not counted.
    static func of(_ client: WaylandClient?) -> Tally? {
        guard let client, let listener = wl_client_get_destroy_listener(client, clientGone) else { return nil }
        let raw = UnsafeMutableRawPointer(listener).assumingMemoryBound(to: mw_listener.self)
        return Unmanaged<Tally>.fromOpaque(raw.pointee.owner).takeUnretainedValue()
    }

    func refuse(_ what: String, most: Int) {
        guard let client else { return }
        self.client = nil
        counts.refuse(client, what, most: most)
    }

    func exempt() { client = nil }

    /// Whether it has pictures of the screen that it has not destroyed: it waits for one, or just got it.
    var waitsForPicture: Bool { numbers[ClientCounts.frames] > 0 }
    var process: Int32 { Clients.process(of: client) }

    // MARK: Objects

    /// One object of a client, until libwayland destroys it.
    private struct Counted {
        /// Must be the first member: the listener's address is also the address of this struct.
        var destroy = wl_listener()
        var tally: Unmanaged<Tally>
        var kind: Int
        /// The pool itself, or the pool that a buffer belongs to.
        var pool: Unmanaged<Pool>?
        /// For a data source: the bytes of its MIME types, plus 16 for each.
        var types: UInt32 = 0
    }

    private static let objectGone: wl_notify_func_t = { listener, data in
        let counted = UnsafeMutableRawPointer(listener!).assumingMemoryBound(to: Counted.self)
        let object = counted.pointee
        counted.deallocate()
        let tally = object.tally.takeRetainedValue()
        tally.numbers[object.kind] -= 1
        tally.objects -= 1
        tally.counts.objects -= 1
        guard let pool = object.pool?.takeRetainedValue() else { return }
        pool.users -= 1
        guard pool.users == 0 else { return }
        if object.kind == ClientCounts.buffers { mw_unmap_later(tally.counts.server, data!.assumingMemoryBound(to: wl_resource.self)) }
        tally.poolBytes -= pool.bytes
        if tally.expected === pool { tally.expected = nil }
    }

    private func add(_ resource: WaylandResource) {
        let kind = counts.kind(of: resource)
        let counted = UnsafeMutablePointer<Counted>.allocate(capacity: 1)
        counted.initialize(to: Counted(tally: .passRetained(self), kind: kind))
        if kind == ClientCounts.pools || kind == ClientCounts.buffers, let pool = expected {
            pool.users += 1
            counted.pointee.pool = .passRetained(pool)
            expected = nil
        }
        counted.pointee.destroy.notify = Self.objectGone
        wl_resource_add_destroy_listener(resource, UnsafeMutableRawPointer(counted).assumingMemoryBound(to: wl_listener.self))
        objects += 1
        counts.objects += 1
        numbers[kind] += 1
        if numbers[kind] > ClientCounts.most[kind] { refuse(ClientCounts.all[kind].text, most: Int(ClientCounts.most[kind])) }
        if objects > UInt32(ClientLimits.Counted.objects.most) {
            refuse(ClientLimits.Counted.objects.text, most: ClientLimits.Counted.objects.most)
        }
    }

    private static func counted(_ resource: WaylandResource?) -> UnsafeMutablePointer<Counted>? {
        guard let resource, let listener = wl_resource_get_destroy_listener(resource, objectGone) else { return nil }
        return UnsafeMutableRawPointer(listener).assumingMemoryBound(to: Counted.self)
    }

    // MARK: Shared memory

    private func grow(_ pool: Pool, to size: Int32) {
        guard Int64(size) > pool.bytes else { return }
        poolBytes += Int64(size) - pool.bytes
        pool.bytes = Int64(size)
        if poolBytes > Int64(ClientLimits.poolBytes) { refuse("bytes of shared memory", most: ClientLimits.poolBytes) }
    }

    func expectPool(_ size: Int32) {
        let pool = Pool()
        expected = pool
        grow(pool, to: size)
    }

    static func expectBuffer(of pool: WaylandResource?) {
        guard let counted = counted(pool) else { return }
        counted.pointee.tally.takeUnretainedValue().expected = counted.pointee.pool?.takeUnretainedValue()
    }

    static func resize(_ pool: WaylandResource?, to size: Int32) {
        guard let counted = counted(pool), let pool = counted.pointee.pool?.takeUnretainedValue() else { return }
        counted.pointee.tally.takeUnretainedValue().grow(pool, to: size)
    }

    // MARK: Selections

    /// All types are sent at once to every client that may paste. A client that reads too slowly would be
    /// disconnected.
    static func offer(_ type: UnsafePointer<CChar>?, from source: WaylandResource?) {
        guard let counted = counted(source) else { return }
        counted.pointee.types += ClientLimits.typeRoom + (type.map { UInt32(strlen($0)) } ?? 0)
        if counted.pointee.types > UInt32(ClientLimits.types) {
            counted.pointee.tally.takeUnretainedValue().refuse("bytes of types of one selection", most: ClientLimits.types)
        }
    }

    /// Every client that may paste is told of each selection. A client that pauses reading has little room for them.
    func select(_ source: WaylandResource?, isPrimary: Bool) {
        var bytes = ClientLimits.selectionRoom + (Tally.counted(source)?.pointee.types ?? 0)
        if isPrimary { bytes = primaries.count(bytes, at: mw_now()) }
        if selections.add(bytes, at: mw_now(), stretch: ClientLimits.stretch) > UInt32(ClientLimits.selections) {
            refuse("bytes of types of selections in a second", most: ClientLimits.selections)
        }
    }

    /// The client that copied is told of each paste, and gets a descriptor.
    func paste(_ type: UnsafePointer<CChar>?) {
        let room = ClientLimits.pasteRoom + (type.map { UInt32(strlen($0)) } ?? 0)
        if pastes.add(room, at: mw_now(), stretch: ClientLimits.stretch) > UInt32(ClientLimits.pastes) {
            refuse("bytes of types asked for in a second", most: ClientLimits.pastes)
        }
    }

    // MARK: Tokens and keymaps

    /// wlroots keeps tokens for 30 s, even after their objects are destroyed.
    func makeToken() {
        if tokens.add(at: mw_now(), stretch: ClientLimits.tokenStretch) > UInt32(ClientLimits.tokens) {
            refuse("activation tokens in 30 s", most: ClientLimits.tokens)
        }
    }

    /// Each keymap is compiled, which takes up to 20 ms.
    func setKeymap() {
        if keymaps.add(at: mw_now(), stretch: ClientLimits.stretch) > UInt32(ClientLimits.keymaps) {
            refuse("keymaps in a second", most: ClientLimits.keymaps)
        }
    }
}
