import OrderedCollections
import Windows

/// Notices an app that ends again and again soon after it got its state back: perhaps that state ends it (S-04).
///
/// The state is never deleted for that. A person decides whether the app starts once without it.
public struct StateCrashes: Hashable, Codable, Sendable {
    /// Apps that got state back since they were last started, by id.
    private var restored: Set<String> = []
    /// How often in a row each app ended soon after that.
    private var counts: OrderedDictionary<String, Int> = [:]
    /// Apps that get no state back until they hand over a new one.
    public private(set) var withheld: Set<String> = []
    /// Apps whose next instance begins as if it had no state, which its toolkit keeps.
    public private(set) var pristine: Set<String> = []

    public init() {}

    mutating func restored(_ app: String) { restored.insert(app) }

    /// An instance of the app began. `hasState`: it continues one, whose state its toolkit restores.
    mutating func began(_ app: String, hasState: Bool) {
        pristine.remove(app)
        if hasState { restored.insert(app) }
    }

    /// The app handed over state again, so it works.
    mutating func saved(_ app: String) {
        withheld.remove(app)
        counts[app] = nil
    }

    /// A person wants the app to open without its state.
    mutating func withhold(from app: String) {
        withheld.insert(app)
        pristine.insert(app)
        counts[app] = nil
    }

    /// A program of the app ended. `inOrder`: with status 0. `seconds`: how long it ran.
    ///
    /// - Returns: whether to ask the person.
    mutating func ended(_ app: String, inOrder: Bool, after seconds: Double, _ rules: LifecycleRules) -> Bool {
        guard restored.remove(app) != nil else { return false }
        guard !inOrder, seconds < rules.crashWindow else {
            counts[app] = nil
            return false
        }
        let count = (counts[app] ?? 0) + 1
        counts[app] = count < rules.crashes ? count : nil
        return count >= rules.crashes
    }
}
