import Geometry

/// Where a popup of an input method stands, such as a list of candidates.
public enum InputPopup {
    /// Clients say any number of their caret: far beyond a screen it means nothing, and sums must not overflow.
    public static func isPlausible(x: Int32, y: Int32, width: Int32, height: Int32) -> Bool {
        let limit: Int32 = 100_000
        return (x / 2).magnitude <= UInt32(limit) && (y / 2).magnitude <= UInt32(limit) && (0...limit).contains(width) && (0...limit).contains(height)
    }

    /// The upper left corner: below the caret, above it if there is no room, and never over an edge if that can be helped.
    /// All in the window's coordinates.
    public static func origin(of size: Size, in room: Rect, caret: Rect) -> Point {
        var x = caret.minX, y = caret.maxY
        if x + size.width > room.maxX { x = room.maxX.rounded(.towardZero) - size.width }
        if x < room.minX { x = room.minX.rounded(.towardZero) }
        if y + size.height > room.maxY, caret.minY - size.height >= room.minY { y = caret.minY - size.height }
        return Point(x, y)
    }
}
