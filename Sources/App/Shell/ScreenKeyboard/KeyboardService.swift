import Clocks
import MessageBus

/// The on-screen keyboard on the session bus (`sm.puri.OSK0`, which squeekboard, phosh-osk-stub and Stevia own): whether it is
/// shown, and the wish that it is. Never starts one.
final class KeyboardService: LinkedBus {
    /// Whether it is shown; nil: there is none.
    var onChanged: (Bool?) -> Void = { _ in }

    private let address: String
    /// The shell's own bus may start later than the shell asks for it.
    private(set) lazy var link = BusLink(self, firstPause: KeyboardService.firstPause) { [address] in address }
    private var told: Bool?
    private var news: [Bool?] = []
    /// Which question is asked, so that a late answer to an earlier one counts no more.
    private var question = 0
    /// When a keyboard that gave no answer is asked again, in nanoseconds.
    private var askAgainAt: Int64?
    private var pauses = Pauses(first: KeyboardService.firstPause)
    private static let firstPause: Int64 = 200_000_000

    private static let name = "sm.puri.OSK0", path = "/sm/puri/OSK0"
    private static let properties = "org.freedesktop.DBus.Properties"

    init(address: String) { self.address = address }

    func joined() {
        link.watchOwner(of: Self.name)
        link.connection?.match(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.properties)',member='PropertiesChanged'")
        look()
    }

    /// Asks whether it is shown. A keyboard owns its name before it has anything to say: it is asked until it answers, or leaves the bus.
    private func look() {
        question += 1
        askAgainAt = nil
        let present = question
        link.call(
            Self.name, Self.path, Self.properties, "Get", starts: false,
            {
                $0.string(Self.name)
                $0.string("Visible")
            }
        ) { [unowned self] answer in
            guard present == question else { return }
            switch answer {
            case .success(let reply):
                if let isShown = reply.value()?.flag { return tell(isShown) }
                askLater()
            case .failure(let error):
                tell(nil)
                if !Self.absences.contains(error.name) { askLater() }
            }
        }
    }

    private func askLater() { askAgainAt = Clocks.monotonicNanoseconds + pauses.take() }

    /// The bus errors that mean that the name has no owner.
    private static let absences: Set<String> = ["org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"]

    var due: Int64? { askAgainAt }

    /// Shows the keyboard whatever has the focus, or hides it. Without a keyboard, it does nothing.
    func show(_ isShown: Bool) {
        guard link.isReady else { return }
        link.call(Self.name, Self.path, Self.name, "SetVisible", starts: false, { $0.bool(isShown) }) { _ in }
        link.changed()
    }

    private func tell(_ isShown: Bool?) {
        if isShown != nil { forgetQuestion() }
        guard isShown != told else { return }
        told = isShown
        news.append(isShown)
    }

    func lost() {
        forgetQuestion()
        tell(nil)
    }

    private func forgetQuestion() {
        question += 1
        askAgainAt = nil
        pauses.reset()
    }

    func processed() {
        if let time = askAgainAt, time <= Clocks.monotonicNanoseconds, link.isReady { look() }
        let changes = news
        news.removeAll()
        for change in changes { onChanged(change) }
    }

    func close() { link.close() }

    func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            guard let (name, owner) = BusLink.ownerChange(signal), name == Self.name else { return }
            forgetQuestion()
            tell(nil)
            if !owner.isEmpty { look() }
        case "PropertiesChanged":
            // The bus delivers them from the name's owner only, because of the rule above.
            guard signal.string() == Self.name else { return }
            if let isShown = signal.table()?["Visible"]?.flag { tell(isShown) } else { look() }
        default: break
        }
    }
}
