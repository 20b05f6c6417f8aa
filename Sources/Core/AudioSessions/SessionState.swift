/// The state of a session as its app knows it. The names are sent over the bus.
public enum SessionState: String, CaseIterable, Hashable, Codable, Sendable {
    case inactive, active
    /// Another session has priority. An event will tell the end.
    case interrupted
}

extension AudioSessions {
    public func state(of id: SessionID) -> SessionState {
        switch sessions[id]?.state {
        case .active: .active
        case .interrupted: .interrupted
        // Streams that run but are kept silent do not make the session active.
        case .inactive, .barred, nil: .inactive
        }
    }
}
