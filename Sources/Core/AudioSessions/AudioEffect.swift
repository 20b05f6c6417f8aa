import Geometry

/// What the adapters have to do about sound. Values, never closures.
public enum AudioEffect: Hashable, Codable, Sendable {
    // MARK: The sound server
    /// Moves a stream's gain from what it is now; `ramp` in seconds, 0: at once. Told when the stream appears, too.
    case level(StreamID, gain: Double, ramp: Double)
    /// Whether the stream reaches an output, or an input reaches it. Streams begin unconnected. Whether one runs
    /// (`StreamFacts.isRunning`) is what its app does and must not follow from this, or it would seem to have been
    /// stopped by its app.
    case connect(StreamID, Bool)
    /// All connected streams sound here. nil: nowhere.
    case useOutput(PortID?)
    case useInput(PortID?)
    /// The system volume of an output, as people set it, 0 to 1.
    case outputLevel(PortID, level: Double, isMuted: Bool)
    case muteInput(Bool)

    // MARK: Apps
    case command(PlayerID, RemoteCommand)
    case tell(SessionID, SessionNotice)
    case answer(ReplyID, SessionAnswer)

    // MARK: Short sounds and haptics
    /// What is heard of it is decided like of any other stream: an alert's has the role "Notification".
    case playSound(String, SystemSoundKind)
    case haptic(String)

    /// To the person whose action cannot be done: what is wrong.
    case refuse(String)
    case startTimer(AudioTimer, at: Moment)
    case stopTimer(AudioTimer)
}

/// What a session is told without having asked.
public enum SessionNotice: Hashable, Codable, Sendable {
    case interruptionBegan(InterruptionReason)
    /// Exactly one for each begin (law 4).
    case interruptionEnded(shouldResume: Bool)
    case routeChanged(RouteChangeReason, previous: AudioRoute, current: AudioRoute)
    /// Another app's sound that does not mix is heard: leave out what is secondary.
    case secondaryAudioHint(Bool)
    case inputAvailable(Bool)
    case command(RemoteCommand)
    /// A person answers, declines or ends the app's call; the app does it and says so (`SessionRequest.call`).
    case call(CallCommand)
}

public enum CallCommand: String, CaseIterable, Hashable, Codable, Sendable {
    case answer, decline, end
}

public enum InterruptionReason: String, CaseIterable, Hashable, Codable, Sendable {
    case standard, builtInMicMuted, routeDisconnected, appSuspended
}

public enum SessionAnswer: Hashable, Codable, Sendable {
    case done
    case failed(SessionError)
}

/// Why a request was not granted. The text says what is wrong, for the app's developer.
public struct SessionError: Hashable, Codable, Sendable, Error {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        /// An option or a mode that the category does not have; a value out of range.
        case badParameter
        /// The microphone during another app's call; an alarm from what is no clock.
        case insufficientPriority
        case cannotInterruptOthers
        case cannotStartRecording, cannotStartPlaying
        /// Deactivated while its streams run; the session is inactive all the same.
        case isBusy
        case missingEntitlement
        case expiredSession
        case notActive
        case tooMany
    }

    public var kind: Kind
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
