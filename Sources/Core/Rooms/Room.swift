import Geometry

/// A part of the shell's state behind a wall (decision 0180): events go in, the state changes at once, outcomes come out in the order in
/// which they are carried out.
///
/// A room knows no other room. What it needs of others for one event is its context, a value. What others shall do is an outcome. It names
/// no adapter, reads no clock and never waits.
public protocol Room: Hashable, Codable, Sendable {
    associatedtype Event
    /// An effect, a timer of the room, a wish to another room, or that something is drawn anew.
    associatedtype Outcome
    associatedtype Context = Void
    /// The part of an idiom that the room follows.
    associatedtype Rules = Void

    mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome]
    /// Another idiom begins: what belonged to the last one alone ends.
    mutating func begin(_ rules: Rules, at now: Moment) -> [Outcome]
    /// Violations of the invariants that hold after every event; empty if there is none.
    func violations(in context: Context) -> [String]
}

extension Room {
    public mutating func begin(_ rules: Rules, at now: Moment) -> [Outcome] { [] }

    public func violations(in context: Context) -> [String] { [] }
}
