import Geometry
import Multitasking

/// An error in a recording, and its line.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first line is 1.
    public var line: Int
    public var what: String

    public var description: String { "line \(line): \(what)" }
}

/// Replays a recording, and compares the results with the recorded ones.
public struct Replay: Sendable {
    /// The version of the program that recorded.
    public let version: String
    /// The state after the last event.
    public private(set) var system: System
    public private(set) var events = 0
    /// Whether the recording includes the end of the session. A crash cuts it short.
    public private(set) var isComplete = false
    /// The first event, or range of events, with a different result. Events count from 1.
    public private(set) var firstDifference: Divergence?
    /// The differences between the final states: first as recorded, second as replayed.
    public private(set) var differences: [JSONDifference] = []

    public struct Divergence: Hashable, Sendable {
        public enum Kind: Hashable, Sendable { case effects, state }

        public var events: ClosedRange<Int>
        public var kind: Kind
        /// The line in the recording.
        public var line: Int
        /// The last of the events.
        public var event: Event?
    }

    public var isSame: Bool { firstDifference == nil && differences.isEmpty }

    /// Replays the recording. Throws at the first line that cannot be parsed.
    public init(of bytes: some Sequence<UInt8>) throws(RecordingError) {
        let text = Array(bytes)
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let nothing = RecordingError(line: 1, what: "this is no recording: it has to begin with a \"mullion\" object")
        guard let first = lines.first, !first.isEmpty else { throw nothing }
        // Check the format first, because the rest of a line in another format cannot be parsed.
        if let origin: Recording.Origin = try? Replay.read(first, number: 1), let old = origin.mullion, old.format != Recording.format {
            throw RecordingError(
                line: 1,
                what: "version \(old.version) made this recording in format \(old.format); this program reads format \(Recording.format)")
        }
        let line: Recording.Line = try Replay.read(first, number: 1)
        guard let header = line.mullion else { throw nothing }
        version = header.version
        system = header.start
        var run = Run()
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            // A crash may have truncated the last line.
            let isLast = index == lines.count - 1
            let content: Recording.Line
            do {
                content = try Replay.read(line, number: index + 1)
            } catch {
                if isLast { break }
                throw error
            }
            guard !isComplete else { throw RecordingError(line: index + 1, what: "the recording continues after its end") }
            try take(content, number: index + 1, &run)
        }
    }

    /// The state of the replay after the previous event.
    private struct Run {
        var effects: [Effect] = []
        var event: Event?
        var line = 1
        /// Whether the effects of the previous event were compared.
        var isChecked = true
        var lastDigest = 0
    }

    private static func read<Line: Decodable>(_ line: ArraySlice<UInt8>, number: Int) throws(RecordingError) -> Line {
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: line) } catch {
            throw RecordingError(line: number, what: "this is not JSON: \(error)")
        }
        do {
            return try json.decoded()
        } catch {
            let mistake = JSONMistake(error)
            throw RecordingError(line: number, what: mistake.map { "\($0.place): \($0.what)" } ?? "\(error)")
        }
    }

    private mutating func take(_ line: Recording.Line, number: Int, _ run: inout Run) throws(RecordingError) {
        if let event = line.event {
            guard let moment = line.t else { throw RecordingError(line: number, what: "t: the event has no time") }
            checkNoEffects(run)
            run.effects = system.handle(event, at: moment)
            events += 1
            run.event = event
            run.line = number
            run.isChecked = false
        } else if let recorded = line.effects {
            guard events > 0, !run.isChecked else {
                throw RecordingError(line: number, what: "effects: there is no event before them")
            }
            run.isChecked = true
            if try digest(run.effects, number) != recorded { diverge(events...events, .effects, run) }
        } else if let recorded = line.digest, let after = line.after {
            checkNoEffects(run)
            run.isChecked = true
            guard after == events else {
                throw RecordingError(line: number, what: "after: the line says \(after) events, but there are \(events) before it")
            }
            if try digest(system, number) != recorded { diverge((run.lastDigest + 1)...max(events, run.lastDigest + 1), .state, run) }
            run.lastDigest = events
        } else if let end = line.end {
            checkNoEffects(run)
            guard end.events == events else {
                throw RecordingError(line: number, what: "end: the line says \(end.events) events, but there are \(events) before it")
            }
            isComplete = true
            let state: JSON
            do { state = try JSON(encoding: system) } catch { throw RecordingError(line: number, what: "\(error)") }
            differences = end.state.differences(from: state)
            if !differences.isEmpty {
                let first = min(run.lastDigest + 1, max(events, 1))
                diverge(first...max(events, first), .state, run)
            }
        } else {
            throw RecordingError(line: number, what: "this is neither an event, effects, a digest nor an end")
        }
    }

    /// An event without a line of effects had none.
    private mutating func checkNoEffects(_ run: Run) {
        if !run.isChecked, !run.effects.isEmpty { diverge(events...events, .effects, run) }
    }

    private func digest(_ value: some Encodable, _ number: Int) throws(RecordingError) -> Digest {
        do { return try Digest(of: value) } catch { throw RecordingError(line: number, what: "\(error)") }
    }

    private mutating func diverge(_ events: ClosedRange<Int>, _ kind: Divergence.Kind, _ run: Run) {
        guard firstDifference == nil else { return }
        firstDifference = Divergence(events: events, kind: kind, line: run.line, event: run.event)
    }

    // MARK: Summary

    /// A summary for the user: the replayed events and the differences.
    public var summary: String {
        var lines = ["\(events) events, recorded by version \(version)\(isComplete ? "" : ", cut short: the session did not end in order")"]
        if let first = firstDifference {
            let which =
                first.events.count == 1
                ? "event \(first.events.lowerBound)" : "events \(first.events.lowerBound) to \(first.events.upperBound)"
            lines.append("\(first.kind == .effects ? "what happened" : "the state") differs first at \(which), line \(first.line)")
            if first.events.count == 1, let event = first.event, let json = try? JSON(encoding: event) {
                lines.append("  \(json.text())")
            }
        }
        for difference in differences.prefix(50) {
            lines.append(
                "\(difference.path): recorded \(difference.first?.text() ?? "nothing"), replayed \(difference.second?.text() ?? "nothing")")
        }
        if differences.count > 50 { lines.append("and \(differences.count - 50) more") }
        if isSame { lines.append(isComplete ? "the same state" : "the same as far as it goes") }
        return lines.joined(separator: "\n")
    }
}
