import OrderedCollections

/// The active window: the visible one in which the user last acted.
extension Workspace {
    /// Makes a visible window active. A dialog gets the keyboard focus itself; of a window with dialogs, the one that had it last.
    public mutating func setFocus(_ id: WindowID) {
        let root = root(of: id)
        makeActive(id == root ? keyHolder(of: root) : pressTarget(of: id))
    }

    /// A person pressed in a window, or named it: exactly this one gets the keys, also where a dialog that is not modal stands on it
    /// (P-02).
    public mutating func setFocus(pressed id: WindowID) { makeActive(pressTarget(of: id)) }

    /// The window that gets the keys after a press on this one: itself, unless a modal dialog keeps it from input (M-02).
    public func pressTarget(of id: WindowID) -> WindowID { blocker(of: id).map(keyHolder) ?? id }

    private mutating func makeActive(_ target: WindowID) {
        // On the home screen only Picture in Picture is visible, which takes no keyboard input.
        guard isShown(target), !isHome else { return refocus() }
        focus = target
        let base = root(of: target)
        arrangement.becomesActive(base)
        let now = tick()
        edit(target) { $0.lastFocus = now }
        // When the dialog closes, what it stands on is the most recently used one: a dialog again, or its window.
        var below = self.base(of: target), steps = 0
        while let id = below, id != base, steps < 16 {
            edit(id) { $0.lastFocus = now }
            (below, steps) = (self.base(of: id), steps + 1)
        }
        edit(base) { $0.lastFocus = now }
    }

    /// The user pressed in a window or asked for it by name. A hidden one comes to the front.
    ///
    /// - Parameter isPressed: whether this very window is meant, and not the dialogs that may stand on it (P-02).
    public mutating func activate(_ id: WindowID, isPressed: Bool = false) throws(Refusal) {
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
        if isPressed { setFocus(pressed: id) } else { setFocus(base) }
    }

    /// A dialog opened, or a window became one: it gets the keys if its line has them. Otherwise it gets them with its line.
    mutating func dialogCame(_ id: WindowID) {
        let root = root(of: id)
        defer { bringIntoSight(root, with: id) }
        if let focus, self.root(of: focus) == root, isShown(id) { return setFocus(id) }
        // "Save?" after a person closed a window that is not in front: the answer is theirs, so they see the question, and what it is
        // about.
        if windows[root]?.closing == .asked || base(of: id).flatMap({ windows[$0] })?.closing == .asked, (try? activate(root)) != nil {
            if isShown(id) { setFocus(id) }
            return
        }
        let newest = tree(above: root).map { lastFocus($0) }.max() ?? 0
        edit(id) { $0.lastFocus = newest }
    }

    /// Keeps the active window if it is still visible. Otherwise chooses the most recently used one.
    mutating func refocus() {
        // In a Shared Space the active window is in front (V-02), whatever the window that it stands on was before.
        defer { if idiom.depth != nil, let focus { arrangement.becomesActive(root(of: focus)) } }
        if let focus, windows[focus] != nil, isShown(focus) {
            let target = pressTarget(of: focus)
            if target != focus, isShown(target) { makeActive(target) }
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

    /// Activates the next visible window in reading order. After a window come its dialogs; one that a modal dialog blocks is left out
    /// (P-02, P-04).
    public mutating func focusNext() throws(Refusal) {
        let steps = hasChildren ? shownRoots.flatMap { tree(above: $0) }.filter { blocker(of: $0) == nil && isShown($0) } : shownRoots
        guard steps.count > 1 else { throw Refusal("only one window is shown") }
        let index = focus.flatMap(steps.firstIndex) ?? -1
        setFocus(pressed: steps[(index + 1) % steps.count])
    }
}
