import Geometry

/// The screen of the shell, in logical points after rotation.
public struct Screen: Hashable, Codable, Sendable {
    public var size: Size
    /// Pixels per point.
    public var scale: Double
    /// The exclusive zones of panels (layer-shell).
    public var reserved: Insets
    /// Counter-clockwise quarter turns from upright, 0 to 3; nil while no adapter has reported them.
    public var turns: Int?

    public init(size: Size, scale: Double = 1, reserved: Insets = .zero, turns: Int? = nil) {
        self.size = size
        self.scale = scale
        self.reserved = reserved
        self.turns = turns
    }

    /// The quarter turns after "Rotate Screen": from upright to the side, and back.
    public var turned: Int { (turns ?? 0) ^ 1 }

    public var bounds: Rect { Rect(origin: .zero, size: size) }
    /// The area for windows.
    public var usable: Rect { bounds.inset(by: reserved) }
    public var shorterSide: Double { min(size.width, size.height) }
}
