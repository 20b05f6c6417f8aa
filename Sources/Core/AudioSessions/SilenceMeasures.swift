/// When running silence counts as no sound, as data for the meter of the sound server.
public enum SilenceMeasures {
    /// The loudest sample of silence, as a share of full scale: -90 dB, the last bit of 16.
    public static let level: Float = 3.1e-5
    /// Nanoseconds without a louder sample until a stream is silent. A speaker takes shorter breaths.
    public static let patience: UInt64 = 1_000_000_000
    /// Nanoseconds without any samples after which a stream counts as started anew.
    public static let gap: UInt64 = 300_000_000
}
