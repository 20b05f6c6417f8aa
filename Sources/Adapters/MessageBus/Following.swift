import Glibc

/// A bus connection for an event loop. The connection may be replaced, and may be missing in between.
package protocol FollowedBus: AnyObject {
    /// The descriptor to watch; -1 without a connection.
    var descriptor: Int32 { get }
    /// The events to watch `descriptor` for.
    var events: (read: Bool, write: Bool) { get }
    /// The latest time for the next call of `process`, in nanoseconds of CLOCK_MONOTONIC. nil: only when the
    /// descriptor is ready.
    var deadline: Int64? { get }
    /// One of these three changed.
    var onChange: (() -> Void)? { get set }
    /// Processes pending messages. Never blocks.
    func process()
}

/// The descriptor, the events and the deadline that an event loop was last asked to watch for a bus.
package struct LoopInterest: Equatable {
    private var watched: Int32 = -1
    private var read = false
    private var write = false
    private var deadline: Int64?

    package init() {}

    /// Reads the current interest of the bus. Returns whether it differs from before.
    package mutating func update(_ bus: some FollowedBus) -> Bool {
        let before = self
        (watched, deadline) = (bus.descriptor, bus.deadline)
        (read, write) = bus.events
        return self != before
    }

    /// The loop woke up. A deadline that has passed counts as handled, so the same one would be a change.
    package mutating func woke(at now: Int64) {
        if let deadline, deadline <= now { self.deadline = nil }
    }
}

/// The pauses between connection attempts, in nanoseconds. Each is twice as long as the previous one, up to a minute.
package struct Pauses {
    package var first: Int64
    private var next: Int64?
    private static let longest: Int64 = 60_000_000_000

    package init(first: Int64 = 3_000_000_000) { self.first = first }

    package mutating func take() -> Int64 {
        let pause = next ?? first
        next = min(pause * 2, max(Self.longest, first))
        return pause
    }

    /// An attempt succeeded.
    package mutating func reset() { next = nil }
}
