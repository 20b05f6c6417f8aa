import Geometry

/// The place, size and tile that a person chose for a freely stacked window.
public struct FreeFrame: Hashable, Codable, Sendable {
    /// The position of its top left on the screen, or that of its main surface, if only that is stable
    /// (`WindowCommit.offset`); nil: it was not placed yet.
    public var origin: Point?
    /// The size that a person gave it; nil: it chooses.
    public var size: Size?
    /// The sides that stayed when its left or upper border was dragged: its content ends there, however large it is.
    var right: Double?
    var bottom: Double?
    /// The part of the area for windows that it fills.
    public var tile: Tile?

    public init() {}

    /// The rectangle of its content.
    func content(of commit: WindowCommit, bar: Double, in room: Rect) -> Rect {
        if commit.wantsFullscreen { return room }
        if let tile { return tile.frame(in: room).inset(by: Insets(bar, 0, 0, 0)) }
        var origin = (origin ?? Point(room.x, room.y + bar)) + (commit.offset ?? .zero)
        if let right { origin.x = right - commit.size.width }
        if let bottom { origin.y = bottom - commit.size.height }
        return Rect(origin: origin, size: commit.size)
    }
}

/// A part of the area for windows.
public enum Tile: String, CaseIterable, Hashable, Codable, Sendable {
    case whole, left, right
    case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"

    public func frame(in room: Rect) -> Rect {
        let half = (room.width / 2).rounded(), low = (room.height / 2).rounded()
        let isRight = self == .right || self == .topRight || self == .bottomRight
        let isLow = self == .bottomLeft || self == .bottomRight
        let isHalf = self == .left || self == .right
        if self == .whole { return room }
        return Rect(
            isRight ? room.x + half : room.x, isLow ? room.y + low : room.y, isRight ? room.width - half : half,
            isHalf ? room.height : isLow ? room.height - low : low)
    }
}

/// Borders of a window that a person drags together.
public struct Border: Hashable, Codable, Sendable {
    /// -1 the left one, 1 the right one, 0 neither.
    public var x: Int
    /// -1 the upper one, 1 the lower one, 0 neither.
    public var y: Int

    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}
