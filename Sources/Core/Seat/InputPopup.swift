import Geometry

/// The position of an input method's popup, such as a candidate list.
public enum InputPopup {
    /// Whether the caret is plausible. Clients may send any number, and sums must not overflow.
    public static func isPlausible(x: Int32, y: Int32, width: Int32, height: Int32) -> Bool {
        let limit: Int32 = 100_000
        return (x / 2).magnitude <= UInt32(limit) && (y / 2).magnitude <= UInt32(limit) && (0...limit).contains(width)
            && (0...limit).contains(height)
    }

    /// The same for the place of the surface that has the caret: subsurfaces may be anywhere.
    public static func isPlausible(_ place: Point) -> Bool { abs(place.x) <= 1_000_000 && abs(place.y) <= 1_000_000 }

    /// The top left corner: below the caret, or above it if there is no room, and inside the window if possible. A popup larger than the
    /// room
    /// begins at its upper left corner. In the window's coordinates.
    public static func origin(of size: Size, in room: Rect, caret: Rect) -> Point {
        var x = caret.minX, y = caret.maxY
        if x + size.width > room.maxX { x = room.maxX.rounded(.towardZero) - size.width }
        if x < room.minX { x = room.minX.rounded(.towardZero) }
        if y + size.height > room.maxY {
            if caret.minY - size.height >= room.minY {
                y = caret.minY - size.height
            } else {
                // It fits on neither side, as on a watch: rather over the caret than past an edge.
                if caret.minY - room.minY > room.maxY - caret.maxY {
                    y = caret.minY - size.height
                } else {
                    y = room.maxY.rounded(.towardZero) - size.height
                }
                y = max(y, room.minY.rounded(.towardZero))
            }
        }
        return Point(x, y)
    }
}
