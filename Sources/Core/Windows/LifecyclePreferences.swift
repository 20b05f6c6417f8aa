/// A person's choices for the life of apps, from the configuration.
public struct LifecyclePreferences: Hashable, Codable, Sendable {
    /// Whether apps out of sight are frozen at all.
    public var freezes = true
    /// In seconds; nil: the idiom's value.
    public var grace: Double?
    /// The ids of apps that keep running in the background.
    public var kept: [String] = []

    public init(freezes: Bool = true, grace: Double? = nil, kept: [String] = []) {
        self.freezes = freezes
        self.grace = grace
        self.kept = kept
    }
}
