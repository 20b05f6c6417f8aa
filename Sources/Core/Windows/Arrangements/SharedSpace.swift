import Geometry

/// The Shared Space and Full Spaces of freely stacked windows at depths (V-01, V-02).
extension Free {
    /// How far behind its own depth a window is seen: the active one not at all.
    func recession(of id: WindowID, _ measures: DepthMeasures) -> Double { isInFront(id) ? 0 : measures.recede }

    /// Whether it is the one in which a person acted last.
    private func isInFront(_ id: WindowID) -> Bool { spaces.list.first { $0.contains(id) }?.free?.last == id }

    /// The depth at which a window is seen; in a Full Space that of the screen.
    func seenDepth(of id: WindowID, _ measures: DepthMeasures) -> Double {
        alone == id ? 0 : measures.clamped(frames[id]?.depth ?? 0) + recession(of: id, measures)
    }

    /// Windows back to front: the farthest first, and at the same depth the one that was used last in front. The active one covers
    /// all others, also nearer ones: a person reads and types in it. The window that fills the screen covers none.
    func farToNear(_ windows: [WindowID], _ measures: DepthMeasures) -> [WindowID] {
        guard windows.count > 1 else { return windows }
        return windows.enumerated()
            .map { (isInFront: isInFront($0.element), depth: seenDepth(of: $0.element, measures), place: $0.offset, id: $0.element) }
            .sorted { a, b in
                if a.id == alone || b.id == alone { return a.id == alone && b.id != alone }
                if a.isInFront != b.isInFront { return b.isInFront }
                return a.depth != b.depth ? a.depth > b.depth : a.place < b.place
            }
            .map(\.id)
    }

    /// Whether it is shown where one app has the screen alone; true in the Shared Space.
    func isInFullSpace(_ id: WindowID) -> Bool { alone == nil || alone == id || companions.contains(id) }

    /// Gives a window the screen, alone with the other windows of its app.
    mutating func enterFullSpace(_ id: WindowID, with others: [WindowID]) {
        guard spaces.contains(id) else { return }
        if alone != id { leaveFullSpace() }
        alone = id
        companions = others
        frames[id, default: FreeFrame()].tile = .whole
    }

    /// Back to the Shared Space: the window has its own size and depth again.
    mutating func leaveFullSpace() {
        guard let id = alone else { return }
        alone = nil
        companions = []
        frames[id]?.tile = nil
    }
}
