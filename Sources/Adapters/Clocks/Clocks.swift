import Glibc

/// The clocks of the machine, read in one place. The core reads none of them: it is given every moment.
public enum Clocks {
    /// CLOCK_MONOTONIC, which a change of the date does not move. `Moment` and the bus count by it.
    public static var monotonicNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) }
    /// CLOCK_MONOTONIC in seconds, for deadlines of tools and tests.
    public static var monotonicSeconds: Double { Double(monotonicNanoseconds) / 1e9 }

    /// Processor time that this thread has used.
    public static var threadNanoseconds: Int64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
    /// Processor time that this process has used, with all its threads.
    public static var processNanoseconds: Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// The date and time that people read, in whole seconds since 1970 (UTC).
    public static var secondsSince1970: Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000_000 }

    /// For a clock that another program names.
    public static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
