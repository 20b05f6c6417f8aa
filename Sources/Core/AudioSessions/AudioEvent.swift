import Geometry

/// Everything that can happen to sound, as values. Recorded, they replay to the same state.
public enum AudioEvent: Hashable, Codable, Sendable {
    // MARK: The sound server
    /// The server is there, or was lost. Its streams, outputs and inputs are told anew after it came back.
    case serverChanged(isRunning: Bool)
    /// All outputs and inputs that could be used now.
    case devicesChanged(outputs: [AudioOutput], inputs: [AudioInput])
    /// Somebody else (a mixer, an accessory) changed an output's level.
    case outputLevelChanged(PortID, level: Double, isMuted: Bool)
    case streamAppeared(StreamID, StreamFacts)
    /// What is known of it changed; above all whether it runs.
    case streamChanged(StreamID, StreamFacts)
    case streamGone(StreamID)

    // MARK: Players on the session bus (MPRIS)
    case playerAppeared(PlayerID, PlayerFacts)
    case playerChanged(PlayerID, PlayerFacts)
    case playerGone(PlayerID)

    // MARK: Apps that declare sessions
    case sessionOpened(SessionID, AudioApp)
    case sessionAsked(SessionID, SessionRequest, reply: ReplyID)
    /// Closed, its client gone or its bus lost.
    case sessionClosed(SessionID)

    // MARK: The life of apps and windows
    /// Apps with a window in sight, and the one that is active; by the same ids as windows have.
    case appsInSight([AudioPresence])
    /// Before the app is stopped: sessions end, streams are unlinked (law 4).
    case appFreezing(AudioPresence)
    case appThawed(AudioPresence)
    case windowClosed(AudioPresence)

    /// Categories of the installed apps' desktop entries, by the ids and the programs of those in lower case.
    case categoriesChanged([String: [String]])

    // MARK: The machine
    /// The silence switch, of the hardware or a person's choice.
    case silenced(Bool)
    /// The cover over the screen and the built-in microphone.
    case coverClosed(Bool)
    case screenLocked(Bool)
    case wokeUp
    /// What a person chose in the configuration; told before anything else, too.
    case configured(AudioPreferences)

    // MARK: People and time
    case action(AudioAction)
    /// A short sound that an app or the shell wishes: a freedesktop sound name.
    case systemSound(String, SystemSoundKind)
    case timer(AudioTimer)
}

/// A stream of the sound server, as far as the adapter can tell.
public struct StreamFacts: Hashable, Codable, Sendable {
    public enum Direction: String, Hashable, Codable, Sendable {
        case output, input
        /// It records what an output plays (a screen recorder); it is nobody's microphone.
        case monitor
    }

    public var app: AudioApp
    public var direction: Direction
    /// It moves samples now, or would if it were connected: its app has started it and not stopped it.
    public var isRunning: Bool
    /// The app holds it still (pulse: corked), or its own volume is 0.
    public var isMuted: Bool
    /// `media.role` as the app set it: "Music", "Movie", "Game", "Communication", "Notification", "a11y" and so on.
    public var role: String
    /// `media.name`: what people read in mixers.
    public var name: String
    /// Categories of the app's desktop entry: "AudioVideo", "Game", "Network". Where the adapter says none, those of
    /// `AudioEvent.categoriesChanged` are taken.
    public var appCategories: [String]
    /// The class that the person's configuration gives to the app, if it does.
    public var ruled: SoundKind?

    public init(
        app: AudioApp, direction: Direction = .output, isRunning: Bool = true, isMuted: Bool = false, role: String = "",
        name: String = "", appCategories: [String] = [], ruled: SoundKind? = nil
    ) {
        self.app = app
        self.direction = direction
        self.isRunning = isRunning
        self.isMuted = isMuted
        self.role = role
        self.name = name
        self.appCategories = appCategories
        self.ruled = ruled
    }
}

/// An app with a window, as far as sound is concerned.
public struct AudioPresence: Hashable, Codable, Sendable {
    /// The windows' app id.
    public var app: String
    /// Its client's process and ancestors, nearest first.
    public var lineage: [Int32]
    public var isActive: Bool

    public init(app: String, lineage: [Int32] = [], isActive: Bool = false) {
        self.app = app
        self.lineage = lineage
        self.isActive = isActive
    }
}

/// What an app asks of its session. Each gets one answer.
public enum SessionRequest: Hashable, Codable, Sendable {
    case setCategory(Category, Mode, Options)
    case activate
    /// With `notifyOthers` interrupted apps are told that they may resume.
    case deactivate(notifyOthers: Bool)
    /// Its relative level below the system volume, 0 to 1.
    case setLevel(Double)
    /// The commands that it handles now, and its own skip intervals in seconds.
    case setCommands(Set<RemoteCommand.Name>, skipForward: Double?, skipBackward: Double?)
    case setNowPlaying(NowPlayingInfo?, PlaybackStatus)
    case preferInput(PortID?)
    /// Only of a call: it rings; a person accepted it; it ended.
    case call(CallState)
    /// The volume view is wanted for one of its windows.
    case showVolume(Bool)
}

public enum CallState: String, CaseIterable, Hashable, Codable, Sendable {
    /// As a banner, or over the whole screen.
    case ringing, ringingFullScreen
    case accepted
    case ended
}

public enum SystemSoundKind: String, CaseIterable, Hashable, Codable, Sendable {
    /// Feedback to what a person does: key clicks, effects.
    case feedback
    /// It announces something.
    case alert
    /// The person asked for it (a level test, calibration).
    case asked
}

public enum AudioTimer: String, CaseIterable, Hashable, Codable, Sendable {
    /// A fade has ended; the player that it silences is paused now.
    case fade
    /// A player that was asked to pause had time to.
    case deafPlayer
    /// The level's picture goes away.
    case volumeShown
    /// What was held back after a route was lost may sound again.
    case routeSettled
    /// Nobody else was heard for a while: apps are told.
    case hintsFell
}

/// What a person wants of sound, by key, by finger or by `mullion ctl audio`.
public enum AudioAction: Hashable, Codable, Sendable {
    /// In sixteenths of the range, up or down; nil class: whatever the keys act on now.
    case volumeStep(Int, VolumeClass? = nil)
    /// 0 to 1.
    case setVolume(Double, VolumeClass? = nil)
    /// Of an app, by its id, relative to the rest.
    case setAppVolume(Double, app: String)
    /// nil: the other way round.
    case mute(Bool?)
    case silence(Bool?)
    /// The person picks an output, nil: automatic again.
    case pickOutput(PortID?)
    case pickInput(PortID?)
    case muteMicrophone(Bool?)
    case remote(RemoteCommand, RemoteSource)
    /// The one button of a headset: calls first.
    case headsetButton(PortID? = nil)
    case answerCall, declineCall, endCall
}
