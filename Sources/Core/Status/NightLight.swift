import Geometry
import Rooms

/// When and how much the screen has warmer colours.
public struct NightLightPreferences: Hashable, Codable, Sendable {
    /// It comes and goes by the clock.
    public var isScheduled = false
    /// Hours of the day. The same hour twice is the whole day.
    public var from = 22.0, to = 7.0
    /// From 0, hardly warmer, to 1.
    public var warmth = 0.5

    public init() {}

    /// The values that a person can give one by one.
    public enum Part: Hashable, Codable, Sendable {
        case schedule(Bool)
        case from(Double)
        case to(Double)
        case warmth(Double)

        /// Choices are kept by it, so it never changes.
        public var key: String {
            switch self {
            case .schedule: "night-light-schedule"
            case .from: "night-light-from"
            case .to: "night-light-to"
            case .warmth: "night-light-warmth"
            }
        }

        public var isPossible: Bool {
            switch self {
            case .schedule: true
            case .from(let hour), .to(let hour): (0...24).contains(hour)
            case .warmth(let warmth): (0...1).contains(warmth)
            }
        }
    }

    public mutating func set(_ part: Part) {
        switch part {
        case .schedule(let isOn): isScheduled = isOn
        case .from(let hour): from = hour
        case .to(let hour): to = hour
        case .warmth(let share): warmth = share
        }
    }

    /// Whether it is on at a time of the day by the schedule.
    func isNight(_ time: TimeOfDay) -> Bool {
        let now = Double(time.hour) + Double(time.minute) / 60, begin = from == 24 ? 0 : from, end = to == 24 ? 0 : to
        return begin == end || (begin < end ? now >= begin && now < end : now >= begin || now < end)
    }
}

/// The factors of the three colours.
public struct ColourGains: Hashable, Codable, Sendable {
    public var red = 1.0, green = 1.0, blue = 1.0

    public init() {}

    /// From 6500 K down to 2500 K, along the colours of a black body.
    init(warmth: Double) {
        let points: [(red: Double, green: Double, blue: Double)] = [
            (1, 1, 1), (1, 0.93, 0.86), (1, 0.84, 0.70), (1, 0.74, 0.51), (1, 0.61, 0.26),
        ]
        let place = max(0, min(1, warmth)) * 4, index = min(3, Int(clamping: place.rounded(.down))), part = place - Double(index)
        let low = points[index], high = points[index + 1]
        (red, green, blue) = (1, low.green + (high.green - low.green) * part, low.blue + (high.blue - low.blue) * part)
    }
}

/// Warmer colours in the evening. A person who switches it by hand decides until the schedule would next change it.
public struct NightLight: Room {
    /// Whether the screen can have other colours.
    public private(set) var isPossible = false
    private var time: TimeOfDay?
    private var byHand: Bool?
    private var wasNight: Bool?
    private var told = ColourGains()

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        /// The screen can have other colours, or cannot any more.
        case possible(Bool)
        case time(TimeOfDay)
        /// A person switches it; nil: the other way.
        case wish(Bool?)
        /// The preferences may have changed.
        case settled
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        case show(ColourGains)
        /// The wish of a person cannot be, for this reason.
        case refuse(String)
    }

    public func isOn(_ preferences: NightLightPreferences) -> Bool {
        isPossible && (byHand ?? (preferences.isScheduled && time.map(preferences.isNight) ?? false))
    }

    /// Whether it has to know the time.
    public func needsTime(_ preferences: NightLightPreferences) -> Bool { isPossible && preferences.isScheduled }

    public mutating func handle(_ event: Event, in context: NightLightPreferences, at now: Moment) -> [Outcome] {
        let before = isOn(context), wasPossible = isPossible
        switch event {
        case .possible(let isPossible):
            // A new screen has its own colours.
            if isPossible != self.isPossible { told = ColourGains() }
            self.isPossible = isPossible
        case .time(let time): self.time = time
        case .wish(let wanted):
            guard isPossible else { return [.refuse("the colours of this screen cannot be changed")] }
            byHand = wanted ?? !before
        case .settled: break
        }
        let isNight = time.map { context.isScheduled && context.isNight($0) }
        if let isNight, isNight != wasNight {
            if wasNight != nil { byHand = nil }
            wasNight = isNight
        }
        var out: [Outcome] = []
        // Even the least warmth can be seen.
        let gains = isOn(context) ? ColourGains(warmth: 0.1 + 0.9 * context.warmth) : ColourGains()
        if gains != told {
            told = gains
            if isPossible { out.append(.show(gains)) }
        }
        if !out.isEmpty || before != isOn(context) { out.append(.changed) }
        if wasPossible != isPossible, !out.contains(.changed) { out.append(.changed) }
        return out
    }

    public func violations(in context: NightLightPreferences) -> [String] {
        !isPossible && told != ColourGains() ? ["colours of a screen that has none to change"] : []
    }
}
