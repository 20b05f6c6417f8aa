/// The owner that pays for a program's use of resources: the one answer for every quota, rate and eviction (P-06).
///
/// A name that a program gives itself, or a connection, is no owner, because a program can make any number of both. The shell finds
/// the owner from facts that the program cannot set, in this order: the sandbox, the app, the program at the head of the process tree.
public enum Owner: Hashable, Comparable, Sendable {
    /// The shell itself.
    case shell
    /// All sandboxes without a vouched name, together: a program can make any number of them.
    case nameless
    /// An app in a sandbox, by the name that its engine or the shell vouches for.
    case sandbox(String)
    /// An app for which xdg-desktop-portal speaks, by the name that it found out.
    case portal(String)
    /// An app outside any sandbox that the shell or the service manager started.
    case app(String)
    /// A program outside any sandbox: the one at the head of its process tree, by its path.
    case program(String)
    /// All other programs, which cannot be told apart.
    case user

    /// Whether only vouched facts count: a name, an icon or an app that the program claims does not.
    public var isConfined: Bool {
        switch self {
        case .nameless, .sandbox, .portal: true
        case .shell, .app, .program, .user: false
        }
    }

    /// The vouched name of the app; nil if there is none, or if the program's own word counts.
    public var vouchedApp: String? {
        switch self {
        case .sandbox(let app), .portal(let app): app
        case .shell, .nameless, .app, .program, .user: nil
        }
    }

    /// Whether it may replace or withdraw items that another one left behind. Programs outside any sandbox can pretend to be each other;
    /// nameless sandboxes are one owner, but not one program.
    public func speaks(for other: Owner) -> Bool {
        switch self {
        case .nameless: false
        case .sandbox, .portal: self == other
        case .shell, .app, .program, .user: !other.isConfined
        }
    }

    /// The owner behind a call in an app's name: a portal speaks for other apps, every other program for itself.
    ///
    /// - Parameters:
    ///   - caller: the owner of the process that calls.
    ///   - app: the app that it names; empty: it knows none.
    public static func behind(_ caller: Owner, naming app: String?) -> Owner {
        guard let app, case .program(let path) = caller, isPortal(path) else { return caller }
        return app.isEmpty ? .nameless : .portal(app)
    }

    /// Portals are programs of the system that ask the engines of apps for their names.
    private static func isPortal(_ path: String) -> Bool {
        ["/usr/", "/nix/store/", "/gnu/store/"].contains { path.hasPrefix($0) }
            && (path.split(separator: "/").last?.hasPrefix("xdg-desktop-portal") ?? false)
    }

    /// Its name in stores, reports and recordings.
    public var key: String {
        switch self {
        case .shell: "shell"
        case .nameless: "nameless"
        case .sandbox(let app): "sandbox:\(app)"
        case .portal(let app): "portal:\(app)"
        case .app(let app): "app:\(app)"
        case .program(let path): "program:\(path)"
        case .user: "user"
        }
    }

    /// Reads an owner from the text that `key` wrote. A text that is not understood belongs to the user.
    public init(key: String) {
        let parts = key.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self =
            switch (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "") {
            case ("shell", _): .shell
            case ("nameless", _): .nameless
            case ("sandbox", let app): .sandbox(app)
            case ("portal", let app): .portal(app)
            case ("app", let app): .app(app)
            case ("program", let path): .program(path)
            default: .user
            }
    }

    public static func < (a: Owner, b: Owner) -> Bool { a.key < b.key }
}

extension Owner: Codable {
    public init(from decoder: any Decoder) throws { self.init(key: try decoder.singleValueContainer().decode(String.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }
}

extension Owner: CustomStringConvertible {
    /// For messages that developers read.
    public var description: String {
        switch self {
        case .shell: "the shell"
        case .nameless: "sandboxes without a name"
        case .sandbox(let app), .portal(let app), .app(let app): app
        case .program(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .user: "programs of the user"
        }
    }
}

extension Owner {
    /// The owner's name in messages for developers. A text that is no key is returned as it is.
    public static func name(ofKey key: String) -> String {
        let owner = Owner(key: key)
        return owner.key == key ? owner.description : key
    }
}
