import Geometry

/// Which idiom the hardware asks for, and when the shell follows it (W-25).
///
/// A change of the hardware counts after it has lasted for `patience`. The idiom that a person chose holds until the rules name
/// another one than they did then: a mouse at a docked device does not undo a choice, but taking the device out of its dock does.
public struct IdiomChoice: Hashable, Codable, Sendable {
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

    /// A step that follows from a change.
    public enum Step: Hashable, Sendable {
        /// Ask again (`lasted`) after `patience`.
        case wait
        /// Do not ask again.
        case rest
        case begin(String)
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

    /// The hardware changed.
    public mutating func note(_ event: HardwareEvent, _ ground: Ground) -> Step? {
        hardware.note(event)
        guard event == .known else { return follow(ground) }
        isKnown = true
        return begin(named(ground))
    }

    /// The screen, its light or the offered idioms changed.
    public mutating func follow(_ ground: Ground) -> Step? {
        guard isKnown, ground.isLit else { return stop() }
        let name = named(ground)
        guard name != settled else { return stop() }
        guard name != pending else { return nil }
        pending = name
        return .wait
    }

    /// A change has lasted for `patience`.
    public mutating func lasted(_ ground: Ground) -> Step? {
        guard let pending, ground.isLit else { return nil }
        return begin(pending)
    }

    /// The configuration changed. It counts at once.
    public mutating func configured(_ setting: Setting, _ rules: [IdiomRule], _ ground: Ground) -> Step? {
        guard setting != self.setting || rules != self.rules else { return nil }
        (self.setting, self.rules) = (setting, rules)
        return begin(named(ground))
    }

    /// A person chose an idiom.
    public mutating func chosen(_ ground: Ground) -> Step? {
        settled = named(ground)
        isFresh = false
        return stop()
    }

    /// The idiom that was in effect when the last session ended comes back if a person had chosen it, and the rules name the same idiom
    /// as then.
    ///
    /// - Parameters:
    ///   - last: the idiom that was in effect.
    ///   - settled: the idiom that the rules named.
    public mutating func restored(_ last: String, settled: String, _ ground: Ground) -> Step? {
        defer { isFresh = false }
        // A fixed idiom holds from each start. A crash is none: the idiom that was in use comes back (W-20).
        if case .fixed = setting, continues != true { return nil }
        guard isFresh, last != settled, settled == self.settled, settled == named(ground), ground.offered.contains(last) else { return nil }
        return .begin(last)
    }

    private mutating func begin(_ name: String) -> Step? {
        pending = nil
        guard name != settled else { return nil }
        settled = name
        return .begin(name)
    }

    private mutating func stop() -> Step? {
        guard pending != nil else { return nil }
        pending = nil
        return .rest
    }
}
