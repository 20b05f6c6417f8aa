import Geometry

/// What people see of sound: the shell's views, `mullion ctl audio` and the bus show this and nothing else.
public struct AudioSummary: Hashable, Codable, Sendable {
    public struct Volume: Hashable, Codable, Sendable {
        /// As people set it, 0 to 1.
        public var level: Double
        public var isMuted: Bool

        public init(level: Double, isMuted: Bool) {
            self.level = level
            self.isMuted = isMuted
        }
    }

    /// The app whose sound is the current or most recent one, and what of it can be controlled.
    public struct Playing: Hashable, Codable, Sendable {
        public var app: AudioApp
        public var name: String
        public var info: NowPlayingInfo
        public var status: PlaybackStatus
        public var commands: Set<RemoteCommand.Name>
        /// Seconds, where the app has intervals of its own.
        public var skipForward: Double?
        public var skipBackward: Double?
        /// When `info.position` was true.
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

    /// One app's place in the mixer.
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
    /// The person picked the output; else it is chosen.
    public var isOutputPicked = false
    public var volumes: [VolumeClass: Volume] = [:]
    /// What the volume keys act on now.
    public var keysActOn = VolumeClass.media
    public var isSilenced = false
    public var isMicrophoneMuted = false
    public var isRecording = false
    public var playing: Playing?
    public var call: Call?
    public var apps: [AppVolume] = []
    /// The level that is shown for a moment because it changed.
    public var shownVolume: VolumeClass?
    /// Windows' app that asked for the volume view.
    public var volumeViewOf: AudioApp?

    public init() {}
}
