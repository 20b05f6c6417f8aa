import Geometry
import Testing

@testable import Seat

@Suite("The configured locker: when the shell starts it, and when again")
struct LockerStartsTests {
    private let one = LockerID(1)

    /// Seconds after the beginning at which a locker is started that ends `life` seconds after its start.
    private func starts(life: Double, until end: Double) -> [Double] {
        var seat = Seat(), now = Moment.zero, found: [Double] = [], timer: Moment?, deaths: [Moment] = []
        func note(_ effects: [LockEffect]) {
            for effect in effects {
                switch effect {
                case .start:
                    found.append(now - .zero)
                    deaths.append(now + life)
                case .startAt(let moment): timer = moment
                default: break
                }
            }
        }
        note(seat.handle(.found, canStart: true, at: now))
        while let next = ([timer].compactMap(\.self) + deaths).min(), next - .zero <= end {
            now = next
            if deaths.contains(next) {
                deaths.removeAll { $0 == next }
                note(seat.handle(.startedEnded, canStart: true, at: now))
            } else {
                note(seat.followLocker(canStart: true, at: now))
            }
        }
        return found
    }

    @Test("it starts at once, and after it ended again after 1, 2, 4 seconds, up to a minute")
    func pauses() {
        #expect(starts(life: 0, until: 250) == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
        #expect(starts(life: 0.5, until: 20) == [0, 1.5, 4, 8.5, 17])
    }

    @Test("one that runs and does not take the session in half a minute is started again")
    func hangs() {
        #expect(starts(life: 10_000, until: 100) == [0, 30, 60, 90])
    }

    @Test("none is started while a locker holds the session, or when it is unlocked")
    func held() {
        var seat = Seat()
        #expect(seat.handle(.found, canStart: true, at: .zero) == [.lock(true), .start, .startAt(.zero + LockerStarts.patience)])
        #expect(seat.handle(.asked(one, isDark: true), canStart: true, at: .zero + 1).last == .startAt(nil))
        // swaylock -f: the process that was started ends when its child has the session.
        #expect(seat.handle(.startedEnded, canStart: true, at: .zero + 2) == [])
        #expect(seat.followLocker(canStart: true, at: .zero + 1000) == [])
        #expect(seat.handle(.unlocked(one), canStart: true, at: .zero + 1001) == [.lock(false), .note(false)])
        #expect(seat.handle(.gone(one), canStart: true, at: .zero + 1001) == [.serve(nil)])
        #expect(seat.lockerStarts == LockerStarts())
    }

    @Test("one that dies while it holds the session is started again, whoever started it; after a minute of holding it at once")
    func dies() {
        var seat = Seat()
        _ = seat.handle(.asked(one, isDark: true), canStart: true, at: .zero)
        _ = seat.handle(.noted, canStart: true, at: .zero)
        #expect(seat.handle(.gone(one), canStart: true, at: .zero + 5).contains(.start))
        _ = seat.handle(.asked(LockerID(2), isDark: true), canStart: true, at: .zero + 6)
        #expect(seat.handle(.gone(LockerID(2)), canStart: true, at: .zero + 7) == [.serve(nil), .startAt(.zero + 8)])
        _ = seat.handle(.asked(LockerID(3), isDark: true), canStart: true, at: .zero + 7.5)
        #expect(seat.handle(.gone(LockerID(3)), canStart: true, at: .zero + 7.5 + LockerStarts.steady).contains(.start))
    }

    @Test("a locker that was never told unlocks when it dies, and none is started")
    func neverTold() {
        var seat = Seat()
        _ = seat.handle(.asked(one, isDark: false), canStart: true, at: .zero)
        #expect(seat.handle(.gone(one), canStart: true, at: .zero + 1) == [.serve(nil), .lock(false), .note(false), .watch(.nothing)])
    }

    @Test("without a configured one none starts; one that is configured later starts at once")
    func configured() {
        var seat = Seat()
        #expect(seat.handle(.found, canStart: false, at: .zero) == [.lock(true)])
        #expect(seat.followLocker(canStart: true, at: .zero + 9) == [.start, .startAt(.zero + 9 + LockerStarts.patience)])
        #expect(seat.followLocker(canStart: false, at: .zero + 10) == [.startAt(nil)])
    }
}
