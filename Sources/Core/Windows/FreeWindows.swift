import Geometry

/// Stacked windows at free positions, for idioms that have them (W-25).
extension Workspace {
    /// Puts a window above or below the others.
    mutating func makeFree(_ id: WindowID, inFront: Bool) {
        if let index = spaceIndex(of: id) {
            if inFront { raise(id) }
            return bringForward(spaces[index].id)
        }
        takeOut(id)
        guard let index = spaces.firstIndex(where: { $0.free != nil }) else {
            return bringForward(makeSpace(.free([id])))
        }
        let others = spaces[index].free!
        spaces[index].content = .free(inFront ? others + [id] : [id] + others)
        if inFront { bringForward(spaces[index].id) }
    }

    /// Raises a window in which the user acts above all others.
    mutating func raise(_ id: WindowID) {
        guard let index = spaceIndex(of: id), let windows = spaces[index].free, windows.last != id else { return }
        spaces[index].content = .free(windows.filter { $0 != id } + [id])
    }

    /// Moves the top left of a free window's geometry to a point of the screen. Other windows stay where they are.
    public mutating func place(_ id: WindowID, at origin: Point) {
        guard idiom.hasFreeWindows, origin.x.isFinite, origin.y.isFinite, let window = windows[id] else { return }
        windows[id]!.origin = origin + (window.commit.offset ?? .zero) * -1
    }
    /// The maximize button of a window's own title bar: fills the area for windows, or undoes that.
    public mutating func zoom(_ id: WindowID, _ isZoomed: Bool) {
        guard idiom.hasFreeWindows, windows[id] != nil else { return }
        windows[id]!.isZoomed = isZoomed
        if isZoomed { bringBack(id) }
    }

    /// The minimize button: hides the window until the user asks for it again.
    public mutating func putAway(_ id: WindowID) {
        guard idiom.hasFreeWindows, windows[id]?.isMapped ?? false, !waiting.contains(id), !isDialog(windows[id]!) else { return }
        takeOut(id)
        waiting.append(id)
        refocus()
    }

    /// Shows a minimized window again when its app asks for anything visible.
    public mutating func bringBack(_ id: WindowID) {
        guard idiom.hasFreeWindows, waiting.contains(id) else { return }
        try? activate(id)
    }
}
