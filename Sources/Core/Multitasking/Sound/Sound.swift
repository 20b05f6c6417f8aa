import AudioSessions
import Geometry
import Interface
import Windows

/// Sound in relation to windows.
struct Sound: Hashable, Codable, Sendable {
    /// Which apps sound, how loud and where.
    private(set) var sessions: AudioSessions
    /// Grows when the audible sound, or the adapters' state of it, may have changed.
    private(set) var revision: UInt64 = 0
    /// The apps in sight, as last passed to the audio sessions.
    private var presences: [AudioPresence] = []
    /// Whether the timer for the elapsed time runs.
    private var isCounting = false
    /// The app whose request for the volume view was answered.
    private var volumeViewOf: AudioApp?
    /// The app for which the choice of an output was shown.
    private var routeShownFor: AudioApp?
    /// The on-screen keyboard that a finger uses.
    var keyboardUse = KeyboardUse()

    init(idiom: Idiom, preferences: AudioPreferences) {
        sessions = AudioSessions(rules: idiom.sound, preferences: preferences)
    }

    /// Whether the text is a name by the sound naming specification; never a path.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && !name.hasPrefix("-")
            && name.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f }
    }

    mutating func handle(_ event: AudioEvent, for screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        revision &+= 1
        for effect in sessions.handle(event, at: now) {
            if case .command(let player, let command) = effect, !command.isForFrozenPlayers, let app = sessions.app(of: player) {
                turn.ask(.life(.calls(app)))
            }
            turn.send([effect])
        }
        screenful.sight.heard = sessions.summary
        if event.mayChoose { turn.ask(.soundChosen) }
    }

    // MARK: From windows to sound

    /// Passes on which apps are in sight, which decides about their sound and which app gets a key.
    mutating func follow(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let over = screenful.workspace.overLock?.window, active = over ?? screenful.workspace.focus
        var seen: [AudioPresence] = []
        let shown = screenful.isLocked ? [over].compactMap(\.self) : screenful.workspace.shownWindows
        for id in shown where screenful.workspace.isMapped(id) {
            guard let facts = screenful.workspace.read(id, { $0.facts }) else { continue }
            seen.append(AudioPresence(app: facts.appID, lineage: facts.lineage, isActive: id == active && !screenful.isWristDown))
        }
        guard seen != presences else { return }
        presences = seen
        handle(.appsInSight(seen), for: &screenful, at: now, &turn)
    }

    /// An app's bell says what just happened in a window, so it sounds only while that window is in sight. The bell of no
    /// window in particular needs any window of its client in sight.
    mutating func bellRung(_ id: WindowID?, _ client: UInt64, for screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard sessions.mayRing(at: now), !screenful.isLocked else { return }
        let workspace = screenful.workspace
        let isInSight = workspace.shownWindows.contains { shown in
            workspace.isMapped(shown) && (id.map { $0 == shown } ?? (workspace[shown]?.facts.client == client))
        }
        if isInSight { handle(.bellRung, for: &screenful, at: now, &turn) }
    }

    mutating func windowCloses(_ window: Window, for screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        handle(Self.closed(window), for: &screenful, at: now, &turn)
    }

    /// The event that tells sound that a window closed or was put away (V-05).
    static func closed(_ window: Window) -> AudioEvent {
        .windowClosed(AudioPresence(app: window.facts.appID, lineage: window.facts.lineage, isActive: false))
    }

    // MARK: From sound to the screen

    /// Updates the shell's own views from the state of sound.
    mutating func show(on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.showVolume(at: now)
        answerVolumeView(on: &screenful, at: now)
        askForRoute(on: &screenful, at: now)
        count(screenful, at: now, &turn)
    }

    /// An app may open the volume view at its own window while that is the active one (law 1), and close it again.
    private mutating func answerVolumeView(on screenful: inout Screenful, at now: Moment) {
        let wanted = sessions.appOfVolumeView
        if volumeViewOf != wanted {
            volumeViewOf = wanted
            if let wanted {
                screenful.openVolumeView(of: wanted, at: now)
            } else {
                screenful.interface.closeVolumeView(at: now, spring: screenful.spring)
            }
        }
        // One request opens the view once.
        if volumeViewOf != nil, !screenful.interface.isVolumeViewOpen {
            volumeViewOf = nil
            sessions.volumeViewClosed()
            screenful.sight.heard = sessions.summary
        }
    }

    /// Long-form audio waits for a choice, which the control centre offers.
    private mutating func askForRoute(on screenful: inout Screenful, at now: Moment) {
        let wanted = screenful.heard.waitsForRoute
        guard wanted != routeShownFor else { return }
        routeShownFor = wanted
        if wanted != nil, !screenful.isLocked {
            screenful.showOutputs(at: now)
        } else {
            screenful.interface.closeOutputs(at: now, spring: screenful.spring)
        }
    }

    /// Updates the elapsed time of the playing item once a second while it is visible.
    private mutating func count(_ screenful: borrowing Screenful, at now: Moment, _ turn: inout Turn) {
        let playing = screenful.interface.showsPlaying ? screenful.heard.playing : nil
        let isSeen = playing?.status == .playing && playing?.info.duration != nil
        if isSeen, !isCounting {
            turn.send(.startTimer(.sound(.playing), at: now + 1))
        } else if !isSeen, isCounting {
            turn.send(.stopTimer(.sound(.playing)))
        }
        isCounting = isSeen
    }

    /// The timer of the elapsed time has fired.
    mutating func secondPassed() { isCounting = false }
}

extension AudioEvent {
    /// Whether a person's settings may differ after it.
    fileprivate var mayChoose: Bool {
        switch self {
        case .action(.remote), .action(.headsetButton), .action(.answerCall), .action(.declineCall), .action(.endCall),
            .action(.silenceRinging):
            false
        case .action, .silenced, .outputLevelChanged, .devicesChanged: true
        default: false
        }
    }
}
