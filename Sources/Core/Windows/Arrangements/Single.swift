import Geometry

/// One window at a time, and a picture above it where the idiom has one (S-10, S-11).
///
/// The spaces stand in the order of their last use, the most recent one last: a swipe to the right goes to the last app, and
/// further swipes to the apps before it (S-01). A swipe changes nothing in this order until a person uses the window that it brought, so
/// the
/// next swipe continues in the same direction, and one to the left goes back.
public struct Single: Arranging {
    public var spaces = Spaces()
    public var picture: PictureInPicture?

    public init() {}

    public func place(of id: WindowID, on screen: Screen?) -> Place? {
        if picture?.window == id { return .pictureInPicture }
        return spaces.list.first { $0.contains(id) }.map { .full($0.id) }
    }

    public func placed(on ground: Ground, frame: (WindowID) -> Rect?) -> [Placed] {
        (spaces.front?.windows ?? []).compactMap { id in frame(id).map { Placed(id, .space, at: $0) } } + placedPicture(on: ground, frame)
    }

    public mutating func put(_ id: WindowID, at destination: Destination) throws(Refusal) {
        guard destination == .fullScreen else { throw Refusal("one window is shown at a time") }
        if !spaces.contains(id) { remove(id) }
        if let current = spaces.current { makeLast(current) }
        spaces.makeFull(id)
        if let current = spaces.current { makeLast(current) }
    }

    public mutating func putBehind(_ id: WindowID) {
        _ = spaces.make(.full(id), after: -1)
        if spaces.current == nil { spaces.makeCurrent(spaces.list.last?.id) }
    }

    /// One swipe away, as if it had been used just before the one in front.
    public mutating func putBeside(_ id: WindowID) {
        _ = spaces.make(.full(id), after: (spaces.currentIndex ?? spaces.list.count) - 1)
        if spaces.current == nil { spaces.current = spaces.list.last?.id }
    }

    public mutating func show(_ id: WindowID) {
        if picture?.window == id { return picture!.stashed = nil }
        guard let index = spaces.index(of: id) else { return }
        choose(spaces.list[index].id)
    }

    public mutating func choose(_ space: SpaceID) {
        if let current = spaces.current { makeLast(current) }
        makeLast(space)
        if spaces.current != space || spaces.isHome { spaces.bringForward(space) }
    }

    public mutating func isUsed(_ id: WindowID) {
        guard let last = spaces.list.last, !last.contains(id), !spaces.isHome, let space = spaces.front, space.contains(id) else { return }
        makeLast(space.id)
    }

    private mutating func makeLast(_ space: SpaceID) {
        guard spaces.list.last?.id != space, let index = spaces.list.firstIndex(where: { $0.id == space }) else { return }
        spaces.list.append(spaces.list.remove(at: index))
    }

    public func violations() -> [String] {
        spaces.violations()
            + spaces.list.filter { $0.windows.count != 1 }.map { "S-11: the space \($0.id.raw) shows \($0.windows.count) windows" }
    }
}
