import AudioSessions

/// What a person says that an app's sound is, where the app says nothing of it or the wrong thing.
public struct AudioRules: Hashable, Codable, Sendable {
    public struct Rule: Hashable, Codable, Sendable {
        /// As `mullion ctl audio` names the app.
        public var app: String
        public var kind: SoundKind

        public init(app: String, kind: SoundKind) {
            self.app = app
            self.kind = kind
        }
    }

    public var rules: [Rule] = []

    public init() {}

    /// The kind that the app's streams are given (`StreamFacts.ruled`); nil: no rule names it. The first rule counts;
    /// capital and small letters are the same.
    public func kind(of app: AudioApp) -> SoundKind? {
        guard !rules.isEmpty, !app.id.isEmpty else { return nil }
        let name = app.id.lowercased()
        return rules.first { $0.app.lowercased() == name }?.kind
    }
}
