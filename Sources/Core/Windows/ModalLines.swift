/// Where every dialog stands, found in one walk. Layouts ask this of each dialog several times, and a program may put a
/// hundred of them on each other. It holds as long as the workspace stays as it is.
public struct ModalLines {
    /// The window at the root of each dialog's line.
    fileprivate(set) var roots: [WindowID: WindowID] = [:]
    fileprivate(set) var presentations: [WindowID: WindowHints.Presentation] = [:]
    /// The sheet with which a window goes away.
    fileprivate(set) var sunk: [WindowID: WindowID] = [:]
}

extension Workspace {
    public func modalLines() -> ModalLines {
        var lines = ModalLines()
        for child in children where lines.roots[child] == nil {
            // Up to the first known window, and down again.
            var path: [WindowID] = [], id = child
            while lines.roots[id] == nil, let parent = base(of: id) {
                path.append(id)
                id = parent
            }
            let root = lines.roots[id] ?? id
            var sunk = hiddenBase(of: id, lines)
            for dialog in path.reversed() {
                lines.roots[dialog] = root
                lines.presentations[dialog] = presentation(of: dialog, root: root)
                if sunk == nil, sinking.contains(dialog) { sunk = dialog }
                lines.sunk[dialog] = sunk
            }
        }
        return lines
    }

    public func root(of id: WindowID, _ lines: ModalLines?) -> WindowID { lines.map { $0.roots[id] ?? id } ?? root(of: id) }

    /// How a dialog stands on its window. nil for other windows, free windows and Picture in Picture.
    public func presentation(of id: WindowID, _ lines: ModalLines? = nil) -> WindowHints.Presentation? {
        if let lines { return lines.presentations[id] }
        return base(of: id) == nil ? nil : presentation(of: id, root: root(of: id))
    }

    /// The sheet that goes away with this window: itself, or one that it stands on.
    public func hiddenBase(of id: WindowID, _ lines: ModalLines) -> WindowID? { lines.sunk[id] ?? (sinking.contains(id) ? id : nil) }
}
