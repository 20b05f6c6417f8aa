import Geometry
import Windows

/// What becomes of the machine, as its login manager says.
public enum PowerEvent: String, Hashable, Codable, Sendable, CaseIterable {
    /// It sleeps as soon as the shell is ready.
    case sleeps
    case woke
    /// It is switched off or restarted as soon as the shell is ready.
    case shutsDown
    /// It is not, after all.
    case staysOn
}

public enum PowerEffect: String, Hashable, Codable, Sendable {
    /// The machine need not wait for the shell any more.
    case ready
}

/// What the shell does before the machine sleeps or is switched off: apps hand over their state, and sound ends.
///
/// The machine does not wait for ever; an app that does not answer must not make it sleep in the middle of something.
public struct Preparation: Hashable, Codable, Sendable {
    /// Sound has faded, and thawed apps run.
    let settles: Moment
    /// Nobody is waited for any longer.
    let ends: Moment

    /// Seconds that apps have to hand over their state.
    public static let patience = 2.0
    /// Seconds that sound takes to fade, or an app to be thawed.
    public static let settling = 0.3

    public init(at now: Moment) {
        settles = now + Self.settling
        ends = now + Self.patience
    }

    /// - Parameter awaits: somebody has not handed over their state.
    public func isOver(at now: Moment, awaits: Bool) -> Bool { now >= ends || now >= settles && !awaits }

    /// When to look again.
    public func next(after now: Moment) -> Moment { now < settles ? settles : ends }
}

extension Lifecycle {
    /// A window has not answered.
    public var awaitsState: Bool { apps.values.contains { !$0.saves.isEmpty } }

    /// Before the machine is switched off, everybody runs, so that everybody hears that they are to end.
    public mutating func setEnding(_ isEnding: Bool, _ turn: inout Turn) {
        guard isEnding != self.isEnding else { return }
        self.isEnding = isEnding
        for id in apps.keys { review(id, &turn) }
    }
}
