import Geometry
import Multitasking

/// The lines of a recording, as described in `docs/replay.md`. Each line is a JSON object.
enum Recording {
    /// Incremented whenever the encoding of the state or its events changes, because old recordings would not replay.
    static let format = 27
    /// Events between two digests of the state.
    static let stride = 200

    /// The first line.
    struct Header: Codable {
        var format = Recording.format
        /// The version of the program that recorded.
        var version: String
        /// The whole state at the start of the recording, including the idiom's measures and the preferences. They
        /// may differ between versions, and events may have happened before the recording.
        var start: System
    }

    /// The part of the first line that can be read in any format.
    struct Origin: Codable {
        struct Header: Codable {
            var format: Int
            var version: String
        }

        var mullion: Header?
    }

    /// The last line of a session that ended properly.
    struct End: Codable {
        var events: Int
        var state: JSON
    }

    /// Any line. Its fields determine its kind.
    struct Line: Codable {
        var mullion: Header?
        /// The time in nanoseconds.
        var t: Moment?
        var event: Event?
        /// The digest of the previous event's effects; left out if there were none.
        var effects: Digest?
        /// The digest of the state after this many events.
        var after: Int?
        var digest: Digest?
        var end: End?
    }
}
