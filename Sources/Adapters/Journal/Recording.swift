import Geometry
import Multitasking

/// The lines of a recording, as `docs/replay.md` describes them. Every line is one JSON object.
enum Recording {
    /// Grows whenever the state or its events are written in another way: an old recording would not replay.
    static let format = 4
    /// Events between two digests of the state.
    static let stride = 200

    /// The first line.
    struct Header: Codable {
        var format = Recording.format
        /// Of the program that recorded.
        var version: String
        /// The whole state that the recording begins in, with the idiom's measures and the preferences: they may
        /// differ from version to version, and the first events may have been before it.
        var start: System
    }

    /// What can be read of the first line whatever the format is.
    struct Origin: Codable {
        struct Header: Codable {
            var format: Int
            var version: String
        }

        var mullion: Header?
    }

    /// The last line of a session that ended in order.
    struct End: Codable {
        var events: Int
        var state: JSON
    }

    /// Any line; which fields it has says what it is.
    struct Line: Codable {
        var mullion: Header?
        /// When, in nanoseconds.
        var t: Moment?
        var event: Event?
        /// Of what the event before it caused; left out if that was nothing.
        var effects: Digest?
        /// The state's digest after so many events.
        var after: Int?
        var digest: Digest?
        var end: End?
    }
}
