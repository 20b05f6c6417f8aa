import Geometry

/// One small window that floats above everything (W-06).
public struct PictureInPicture: Hashable, Codable, Sendable {
    public var window: WindowID
    public var corner: Corner
    /// The width that the user chose, in points. `Workspace.pipFrame` limits it to the screen, so that the choice
    /// survives a rotation.
    public var width: Double
    /// Width over height.
    public var aspect: Double
    /// The edge past which it was pushed. A tab stays visible.
    public var stashed: Side?

    public init(window: WindowID, corner: Corner, width: Double, aspect: Double) {
        self.window = window
        self.corner = corner
        self.width = width
        self.aspect = aspect
    }
}
