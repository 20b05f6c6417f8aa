import FoundationEssentials
import Glibc

/// Where tests with random input begin, and how long they go on.
///
/// `MULLION_SEED` repeats a run. A CI run (`CI=true`) begins at the same place every time, so that it judges the change and not
/// its luck. Every other run begins elsewhere, and its message names the seed.
public enum TestSeed {
    public static let named = ProcessInfo.processInfo.environment["MULLION_SEED"].flatMap(UInt64.init)

    /// Whether random and exhaustive tests run at length: `make test-slow`.
    public static let isSlow = ProcessInfo.processInfo.environment["MULLION_SLOW_TESTS"] == "1"

    public static let first: UInt64 = named ?? (ProcessInfo.processInfo.environment["CI"] == "true" ? 1 : .random(in: 0...999_999))
}
