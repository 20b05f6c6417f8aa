import Geometry
import OrderedCollections

/// Modal views of apps: dialogs that keep a person from the windows below them (M-01, M-02).
extension Workspace {
    /// The dialog that keeps a window from getting input: the last modal one on its root window. nil if there is none,
    /// or if the window stands on that dialog itself. One line of modal views stands over a window (M-08).
    public func blocker(of id: WindowID) -> WindowID? {
        guard hasChildren, let top = lastDialog(of: root(of: id), where: { $0.facts.modality ?? false }) else { return nil }
        return stands(id, on: top) ? nil : top
    }

    /// The dialog for which a window is drawn dimmed: its blocker, or the active dialog of a client that cannot say
    /// whether its dialogs are modal. Such a window still gets input.
    public func dimmer(of id: WindowID) -> WindowID? {
        var known = Dimmers()
        return dimmer(of: id, &known)
    }

    /// A cache for walking over all windows of modal lines: the window that dims a line is found once.
    public struct Dimmers {
        /// By the window at the root. `bright`: the dialog that dims, and the dialogs on it.
        fileprivate var lines: [WindowID: (dims: WindowID, bright: Set<WindowID>)?] = [:]

        public init() {}
    }

    public func dimmer(of id: WindowID, _ known: inout Dimmers) -> WindowID? {
        guard hasChildren, modality == .sheets else { return nil }
        let root = root(of: id)
        let line: (dims: WindowID, bright: Set<WindowID>)?
        if let found = known.lines[root] {
            line = found
        } else {
            // A popover does not dim the windows behind it.
            let dims = lastDialog(of: root) { ($0.facts.modality ?? false) && !isPopover($0.id) }
            line = dims.map { ($0, Set(tree(above: $0))) }
            known.lines.updateValue(line, forKey: root)
        }
        if let line { return line.bright.contains(id) ? nil : line.dims }
        guard let focus, focus != id, let facts = windows[focus]?.facts, facts.modality == nil, facts.parent != nil, stands(focus, on: id)
        else { return nil }
        return focus
    }

    /// Whether it is `base`, or stands on it directly or on one of its dialogs.
    public func stands(_ id: WindowID, on base: WindowID) -> Bool {
        var id = id
        while id != base {
            guard let parent = self.base(of: id) else { return false }
            id = parent
        }
        return true
    }

    /// A window and every dialog that stands on it, those that stand higher later.
    func tree(above id: WindowID) -> [WindowID] {
        var found = [id], index = 0
        while index < found.count {
            found += dialogs(of: found[index])
            index += 1
        }
        return found
    }

    /// The dialog of a window that is drawn last and for which `isWanted` returns true.
    private func lastDialog(of id: WindowID, where isWanted: (Window) -> Bool) -> WindowID? {
        for dialog in dialogs(of: id).reversed() {
            if let found = lastDialog(of: dialog, where: isWanted) { return found }
            if isWanted(windows[dialog]!) { return dialog }
        }
        return nil
    }

    /// The window of a line that gets its keys: the one that had them last, above what is modal.
    func keyHolder(of id: WindowID) -> WindowID {
        guard hasChildren else { return id }
        let line = tree(above: blocker(of: id) ?? id).enumerated()
        return line.max { (windows[$0.element]!.lastFocus, $0.offset) < (windows[$1.element]!.lastFocus, $1.offset) }?.element ?? id
    }

    // MARK: Going away

    /// A person dismissed a sheet: it goes out of sight until its app has closed it.
    ///
    /// - Returns: false if the window is no sheet, or is dismissed already.
    public mutating func hideSheet(_ id: WindowID) -> Bool {
        guard case .dialog = place(of: id) else { return false }
        return sinking.append(id).inserted
    }

    /// Its app keeps it, so it comes back.
    public mutating func restoreSheet(_ id: WindowID) { sinking.remove(id) }

    /// The sheet that goes away with this window: itself, or one that it stands on.
    public func hiddenBase(of id: WindowID) -> WindowID? {
        guard !sinking.isEmpty else { return nil }
        // Of several, the lowest one: it takes the others with it.
        var base = sinking.contains(id) ? id : nil
        var id = id
        while let parent = self.base(of: id) {
            id = parent
            if sinking.contains(id) { base = id }
        }
        return base
    }
}
