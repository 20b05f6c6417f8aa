import AudioSessions
import Geometry
import Windows

/// Sound beside windows: what each tells the other.
extension System {
    mutating func handleAudio(_ event: AudioEvent, at now: Moment, _ effects: inout [Effect]) {
        soundRevision &+= 1
        for effect in audio.handle(event, at: now) {
            switch effect {
            case .startTimer(let timer, let moment): effects.append(.startTimer(TimerID(timer), at: moment))
            case .stopTimer(let timer): effects.append(.stopTimer(TimerID(timer)))
            case .refuse(let reason): effects.append(.refuse(Refusal(reason)))
            default: effects.append(.audio(effect))
            }
        }
    }

    /// Which apps are in sight decides what may sound, and who gets a key.
    mutating func tellPresences(at now: Moment, _ effects: inout [Effect]) {
        let active = workspace.focus
        let presences = isLocked ? [] : workspace.shownWindows.compactMap { id in
            workspace[id].flatMap { $0.isMapped ? presence(of: $0, isActive: id == active) : nil }
        }
        guard presences != lastSent.presences else { return }
        lastSent.presences = presences
        handleAudio(.appsInSight(presences), at: now, &effects)
    }

    func presence(of window: Window, isActive: Bool = false) -> AudioPresence {
        AudioPresence(app: window.facts.appID, lineage: window.facts.lineage, isActive: isActive)
    }
}

extension TimerID {
    init(_ timer: AudioTimer) {
        self = switch timer {
        case .fade: .audioFade
        case .deafPlayer: .audioDeafPlayer
        case .volumeShown: .audioVolumeShown
        case .routeSettled: .audioRouteSettled
        case .hintsFell: .audioHintsFell
        }
    }
}
