import AudioSessions
import CPipeWire
import Clocks
import Descriptors
import Glibc
import LinuxLibrary
import Logging

/// PipeWire as events and effects: reports streams, outputs and inputs; applies links, gains and levels. It decides
/// nothing.
///
/// The session manager links every app's stream to an *anchor*, a sink that leads nowhere. Only this engine also
/// links streams to devices. So a stream that loses its device becomes silent, whatever the session manager does
/// (A-09).
///
/// Single-threaded and non-blocking. The event loop watches `descriptor`. It calls `process` when the descriptor is
/// readable or `deadline` has passed.
public final class AudioEngine {
    /// Called in the order in which things happened. The callback may call `perform`.
    public var onEvent: (AudioEvent) -> Void = { _ in }
    /// The apps that see through a camera of the server changed.
    public var onCameras: ([AudioApp]) -> Void = { _ in }
    var cameraApps: [AudioApp] = []
    /// `deadline` changed.
    public var onDeadline: () -> Void = {}
    /// Creates a null output while there is no real one, so that players keep playing.
    public var makesStandIn = false
    /// Stays the same for the life of the engine.
    public var descriptor: Int32 { polled.number }
    /// Nanoseconds of the monotonic clock; nil if nothing is due.
    public private(set) var deadline: Int64?
    /// Absolute path of the server's socket.
    public let path: String

    let log: Logger
    private let polled: Descriptor
    var connection: ServerConnection?
    var graph = Graph()
    var streams: [UInt32: Stream] = [:]
    var anchors = Anchors()
    var links = LinkBook()
    var devices = DeviceBook()
    /// The output and input that the core chose.
    var output: PortID?
    var input: PortID?
    var isInputMuted = false
    var clock = GraphClock()
    /// When to write all gains once more.
    var levelCheckAt: Int64?
    /// Something that links, streams or devices depend on changed.
    var isDirty = false
    private var nextToken: UInt64 = 1
    private var isProcessing = false
    private var isClosed = false
    private var watch: SocketWatch?
    private var retryAt: Int64?
    private var failures = 0

    /// - Parameter path: absolute path of the socket. The engine does nothing before `start`.
    public init(path: String, log: Logger) {
        self.path = path
        self.log = log
        polled = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), owner: "sources of sound")
    }

    /// Without `close`, everything stays in the server as after a crash.
    deinit { connection?.close() }

    /// The socket that programs with this environment use.
    public static func path(environment: [String: String]) -> String {
        let name = environment["PIPEWIRE_REMOTE"].flatMap { $0.isEmpty ? nil : $0 } ?? "pipewire-0"
        if name.hasPrefix("/") { return name }
        let folder = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return "\(folder)/\(name)"
    }

    /// Whether a server listens on the socket.
    public static func isServed(_ path: String) -> Bool { cpw_probe(path) >= 0 }

    static var libraryVersion: String { String(cString: cpw_version()) }

    // MARK: Life cycle

    public func start() {
        connect()
        applyPending()
    }

    /// Restores the default devices and gains that the engine found, so that sound works as without a shell.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        if connection != nil {
            releaseAll()
            // Requests are only queued so far. Flush them now.
            let end = Clocks.monotonicNanoseconds + 300_000_000
            let last = connection?.sync()
            var isDone = false
            while !isDone, Clocks.monotonicNanoseconds < end {
                var item = pollfd(fd: connection?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
                poll(&item, 1, 20)
                for report in connection?.process() ?? [] {
                    if case .synced(let number) = report, number == last { isDone = true }
                    if case .lost = report { isDone = true }
                }
            }
        }
        connection?.close()
        connection = nil
        watch = nil
        deadline = nil
    }

    private func connect() {
        guard connection == nil, !isClosed else { return }
        retryAt = nil
        do {
            let connection = try ServerConnection(path: path)
            self.connection = connection
            watch = nil
            failures = 0
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            epoll_ctl(descriptor, EPOLL_CTL_ADD, connection.descriptor, &event)
            anchors.opening = connection.sync()
        } catch {
            waitForServer()
        }
    }

    /// Reconnects at once when the socket appears. If it exists but refuses, retries at growing intervals.
    private func waitForServer() {
        if watch == nil { watch = SocketWatch(path: path, epoll: descriptor) }
        failures += 1
        if watch == nil || access(path, F_OK) == 0 {
            retryAt = Clocks.monotonicNanoseconds + Int64(min(5.0, 0.05 * Double(1 << min(failures, 8))) * 1e9)
        }
    }

    private func lose(_ reason: String) {
        guard let connection else { return }
        log.warning("the sound server is gone\(reason.isEmpty ? "" : ": \(reason)")")
        epoll_ctl(descriptor, EPOLL_CTL_DEL, connection.descriptor, nil)
        connection.close()
        self.connection = nil
        graph = Graph()
        streams = [:]
        anchors = Anchors()
        links = LinkBook()
        devices = DeviceBook()
        levelCheckAt = nil
        isDirty = false
        tellCameras()
        onEvent(.serverChanged(isRunning: false))
        waitForServer()
    }

    // MARK: Event loop

    /// Does everything that can be done without waiting.
    public func process() {
        guard !isProcessing, !isClosed else { return }
        isProcessing = true
        isDirty = isDirty || deadline.map { $0 <= Clocks.monotonicNanoseconds } ?? false
        if watch?.drain() == true || (retryAt.map { $0 <= Clocks.monotonicNanoseconds } ?? false) { connect() }
        if let connection {
            for report in connection.process() { handle(report) }
        }
        isProcessing = false
        applyPending()
    }

    private func handle(_ report: ServerReport) {
        guard connection != nil else { return }
        switch report {
        case .appeared(let id, let kind, let properties): appeared(id, kind, properties)
        case .disappeared(let id): disappeared(id)
        case .info(let id, let state, let properties): informed(id, state, properties)
        case .volumes(let id, let volumes): leveled(id, volumes)
        case .routes(let id, let routes):
            graph.devices[id]?.routes = routes
            isDirty = true
        case .metadata(let id, let subject, let key, let value): noted(id, subject, key, value)
        case .made(let token, let id, let error): made(token, id, error)
        case .synced(let number): synced(number)
        case .measured(let token, let sounds): measured(token, sounds)
        case .lost(let reason): lose(reason)
        }
    }

    /// Called after any input or effect. Reports changes, and updates links and gains.
    private func applyPending() {
        guard !isProcessing, !isClosed else { return }
        isProcessing = true
        // Reports may cause effects, which may cause more changes. Requests to the server are only queued.
        while isDirty, connection != nil, anchors.isOpen {
            isDirty = false
            tellDevices()
            tellStreams()
            tellCameras()
            keepStandIn()
            makePorts()
            reconcile()
            linkMeters()
            correctMirrors()
        }
        if connection != nil { stepGains() }
        isProcessing = false
        let next = [retryAt, nextGainStep, links.deadline, devices.standInAt, portsDeadline].compactMap { $0 }.min()
        if next != deadline {
            deadline = next
            onDeadline()
        }
    }

    func token() -> UInt64 {
        nextToken += 1
        return nextToken
    }

    // MARK: Effects

    /// Carries out an audio effect. Ignores effects that do not concern the sound server.
    public func perform(_ effect: AudioEffect) {
        switch effect {
        case .level(let id, let gain, let ramp):
            // Recordings keep their level.
            guard let node = node(of: id), streams[node]?.facts.direction == .output else { return }
            streams[node]?.gain.move(to: gain, over: ramp, at: Clocks.monotonicNanoseconds)
            streams[node]?.writes.renew()
            streams[node]?.isGainDue = true
        case .connect(let id, let isConnected):
            guard let node = node(of: id) else { return }
            streams[node]?.isConnected = isConnected
            isDirty = true
        case .measure(let id, let isWanted):
            guard let node = node(of: id) else { return }
            isWanted ? addMeter(node) : removeMeter(node)
        case .useOutput(let port):
            output = port
            anchors.output.wanted = nil
            isDirty = true
        case .useInput(let port):
            input = port
            isDirty = true
        case .outputLevel(let port, let level, let isMuted):
            setLevel(port, level, isMuted)
            guard port == output else { break }
            anchors.output.wanted = Mirror.State(level: level, isMuted: isMuted)
            correctMirrors()
        case .muteInput(let isMuted):
            isInputMuted = isMuted
            isDirty = true
        default: return
        }
        applyPending()
    }

    private func node(of id: StreamID) -> UInt32? { streams.first { $0.value.id == id }?.key }
}

/// Watches for a socket to appear.
private final class SocketWatch {
    private let notices: Descriptor
    private let name: String

    /// Returns nil if the folder cannot be watched.
    init?(path: String, epoll: Int32) {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        name = String(path[path.index(after: slash)...])
        notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of the sound server's socket")
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB)
        guard notices.isOpen, inotify_add_watch(notices.number, String(path[..<slash]), events) >= 0 else { return nil }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        epoll_ctl(epoll, EPOLL_CTL_ADD, notices.number, &event)
    }

    /// Returns whether something happened in the folder.
    func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            var isTouched = false
            while read(notices.number, buffer.baseAddress!, 4096) > 0 { isTouched = true }
            return isTouched
        }
    }
}
