import Geometry

/// The state of audio as people see it. The shell's views, `mullion ctl audio` and the bus show only this.
public struct AudioSummary: Hashable, Codable, Sendable {
    public struct Volume: Hashable, Codable, Sendable {
        /// As the user sets it, 0 to 1.
        public var level: Double
        public var isMuted: Bool

        public init(level: Double, isMuted: Bool) {
            self.level = level
            self.isMuted = isMuted
        }
    }

    /// The current or most recent app with sound, and its available commands.
    public struct Playing: Hashable, Codable, Sendable {
        public var app: AudioApp
        public var name: String
        public var info: NowPlayingInfo
        public var status: PlaybackStatus
        public var commands: Set<RemoteCommand.Name>
        /// Seconds, if the app sets its own intervals.
        public var skipForward: Double?
        public var skipBackward: Double?
        /// When `info.position` was reported.
        public var since: Moment

        public init(
            app: AudioApp, name: String, info: NowPlayingInfo, status: PlaybackStatus, commands: Set<RemoteCommand.Name>,
            skipForward: Double? = nil, skipBackward: Double? = nil, since: Moment
        ) {
            self.app = app
            self.name = name
            self.info = info
            self.status = status
            self.commands = commands
            self.skipForward = skipForward
            self.skipBackward = skipBackward
            self.since = since
        }
    }

    public struct Call: Hashable, Codable, Sendable {
        public var app: AudioApp
        public var state: CallState

        public init(app: AudioApp, state: CallState) {
            self.app = app
            self.state = state
        }
    }

    /// An app in the mixer.
    public struct AppVolume: Hashable, Codable, Sendable {
        public var app: AudioApp
        public var kind: SoundKind
        public var level: Double
        public var isSounding: Bool

        public init(app: AudioApp, kind: SoundKind, level: Double, isSounding: Bool) {
            self.app = app
            self.kind = kind
            self.level = level
            self.isSounding = isSounding
        }
    }

    public var isServerRunning = false
    public var outputs: [AudioOutput] = []
    public var inputs: [AudioInput] = []
    public var route = AudioRoute()
    /// Whether the user picked the output. Otherwise the shell chose it.
    public var isOutputPicked = false
    public var volumes: [VolumeClass: Volume] = [:]
    /// The class that the volume keys control now.
    public var keysActOn = VolumeClass.media
    public var isSilenced = false
    public var isMicrophoneMuted = false
    public var isRecording = false
    /// The apps that listen to a microphone now.
    public var recorders: [AudioApp] = []
    /// Whether a call or an alarm is heard that a person can silence.
    public var isRinging = false
    /// Whether the keys of on-screen keyboards click, and whether one has been used.
    public var hasKeyClicks = true
    public var isKeyboardKnown = false
    public var playing: Playing?
    public var call: Call?
    public var apps: [AppVolume] = []
    /// The volume that is shown briefly after a change.
    public var shownVolume: VolumeClass?
    /// The app whose window shows the volume view.
    public var volumeViewOf: AudioApp?
    /// The app whose long-form audio waits for an output.
    public var waitsForRoute: AudioApp?

    public init() {}
}
