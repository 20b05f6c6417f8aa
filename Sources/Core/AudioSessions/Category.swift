/// What the sound of a session is for. What each obeys is in `Category.behaviour`.
public enum Category: String, CaseIterable, Hashable, Codable, Sendable {
    case soloAmbient, ambient, playback, record, playAndRecord
    /// Granted by the shell to clocks alone.
    case alarm
    /// Granted by the shell to phones alone: a call that rings.
    case ringer
}

/// What a session does within its category.
public enum Mode: String, CaseIterable, Hashable, Codable, Sendable {
    case standard
    /// Podcasts and audiobooks: they are paused where music is lowered.
    case spokenAudio
    /// A prompt of a navigator.
    case voicePrompt
    case voiceChat, videoChat
    case moviePlayback
    case game
    case measurement
    /// A screen reader.
    case assistive
}

/// How a session lives beside others. What is legal with which category is in `Options.legal(with:)`; a change of
/// category clears them.
public struct Options: OptionSet, Hashable, Codable, Sendable {
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
    /// A closed cover leaves the session active; its input is silence.
    public static let overrideMutedMic = Options(rawValue: 1 << 6)
    /// A call that rings does not interrupt.
    public static let prefersNoInterruptionsFromSystemAlerts = Options(rawValue: 1 << 7)
    public static let allowHapticsAndSystemSoundsDuringRecording = Options(rawValue: 1 << 8)
    public static let prefersInterruptionOnRouteDisconnect = Options(rawValue: 1 << 9)

    /// Every option by the name that it has on the bus and in the configuration.
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

/// What a sound is, where the interruption table asks: derived from category, mode and options, or from what is known of
/// a stream whose app declares nothing.
public enum SoundKind: String, CaseIterable, Hashable, Codable, Sendable {
    case music, podcast, gameSolo, gameAmbient, prompt, alarm
    case callRinging, callActive
    case recording
    case notification, video, screenReader, click
    /// Nobody knows what it is: it mixes and stops nothing.
    case unknown
}

/// Each has a volume of its own below the system volume; ringer and alarm stand beside it.
public enum VolumeClass: String, CaseIterable, Hashable, Codable, Sendable {
    case media, ringer, alarm, call
}
