import MessageBus

/// The on-screen keyboard on the session bus (`sm.puri.OSK0`, which squeekboard, phosh-osk-stub and Stevia own): whether it is
/// shown, and the wish that it is. Never starts one.
final class KeyboardService: FollowedBus, BusHandler {
    /// Whether it is shown; nil: there is none.
    var onChanged: (Bool?) -> Void = { _ in }

    private let address: String
    private var connection: BusConnection?
    private var isReady = false
    private var lastInterest = LoopInterest()
    private var pauses = Pauses()
    private var retryAt: Int64? = 0
    private var told: Bool?
    private var news: [Bool?] = []

    private static let name = "sm.puri.OSK0", path = "/sm/puri/OSK0"
    private static let bus = "org.freedesktop.DBus", properties = "org.freedesktop.DBus.Properties"

    private enum Token: UInt64 { case visible = 1, set }

    var onChange: (() -> Void)?
    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    var deadline: Int64? { connection == nil ? retryAt : connection?.deadline }

    init(address: String) { self.address = address }

    func process() {
        lastInterest.woke(at: monotonicNow())
        if connection == nil, let retry = retryAt, retry <= monotonicNow() {
            retryAt = nil
            connection = BusConnection(address: address, handler: self)
            if connection == nil { lost() }
        }
        if let connection {
            let isThere = connection.process(steps: 16)
            if isThere, !isReady, connection.isReady { begin() }
            if !isThere { lost() }
        }
        if lastInterest.update(self) { onChange?() }
        let changes = news
        news.removeAll()
        for change in changes { onChanged(change) }
    }

    private func begin() {
        isReady = true
        pauses.reset()
        connection?.match("type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'")
        connection?.match("type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.properties)',member='PropertiesChanged'")
        look()
    }

    private func look() {
        connection?.call(Self.name, Self.path, Self.properties, "Get", token: Token.visible.rawValue) {
            $0.startNothing()
            $0.string(Self.name)
            $0.string("Visible")
        }
    }

    /// Shows the keyboard whatever has the focus, or hides it. Without a keyboard, it does nothing.
    func show(_ isShown: Bool) {
        guard isReady else { return }
        connection?.call(Self.name, Self.path, Self.name, "SetVisible", token: Token.set.rawValue) {
            $0.startNothing()
            $0.bool(isShown)
        }
        // The call waits in the connection until the loop watches for room.
        if lastInterest.update(self) { onChange?() }
    }

    private func tell(_ isShown: Bool?) {
        guard isShown != told else { return }
        told = isShown
        news.append(isShown)
    }

    private func lost() {
        let wasReady = isReady
        drop()
        tell(nil)
        // A bus that was there will return.
        if wasReady { retryAt = monotonicNow() + pauses.take() }
    }

    private func drop() {
        isReady = false
        guard let old = connection else { return }
        connection = nil
        // The loop stops watching before the descriptor is closed, because its number may be reused at once.
        if lastInterest.update(self) { onChange?() }
        old.close()
    }

    func close() {
        retryAt = nil
        drop()
    }

    // MARK: BusHandler

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        guard Token(rawValue: token) == .visible else { return }
        switch answer {
        case .success(let answer): tell(answer.value()?.flag)
        case .failure: tell(nil)
        }
    }

    func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            guard signal.sender == Self.bus, signal.string() == Self.name, signal.string() != nil, let owner = signal.string() else { return }
            if owner.isEmpty { tell(nil) } else { look() }
        case "PropertiesChanged":
            // The bus delivers them from the name's owner only, because of the rule above.
            guard signal.string() == Self.name else { return }
            if let isShown = signal.table()?["Visible"]?.flag { tell(isShown) } else { look() }
        default: break
        }
    }
}
