/// One inhibitor, by the number that its app got for it.
public struct InhibitorID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: InhibitorID, b: InhibitorID) -> Bool { a.raw < b.raw }

    public var description: String { "inhibitor \(raw)" }
}

/// A request of a busy app to prevent actions such as suspend, with the reason that people read.
public struct Inhibitor: Hashable, Codable, Sendable {
    /// The actions that an app inhibits, by the numbers of `org.gnome.SessionManager`.
    public struct Kinds: OptionSet, Hashable, Codable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let logOut = Kinds(rawValue: 1)
        public static let switchUser = Kinds(rawValue: 2)
        public static let suspend = Kinds(rawValue: 4)
        public static let idle = Kinds(rawValue: 8)
        public static let automount = Kinds(rawValue: 16)

        public static let all: Kinds = [.logOut, .switchUser, .suspend, .idle, .automount]
    }

    public let id: InhibitorID
    public let owner: SessionOwner
    /// For people; "" if the app gives none.
    public let reason: String
    public let kinds: Kinds

    public init(_ id: InhibitorID, of owner: SessionOwner, reason: String, kinds: Kinds) {
        self.id = id
        self.owner = owner
        self.reason = reason
        self.kinds = kinds
    }

    /// Whether it protects work that must not stop halfway.
    var isWork: Bool { !kinds.isDisjoint(with: [.logOut, .suspend]) }
}

/// A caller of the session manager. A portal calls for other apps, which it names.
public struct SessionOwner: Hashable, Codable, Sendable {
    /// The app that the program is, or will be once it has a window.
    public var process: AppProcess?
    /// The app's id according to the program.
    public var name: String

    public init(process: AppProcess?, name: String) {
        self.process = process
        self.name = name
    }
}

/// The inhibitors of apps (S-06), and how the shell responds.
extension Lifecycle {
    /// Whether this app owns the inhibitor, or another registration with the session manager.
    func isOwner(_ id: AppProcess, _ owner: SessionOwner) -> Bool {
        if let process = owner.process, apps[process] != nil { return process == id }
        return apps[id]?.trustedName == owner.name && !owner.name.isEmpty
    }

    /// Whether a person can end the inhibitor.
    public func hasInhibitor(_ id: InhibitorID) -> Bool { inhibitors[id] != nil }

    /// The apps with windows that an owner represents.
    public func apps(of owner: SessionOwner) -> [AppProcess] { apps.keys.filter { isOwner($0, owner) } }

    /// An app appeared or went. An owner that stood for other apps by name may now be this app itself, or the reverse.
    mutating func reviewOwners(_ turn: inout Turn) {
        guard !inhibitors.isEmpty else { return }
        for id in apps.keys { review(id, &turn) }
    }

    mutating func inhibit(_ inhibitor: Inhibitor, _ turn: inout Turn) {
        inhibitors[inhibitor.id] = inhibitor
        for id in apps(of: inhibitor.owner) { review(id, &turn) }
    }

    mutating func uninhibit(_ id: InhibitorID, _ turn: inout Turn) {
        guard let inhibitor = inhibitors.removeValue(forKey: id) else { return }
        for id in apps(of: inhibitor.owner) { review(id, &turn) }
    }

    /// A person ends the inhibitor before its app does.
    mutating func endInhibitor(_ id: InhibitorID, _ turn: inout Turn) {
        guard inhibitors[id] != nil else { return }
        uninhibit(id, &turn)
        turn.effects.append(.inhibitorEnded(id))
        finish(&turn)
    }

    /// Whether the screen stays on: an owner in sight asks for it, or an owner without a window (a portal, for other apps).
    public var keepsScreenOn: Bool {
        inhibitors.values.contains { inhibitor in
            guard inhibitor.kinds.contains(.idle) else { return false }
            let apps = apps(of: inhibitor.owner)
            return apps.isEmpty || apps.contains { self.apps[$0]!.isInSight }
        }
    }
}
