/// One check of the audit: the steps, and the results that count.
///
/// A check never guesses: without evidence its verdict is `couldNotTell`. Everything in it but `run` is data, which
/// `mullion audit --list` prints.
public struct Check: Sendable {
    /// Never changes, because baselines contain it.
    public let id: String
    /// The rules that it is about, the first one foremost.
    public let rules: [String]
    public let title: Words
    /// The steps of the audit.
    public let does: Words
    /// The results that count as kept, as broken or as a warning.
    public let counts: Words
    /// The change that a developer makes.
    public let mend: Words
    /// From 1 to 10: how much people suffer from it.
    public let weight: Int
    /// Whether `--quick` includes it.
    public let isQuick: Bool
    /// The idioms in which it has a meaning; nil for all.
    public let idioms: [String]?
    /// Whether it needs a window of the app.
    public let needsWindow: Bool
    let run: @Sendable (Visit) throws -> [Finding]

    init(
        _ id: String, rules: [String], weight: Int, isQuick: Bool = true, idioms: [String]? = nil, needsWindow: Bool = true, title: Words,
        does: Words,
        counts: Words, mend: Words, run: @escaping @Sendable (Visit) throws -> [Finding]
    ) {
        self.id = id
        self.rules = rules
        self.weight = weight
        self.isQuick = isQuick
        self.idioms = idioms
        self.needsWindow = needsWindow
        self.title = title
        self.does = does
        self.counts = counts
        self.mend = mend
        self.run = run
    }

    /// Every check, in the order in which they run. Those that kill or restart the app come last.
    public static let all: [Check] = [
        .entry, .icon, .appStream, .soundFormats,
        .start, .unaskedWindows, .startSound, .notifications,
        .sizes, .rotation, .scales, .toldArrangement, .answers, .animation,
        // Before anything is typed: an app may hold on to work that a person has not saved.
        .hiddenWork, .shownAgain, .freeze, .soundRole, .soundHidden, .soundKeys, .interrupted, .headphones,
        .names, .targets, .touch, .keys, .pointer, .sameAct, .menus, .dialogs, .overPopover, .presentation,
        .dark, .largeText,
        .newWindow, .close, .lostWork, .rightToLeft, .killed, .reboot,
        .crashes,
    ]

    /// Returns the checks of the named rules, or all of them; in the quick audit only quick ones. A selection that starts apps always
    /// contains the check of crashes.
    public static func selected(rules: [String] = [], quick: Bool = false, idiom: String = "pad") -> [Check] {
        let named = all.filter { check in
            (rules.isEmpty || rules.contains(check.id) || check.rules.contains(where: rules.contains))
                && (!quick || check.isQuick) && (check.idioms?.contains(idiom) ?? true)
        }
        let isStarted = named.contains { $0.needsWindow || $0.id == start.id }
        return isStarted && !named.contains { $0.id == crashes.id } ? named + [crashes] : named
    }
}
