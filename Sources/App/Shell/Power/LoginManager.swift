import Descriptors
import Glibc
import Lifecycle
import MessageBus

/// The machine's login manager (logind) on the system bus: delays sleep and shutdown until the shell is ready, announces
/// them, and is told whether the session is locked.
final class LoginManager: LinkedBus {
    var onEvent: (PowerEvent) -> Void = { _ in }
    /// The login manager asks to lock the session (true), or to unlock it.
    var onLockAsked: (Bool) -> Void = { _ in }
    /// This session has the seat of the machine, or another one.
    var onActive: (Bool) -> Void = { _ in }
    /// The login manager is unavailable, for this reason.
    var onNote: (String) -> Void = { _ in }

    private let address: String
    private(set) lazy var link = BusLink(self, kind: .takesFiles, comesBack: .ifItWasThere) { [address] in address }
    /// The inhibitor. While it is open, the login manager waits.
    private var inhibitor = Descriptor.none
    /// Which request for an inhibitor is the last one.
    private var request: UInt64 = 0
    /// Whether to take the next inhibitor, because the machine is neither about to sleep nor to be switched off.
    private var wantsInhibitor = true
    /// While it is open, the login manager leaves the power button to the shell.
    private var button = Descriptor.none
    private var wantsButton = false
    private var news: [PowerEvent] = [], lockNews: [Bool] = []
    private var activeNews: Bool?
    /// The path of the session, whose signals come from there and not from `auto`.
    private var ownPath: String?
    /// The connection of the login manager. Every user of the machine can send signals here, and only its own open a session.
    private var owner = ""
    private var activity: BusWatch?
    /// Whether the session is locked; nil: it never was.
    private var isLocked: Bool?

    private static let name = "org.freedesktop.login1", path = "/org/freedesktop/login1", interface = "org.freedesktop.login1.Manager"
    /// The session of the caller.
    private static let session = "/org/freedesktop/login1/session/auto", sessionInterface = "org.freedesktop.login1.Session"

    init(address: String) { self.address = address }

    /// Whether the machine waits for the shell.
    var holds: Bool { inhibitor.isOpen }

    func joined() {
        link.watchOwner(of: Self.name)
        for member in ["PrepareForSleep", "PrepareForShutdown"] {
            link.connection?.match(
                "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)',member='\(member)'")
        }
        for member in ["Lock", "Unlock"] {
            link.connection?.match("type='signal',sender='\(Self.name)',interface='\(Self.sessionInterface)',member='\(member)'")
        }
        hold()
        holdButton()
        findSession()
        tellLocked()
    }

    private func findSession() {
        link.call(
            Self.name, Self.path, Self.interface, "GetSession", timeout: Self.patience, starts: false, { $0.string("auto") }
        ) { [unowned self] in
            guard case .success(let answer) = $0 else { return }
            (ownPath, owner) = (answer.objectPath(), answer.sender)
            watchActivity()
        }
    }

    private func watchActivity() {
        guard let ownPath else { return }
        activity = link.connection?.watch(
            "type='signal',sender='\(Self.name)',path='\(ownPath)',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'")
        readActivity()
    }

    private func readActivity() {
        guard link.isReady, let ownPath else { return }
        link.call(
            Self.name, ownPath, "org.freedesktop.DBus.Properties", "Get", timeout: Self.patience, starts: false,
            {
                $0.string(Self.sessionInterface)
                $0.string("Active")
            }
        ) { [unowned self] in
            if case .success(let answer) = $0, case .flag(let isActive)? = answer.value() { activeNews = isActive }
        }
        link.changed()
    }

    /// The callback may close this connection.
    func processed() {
        let events = news
        news.removeAll()
        for event in events { onEvent(event) }
        let asked = lockNews
        lockNews.removeAll()
        for isLock in asked { onLockAsked(isLock) }
        if let isActive = activeNews {
            activeNews = nil
            onActive(isActive)
        }
    }

    func lost() {
        inhibitor.close()
        button.close()
        activity = nil
    }

    func gaveUp() { onNote("there is no system bus") }

    /// The session is locked, or not any more.
    func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        tellLocked()
    }

    /// Sets `LockedHint` of the session. A login manager that starts anew has forgotten it.
    private func tellLocked() {
        guard link.isReady, let isLocked else { return }
        link.call(
            Self.name, Self.session, Self.sessionInterface, "SetLockedHint", timeout: Self.patience, starts: false, { $0.bool(isLocked) }
        ) { [unowned self] in
            if case .failure(let error) = $0 {
                onNote("the login manager does not say that the session is locked: \(error.text.isEmpty ? error.name : error.text)")
            }
        }
        link.changed()
    }

    /// Milliseconds that the bus may take.
    private static let patience: UInt64 = 25_000

    /// Asks the login manager to wait next time.
    private func hold() {
        guard link.isReady, wantsInhibitor, !inhibitor.isOpen else { return }
        request += 1
        // It runs on machines where it is of use; do not start it just for this.
        link.call(
            Self.name, Self.path, Self.interface, "Inhibit", timeout: Self.patience, starts: false,
            {
                for text in ["sleep:shutdown", "Mullion", "Apps hand over their state", "delay"] { $0.string(text) }
            }
        ) { [unowned self, request] in held($0, request) }
    }

    private func held(_ answer: Result<Incoming, BusError>, _ request: UInt64) {
        switch answer {
        case .success(let answer):
            guard case .copy(let file) = answer.file() else { return }
            let own = Descriptor(file, owner: "delay of sleep and shutdown")
            // If the answer belongs to an earlier request or came too late, release that inhibitor.
            if request == self.request, wantsInhibitor { inhibitor = own }
        case .failure(let error): onNote("the login manager does not wait for the shell: \(error.text.isEmpty ? error.name : error.text)")
        }
    }

    /// The power button is the shell's, or the login manager's again.
    func setButton(_ isOurs: Bool) {
        wantsButton = isOurs
        if isOurs { holdButton() } else { button.close() }
    }

    private func holdButton() {
        guard link.isReady, wantsButton, !button.isOpen else { return }
        link.call(
            Self.name, Self.path, Self.interface, "Inhibit", timeout: Self.patience, starts: false,
            {
                for text in ["handle-power-key", "Mullion", "The power button locks the session", "block"] { $0.string(text) }
            }
        ) { [unowned self] answer in
            switch answer {
            case .success(let answer):
                guard case .copy(let file) = answer.file() else { return }
                let own = Descriptor(file, owner: "power button")
                if wantsButton, !button.isOpen { button = own }
            case .failure(let error): onNote("the power button stays the login manager's: \(error.text.isEmpty ? error.name : error.text)")
            }
        }
        link.changed()
    }

    /// Releases the inhibitor, so that the machine need not wait any more.
    func release() { inhibitor.close() }

    func close() { link.close() }

    func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            guard let (name, owner) = BusLink.ownerChange(signal), name == Self.name else { return }
            // The inhibitors ended with the login manager.
            inhibitor.close()
            button.close()
            if !owner.isEmpty {
                hold()
                holdButton()
                findSession()
                tellLocked()
            }
        case "PropertiesChanged": if signal.path == ownPath, signal.sender == owner { readActivity() }
        case "PrepareForSleep":
            guard let begins = signal.bool() else { return }
            prepare(begins, begins ? .sleeps : .woke)
        case "PrepareForShutdown":
            guard let begins = signal.bool() else { return }
            prepare(begins, begins ? .shutsDown : .staysOn)
        case "Lock", "Unlock": if let ownPath, signal.path == ownPath, signal.sender == owner { lockNews.append(signal.member == "Lock") }
        default: break
        }
    }

    private func prepare(_ begins: Bool, _ event: PowerEvent) {
        wantsInhibitor = !begins
        news.append(event)
        hold()
    }
}
