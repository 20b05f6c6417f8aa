/// A screen that is a disc (S-11). Shares are of the screen's side.
public struct RoundMeasures: Hashable, Codable, Sendable {
    /// The share that each side loses so that a square stands inside the circle.
    public var inset = 0.1464
    /// How small and how pale an icon at the edge of the circle is, and from which share of the radius on it changes.
    public var smallest = 0.6
    public var palest = 0.35
    public var begins = 0.6

    public init() {}

    /// The size of an icon at this share of the radius, as a share of its own.
    public func scale(at share: Double) -> Double { 1 - (1 - smallest) * depth(at: share) }
    public func opacity(at share: Double) -> Double { 1 - (1 - palest) * depth(at: share) }

    private func depth(at share: Double) -> Double { max(0, min(1, (share - begins) / max(0.01, 1 - begins))) }
}

/// How a device is held, in the words of a sensor (iio-sensor-proxy).
public enum Posture: String, Hashable, Codable, Sendable, CaseIterable {
    /// Upright, or on one of its sides.
    case normal, leftUp = "left-up", rightUp = "right-up"
    /// The screen faces the person, the sky, or away from both.
    case tiltedUp = "tilted-up", faceUp = "face-up", tiltedDown = "tilted-down", faceDown = "face-down"

    /// Combines the sensor's two words. The tilt says more; where its word is none of these (`vertical`, `undefined`), the orientation
    /// counts. nil: neither word is known.
    public init?(tilt: String?, orientation: String?) {
        guard let known = [tilt, orientation].lazy.compactMap({ $0.flatMap(Posture.init(rawValue:)) }).first else { return nil }
        self = known
    }

    /// Whether the wrist that wears it is raised: an arm that hangs down turns one side of the screen up.
    public var isWristRaised: Bool {
        switch self {
        case .normal, .tiltedUp, .faceUp: true
        case .leftUp, .rightUp, .tiltedDown, .faceDown: false
        }
    }
}

/// A device on a wrist, which a person lowers.
public struct WristRules: Hashable, Codable, Sendable {
    /// How pale the icon of the app in front is on the screen of a lowered wrist. Nothing else is seen, so that nothing private is.
    public var paleness = 0.4

    public init() {}
}
