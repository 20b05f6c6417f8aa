import Windows

extension KeyBinding {
    /// The standard keys that differ where windows are stacked freely (W-25).
    public static let free: [KeyBinding] = [
        .init("Super+Tab", .switchApps(1)),
        .init("Super+Shift+Tab", .switchApps(-1)),
        .init("Super+grave", .switchWindows(1)),
        .init("Super+Shift+grave", .switchWindows(-1)),
        .init("Super+Left", .tile(to: .left)),
        .init("Super+Right", .tile(to: .right)),
        .init("Super+Up", .tile(to: .whole)),
        .init("Super+Down", .tile(to: nil)),
        .init("Super+Ctrl+Left", .tile(to: .topLeft)),
        .init("Super+Ctrl+Right", .tile(to: .topRight)),
        .init("Super+Ctrl+Shift+Left", .tile(to: .bottomLeft)),
        .init("Super+Ctrl+Shift+Right", .tile(to: .bottomRight)),
        .init("Super+Ctrl+f", .toggleTile(to: .full)),
        .init("Super+m", .minimize()),
        .init("Super+h", .hideApp()),
        .init("Super+Shift+h", .pipToggle),
        .init("Super+q", .quitApp()),
        .init("Super+F10", .barMenu()),
    ]
}

extension Desk {
    /// The keys that count now. A standard key means something else where windows are stacked freely, unless a person gave it a
    /// meaning of their own.
    var keys: [KeyBinding] {
        guard workspace.isFreelyStacked else { return preferences.keys }
        let own = KeyBinding.free.filter { isStandard($0.chord) }, chords = Set(own.map(\.chord))
        return own + preferences.keys.filter { !chords.contains($0.chord) }
    }

    private func isStandard(_ chord: KeyChord) -> Bool {
        func action(in keys: [KeyBinding]) -> Action? { keys.first { $0.chord == chord }?.action }
        return action(in: preferences.keys) == action(in: KeyBinding.standard)
    }

    func binding(of key: Key) -> KeyBinding? {
        workspace.isFreelyStacked && !key.modifiers.isEmpty ? keys.binding(of: key) : preferences.keys.binding(of: key)
    }
}
