import MessageBus

/// Connects one session to the shell: finds the service on the bus, creates the session there, and creates it again
/// when the shell restarts.
final class ServiceLink: ReplyLoop {
    static let service = "org.mullion.AudioSession1"
    private static let purpose = "serves audio sessions"
    private static let manager = "org.mullion.AudioSession1.Manager"
    private static let interface = "org.mullion.AudioSession1.Session"
    private static let root = "/org/mullion/AudioSession1"
    private static let bus = "org.freedesktop.DBus"
    private static let properties = "org.freedesktop.DBus.Properties"

    weak var session: AudioSession?
    private(set) var connection: BusConnection?
    /// The path of the session object; nil while the shell does not know the session.
    private(set) var path: String?
    /// The unique name of the shell; "" if there is none; nil if not known yet.
    private var owner: String?

    private struct Waiting {
        var member: String
        var toManager: Bool
        var write: (inout Outgoing) -> Void
        var reply: Reply<Void>
    }

    /// Requests made before the service is found.
    private var waiting: [Waiting] = []
    private let pending = PendingCalls()
    private var news: [() -> Void] = []
    private var isProcessing = false
    private var isClosing = false

    init(address: String?) throws(MullionError) {
        let address = try SessionBus.address(address)
        connection = BusConnection(address: address, handler: self)
        guard connection != nil else { throw .unreachable(address) }
    }

    func begin() {
        connection?.match(
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.service)'")
        connection?.match("type='signal',interface='\(Self.interface)'")
        connection?.match("type='signal',interface='\(Self.properties)',path_namespace='\(Self.root)'")
        call(Self.bus, "/org/freedesktop/DBus", Self.bus, "GetNameOwner", { $0.string(Self.service) }) { [unowned self] in
            // A signal may have reported it earlier.
            guard owner == nil else { return }
            found((try? $0.get().string()) ?? "")
        }
    }

    func close() {
        // The connection cannot be closed from a handler.
        guard !isProcessing else { return isClosing = true }
        guard let old = connection else { return }
        connection = nil
        owner = ""
        path = nil
        let unanswered = pending.removeAll()
        news = []
        for done in unanswered {
            done(.failure(BusError(name: "org.mullion.AudioSession1.Error.ExpiredSession", text: "the session was closed")))
        }
        failAll(MullionError(.expiredSession, "the session was closed"))
        while !news.isEmpty { news.removeFirst()() }
        session?.onLoopChange()
        old.close()
    }

    // MARK: Requests

    func send(_ member: String, _ write: @escaping (inout Outgoing) -> Void = { _ in }) -> Reply<Void> {
        send(Waiting(member: member, toManager: false, write: write, reply: Reply<Void>(self)))
    }

    func sendToManager(_ member: String, _ write: @escaping (inout Outgoing) -> Void) -> Reply<Void> {
        send(Waiting(member: member, toManager: true, write: write, reply: Reply<Void>(self)))
    }

    private func send(_ request: Waiting) -> Reply<Void> {
        guard connection != nil else {
            return Reply<Void>(failed: MullionError(.expiredSession, "the session is closed, or the bus was lost"))
        }
        if owner == "" {
            return Reply<Void>(failed: .absent(Self.purpose))
        }
        guard let owner, !owner.isEmpty, let path else {
            waiting.append(request)
            return request.reply
        }
        transmit(request, owner, path)
        return request.reply
    }

    private func transmit(_ request: Waiting, _ owner: String, _ path: String) {
        let reply = request.reply
        call(
            owner, request.toManager ? Self.root : path, request.toManager ? Self.manager : Self.interface, request.member,
            request.write
        ) { [unowned self] answer in
            let result = answer.map { _ in }.mapError { MullionError($0, Self.purpose) }
            news.append { reply.finish(result) }
        }
        session?.onLoopChange()
    }

    private func failAll(_ error: MullionError) {
        let requests = waiting
        waiting = []
        for request in requests { request.reply.finish(.failure(error)) }
    }

    private func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ write: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        pending.call(connection, destination, path, interface, member, write, done: done)
    }

    // MARK: Shell restarts

    private func found(_ name: String) {
        let before = owner
        owner = name
        path = nil
        if name.isEmpty {
            news.append { [unowned self] in
                failAll(.absent(Self.purpose))
                if before != nil, before != "" {
                    session?.state = .inactive
                    session?.onEvent(.serviceLost)
                }
            }
            return
        }
        call(name, Self.root, Self.manager, "CreateSession") { [unowned self] answer in
            guard owner == name else { return }
            switch answer {
            case .success(let message):
                path = message.objectPath()
                made(isFirst: before == nil)
            case .failure(let error):
                let error = MullionError(error, Self.purpose)
                owner = ""
                news.append { [unowned self] in failAll(error) }
            }
        }
    }

    /// Reads the state, and repeats the requests that were sent to the previous shell.
    private func made(isFirst: Bool) {
        guard let owner, let path else { return }
        call(owner, path, Self.properties, "GetAll", { $0.string(Self.interface) }) { [unowned self] in
            if let values = try? $0.get().table() { take(values, isNews: false) }
        }
        let requests = waiting
        waiting = []
        if !isFirst { restate() }
        for request in requests { transmit(request, owner, path) }
        news.append { [unowned self] in session?.onEvent(.serviceReturned) }
    }

    private func restate() {
        guard let session else { return }
        let wishes = session.wishes
        if let (category, mode, options) = wishes.category { session.setCategory(category, mode: mode, options: options) }
        if let level = wishes.level { session.setLevel(level) }
        if let (commands, forward, backward) = wishes.commands {
            session.setCommands(commands, skipForward: forward, skipBackward: backward)
        }
        if let (info, status) = wishes.nowPlaying { session.setNowPlaying(info, status: status) }
        guard wishes.isActive else { return }
        session.activate().whenDone { [weak session] in
            guard case .failure = $0, let session else { return }
            session.wishes.isActive = false
            session.onEvent(.interruptionBegan(.standard))
            session.onEvent(.interruptionEnded(shouldResume: false))
        }
    }

    private func take(_ values: [String: BusValue], isNews: Bool) {
        guard let session else { return }
        if let state = values["State"]?.text.flatMap(AudioSession.State.init) { session.state = state }
        if let route = values["CurrentRoute"]?.table { session.currentRoute = AudioSession.Route(route) }
        if let isThere = values["InputAvailable"]?.flag { session.isInputAvailable = isThere }
        if let volume = values["OutputVolume"]?.number, volume != session.outputVolume {
            session.outputVolume = volume
            if isNews { news.append { [weak session] in session?.onEvent(.outputVolumeChanged(volume)) } }
        }
    }

    // MARK: Event loop

    var timeout: Int32 { BusConnection.milliseconds(until: connection?.deadline) }

    func process() {
        guard !isProcessing, let connection else { return }
        // The app may release its session inside a callback.
        let me = self
        defer { withExtendedLifetime(me) {} }
        isProcessing = true
        let lives = connection.process(steps: 64)
        // Callbacks may cause further callbacks.
        while !news.isEmpty { news.removeFirst()() }
        isProcessing = false
        if !lives || isClosing {
            let wasServed = owner != nil && owner != ""
            close()
            if !isClosing, wasServed {
                session?.state = .inactive
                session?.onEvent(.serviceLost)
            }
        }
        session?.onLoopChange()
    }

    func wait(seconds: Double) {
        guard let connection else { return }
        connection.wait(milliseconds: timeout, seconds: seconds)
        process()
    }
}

extension ServiceLink: BusHandler {
    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        pending.answer(token, answer)
    }

    package func signal(_ signal: Incoming) {
        if signal.interface == Self.bus, signal.sender == Self.bus {
            guard signal.string() == Self.service, signal.string() != nil, let new = signal.string() else { return }
            return found(new)
        }
        guard signal.sender == owner, signal.path == path else { return }
        if signal.interface == Self.properties {
            guard signal.string() == Self.interface, let values = signal.table() else { return }
            return take(values, isNews: true)
        }
        guard let event = event(signal) else { return }
        news.append { [unowned self] in session?.onEvent(event) }
    }

    private func event(_ signal: Incoming) -> AudioSession.Event? {
        switch signal.member {
        case "InterruptionBegan":
            return .interruptionBegan(AudioSession.InterruptionReason(signal.string() ?? ""))
        case "InterruptionEnded": return .interruptionEnded(shouldResume: signal.value()?.flag ?? false)
        case "RouteChanged":
            let reason = signal.uint32().flatMap(AudioSession.RouteChangeReason.init) ?? .unknown
            guard let previous = signal.table(), let current = signal.table() else { return nil }
            session?.currentRoute = AudioSession.Route(current)
            return .routeChanged(reason, previous: AudioSession.Route(previous), current: AudioSession.Route(current))
        case "CallCommand": return signal.string().flatMap { AudioSession.CallCommand(rawValue: $0) }.map { .call($0) }
        case "SecondaryAudioHint": return signal.value()?.flag.map { .secondaryAudioHint($0) }
        case "InputAvailabilityChanged":
            guard let isThere = signal.value()?.flag else { return nil }
            session?.isInputAvailable = isThere
            return .inputAvailable(isThere)
        case "RemoteCommand":
            guard let name = signal.string(), let values = signal.table() else { return nil }
            return AudioSession.RemoteCommand(name, values).map { .command($0) }
        default: return nil
        }
    }
}
