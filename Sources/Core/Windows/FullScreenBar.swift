import Geometry

/// A window in full screen covers the menu bar. The upper edge brings the bar over it, so that a finger or a pointer alone finds the way
/// out (P-04).
extension Workspace {
    /// The freely stacked window that covers the screen with menu bar and dock: the active one, or the one in front. nil: none does.
    public var fullScreenInFront: WindowID? {
        guard arrangement.kind == .free, !isHome, let front = focus.map(root(of:)) ?? shownRoots.last, isFree(front) else { return nil }
        return tile(of: front) == .full || read(front) { $0.commit.wantsFullscreen } ?? false ? front : nil
    }

    /// Whether a window covers the screen. The menu bar may lie over it (`windowBelowBar`).
    public var isFullScreenInFront: Bool { fullScreenInFront != nil }

    /// The window in full screen over which the menu bar lies; nil: none.
    public var windowBelowBar: WindowID? { barOver.flatMap { $0 == fullScreenInFront ? $0 : nil } }

    /// A finger or the pointer comes to the upper edge. Returns whether that brought the menu bar.
    public mutating func bringBar() -> Bool {
        guard idiom.free.menuBar > 0, let front = fullScreenInFront, barOver != front else { return false }
        barOver = front
        return true
    }

    /// A person acts elsewhere. Returns whether that took the menu bar away.
    @discardableResult
    public mutating func takeBarAway() -> Bool {
        guard barOver != nil else { return false }
        barOver = nil
        return true
    }

    /// A window that left full screen has no bar over it when it comes back.
    public mutating func followFullScreen() { if barOver != nil, windowBelowBar == nil { barOver = nil } }
}
