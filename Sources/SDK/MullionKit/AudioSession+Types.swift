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
        /// No special activity.
        case standard
        /// Podcasts and audiobooks. They are paused where music would be ducked.
        case spokenAudio
        /// A prompt of a navigation app.
        case voicePrompt
        /// A call by voice.
        case voiceChat
        /// A call by video.
        case videoChat
        /// A film.
        case moviePlayback
        /// A game.
        case game
        /// Measuring sound.
        case measurement
        /// A screen reader.
        case assistive
    }

    /// How the session interacts with others. docs/audio-api.md lists which options each category allows.
    public struct Options: OptionSet, Hashable, Sendable {
        /// A bit for each option.
        public var rawValue: UInt32

        /// Options from their bits. Bits that name no option are ignored.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Plays together with other sessions, instead of interrupting them.
        public static let mixWithOthers = Options(rawValue: 1 << 0)
        /// Ducks other sessions while this one is active. Implies mixing.
        public static let duckOthers = Options(rawValue: 1 << 1)
        /// Interrupts spoken audio, and mixes with the rest. Implies mixing.
        public static let interruptSpokenAudioAndMix = Options(rawValue: 1 << 2)
        /// Allows Bluetooth headsets with a microphone as input and output.
        public static let allowBluetooth = Options(rawValue: 1 << 3)
        /// Allows Bluetooth devices that only play, in better quality.
        public static let allowBluetoothA2DP = Options(rawValue: 1 << 4)
        /// In a call, sounds on the speaker instead of the receiver at the ear.
        public static let defaultToSpeaker = Options(rawValue: 1 << 5)
        /// The closed cover leaves the session active. Its input is silent.
        public static let overrideMutedMic = Options(rawValue: 1 << 6)
        /// An incoming call does not interrupt the session.
        public static let prefersNoInterruptionsFromSystemAlerts = Options(rawValue: 1 << 7)
        /// Lets haptics and system sounds through while the session records.
        public static let allowHapticsAndSystemSoundsDuringRecording = Options(rawValue: 1 << 8)
        /// Interrupts the session when its output is unplugged, so that the sound does not move to the speaker.
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

    /// Whether a session may play.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The session may not play: it never asked, or has ended playing.
        case inactive
        /// The session may play.
        case active
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
        /// The first microphone or other input appeared, or the last one went.
        case inputAvailable(Bool)
        /// The user used playback controls. Only commands set by `setCommands` arrive.
        case command(RemoteCommand)
        /// For phone apps: the user answers, declines or ends the call with the shell's controls or a headset's
        /// button. Do so, then report it (`setCallState`).
        case call(CallCommand)
        /// The user changed the volume of the current output: 0 to 1; 0 while muted.
        case outputVolumeChanged(Double)
        /// The shell is gone. Nothing interrupts the session, and requests fail.
        case serviceLost
        /// The shell is available, for the first time or again, and knows the session's state.
        case serviceReturned
    }

    /// The reason why an interruption began.
    public enum InterruptionReason: Hashable, Sendable {
        /// Other audio.
        case standard
        /// The cover was closed over the microphone.
        case builtInMicMuted
        /// The headphones were unplugged.
        case routeDisconnected
        /// The app itself was suspended.
        case appSuspended
        /// A reason that this version of MullionKit does not know, as the shell named it.
        case other(String)

        init(_ text: String) {
            self =
                switch text {
                case "standard": .standard
                case "builtInMicMuted": .builtInMicMuted
                case "routeDisconnected": .routeDisconnected
                case "appSuspended": .appSuspended
                default: .other(text)
                }
        }
    }

    /// The reason why the route changed.
    public enum RouteChangeReason: UInt32, CaseIterable, Hashable, Sendable {
        /// The shell does not know the reason, or this version of MullionKit does not.
        case unknown = 0
        /// A device was plugged in or connected.
        case newDeviceAvailable = 1
        /// The device was unplugged or disconnected.
        case oldDeviceUnavailable = 2
        /// The session has another category.
        case categoryChange = 3
        /// The user picked another device.
        case override = 4
        /// The machine woke from sleep.
        case wakeFromSleep = 6
        /// No device suits the category.
        case noSuitableRouteForCategory = 7
        /// The device stays, and changed itself.
        case routeConfigurationChange = 8
    }

    /// The current output and input; nil if there is none.
    public struct Route: Hashable, Sendable {
        /// A device that plays or records.
        public struct Port: Hashable, Sendable {
            /// Stays the same when the device is unplugged and plugged in again.
            public var id: String
            /// "speaker", "headphones", "bluetoothA2DP" and so on (docs/audio-api.md); "" if unknown.
            public var kind: String
            /// The name for users.
            public var name: String

            /// A device with its id, kind and name.
            public init(id: String, kind: String = "", name: String = "") {
                self.id = id
                self.kind = kind
                self.name = name
            }
        }

        /// The device that the app sounds on.
        public var output: Port?
        /// The device that the app records from.
        public var input: Port?

        /// A route of these devices.
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

    /// The state of the item that an app plays.
    public enum PlaybackStatus: String, CaseIterable, Hashable, Sendable {
        /// The position advances.
        case playing
        /// The position stands, and the item can continue.
        case paused
        /// The app does not play the item any more.
        case stopped
    }

    /// The item that an app plays.
    public struct NowPlaying: Hashable, Sendable {
        /// At most 1024 bytes.
        public var title: String
        /// At most 1024 bytes.
        public var artist: String
        /// At most 1024 bytes.
        public var album: String
        /// A `file:` URL, or a `data:image/` URL of at most 256 KiB.
        public var artwork: String
        /// Seconds; nil if endless or unknown.
        public var duration: Double?
        /// Seconds, at the time of the call.
        public var position: Double
        /// The speed, -100 to 100: 1 is the usual one.
        public var rate: Double

        /// An item; only the title is required.
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

    /// The state of a call, which a phone app reports.
    public enum CallState: String, CaseIterable, Hashable, Sendable {
        /// It rings as a banner, or over the whole screen.
        case ringing, ringingFullScreen
        /// The user talks.
        case accepted
        /// The call is over, or was declined.
        case ended
    }

    /// A request of the user about a call, by the shell's controls or a headset's button.
    public enum CallCommand: String, CaseIterable, Hashable, Sendable {
        /// Accept the call that rings.
        case answer
        /// Refuse the call that rings.
        case decline
        /// Hang up.
        case end
    }

    /// The purpose of a short sound, which decides whether it sounds in silent mode.
    public enum SystemSound: String, CaseIterable, Hashable, Sendable {
        /// Feedback to an action of the user, such as a key click. Silent in silent mode.
        case feedback
        /// News. Silent in silent mode.
        case alert
        /// The user asked for it, such as the preview of a ringtone. Sounds in silent mode, too.
        case asked
    }
}

extension AudioSession {
    /// Requests from the user's playback controls.
    public enum RemoteCommand: Hashable, Sendable {
        /// Continue.
        case play
        /// Pause.
        case pause
        /// Stop.
        case stop
        /// Pause what plays, or continue what is paused: the one button of a headset.
        case togglePlayPause
        /// Go to the next item.
        case next
        /// Go to the previous item.
        case previous
        /// Seconds; nil for the app's own interval.
        case skipForward(Double?), skipBackward(Double?)
        /// Seeks to a position in the item, in seconds.
        case seek(Double)
        /// Play at this speed: 1 is the usual one.
        case changeRate(Double)

        /// The commands without their arguments, for `AudioSession.setCommands`.
        public enum Name: String, CaseIterable, Hashable, Sendable {
            /// The command of the same name.
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
