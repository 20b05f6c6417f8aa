import Seat
import Testing

@Suite("Idleness")
struct IdleClockTests {
    @Test("idle once after the timeout since the last activity; active again at the next one")
    func counts() {
        var clock = IdleClock(timeout: 100, at: 0)
        #expect(clock.look(lastActivity: 0, isInhibited: false, at: 40) == .wait(60))
        #expect(clock.look(lastActivity: 30, isInhibited: false, at: 100) == .wait(30))
        #expect(clock.wake() == .nothing)
        #expect(clock.look(lastActivity: 30, isInhibited: false, at: 130) == .tell(isIdle: true))
        #expect(clock.look(lastActivity: 30, isInhibited: false, at: 500) == .nothing)
        #expect(clock.wake() == .tell(isIdle: false))
        #expect(clock.look(lastActivity: 500, isInhibited: false, at: 500) == .wait(100))
    }

    @Test("a film keeps it away, and the time counts from its own beginning")
    func inhibited() {
        var clock = IdleClock(timeout: 100, at: 1000)
        #expect(clock.look(lastActivity: 0, isInhibited: true, at: 5000) == .nothing)
        #expect(clock.look(lastActivity: 0, isInhibited: false, at: 1050) == .wait(50))
        clock.restart(at: 1090)
        #expect(clock.look(lastActivity: 0, isInhibited: false, at: 1100) == .wait(90))
        var instant = IdleClock(timeout: 0, at: 0)
        #expect(instant.isInstant && !clock.isInstant)
        #expect(instant.look(lastActivity: 10, isInhibited: false, at: 10) == .tell(isIdle: true))
    }
}
