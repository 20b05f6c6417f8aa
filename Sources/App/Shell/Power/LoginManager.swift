import Descriptors
import Glibc
import Lifecycle
import MessageBus

/// The machine's login manager (logind) on the system bus: delays sleep and shutdown until the shell is ready, announces
/// them, and is told whether the session is locked.
final class LoginManager: FollowedBus, BusHandler {
    var onEvent: (PowerEvent) -> Void = { _ in }
    /// The login manager is unavailable, for this reason.
    var onNote: (String) -> Void = { _ in }

    private let address: String
    private var connection: BusConnection?
    /// The inhibitor. While it is open, the login manager waits.
    private var inhibitor = Descriptor.none
    private var token: UInt64 = 0
    /// Whether to take the next inhibitor, because the machine is neither about to sleep nor to be switched off.
    private var wantsInhibitor = true
    private var isReady = false
    private var wasReady = false
    private var lastInterest = LoopInterest()
    private var pauses = Pauses()
    private var retryAt: Int64?
    private var news: [PowerEvent] = []
    /// Whether the session is locked; nil: it never was.
    private var isLocked: Bool?

    private static let name = "org.freedesktop.login1", path = "/org/freedesktop/login1", interface = "org.freedesktop.login1.Manager"
    private static let bus = "org.freedesktop.DBus"
    /// The session of the caller.
    private static let session = "/org/freedesktop/login1/session/auto", sessionInterface = "org.freedesktop.login1.Session"
    /// The token of calls that say whether the session is locked; inhibitors count from 1.
    private static let hint: UInt64 = 0

    var onChange: (() -> Void)?
    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    var deadline: Int64? { connection == nil ? retryAt : connection?.deadline }

    init(address: String) {
        self.address = address
        retryAt = 0
    }

    /// Whether the machine waits for the shell.
    var holds: Bool { inhibitor.isOpen }

    func process() {
        lastInterest.woke(at: monotonicNow())
        if connection == nil, let retry = retryAt, retry <= monotonicNow() {
            retryAt = nil
            connection = BusConnection(address: address, kind: .takesFiles, handler: self)
            if connection == nil { lost() }
        }
        if let connection {
            let isThere = connection.process(steps: 16)
            if isThere, !isReady, connection.isReady { begin() }
            if !isThere { lost() }
        }
        if lastInterest.update(self) { onChange?() }
        // The callback may close this connection.
        let events = news
        news.removeAll()
        for event in events { onEvent(event) }
    }

    private func begin() {
        (isReady, wasReady) = (true, true)
        pauses.reset()
        connection?.match(
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'")
        for member in ["PrepareForSleep", "PrepareForShutdown"] {
            connection?.match("type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)',member='\(member)'")
        }
        hold()
        tellLocked()
    }

    /// The session is locked, or not any more.
    func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        tellLocked()
    }

    /// Sets `LockedHint` of the session. A login manager that starts anew has forgotten it.
    private func tellLocked() {
        guard isReady, let isLocked else { return }
        connection?.call(Self.name, Self.session, Self.sessionInterface, "SetLockedHint", token: Self.hint) {
            $0.startNothing()
            $0.bool(isLocked)
        }
        // The call waits in the connection until the loop watches for room.
        if lastInterest.update(self) { onChange?() }
    }

    /// Asks the login manager to wait next time.
    private func hold() {
        guard isReady, wantsInhibitor, !inhibitor.isOpen else { return }
        token += 1
        connection?.call(Self.name, Self.path, Self.interface, "Inhibit", token: token) {
            // It runs on machines where it is of use; do not start it just for this.
            $0.startNothing()
            for text in ["sleep:shutdown", "Mullion", "Apps hand over their state", "delay"] { $0.string(text) }
        }
    }

    /// Releases the inhibitor, so that the machine need not wait any more.
    func release() { inhibitor.close() }

    private func lost() {
        let hadConnection = connection != nil
        drop()
        // A bus that was there will return; a machine without one will not get one.
        if wasReady {
            retryAt = monotonicNow() + pauses.take()
        } else if hadConnection || retryAt == nil {
            onNote("there is no system bus")
        }
    }

    private func drop() {
        isReady = false
        inhibitor.close()
        guard let old = connection else { return }
        connection = nil
        // The loop stops watching before the descriptor is closed, because its number may be reused at once.
        if lastInterest.update(self) { onChange?() }
        old.close()
    }

    func close() {
        retryAt = nil
        wasReady = false
        drop()
    }

    // MARK: BusHandler

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        if token == Self.hint {
            if case .failure(let error) = answer { onNote("the login manager does not say that the session is locked: \(error.text.isEmpty ? error.name : error.text)") }
            return
        }
        switch answer {
        case .success(let answer):
            guard case .copy(let file) = answer.file() else { return }
            let own = Descriptor(file, owner: "delay of sleep and shutdown")
            // If the answer belongs to an earlier request or came too late, release that inhibitor.
            if token == self.token, wantsInhibitor { inhibitor = own }
        case .failure(let error): onNote("the login manager does not wait for the shell: \(error.text.isEmpty ? error.name : error.text)")
        }
    }

    func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            guard signal.sender == Self.bus, signal.string() == Self.name, signal.string() != nil, let owner = signal.string() else { return }
            // The inhibitor ended with the login manager.
            inhibitor.close()
            if !owner.isEmpty {
                hold()
                tellLocked()
            }
        case "PrepareForSleep":
            guard let begins = signal.bool() else { return }
            prepare(begins, begins ? .sleeps : .woke)
        case "PrepareForShutdown":
            guard let begins = signal.bool() else { return }
            prepare(begins, begins ? .shutsDown : .staysOn)
        default: break
        }
    }

    private func prepare(_ begins: Bool, _ event: PowerEvent) {
        wantsInhibitor = !begins
        news.append(event)
        hold()
    }
}
