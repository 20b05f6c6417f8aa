import Geometry

/// Everything that programs do and that is counted by time.
public enum Rate: String, Hashable, Codable, Sendable, CaseIterable {
    /// Calls of the notification services, of `org.mullion.Life1` and its neighbours, and of the audio services.
    case noticeCalls, lifeCalls, audioCalls
    /// Short sounds (`PlaySystemSound`), and events of `org.sigxcpu.Feedback`: a key is two.
    case systemSounds, feedback
}

/// How often one owner may do something.
public struct Pace: Hashable, Sendable {
    /// How many in a row.
    public var burst: Double
    /// How many in a second afterwards.
    public var perSecond: Double
    /// The same for all owners together but for nameless sandboxes; nil: no limit. It does not hold up an owner that was quiet lately.
    public var all: Double?

    public init(burst: Double, perSecond: Double, all: Double? = nil) {
        self.burst = burst
        self.perSecond = perSecond
        self.all = all
    }
}

extension Rate {
    public var pace: Pace {
        switch self {
        case .noticeCalls, .audioCalls: Pace(burst: 200, perSecond: 50)
        case .lifeCalls: Pace(burst: 400, perSecond: 100)
        case .systemSounds: Pace(burst: 10, perSecond: 10, all: 20)
        case .feedback: Pace(burst: 60, perSecond: 60, all: 80)
        }
    }
}

/// The calls that owners may still make now. Each owner has a pace of its own, so one owner does not hold up another.
public struct Rates: Hashable, Sendable {
    private struct Left: Hashable, Sendable {
        var count: Double
        var since: Moment

        mutating func fill(_ burst: Double, _ perSecond: Double, at now: Moment) {
            count = min(burst, count + max(0, now - since) * perSecond)
            since = now
        }
    }

    private var lefts: [Rate: [Owner: Left]] = [:]
    private var together: [Rate: Left] = [:]
    /// Owners that are remembered for each rate.
    private static let most = 256

    public init() {}

    /// Whether the owner may do it once more now.
    public mutating func take(_ rate: Rate, for owner: Owner, at now: Moment) -> Bool {
        let pace = rate.pace
        var own = lefts[rate]?[owner] ?? Left(count: pace.burst, since: now)
        own.fill(pace.burst, pace.perSecond, at: now)
        let wasQuiet = own.count > pace.burst * 0.75
        var isAllowed = own.count >= 1
        if isAllowed, owner != .nameless, let all = pace.all {
            var both = together[rate] ?? Left(count: all, since: now)
            both.fill(all, all, at: now)
            isAllowed = both.count >= 1 || wasQuiet
            if isAllowed { both.count = max(0, both.count - 1) }
            together[rate] = both
        }
        if isAllowed { own.count -= 1 }
        lefts[rate, default: [:]][owner] = own
        if lefts[rate]!.count > Self.most { forget(rate, pace, at: now) }
        return isAllowed
    }

    /// Forgets owners that have their whole burst again. If all are busy, it forgets the one that may do the most.
    private mutating func forget(_ rate: Rate, _ pace: Pace, at now: Moment) {
        func left(_ one: Left) -> Double { one.count + max(0, now - one.since) * pace.perSecond }
        lefts[rate] = lefts[rate]!.filter { left($0.value) < pace.burst }
        while lefts[rate]!.count > Self.most, let free = lefts[rate]!.max(by: { (left($0.value), $0.key) < (left($1.value), $1.key) })?.key
        {
            lefts[rate]![free] = nil
        }
    }
}
