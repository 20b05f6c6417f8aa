import AudioSessions
import Callers
import MessageBus

/// `org.mullion.AudioSession1`: apps declare sessions and learn their state (docs/audio-api.md).
///
/// The app is identified by its connection. A session belongs to the connection that made it, and ends with it.
final class SessionService {
    static let name = "org.mullion.AudioSession1"
    static let manager = "org.mullion.AudioSession1.Manager"
    static let session = "org.mullion.AudioSession1.Session"
    static let root = "/org/mullion/AudioSession1"
    static let prefix = root + "/session/"

    /// Calls of a connection that is not identified yet, and such connections.
    static let callsBefore = 32, strangerLimit = 64
    /// Unanswered requests per connection.
    static let waitingLimit = 64

    struct Session {
        let id: SessionID
        let owner: String
        var path: String { SessionService.prefix + "\(id.raw)" }
        /// The state that its owner was told last.
        var told = SessionState.inactive
    }

    /// A connection that has sessions, or is about to.
    struct Client {
        let owner: String
        var process: Int32 = 0
        var app: AudioApp?
        /// The owner whose quotas it uses.
        var payer = Owner.user
        let watch: BusWatch?
        /// Calls that wait until the client is identified.
        var waiting: [HeldCall] = []
        var sessions: Set<SessionID> = []
        var outbox = Outbox()
    }

    /// A call that waits for the reply of the core.
    private struct Question {
        var call: HeldCall
        var session: SessionID
    }

    unowned let bus: AudioBus
    private(set) var sessions: [SessionID: Session] = [:]
    var clients: [String: Client] = [:]
    private var questions: [ReplyID: Question] = [:]
    private var lastSession: UInt64 = 0
    private var lastReply: UInt64 = 0
    private var shown = AudioSummary()
    private var ports = PortNames()

    init(_ bus: AudioBus) { self.bus = bus }

    // MARK: The service

    func export(on bus: BusConnection) {
        bus.export(
            Self.manager, below: Self.root,
            [
                .method("CreateSession", gives: "o"), .method("PlaySystemSound", takes: "ss"),
                .property("Version", "u"), .property("CurrentRoute", "a{sv}"), .property("OutputVolume", "d"),
                .property("InputAvailable", "b"),
            ])
        bus.export(
            Self.session, below: Self.root + "/session",
            [
                .method("SetCategory", takes: "ssas"), .method("Activate"), .method("Deactivate", takes: "b"),
                .method("SetLevel", takes: "d"), .method("SetCommands", takes: "asa{sv}"),
                .method("SetNowPlaying", takes: "a{sv}"), .method("SetCallState", takes: "s"),
                .method("ShowVolume", takes: "b"), .method("PreferInput", takes: "s"), .method("Close"),
                .signal("InterruptionBegan", "s"), .signal("InterruptionEnded", "b"), .signal("RouteChanged", "ua{sv}a{sv}"),
                .signal("SecondaryAudioHint", "b"), .signal("InputAvailabilityChanged", "b"),
                .signal("RemoteCommand", "sa{sv}"), .signal("CallCommand", "s"),
                .told("State", "s"), .told("CurrentRoute", "a{sv}"), .told("OutputVolume", "d"), .told("InputAvailable", "b"),
            ])
    }

    func start() {
        bus.link.own(Self.name, .inTurn, note: bus.onNote) { [unowned self] isOwn in
            if isOwn == false { bus.onNote("another program serves \(Self.name) on this session bus") }
        }
    }

    func forgetAll() {
        questions = [:]
        for (id, session) in sessions.sorted(by: { $0.key < $1.key }) {
            bus.holdings.giveBack(.audioSessions, for: clients[session.owner]?.payer ?? .user)
            bus.report(.sessionClosed(id))
        }
        sessions = [:]
        clients = [:]
    }

    // MARK: Calls

    func has(_ path: String, _ interface: String) -> Bool {
        interface == Self.manager ? path == Self.root : id(path).map { sessions[$0] != nil } ?? false
    }

    private func id(_ path: String) -> SessionID? {
        guard path.hasPrefix(Self.prefix), let raw = UInt64(path.dropFirst(Self.prefix.utf8.count)) else { return nil }
        // Numbers can be written in several ways, but an object has only one path.
        return path == Self.prefix + "\(raw)" ? SessionID(raw) : nil
    }

    func method(_ call: Incoming) -> Int32 {
        let owner = call.sender
        if let client = clients[owner], client.app != nil, !bus.takes(.audioCalls, client.payer) {
            return call.refuse(Self.error(.tooMany, "more than 50 calls in a second: slow down"))
        }
        do throws(SessionError) {
            if call.interface == Self.manager { return try manage(call, owner) }
            guard let id = id(call.path), let session = sessions[id] else {
                return call.refuse(Self.error(.expiredSession, "the session is closed"))
            }
            guard session.owner == owner else {
                return call.refuse(BusError(name: "org.freedesktop.DBus.Error.AccessDenied", text: "the session is another program's"))
            }
            if call.member == "Close" {
                close(id)
                return call.reply { _ in }
            }
            let request = try SessionRequest(call)
            guard questions.values.lazy.filter({ $0.session == id }).count < Self.waitingLimit else {
                throw SessionError(.tooMany, "\(Self.waitingLimit) requests of this session wait for an answer")
            }
            lastReply += 1
            let reply = ReplyID(lastReply)
            questions[reply] = Question(call: call.keep(), session: id)
            bus.report(.sessionAsked(id, request, reply: reply))
            return 1
        } catch {
            return call.refuse(Self.error(error.kind, error.text))
        }
    }

    private func manage(_ call: Incoming, _ owner: String) throws(SessionError) -> Int32 {
        switch call.member {
        case "CreateSession":
            guard let client = clients[owner] else { return try meet(call, owner) }
            guard client.app != nil else {
                guard client.waiting.count < Self.callsBefore else { throw SessionError(.tooMany, "too many calls at once") }
                clients[owner]?.waiting.append(call.keep())
                return 1
            }
            return try create(call, owner)
        case "PlaySystemSound":
            guard let name = call.string(), let kind = call.string() else { throw SessionError(.badParameter, "two strings are expected") }
            let isName =
                (1...64).contains(name.utf8.count)
                && name.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
            guard isName else {
                throw SessionError(.badParameter, "the name of a sound is expected, such as \"message-new-instant\"")
            }
            let sound: SystemSoundKind = try SessionRequest.choice(kind, "kind")
            let held = call.keep()
            bus.callers.identify(call.sender) { [unowned bus] caller in
                guard let caller, bus.takes(.systemSounds, caller.owner) else {
                    _ = held.call.refuse(Self.error(.tooMany, "too many short sounds in a second"))
                    return
                }
                bus.report(.systemSound(name, sound))
                _ = held.call.reply { _ in }
            }
            return 1
        default: return -95
        }
    }

    /// Handles the first call of a connection by identifying the client.
    private func meet(_ call: Incoming, _ owner: String) throws(SessionError) -> Int32 {
        guard clients.values.count(where: { $0.app == nil }) < Self.strangerLimit else {
            throw SessionError(.tooMany, "too many programs begin to use this service at once")
        }
        // Watch before asking. If the connection ends in between, either the signal comes or the query fails.
        let watch = bus.connection?.watch(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
                + "arg0='\(owner)'")
        clients[owner] = Client(owner: owner, watch: watch, waiting: [call.keep()])
        bus.callBus("GetConnectionUnixProcessID", owner) { [unowned self] answer in
            guard let client = clients[owner] else { return }
            guard let process = try? answer.get().uint32() else { return clientGone(owner) }
            clients[owner]?.process = Int32(clamping: process)
            clients[owner]?.payer = bus.owner(Int32(clamping: process))
            clients[owner]?.app = AudioApp(process: Int32(clamping: process))
            clients[owner]?.waiting = []
            for held in client.waiting {
                do throws(SessionError) {
                    _ = try create(held.call, owner)
                } catch {
                    held.call.refuse(Self.error(error.kind, error.text))
                }
            }
            if clients[owner]?.sessions.isEmpty == true { clients[owner] = nil }
        }
        return 1
    }

    private func create(_ call: Incoming, _ owner: String) throws(SessionError) -> Int32 {
        guard let client = clients[owner], let app = client.app else { return -95 }
        // A program with many connections or processes still counts once.
        if let objection = bus.holdings.objection(.audioSessions, for: client.payer, "sessions") {
            throw SessionError(.tooMany, "\(objection): close one first")
        }
        guard bus.mayOpen(app) else { throw SessionError(.tooMany, "this app has too many sessions: close one first") }
        _ = bus.holdings.take(.audioSessions, for: client.payer)
        lastSession += 1
        let session = Session(id: SessionID(lastSession), owner: owner)
        sessions[session.id] = session
        clients[owner]?.sessions.insert(session.id)
        bus.report(.sessionOpened(session.id, app))
        return call.reply { $0.path(session.path) }
    }

    // MARK: Ending

    private func close(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        bus.holdings.giveBack(.audioSessions, for: clients[session.owner]?.payer ?? .user)
        for (reply, question) in questions where question.session == id {
            question.call.call.refuse(Self.error(.expiredSession, "the session was closed"))
            questions[reply] = nil
        }
        bus.report(.sessionClosed(id))
        clients[session.owner]?.sessions.remove(id)
        if clients[session.owner]?.sessions.isEmpty == true { clients[session.owner] = nil }
    }

    func clientGone(_ owner: String) {
        guard let client = clients[owner] else { return }
        for id in client.sessions.sorted() { close(id) }
        clients[owner] = nil
    }

    /// Drops a client that does not read. It could not know the state of its sessions any more.
    func giveUp(_ owner: String) {
        guard let client = clients[owner] else { return }
        bus.onNote("\(client.app?.id ?? owner) does not take its messages: its audio sessions are closed")
        clientGone(owner)
    }

    // MARK: Signals to apps

    func answer(_ reply: ReplyID, _ answer: SessionAnswer) {
        guard let question = questions.removeValue(forKey: reply) else { return }
        tellState(question.session)
        switch answer {
        case .done: _ = question.call.call.reply { _ in }
        case .failed(let error): question.call.call.refuse(Self.error(error.kind, error.text))
        }
    }

    func tell(_ id: SessionID, _ notice: SessionNotice) {
        guard sessions[id] != nil else { return }
        tellState(id)
        switch notice {
        case .interruptionBegan(let reason):
            emit(id, "InterruptionBegan") { $0.string(reason.rawValue) }
        case .interruptionEnded(let shouldResume):
            emit(id, "InterruptionEnded") { $0.bool(shouldResume) }
        case .routeChanged(let reason, let previous, let current):
            let (before, after) = (ports.describe(previous), ports.describe(current))
            emit(id, "RouteChanged") {
                $0.uint32(reason.rawValue)
                $0.table(before)
                $0.table(after)
            }
        case .secondaryAudioHint(let isHeard): emit(id, "SecondaryAudioHint") { $0.bool(isHeard) }
        case .inputAvailable(let isThere):
            emit(id, "InputAvailabilityChanged") { $0.bool(isThere) }
        case .call(let command): emit(id, "CallCommand") { $0.string(command.rawValue) }
        case .command(let command):
            emit(id, "RemoteCommand") {
                $0.string(command.name.rawValue)
                $0.table(command.arguments)
            }
        }
    }

    func show(_ summary: AudioSummary) {
        let old = shown
        shown = summary
        ports.learn(summary)
        var changed: [String: BusValue] = [:]
        if summary.route != old.route { changed["CurrentRoute"] = .table(ports.describe(summary.route)) }
        if Self.volume(summary) != Self.volume(old) { changed["OutputVolume"] = .number(Self.volume(summary)) }
        if summary.inputs.isEmpty != old.inputs.isEmpty { changed["InputAvailable"] = .flag(!summary.inputs.isEmpty) }
        for id in sessions.keys.sorted() {
            tellState(id)
            if !changed.isEmpty { tellProperties(id, changed) }
        }
    }

    private func tellState(_ id: SessionID) {
        let state = bus.state(id)
        guard let session = sessions[id], session.told != state else { return }
        sessions[id]?.told = state
        tellProperties(id, ["State": .text(state.rawValue)])
    }

    private func tellProperties(_ id: SessionID, _ values: [String: BusValue]) {
        emit(id, "PropertiesChanged", of: "org.freedesktop.DBus.Properties") {
            $0.string(Self.session)
            $0.table(values)
            $0.texts([])
        }
    }

    func get(_ path: String, _ property: String, _ value: inout Outgoing) {
        // Without sessions the shell reports no changes, so the cached state may be stale.
        if sessions.isEmpty { show(bus.summary()) }
        switch property {
        case "Version": value.uint32(1)
        case "State": value.string((id(path).map { bus.state($0) } ?? .inactive).rawValue)
        case "CurrentRoute": value.table(ports.describe(shown.route))
        case "OutputVolume": value.double(Self.volume(shown))
        case "InputAvailable": value.bool(!shown.inputs.isEmpty)
        default: assertionFailure("exported, but not answered: \(property)")
        }
    }

    /// The volume that the user set; 0 while muted.
    private static func volume(_ summary: AudioSummary) -> Double {
        guard let output = summary.outputs.first(where: { $0.id == summary.route.output }) else { return 0 }
        return output.isMuted ? 0 : output.level
    }

    /// Error names follow `SessionError.Kind`.
    static func error(_ kind: SessionError.Kind, _ text: String) -> BusError {
        let name = kind.rawValue
        return BusError(name: "org.mullion.AudioSession1.Error." + name.prefix(1).uppercased() + name.dropFirst(), text: text)
    }
}
