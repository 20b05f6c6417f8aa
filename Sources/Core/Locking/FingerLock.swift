import Geometry
import Rooms

/// The words of the fingerprint reader, as fprintd says them.
public enum FingerEvent: Hashable, Codable, Sendable {
    /// It waits for a finger, because the person has taught it one.
    case ready
    /// There is no reader, or it knows no finger of the person.
    case absent
    /// Another program has it.
    case busy
    case match, noMatch
    /// The finger was too fast, or beside the reader.
    case unclear
    /// The reading failed, for this reason.
    case failed(String)
}

/// The fingerprint reader while the session is locked. A finger that it knows stands for the password.
public struct FingerLock: Room {
    /// Whether it waits for a finger, as a person reads it.
    public private(set) var isReady = false
    public private(set) var hint: Hint?
    /// Fingers that it did not know, one after the other.
    private var misses = 0
    private var failures = 0
    private var isWanted = false
    private var isReading = false
    private var due: Moment?

    public enum Hint: String, Hashable, Codable, Sendable {
        case again, wrong
        /// Too many wrong fingers: the password is needed.
        case over
    }

    /// From so many wrong fingers on, only the password opens the session.
    public static let most = 5
    /// Seconds until a reader that failed, or that another program has, is asked again; and how often.
    static let pause = 3.0, mostFailures = 5

    public init() {}

    public enum Event: Hashable, Sendable {
        /// The session is locked, and the screen is lit.
        case wanted(Bool)
        /// The session is open.
        case ends
        case reader(FingerEvent)
        case timeIsUp
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        /// Wait for a finger.
        case read
        /// Leave the reader to others.
        case stop
        /// The person is the right one, as far as a finger says.
        case matches
        case log(String)
        case timer(Moment?)
    }

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        let before = self
        var out = take(event, at: now)
        if isReady != before.isReady || hint != before.hint { out.append(.changed) }
        if due != before.due { out.append(.timer(due)) }
        return out
    }

    private mutating func take(_ event: Event, at now: Moment) -> [Outcome] {
        switch event {
        case .wanted(let wanted):
            guard wanted != isWanted else { return [] }
            isWanted = wanted
            failures = 0
            guard wanted else { return stop() }
            return misses < Self.most ? read() : []
        case .ends:
            let out = stop()
            self = FingerLock()
            return out
        case .timeIsUp:
            due = nil
            return isWanted && !isReading ? read() : []
        case .reader(let event):
            guard isReading else { return [] }
            return hear(event, at: now)
        }
    }

    private mutating func hear(_ event: FingerEvent, at now: Moment) -> [Outcome] {
        switch event {
        case .ready:
            isReady = true
            return []
        case .absent:
            (isReading, isReady) = (false, false)
            return [.stop]
        case .busy: return tryLater(at: now)
        case .match:
            hint = nil
            return stop() + [.matches]
        case .unclear:
            hint = .again
            return [.read]
        case .noMatch:
            misses += 1
            hint = misses < Self.most ? .wrong : .over
            return misses < Self.most ? [.read] : stop()
        case .failed(let reason): return [.log(reason)] + tryLater(at: now)
        }
    }

    private mutating func tryLater(at now: Moment) -> [Outcome] {
        (isReading, isReady) = (false, false)
        failures += 1
        if failures < Self.mostFailures { due = now + Self.pause }
        return [.stop]
    }

    private mutating func read() -> [Outcome] {
        isReading = true
        return [.read]
    }

    private mutating func stop() -> [Outcome] {
        due = nil
        defer { (isReading, isReady) = (false, false) }
        return isReading ? [.stop] : []
    }

    public func violations(in context: Void) -> [String] {
        var found: [String] = []
        if isReady, !isReading { found.append("X-10: a reader waits for a finger, and is not read") }
        if isReading, misses >= Self.most { found.append("X-10: a finger counts after too many wrong ones") }
        if isReading, !isWanted { found.append("X-10: fingers are read, and nothing is locked") }
        return found
    }
}
