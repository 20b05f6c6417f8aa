import Geometry
import Windows

/// Another idiom begins while the shell runs.
extension System {
    /// The idioms that a person can choose.
    public var idioms: [Idiom] { screenful.sight.idioms }

    mutating func idiomsKnown(_ idioms: [Idiom], at now: Moment, _ turn: inout Turn) {
        screenful.sight.idioms = idioms
        if let new = idioms.first(where: { $0.name == workspace.family.name }) { begin(new, at: now, &turn) }
        followHardware(at: now, &turn)
    }

    mutating func begin(_ idiom: Idiom, at now: Moment, _ turn: inout Turn) {
        guard idiom != workspace.family else { return }
        for room in System.rooms { room.begin?(&self, idiom, now, &turn) }
    }
}

extension Screenful {
    /// The idiom of this name among those that a person can choose.
    func idiom(named name: String) throws(Refusal) -> Idiom {
        if let idiom = sight.idioms.first(where: { $0.name == name }) { return idiom }
        throw Refusal("there is no idiom \"\(name)\"; there are \(sight.idioms.map(\.name).joined(separator: ", "))")
    }
}

extension Hands {
    /// Gestures end, and what fingers and buttons hold is let go of, while they stay down. Held keys keep their owner until they are
    /// released.
    mutating func leaveEverything(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        cancelGrab(&screenful, at: now, &turn)
        takeFromClients(&turn)
        if !pointer.delivered.isEmpty { releasePointer(.arrow, &turn) }
    }
}
