/// An audio session: an app's declaration about its sound, and whether it is audible now.
public struct SessionID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The adapter numbers declared sessions from 1. The core numbers implied sessions, which stand for the streams
    /// of apps that declare nothing, from `firstImplied`.
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static let firstImplied: UInt64 = 1 << 32

    public var isImplied: Bool { raw >= Self.firstImplied }

    public static func < (a: SessionID, b: SessionID) -> Bool { a.raw < b.raw }

    public var description: String { isImplied ? "session i\(raw - Self.firstImplied)" : "session \(raw)" }
}

/// A stream of an app in the sound server, by the server's serial, which is never reused.
public struct StreamID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static func < (a: StreamID, b: StreamID) -> Bool { a.raw < b.raw }

    public var description: String { "stream \(raw)" }
}

/// A media player on the session bus (MPRIS), by its bus name: `org.mpris.MediaPlayer2.mpv`.
public struct PlayerID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: String

    public init(_ raw: String) { self.raw = raw }

    public static func < (a: PlayerID, b: PlayerID) -> Bool { a.raw < b.raw }

    public var description: String { raw }
}

/// An output or input, by a name that stays the same when it is unplugged and plugged in again: the node's name, plus
/// "#" and the route's name if the node has several jacks.
public struct PortID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: String

    public init(_ raw: String) { self.raw = raw }

    public static func < (a: PortID, b: PortID) -> Bool { a.raw < b.raw }

    public var description: String { raw }
}

/// A request whose answer the adapter delivers.
public struct ReplyID: Hashable, Codable, Sendable {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }
}

/// The app that makes a sound, as identified by the system rather than by the app itself.
public struct AudioApp: Hashable, Codable, Sendable {
    /// The desktop id or the sandbox's name for the app, else the program's name.
    public var id: String
    /// The process and its ancestors, nearest first; empty if unknown. Windows have the same lineage.
    public var lineage: [Int32]
    /// Whether it runs in a sandbox, so that its name comes from the sandbox.
    public var isSandboxed: Bool

    public init(id: String, lineage: [Int32] = [], isSandboxed: Bool = false) {
        self.id = id
        self.lineage = lineage
        self.isSandboxed = isSandboxed
    }
}

/// Encodes a name as a plain string.
extension PortID {
    public init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }
}
