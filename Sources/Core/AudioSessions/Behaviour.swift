extension Category {
    /// The properties of a category.
    public struct Behaviour: Hashable, Sendable {
        /// Silenced by the silence switch and the locked screen.
        public var obeysSilence: Bool
        public var mixesByDefault: Bool
        /// Whether it may request mixing.
        public var mayMix: Bool
        public var playsInBackground: Bool
        public var hasOutput: Bool
        public var hasInput: Bool
        /// Only for apps to which the shell grants it.
        public var isGranted = false
    }

    public var behaviour: Behaviour {
        switch self {
        case .soloAmbient:
            Behaviour(obeysSilence: true, mixesByDefault: false, mayMix: false, playsInBackground: false, hasOutput: true, hasInput: false)
        case .ambient:
            Behaviour(obeysSilence: true, mixesByDefault: true, mayMix: true, playsInBackground: false, hasOutput: true, hasInput: false)
        case .playback:
            Behaviour(obeysSilence: false, mixesByDefault: false, mayMix: true, playsInBackground: true, hasOutput: true, hasInput: false)
        case .record:
            Behaviour(obeysSilence: false, mixesByDefault: false, mayMix: false, playsInBackground: true, hasOutput: false, hasInput: true)
        case .playAndRecord:
            Behaviour(obeysSilence: false, mixesByDefault: false, mayMix: true, playsInBackground: true, hasOutput: true, hasInput: true)
        case .alarm:
            Behaviour(
                obeysSilence: false, mixesByDefault: false, mayMix: false, playsInBackground: true, hasOutput: true, hasInput: false,
                isGranted: true)
        case .ringer:
            Behaviour(
                obeysSilence: true, mixesByDefault: false, mayMix: false, playsInBackground: true, hasOutput: true, hasInput: false,
                isGranted: true)
        }
    }
}

extension Mode {
    /// The categories that allow a mode.
    public var categories: [Category] {
        switch self {
        case .standard: Category.allCases
        case .spokenAudio, .voicePrompt, .assistive: [.playback, .playAndRecord]
        case .voiceChat, .videoChat: [.playAndRecord]
        case .moviePlayback: [.playback]
        case .game: [.soloAmbient, .ambient, .playback, .playAndRecord]
        case .measurement: [.playback, .record, .playAndRecord]
        }
    }

    /// Options that a mode implies.
    public var impliedOptions: Options {
        switch self {
        case .voiceChat: [.allowBluetooth]
        case .videoChat: [.allowBluetooth, .defaultToSpeaker]
        default: []
        }
    }
}

extension Options {
    /// Options that make a session mix with others.
    public static let mixing: Options = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMix]

    /// The categories that allow each option. An option that is missing here is always allowed.
    public static let categories: [(option: Options, categories: [Category])] = [
        (.mixWithOthers, [.playback, .playAndRecord]),
        (.duckOthers, [.ambient, .playback, .playAndRecord]),
        (.interruptSpokenAudioAndMix, [.playback, .playAndRecord]),
        (.allowBluetooth, [.record, .playAndRecord]),
        (.allowBluetoothA2DP, [.playAndRecord]),
        (.defaultToSpeaker, [.playAndRecord]),
        (.overrideMutedMic, [.playAndRecord]),
        (.allowHapticsAndSystemSoundsDuringRecording, [.record, .playAndRecord]),
    ]

    /// Every option that the category allows.
    public static func legal(with category: Category) -> Options {
        names.reduce(into: Options()) { legal, entry in
            let categories = categories.first { $0.option == entry.option }?.categories
            if categories?.contains(category) ?? true { legal.formUnion(entry.option) }
        }
    }

    public var listed: [String] { Self.names.filter { contains($0.option) }.map(\.name) }
}

extension SessionError {
    /// Returns nil, or the error in the combination.
    public static func check(_ category: Category, _ mode: Mode, _ options: Options) -> SessionError? {
        if !mode.categories.contains(category) {
            return SessionError(
                .badParameter,
                "the mode \(mode.rawValue) goes with \(mode.categories.map(\.rawValue).joined(separator: ", ")), not with \(category.rawValue)"
            )
        }
        let known = Options.names.reduce(into: Options()) { $0.formUnion($1.option) }
        if !options.isSubset(of: known) {
            return SessionError(.badParameter, "no option has the bits \(options.subtracting(known).rawValue)")
        }
        guard let wrong = options.subtracting(Options.legal(with: category)).listed.first else { return nil }
        let legal =
            Options.names.first { $0.name == wrong }.flatMap { entry in
                Options.categories.first { $0.option == entry.option }?.categories
            } ?? []
        return SessionError(
            .badParameter,
            "the option \(wrong) goes with \(legal.map(\.rawValue).joined(separator: ", ")), not with \(category.rawValue)")
    }
}

extension SoundKind {
    /// The kind of a declared session, for the interruption table.
    public init(_ category: Category, _ mode: Mode, call: CallState? = nil) {
        switch call {
        case .ringing, .ringingFullScreen:
            self = .callRinging
            return
        case .accepted:
            self = .callActive
            return
        case .ended, nil: break
        }
        self =
            switch (category, mode) {
            case (.alarm, _): .alarm
            case (.ringer, _): .callRinging
            case (_, .voiceChat), (_, .videoChat): .callActive
            case (_, .spokenAudio): .podcast
            case (_, .voicePrompt): .prompt
            case (_, .moviePlayback): .video
            case (_, .assistive): .screenReader
            case (.ambient, _): .gameAmbient
            case (.soloAmbient, _), (.playback, .game), (.playAndRecord, .game): .gameSolo
            case (.record, _), (.playAndRecord, _): .recording
            case (.playback, _): .music
            }
    }

    public var volumeClass: VolumeClass {
        switch self {
        case .alarm: .alarm
        case .callRinging, .notification: .ringer
        case .callActive: .call
        default: .media
        }
    }

    public var isGame: Bool { self == .gameSolo || self == .gameAmbient }

    /// Sound that the user listens to, and whose app has controls to pause it.
    /// Whether such a sound is over when it falls silent, although its stream runs on. A call without a word is still a call, an
    /// alarm pauses between its beeps, and music has rests.
    var endsInSilence: Bool { self == .prompt || self == .notification || self == .screenReader }
    public var isMedia: Bool { self == .music || self == .podcast || self == .video }

    /// S-05: it needs the user's eyes.
    public var needsAttention: Bool { self == .video || isGame }

    /// Whether it stops when its private output is gone. Unknown sound stops too: a false pause is better than
    /// sudden noise in public.
    public var stopsOnRouteLoss: Bool { isMedia || self == .gameSolo || self == .unknown }

    /// For apps that declare nothing: the user did not ask for the sound explicitly.
    public var obeysSilence: Bool {
        switch self {
        case .gameSolo, .gameAmbient, .callRinging, .notification, .click: true
        default: false
        }
    }

    /// For apps that declare nothing.
    public var mixes: Bool {
        switch self {
        case .gameAmbient, .prompt, .notification, .screenReader, .click, .unknown: true
        default: false
        }
    }

    public var isCall: Bool { self == .callRinging || self == .callActive }
}
