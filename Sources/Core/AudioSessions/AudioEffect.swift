import Geometry

/// Audio effects for the adapters. Values, never closures.
public enum AudioEffect: Hashable, Codable, Sendable {
    // MARK: The sound server
    /// Ramps a stream's gain from its current value in `ramp` seconds; 0 is immediate. Also sent when a stream
    /// appears.
    case level(StreamID, gain: Double, ramp: Double)
    /// Whether the stream is linked to an output or input. Streams start unlinked. The adapter must report
    /// `StreamFacts.isRunning` independently of this. Otherwise it would seem that the app stopped the stream.
    case connect(StreamID, Bool)
    /// Whether to measure the stream and report `StreamFacts.isSilent`.
    case measure(StreamID, Bool)
    /// The output of all connected streams; nil for none.
    case useOutput(PortID?)
    case useInput(PortID?)
    /// The system volume of an output, as the user sets it, 0 to 1.
    case outputLevel(PortID, level: Double, isMuted: Bool)
    case muteInput(Bool)

    // MARK: Apps
    case command(PlayerID, RemoteCommand)
    case tell(SessionID, SessionNotice)
    case answer(ReplyID, SessionAnswer)

    // MARK: Short sounds and haptics
    /// The sound's audibility is decided like that of any other stream. An alert's stream has the role
    /// "Notification".
    case playSound(String, SystemSoundKind)
    case haptic(String)

    /// Tells the user why an action is not possible.
    case refuse(String)
    case startTimer(AudioTimer, at: Moment)
    case stopTimer(AudioTimer)
}

/// A notification to a session.
public enum SessionNotice: Hashable, Codable, Sendable {
    case interruptionBegan(InterruptionReason)
    /// Sent exactly once for each begin (law 4).
    case interruptionEnded(shouldResume: Bool)
    case routeChanged(RouteChangeReason, previous: AudioRoute, current: AudioRoute)
    /// Another app's sound that does not mix is audible, so omit secondary audio.
    case secondaryAudioHint(Bool)
    case inputAvailable(Bool)
    case command(RemoteCommand)
    /// The user answers, declines or ends the app's call. The app does so and reports it (`SessionRequest.call`).
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

/// Why a request was refused. The text is for the app's developer.
public struct SessionError: Hashable, Codable, Sendable, Error {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        /// An option or a mode that the category does not allow, or a value out of range.
        case badParameter
        /// Asking for the microphone during another app's call, or for an alarm by an app that is not a clock.
        case insufficientPriority
        case cannotInterruptOthers
        case cannotStartRecording, cannotStartPlaying
        /// Deactivated while its streams run. The session is inactive anyway.
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
