/// Why an app that is out of sight goes on running. People see each, and each has a way to end it.
public enum AwakeReason: Hashable, Codable, Sendable {
    /// It is heard.
    case sound
    case recording
    case call
    /// A window of it is in Picture in Picture, pushed to the side.
    case pictureInPicture
    /// It finishes what a person started (S-06). `progress`: from 0 to 1.
    case task(TaskID, name: String, progress: Double?)
    /// It asked not to be interrupted, in these words for people; perhaps there are none.
    case inhibits(InhibitorID, reason: String)
    /// Somebody called it, or it has to take what waits in its connection.
    case called
    /// The person wishes it to go on (`LifecyclePreferences.kept`).
    case kept
    /// The system does not freeze it, for this reason.
    case failed(String)
}

/// What an app does at the moment.
public enum AppPhase: String, Hashable, Codable, Sendable, CaseIterable {
    /// The window in which a person acts is one of its.
    case active
    /// A window of it is in sight.
    case inactive
    /// Out of sight, and running: it has a reason to, or its time has not run out.
    case background
    /// It hands over its state.
    case saving
    /// It is silent, and about to be frozen.
    case freezing
    case frozen
}
