import Geometry
import Windows

/// An event that is about to happen to the machine, as its login manager reports it.
public enum PowerEvent: String, Hashable, Codable, Sendable, CaseIterable {
    /// The machine sleeps as soon as the shell is ready.
    case sleeps
    case woke
    /// The machine is switched off or restarted as soon as the shell is ready.
    case shutsDown
    /// The machine stays on after all.
    case staysOn
}

public enum PowerEffect: Hashable, Codable, Sendable {
    /// The shell is ready: the machine need not wait for it any more.
    case ready
    /// The login manager tells other programs that the session is locked, or is not any more.
    case locked, unlocked
    /// The login manager leaves the power button to the shell, or has it again.
    case holdButton(Bool)
}

/// The preparation of the shell before the machine sleeps: apps hand over their state, and sound ends. Before the machine is switched off,
/// the session ends (`LogOut`).
///
/// The preparation has a time limit: the machine does not wait for an app that does not answer.
public struct Preparation: Hashable, Codable, Sendable {
    /// By then sound has faded and thawed apps run.
    let settles: Moment
    /// At this moment the shell stops waiting for apps.
    let ends: Moment

    /// How long apps have to hand over their state, in seconds.
    public static let patience = 2.0
    /// How long sound takes to fade or an app to thaw, in seconds.
    public static let settling = 0.3

    public init(at now: Moment) {
        settles = now + Self.settling
        ends = now + Self.patience
    }

    /// - Parameter awaits: whether an app has not handed over its state yet.
    public func isOver(at now: Moment, awaits: Bool) -> Bool { now >= ends || now >= settles && !awaits }

    /// When to check again.
    public func next(after now: Moment) -> Moment { now < settles ? settles : ends }
}

extension Lifecycle {
    /// Whether any request for state is unanswered.
    public var awaitsState: Bool { apps.values.contains { !$0.saves.isEmpty } }

    /// Before the machine is switched off, thaws every app, so that each receives the signal to end.
    mutating func setEnding(_ isEnding: Bool, _ turn: inout Turn) {
        guard isEnding != self.isEnding else { return }
        self.isEnding = isEnding
        for id in apps.keys { review(id, &turn) }
    }
}
