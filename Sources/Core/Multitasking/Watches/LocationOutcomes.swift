import Geometry
import Interface
import Status
import Windows

/// The location: the effect of the outcomes of its room.
extension System {
    var locatingContext: Locating.Context {
        Locating.Context(isLocked: screenful.isLocked, decided: screenful.preferences.location)
    }

    mutating func locating(_ event: Locating.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in locating.handle(event, in: locatingContext, at: now) {
            switch outcome {
            case .used(let apps): uses(.location, by: apps.map { SensorUse.User(SensorUse.Program(id: $0)) }, at: now)
            case .answer(let request, let isAllowed): turn.send(.status(.answerLocation(request, isAllowed)))
            case .asks(let app):
                alert(.location(app: app), stays: true, at: now)
                // Too many alerts wait: a question that no person sees is refused (law 12).
                if !alerts.waiting.contains(.location(app: app)) { locating(.wish(.later(app: app)), at: now, &turn) }
            case .settled(let app): alerts(.withdrawn([.location(app: app)]), at: now)
            case .remember(let app, let isAllowed): choices(.chosen(.location(app: app, isAllowed)), at: now, &turn)
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
    }

    /// A person closes an alert without an answer: an app that asked for the location is refused this time.
    mutating func alertCloses(at now: Moment, _ turn: inout Turn) {
        if case .location(let app)? = alertContext.open { locating(.wish(.later(app: app)), at: now, &turn) }
    }
}
