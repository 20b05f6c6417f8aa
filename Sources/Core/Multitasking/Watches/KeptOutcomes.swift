import Geometry
import Interface
import Status
import Windows

/// The data kept for apps: the effect of the outcomes of its room.
extension System {
    mutating func keptStates(_ event: KeptStates.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in keptStates.handle(event, in: (), at: now) {
            switch outcome {
            case .changed:
                screenful.sight.device.kept = keptStates.items
                screenful.drawsAnew()
            case .measure: turn.send(.measureKept)
            case .asks(let app): alert(.forgetKept(app: app), at: now)
            case .delete(let app):
                alerts(.withdrawn([.forgetKept(app: app)]), at: now)
                // Windows that wait to come back. Those of a running app stay.
                let waiting = workspace.windows.values.filter { $0.placeholder != nil && $0.app == app }.map(\.id).sorted()
                for window in waiting { screenful.workspace.destroyed(window) }
                turn.send(.forgetKept(app: app))
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
    }
}
