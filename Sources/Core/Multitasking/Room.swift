import AudioSessions
import Geometry
import Lifecycle
import Notices
import Seat
import Windows

/// An effect of one room, as `System` carries it out.
protocol RoomEffect {
    var step: RoomStep { get }
}

enum RoomStep {
    case send(Effect)
    case ask(Wish)

    /// The room's timer, at this moment; nil: not any more.
    static func timer(_ timer: TimerID, _ moment: Moment?) -> RoomStep {
        .send(moment.map { .startTimer(timer, at: $0) } ?? .stopTimer(timer))
    }
}

extension Turn {
    /// Sends the decisions of a room, in order.
    mutating func send(_ effects: [some RoomEffect]) {
        for effect in effects {
            switch effect.step {
            case .send(let effect): send(effect)
            case .ask(let wish): ask(wish)
            }
        }
    }
}

// MARK: The table of each room's effects and timers

extension ChoiceEffect: RoomEffect { var step: RoomStep { .send(.choices(self)) } }
extension NoticeEffect: RoomEffect { var step: RoomStep { .send(.notice(self)) } }

extension IdleEffect: RoomEffect {
    var step: RoomStep {
        switch self {
        case .tell(.shell, let isIdle): .ask(.rest(isIdle))
        case .tell(.lock, let isIdle): .ask(.unused(isIdle))
        case .tell(let id, let isIdle): .send(.client(.tellIdle(id, isIdle: isIdle)))
        case .wake(let moment): .timer(.seat(.idle), moment)
        }
    }
}

extension CopyEffect: RoomEffect {
    var step: RoomStep { if case .wake(let moment) = self { .timer(.seat(.copying), moment) } else { .send(.copying(self)) } }
}

extension AudioEffect: RoomEffect {
    var step: RoomStep {
        switch self {
        case .startTimer(let timer, let moment): .timer(.audio(timer), moment)
        case .stopTimer(let timer): .timer(.audio(timer), nil)
        case .refuse(let reason): .send(.refuse(Refusal(reason)))
        default: .send(.audio(self))
        }
    }
}
