/// Why an app that is out of sight keeps running. A person sees each reason and has a way to end it.
public enum AwakeReason: Hashable, Codable, Sendable {
    /// The app is audible.
    case sound
    case recording
    case call
    /// One of its windows is in Picture in Picture, pushed to the side.
    case pictureInPicture
    /// The app finishes a task that a person started (S-06). `progress`: from 0 to 1.
    case task(TaskID, name: String, progress: Double?)
    /// The app asked not to be interrupted. `reason`: its words for people, perhaps empty.
    case inhibits(InhibitorID, reason: String)
    /// The person allowed it, when the app asked by a portal.
    case allowed
    /// Another program called the app, or the app must read the data that waits in its connection.
    case called
    /// The person wants it to keep running (`LifecyclePreferences.kept`).
    case kept
    /// The system cannot freeze it, for this reason.
    case failed(String)
}

/// The present activity of an app.
public enum AppPhase: String, Hashable, Codable, Sendable, CaseIterable {
    /// A person works in one of its windows.
    case active
    /// One of its windows is in sight.
    case inactive
    /// The app is out of sight and runs: it has a reason to, or its grace period has not ended.
    case background
    /// The app hands over its state.
    case saving
    /// The app is silent and about to be frozen.
    case freezing
    case frozen
}
