import MessageBus

extension AudioSession {
    /// What the sound is for.
    public enum Category: String, CaseIterable, Hashable, Sendable {
        /// Silenced by the silence switch and in the background; stops other sound. What an app has that says
        /// nothing.
        case soloAmbient
        /// The same, mixed with others: games that let one's own music go on.
        case ambient
        /// The person wants to hear it: music, podcasts, films. Sounds in the background and with the switch on.
        case playback
        /// Voice recorders.
        case record
        /// Calls, voice messages, music that is made.
        case playAndRecord
        /// For clocks alone.
        case alarm
        /// A call that rings, for phones alone.
        case ringer
    }

    /// What the app does within its category.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        case standard
        /// Podcasts and audiobooks: they are paused where music is lowered.
        case spokenAudio
        /// A navigator's prompt.
        case voicePrompt
        case voiceChat, videoChat, moviePlayback, game, measurement
        /// A screen reader.
        case assistive
    }

    /// How the session lives beside others. Which are legal with which category is in docs/audio-api.md.
    public struct Options: OptionSet, Hashable, Sendable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let mixWithOthers = Options(rawValue: 1 << 0)
        /// Others are lowered for as long as the session is active. Implies mixing.
        public static let duckOthers = Options(rawValue: 1 << 1)
        /// Spoken audio is interrupted, the rest mixes. Implies mixing.
        public static let interruptSpokenAudioAndMix = Options(rawValue: 1 << 2)
        public static let allowBluetooth = Options(rawValue: 1 << 3)
        public static let allowBluetoothA2DP = Options(rawValue: 1 << 4)
        public static let defaultToSpeaker = Options(rawValue: 1 << 5)
        /// The closed cover leaves the session active; its input is silence.
        public static let overrideMutedMic = Options(rawValue: 1 << 6)
        /// A call that rings does not interrupt.
        public static let prefersNoInterruptionsFromSystemAlerts = Options(rawValue: 1 << 7)
        public static let allowHapticsAndSystemSoundsDuringRecording = Options(rawValue: 1 << 8)
        public static let prefersInterruptionOnRouteDisconnect = Options(rawValue: 1 << 9)

        /// By the bit.
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
        /// Somebody else's sound goes before; an end of it will be told.
        case interrupted
    }

    /// What happens to a session without having been asked for.
    public enum Event: Hashable, Sendable {
        /// Stop sounding, and show it. Exactly one end follows, if the session lives so long.
        case interruptionBegan(InterruptionReason)
        /// It is over. A media app goes on only if `shouldResume`; a game goes on in any case. Call `activate()`
        /// before if `state` is not active.
        case interruptionEnded(shouldResume: Bool)
        /// Sound comes from elsewhere now. An app need not do anything: pausing after a lost headset comes
        /// as an interruption.
        case routeChanged(RouteChangeReason, previous: Route, current: Route)
        /// Another app's music is heard, or no more: leave out what is secondary, such as a game's soundtrack.
        case secondaryAudioHint(Bool)
        case inputAvailable(Bool)
        /// A person used the controls. Only those that `setCommands` named come.
        case command(RemoteCommand)
        /// Of a phone: the person answers, declines or ends the call, by the shell's controls or a headset's button. Do
        /// it, and say so (`setCallState`).
        case call(CallCommand)
        case outputVolumeChanged(Double)
        /// The shell is gone: nobody interrupts, and nobody answers.
        case serviceLost
        /// The shell is there, for the first time or again, and was told everything.
        case serviceReturned
    }

    public enum InterruptionReason: Hashable, Sendable {
        /// Other audio.
        case standard
        /// The cover was closed over the microphone.
        case builtInMicMuted
        /// The headphones were pulled.
        case routeDisconnected
        /// The app itself was held still.
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

    /// Where sound leaves and enters. What is nil is not there.
    public struct Route: Hashable, Sendable {
        public struct Port: Hashable, Sendable {
            /// The same after unplugging and plugging in again.
            public var id: String
            /// "speaker", "headphones", "bluetoothA2DP" and so on (docs/audio-api.md); "" if nobody knows.
            public var kind: String
            /// As people read it.
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

    /// What an app plays.
    public struct NowPlaying: Hashable, Sendable {
        public var title: String
        public var artist: String
        public var album: String
        /// A `file:` or `data:image/` URL.
        public var artwork: String
        /// Seconds; nil: endless or unknown.
        public var duration: Double?
        /// Seconds, now.
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
        /// As a banner, or over the whole screen.
        case ringing, ringingFullScreen
        case accepted, ended
    }

    public enum CallCommand: String, CaseIterable, Hashable, Sendable {
        case answer, decline, end
    }

    public enum SystemSound: String, CaseIterable, Hashable, Sendable {
        /// Feedback to what the person does.
        case feedback
        case alert
        /// The person asked for it.
        case asked
    }
}

extension AudioSession {
    /// What the person's controls ask for.
    public enum RemoteCommand: Hashable, Sendable {
        case play, pause, stop, togglePlayPause
        case next, previous
        /// Seconds; nil: as far as the app likes.
        case skipForward(Double?), skipBackward(Double?)
        /// To a place in the item, in seconds.
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

/// Why a request was not granted.
public struct AudioSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case badParameter, insufficientPriority, cannotInterruptOthers, cannotStartRecording, cannotStartPlaying, isBusy
        case missingEntitlement, expiredSession, notActive, tooMany
        /// There is no session bus, or no shell on it that knows sessions.
        case unavailable
        /// The shell did not answer in time.
        case timedOut
        /// Anything else; the text says what.
        case failed
    }

    public var kind: Kind
    /// What is wrong, for the app's developer.
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
        // The bus says so, too, of a shell that went away.
        case "org.freedesktop.DBus.Error.NoReply" where !error.text.contains("timed out"):
            self.init(.unavailable, error.text)
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
            self.init(.timedOut, error.text)
        case "org.freedesktop.DBus.Error.UnknownObject": self.init(.expiredSession, error.text)
        default: self.init(.failed, error.text.isEmpty ? error.name : error.text)
        }
    }
}
