/// One audio session: what an app says its sound is for, and whether that is heard at the moment.
public struct SessionID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// Sessions that apps declare are numbered by the adapter, from 1; those that stand for the streams of an app which
    /// declares nothing are numbered by the core, from `firstImplied`.
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static let firstImplied: UInt64 = 1 << 32

    public var isImplied: Bool { raw >= Self.firstImplied }

    public static func < (a: SessionID, b: SessionID) -> Bool { a.raw < b.raw }

    public var description: String { isImplied ? "session i\(raw - Self.firstImplied)" : "session \(raw)" }
}

/// One stream of an app in the sound server, by the server's serial number, which is never used twice.
public struct StreamID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static func < (a: StreamID, b: StreamID) -> Bool { a.raw < b.raw }

    public var description: String { "stream \(raw)" }
}

/// A media player on the session bus (MPRIS), by the bus name that it owns: `org.mpris.MediaPlayer2.mpv`.
public struct PlayerID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: String

    public init(_ raw: String) { self.raw = raw }

    public static func < (a: PlayerID, b: PlayerID) -> Bool { a.raw < b.raw }

    public var description: String { raw }
}

/// A place where sound leaves or enters, by a name that is the same after unplugging and plugging in again: the node's
/// name, with the route's name after a "#" where one node has several jacks.
public struct PortID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: String

    public init(_ raw: String) { self.raw = raw }

    public static func < (a: PortID, b: PortID) -> Bool { a.raw < b.raw }

    public var description: String { raw }
}

/// A question whose answer the adapter gives to whoever asked.
public struct ReplyID: Hashable, Codable, Sendable {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }
}

/// Who makes a sound, as far as the system can tell; not as the app says.
public struct AudioApp: Hashable, Codable, Sendable {
    /// The desktop id or the sandbox's name for the app where there is one, else the program's name.
    public var id: String
    /// The process and its ancestors, nearest first; empty when nobody knows. Windows have the same.
    public var lineage: [Int32]
    /// It runs in a sandbox, so its name is the sandbox's word.
    public var isSandboxed: Bool

    public init(id: String, lineage: [Int32] = [], isSandboxed: Bool = false) {
        self.id = id
        self.lineage = lineage
        self.isSandboxed = isSandboxed
    }
}

/// A name is written as what it is.
extension PortID {
    public init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }
}
