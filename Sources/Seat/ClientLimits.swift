/// What one client may have. Generous: the most that real apps were seen with stands beside each. A client that goes beyond
/// is disconnected, and the log says who and what.
public enum ClientLimits {
    /// Of sandboxes, of one process; an engine needs 1 for each app. Each has four descriptors.
    public static let securityContextsOfOneProcess = 64
    /// Of all processes: before there are more, those whose process is gone end.
    public static let securityContexts = 256
    /// Sessions of all apps, and windows' names in one: past these, what nobody uses is forgotten, oldest first.
    public static let rememberedSessions = 256, rememberedNames = 256
    /// Of a window in a session, in bytes.
    public static let longestName = 256
}
