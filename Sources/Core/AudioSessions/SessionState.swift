/// What an app knows its session to be. The names go over the bus.
public enum SessionState: String, CaseIterable, Hashable, Codable, Sendable {
    case inactive, active
    /// Somebody else's sound goes before; the end of it will be told.
    case interrupted
}

extension AudioSessions {
    public func state(of id: SessionID) -> SessionState {
        switch sessions[id]?.state {
        case .active: .active
        case .interrupted: .interrupted
        // Streams that run and may not be heard are nothing that the session can rely on.
        case .inactive, .barred, nil: .inactive
        }
    }
}
