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
    /// The part that it filled before it filled the whole screen, and fills again afterwards.
    var tileAfterFull: Tile?
    /// Whether a person moved a part of it beyond an edge. Otherwise all of it stays in the area, whatever becomes of the screen.
    var isPartlyOut = false
    /// Its depth behind the screen, in points (V-01); 0 where the idiom has no depths.
    public var depth = 0.0

    public init() {}

    mutating func fill(_ next: Tile?) {
        tileAfterFull = next != .full ? nil : tile == .full ? tileAfterFull : tile
        tile = next
    }

    /// The rectangle of its content.
    ///
    /// - Parameters:
    ///   - room: the area for windows beside menu bar and dock.
    ///   - whole: the area with both.
    ///   - stays: whether it is kept where a person gets hold of it.
    func content(of commit: WindowCommit, bar: Double, in room: Rect, whole: Rect, stays: Bool) -> Rect {
        if commit.wantsFullscreen || tile == .full { return whole }
        if let tile { return tile.frame(in: room).inset(by: Insets(bar, 0, 0, 0)) }
        var origin = (origin ?? Point(room.x, room.y + bar)) + (commit.offset ?? .zero)
        if let right { origin.x = right - commit.size.width }
        if let bottom { origin.y = bottom - commit.size.height }
        let frame = Rect(origin: origin, size: commit.size)
        guard stays else { return frame }
        return isPartlyOut ? FreeFrame.reachable(frame, bar: bar, in: room, whole: whole) : FreeFrame.inside(frame, bar: bar, room)
    }

    /// Where a window may stand: its title bar, or the top of its own, stays where a person gets hold of it.
    static func reachable(_ frame: Rect, bar: Double, in room: Rect, whole: Rect) -> Rect {
        let hold = min(80, frame.width)
        var frame = frame
        frame.x = max(whole.minX + hold - frame.width, min(whole.maxX - hold, frame.x))
        frame.y = max(room.minY + bar, min(max(room.minY + bar, room.maxY - 24), frame.y))
        return frame
    }

    /// The same with all of it in the area, or its upper left corner if it is too large.
    static func inside(_ frame: Rect, bar: Double, _ room: Rect) -> Rect {
        var frame = frame
        frame.x = max(room.minX, min(room.maxX - frame.width, frame.x))
        frame.y = max(room.minY + bar, min(room.maxY - frame.height, frame.y))
        return frame
    }
}

/// A part of the area for windows.
public enum Tile: String, CaseIterable, Hashable, Codable, Sendable {
    case whole, left, right
    case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"
    /// The whole screen, without title bar, menu bar and dock.
    case full = "full-screen"

    public func frame(in room: Rect) -> Rect {
        let half = (room.width / 2).rounded(), low = (room.height / 2).rounded()
        let isRight = self == .right || self == .topRight || self == .bottomRight
        let isLow = self == .bottomLeft || self == .bottomRight
        let isHalf = self == .left || self == .right
        if self == .whole || self == .full { return room }
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

extension Border {
    /// Edges as in xdg_toplevel.resize_edge: 1 top, 2 bottom, 4 left, 8 right; nil if they are none, or contradict each other.
    public init?(edges: Int32) {
        let x = (edges & 4 != 0 ? -1 : 0) + (edges & 8 != 0 ? 1 : 0), y = (edges & 1 != 0 ? -1 : 0) + (edges & 2 != 0 ? 1 : 0)
        guard x != 0 || y != 0 else { return nil }
        self.init(x: x, y: y)
    }
}
