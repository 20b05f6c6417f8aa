import Descriptors
import Geometry
import Glibc
import Journal
import Logging
import Multitasking

/// The control socket (X-06): newline-delimited JSON for `mullion ctl`, scripts and tests. Only the same user may
/// connect. It decodes requests, asks its handler, and answers. `docs/control.md` describes the protocol.
public final class ControlServer {
    /// The path of the socket.
    public let path: String
    let sources: any LoopSources
    let logger: Logger
    private weak var handler: (any ControlHandler)?
    private var listener: Descriptor
    private var listening: (any LoopFile)?
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private var waits: [Wait] = []
    private var timer: (any LoopTimer)?
    /// When to accept clients again.
    private var resumption: Moment?
    private let mayEnter: (uid_t) -> Bool
    /// Bytes that may be queued for a client that does not read.
    let patience: Int

    private static let mostClients = 64
    /// Limit of `wait` requests over all clients, because each is checked after every change.
    private static let mostWaits = 256

    private struct Wait {
        var until: WaitRequest.Condition
        var deadline: Moment
        var patience: Double
        var reply: ControlReply
    }

    /// Opens the socket at `path`, in its own folder that only this user may enter (0700).
    ///
    /// - Parameters:
    ///   - patience: bytes that may be queued for a client before it is disconnected.
    ///   - letsIn: false keeps clients waiting at the socket until `letIn`, so that early ones do not see an
    ///     incomplete state.
    ///   - mayEnter: which users may connect.
    /// - Throws: `ControlError` if the folder or socket cannot be made, or another shell answers on it.
    public init(
        path: String, sources: any LoopSources, handler: any ControlHandler, logger: Logger, patience: Int = 48 << 20, letsIn: Bool = true,
        mayEnter: @escaping (uid_t) -> Bool = { $0 == geteuid() }
    ) throws(ControlError) {
        self.path = path
        self.sources = sources
        self.handler = handler
        self.logger = logger
        self.patience = patience
        self.mayEnter = mayEnter
        try ControlServer.makeFolder(ControlPath.folder(of: path))
        if let other = try? UnixSocket.connect(path) {
            Glibc.close(other)
            throw ControlError("another shell is at \(path)")
        }
        unlink(path)
        do {
            listener = Descriptor(try ControlServer.listen(at: path), owner: "control socket")
        } catch {
            throw ControlError("\(error)")
        }
        listening = sources.watch(fd: listener.number, read: letsIn, write: false) { [weak self] in self?.accept() }
        timer = sources.timer { [weak self] in
            self?.resumeListening()
            self?.turn()
        }
    }

    /// Accepts clients from now on, including those that already wait.
    public func letIn() { listening?.update(read: true, write: false) }

    /// Disconnects every client and removes the socket. Further calls do nothing.
    public func close() {
        guard let listening else { return }
        listening.remove()
        self.listening = nil
        timer?.remove()
        timer = nil
        listener.close()
        let ending = waits
        waits = []
        for wait in ending { wait.reply.refuse("the shell ends") }
        for connection in connections.values { connection.close() }
        connections = [:]
        unlink(path)
        rmdir(ControlPath.folder(of: path))
    }

    deinit { close() }

    private static func makeFolder(_ folder: String) throws(ControlError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw ControlError("the folder \(folder) for the control socket cannot be created: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw ControlError("\(folder) is not a folder owned by this user")
        }
        guard chmod(folder, 0o700) == 0 else {
            throw ControlError("\(folder) cannot be made private: \(String(cString: strerror(errno)))")
        }
    }

    private static func listen(at path: String) throws(UnixSocket.Failure) -> Int32 {
        let fd = try UnixSocket.make()
        do throws(UnixSocket.Failure) {
            let bound = try UnixSocket.withAddress(path) { bind(fd, $0, $1) }
            guard bound == 0 else { throw UnixSocket.Failure(what: "\(path) cannot be opened", code: errno) }
            guard chmod(path, 0o600) == 0, Glibc.listen(fd, 128) == 0 else {
                throw UnixSocket.Failure(what: "\(path) cannot be listened to", code: errno)
            }
        } catch {
            Glibc.close(fd)
            throw error
        }
        return fd
    }

    // MARK: Clients

    private func accept() {
        let fd = Glibc.accept(listener.number, nil, nil)
        guard fd >= 0 else {
            if errno != EAGAIN, errno != EINTR, errno != ECONNABORTED { pauseListening(String(cString: strerror(errno))) }
            return
        }
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(fd, F_SETFL, O_NONBLOCK)
        let user = UnixSocket.peer(of: fd)
        guard let user, mayEnter(user) else {
            logger.warning("a process of user \(user.map { "\($0)" } ?? "unknown") was turned away from the control socket")
            Glibc.close(fd)
            return
        }
        guard connections.count < ControlServer.mostClients else {
            logger.warning("the control socket has \(connections.count) clients; one more was turned away")
            Glibc.close(fd)
            return
        }
        let connection = ControlConnection(fd: fd, server: self)
        connections[ObjectIdentifier(connection)] = connection
    }

    /// Pauses after running out of descriptors or memory. A client that cannot be accepted would wake the loop again
    /// and again.
    private func pauseListening(_ reason: String) {
        logger.error("the control socket accepts no connections for a second: \(reason)")
        listening?.update(read: false, write: false)
        resumption = sources.realTime + 1
        arm()
    }

    private func resumeListening() {
        guard let moment = resumption, sources.realTime >= moment else { return }
        resumption = nil
        listening?.update(read: true, write: false)
    }

    private func arm() { timer?.arm((waits.map(\.deadline) + (resumption.map { [$0] } ?? [])).min()) }

    /// - Parameter reason: why the shell disconnects the client; nil if the client closed the connection.
    func drop(_ connection: ControlConnection, because reason: String?) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if let reason { logger.warning("a client of the control socket was disconnected: \(reason)") }
        connection.close()
    }

    // MARK: Requests

    func handle(_ request: ControlRequest, reply: ControlReply) {
        guard let handler else { return reply.refuse("the shell ends") }
        let door = request.door == .clock && handler.beganByHand ? .clockOfTests : request.door
        if handler.system.isLocked, WhileLocked.rule(for: door) == .nothing { return reply.refuse(WhileLocked.refusal) }
        switch request {
        case .get(.state): reply.answer(StateReport(told: handler.system, at: handler.now))
        case .get(.windows): reply.answer(StateReport(told: handler.system, at: handler.now).windows)
        case .get(.version): reply.answer(handler.version)
        case .get(.statistics): reply.answer(handler.statistics)
        case .get(.descriptors): reply.answer(handler.descriptors)
        case .get(.configuration): reply.answer(handler.configuration)
        case .get(.order): reply.answer(OrderReport())
        case .get(.keys): reply.answer(handler.system.preferences.keys)
        case .get(.apps): reply.answer(handler.system.workspace.apps)
        case .get(.status): reply.answer(StatusReport(told: handler.system))
        case .get(.tray): reply.answer(TrayReport(handler.system.tray))
        case .get(.home): reply.answer(handler.system.homeOrder)
        case .get(.settings): reply.answer(SettingReport.all(handler.system, at: handler.now))
        case .get(.life): reply.answer(LifeReport(told: handler.system, means: handler.freezingMeans))
        case .get(.notifications):
            reply.answer(NoticeReport(handler.system.notices, isBusy: handler.system.isBusyForNotices, at: handler.now))
        case .get(.audio): reply.answer(SoundReport(told: handler.system, at: handler.now))
        case .get(.views):
            let system = handler.system
            reply.answer(
                system.controls(at: handler.now).map { control in
                    ViewReport(control, name: handler.string(control.name), focus: system.interface.focus?.rawValue)
                })
        case .get(.violations):
            guard let report = handler.violations else {
                return reply.refuse("this shell does not check itself: start it with --check-laws", at: "get.violations")
            }
            reply.answer(report)
        case .get(.configureLog(let window)):
            guard let lines = handler.configureLog(of: window) else {
                return reply.refuse("there is no \(window)", at: "get.configureLog.window")
            }
            reply.answer(ConfigureLogReport(lines: lines))
        case .act(let action): handler.perform(action, reply: reply)
        case .input(let input):
            do throws(ControlError) { handler.inject(try InputPlan(input), reply: reply) } catch { reply.refuse(error) }
        case .screenshot(let screenshot):
            if let path = screenshot.path, !path.hasPrefix("/") {
                return reply.refuse("must be an absolute path", at: "screenshot.path")
            }
            handler.screenshot(screenshot, reply: reply)
        case .clock(.step(let milliseconds)) where !(0...600_000).contains(milliseconds):
            reply.refuse("must be between 0 and 600000 milliseconds", at: "clock.step")
        case .clock(let clock): handler.setClock(clock, reply: reply)
        case .wait(let wait): begin(wait, reply: reply)
        case .ask(let question): handler.ask(question, from: reply.process, reply: reply)
        case .reload: handler.reload(reply: reply)
        case .quit:
            if let refusal = handler.quitRefusal { return reply.refuse(refusal) }
            reply.answer()
            handler.quit()
        case .follow: break // the connection handles it
        }
    }

    // MARK: Waits

    private func begin(_ wait: WaitRequest, reply: ControlReply) {
        guard (0...3600).contains(wait.patience) else {
            return reply.refuse("must be between 0 and 3600000 milliseconds", at: "wait.timeout")
        }
        waits.removeAll { !$0.reply.isAwaited() }
        guard waits.count < ControlServer.mostWaits else {
            return reply.refuse("\(ControlServer.mostWaits) requests wait already")
        }
        waits.append(
            Wait(
                until: wait.until, deadline: sources.realTime + wait.patience, patience: wait.patience, reply: reply))
        answerWaits()
    }

    /// Call after each round of work, before the loop sleeps. Sends changes to followers, and answers waits that are
    /// over. Does nothing while no client follows or waits.
    public func turn() {
        if !waits.isEmpty { answerWaits() }
        for connection in connections.values where connection.topics.contains(.state) {
            return tellFollowers()
        }
    }

    private func answerWaits() {
        guard let handler else { return }
        let now = sources.realTime
        let pending = waits
        waits = []
        var report: StateReport?
        func state() -> StateReport {
            if report == nil { report = StateReport(told: handler.system, at: handler.now) }
            return report!
        }
        for wait in pending where wait.reply.isAwaited() {
            switch wait.until {
            case .idle where handler.isIdle: wait.reply.answer()
            case .sound where handler.isSoundKnown: wait.reply.answer()
            case .gone(let id) where handler.system.workspace[id] == nil: wait.reply.answer()
            case .window:
                if let window = wait.until.window(in: state()) { wait.reply.answer(window) } else { fallthrough }
            default:
                if now >= wait.deadline {
                    wait.reply.refuse("timed out after \(Int(clamping: wait.patience * 1000)) ms waiting for \(wait.until.wish)")
                } else {
                    waits.append(wait)
                }
            }
        }
        arm()
    }

    // MARK: Followers

    private func tellFollowers() {
        guard let handler else { return }
        let state = StateReport(told: handler.system, at: handler.now)
        let atRest = state.atRest
        for connection in connections.values { connection.tell(state, atRest: atRest) }
    }

    func tell(_ connection: ControlConnection) {
        guard let handler, connection.topics.contains(.state) else { return }
        let state = StateReport(told: handler.system, at: handler.now)
        connection.tell(state, atRest: state.atRest)
    }

    /// Sends an event that the shell handles to those who follow events.
    public func happened(_ event: Event, at now: Moment) {
        let followers = connections.values.filter { $0.topics.contains(.events) }
        guard !followers.isEmpty else { return }
        if handler?.system.isLocked ?? true, WhileLocked.rule(for: .followEvents) == .nothing {
            // Followers learn that the event stream ends.
            guard case .lock = event else { return }
        }
        do {
            let line = try JSON.bytes(ControlLine.Followed(event: ControlLine.SystemEvent(t: now, happened: event)))
            for follower in followers { follower.send(line: line) }
        } catch {
            logger.error("an event could not be written as JSON: \(error)")
        }
    }
}
