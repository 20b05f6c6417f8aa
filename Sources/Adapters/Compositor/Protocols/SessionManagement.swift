import CWlroots
import Geometry
import Glibc
import Seat
import WaylandServer

/// session-management: apps name their windows in order to find them again. Two dialects share one state: xdg_session
/// as adopted, and xx_session, the draft that toolkits still use.
///
/// Names outlive the windows, and the shell too if there is a `ToolkitSessionKeeper`. A window that is restored by its
/// name returns to the place of the window that had it (W-20).
final class SessionManagement {
    fileprivate typealias Toplevel = UnsafeMutablePointer<wlr_xdg_toplevel>

    private var managers: [Manager] = []
    private var globals: [Global] = []
    /// Most recently used first.
    fileprivate var sessions: [Session] = []
    /// The names of the existing windows, by session and name.
    private var titles: [Toplevel: String] = [:]
    /// Windows whose changed name has not been reported yet.
    private var renamed: Set<Toplevel> = []
    private var timer: Timer?
    private let loop: OpaquePointer
    private unowned let compositor: Compositor
    private var lastUse: UInt64 = 0

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.compositor = compositor
        loop = context.loop
        managers = [Dialect.adopted, .draft].map { Manager(self, $0) }
        for manager in managers {
            let interface = manager.dialect.manager
            let version = interface!.pointee.version
            let made =
                manager.dialect.isDraft
                ? Global(context.display, interface, version: version, Manager.draftRequests, owner: manager)
                : Global(context.display, interface, version: version, Manager.requests, owner: manager)
            guard let made else { return nil }
            globals.append(made)
        }
    }

    /// Makes a new session. If there are too many, forgets the oldest one that is not in use.
    fileprivate func makeSession() -> Session {
        if sessions.count >= ClientLimits.rememberedSessions, let oldest = sessions.last(where: { $0.use == nil }) {
            forget(oldest)
        }
        // A client that knows the key may take over the session, so the key must be unguessable.
        let key = (0..<2).map { _ in
            let half = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        let session = Session(id: key.joined())
        sessions.insert(session, at: 0)
        return session
    }

    /// The session was used or changed.
    fileprivate func touch(_ session: Session) {
        sessions.removeAll { $0 === session }
        sessions.insert(session, at: 0)
        lastUse += 1
        compositor.sessionKeeper?.keep(ToolkitSession(id: session.id, names: session.texts, lastUse: lastUse))
    }

    fileprivate func remove(_ session: Session) {
        session.use?.detach()
        forget(session)
    }

    private func forget(_ session: Session) {
        sessions.removeAll { $0 === session }
        compositor.sessionKeeper?.forget(session: session.id)
    }

    /// Adds sessions that were kept earlier. Existing sessions stay as they are.
    func bringBack(_ kept: [ToolkitSession]) {
        let known = Set(sessions.map(\.id))
        for session in kept.sorted(by: { $0.lastUse > $1.lastUse }) where !known.contains(session.id) {
            lastUse = max(lastUse, min(session.lastUse, UInt64.max / 2))
            guard sessions.count < ClientLimits.rememberedSessions else {
                compositor.sessionKeeper?.forget(session: session.id)
                continue
            }
            sessions.append(Session(id: session.id, names: session.names.prefix(ClientLimits.rememberedNames)))
        }
    }

    /// The id by which a window is found again; empty for a window without a name.
    func name(of window: UnsafeMutablePointer<wlr_xdg_toplevel>) -> String { titles[window] ?? "" }

    /// Reports a window's name, which the shell has to know before the window is mapped.
    fileprivate func named(_ window: Toplevel, _ title: String) {
        titles[window] = title
        compositor.reportFacts(of: window)
    }

    /// Reports a changed session later, because a client may change it often.
    fileprivate func renamed(_ window: Toplevel, _ title: String) {
        titles[window] = title
        guard renamed.insert(window).inserted, renamed.count == 1 else { return }
        if timer == nil {
            timer = Timer(loop) { [unowned self] in
                for window in renamed { compositor.reportFacts(of: window) }
                renamed = []
            }
        }
        timer?.arm(in: 500_000_000)
    }

    fileprivate func left(_ window: Toplevel) {
        titles[window] = nil
        renamed.remove(window)
    }
}

/// The bytes of a string. Names are compared byte by byte.
private func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
}

private func isText(_ text: UnsafePointer<CChar>) -> Bool { String(validatingCString: text) != nil }

/// The differences between the two dialects.
private struct Dialect: @unchecked Sendable { // constants of the generated code
    let manager, session, toplevel: UnsafePointer<wl_interface>?
    let nameInUse, alreadyMapped: UInt32
    /// nil if the dialect has no such error.
    var invalidSessionID, invalidReason, invalidName: UInt32?
    /// A known name cannot be added again.
    var namesStay = false
    var isDraft = false

    static let adopted = Dialect(
        manager: mw_interface_xdg_session_manager_v1(), session: mw_interface_xdg_session_v1(),
        toplevel: mw_interface_xdg_toplevel_session_v1(), nameInUse: XDG_SESSION_V1_ERROR_NAME_IN_USE.rawValue,
        alreadyMapped: XDG_SESSION_V1_ERROR_ALREADY_MAPPED.rawValue,
        invalidSessionID: XDG_SESSION_MANAGER_V1_ERROR_INVALID_SESSION_ID.rawValue,
        invalidReason: XDG_SESSION_MANAGER_V1_ERROR_INVALID_REASON.rawValue,
        invalidName: XDG_SESSION_V1_ERROR_INVALID_NAME.rawValue, namesStay: true)
    static let draft = Dialect(
        manager: mw_interface_xx_session_manager_v1(), session: mw_interface_xx_session_v1(),
        toplevel: mw_interface_xx_toplevel_session_v1(), nameInUse: XX_SESSION_V1_ERROR_NAME_IN_USE.rawValue,
        alreadyMapped: XX_SESSION_V1_ERROR_ALREADY_MAPPED.rawValue, isDraft: true)
}

/// An app's session, open or not.
private final class Session {
    let id: String
    /// Most recently used first.
    private var names: [Name] = []
    /// The client's object for the session, while it is open.
    weak var use: Use?

    init(id: String, names: some Sequence<String> = EmptyCollection()) {
        self.id = id
        self.names = names.map { Name(Array($0.utf8)) }
    }

    var texts: [String] { names.map { String(decoding: $0.text, as: UTF8.self) } }

    func name(_ text: [UInt8]) -> Name? { names.first { $0.text == text } }

    /// Makes a new name. If there are too many, forgets the oldest one that no window has.
    func makeName(_ text: [UInt8]) -> Name {
        if names.count >= ClientLimits.rememberedNames, let oldest = names.lastIndex(where: { $0.member == nil }) {
            names.remove(at: oldest)
        }
        let name = Name(text)
        names.insert(name, at: 0)
        return name
    }

    func touch(_ name: Name) {
        names.removeAll { $0 === name }
        names.insert(name, at: 0)
    }

    func remove(_ name: Name) {
        name.member?.detach()
        names.removeAll { $0 === name }
    }
}

private final class Name {
    var text: [UInt8]
    /// The window that currently has the name.
    weak var member: Member?

    init(_ text: [UInt8]) { self.text = text }
}

/// The global of one dialect.
private final class Manager: ResourceOwner {
    static let requests = Requests(
        xdg_session_manager_v1_requests(
            destroy: destroyResource,
            get_session: { owner(of: $1, as: Manager.self).open($0, $1, $2, reason: $3, wanted: $4) }))
    static let draftRequests = Requests(
        xx_session_manager_v1_requests(
            destroy: destroyResource,
            get_session: { owner(of: $1, as: Manager.self).open($0, $1, $2, reason: $3, wanted: $4) }))

    unowned let all: SessionManagement
    let dialect: Dialect

    init(_ all: SessionManagement, _ dialect: Dialect) {
        self.all = all
        self.dialect = dialect
    }

    private func open(
        _ client: WaylandClient?, _ resource: WaylandResource?, _ id: UInt32, reason: UInt32, wanted: UnsafePointer<CChar>?
    ) {
        let reasons = XDG_SESSION_MANAGER_V1_REASON_LAUNCH.rawValue...XDG_SESSION_MANAGER_V1_REASON_SESSION_RESTORE.rawValue
        if let error = dialect.invalidReason, !reasons.contains(reason) {
            return mw_post_error(resource, error, "there is no reason \(reason)")
        }
        if let error = dialect.invalidSessionID, let wanted, !isText(wanted) {
            return mw_post_error(resource, error, "the session's name is not UTF-8")
        }
        let known = wanted.map(bytes).flatMap { wanted in all.sessions.first { Array($0.id.utf8) == wanted } }
        let before = known?.use
        if let before, before.client == client {
            return mw_post_error(
                resource, XDG_SESSION_MANAGER_V1_ERROR_IN_USE.rawValue, "this client has the session already")
        }
        let use = Use(self)
        guard use.serve(client, version: wl_resource_get_version(resource), id: id) else { return }
        let session = known ?? all.makeSession()
        if let before {
            before.sendReplaced()
            before.detach()
        }
        use.attach(session)
        all.touch(session)
        if known != nil { use.sendRestored() } else { use.sendCreated(session.id) }
    }
}

/// A client's session object.
private final class Use: ResourceOwner {
    static let requests = Requests(
        xdg_session_v1_requests(
            destroy: destroyResource,
            remove: { owner(of: $1, as: Use.self).removeSession() },
            add_toplevel: { owner(of: $1, as: Use.self).add($0, $2, $3, $4!, restores: false) },
            restore_toplevel: { owner(of: $1, as: Use.self).add($0, $2, $3, $4!, restores: true) },
            remove_toplevel: { owner(of: $1, as: Use.self).removeName($2!) }))
    static let draftRequests = Requests(
        xx_session_v1_requests(
            destroy: destroyResource,
            remove: { owner(of: $1, as: Use.self).removeSession() },
            add_toplevel: { owner(of: $1, as: Use.self).add($0, $2, $3, $4!, restores: false) },
            restore_toplevel: { owner(of: $1, as: Use.self).add($0, $2, $3, $4!, restores: true) }))

    let dialect: Dialect
    fileprivate unowned let all: SessionManagement
    private(set) var resource: WaylandResource?
    /// nil if the object is inert.
    private(set) var session: Session?
    private var members: [Member] = []

    init(_ manager: Manager) {
        all = manager.all
        dialect = manager.dialect
    }

    var client: WaylandClient? { wl_resource_get_client(resource) }

    func serve(_ client: WaylandClient?, version: Int32, id: UInt32) -> Bool {
        resource =
            dialect.isDraft
            ? makeResource(client, dialect.session, version: version, id: id, Use.draftRequests, owner: self)
            : makeResource(client, dialect.session, version: version, id: id, Use.requests, owner: self)
        return resource != nil
    }

    func attach(_ session: Session) {
        self.session = session
        session.use = self
    }

    func detach() {
        for member in members { member.detach() }
        if session?.use === self { session?.use = nil }
        session = nil
    }

    func forget(_ member: Member) { members.removeAll { $0 === member } }

    func resourceDestroyed() { detach() }

    // Both dialects use the same event numbers.
    func sendReplaced() { xdg_session_v1_send_replaced(resource) }
    func sendRestored() { xdg_session_v1_send_restored(resource) }
    func sendCreated(_ id: String) { xdg_session_v1_send_created(resource, id) }

    private func removeSession() {
        if let session { all.remove(session) }
        wl_resource_destroy(resource)
    }

    private func removeName(_ text: UnsafePointer<CChar>) {
        if let session, let name = session.name(bytes(text)) { remove(name, from: session) }
    }

    func remove(_ name: Name, from session: Session) {
        session.remove(name)
        all.touch(session)
    }

    /// Returns false and posts an error if the text is not a valid name.
    func check(_ text: UnsafePointer<CChar>) -> Bool {
        guard !isText(text) || strlen(text) > ClientLimits.longestName else { return true }
        let why = "the name is not UTF-8, or longer than \(ClientLimits.longestName) bytes"
        if let error = dialect.invalidName {
            mw_post_error(resource, error, why)
        } else {
            mw_post_implementation_error(client, why)
        }
        return false
    }

    func refuseNameInUse() { mw_post_error(resource, dialect.nameInUse, "the name is in use") }

    private func add(
        _ client: WaylandClient?, _ id: UInt32, _ toplevelResource: WaylandResource?, _ text: UnsafePointer<CChar>, restores: Bool
    ) {
        guard check(text) else { return }
        let toplevel = mw_xdg_toplevel_of(toplevelResource)
        let known = session?.name(bytes(text))
        if let known, known.member != nil || (!restores && dialect.namesStay) { return refuseNameInUse() }
        if restores, let toplevel, mw_xdg_has_committed(toplevel) {
            return mw_post_error(resource, dialect.alreadyMapped, "the window has been committed before")
        }
        let member = Member(dialect)
        guard member.serve(client, version: wl_resource_get_version(resource), id: id) else { return }
        // Without a session or a window, the object is inert from the start.
        guard let session else { return }
        let name = known ?? session.makeName(bytes(text))
        guard let toplevel else { return }
        session.touch(name)
        all.touch(session)
        members.append(member)
        member.attach(self, name, toplevelResource, toplevel)
        member.watch(
            gone: mw_xdg_destroy_signal(toplevel),
            commit: restores && known != nil ? toplevel.pointee.base.pointee.surface.pointer(to: \.events.commit) : nil)
    }
}

/// A client's object for a window in a session.
private final class Member: ResourceOwner {
    static let requests = Requests(
        xdg_toplevel_session_v1_requests(
            destroy: destroyResource,
            rename: { owner(of: $1, as: Member.self).rename($2!) }))
    static let draftRequests = Requests(
        xx_toplevel_session_v1_requests(
            destroy: destroyResource,
            remove: { _, resource in
                let member = owner(of: resource, as: Member.self)
                if let name = member.name, let use = member.use, let session = use.session { use.remove(name, from: session) }
                wl_resource_destroy(resource)
            },
            rename: { owner(of: $1, as: Member.self).rename($2!) }))

    private let dialect: Dialect
    private var resource: WaylandResource?
    private var toplevel: WaylandResource?
    private var window: SessionManagement.Toplevel?
    /// nil if the object is inert.
    fileprivate private(set) var use: Use?
    fileprivate private(set) var name: Name?
    private var toplevelGone: Listener?
    /// Waits for the first commit, to tell a restored window so.
    private var firstCommit: Listener?

    init(_ dialect: Dialect) { self.dialect = dialect }

    func serve(_ client: WaylandClient?, version: Int32, id: UInt32) -> Bool {
        resource =
            dialect.isDraft
            ? makeResource(client, dialect.toplevel, version: version, id: id, Member.draftRequests, owner: self)
            : makeResource(client, dialect.toplevel, version: version, id: id, Member.requests, owner: self)
        return resource != nil
    }

    func attach(_ use: Use, _ name: Name, _ toplevel: WaylandResource?, _ window: SessionManagement.Toplevel?) {
        self.use = use
        self.name = name
        self.toplevel = toplevel
        self.window = window
        name.member = self
        if let window { use.all.named(window, title) }
    }

    private var title: String { "\(use?.session?.id ?? "")/\(String(decoding: name?.text ?? [], as: UTF8.self))" }

    func watch(gone: UnsafeMutablePointer<wl_signal>, commit: UnsafeMutablePointer<wl_signal>?) {
        toplevelGone = Listener(gone) { [unowned self] _ in detach() }
        guard let commit else { return }
        firstCommit = Listener(commit) { [unowned self] _ in
            firstCommit = nil
            if dialect.isDraft {
                xx_toplevel_session_v1_send_restored(resource, toplevel)
            } else {
                xdg_toplevel_session_v1_send_restored(resource)
            }
        }
    }

    func detach() {
        firstCommit = nil
        toplevelGone = nil
        name?.member = nil
        name = nil
        if let window { use?.all.left(window) }
        window = nil
        let use = use
        self.use = nil
        use?.forget(self)
    }

    func resourceDestroyed() { detach() }

    private func rename(_ text: UnsafePointer<CChar>) {
        guard let name, let use, let session = use.session, use.check(text) else { return }
        let wanted = bytes(text)
        let other = session.name(wanted)
        guard other !== name else { return }
        guard other == nil else { return use.refuseNameInUse() }
        name.text = wanted
        use.all.touch(session)
        if let window { use.all.renamed(window, title) }
    }
}
