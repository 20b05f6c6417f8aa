/// The names that an app gave its windows (xdg-session-management), as they are kept. A client that knows the id can take
/// over the windows' places.
public struct ToolkitSession: Hashable, Codable, Sendable {
    public var id: String
    /// Most recently used first.
    public var names: [String]
    /// Larger is later.
    public var lastUse: UInt64

    public init(id: String, names: [String], lastUse: UInt64) {
        self.id = id
        self.names = names
        self.lastUse = lastUse
    }
}

/// Keeps the sessions of toolkits over restarts of the shell. Called with each change.
public protocol ToolkitSessionKeeper: AnyObject {
    func keep(_ session: ToolkitSession)
    func forget(session: String)
}
