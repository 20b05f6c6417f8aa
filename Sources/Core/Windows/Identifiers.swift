import Geometry

/// Identifies a window. Never reused while the shell runs.
public struct WindowID: Hashable, Comparable, Sendable {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: WindowID, b: WindowID) -> Bool { a.raw < b.raw }

    /// Windows are looked up by their number dozens of times in one event, and the standard hash costs more than the rest of a
    /// lookup. It protects from keys that an attacker chooses, but the shell counts these itself.
    public func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: UInt64(raw) &* 0x9e37_79b9_7f4a_7c15 >> 24) ^ seed }
}

/// Identifies a space: a screenful with a full-screen window or a Split View pair.
public struct SpaceID: Hashable, Comparable, Sendable {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: SpaceID, b: SpaceID) -> Bool { a.raw < b.raw }
}

/// Identifies a launch of a program by the shell. The user asked for its window (W-19).
public struct LaunchID: Hashable, Comparable, Sendable {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: LaunchID, b: LaunchID) -> Bool { a.raw < b.raw }
}

extension WindowID: Codable, CustomStringConvertible {
    public init(from decoder: any Decoder) throws {
        raw = try decoder.singleValueContainer().decode(UInt32.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }

    public var description: String { "window \(raw)" }
}

extension SpaceID: Codable {
    public init(from decoder: any Decoder) throws {
        raw = try decoder.singleValueContainer().decode(UInt32.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }
}

extension LaunchID: Codable {
    public init(from decoder: any Decoder) throws {
        raw = try decoder.singleValueContainer().decode(UInt32.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }
}

/// An edge of the screen, a half of a Split View, or the side of Slide Over.
public enum Side: String, Hashable, Codable, Sendable, CaseIterable {
    case left, right, top, bottom

    public var opposite: Side {
        switch self {
        case .left: .right
        case .right: .left
        case .top: .bottom
        case .bottom: .top
        }
    }

    public var axis: Axis { self == .left || self == .right ? .horizontal : .vertical }

    /// Left and top come first.
    public var isFirst: Bool { self == .left || self == .top }
}

/// The axis along which the two windows of a Split View lie.
public enum Axis: String, Hashable, Codable, Sendable {
    case horizontal, vertical
}

/// A corner where Picture in Picture rests.
public enum Corner: String, Hashable, Codable, Sendable, CaseIterable {
    case topLeft, topRight, bottomLeft, bottomRight

    public init(top: Bool, left: Bool) {
        self = top ? (left ? .topLeft : .topRight) : (left ? .bottomLeft : .bottomRight)
    }

    public var isTop: Bool { self == .topLeft || self == .topRight }
    public var isLeft: Bool { self == .topLeft || self == .bottomLeft }
}
