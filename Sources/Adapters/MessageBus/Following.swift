import Glibc

/// A connection to a bus that an event loop follows. It may be another connection after a while, and none in between.
package protocol FollowedBus: AnyObject {
    /// What the loop watches; -1 while there is no connection.
    var descriptor: Int32 { get }
    /// What the descriptor is watched for.
    var events: (read: Bool, write: Bool) { get }
    /// When `process` has to be called at the latest, in nanoseconds of CLOCK_MONOTONIC; nil: only for the descriptor.
    var deadline: Int64? { get }
    /// One of the three changed.
    var onChange: (() -> Void)? { get set }
    /// Does what can be done now. Never waits.
    func process()
}

/// What an event loop was told last to wait for.
package struct LoopWish: Equatable {
    private var watched: Int32 = -1
    private var read = false
    private var write = false
    private var deadline: Int64?

    package init() {}

    /// Whether that is something else now.
    package mutating func isNews(_ bus: some FollowedBus) -> Bool {
        let before = self
        (watched, deadline) = (bus.descriptor, bus.deadline)
        (read, write) = bus.events
        return self != before
    }

    /// The loop has come: a deadline that is over has been heeded, and the same one again is new.
    package mutating func heed(at now: Int64) {
        if let deadline, deadline <= now { self.deadline = nil }
    }
}

/// The pauses between attempts to reach a bus, in nanoseconds: each is twice as long as the one before, up to a minute.
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

/// Nanoseconds of CLOCK_MONOTONIC.
package func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
