import AudioSessions
import Geometry
import Multitasking

/// Everything that can be heard, in one value: what `mullion ctl audio` shows. Fields that do not apply are
/// left out.
public struct SoundReport: Hashable, Codable, Sendable {
    /// Whether a sound server runs.
    public var server: Bool
    /// Possible outputs. `mullion ctl audio output` numbers them from 1 in this order.
    public var outputs: [Port]
    public var inputs: [Port]
    /// The current output and input, by id.
    public var output: String?
    public var input: String?
    /// Whether the user picked the output. Otherwise the shell chose it.
    public var picked: Bool
    /// By class: "media", "ringer", "alarm", "call".
    public var volumes: [String: Volume]
    /// The class that the volume keys control now.
    public var keys: VolumeClass
    public var silenced: Bool
    public var microphoneMuted: Bool
    public var recording: Bool
    public var playing: Playing?
    public var call: Call?
    /// Each app's own level.
    public var apps: [App]
    /// Every session with its streams and their levels, which explain why each stream is audible or not.
    public var sessions: [SessionsReport.Session]

    public struct Port: Hashable, Codable, Sendable {
        public var id: String
        /// A case of `AudioOutput.Kind` or `AudioInput.Kind`.
        public var kind: String
        public var name: String
        /// The level of an output as the user sets it, 0 to 1.
        public var level: Double?
        public var muted: Bool?

        public init(id: String, kind: String, name: String, level: Double? = nil, muted: Bool? = nil) {
            self.id = id
            self.kind = kind
            self.name = name
            self.level = level
            self.muted = muted
        }
    }

    public struct Volume: Hashable, Codable, Sendable {
        /// 0 to 1.
        public var level: Double
        public var muted: Bool
    }

    /// The current or most recent source.
    public struct Playing: Hashable, Codable, Sendable {
        public var app: String
        public var name: String
        public var status: PlaybackStatus
        public var title: String
        public var artist: String
        public var album: String
        public var artwork: String
        /// Seconds, at the time of the report.
        public var position: Double
        /// Seconds; nil: endless or unknown.
        public var duration: Double?
        /// The commands that it accepts, in alphabetical order.
        public var commands: [RemoteCommand.Name]
        /// Seconds, if the app sets its own intervals.
        public var skipForward: Double?
        public var skipBackward: Double?
    }

    public struct Call: Hashable, Codable, Sendable {
        public var app: String
        public var state: CallState
    }

    public struct App: Hashable, Codable, Sendable {
        public var app: String
        public var kind: SoundKind
        /// 0 to 1, relative to other apps.
        public var level: Double
        public var sounding: Bool
    }
}

extension SoundReport {
    public init(_ system: System, at now: Moment) {
        self.init(system.audio.summary, system.audio.report.sessions, at: now)
    }

    public init(_ summary: AudioSummary, _ sessions: [SessionsReport.Session] = [], at now: Moment) {
        self.sessions = sessions
        server = summary.isServerRunning
        outputs = summary.outputs.map {
            Port(id: $0.id.raw, kind: $0.kind.rawValue, name: $0.name, level: $0.level, muted: $0.isMuted)
        }
        inputs = summary.inputs.map { Port(id: $0.id.raw, kind: $0.kind.rawValue, name: $0.name) }
        output = summary.route.output?.raw
        input = summary.route.input?.raw
        picked = summary.isOutputPicked
        volumes = Dictionary(
            uniqueKeysWithValues: summary.volumes.map {
                ($0.key.rawValue, Volume(level: $0.value.level, muted: $0.value.isMuted))
            })
        keys = summary.keysActOn
        silenced = summary.isSilenced
        microphoneMuted = summary.isMicrophoneMuted
        recording = summary.isRecording
        playing = summary.playing.map { Playing($0, at: now) }
        call = summary.call.map { Call(app: $0.app.id, state: $0.state) }
        apps = summary.apps.map { App(app: $0.app.id, kind: $0.kind, level: $0.level, sounding: $0.isSounding) }
    }

    /// Finds the output or input by its id, its number from 1, its name, or an unambiguous part of its name. Throws
    /// an error that lists the available ones.
    public static func find(_ wish: String, among ports: [Port], what: String) throws(ControlError) -> Port {
        if let exact = ports.first(where: { $0.id == wish }) ?? ports.first(where: { $0.name == wish }) { return exact }
        if let number = Int(wish), ports.indices.contains(number - 1) { return ports[number - 1] }
        let part = wish.lowercased()
        let alike = ports.filter { $0.name.lowercased().contains(part) || $0.kind.lowercased() == part }
        if alike.count == 1 { return alike[0] }
        let known = ports.enumerated().map { "\($0.offset + 1) \($0.element.name)" }.joined(separator: ", ")
        if ports.isEmpty { throw ControlError("there is no \(what) at all") }
        throw ControlError(
            alike.isEmpty
                ? "no \(what) is called \"\(wish)\"; there is \(known)" : "\"\(wish)\" may be more than one \(what); there is \(known)")
    }
}

extension SoundReport.Playing {
    init(_ playing: AudioSummary.Playing, at now: Moment) {
        app = playing.app.id
        name = playing.name
        status = playing.status
        title = playing.info.title
        artist = playing.info.artist
        album = playing.info.album
        artwork = playing.info.artwork
        duration = playing.info.duration
        let since = playing.status == .playing ? max(0, now - playing.since) * playing.info.rate : 0
        position = min(duration ?? .infinity, max(0, playing.info.position + since))
        commands = playing.commands.sorted { $0.rawValue < $1.rawValue }
        skipForward = playing.skipForward
        skipBackward = playing.skipBackward
    }
}
