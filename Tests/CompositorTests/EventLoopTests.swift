import Compositor
import Geometry
import Glibc
import Logging
import Testing

/// The one event loop, in this process, with nothing else in it.
@Suite struct EventLoopTests {
    private func withLoop(_ body: (Compositor) throws -> Void) throws {
        var options = Compositor.Options()
        options.backend = .headless
        options.xwayland = false
        let compositor = try Compositor(options, log: Logger(label: "test")) { _, _ in false }
        defer { compositor.stop() }
        try body(compositor)
    }

    @Test("a timer for a moment that has passed comes at once, even for the first moment of all", arguments: [Int64(-5), 0, 1, 1000])
    func aTimerInThePast(_ nanoseconds: Int64) throws {
        try withLoop { compositor in
            var count = 0
            let timer = compositor.timer { count += 1 }
            timer.arm(Moment(nanoseconds: nanoseconds))
            for _ in 0..<10 where count == 0 { compositor.dispatch(milliseconds: 50) }
            #expect(count == 1)
            for _ in 0..<3 { compositor.dispatch(milliseconds: 5) }
            #expect(count == 1, "once")
            timer.arm(Compositor.now() + 0.01)
            timer.arm(nil)
            for _ in 0..<3 { compositor.dispatch(milliseconds: 10) }
            #expect(count == 1, "disarmed")
            timer.cancel()
        }
    }
}
