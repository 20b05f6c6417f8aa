import MessageBus

extension AudioSession {
    /// The purpose of the sound.
    public enum Category: String, CaseIterable, Hashable, Sendable {
        /// Silenced by the silence switch and in the background; stops other sound. The default for apps that
        /// declare nothing.
        case soloAmbient
        /// The same, but mixes with other apps. For games that let the user's own music play on.
        case ambient
        /// Sound that the user chose to hear: music, podcasts, films. Plays in the background and with the silence
        /// switch on.
        case playback
        /// Voice recorders.
        case record
        /// Calls, voice messages, making music.
        case playAndRecord
        /// Only for clocks.
        case alarm
        /// An incoming call. Only for phone apps.
        case ringer
    }

    /// The activity of the app within its category.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        case standard
        /// Podcasts and audiobooks. They are paused where music would be ducked.
        case spokenAudio
        /// A prompt of a navigation app.
        case voicePrompt
        case voiceChat, videoChat, moviePlayback, game, measurement
        /// A screen reader.
        case assistive
    }

    /// How the session interacts with others. docs/audio-api.md lists which options each category allows.
    public struct Options: OptionSet, Hashable, Sendable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let mixWithOthers = Options(rawValue: 1 << 0)
        /// Ducks other sessions while this one is active. Implies mixing.
        public static let duckOthers = Options(rawValue: 1 << 1)
        /// Interrupts spoken audio, and mixes with the rest. Implies mixing.
        public static let interruptSpokenAudioAndMix = Options(rawValue: 1 << 2)
        public static let allowBluetooth = Options(rawValue: 1 << 3)
        public static let allowBluetoothA2DP = Options(rawValue: 1 << 4)
        public static let defaultToSpeaker = Options(rawValue: 1 << 5)
        /// The closed cover leaves the session active. Its input is silent.
        public static let overrideMutedMic = Options(rawValue: 1 << 6)
        /// An incoming call does not interrupt the session.
        public static let prefersNoInterruptionsFromSystemAlerts = Options(rawValue: 1 << 7)
        public static let allowHapticsAndSystemSoundsDuringRecording = Options(rawValue: 1 << 8)
        public static let prefersInterruptionOnRouteDisconnect = Options(rawValue: 1 << 9)

        /// Names in the order of the bits.
        static let allNames = [
            "mixWithOthers", "duckOthers", "interruptSpokenAudioAndMix", "allowBluetooth", "allowBluetoothA2DP",
            "defaultToSpeaker", "overrideMutedMic", "prefersNoInterruptionsFromSystemAlerts",
            "allowHapticsAndSystemSoundsDuringRecording", "prefersInterruptionOnRouteDisconnect",
        ]

        var names: [String] {
            Self.allNames.enumerated().filter { contains(Options(rawValue: 1 << UInt32($0.offset))) }.map(\.element)
        }
    }

    public enum State: String, CaseIterable, Hashable, Sendable {
        case inactive, active
        /// Another session has priority. An event will tell the end.
        case interrupted
    }

    /// Something that happens to a session without a request.
    public enum Event: Hashable, Sendable {
        /// Stop playing, and show that in the UI. Exactly one end follows if the session lives long enough.
        case interruptionBegan(InterruptionReason)
        /// The interruption is over. A media app continues only if `shouldResume` is true; a game continues in any
        /// case. Call `activate()` first if `state` is not active.
        case interruptionEnded(shouldResume: Bool)
        /// The output changed. An app need not react: if it has to pause because headphones were
        /// unplugged, that arrives as an interruption.
        case routeChanged(RouteChangeReason, previous: Route, current: Route)
        /// Another app's music starts or stops. While it plays, omit secondary audio such as a game's soundtrack.
        case secondaryAudioHint(Bool)
        case inputAvailable(Bool)
        /// The user used playback controls. Only commands set by `setCommands` arrive.
        case command(RemoteCommand)
        /// For phone apps: the user answers, declines or ends the call with the shell's controls or a headset's
        /// button. Do so, then report it (`setCallState`).
        case call(CallCommand)
        case outputVolumeChanged(Double)
        /// The shell is gone. Nothing interrupts the session, and requests fail.
        case serviceLost
        /// The shell is available, for the first time or again, and knows the session's state.
        case serviceReturned
    }

    public enum InterruptionReason: Hashable, Sendable {
        /// Other audio.
        case standard
        /// The cover was closed over the microphone.
        case builtInMicMuted
        /// The headphones were unplugged.
        case routeDisconnected
        /// The app itself was suspended.
        case appSuspended
        case other(String)

        init(_ text: String) {
            self = switch text {
            case "standard": .standard
            case "builtInMicMuted": .builtInMicMuted
            case "routeDisconnected": .routeDisconnected
            case "appSuspended": .appSuspended
            default: .other(text)
            }
        }
    }

    public enum RouteChangeReason: UInt32, CaseIterable, Hashable, Sendable {
        case unknown = 0
        case newDeviceAvailable = 1
        case oldDeviceUnavailable = 2
        case categoryChange = 3
        case override = 4
        case wakeFromSleep = 6
        case noSuitableRouteForCategory = 7
        case routeConfigurationChange = 8
    }

    /// The current output and input; nil if there is none.
    public struct Route: Hashable, Sendable {
        public struct Port: Hashable, Sendable {
            /// Stays the same when the device is unplugged and plugged in again.
            public var id: String
            /// "speaker", "headphones", "bluetoothA2DP" and so on (docs/audio-api.md); "" if unknown.
            public var kind: String
            /// The name for users.
            public var name: String

            public init(id: String, kind: String = "", name: String = "") {
                self.id = id
                self.kind = kind
                self.name = name
            }
        }

        public var output: Port?
        public var input: Port?

        public init(output: Port? = nil, input: Port? = nil) {
            self.output = output
            self.input = input
        }

        init(_ values: [String: BusValue]) {
            func port(_ name: String) -> Port? {
                values[name]?.text.map {
                    Port(id: $0, kind: values[name + "Kind"]?.text ?? "", name: values[name + "Name"]?.text ?? "")
                }
            }
            self.init(output: port("output"), input: port("input"))
        }
    }

    public enum PlaybackStatus: String, CaseIterable, Hashable, Sendable {
        case playing, paused, stopped
    }

    /// The item that an app plays.
    public struct NowPlaying: Hashable, Sendable {
        public var title: String
        public var artist: String
        public var album: String
        /// A `file:` or `data:image/` URL.
        public var artwork: String
        /// Seconds; nil if endless or unknown.
        public var duration: Double?
        /// Seconds, at the time of the call.
        public var position: Double
        public var rate: Double

        public init(
            title: String, artist: String = "", album: String = "", artwork: String = "", duration: Double? = nil,
            position: Double = 0, rate: Double = 1
        ) {
            self.title = title
            self.artist = artist
            self.album = album
            self.artwork = artwork
            self.duration = duration
            self.position = position
            self.rate = rate
        }

        func values(_ status: PlaybackStatus) -> [String: BusValue] {
            var values: [String: BusValue] = [
                "title": .text(title), "artist": .text(artist), "album": .text(album), "artwork": .text(artwork),
                "position": .number(position), "rate": .number(rate), "status": .text(status.rawValue),
            ]
            values["duration"] = duration.map { .number($0) }
            return values
        }
    }

    public enum CallState: String, CaseIterable, Hashable, Sendable {
        /// It rings as a banner, or over the whole screen.
        case ringing, ringingFullScreen
        case accepted, ended
    }

    public enum CallCommand: String, CaseIterable, Hashable, Sendable {
        case answer, decline, end
    }

    public enum SystemSound: String, CaseIterable, Hashable, Sendable {
        /// Feedback to an action of the user.
        case feedback
        case alert
        /// The user asked for it.
        case asked
    }
}

extension AudioSession {
    /// Requests from the user's playback controls.
    public enum RemoteCommand: Hashable, Sendable {
        case play, pause, stop, togglePlayPause
        case next, previous
        /// Seconds; nil for the app's own interval.
        case skipForward(Double?), skipBackward(Double?)
        /// Seeks to a position in the item, in seconds.
        case seek(Double)
        case changeRate(Double)

        public enum Name: String, CaseIterable, Hashable, Sendable {
            case play, pause, stop, togglePlayPause, next, previous, skipForward, skipBackward, seek, changeRate
        }

        init?(_ name: String, _ values: [String: BusValue]) {
            switch Name(rawValue: name) {
            case .play: self = .play
            case .pause: self = .pause
            case .stop: self = .stop
            case .togglePlayPause: self = .togglePlayPause
            case .next: self = .next
            case .previous: self = .previous
            case .skipForward: self = .skipForward(values["interval"]?.number)
            case .skipBackward: self = .skipBackward(values["interval"]?.number)
            case .seek: self = .seek(values["position"]?.number ?? 0)
            case .changeRate: self = .changeRate(values["rate"]?.number ?? 1)
            case nil: return nil
            }
        }
    }
}

/// The reason why a request failed.
public struct AudioSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case badParameter, insufficientPriority, cannotInterruptOthers, cannotStartRecording, cannotStartPlaying, isBusy
        case missingEntitlement, expiredSession, notActive, tooMany
        /// There is no session bus, or no shell on it that supports sessions.
        case unavailable
        /// The shell did not answer in time.
        case timedOut
        /// Another error; the text describes it.
        case failed
    }

    public var kind: Kind
    /// A message for the app's developer.
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    public var description: String { "\(kind.rawValue): \(text)" }

    init(_ error: BusError) {
        let prefix = "org.mullion.AudioSession1.Error."
        if error.name.hasPrefix(prefix) {
            let name = error.name.dropFirst(prefix.utf8.count)
            self.init(Kind(rawValue: name.prefix(1).lowercased() + name.dropFirst()) ?? .failed, error.text)
            return
        }
        switch error.name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            self.init(.unavailable, "no shell serves audio sessions on this session bus")
        // The bus also sends this error when the shell disconnects.
        case "org.freedesktop.DBus.Error.NoReply" where !error.text.contains("timed out"):
            self.init(.unavailable, error.text)
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
            self.init(.timedOut, error.text)
        case "org.freedesktop.DBus.Error.UnknownObject": self.init(.expiredSession, error.text)
        default: self.init(.failed, error.text.isEmpty ? error.name : error.text)
        }
    }
}
