import Windows

extension Idiom {
    /// The idiom's own keys. The names of actions and keys were checked when the idiom was read.
    var bindings: [KeyBinding] {
        keys.compactMap { own in
            KeyChord(parsing: own.key).flatMap { chord in ActionNames.action(own.action).map { KeyBinding(chord, $0) } }
        }
    }
}

extension Screenful {
    /// The keys that count now. The idiom gives a standard key another meaning, unless a person gave it a meaning of their own.
    var keys: [KeyBinding] {
        guard !sight.keys.isEmpty else { return preferences.keys }
        let own = sight.keys.filter { isStandard($0.chord) }, chords = Set(own.map(\.chord))
        return own + preferences.keys.filter { !chords.contains($0.chord) }
    }

    private func isStandard(_ chord: KeyChord) -> Bool {
        func action(in keys: [KeyBinding]) -> Action? { keys.first { $0.chord == chord }?.action }
        return action(in: preferences.keys) == action(in: KeyBinding.standard)
    }

    func binding(of key: Key) -> KeyBinding? {
        !sight.keys.isEmpty && !key.modifiers.isEmpty ? keys.binding(of: key) : preferences.keys.binding(of: key)
    }
}
