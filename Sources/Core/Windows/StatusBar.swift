import Geometry
import Idioms

/// The strip of the status bar at the upper edge. It takes no room from a window that fills the screen by its own request, and hides
/// with it.
extension Workspace {
    /// The status bar, while it is in sight; nil otherwise.
    public var statusBar: Rect? { hidesStatus ? nil : screen?.statusBar }

    /// The height that it takes in the idiom, for text of this size; 0: there is none.
    public func statusHeight(textScale: Double) -> Double {
        guard idiom.status.place == .bar else { return 0 }
        return idiom.status.height + (16 * max(1, textScale) - 16).rounded()
    }

    public mutating func setStatus(height: Double) { if screen?.status != height { screen?.status = height } }

    /// Whether a window in front fills the screen.
    public var hidesStatus: Bool {
        guard !showsHome, case .full(let window)? = currentSpace?.content else { return false }
        return fillsScreen(window)
    }

    func fillsScreen(_ id: WindowID) -> Bool { arrangement.kind != .free && read(id) { $0.commit.wantsFullscreen } ?? false }
}
