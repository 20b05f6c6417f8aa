import OrderedCollections

/// The active window: the visible one in which the user last acted.
extension Workspace {
    /// Makes a visible window active. Its topmost dialog gets the keyboard focus.
    public mutating func setFocus(_ id: WindowID) {
        let target = topDialog(of: root(of: id))
        // On the home screen only Picture in Picture is visible, which takes no keyboard input.
        guard isShown(target), !isHome else { return refocus() }
        focus = target
        let base = root(of: target)
        arrangement.becomesActive(base)
        let now = tick()
        edit(target) { $0.lastFocus = now }
        // When the dialog closes, its window is the most recently used one.
        edit(base) { $0.lastFocus = now }
    }

    /// The user pressed in a window or asked for it by name. A hidden one comes to the front.
    public mutating func activate(_ id: WindowID) throws(Refusal) {
        _ = try require(id)
        let base = root(of: id)
        try requireAllowed(base)
        if waiting.contains(base) {
            try admitWaiting(base)
        } else {
            showHidden(with: base)
            joinFullSpace(base)
            arrangement.change { $0.show(base) }
        }
        setFocus(base)
    }

    /// Keeps the active window if it is still visible. Otherwise chooses the most recently used one.
    mutating func refocus() {
        // In a Shared Space the active window is in front (V-02), whatever the window that it stands on was before.
        defer { if idiom.depth != nil, let focus { arrangement.becomesActive(root(of: focus)) } }
        if let focus, windows[focus] != nil, isShown(focus) {
            let top = topDialog(of: root(of: focus))
            if top != focus, isShown(top) { setFocus(top) }
            return
        }
        // Picture in Picture takes no keyboard input, so it is never chosen automatically.
        let candidates = shownRoots.filter { $0 != pip?.window }
        guard let best = candidates.max(by: { lastFocus($0) < lastFocus($1) }) else {
            focus = nil
            return
        }
        setFocus(best)
    }

    private func lastFocus(_ id: WindowID) -> UInt64 { windows[id]?.lastFocus ?? 0 }

    /// Activates the next visible window in reading order.
    public mutating func focusNext() throws(Refusal) {
        let shown = shownRoots
        guard shown.count > 1 else { throw Refusal("only one window is shown") }
        let index = focus.flatMap { shown.firstIndex(of: root(of: $0)) } ?? -1
        setFocus(shown[(index + 1) % shown.count])
    }
}
