import Callers
import LifeService
import Lifecycle
import MessageBus

/// `org.gnome.SessionManager`, which toolkits and portals use: instances of apps to restore, inhibitors, and programs that
/// take part in the end of the session. It translates and enforces limits; `SessionHost` decides.
final class SessionManager {
    static let name = "org.gnome.SessionManager"
    static let path = "/org/gnome/SessionManager"
    static let inhibitorInterface = "\(name).Inhibitor", clientInterface = "\(name).ClientPrivate"

    private struct Held {
        weak var owner: LifeBusClient?
        /// The owner whose quota it uses.
        let payer: Owner
        let app: String
        let reason: String
        let kinds: Inhibitor.Kinds
    }

    private struct Registered {
        weak var owner: LifeBusClient?
        let payer: Owner
        let app: String
    }

    private struct Instance {
        let app: String
        /// The connection that asked for it, and its owner: a portal asks for other apps.
        let asker: String, owner: String
        let payer: Owner
    }

    private unowned let service: LifeBusService
    private var instances: [String: Instance] = [:]
    private var inhibitors: [InhibitorID: Held] = [:]
    private var clients: [SessionClientID: Registered] = [:]

    init(_ service: LifeBusService) { self.service = service }

    private var host: (any SessionHost)? { service.bus.sessionHost }

    /// Takes one of these for the app that a caller is, or that a portal names (P-06).
    private func take(_ quota: Quota, _ what: String, of app: String, by caller: LifeCaller) throws(LifeError) -> Owner {
        let payer = service.bus.host?.owner(of: caller, naming: app) ?? .user
        if let objection = service.holdings.objection(quota, for: payer, what) { throw LifeError(.tooMany, objection) }
        _ = service.holdings.take(quota, for: payer)
        return payer
    }

    func export(on bus: BusConnection) {
        bus.export(
            Self.name, below: Self.path,
            [
                .method("RegisterRestore", takes: "ss", gives: "usas"), .method("UnregisterRestore", takes: "ss"),
                .method("DeletedInstanceIds", takes: "sas"),
                .method("Inhibit", takes: "susu", gives: "u"), .method("Uninhibit", takes: "u"),
                .method("IsInhibited", takes: "u", gives: "b"), .method("GetInhibitors", gives: "ao"),
                .method("RegisterClient", takes: "ss", gives: "o"), .method("UnregisterClient", takes: "o"),
                .method("Logout", takes: "u"), .method("IsSessionRunning", gives: "b"),
                .signal("InhibitorAdded", "o"), .signal("InhibitorRemoved", "o"),
                .signal("ClientAdded", "o"), .signal("ClientRemoved", "o"), .signal("SessionOver", ""),
                .property("SessionName", "s"), .property("SessionIsActive", "b"), .property("InhibitedActions", "u"),
                .property("RestoreSupported", "b"),
            ])
        bus.export(
            Self.inhibitorInterface, below: Self.path,
            [
                .method("GetAppId", gives: "s"), .method("GetClientId", gives: "o"), .method("GetReason", gives: "s"),
                .method("GetFlags", gives: "u"),
            ])
        bus.export(
            Self.clientInterface, below: Self.path,
            [
                .method("EndSessionResponse", takes: "bs"),
                .signal("Stop", ""), .signal("QueryEndSession", "u"), .signal("EndSession", "u"), .signal("CancelEndSession", ""),
            ])
    }

    /// Takes the bus name if no other program owns it: in another desktop, programs use that desktop's session manager. Calls `done` when
    /// that is decided.
    func start(_ done: @escaping () -> Void) {
        guard host != nil else { return done() }
        service.bus.link.own(Self.name, note: service.bus.onNote) { [unowned service] isOwn in
            if isOwn == false { service.bus.onNote("another session manager serves this session bus") }
            done()
        }
    }

    /// The session ends.
    func stop() { for id in clients.keys.sorted() { emit(id, "Stop", flags: nil) } }

    // MARK: Objects

    static func path(of id: InhibitorID) -> String { "\(path)/Inhibitor\(id.raw)" }
    static func path(of id: SessionClientID) -> String { "\(path)/Client\(id.raw)" }

    private func inhibitor(at path: String) -> InhibitorID? { inhibitors.keys.first { Self.path(of: $0) == path } }
    private func client(at path: String) -> SessionClientID? { clients.keys.first { Self.path(of: $0) == path } }

    func has(_ path: String, _ interface: String) -> Bool {
        guard host != nil else { return false }
        switch interface {
        case Self.name: return path == Self.path
        case Self.inhibitorInterface: return inhibitor(at: path) != nil
        case Self.clientInterface: return client(at: path) != nil
        default: return false
        }
    }

    private var inhibited: Inhibitor.Kinds { inhibitors.values.reduce(into: []) { $0.formUnion($1.kinds) } }

    func get(_ property: String, _ value: inout Outgoing) {
        switch property {
        case "SessionName": value.string("mullion")
        case "SessionIsActive": value.bool(true)
        case "InhibitedActions": value.uint32(inhibited.rawValue)
        default: value.bool(true)
        }
    }

    // MARK: Calls

    func handle(_ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard let host else { return -95 }
        switch call.interface {
        case Self.inhibitorInterface: return describe(call)
        case Self.clientInterface: return try answer(call, client, host)
        default: break
        }
        switch call.member {
        case "RegisterRestore": return try begin(call, client, caller, host)
        case "UnregisterRestore":
            let app = try app(call), id = try text(call, "an instance", SessionLimits.app)
            guard let instance = instances[id], instance.app == app, call.sender == instance.asker || call.sender == instance.owner else {
                throw LifeError(.unknown, "this program has no instance \(id) of \(app)")
            }
            instances[id] = nil
            service.holdings.giveBack(.instances, for: instance.payer)
            host.finishInstance(id, of: app)
        case "DeletedInstanceIds":
            let app = try app(call), ids = call.array(of: "s", limit: SessionLimits.ids + 1) { call.string() }
            guard let ids else { throw LifeError(.badParameter, "an array of strings is expected") }
            guard ids.count <= SessionLimits.ids else { throw LifeError(.tooLarge, "at most \(SessionLimits.ids) ids are taken at once") }
            try require(app, caller, host)
            host.deletedInstances(ids, of: app)
        case "Inhibit": return try inhibit(call, client, caller, host)
        case "Uninhibit":
            let id = InhibitorID(call.uint32() ?? 0)
            guard inhibitors[id]?.owner === client else { throw LifeError(.unknown, "this program has no \(id)") }
            host.uninhibit(id)
            remove(id)
        case "IsInhibited":
            let kinds = Inhibitor.Kinds(rawValue: call.uint32() ?? 0)
            return call.reply { $0.bool(!inhibited.isDisjoint(with: kinds)) }
        case "GetInhibitors":
            let paths = inhibitors.keys.sorted().map(Self.path)
            return call.reply { $0.container(.array, "o") { for path in paths { $0.path(path) } } }
        case "RegisterClient": return try register(call, client, caller, host)
        case "UnregisterClient":
            guard let id = call.objectPath().flatMap(self.client(at:)), clients[id]?.owner === client else {
                throw LifeError(.unknown, "this program has no such client")
            }
            host.unregisterClient(id)
            remove(id)
        case "Logout":
            let mode = call.uint32() ?? 0
            guard mode < 4 else { throw LifeError(.badParameter, "the mode is \(mode), and goes from 0 to 3") }
            try host.logOut(isForced: mode & 2 != 0, by: caller)
        case "IsSessionRunning": return call.reply { $0.bool(host.isSessionRunning) }
        default: return -95
        }
        return call.reply { _ in }
    }

    /// A portal names the connection of the app that it acts for.
    private func begin(_ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller, _ host: any SessionHost) throws(LifeError) -> Int32
    {
        let app = try app(call), name = try text(call, "a name on the bus", SessionLimits.app)
        try require(app, caller, host)
        let payer = try take(.instances, "instances", of: app, by: caller)
        guard !name.isEmpty, name != client.name else { return reply(call, app, client, payer) }
        guard name.hasPrefix(":") else {
            service.holdings.giveBack(.instances, for: payer)
            throw LifeError(.badParameter, "\"\(name)\" is no connection: such as \":1.5\"")
        }
        let held = call.keep()
        service.withClient(name) { [weak self] other in
            guard let other else {
                self?.service.holdings.giveBack(.instances, for: payer)
                return _ = held.call.refuse("InvalidArgs", "there is no connection \(name)")
            }
            _ = self?.reply(held.call, app, other, payer)
        }
        return 1
    }

    private func reply(_ call: Incoming, _ app: String, _ client: LifeBusClient, _ payer: Owner) -> Int32 {
        guard let host, let caller = client.caller else {
            service.holdings.giveBack(.instances, for: payer)
            return call.refuse("Failed", "the session ends")
        }
        let started = host.beginInstance(of: app, by: caller)
        instances[started.id] = Instance(app: app, asker: call.sender, owner: client.name, payer: payer)
        return call.reply {
            $0.uint32(started.reason.rawValue)
            $0.string(started.id)
            $0.container(.array, "s") { for id in started.discarded { $0.string(id) } }
        }
    }

    private func inhibit(
        _ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller, _ host: any SessionHost
    ) throws(LifeError) -> Int32 {
        let app = try text(call, "an app's id", SessionLimits.app)
        _ = call.uint32()
        let reason = try text(call, "a reason", SessionLimits.reason)
        guard let raw = call.uint32(), raw != 0, raw <= Inhibitor.Kinds.all.rawValue else {
            throw LifeError(
                .badParameter, "the flags name nothing that can be inhibited: they go from 1 to \(Inhibitor.Kinds.all.rawValue)")
        }
        let before = inhibited
        let id = try take(Inhibitor.Kinds(rawValue: raw), app: app, reason: reason, client, caller, host)
        let status = call.reply { $0.uint32(id.raw) }
        tellAdded(id, since: before)
        return status
    }

    private func take(
        _ kinds: Inhibitor.Kinds, app: String, reason: String, _ client: LifeBusClient, _ caller: LifeCaller, _ host: any SessionHost
    ) throws(LifeError) -> InhibitorID {
        let payer = try take(.inhibitors, "inhibitors", of: app, by: caller)
        let id = host.inhibit(kinds, app: app, reason: reason, by: caller)
        inhibitors[id] = Held(owner: client, payer: payer, app: app, reason: reason, kinds: kinds)
        return id
    }

    /// An inhibitor that a portal asks for in an app's name.
    func hold(
        _ kinds: Inhibitor.Kinds, app: String, reason: String, _ client: LifeBusClient, _ caller: LifeCaller
    ) throws(LifeError) -> InhibitorID {
        guard let host else { throw LifeError(.noApp, "another session manager serves this session") }
        let before = inhibited
        let id = try take(kinds, app: app, reason: reason, client, caller, host)
        tellAdded(id, since: before)
        return id
    }

    /// Ends an inhibitor that a portal asked for. A person may have ended it.
    func release(_ id: InhibitorID) {
        guard inhibitors[id] != nil else { return }
        host?.uninhibit(id)
        remove(id)
    }

    private func tellAdded(_ id: InhibitorID, since before: Inhibitor.Kinds) {
        tell("InhibitorAdded", Self.path(of: id))
        tellInhibited(since: before)
    }

    private func register(
        _ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller, _ host: any SessionHost
    ) throws(LifeError) -> Int32 {
        let app = try text(call, "an app's id", SessionLimits.app)
        let payer = try take(.sessionClients, "clients of the session", of: app, by: caller)
        let id = host.registerClient(app: app, by: caller)
        clients[id] = Registered(owner: client, payer: payer, app: app)
        let status = call.reply { $0.path(Self.path(of: id)) }
        tell("ClientAdded", Self.path(of: id))
        return status
    }

    private func describe(_ call: Incoming) -> Int32 {
        guard let held = inhibitor(at: call.path).flatMap({ inhibitors[$0] }) else { return -95 }
        switch call.member {
        case "GetAppId": return call.reply { $0.string(held.app) }
        case "GetReason": return call.reply { $0.string(held.reason) }
        case "GetFlags": return call.reply { $0.uint32(held.kinds.rawValue) }
        case "GetClientId":
            let client = clients.filter { $0.value.owner === held.owner }.keys.min()
            return call.reply { $0.path(client.map(Self.path) ?? "/") }
        default: return -95
        }
    }

    private func answer(_ call: Incoming, _ client: LifeBusClient, _ host: any SessionHost) throws(LifeError) -> Int32 {
        guard let id = self.client(at: call.path), clients[id]?.owner === client else {
            throw LifeError(.unknown, "this is another program's client")
        }
        guard let isOK = call.bool() else { throw LifeError(.badParameter, "a truth value is expected") }
        let reason = try text(call, "a reason", SessionLimits.reason)
        let status = call.reply { _ in }
        host.clientAnswered(id, objection: isOK ? nil : reason)
        return status
    }

    /// A program in a sandbox speaks only for itself.
    private func require(_ app: String, _ caller: LifeCaller, _ host: any SessionHost) throws(LifeError) {
        guard host.mayRestore(app, caller) else {
            throw LifeError(.denied, "a program in a sandbox speaks for no other app, such as \(app)")
        }
    }

    private func app(_ call: Incoming) throws(LifeError) -> String {
        let app = try text(call, "an app's id", SessionLimits.app)
        guard !app.isEmpty else { throw LifeError(.badParameter, "the app's id is empty") }
        return app
    }

    private func text(_ call: Incoming, _ what: String, _ most: Int) throws(LifeError) -> String {
        guard let text = call.string() else { throw LifeError(.badParameter, "\(what) is expected") }
        guard text.utf8.count <= most else {
            throw LifeError(.badParameter, "\(what) has \(text.utf8.count) bytes, and may have \(most)")
        }
        return text
    }

    // MARK: Ends of inhibitors and clients

    /// The connection ended: its inhibitors and registrations end with it.
    func clientGone(_ client: LifeBusClient) {
        for (id, held) in inhibitors where held.owner == nil || held.owner === client {
            host?.uninhibit(id)
            remove(id)
        }
        for (id, registered) in clients where registered.owner == nil || registered.owner === client {
            host?.unregisterClient(id)
            remove(id)
        }
        for (id, instance) in instances where instance.owner == client.name {
            instances[id] = nil
            service.holdings.giveBack(.instances, for: instance.payer)
            host?.instanceGone(id, of: instance.app)
        }
    }

    /// A person or its program ended it.
    func remove(_ id: InhibitorID) {
        let before = inhibited
        guard let held = inhibitors.removeValue(forKey: id) else { return }
        service.holdings.giveBack(.inhibitors, for: held.payer)
        tell("InhibitorRemoved", Self.path(of: id))
        tellInhibited(since: before)
    }

    private func remove(_ id: SessionClientID) {
        if let gone = clients.removeValue(forKey: id) { service.holdings.giveBack(.sessionClients, for: gone.payer) }
        tell("ClientRemoved", Self.path(of: id))
    }

    // MARK: Signals

    /// Sends a signal to every connection.
    private func tell(_ member: String, _ path: String) {
        service.bus.connection?.emit(Self.path, Self.name, member) { $0.path(path) }
        service.bus.reportChange()
    }

    private func tellInhibited(since before: Inhibitor.Kinds) {
        let now = inhibited
        guard now != before else { return }
        service.bus.connection?.emit(Self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged") {
            $0.string(Self.name)
            $0.container(.array, "{sv}") {
                $0.container(.entry, "sv") {
                    $0.string("InhibitedActions")
                    $0.container(.variant, "u") { $0.uint32(now.rawValue) }
                }
            }
            $0.container(.array, "s") { _ in }
        }
        service.bus.reportChange()
    }

    func sessionEnds() {
        service.bus.connection?.emit(Self.path, Self.name, "SessionOver")
        service.bus.reportChange()
    }

    func emit(_ id: SessionClientID, _ member: String, flags: UInt32?) {
        guard let owner = clients[id]?.owner else { return }
        service.emit(owner, Self.path(of: id), Self.clientInterface, member) { if let flags { $0.uint32(flags) } }
    }
}
