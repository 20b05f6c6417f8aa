import Geometry
import Windows

/// A shortcut that a program wants.
public struct WantedShortcut: Hashable, Sendable {
    public var id: String
    public var meaning: String
    /// As the programs of the portal write it: "CTRL+SHIFT+a". Empty: any.
    public var trigger: String

    public init(id: String, meaning: String, trigger: String) {
        self.id = id
        self.meaning = meaning
        self.trigger = trigger
    }
}

/// The shortcut that it would get.
public struct PlannedShortcut: Hashable, Sendable {
    public var shortcut: GlobalShortcuts.Shortcut
    /// A person gave it to the app before, and is not asked.
    public var isKnown: Bool
    /// A person did not refuse it before.
    public var isOn: Bool
}

/// Shortcuts of apps: the effect of the outcomes of `GlobalShortcuts`, and the keys that are left for them.
extension System {
    mutating func shortcuts(_ event: GlobalShortcuts.Event, at now: Moment, _ turn: inout Turn) {
        let outcomes = shortcuts.handle(event, in: (), at: now)
        screenful.sight.shortcuts = shortcuts
        for outcome in outcomes { turn.send(.shortcuts(outcome)) }
    }

    /// A person answered which shortcuts an app gets. `refused`: those that the person does not want.
    mutating func bindShortcuts(
        _ session: UInt32, of app: String, _ given: [GlobalShortcuts.Shortcut], refused: [String], at now: Moment, _ turn: inout Turn
    ) {
        shortcuts(.bound(session, app: app, given), at: now, &turn)
        guard !app.isEmpty else { return }
        let all = given.map { AppShortcut(id: $0.id, keys: $0.chord.description) } + refused.map { AppShortcut(id: $0, keys: "") }
        let old = knownShortcuts(of: app).filter { one in !all.contains { $0.id == one.id } }
        let choice = Choice.shortcuts(app: app, Array((all + old).prefix(4 * AppShortcut.most)))
        if !all.isEmpty { choices(.chosen(choice), at: now, &turn) }
    }

    /// A person takes the shortcuts of an app back, and is asked again.
    mutating func forgetShortcuts(of app: String, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let prefix = Choice.shortcuts(app: "", []).key, key = prefix + app
        guard choices.chosen[key] != nil || shortcuts.sessions.values.contains(where: { $0.app == app && !$0.shortcuts.isEmpty }) else {
            let others = choices.chosen.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
            throw Refusal("\"\(app)\" has no keys" + (others.isEmpty ? "" : "; these apps have some: " + others.joined(separator: ", ")))
        }
        choices(.dropped(key), at: now, &turn)
        shortcuts(.forgotten(app: app), at: now, &turn)
    }

    private func knownShortcuts(of app: String) -> [AppShortcut] {
        if !app.isEmpty, case .shortcuts(_, let all)? = choices.chosen[Choice.shortcuts(app: app, []).key] { all } else { [] }
    }

    /// The shortcuts that an app would get. Those that the shell or another program has, that no keys are left for, or that a person refused
    /// are left out; for one whose keys are not free, the plan has the next that are.
    ///
    /// - Parameter isAnew: a person is asked about all of them, also those that the person gave or refused before.
    public func plan(_ wanted: [WantedShortcut], of app: String, session: UInt32, isAnew: Bool = false) -> [PlannedShortcut] {
        let known = knownShortcuts(of: app)
        var taken = shortcuts.chords(except: session)
        func isFree(_ chord: KeyChord) -> Bool {
            KeyChord.suitsApps(chord) && !taken.contains(chord) && preferences.keys.binding(of: chord.symbol, chord.modifiers) == nil
                && screenful.sight.keys.binding(of: chord.symbol, chord.modifiers) == nil
        }
        // The keys that an app has stay with the shortcut that has them.
        let given = known.compactMap { KeyChord(parsing: $0.keys) }
        var plan: [PlannedShortcut] = []
        for one in wanted where !plan.contains(where: { $0.shortcut.id == one.id }) {
            let old = known.first { $0.id == one.id }
            let isRefused = old?.keys.isEmpty ?? false
            if isRefused, !isAnew { continue }
            let mine = old.flatMap { KeyChord(parsing: $0.keys) }.flatMap { isFree($0) ? $0 : nil }
            let others = [KeyChord(parsing: one.trigger)].compactMap(\.self) + KeyChord.forApps
            guard let chord = mine ?? others.first(where: { isFree($0) && !given.contains($0) }) else { continue }
            taken.insert(chord)
            plan.append(
                PlannedShortcut(
                    shortcut: .init(id: one.id, meaning: one.meaning, chord: chord), isKnown: mine != nil && !isAnew, isOn: !isRefused))
        }
        return plan
    }
}

extension KeyChord {
    /// Keys that the shell gives to apps which name none.
    fileprivate static let forApps: [KeyChord] = [Modifiers.super, [.super, .shift], [.super, .control]].flatMap { modifiers in
        functionKeys.map { KeyChord(modifiers: modifiers, symbol: $0) }
    }

    /// For a person, in one line: "Super + Y".
    public var spoken: String { parts.map { $0.count == 1 ? $0.uppercased() : $0 }.joined(separator: " + ") }
}
