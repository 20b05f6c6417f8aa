import Geometry

/// The stack of windows that floats over the spaces (W-01 to W-03, W-05).
public struct SlideOver: Hashable, Codable, Sendable {
    /// Front first.
    public var stack: [WindowID] = []
    public var side: Side = .right
    /// Pushed past the edge. A handle stays visible (W-02).
    public var isHidden = false

    public init() {}

    public var front: WindowID? { stack.first }
}
