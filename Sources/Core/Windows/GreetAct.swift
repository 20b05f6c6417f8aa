import Status

/// An act of a person on the greeter, the lock screen of the shell before a login.
public enum GreetAct: Hashable, Codable, Sendable {
    /// Logs in as one of the people of the list, by the name of the account.
    case person(String)
    /// Logs in by a name that is typed.
    case other
    /// Shows a page in place of the people.
    case page(GreetPage)
    /// The session to start, by its id.
    case session(String)
    /// The next size of text.
    case textSize
    case contrast
    /// Starts the screen reader, or ends it.
    case reader
    /// Keys on the screen even beside a real keyboard, or no longer.
    case keys
    case end(MachineEnd)
}

/// A list on the greeter.
public enum GreetPage: String, Hashable, Codable, Sendable, CaseIterable {
    case people, sessions
    /// Larger text, a screen reader, layouts of keyboards.
    case aids
    case power
}
