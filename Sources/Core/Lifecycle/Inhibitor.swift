/// One inhibitor, by the number that its app got for it.
public struct InhibitorID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: InhibitorID, b: InhibitorID) -> Bool { a.raw < b.raw }

    public var description: String { "inhibitor \(raw)" }
}

/// What an app asks the shell not to do while it is busy, with the words in which it tells people why.
public struct Inhibitor: Hashable, Codable, Sendable {
    /// What is not to happen, by the numbers of `org.gnome.SessionManager`.
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
    /// For people; "" if the app does not say.
    public let reason: String
    public let kinds: Kinds

    public init(_ id: InhibitorID, of owner: SessionOwner, reason: String, kinds: Kinds) {
        self.id = id
        self.owner = owner
        self.reason = reason
        self.kinds = kinds
    }

    /// It stands for work that must not stop in the middle.
    var isWork: Bool { !kinds.isDisjoint(with: [.logOut, .suspend]) }
}

/// Who speaks to the session manager. A portal speaks for other apps, which it names.
public struct SessionOwner: Hashable, Codable, Sendable {
    /// The app that the program is, or will be when its window comes.
    public var process: AppProcess?
    /// The app's id, as the program says it.
    public var name: String

    public init(process: AppProcess?, name: String) {
        self.process = process
        self.name = name
    }
}

/// What apps keep the shell from doing (S-06), and what becomes of it.
extension Lifecycle {
    /// Whether the inhibitor, or whatever else a program said to the session manager, is this app's.
    func isOwner(_ id: AppProcess, _ owner: SessionOwner) -> Bool {
        if let process = owner.process, apps[process] != nil { return process == id }
        return apps[id]?.name == owner.name && !owner.name.isEmpty
    }

    /// Whether it can be ended.
    public func hasInhibitor(_ id: InhibitorID) -> Bool { inhibitors[id] != nil }

    /// The apps with windows that an owner stands for.
    public func apps(of owner: SessionOwner) -> [AppProcess] { apps.keys.filter { isOwner($0, owner) } }

    /// An app came or went: what stood for others by its name may stand for it, or the other way round.
    mutating func reviewOwners(_ turn: inout Turn) {
        guard !inhibitors.isEmpty else { return }
        for id in apps.keys { review(id, &turn) }
        tellIdle(&turn)
    }

    mutating func inhibit(_ inhibitor: Inhibitor, _ turn: inout Turn) {
        inhibitors[inhibitor.id] = inhibitor
        for id in apps(of: inhibitor.owner) { review(id, &turn) }
    }

    mutating func uninhibit(_ id: InhibitorID, _ turn: inout Turn) {
        guard let inhibitor = inhibitors.removeValue(forKey: id) else { return }
        for id in apps(of: inhibitor.owner) { review(id, &turn) }
    }

    /// A person ends it, in place of its app.
    public mutating func endInhibitor(_ id: InhibitorID, _ turn: inout Turn) {
        guard inhibitors[id] != nil else { return }
        uninhibit(id, &turn)
        turn.effects.append(.inhibitorEnded(id))
        finish(&turn)
    }

    /// The screen stays on while somebody in sight wishes so, or somebody without a window: a portal speaks for apps.
    var keepsScreenOn: Bool {
        inhibitors.values.contains { inhibitor in
            guard inhibitor.kinds.contains(.idle) else { return false }
            let apps = apps(of: inhibitor.owner)
            return apps.isEmpty || apps.contains { self.apps[$0]!.isInSight }
        }
    }

    mutating func tellIdle(_ turn: inout Turn) {
        guard keepsScreenOn != isScreenKeptOn else { return }
        isScreenKeptOn.toggle()
        turn.effects.append(.keepScreenOn(isScreenKeptOn))
    }
}
