/// The rules of an idiom for sound, as data.
public struct SoundRules: Hashable, Codable, Sendable {
    /// Video and games pause when their app goes out of sight (S-05).
    public var pausesAttentionMedia = false
    /// Ambient sound is audible only while its app is visible. Where windows stand beside each other, they
    /// keep playing (V-04).
    public var silencesAmbientOutOfSight = true
    /// Notification sounds mix and duck nothing.
    public var notificationsMix = false
    /// Alerts and notifications make no sound.
    public var silencesAlerts = false
    /// Short clips play while their app is active; long-form audio continues.
    public var clipsNeedFocus = false
    /// Long-form audio waits until a person chose where it is heard.
    public var longFormNeedsRoute = false
    /// Apps out of focus are ducked, except for Now Playing (V-07).
    public var ducksOutOfFocus = false
    /// Closing the window of the Now Playing app pauses it (V-05).
    public var closingWindowPauses = false
    /// The ringer has a volume of its own, which the volume keys control while nothing plays.
    public var keysActOnRinger = false
    /// Short haptics are a system service.
    public var hasHaptics = false

    public init() {}

    /// Applies the rules to a cell of the interruption table.
    func overlay(_ cell: InterruptionTable.Cell, newcomer: SoundKind) -> InterruptionTable.Cell {
        newcomer == .notification && notificationsMix && cell == .duck ? .mix : cell
    }
}
