import Geometry

/// The programs that share the screen (S-07): those that take picture after picture of it. A single picture is no sharing.
///
/// It belongs to no room, because pictures come sixty times a second. The code that serves them keeps it, and reports only beginnings and
/// ends of sharing.
public struct ScreenCaptures: Hashable, Sendable {
    /// So many pictures of the same output within `span` are a sharing.
    static let least = 3, span = 3.0
    /// A picture that a program has been waiting for this long, in seconds, is a part of a sharing: a single one comes at once.
    static let patience = 1.0
    /// A sharing ends when its program has taken no picture for this long, in seconds, and waits for none.
    static let rest = 2.0
    /// Seconds between two calls of `look` while any program is watched.
    public static let pause = 1.0

    public enum Change: Hashable, Sendable {
        case begins(client: UInt64)
        case ends(client: UInt64)
    }

    private struct Program: Hashable, Sendable {
        /// By output, the newest ones.
        var times: [UInt64: [Moment]] = [:]
        var last: Moment
        var shares = false
    }

    private var programs: [UInt64: Program] = [:]

    public init() {}

    /// Whether `look` has to be called.
    public var isWatching: Bool { !programs.isEmpty }

    /// Whether any program is watched for which this does not hold.
    public func isWatching(except isOwn: (UInt64) -> Bool) -> Bool { programs.keys.contains { !isOwn($0) } }

    /// A program asks for a picture of an output.
    public mutating func asked(_ client: UInt64, output: UInt64, at now: Moment) -> Change? {
        var program = programs[client] ?? Program(last: now)
        program.last = now
        defer { programs[client] = program }
        guard !program.shares else { return nil }
        let times = ((program.times[output] ?? []) + [now]).suffix(Self.least)
        program.times[output] = Array(times)
        guard times.count == Self.least, now - times.first! <= Self.span else { return nil }
        return begin(&program, client)
    }

    /// - Parameter waits: whether the program still waits for a picture; false if it is gone.
    public mutating func look(at now: Moment, waits: (UInt64) -> Bool) -> [Change] {
        var changes: [Change] = []
        for (client, var program) in programs.sorted(by: { $0.key < $1.key }) {
            let age = now - program.last
            if waits(client) {
                if age >= Self.patience, !program.shares {
                    changes.append(begin(&program, client))
                    programs[client] = program
                }
            } else if age >= (program.shares ? Self.rest : Self.span) {
                programs[client] = nil
                if program.shares { changes.append(.ends(client: client)) }
            }
        }
        return changes
    }

    private func begin(_ program: inout Program, _ client: UInt64) -> Change {
        program.shares = true
        program.times = [:]
        return .begins(client: client)
    }
}

/// A program begins or ends to share the screen.
public enum CaptureEvent: Hashable, Codable, Sendable {
    /// `isOwnView`: it is the shell's own remote view.
    case begins(client: UInt64, isOwnView: Bool)
    case ends(client: UInt64)
    /// Whether any program takes pictures, also a single one, or has done so in the last seconds.
    case pictures(Bool)
}
