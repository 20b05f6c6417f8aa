import Windows

/// Tokens with which an app may bring a window to the front (W-19).
public enum Activations {
    /// How long a press' serial counts as the user's intent, in nanoseconds.
    public static let serialLife: Int64 = 10_000_000_000
}

/// The purposes of tokens that were made and used. Programs hand a used one on: a terminal's programs inherit its own (W-19).
public struct TokenHolders: Hashable, Sendable {
    private var holders: [String: Holder] = [:]
    /// Oldest first.
    private var names: [String] = []
    /// How many are remembered. Older ones are as good as unknown.
    public static let most = 256

    public struct Holder: Hashable, Sendable {
        /// That it was made for.
        public var launch: LaunchID?
        /// That used it.
        public var window: WindowID?
    }

    public init() {}

    public subscript(_ name: String) -> Holder { holders[name] ?? Holder() }

    public mutating func made(_ name: String, for launch: LaunchID) { edit(name) { $0.launch = launch } }

    public mutating func used(_ name: String, for window: WindowID) { edit(name) { $0.window = window } }

    private mutating func edit(_ name: String, _ change: (inout Holder) -> Void) {
        if holders[name] == nil {
            names.append(name)
            if names.count > TokenHolders.most { holders[names.removeFirst()] = nil }
        }
        change(&holders[name, default: Holder()])
    }
}

/// The client that a person used last. It may ask for what needs a person's act, whatever serial its toolkit remembers (W-19):
/// GTK forgets the serial of a touch when the finger lifts, and then asks with serial 0.
///
/// `Client` identifies a client. It is only compared, and never used again for another one.
public struct LastUsed<Client: Hashable & Sendable>: Hashable, Sendable {
    private var client: Client?
    private var when: Int64 = 0

    public init() {}

    /// A press or release of a finger, pen, button or key was delivered to a client. `now` is in nanoseconds.
    public mutating func used(_ client: Client, at now: Int64) {
        self.client = client
        when = now
    }

    /// Whether a request of this client counts as the person's: it has the keyboard focus, got the last input of all clients,
    /// and got it a moment ago.
    public func mayAsk(_ client: Client, focused: Client?, at now: Int64) -> Bool {
        self.client == client && focused == client && now - when <= Activations.serialLife
    }
}
