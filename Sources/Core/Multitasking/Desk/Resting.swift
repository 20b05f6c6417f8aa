import Geometry
import Interface
import Seat
import Stage
import Windows

/// The screen dims while the device is unused, where the idiom says so (`RestRules`).
extension System {
    /// Waits without use for as long as the idiom says. Inhibitors of idleness count, and so does a film.
    mutating func followRest(at now: Moment, _ turn: inout Turn) {
        let wanted = desk.workspace.family.rest.dimsAfter
        guard wanted != desk.waits.rest else { return }
        if desk.waits.rest > 0 { turn.send(seat.handle(.watchGone(.shell), at: now)) }
        desk.waits.rest = wanted
        if wanted > 0 { turn.send(seat.handle(.watchAdded(.shell, milliseconds: UInt32(clamping: Int(clamping: wanted * 1000))), at: now)) }
    }

    /// A person uses a screen at rest: it wakes, and the input reaches nothing else. Returns whether that is all.
    mutating func wakes(by event: Event, at now: Moment, _ turn: inout Turn) -> Bool {
        guard desk.interface.isResting, event.isUse else { return false }
        desk.rest(false, at: now, &turn)
        switch event {
        case .key(let code, _, true, _, _, _):
            hands.keys.swallowed.append(code)
            turn.send(.swallowKey)
        case .touchDown(let id, let point, _):
            guard hands.isNew(id) else { break }
            hands.contacts.append(Contact(id: id, trace: Trace(point, at: now), hit: .background, owner: .nobody))
        // Keys, buttons and fingers that went down before end where they began (law 4).
        case .key, .pointerButton(_, pressed: false), .pointerMotion, .touchMotion, .touchUp, .touchCancel: return false
        // The button's release finds nothing that was pressed.
        default: break
        }
        turn.ask(.settle())
        return true
    }
}

extension Desk {
    mutating func rest(_ isIdle: Bool, at now: Moment, _ turn: inout Turn) {
        let spring = self.spring
        guard isIdle else {
            guard interface.isResting else { return }
            interface.rest?.close(at: now, spring: spring)
            return turn.send(.stopTimer(.desk(.rest)))
        }
        guard !isLocked, workspace.family.rest.dimsAfter > 0, !interface.isResting else { return }
        interface.rest.present(Interface.Rest(), at: now, spring: spring)
        askForTime(at: now, &turn)
    }

    /// The clock moves on.
    mutating func restMoves(at now: Moment, _ turn: inout Turn) {
        guard interface.isResting else { return }
        interface.rest?.content.place += 1
        askForTime(at: now, &turn)
    }

    private func askForTime(at now: Moment, _ turn: inout Turn) {
        turn.send(.look(.tellTime))
        turn.send(.startTimer(.desk(.rest), at: now + workspace.family.rest.moves))
    }

    mutating func timeIs(_ time: TimeOfDay) {
        guard interface.isResting, interface.rest?.content.time != time else { return }
        interface.rest?.content.time = time
    }

    /// Whether a person watches a film, even one whose app inhibits nothing.
    var showsFilm: Bool {
        guard workspace.family.rest.dimsAfter > 0 else { return false }
        return heard.apps.contains { app in
            app.kind == .video && app.isSounding && workspace.shownWindows.contains { workspace[$0]?.belongs(to: app.app) ?? false }
        }
    }
}
