import Clocks
import Geometry
import MessageBus

/// The shell's own controls on the accessibility bus (AT-SPI2), for screen readers and tests.
///
/// Finds the bus through the session bus, registers as an application, answers queries, and reports changes. Without
/// a session bus or assistive technology, it retries silently from time to time. It never blocks, and runs on one
/// thread, callbacks included.
public final class AccessibilityBus: FollowedBus {
    /// The descriptor for the event loop; -1 without a connection. `onChange` reports each change. When a new
    /// connection replaces an old one, the value is -1 in between, before the old descriptor is closed.
    public var descriptor: Int32 { connection?.descriptor ?? -1 }
    /// The events to watch `descriptor` for.
    public var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    /// The latest time for the next call of `process`, in nanoseconds of CLOCK_MONOTONIC. nil: only when the
    /// descriptor is ready.
    public var deadline: Int64? {
        switch phase {
        case .closed: nil
        case .waiting(let moment): moment
        case .asking, .joining, .joined: connection?.deadline
        }
    }

    /// `descriptor`, `events` or `deadline` changed, so update the watch. Do not call `process` from here.
    public var onChange: (() -> Void)?
    /// A client activates the control's first action. The control may be gone by now.
    public var onPress: (String) -> Void = { _ in }
    /// A client activates another action of the control, by its id.
    public var onAct: (String, String) -> Void = { _, _ in }
    /// A client sets a slider to a share of its range, 0 to 1.
    public var onAdjust: (String, Double) -> Void = { _, _ in }
    /// A client asks for the keyboard focus on the control.
    public var onFocus: (String) -> Void = { _ in }

    /// Whether the registry accepted the application, so that assistive technology finds the controls.
    public var isRegistered: Bool { phase == .joined }
    /// The address of the accessibility bus; nil while the application is not registered there.
    public var address: String? { isRegistered ? lastAddress : nil }
    private var lastAddress: String?

    enum Phase: Equatable {
        case closed
        /// Waiting for the next attempt.
        case waiting(until: Int64)
        /// Asking the session bus for the address of the accessibility bus.
        case asking
        case joining
        case joined
    }

    enum Token: UInt64 { case address = 1, embed, listeners }

    /// Work that `process` does after the messages, when the table and the connection may change.
    enum Request: Equatable {
        case press(String)
        case act(String, String)
        case adjust(String, to: Double)
        case focus(String)
        case open(address: String)
        case register
        case lost
    }

    private(set) var phase = Phase.closed
    private(set) var connection: BusConnection?
    private var shown: [AccessibleElement] = []
    /// `shown` as published on the bus. Up to date while the accessibility bus is connected.
    private(set) var table: ElementTable
    /// The desktop object that the registry assigned as the parent; nil while not registered.
    var desktop: (name: String, path: String)?
    /// The number that the registry assigned.
    var applicationID: Int32 = 0
    /// The user's language.
    var locale: String {
        ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    }
    /// The event types that clients want, in lower case without dashes: "object:boundschanged".
    var listened: Set<String> = []
    var asksForListeners = Asking.no
    /// Whether a registration request is in flight.
    var isEmbedding = false
    var requests: [Request] = []
    /// Pauses between attempts.
    var pauses = Pauses()
    /// CLOCK_MONOTONIC, in nanoseconds.
    var now: () -> Int64 = { Clocks.monotonicNanoseconds }

    private let environment: [String: String]
    private var isIsolated: Bool { environment["NO_AT_BRIDGE"] == "1" }
    private var isProcessing = false
    private var isStuck: Bool { (connection?.queued ?? 0) > 8192 }
    private var lastInterest = LoopInterest()

    /// Starts connecting.
    /// - Parameter environment: locates the buses by DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR and
    ///   AT_SPI_BUS_ADDRESS. NO_AT_BRIDGE=1 keeps the shell off the accessibility bus.
    public init(applicationName: String, environment: [String: String]) {
        self.environment = environment
        table = ElementTable(applicationName: applicationName)
        begin()
        // The owner starts with the current values.
        reportChange()
    }

    deinit { connection?.close() }

    /// Call when the descriptor is ready or the deadline has passed. Never blocks.
    public func process() {
        guard !isProcessing else { return }
        isProcessing = true
        lastInterest.woke(at: now())
        if case .waiting(let moment) = phase, moment <= now() { begin() }
        if let connection, !connection.process(steps: 64) || isStuck { requests.append(.lost) }
        if phase == .joining, !isEmbedding, connection?.isReady == true { register() }
        while !requests.isEmpty { carryOut(requests.removeFirst()) }
        isProcessing = false
        reportChange()
    }

    /// Sets the top-level windows and panels that the shell shows, bottom to top. Reports the differences to clients.
    /// An unchanged list costs one comparison.
    public func update(_ root: [AccessibleElement]) {
        guard root != shown else { return }
        shown = root
        // Without a connection, no client can ask.
        guard phase == .joining || phase == .joined else { return }
        let old = table
        table = old.with(root)
        guard phase == .joined else { return }
        for change in TreeChange.between(old, table) { emit(change, last: old) }
        sent()
    }

    /// Makes the screen reader announce an event that no control shows.
    public func announce(_ text: String) {
        guard phase == .joined else { return }
        emitAnnouncement(ElementTable.clean(text))
        sent()
    }

    /// Leaves the bus permanently.
    public func close() {
        drop()
        phase = .closed
        requests = []
        reportChange()
    }

    // MARK: Connecting

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
        lastAddress = address
        guard let bus = BusConnection(address: address, handler: self) else { return wait() }
        connection = bus
        phase = .joining
        table = table.with(shown)
        exportInterfaces(on: bus)
        bus.match(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='\(AtSpi.registry)'")
        bus.match("type='signal',sender='\(AtSpi.registry)',interface='org.a11y.atspi.Registry'")
    }

    /// Registers the application with the registry.
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
        case .act(let id, let action): onAct(id, action)
        case .adjust(let id, let share): onAdjust(id, share)
        case .focus(let id): onFocus(id)
        case .open(let address): join(address)
        case .register: if phase == .joined { register() }
        case .lost: if phase != .closed { retry() }
        }
    }

    private func sent() {
        // The bus no longer reads. Reconnecting is better than queueing without limit.
        if isStuck { retry() }
        reportChange()
    }

    private func retry() {
        drop()
        wait()
    }

    private func wait() { phase = .waiting(until: now() + pauses.take()) }

    /// The owner stops watching before the descriptor is closed, because its number may be reused at once.
    private func drop() {
        guard let old = connection else { return }
        connection = nil
        desktop = nil
        listened = []
        asksForListeners = .no
        isEmbedding = false
        requests.removeAll { $0 == .lost || $0 == .register }
        reportChange()
        old.close()
    }

    func registered(in desktop: (name: String, path: String)) {
        isEmbedding = false
        self.desktop = desktop
        phase = .joined
        pauses.reset()
    }

    private func reportChange() {
        guard !isProcessing || connection == nil else { return }
        if lastInterest.update(self) { onChange?() }
    }
}
