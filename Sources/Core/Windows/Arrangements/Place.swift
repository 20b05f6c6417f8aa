import Geometry

/// The place of a window in the arrangement.
public enum Place: Hashable, Codable, Sendable {
    case full(SpaceID)
    case split(SpaceID, Side)
    /// Among freely stacked windows.
    case free(SpaceID)
    /// Put away by its own control, until a person asks for it.
    case minimized
    /// The position from the front.
    case slideOver(Int)
    case pictureInPicture
    /// Belongs to its parent and is centred on it.
    case dialog(of: WindowID)
    /// Opened without being asked for. Hidden until the user opens it (W-19).
    case waiting
    /// Not mapped by its client.
    case unmapped
}

/// Where the user wants a window.
public enum Destination: Hashable, Codable, Sendable {
    case fullScreen
    case splitView(Side)
    case slideOver
    case pictureInPicture

    /// The place that an idiom must offer for it.
    public var kind: Places {
        switch self {
        case .fullScreen: .fullScreen
        case .splitView: .splitView
        case .slideOver: .slideOver
        case .pictureInPicture: .pictureInPicture
        }
    }
}

/// Why an action of the user is not possible. Shown as it is.
public struct Refusal: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
