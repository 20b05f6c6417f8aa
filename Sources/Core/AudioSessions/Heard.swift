import Geometry

/// An inaudible session lowers nothing: a prompt, an alarm, a ring or a notification that a rule or a volume of 0
/// silences leaves other sound as it is. `Session.isUnheard` is the result of the last check.
extension AudioSessions {
    /// Whether an active session is inaudible.
    ///
    /// A call and a recording count in any case, because they are about the microphone. The system volume lowers everything alike, so
    /// it makes no difference.
    func isUnheard(at index: Int) -> Bool {
        let session = sessions.values[index].traits
        guard session.kind != .callActive, session.kind != .recording else { return false }
        let entry = apps.index(forKey: session.app)
        return session.duckGain == 0 || volume(of: session, entry) == 0 || isSilent(session, entry.map { apps.values[$0].standing })
    }

    /// Checks the changed sessions again. A session that became inaudible stops lowering others, and one that became audible acts on
    /// others as at its start.
    /// The sessions that it paused stay paused until it ends: a person who silences a ring does not ask for the music.
    mutating func listen(_ turn: inout Turn) {
        var place = 0
        // The list grows: sessions that fall silent under another sound are checked, too.
        while place < turn.dirty.count {
            defer { place += 1 }
            guard let index = sessions.index(forKey: turn.dirty[place]), sessions.values[index].state == .active else { continue }
            let isUnheard = isUnheard(at: index)
            guard isUnheard != sessions.values[index].isUnheard else { continue }
            sessions.values[index].isUnheard = isUnheard
            turn.dirty.append(sessions.values[index].id)
            if sessions.values[index].mayDuck { act(index, &turn) }
        }
    }

    /// Applies the effects of a session on others now that it is heard, or is not.
    private mutating func act(_ index: Int, _ turn: inout Turn) {
        let own = sessions.values[index].traits
        for other in sessions.values.indices {
            let theirs = sessions.values[other].traits
            guard theirs.app != own.app, theirs.state == .active || theirs.state == .interrupted else { continue }
            if sessions.values[other].duck(by: own.id, duck(of: theirs, by: own)) { turn.dirty.append(theirs.id) }
            guard !own.isUnheard, own.kind.announces, theirs.order < own.order,
                let kind = cell(of: theirs, under: own, isAskedFor: true).loss
            else { continue }
            lose(other, Loss(cause: .session(own.id), kind: kind), &turn)
        }
    }
}

extension InterruptionTable.Cell {
    /// Whether the effect comes from an inaudible sound. Media that a person started takes the place of other media at any volume.
    func isMoot(newcomer: Session.Traits, incumbent: Session.Traits) -> Bool {
        if newcomer.isUnheard, incumbentDuck != nil || newcomer.kind.announces && (loss != nil || self == .cut) { return true }
        return incumbent.isUnheard && (newcomerDuck != nil || self == .wait)
    }
}

extension SoundKind {
    /// Whether it tells a person something for a moment, over the media that the person listens to.
    var announces: Bool {
        switch self {
        case .prompt, .alarm, .callRinging, .notification, .screenReader: true
        default: false
        }
    }
}
