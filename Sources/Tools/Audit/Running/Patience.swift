import Clocks
import Glibc
import Processes

/// How long the audit waits for an app. On a busy machine an app is not slow because it waits for a processor: that time does not count.
struct Patience {
    /// Seconds in which the app could run.
    let seconds: Double
    private let began = Clocks.monotonicSeconds
    private let before = Patience.delays()

    init(_ seconds: Double) { self.seconds = seconds }

    /// At most this many times the seconds.
    static let most = 4.0

    var isOver: Bool {
        let passed = Clocks.monotonicSeconds - began
        // Most waits end before they are over, and cost no more than this.
        return passed >= seconds && Patience.isOver(passed, of: seconds, delayed: Patience.delay(since: before))
    }

    static func isOver(_ passed: Double, of seconds: Double, delayed: Double) -> Bool {
        passed - delayed >= seconds || passed >= seconds * most
    }

    /// Seconds since the beginning in which the app could run.
    var spent: Double { max(0, Clocks.monotonicSeconds - began - Patience.delay(since: before)) }

    /// For how long each process of the audit waited for a processor until now, in seconds.
    private static func delays() -> [Int32: Double] {
        var delays: [Int32: Double] = [:]
        for pid in ProcessTree.descendants(of: getpid()) {
            delays[pid] = readSmallFile("/proc/\(pid)/schedstat").flatMap { delay(inSchedstat: $0) }
        }
        return delays
    }

    /// The second number: nanoseconds that the main thread, which answers the shell in most programs, waited for a processor.
    static func delay(inSchedstat text: String) -> Double? {
        let fields = text.split { $0 == " " || $0 == "\n" }
        return fields.count > 1 ? Double(fields[1]).map { $0 / 1e9 } : nil
    }

    /// The longest: processes wait beside each other, and a sum would count the same seconds twice.
    static func delay(since before: [Int32: Double], now: [Int32: Double]? = nil) -> Double {
        (now ?? delays()).map { max(0, $0.value - (before[$0.key] ?? 0)) }.max() ?? 0
    }
}
