import Geometry

/// Windows in layers at places of their own, for idioms that have them (W-25).
extension Workspace {
    /// Puts a window above the others, or below them.
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

    /// Nothing lies over a window that a person acts in.
    mutating func raise(_ id: WindowID) {
        guard let index = spaceIndex(of: id), let windows = spaces[index].free, windows.last != id else { return }
        spaces[index].content = .free(windows.filter { $0 != id } + [id])
    }

    /// Puts the top left of a free window's geometry at a point of the screen. Others stay where they are.
    public mutating func place(_ id: WindowID, at origin: Point) {
        guard idiom.hasFreeWindows, origin.x.isFinite, origin.y.isFinite, let window = windows[id] else { return }
        windows[id]!.origin = origin + (window.commit.offset ?? .zero) * -1
    }
    /// Where windows stand free, their own title bars have buttons: one fills the room for windows, or undoes that.
    public mutating func zoom(_ id: WindowID, _ isZoomed: Bool) {
        guard idiom.hasFreeWindows, windows[id] != nil else { return }
        windows[id]!.isZoomed = isZoomed
        if isZoomed { bringBack(id) }
    }

    /// The other puts the window away until a person asks for it again.
    public mutating func putAway(_ id: WindowID) {
        guard idiom.hasFreeWindows, windows[id]?.isMapped ?? false, !waiting.contains(id), !isDialog(windows[id]!) else { return }
        takeOut(id)
        waiting.append(id)
        refocus()
    }

    /// One that was put away comes back with anything that its app wants to be seen of it.
    public mutating func bringBack(_ id: WindowID) {
        guard idiom.hasFreeWindows, waiting.contains(id) else { return }
        try? activate(id)
    }
}
