/// Classifies the sound of an app that declares nothing. The first table with a match decides. Without a match, the
/// sound is `unknown`: it mixes and stops nothing.
public enum Classification {
    /// `media.role`, as pulse and native clients write it.
    public static let roles: [String: SoundKind] = [
        "music": .music, "movie": .video, "video": .video, "game": .gameAmbient,
        "communication": .callActive, "phone": .callActive,
        "notification": .notification, "event": .notification,
        "alarm": .alarm, "ringtone": .callRinging, "navigation": .prompt, "announcement": .prompt,
        "a11y": .screenReader, "accessibility": .screenReader,
        "click": .click, testRole: .unknown, "production": .unknown, "dsp": .unknown,
    ]

    /// Sounds that the user plays as a test, for example of the level or of a speaker.
    public static let testRole = "test"

    /// Apps that declare nothing but serve a single purpose, by the prefix of their id.
    public static let apps: [(prefix: String, kind: SoundKind)] = [
        ("mpv", .video), ("io.mpv.mpv", .video), ("vlc", .video), ("org.videolan.vlc", .video), ("totem", .video),
        ("org.gnome.totem", .video), ("org.gnome.showtime", .video), ("com.github.rafostar.clapper", .video),
        ("org.gnome.music", .music), ("rhythmbox", .music), ("org.gnome.rhythmbox", .music), ("io.bassi.amberol", .music),
        ("org.gnome.podcasts", .podcast), ("org.kde.kasts", .podcast), ("gpodder", .podcast), ("com.github.geigi.cozy", .podcast),
        ("org.gnome.clocks", .alarm), ("org.gnome.calls", .callActive), ("linphone", .callActive),
        ("org.gnome.soundrecorder", .recording), ("org.gnome.maps", .prompt), ("pure-maps", .prompt),
        ("speech-dispatcher", .screenReader), ("sd_", .screenReader), ("orca", .screenReader),
        ("feedbackd", .notification), ("squeekboard", .click),
    ]

    /// Categories of desktop entries, in order of precedence. The technology of an app says little, its purpose says
    /// much.
    public static let categories: [(category: String, kind: SoundKind)] = [
        ("AudioVideoEditing", .unknown), ("Sequencer", .unknown), ("Midi", .unknown), ("Mixer", .unknown),
        ("Game", .gameAmbient), ("Recorder", .recording), ("Clock", .alarm),
        ("Music", .music), ("Video", .video), ("TV", .video), ("Player", .music), ("Audio", .music),
    ]

    /// Categories of apps whose sound is a call while they use a microphone.
    public static let callers: Set<String> = ["VideoConference", "Telephony", "InstantMessaging", "Chat"]

    /// - Parameters:
    ///   - hasPlayer: whether the session bus has a media player of the same app (MPRIS).
    ///   - usesMicrophone: whether the app is recording from an input.
    public static func kind(of facts: StreamFacts, hasPlayer: Bool, usesMicrophone: Bool) -> SoundKind {
        if let ruled = facts.ruled { return ruled }
        let isInput = facts.direction == .input
        let isCaller = facts.appCategories.contains { callers.contains($0) }
        if isInput {
            // A level meter uses the microphone, too. So only a known recording or call counts.
            if let role = roles[facts.role.lowercased()], role == .callActive { return role }
            if isCaller { return .callActive }
            if let app = known(facts.app.id), app == .recording || app == .callActive { return app }
            return facts.appCategories.contains("Recorder") ? .recording : .unknown
        }
        if let role = roles[facts.role.lowercased()] { return role }
        if isCaller { return usesMicrophone ? .callActive : .unknown }
        let app = known(facts.app.id)
        let category = categories.first { facts.appCategories.contains($0.category) }?.kind
        if hasPlayer {
            let guess = app ?? category ?? .music
            return guess.isMedia || guess.isGame ? guess : .music
        }
        // The output of a recorder plays its recordings.
        return [app, category].lazy.compactMap { $0 }.first.map { $0 == .recording ? .music : $0 } ?? .unknown
    }

    static func known(_ id: String) -> SoundKind? {
        let id = id.lowercased()
        return apps.first { app in
            guard id.hasPrefix(app.prefix) else { return false }
            guard let next = id.dropFirst(app.prefix.count).first else { return true }
            return next == "." || next == "-" || app.prefix.hasSuffix("_")
        }?.kind
    }
}
