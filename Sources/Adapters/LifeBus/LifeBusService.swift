import Callers
import Clocks
import Geometry
import LifeService
import Lifecycle
import MessageBus
import Processes
import Windows

/// The object `/org/mullion/Life1` and its callers. The kernel says which process a caller is; that decides the app.
final class LifeBusService {
    static let name = "org.mullion.Life1"
    static let interface = name
    static let path = "/org/mullion/Life1"

    /// Connections whose owner the bus has not named yet.
    static let strangerLimit = 256
    /// Calls of a connection that has not been identified yet.
    static let waitingLimit = 64
    /// Calls of all connections that are not identified yet. Each call can bring hundreds of files.
    static let allWaitingLimit = 512

    unowned let bus: LifeBus
    private var clients: [String: LifeBusClient] = [:]
    /// The things that each owner holds, counted against its quotas (P-06).
    var holdings = Holdings()
    private var rates = Rates()
    private(set) lazy var sessions = SessionManager(self)
    private(set) lazy var screenSaver = ScreenSaver(self)
    private(set) lazy var views = ViewService(self)
    private(set) lazy var files = FileService(self)
    private(set) lazy var shares = ShareService(self)
    private(set) lazy var portals = PortalService(self)
    let look = LookPortal()
    private(set) lazy var permissions = BackgroundPermissions(self)

    init(_ bus: LifeBus) { self.bus = bus }

    func export(on bus: BusConnection) {
        bus.export(
            Self.interface, below: Self.path,
            [
                .method("BeginTask", takes: "s", gives: "t"), .method("SetProgress", takes: "td"), .method("EndTask", takes: "t"),
                .method("FinishTask", takes: "ts"),
                .method("OfferState", takes: "s", gives: "tay"), .method("WithdrawState", takes: "t"),
                .method("SubmitState", takes: "tuay"), .method("NoState", takes: "tu"), .method("StateChanged", takes: "t"),
                .method("Watch", gives: "s"),
                .signal("SaveState", "tu"), .signal("TaskExpires", "tu"), .signal("TaskExpired", "t"),
                .signal("PhaseChanged", "s"), .signal("Resumed", "u"), .signal("MemoryLow", ""),
                .property("Version", "u"),
            ])
        sessions.export(on: bus)
        screenSaver.export(on: bus)
        views.export(on: bus)
        portals.export(on: bus)
        look.export(on: bus)
    }

    func start() {
        sessions.start { [unowned bus] in bus.serves() }
        screenSaver.start()
        views.start()
        portals.start()
        permissions.start()
        bus.link.own(Self.name, .inTurn, note: bus.onNote) { [unowned self] isOwn in
            if isOwn == false { bus.onNote("another program serves \(Self.name) on this session bus") }
        }
    }

    // MARK: Callers

    func method(_ call: Incoming) -> Int32 {
        if let client = clients[call.sender] {
            if client.isIdentified { return serve(call, client) }
            // The limit over all connections does not apply to the first call of a connection.
            guard client.waiting.count < Self.waitingLimit,
                client.waiting.isEmpty || clients.values.reduce(0, { $0 + $1.waiting.count }) < Self.allWaitingLimit
            else { return call.refuse(error(.tooMany, "too many calls at once", call)) }
        } else if isCrowded {
            return call.refuse(error(.tooMany, "too many programs begin to use this service at once", call))
        }
        let held = call.keep()
        withClient(call.sender) { [unowned self] client in
            if let client {
                _ = serve(held.call, client)
            } else {
                _ = held.call.refuse(error(.tooMany, "the program has too many connections to this service", held.call))
            }
        }
        return 1
    }

    private var isCrowded: Bool { clients.values.count(where: { !$0.isIdentified }) >= Self.strangerLimit }

    /// Calls `body` as soon as the connection is identified, perhaps at once; with nil if there is none.
    func withClient(_ owner: String, _ body: @escaping (LifeBusClient?) -> Void) {
        if let client = clients[owner] {
            if client.isIdentified { body(client) } else { client.waiting.append(body) }
            return
        }
        guard !isCrowded else { return body(nil) }
        // Watch before asking. If the connection ends in between, either the signal comes or the query fails.
        let watch = bus.connection?.watch(
            "type='signal',sender='\(LifeBus.bus)',interface='\(LifeBus.bus)',member='NameOwnerChanged',arg0='\(owner)'")
        let client = LifeBusClient(owner, self, watch)
        client.waiting.append(body)
        clients[owner] = client
        bus.callBus("GetConnectionUnixProcessID", { $0.string(owner) }) { [unowned self] answer in
            guard clients[owner] === client else { return }
            guard let process = (try? answer.get())?.uint32() else { return clientGone(owner) }
            client.identify(Int32(clamping: process))
            guard holdings.take(.lifeConnections, for: client.owner) else {
                clients[owner] = nil
                return end(client, isCounted: false)
            }
            let waiting = client.waiting
            client.waiting = []
            for body in waiting { body(client) }
        }
    }

    func clientGone(_ owner: String) {
        guard let client = clients.removeValue(forKey: owner) else { return }
        end(client)
    }

    private func end(_ client: LifeBusClient, isCounted: Bool = true) {
        if isCounted, client.isIdentified { holdings.giveBack(.lifeConnections, for: client.owner) }
        let waiting = client.waiting
        client.end()
        sessions.clientGone(client)
        views.clientGone(client)
        shares.clientGone(client)
        portals.ownerGone(client.name)
        for body in waiting { body(nil) }
    }

    func forgetAll() {
        let all = clients.values
        clients = [:]
        for client in all { end(client) }
    }

    private func serve(_ call: Incoming, _ client: LifeBusClient) -> Int32 {
        guard rates.take(.lifeCalls, for: client.owner, at: Moment(nanoseconds: Clocks.monotonicNanoseconds)) else {
            return call.refuse(error(.tooMany, "more than 100 calls in a second: slow down", call))
        }
        guard let host = bus.host, let caller = client.caller else { return call.refuse(error(.noApp, "the session ends", call)) }
        if let door = Self.door(of: call), !host.allows(door, caller) {
            return call.refuse(error(.denied, "a program in a sandbox may not use \(call.interface).\(call.member)", call))
        }
        do throws(LifeError) {
            switch call.interface {
            case Self.interface: return try client.handle(call, host)
            case ScreenSaver.name: return screenSaver.handle(call)
            case ViewService.name where call.member == "View": return try files.handle(call, client, caller)
            case ViewService.name where call.member == "Share": return try shares.handle(call, client, caller)
            case ViewService.name: return try views.handle(call, client, caller)
            case let interface where PortalService.serves(interface): return try portals.handle(call, client, caller)
            default: return try sessions.handle(call, client, caller)
            }
        } catch {
            return call.refuse(self.error(error.kind, error.text, call))
        }
    }

    /// The permission that a call needs; nil: every program may make it. Permissions for single apps are checked where the app is read.
    private static func door(of call: Incoming) -> Identity.BusDoor? {
        switch (call.interface, call.member) {
        case (interface, _): .life
        case (ViewService.name, _): .views
        case (let name, _) where PortalService.serves(name): .portals
        case (SessionManager.inhibitorInterface, _), (SessionManager.name, "GetInhibitors"): .listInhibitors
        case (SessionManager.name, "Logout"): .logOut
        case (SessionManager.name, "Inhibit"), (SessionManager.name, "Uninhibit"): .inhibit
        case (SessionManager.name, "RegisterClient"), (SessionManager.name, "UnregisterClient"), (SessionManager.clientInterface, _):
            .register
        default: nil
        }
    }

    private func error(_ kind: LifeError.Kind, _ text: String, _ call: Incoming) -> BusError {
        guard call.interface.hasPrefix("org.mullion.") else {
            // The standard error names of D-Bus, which toolkits know.
            let name =
                switch kind {
                case .tooMany, .tooLarge: "LimitsExceeded"
                case .badParameter, .unknown, .nameInUse, .badFile: "InvalidArgs"
                case .noApp: "Failed"
                case .denied: "AccessDenied"
                }
            return BusError(name: "org.freedesktop.DBus.Error.\(name)", text: text)
        }
        return BusError(name: "\(call.interface).Error." + kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst(), text: text)
    }

    // MARK: Signals

    /// Sends a signal to this client only.
    func emit(_ client: LifeBusClient, _ member: String, _ write: @escaping (inout Outgoing) -> Void = { _ in }) {
        emit(client, Self.path, Self.interface, member, write)
    }

    func emit(
        _ client: LifeBusClient, _ path: String, _ interface: String, _ member: String, _ write: @escaping (inout Outgoing) -> Void
    ) {
        send(Outbox.Signal(path: path, interface: interface, member: member, write: write), to: client)
        bus.reportChange()
    }

    private func send(_ signal: Outbox.Signal, to client: LifeBusClient) {
        switch client.outbox.add(signal) {
        case .send(let signal): put(signal, to: client)
        case .sendAndAsk(let signal):
            put(signal, to: client)
            ask(client)
        case .giveUp:
            bus.onNote("process \(client.process) does not take its messages: its state and its tasks are forgotten")
            clientGone(client.name)
        case .wait: break
        }
    }

    private func put(_ signal: Outbox.Signal, to client: LifeBusClient) {
        bus.connection?.emit(signal.path, signal.interface, signal.member, to: client.name, signal.write)
    }

    /// The reply may take as long as the client is frozen.
    private func ask(_ client: LifeBusClient) {
        bus.call(
            client.name, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: 7 * 24 * 3_600_000,
            done: { [weak self, weak client] _ in
                guard let self, let client else { return }
                for signal in client.outbox.answered() { send(signal, to: client) }
            })
    }
}
