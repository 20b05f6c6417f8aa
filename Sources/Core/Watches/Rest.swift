import Geometry
import Idioms
import Rooms

/// The screen dims while the device is unused, where the idiom says so (`RestRules`).
public struct Rest: Room {
    /// Seconds without use for which the shell itself waits; 0: it does not.
    private var patience = 0.0

    public init() {}

    public enum Event: Hashable, Sendable {
        /// A change settled.
        case settled
        /// The device is unused, or in use again.
        case unused(Bool)
        /// The clock of the screen at rest moves.
        case moves
    }

    public struct Context: Hashable, Sendable {
        public var rules: RestRules
        public var isLocked: Bool
        /// Whether the screen is at rest.
        public var isResting: Bool

        public init(rules: RestRules, isLocked: Bool, isResting: Bool) {
            self.rules = rules
            self.isLocked = isLocked
            self.isResting = isResting
        }
    }

    public enum Outcome: Hashable, Sendable {
        /// The shell waits for so many milliseconds without use; nil: not any more.
        case watches(milliseconds: UInt32?)
        case rests, wakes, movesClock, asksForTime
        /// The timer; nil: it stops.
        case timer(Moment?)
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        let wanted = context.rules.dimsAfter, next: [Outcome] = [.asksForTime, .timer(now + context.rules.moves)]
        switch event {
        case .settled:
            guard wanted != patience else { return [] }
            defer { patience = wanted }
            return (patience > 0 ? [.watches(milliseconds: nil)] : [])
                + (wanted > 0 ? [.watches(milliseconds: UInt32(clamping: Int(clamping: wanted * 1000)))] : [])
        case .unused(false): return context.isResting ? [.wakes, .timer(nil)] : []
        case .unused(true):
            guard !context.isLocked, wanted > 0, !context.isResting else { return [] }
            return [.rests] + next
        case .moves: return context.isResting ? [.movesClock] + next : []
        }
    }
}
