import Geometry
import MessageBus

/// The shell's own controls on the accessibility bus (AT-SPI2), for screen readers and tests.
///
/// Finds the bus through the session bus, registers as an application, answers what clients ask and tells them what
/// changed. Without a session bus, or without assistive technology installed, nothing happens: it looks again now and
/// then, in silence. Nothing waits; everything is called on one thread, and calls back on it.
public final class AccessibilityBus: FollowedBus {
    /// What the event loop watches; -1 while there is no connection. A change is told by `onChange`, also when one
    /// connection follows on another: then it is -1 in between, before the old file is closed.
    public var descriptor: Int32 { connection?.descriptor ?? -1 }
    /// What the descriptor is watched for.
    public var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    /// When `process` has to be called at the latest, in nanoseconds of CLOCK_MONOTONIC; nil: only for the descriptor.
    public var deadline: Int64? {
        switch phase {
        case .closed: nil
        case .waiting(let moment): moment
        case .asking, .joining, .joined: connection?.deadline
        }
    }

    /// `descriptor`, `events` or `deadline` changed: watch anew. Do not call `process` from here.
    public var onChange: (() -> Void)?
    /// Somebody wants the control's action done. May be late: the control may be gone.
    public var onPress: (String) -> Void = { _ in }
    /// A person wants this slider at a share of its range, 0 to 1.
    public var onAdjust: (String, Double) -> Void = { _, _ in }
    /// Somebody wants the control to have the keyboard's focus.
    public var onFocus: (String) -> Void = { _ in }

    /// Registered: assistive technology finds the controls.
    public var isRegistered: Bool { phase == .joined }

    enum Phase: Equatable {
        case closed
        /// For the next attempt.
        case waiting(until: Int64)
        /// The session bus, for the accessibility bus's address.
        case asking
        case joining
        case joined
    }

    enum Token: UInt64 { case address = 1, embed, listeners }

    /// Something that `process` does after the messages, when owner and connection may change.
    enum Request: Equatable {
        case press(String)
        case adjust(String, to: Double)
        case focus(String)
        case open(address: String)
        case register
        case lost
    }

    private(set) var phase = Phase.closed
    private(set) var connection: BusConnection?
    private var shown: [AccessibleElement] = []
    /// `shown`, as it is on the bus: up to date while there is a connection to the accessibility bus.
    private(set) var table: ElementTable
    /// The desktop, which the registry says the application is in; nil while not registered.
    var desktop: (name: String, path: String)?
    /// What the registry calls the application.
    var applicationID: Int32 = 0
    /// The person's language.
    var locale: String {
        ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    }
    /// Event types that clients have asked for, in lower case without dashes: "object:boundschanged".
    var listened: Set<String> = []
    var asksForListeners = Asking.no
    /// The registry has been asked to take the application in, and has not answered.
    var isEmbedding = false
    var requests: [Request] = []
    /// Between attempts.
    var pauses = Pauses()
    /// CLOCK_MONOTONIC, in nanoseconds.
    var now: () -> Int64 = monotonicNow

    private let environment: [String: String]
    private var isIsolated: Bool { environment["NO_AT_BRIDGE"] == "1" }
    private var isProcessing = false
    private var isStuck: Bool { (connection?.queued ?? 0) > 8192 }
    private var told = LoopWish()

    /// Begins to connect.
    /// - Parameter environment: finds the buses: DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, AT_SPI_BUS_ADDRESS.
    ///   NO_AT_BRIDGE=1 keeps the shell off the accessibility bus.
    public init(applicationName: String, environment: [String: String]) {
        self.environment = environment
        table = ElementTable(applicationName: applicationName)
        begin()
        // Whoever watches it begins with what is there now.
        tell()
    }

    deinit { connection?.close() }

    /// To be called when the descriptor is ready as asked, or the deadline has come. Never waits.
    public func process() {
        guard !isProcessing else { return }
        isProcessing = true
        told.heed(at: now())
        if case .waiting(let moment) = phase, moment <= now() { begin() }
        if let connection, !connection.process(steps: 64) || isStuck { requests.append(.lost) }
        if phase == .joining, !isEmbedding, connection?.isReady == true { register() }
        while !requests.isEmpty { carryOut(requests.removeFirst()) }
        isProcessing = false
        tell()
    }

    /// The top-level windows and panels of the shell that are shown now, lower ones first. What is different from the
    /// last is told to clients; equal lists cost a comparison.
    public func update(_ root: [AccessibleElement]) {
        guard root != shown else { return }
        shown = root
        // As long as nobody can ask, nothing is prepared.
        guard phase == .joining || phase == .joined else { return }
        let old = table
        table = old.with(root)
        guard phase == .joined else { return }
        for change in TreeChange.between(old, table) { emit(change, last: old) }
        sent()
    }

    /// Has the screen reader say this: something happened that no control shows.
    public func announce(_ text: String) {
        guard phase == .joined else { return }
        emitAnnouncement(ElementTable.clean(text))
        sent()
    }

    /// Leaves the bus for good.
    public func close() {
        drop()
        phase = .closed
        requests = []
        tell()
    }

    // MARK: The way to the bus

    private func begin() {
        guard !isIsolated else { return phase = .closed }
        if let address = environment["AT_SPI_BUS_ADDRESS"].flatMap(BusAddress.usable) { return join(address) }
        guard let address = BusAddress.session(environment),
              let bus = BusConnection(address: address, handler: self)
        else { return wait() }
        connection = bus
        phase = .asking
        if !bus.call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", token: Token.address.rawValue) {
            retry()
        }
    }

    private func join(_ address: String) {
        drop()
        guard let bus = BusConnection(address: address, handler: self) else { return wait() }
        connection = bus
        phase = .joining
        table = table.with(shown)
        exportInterfaces(on: bus)
        bus.match("type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(AtSpi.registry)'")
        bus.match("type='signal',sender='\(AtSpi.registry)',interface='org.a11y.atspi.Registry'")
    }

    /// Asks the registry to take the application in.
    private func register() {
        guard let connection else { return }
        isEmbedding = true
        let name = connection.name
        let isSent = connection.call(
            AtSpi.registry, AtSpi.root, "org.a11y.atspi.Socket", "Embed", token: Token.embed.rawValue
        ) { $0.reference((name, AtSpi.root)) }
        if !isSent { retry() }
    }

    private func carryOut(_ request: Request) {
        switch request {
        case .press(let id): onPress(id)
        case .adjust(let id, let share): onAdjust(id, share)
        case .focus(let id): onFocus(id)
        case .open(let address): join(address)
        case .register: if phase == .joined { register() }
        case .lost: if phase != .closed { retry() }
        }
    }

    private func sent() {
        // A bus that takes nothing any more: rather begin anew than keep everything for it.
        if isStuck { retry() }
        tell()
    }

    private func retry() {
        drop()
        wait()
    }

    private func wait() { phase = .waiting(until: now() + pauses.take()) }

    /// The owner stops watching before the file is closed: its number may be given out again at once.
    private func drop() {
        guard let old = connection else { return }
        connection = nil
        desktop = nil
        listened = []
        asksForListeners = .no
        isEmbedding = false
        requests.removeAll { $0 == .lost || $0 == .register }
        tell()
        old.close()
    }

    func registered(in desktop: (name: String, path: String)) {
        isEmbedding = false
        self.desktop = desktop
        phase = .joined
        pauses.reset()
    }

    private func tell() {
        guard !isProcessing || connection == nil else { return }
        if told.isNews(self) { onChange?() }
    }
}
