import Geometry

/// All audio events, as values. A recording of them replays to the same state.
public enum AudioEvent: Hashable, Codable, Sendable {
    // MARK: The sound server
    /// The server is available, or was lost. After it returns, its streams, outputs and inputs are reported again.
    case serverChanged(isRunning: Bool)
    /// All outputs and inputs that can be used now.
    case devicesChanged(outputs: [AudioOutput], inputs: [AudioInput])
    /// Another program (a mixer, an accessory) changed an output's level.
    case outputLevelChanged(PortID, level: Double, isMuted: Bool)
    case streamAppeared(StreamID, StreamFacts)
    /// The facts changed, most importantly whether it runs.
    case streamChanged(StreamID, StreamFacts)
    case streamGone(StreamID)
    /// A new session manager sets up all streams: they stop for a moment and run again, though no app stopped or started anything.
    case streamsSetUpAnew

    // MARK: Players on the session bus (MPRIS)
    case playerAppeared(PlayerID, PlayerFacts)
    case playerChanged(PlayerID, PlayerFacts)
    case playerGone(PlayerID)

    // MARK: Apps that declare sessions
    case sessionOpened(SessionID, AudioApp)
    case sessionAsked(SessionID, SessionRequest, reply: ReplyID)
    /// The session was closed, its client is gone, or the bus was lost.
    case sessionClosed(SessionID)

    // MARK: Apps and windows
    /// Apps with a visible window, and the active one, by the same ids as windows.
    case appsInSight([AudioPresence])
    /// Sent before the app is frozen. Its sessions end and its streams are unlinked (law 4).
    case appFreezing(AudioPresence)
    case appThawed(AudioPresence)
    case windowClosed(AudioPresence)

    /// Categories of the installed apps' desktop entries, keyed in lower case by their ids and programs.
    case categoriesChanged([String: [String]])

    // MARK: The machine
    /// The silence switch, in hardware or chosen by the user.
    case silenced(Bool)
    /// The choices of the last session.
    case restored([AudioChoice])
    /// The cover over the screen and the built-in microphone.
    case coverClosed(Bool)
    case screenLocked(Bool)
    /// The machine is about to sleep: everything is interrupted until it wakes.
    case goesToSleep
    case wokeUp
    /// The user's configuration. Also sent before any other event.
    case configured(AudioPreferences)
    /// Another idiom begins.
    case rulesChanged(SoundRules)

    // MARK: The user and time
    case action(AudioAction)
    /// A short sound that an app or the shell requests, by its freedesktop sound name.
    case systemSound(String, SystemSoundKind)
    /// An app in sight rings the bell.
    case bellRung
    /// A finger typed a key on an on-screen keyboard of this process. `asks`: whether the process can ask a feedback service.
    case keyTyped(by: Int32, asks: Bool)
    /// A program asks the shell for feedback, by a name of the event naming specification of feedbackd.
    case feedbackAsked(String, by: Int32)
    /// Whether another program serves feedback, or would be started for it.
    case feedbackServedElsewhere(Bool)
    case timer(AudioTimer)
}

/// A stream of the sound server, as far as the adapter knows it.
public struct StreamFacts: Hashable, Codable, Sendable {
    public enum Direction: String, Hashable, Codable, Sendable {
        case output, input
        /// Records the sound of an output (a screen recorder), not a microphone.
        case monitor
    }

    public var app: AudioApp
    public var direction: Direction
    /// Whether the app has started it and not stopped it, so that it moves samples, or would if it were connected.
    public var isRunning: Bool
    /// Whether the app pauses it (pulse: corked), or set its own volume to 0.
    public var isMuted: Bool
    /// Whether it has carried nothing but silence for a second. Known only of streams that are measured.
    public var isSilent: Bool
    /// `media.role` as the app set it: "Music", "Movie", "Game", "Communication", "Notification", "a11y" and so on.
    public var role: String
    /// `media.name`: the name that mixers show.
    public var name: String
    /// Categories of the app's desktop entry: "AudioVideo", "Game", "Network". If the adapter reports none, those of
    /// `AudioEvent.categoriesChanged` apply.
    public var appCategories: [String]
    /// The kind that the user's configuration assigns to the app, if any.
    public var ruled: SoundKind?

    public init(
        app: AudioApp, direction: Direction = .output, isRunning: Bool = true, isMuted: Bool = false, isSilent: Bool = false,
        role: String = "",
        name: String = "", appCategories: [String] = [], ruled: SoundKind? = nil
    ) {
        self.app = app
        self.direction = direction
        self.isRunning = isRunning
        self.isMuted = isMuted
        self.isSilent = isSilent
        self.role = role
        self.name = name
        self.appCategories = appCategories
        self.ruled = ruled
    }
}

/// An app with a window, as far as audio is concerned.
public struct AudioPresence: Hashable, Codable, Sendable {
    /// The app id of its windows.
    public var app: String
    /// The client's process and its ancestors, nearest first.
    public var lineage: [Int32]
    public var isActive: Bool

    public init(app: String, lineage: [Int32] = [], isActive: Bool = false) {
        self.app = app
        self.lineage = lineage
        self.isActive = isActive
    }
}

/// A request of an app to its session. Each gets one answer.
public enum SessionRequest: Hashable, Codable, Sendable {
    case setCategory(Category, Mode, Options)
    case activate
    /// `notifyOthers` tells interrupted apps that they may resume.
    case deactivate(notifyOthers: Bool)
    /// Its relative level below the system volume, 0 to 1.
    case setLevel(Double)
    /// The commands that it handles now, and its own skip intervals in seconds.
    case setCommands(Set<RemoteCommand.Name>, skipForward: Double?, skipBackward: Double?)
    case setNowPlaying(NowPlayingInfo?, PlaybackStatus)
    case preferInput(PortID?)
    /// Only for calls: it rings, the user accepted it, or it ended.
    case call(CallState)
    /// Shows the volume view over one of its windows.
    case showVolume(Bool)
}

public enum CallState: String, CaseIterable, Hashable, Codable, Sendable {
    /// As a banner, or over the whole screen.
    case ringing, ringingFullScreen
    case accepted
    case ended
}

public enum SystemSoundKind: String, CaseIterable, Hashable, Codable, Sendable {
    /// Feedback to an action of the user: key clicks, effects.
    case feedback
    /// Announces something.
    case alert
    /// The user asked for it (a level test, calibration).
    case asked
}

public enum AudioTimer: String, CaseIterable, Hashable, Codable, Sendable {
    /// A fade has ended, so its player is paused now.
    case fade
    /// A player had time to react to a pause.
    case deafPlayer
    /// Hides the volume level.
    case volumeShown
    /// Sound that was held back after a route was lost may play again.
    case routeSettled
    /// No other app was audible for a while, so apps are told.
    case hintsFell
    /// A new session manager had time to set up all streams.
    case streamsSetUp
}

/// Audio actions of the user, by key, by touch or by `mullion ctl audio`.
public enum AudioAction: Hashable, Codable, Sendable {
    /// In sixteenths of the range, up or down. A nil class stands for the one that the volume keys control now.
    case volumeStep(Int, VolumeClass? = nil)
    /// 0 to 1.
    case setVolume(Double, VolumeClass? = nil)
    /// The volume of an app, by its id, relative to the rest.
    case setAppVolume(Double, app: String)
    /// nil toggles.
    case mute(Bool?)
    case silence(Bool?)
    /// The user picks an output; nil returns to automatic.
    case pickOutput(PortID?)
    case pickInput(PortID?)
    case muteMicrophone(Bool?)
    case remote(RemoteCommand, RemoteSource)
    /// The single button of a headset. Calls come first.
    case headsetButton(PortID? = nil)
    case answerCall, declineCall, endCall
    /// Silences a ringing call or alarm, which continues unheard.
    case silenceRinging
}
