import Windows

/// A person who can log in.
public struct GreeterPerson: Hashable, Codable, Sendable {
    /// The name of the account.
    public var name: String
    /// The full name, or the one of the account.
    public var title: String
    /// The file of a picture; nil: there is none.
    public var picture: String?

    public init(name: String, title: String, picture: String? = nil) {
        self.name = name
        self.title = title
        self.picture = picture
    }
}

/// A session that can be started.
public struct GreeterSession: Hashable, Codable, Sendable {
    /// The value of `XDG_SESSION_TYPE`.
    public enum Kind: String, Hashable, Codable, Sendable {
        case wayland, x11
    }

    /// The name of its file without the ending.
    public var id: String
    public var title: String
    public var command: [String]
    /// The names that it gives itself in `XDG_CURRENT_DESKTOP`.
    public var desktops: [String]
    public var type: Kind

    public init(id: String, title: String, command: [String], desktops: [String] = [], type: Kind = .wayland) {
        self.id = id
        self.title = title
        self.command = command
        self.desktops = desktops
        self.type = type
    }

    /// The variables that tell the session its own name and kind. A login manager adds the seat and the console.
    public var environment: [String] {
        let names = desktops.isEmpty ? [id] : desktops
        return [
            "XDG_SESSION_TYPE=\(type)", "XDG_CURRENT_DESKTOP=\(names.joined(separator: ":"))", "XDG_SESSION_DESKTOP=\(id)",
            "DESKTOP_SESSION=\(id)",
        ]
    }
}

/// The memory of the greeter from login to login.
public struct GreeterMemory: Hashable, Codable, Sendable {
    /// The person of the last login, and the session of the last one of each person.
    public var person: String?
    public var sessions: [String: String] = [:]
    /// How people who log in see the greeter.
    public var textScale = 1.0
    public var isContrasted = false
    public var readsAloud = false
    public var showsKeys = false

    public init() {}

    /// Accounts come and go for years.
    static let most = 256
    public static let textScales = [1.0, 1.5, 2]
}

/// The people and sessions that the greeter can offer.
public struct GreeterFacts: Hashable, Codable, Sendable {
    public var people: [GreeterPerson]
    /// The look of the person of the last login.
    public var look: [Choice] = []
    public var sessions: [GreeterSession]
    public var memory: GreeterMemory
    /// Whether a screen reader is installed.
    public var hasReader: Bool

    public init(people: [GreeterPerson], sessions: [GreeterSession], memory: GreeterMemory = GreeterMemory(), hasReader: Bool = false) {
        self.people = people
        self.sessions = sessions
        self.memory = memory
        self.hasReader = hasReader
    }

    /// As many people as a list can be looked through.
    public static let mostPeople = 64, mostSessions = 64
}

/// An event from outside for the greeter.
public enum GreeterEvent: Hashable, Codable, Sendable {
    /// The shell is a greeter, and never anything else.
    case begins
    case found(GreeterFacts)
    /// greetd took the session, in the talk of this number.
    case started(UInt64)
    /// It did not, for this reason.
    case refused(UInt64, String)
    /// The screen reader has ended, or could not be started.
    case readerEnded
}
