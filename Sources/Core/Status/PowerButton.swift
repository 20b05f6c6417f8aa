import Geometry
import Rooms

/// The power button of the device. A short press makes the screen dark and locks the session, or lights the screen again. A long one
/// opens the ways to end the machine's work.
///
/// A locked screen that it made dark stays dark for fingers, as in a bag: the button, a key or a pointer's button lights it.
public struct PowerButton: Room {
    /// Whether the screen is dark because of it.
    public private(set) var isDark = false
    /// Since when it is held, until the press has its effect.
    private var since: Moment?
    /// Whether it lit a locked screen, which gets dark again by itself.
    private var isWatching = false
    private var lastUse = Moment.zero
    /// Presses before this moment woke the machine.
    private var deafUntil = Moment.zero
    private var awaited: Moment?

    /// Seconds after which a press is a long one.
    public static let long = 0.8
    /// Seconds without use after which a locked screen that the button lit is dark again.
    public static let patience = 30.0
    /// The press that wakes the machine from sleep comes as a press of the button, too.
    static let deafness = 1.0

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        case pressed
        case released
        /// A person pressed it for so long, or not, on a device without such a button.
        case wish(isLong: Bool)
        /// Something else was used. `isFinger`: by a finger or a pen.
        case used(isFinger: Bool)
        /// The screen is dark or lit, by this button or by something else.
        case lit(Bool)
        /// The machine woke from sleep.
        case woke
        case timeIsUp
    }

    public enum Outcome: Hashable, Sendable {
        /// Lock the session, and make the screen dark.
        case darkens
        case lights
        case opensMenu
        case timer(Moment?)
    }

    public struct Context: Hashable, Sendable {
        public var isLit: Bool
        public var isLocked: Bool

        public init(isLit: Bool, isLocked: Bool) {
            self.isLit = isLit
            self.isLocked = isLocked
        }
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        if !context.isLocked { isWatching = false }
        var out = take(event, context, at: now)
        let due = [since.map { $0 + Self.long }, isWatching ? lastUse + Self.patience : nil].compactMap(\.self).min()
        if due != awaited {
            awaited = due
            out.append(.timer(due))
        }
        return out
    }

    private mutating func take(_ event: Event, _ context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .pressed:
            // A key that is held repeats.
            guard since == nil, now >= deafUntil else { return [] }
            guard context.isLit else { return light(context, at: now) }
            since = now
            lastUse = now
            return []
        case .released:
            guard since != nil else { return [] }
            since = nil
            return darken()
        case .wish(let isLong):
            since = nil
            if !context.isLit { return light(context, at: now) }
            return isLong ? [.opensMenu] : darken()
        case .used(let isFinger):
            lastUse = now
            guard isDark, !(isFinger && context.isLocked) else { return [] }
            return light(context, at: now)
        case .lit(let isLit):
            if isLit { isDark = false }
            return []
        case .woke:
            deafUntil = now + Self.deafness
            since = nil
            return context.isLit ? [] : light(context, at: now)
        case .timeIsUp:
            awaited = nil
            if let since, since + Self.long <= now {
                self.since = nil
                return [.opensMenu]
            }
            guard isWatching, lastUse + Self.patience <= now else { return [] }
            return darken()
        }
    }

    private mutating func darken() -> [Outcome] {
        (isDark, isWatching) = (true, false)
        return [.darkens]
    }

    private mutating func light(_ context: Context, at now: Moment) -> [Outcome] {
        (isDark, isWatching, lastUse) = (false, context.isLocked, now)
        return [.lights]
    }

    public func violations(in context: Context) -> [String] {
        isDark && isWatching ? ["X-10: a dark screen waits to become dark"] : []
    }
}
