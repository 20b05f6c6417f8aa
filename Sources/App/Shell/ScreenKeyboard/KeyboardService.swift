import MessageBus

/// The on-screen keyboard on the session bus (`sm.puri.OSK0`, which squeekboard, phosh-osk-stub and Stevia own): whether it is
/// shown, and the wish that it is. Never starts one.
final class KeyboardService: LinkedBus {
    /// Whether it is shown; nil: there is none.
    var onChanged: (Bool?) -> Void = { _ in }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    private var told: Bool?
    private var news: [Bool?] = []

    private static let name = "sm.puri.OSK0", path = "/sm/puri/OSK0"
    private static let properties = "org.freedesktop.DBus.Properties"

    init(address: String) { self.address = address }

    func joined() {
        link.watchOwner(of: Self.name)
        link.connection?.match("type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.properties)',member='PropertiesChanged'")
        look()
    }

    private func look() {
        link.call(Self.name, Self.path, Self.properties, "Get", starts: false, {
            $0.string(Self.name)
            $0.string("Visible")
        }) { [unowned self] in tell((try? $0.get())?.value()?.flag) }
    }

    /// Shows the keyboard whatever has the focus, or hides it. Without a keyboard, it does nothing.
    func show(_ isShown: Bool) {
        guard link.isReady else { return }
        link.call(Self.name, Self.path, Self.name, "SetVisible", starts: false, { $0.bool(isShown) }) { _ in }
        link.changed()
    }

    private func tell(_ isShown: Bool?) {
        guard isShown != told else { return }
        told = isShown
        news.append(isShown)
    }

    func lost() { tell(nil) }

    func processed() {
        let changes = news
        news.removeAll()
        for change in changes { onChanged(change) }
    }

    func close() { link.close() }

    func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            guard let (name, owner) = BusLink.ownerChange(signal), name == Self.name else { return }
            if owner.isEmpty { tell(nil) } else { look() }
        case "PropertiesChanged":
            // The bus delivers them from the name's owner only, because of the rule above.
            guard signal.string() == Self.name else { return }
            if let isShown = signal.table()?["Visible"]?.flag { tell(isShown) } else { look() }
        default: break
        }
    }
}
