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
        guard idiom.hasFreeWindows, origin.x.isFinite, origin.y.isFinite else { return }
        windows[id]?.origin = origin
    }
}
