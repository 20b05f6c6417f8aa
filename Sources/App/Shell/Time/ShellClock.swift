import Compositor
import Geometry

/// The shell's time: the machine's monotonic clock, or in tests a manual clock that stands still until it is stepped.
struct ShellClock {
    private(set) var isHand: Bool
    private var hand: Moment
    /// The difference from the machine's clock in nanoseconds. Grows when a manual clock was stepped ahead.
    private var offset: Int64 = 0
    private var last = Moment.zero

    init(isHand: Bool) {
        self.isHand = isHand
        hand = Compositor.now()
    }

    /// Never decreases.
    mutating func now() -> Moment {
        last = max(last, isHand ? hand : Moment(nanoseconds: Compositor.now().nanoseconds &+ offset))
        return last
    }

    /// The shell's time of an event that a device stamped with the machine's time.
    mutating func moment(ofDevice stamp: Moment?) -> Moment {
        let now = now()
        guard let stamp, !isHand else { return now }
        let moment = Moment(nanoseconds: stamp.nanoseconds &+ offset)
        // Device timestamps are slightly in the past. Ignore a stamp from another clock.
        guard moment <= now, now - moment < 0.25 || stamp == own else { return now }
        lastEvent = max(lastEvent, moment)
        return lastEvent
    }

    private var lastEvent = Moment.zero

    /// The stamp, in the machine's clock, of an event that the shell itself plays. It is right however late the shell comes to it.
    var own: Moment?

    /// Converts to the machine's clock.
    func real(_ moment: Moment) -> Moment { Moment(nanoseconds: moment.nanoseconds &- offset) }

    /// Converts from the machine's clock.
    func shell(_ moment: Moment) -> Moment {
        isHand ? hand : Moment(nanoseconds: moment.nanoseconds &+ offset)
    }

    mutating func useHand() {
        hand = now()
        isHand = true
    }

    mutating func useReal() {
        offset = now().nanoseconds &- Compositor.now().nanoseconds
        isHand = false
    }

    mutating func set(_ moment: Moment) { hand = max(hand, moment) }
}
