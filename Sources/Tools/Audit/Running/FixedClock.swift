import FoundationEssentials
import Glibc

/// A time at which the clock of an audit starts, by a library that answers calls for the time (libfaketime). From there it
/// goes at its own pace, because timers of apps wait for it.
public struct FixedClock: Hashable, Sendable {
    /// The time in the form "2025-01-01 12:00:00".
    var start: String
    var library: String

    public struct Failure: Error, Hashable, CustomStringConvertible {
        public var description: String
    }

    /// - Parameter text: as 2025-01-01T12:00:00.
    public init(_ text: String) throws(Failure) {
        guard Self.isDateAndTime(text) else {
            throw Failure(description: "the clock is \"\(text)\", and not a time as 2025-01-01T12:00:00")
        }
        guard let library = Self.libraries.first(where: { access($0, R_OK) == 0 }) else {
            throw Failure(description: "libfaketime is not installed, so that the clock of apps cannot be set")
        }
        start = text.split(separator: "T").joined(separator: " ")
        self.library = library
    }

    /// Whether a text is such a time.
    public static func isDateAndTime(_ text: String) -> Bool {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        return parts.count == 2 && Baseline.isDate(String(parts[0])) && isTime(parts[1])
    }

    private static func isTime(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.count == 2 ? UInt8($0) : nil }
        return parts.count == 3 && numbers.count == 3 && numbers[0] < 24 && numbers[1] < 60 && numbers[2] < 60
    }

    private static let libraries =
        ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
        + ["/usr/lib/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1"]

    /// Timers wait for the monotonic clock, which stays as it is. The library (0.9.10) moves timers of the kernel all the same, by which the
    /// shell and its services would wait for years. So these keep the machine's time.
    var environment: [String: String] {
        [
            "LD_PRELOAD": library, "FAKETIME": "@\(start)", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_RESET": "1", "FAKETIME_SKIP_CMDS": Self.services.joined(separator: ","),
        ]
    }

    private static let services = [
        "mullion", "dbus-daemon", "pipewire", "wireplumber", "pipewire-pulse", "Xwayland", "at-spi-bus-launcher", "at-spi2-registryd",
    ]
}
