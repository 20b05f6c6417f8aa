/// The six device families, as far as audio is concerned. Their differences are data: `rules`.
public enum AudioIdiom: String, CaseIterable, Hashable, Codable, Sendable {
    case phone, pad, mac, tv, watch, vision

    public struct Rules: Hashable, Sendable {
        /// Video and games pause when their app goes out of sight (S-05).
        public var pausesAttentionMedia = false
        /// Ambient sound is audible only while its app is visible. Windows of mac and vision keep
        /// playing (V-04).
        public var silencesAmbientOutOfSight = true
        /// Notification sounds mix and duck nothing.
        public var notificationsMix = false
        /// Alerts and notifications make no sound.
        public var silencesAlerts = false
        /// Short clips play while their app is active; long-form audio continues.
        public var clipsNeedFocus = false
        /// Apps out of focus are ducked, except for Now Playing (V-07).
        public var ducksOutOfFocus = false
        /// Closing the window of the Now Playing app pauses it (V-05).
        public var closingWindowPauses = false
        /// The volume keys control the ringer while nothing plays.
        public var keysActOnRinger = false
        /// Short haptics are a system service.
        public var hasHaptics = false
    }

    public var rules: Rules {
        switch self {
        case .phone: Rules(pausesAttentionMedia: true, keysActOnRinger: true, hasHaptics: true)
        case .pad: Rules(pausesAttentionMedia: true, hasHaptics: true)
        case .mac: Rules(silencesAmbientOutOfSight: false, notificationsMix: true)
        case .tv: Rules(silencesAlerts: true)
        case .watch: Rules(clipsNeedFocus: true, hasHaptics: true)
        case .vision: Rules(silencesAmbientOutOfSight: false, ducksOutOfFocus: true, closingWindowPauses: true)
        }
    }

    /// Applies the idiom to a cell of the interruption table.
    func overlay(_ cell: InterruptionTable.Cell, newcomer: SoundKind) -> InterruptionTable.Cell {
        newcomer == .notification && rules.notificationsMix && cell == .duck ? .mix : cell
    }
}
