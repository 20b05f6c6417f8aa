import Geometry

/// The spaces of a desk: screenfuls of freely stacked windows between which a person swipes (W-25).
///
/// A space goes with its last window. An empty one stays while it is in front, so that a person can fill it.
extension Free {
    /// Makes an empty space after the one in front and shows it.
    mutating func makeSpace() {
        leaveFullSpace()
        spaces.bringForward(spaces.make(.free([]), after: spaces.currentIndex))
    }

    /// Moves a window in front of those of another space, and shows that space.
    mutating func move(_ id: WindowID, to space: SpaceID) {
        guard let from = spaces.index(of: id), spaces.list[from].id != space, let others = spaces[space]?.free else { return }
        if alone == id { leaveFullSpace() }
        spaces.set(.free((spaces.list[from].free ?? []).filter { $0 != id }), of: spaces.list[from].id)
        spaces.set(.free(others + [id]), of: space)
        spaces.bringForward(space)
        spaces.dropEmpty()
    }
}

extension Workspace {
    /// Makes an empty space beside the one in front and shows it.
    public mutating func makeSpace() throws(Refusal) {
        guard idiom.free.spaces, var free = arrangement.free else { throw Refusal("in the idiom \(idiom.name) nobody makes spaces") }
        guard currentSpace?.windows.isEmpty != true else { throw Refusal("the space in front is empty already") }
        guard !spaces.isEmpty else { throw Refusal("no window is open") }
        free.makeSpace()
        arrangement.free = free
        focus = nil
        refocus()
    }

    /// Moves a window to the space at the right (1) or left (-1) of its own. At the right of the last one it gets a new space.
    public mutating func moveToSpace(_ id: WindowID, _ step: Int) throws(Refusal) {
        guard step == 1 || step == -1 else { throw Refusal("a step is 1 or -1, not \(step)") }
        let root = try movableToSpace(id), index = arrangement.spaces.index(of: root)!, target = index + step
        if spaces.indices.contains(target) { return try moveToSpace(root, spaces[target].id) }
        guard step > 0 else { throw Refusal("there is no other space to go to") }
        try moveToSpace(root, nil)
    }

    /// Moves a window to a space; nil: to a new one after the others.
    public mutating func moveToSpace(_ id: WindowID, _ space: SpaceID?) throws(Refusal) {
        let root = try movableToSpace(id)
        guard let space else {
            guard let own = spaces.first(where: { $0.contains(root) }), own.windows.count > 1 else {
                throw Refusal("\(root) has a space of its own already")
            }
            var made: SpaceID?
            arrangement.change { all in made = all.spaces.make(.free([])) }
            return try moveToSpace(root, made!)
        }
        guard self.space(space) != nil else { throw Refusal("there is no space \(space.raw)") }
        guard var free = arrangement.free else { return }
        free.move(root, to: space)
        arrangement.free = free
        try activate(root)
    }

    /// Whether a window stands in a space that is not in front.
    public func isInOtherSpace(_ id: WindowID) -> Bool {
        guard let free = arrangement.free, free.spaces.list.count > 1 else { return false }
        return free.spaces.list.contains { $0.id != free.spaces.current && $0.contains(id) }
    }

    private func movableToSpace(_ id: WindowID) throws(Refusal) -> WindowID {
        _ = try require(id)
        let root = root(of: id)
        guard idiom.free.spaces, arrangement.free != nil else {
            throw Refusal("in the idiom \(idiom.name) nobody moves windows between spaces")
        }
        guard arrangement.spaces.contains(root) else { throw Refusal("\(root) stands in no space") }
        return root
    }
}
