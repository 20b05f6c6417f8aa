import Geometry

/// A border of a freely stacked window that a person drags. The dragged border is where the finger or the pointer is, and the last picture
/// fills the frame until the window answers (law 4, W-25).
struct LiveResize: Hashable, Codable, Sendable {
    let window: WindowID
    /// The place of the content that the window was last asked to fill, on the screen.
    var frame: Rect
}

extension Workspace {
    /// The window that a person resizes, or whose last answer is still to come.
    public var resizedWindow: WindowID? { arrangement.free?.resize?.window }

    /// Ends a resize that a person no longer holds, when the window has answered. A window that chose another size, such as a terminal of
    /// whole lines, keeps that size from then on, so that its configured size and its place are the same.
    ///
    /// - Parameter held: the window whose border a person holds.
    public mutating func followResize(held: WindowID?) {
        guard let resize = arrangement.free?.resize, resize.window != held else { return }
        guard let window = windows[resize.window], window.isMapped, !window.isSuspended, let told = window.lastConfigure else {
            return arrangement.free!.resize = nil
        }
        // The last size is sent after this event.
        guard !window.isAwaited, arrangement.free!.frames[resize.window]?.size == told.frame.size || window.isLate else { return }
        arrangement.free!.resize = nil
        guard !window.isLate, !window.commit.size.isEmpty, window.commit.size != told.frame.size else { return }
        arrangement.free!.frames[resize.window]?.size = window.commit.size
    }
}
