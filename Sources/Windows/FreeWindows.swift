import Geometry

/// Windows in layers at places of their own, for idioms that have them (W-25).
extension Workspace {
    /// Gives a window a place of its own above the others, or below them.
    mutating func makeFree(_ id: WindowID, inFront: Bool) {
        if let index = spaceIndex(of: id) {
            if inFront { raise(id) }
            return bringForward(spaces[index].id)
        }
        takeOut(id)
        let window = FreeWindow(id: id, origin: screen?.usable.origin ?? .zero)
        guard let index = spaces.firstIndex(where: { $0.free != nil }) else {
            return bringForward(makeSpace(.free([window])))
        }
        let others = spaces[index].free!
        spaces[index].content = .free(inFront ? others + [window] : [window] + others)
        if inFront { bringForward(spaces[index].id) }
    }

    /// Nothing lies over a window that a person acts in.
    mutating func raise(_ id: WindowID) {
        guard let index = spaceIndex(of: id), var windows = spaces[index].free,
            let at = windows.firstIndex(where: { $0.id == id }), at != windows.count - 1
        else { return }
        windows.append(windows.remove(at: at))
        spaces[index].content = .free(windows)
    }

    /// Puts the top left of a free window's geometry at a point of the screen. Others stay where they are.
    public mutating func place(_ id: WindowID, at origin: Point) {
        guard let index = spaceIndex(of: id), var windows = spaces[index].free,
            let at = windows.firstIndex(where: { $0.id == id })
        else { return }
        windows[at].origin = origin
        spaces[index].content = .free(windows)
    }
}
