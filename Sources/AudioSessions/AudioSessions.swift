import Geometry
import OrderedCollections

/// Who sounds, how loud and where: every rule of audio as one value. An event goes in, the state changes, a list of
/// effects comes out; it touches no sound server and reads no clock.
public struct AudioSessions: Hashable, Codable, Sendable {
    public init() {}

    /// What people see of it.
    public var summary: AudioSummary { AudioSummary() }

    public mutating func handle(_ event: AudioEvent, at now: Moment) -> [AudioEffect] { [] }
}
