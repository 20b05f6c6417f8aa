/// The purpose of a session's sound. `Category.behaviour` has the properties of each.
public enum Category: String, CaseIterable, Hashable, Codable, Sendable {
    case soloAmbient, ambient, playback, record, playAndRecord
    /// The shell grants this only to clocks.
    case alarm
    /// The shell grants this only to phone apps: an incoming call.
    case ringer
}

/// The purpose of a session within its category.
public enum Mode: String, CaseIterable, Hashable, Codable, Sendable {
    case standard
    /// Podcasts and audiobooks. They are paused where music would be ducked.
    case spokenAudio
    /// A prompt of a navigation app.
    case voicePrompt
    case voiceChat, videoChat
    case moviePlayback
    case game
    case measurement
    /// A screen reader.
    case assistive
}

/// How a session interacts with others. `Options.legal(with:)` returns what a category allows. Changing the category
/// clears the options.
public struct Options: OptionSet, Hashable, Codable, Sendable {
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

    /// Every option with its name on the bus and in the configuration.
    public static let names: [(name: String, option: Options)] = [
        ("mixWithOthers", .mixWithOthers), ("duckOthers", .duckOthers),
        ("interruptSpokenAudioAndMix", .interruptSpokenAudioAndMix), ("allowBluetooth", .allowBluetooth),
        ("allowBluetoothA2DP", .allowBluetoothA2DP), ("defaultToSpeaker", .defaultToSpeaker),
        ("overrideMutedMic", .overrideMutedMic),
        ("prefersNoInterruptionsFromSystemAlerts", .prefersNoInterruptionsFromSystemAlerts),
        ("allowHapticsAndSystemSoundsDuringRecording", .allowHapticsAndSystemSoundsDuringRecording),
        ("prefersInterruptionOnRouteDisconnect", .prefersInterruptionOnRouteDisconnect),
    ]
}

/// The kind of a sound in the interruption table. Derived from category, mode and options, or from the known facts of a
/// stream whose app declares nothing.
public enum SoundKind: String, CaseIterable, Hashable, Codable, Sendable {
    case music, podcast, gameSolo, gameAmbient, prompt, alarm
    case callRinging, callActive
    case recording
    case notification, video, screenReader, click
    /// An unidentified sound. It mixes and stops nothing.
    case unknown
}

/// Classes of volume. `media` has the system volume; the others have a volume of their own relative to it.
public enum VolumeClass: String, CaseIterable, Hashable, Codable, Sendable {
    case media, ringer, alarm, call
}
