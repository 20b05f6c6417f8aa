import Clocks
import Foundation
import Glibc
import Synchronization
import Testing

/// A thread that wants to run every millisecond, and the longest delay that it saw.
private final class StallWatch: Sendable {
    private let longest = Atomic<Int64>(0)
    private let isDone = Atomic<Bool>(false)

    init() {
        Thread.detachNewThread { [self] in
            var last = Clocks.monotonicNanoseconds
            while !isDone.load(ordering: .relaxed) {
                usleep(1000)
                let now = Clocks.monotonicNanoseconds
                longest.max(now - last, ordering: .relaxed)
                last = now
            }
        }
    }

    /// Seconds.
    func stop() -> Double {
        isDone.store(true, ordering: .relaxed)
        return Double(longest.load(ordering: .relaxed)) / 1e9
    }
}

/// Measures with `body`. The sound server has no priority over other programs here, so it loses samples on a busy
/// machine whatever the shell does. If `isRight` refuses a result and a thread was delayed by half a quantum
/// meanwhile, the result proves nothing about the shell, and the measurement is repeated. A machine that is too busy
/// thirty times fails the test.
///
/// - Parameter quantum: frames at 48 kHz.
func undisturbed<Result>(quantum: Int, isRight: (Result) -> Bool, _ body: () throws -> Result) throws -> Result {
    var stalls: [Double] = []
    for _ in 0..<30 {
        let watch = StallWatch()
        let result = Swift.Result { try body() }
        let stall = watch.stop()
        if stall < Double(quantum) / 48000 / 2 { return try result.get() }
        if case .success(let value) = result, isRight(value) { return value }
        stalls.append(stall)
    }
    Issue.record("the machine is too busy for sound: threads waited for \(stalls.map { Int($0 * 1000) }) ms")
    return try body()
}
