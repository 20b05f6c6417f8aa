import Geometry
import OrderedCollections
import Rooms
import Windows

/// The keys that a person gave to apps, wherever the person is (decision 0194): which session of a program has which, and which are held.
public struct GlobalShortcuts: Room {
    /// One that a program has.
    public struct Shortcut: Hashable, Codable, Sendable {
        /// The program's name for it.
        public var id: String
        /// For a person.
        public var meaning: String
        public var chord: KeyChord

        public init(id: String, meaning: String, chord: KeyChord) {
            self.id = id
            self.meaning = meaning
            self.chord = chord
        }
    }

    struct Session: Hashable, Codable, Sendable {
        var app: String
        var shortcuts: [Shortcut]
    }

    private struct Held: Hashable, Codable, Sendable {
        var session: UInt32
        var id: String
    }

    private(set) var sessions: OrderedDictionary<UInt32, Session> = [:]
    /// By the code of the key.
    private var held: OrderedDictionary<UInt32, Held> = [:]

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        /// A session has these from now on, as far as no other session has one of them.
        case bound(UInt32, app: String, [Shortcut])
        case ended(UInt32)
        /// A person took the shortcuts of an app back.
        case forgotten(app: String)
        case pressed(UInt32, KeyChord)
        case released(UInt32)
        /// The session is locked: the programs hear that every held key is released.
        case dropped
    }

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [ShortcutEffect] {
        switch event {
        case .bound(let session, let app, let wanted):
            let released = release { $0.session == session }
            var taken = chords(except: session), bound: [Shortcut] = []
            for one in wanted.prefix(AppShortcut.most) where KeyChord.suitsApps(one.chord) && !bound.contains(where: { $0.id == one.id }) {
                if taken.insert(one.chord).inserted { bound.append(one) }
            }
            sessions[session] = Session(app: app, shortcuts: bound)
            return released + [.bound(session, bound)]
        case .ended(let session):
            // Its program no longer hears that the keys are released.
            _ = release { $0.session == session }
            sessions[session] = nil
            return []
        case .forgotten(let app):
            return sessions.filter { $0.value.app == app && !$0.value.shortcuts.isEmpty }.keys.flatMap { session in
                let released = release { $0.session == session }
                sessions[session]?.shortcuts = []
                return released + [.bound(session, [])]
            }
        case .pressed(let code, let chord):
            guard held[code] == nil else { return [] }
            for (session, one) in sessions {
                guard let shortcut = one.shortcuts.first(where: { $0.chord == chord }) else { continue }
                held[code] = Held(session: session, id: shortcut.id)
                return [.activated(session, shortcut.id)]
            }
            return []
        case .released(let code):
            return held.removeValue(forKey: code).map { [.deactivated($0.session, $0.id)] } ?? []
        case .dropped: return release { _ in true }
        }
    }

    private mutating func release(_ isMeant: (Held) -> Bool) -> [ShortcutEffect] {
        let gone = held.filter { isMeant($0.value) }
        for code in gone.keys { held[code] = nil }
        return gone.values.map { .deactivated($0.session, $0.id) }
    }

    // MARK: What others ask

    /// All keys that sessions have.
    func chords(except session: UInt32? = nil) -> Set<KeyChord> {
        Set(sessions.lazy.filter { $0.key != session }.flatMap { $0.value.shortcuts.map(\.chord) })
    }

    /// The chord that a key means, by its own symbol or by its first other meaning that is one.
    func chord(of key: Key) -> KeyChord? {
        guard !sessions.isEmpty else { return nil }
        let all = chords(), own = KeyChord(modifiers: key.modifiers, symbol: key.symbol)
        if all.contains(own) { return own }
        return key.others.lazy.map {
            KeyChord(modifiers: $0.usesShift ? key.modifiers.subtracting(.shift) : key.modifiers, symbol: $0.symbol)
        }.first(where: all.contains)
    }

    /// Whether the release of a key is awaited.
    func holds(_ code: UInt32) -> Bool { held[code] != nil }

    public func violations(in context: Void) -> [String] {
        let all = sessions.values.flatMap { $0.shortcuts.map(\.chord) }
        return (Set(all).count == all.count ? [] : ["two sessions have the same keys"])
            + held.values.filter { sessions[$0.session] == nil }.map { "law 4: \($0.id) is held, and its session has ended" }
    }
}

/// A message to a program that has shortcuts, by the number of its session.
public enum ShortcutEffect: Hashable, Codable, Sendable {
    /// The shortcuts that it has now.
    case bound(UInt32, [GlobalShortcuts.Shortcut])
    case activated(UInt32, String)
    case deactivated(UInt32, String)
}

extension KeyChord {
    /// Whether an app may have it: without Ctrl, Alt or Super it would be a key for typing. Only a function key is none.
    static func suitsApps(_ chord: KeyChord) -> Bool {
        let isFunction = (functionKeys.first!.rawValue...functionKeys.last!.rawValue).contains(chord.symbol.rawValue)
        // These switch consoles.
        if isFunction, chord.modifiers.isSuperset(of: [.control, .alt]) { return false }
        return isFunction || !chord.modifiers.isDisjoint(with: [.control, .alt, .super])
    }

    /// F1 to F12.
    static let functionKeys = (0..<12).map { KeySymbol(rawValue: 0xffbe + $0) }
}

/// From programs that want shortcuts.
public enum ShortcutEvent: Hashable, Codable, Sendable {
    /// A person answered which of them a session of an app gets, and which not.
    case bound(UInt32, app: String, [GlobalShortcuts.Shortcut], refused: [String])
    /// The session has ended.
    case ended(UInt32)
}
