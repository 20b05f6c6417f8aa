import Geometry
import Rooms

/// Which idiom the hardware asks for, and when the shell follows it (W-25).
///
/// A change of the hardware counts after it has lasted for `patience`. The idiom that a person chose holds until the rules name
/// another one than they did then: a mouse at a docked device does not undo a choice, but taking the device out of its dock does.
public struct IdiomChoice: Room {
    /// How the configuration chooses the idiom.
    public enum Setting: Hashable, Codable, Sendable {
        /// No setting: the rules count once the device has had a tablet switch.
        case unset
        /// By the rules.
        case automatic
        case fixed(String)
    }

    /// Seconds for which a change of the hardware lasts before it counts: a dock bounces, and a cable is put in twice.
    public static let patience = 1.0

    public private(set) var hardware = Hardware()
    public private(set) var setting: Setting
    public private(set) var rules: [IdiomRule]
    /// The idiom that the rules named when the shell last followed them, or when a person last chose.
    public private(set) var settled: String
    /// The idiom that the rules name now, while it has to last.
    public private(set) var pending: String?
    /// Everything that was connected at the start was reported.
    private var isKnown = false
    /// Nothing has decided about the idiom of the last session yet.
    private var isFresh = true
    /// Set if the session continues after a crash of the shell: a person chose the idiom in this session, not in an earlier one.
    private var continues: Bool?

    /// - Parameters:
    ///   - idiom: the idiom that the shell begins with.
    ///   - continues: whether the shell was started again after a crash.
    public init(idiom: String, setting: Setting = .unset, rules: [IdiomRule] = IdiomRule.standard, continues: Bool = false) {
        if continues { self.continues = true }
        self.setting = setting
        self.rules = rules
        settled = idiom
    }

    public enum Event: Hashable, Sendable {
        case hardware(HardwareEvent)
        /// The screen, its light or the offered idioms changed.
        case followed
        /// The timer fired: a change has lasted for `patience`.
        case lasted
        /// The configuration changed. It counts at once.
        case configured(Setting, [IdiomRule])
        /// A person chose an idiom.
        case chosen
        /// The idiom that was in effect when the last session ended comes back if a person had chosen it, and the rules name the same idiom
        /// as then. `last`: that idiom. `settled`: the idiom that the rules named.
        case restored(last: String, settled: String)
    }

    public enum Outcome: Hashable, Sendable {
        /// The timer; nil: it stops.
        case timer(Moment?)
        case begins(String)
    }

    /// The facts besides the hardware on which the choice depends.
    public struct Ground: Hashable, Sendable {
        /// The names of the idioms that can begin.
        public var offered: [String]
        /// In points.
        public var screen: Size?
        /// Whether the screen is on and this console in front. Otherwise devices come and go for other reasons.
        public var isLit: Bool

        public init(offered: [String], screen: Size?, isLit: Bool) {
            self.offered = offered
            self.screen = screen
            self.isLit = isLit
        }
    }

    /// The idiom that the configuration names, or else the first rule that holds.
    public func named(_ ground: Ground) -> String {
        switch setting {
        case .fixed(let name): name
        case .unset where hardware.isTablet == nil: IdiomRule.fallback
        case .unset, .automatic:
            rules.first { ground.offered.contains($0.idiom) && $0.holds(hardware, screen: ground.screen) }?.idiom ?? IdiomRule.fallback
        }
    }

    public mutating func handle(_ event: Event, in ground: Ground, at now: Moment) -> [Outcome] {
        switch event {
        case .hardware(let event):
            hardware.note(event)
            guard event == .known else { return follow(ground, at: now) }
            isKnown = true
            return begin(named(ground))
        case .followed: return follow(ground, at: now)
        case .lasted:
            guard let pending, ground.isLit else { return [] }
            return begin(pending)
        case .configured(let setting, let rules):
            guard setting != self.setting || rules != self.rules else { return [] }
            (self.setting, self.rules) = (setting, rules)
            return begin(named(ground))
        case .chosen:
            settled = named(ground)
            isFresh = false
            return stop()
        case .restored(let last, let settled): return restore(last, settled: settled, ground)
        }
    }

    private mutating func follow(_ ground: Ground, at now: Moment) -> [Outcome] {
        guard isKnown, ground.isLit else { return stop() }
        let name = named(ground)
        guard name != settled else { return stop() }
        guard name != pending else { return [] }
        pending = name
        return [.timer(now + IdiomChoice.patience)]
    }

    private mutating func restore(_ last: String, settled: String, _ ground: Ground) -> [Outcome] {
        defer { isFresh = false }
        // A fixed idiom holds from each start. A crash is none: the idiom that was in use comes back (W-20).
        if case .fixed = setting, continues != true { return [] }
        guard isFresh, last != settled, settled == self.settled, settled == named(ground), ground.offered.contains(last) else { return [] }
        return [.begins(last)]
    }

    private mutating func begin(_ name: String) -> [Outcome] {
        pending = nil
        guard name != settled else { return [] }
        settled = name
        return [.begins(name)]
    }

    private mutating func stop() -> [Outcome] {
        guard pending != nil else { return [] }
        pending = nil
        return [.timer(nil)]
    }
}
