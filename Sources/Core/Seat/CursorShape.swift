/// A cursor that a client selects by name (cursor-shape-v1).
///
/// Themes have the names of CSS, of X11, or both.
public struct CursorShape: Hashable, Sendable {
    public let name: String
    /// The name in a theme without CSS names.
    public let x11: String

    public init(name: String, x11: String) {
        self.name = name
        self.x11 = x11
    }

    /// The shape of a number in the protocol.
    /// - Parameter version: the version that the client bound. Each version adds shapes.
    /// - Returns: nil if this version has no such shape.
    public static func of(number: UInt32, version: Int) -> CursorShape? {
        let count = version >= 2 ? all.count : firstVersion
        guard number >= 1, number <= count else { return nil }
        return all[Int(number) - 1]
    }

    /// Used where no client sets a cursor.
    public static let standard = CursorShape(name: "default", x11: "left_ptr")

    /// Used during drags.
    public static let grabbing = CursorShape(name: "grabbing", x11: "fleur")

    /// The number of shapes in version 1 of the protocol.
    private static let firstVersion = 34

    /// In the order of the protocol, which counts from 1.
    private static let all = [
        standard,
        CursorShape(name: "context-menu", x11: "left_ptr"),
        CursorShape(name: "help", x11: "question_arrow"),
        CursorShape(name: "pointer", x11: "hand1"),
        CursorShape(name: "progress", x11: "left_ptr_watch"),
        CursorShape(name: "wait", x11: "watch"),
        CursorShape(name: "cell", x11: "plus"),
        CursorShape(name: "crosshair", x11: "cross"),
        CursorShape(name: "text", x11: "xterm"),
        CursorShape(name: "vertical-text", x11: "xterm"),
        CursorShape(name: "alias", x11: "dnd-link"),
        CursorShape(name: "copy", x11: "dnd-copy"),
        CursorShape(name: "move", x11: "dnd-move"),
        CursorShape(name: "no-drop", x11: "dnd-none"),
        CursorShape(name: "not-allowed", x11: "crossed_circle"),
        CursorShape(name: "grab", x11: "hand1"),
        grabbing,
        CursorShape(name: "e-resize", x11: "right_side"),
        CursorShape(name: "n-resize", x11: "top_side"),
        CursorShape(name: "ne-resize", x11: "top_right_corner"),
        CursorShape(name: "nw-resize", x11: "top_left_corner"),
        CursorShape(name: "s-resize", x11: "bottom_side"),
        CursorShape(name: "se-resize", x11: "bottom_right_corner"),
        CursorShape(name: "sw-resize", x11: "bottom_left_corner"),
        CursorShape(name: "w-resize", x11: "left_side"),
        CursorShape(name: "ew-resize", x11: "sb_h_double_arrow"),
        CursorShape(name: "ns-resize", x11: "sb_v_double_arrow"),
        CursorShape(name: "nesw-resize", x11: "fd_double_arrow"),
        CursorShape(name: "nwse-resize", x11: "bd_double_arrow"),
        CursorShape(name: "col-resize", x11: "sb_h_double_arrow"),
        CursorShape(name: "row-resize", x11: "sb_v_double_arrow"),
        CursorShape(name: "all-scroll", x11: "fleur"),
        CursorShape(name: "zoom-in", x11: "left_ptr"),
        CursorShape(name: "zoom-out", x11: "left_ptr"),
        // Added in version 2.
        CursorShape(name: "dnd-ask", x11: "left_ptr"),
        CursorShape(name: "all-resize", x11: "fleur"),
    ]
}
