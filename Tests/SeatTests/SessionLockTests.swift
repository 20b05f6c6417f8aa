import Testing

@testable import Seat

@Suite("Session lock: which locker holds the session, and when it is told")
struct SessionLockTests {
    private let one = LockerID(1), two = LockerID(2)

    /// `isNoted`: the disk is quicker than the screen.
    private func begun(isDark: Bool = false, isNoted: Bool = true) -> SessionLock {
        var lock = SessionLock()
        let effects = lock.handle(.asked(one, isDark: isDark))
        #expect(effects == [.serve(one), .lock(true), .note(true)] + (isDark ? [] : [.watch(.submission)]))
        guard isNoted else { return lock }
        #expect(lock.handle(.noted) == (isDark ? [.confirm(one)] : []))
        return lock
    }

    @Test("the locker is told when the next shell would find the lock, not before")
    func noted() {
        for isDark in [true, false] {
            var lock = begun(isDark: isDark, isNoted: false)
            if !isDark {
                #expect(lock.handle(.frameSubmitted) == [.watch(.presentation)])
                #expect(lock.handle(.frameSeen) == [.watch(.nothing)])
            }
            #expect(lock.awaitsDisk && !lock.isConfirmed)
            #expect(lock.handle(.frameSubmitted) == [], "a frame is not waited for again")
            #expect(lock.handle(.noted) == [.confirm(one)] && !lock.awaitsDisk)
            #expect(lock.handle(.unlocked(one)) == [.lock(false), .note(false)])
        }
        var lock = begun(isDark: true, isNoted: false)
        #expect(lock.handle(.gone(one)) == [.serve(nil), .lock(false), .note(false)], "nobody relied on it")
        #expect(lock == SessionLock())
    }

    @Test("a session that was locked when the last shell ended is locked for nobody until a locker takes over")
    func found() {
        var lock = SessionLock()
        #expect(lock.handle(.found) == [.lock(true)], "the note is there")
        #expect(lock.isLocked && lock.isAbandoned)
        #expect(lock.handle(.unlocked(one)) == [] && lock.handle(.gone(one)) == [] && lock.handle(.dark) == [] && lock.handle(.found) == [])
        #expect(lock.handle(.asked(one, isDark: false)) == [.serve(one), .confirm(one)] && !lock.isAbandoned)
        #expect(lock.handle(.gone(one)) == [.serve(nil)] && lock.isAbandoned)
        #expect(lock.handle(.asked(two, isDark: false)) == [.serve(two), .confirm(two)])
        #expect(lock.handle(.unlocked(two)) == [.lock(false), .note(false)])
        #expect(lock.handle(.gone(two)) == [.serve(nil)])
        #expect(lock == SessionLock(), "nothing is left of it")
    }

    @Test("the session is locked at once, and the locker is told when the locked frame is visible")
    func told() {
        var lock = begun()
        #expect(lock.handle(.frameSeen) == [], "a frame from before the lock is not the locked one")
        #expect(lock.handle(.frameSubmitted) == [.watch(.presentation)])
        #expect(lock.handle(.frameSubmitted) == [])
        #expect(lock.handle(.frameSeen) == [.watch(.nothing), .confirm(one)])
        #expect(lock.handle(.frameSubmitted) == [] && lock.handle(.dark) == [], "it is told once")
        #expect(lock.isLocked && lock.isConfirmed)
    }

    @Test("a dark screen shows nothing, so there is nothing to wait for")
    func dark() {
        var lock = begun(isDark: true)
        #expect(lock.isConfirmed && lock.handle(.frameSubmitted) == [])
        lock = begun()
        #expect(lock.handle(.dark) == [.watch(.nothing), .confirm(one)])
    }

    @Test("a frame on a removed screen is not waited for; the next one counts")
    func lost() {
        var lock = begun()
        _ = lock.handle(.frameSubmitted)
        #expect(lock.handle(.frameLost) == [.watch(.submission)])
        #expect(lock.handle(.frameSeen) == [])
        #expect(lock.handle(.frameSubmitted) == [.watch(.presentation)])
        #expect(lock.handle(.frameSeen) == [.watch(.nothing), .confirm(one)])
    }

    @Test("one holds it at a time, and only that one unlocks")
    func single() {
        var lock = begun()
        #expect(lock.handle(.asked(two, isDark: true)) == [.refuse(two)])
        #expect(lock.handle(.unlocked(two)) == [] && lock.handle(.gone(two)) == [])
        #expect(lock.isLocked && lock.locker == one)
        #expect(lock.handle(.unlocked(one)) == [.lock(false), .note(false), .watch(.nothing)])
        #expect(lock.handle(.gone(one)) == [.serve(nil)])
        #expect(lock == SessionLock(), "nothing is left of it")
        #expect(
            lock.handle(.asked(two, isDark: false)) == [.serve(two), .lock(true), .note(true), .watch(.submission)],
            "the next one starts afresh")
    }

    @Test("a locker that dies after it was told leaves the session locked; the next one is told at once, and unlocks")
    func dies() {
        var lock = begun(isDark: true)
        #expect(lock.handle(.gone(one)) == [.serve(nil)])
        #expect(lock.isLocked && lock.locker == nil)
        #expect(lock.handle(.frameSubmitted) == [] && lock.handle(.dark) == [], "there is nobody to tell")
        #expect(lock.handle(.asked(two, isDark: false)) == [.serve(two), .confirm(two)])
        #expect(lock.handle(.unlocked(two)) == [.lock(false), .note(false)])
        #expect(!lock.isLocked)
    }

    @Test("a locker that dies before it was told leaves the session unlocked")
    func diesBefore() {
        var lock = begun()
        _ = lock.handle(.frameSubmitted)
        #expect(lock.handle(.gone(one)) == [.serve(nil), .lock(false), .note(false), .watch(.nothing)])
        #expect(lock == SessionLock())
    }

    @Test("whatever happens in four steps: one locker is served, only a locker that holds the session unlocks it, and it is told once")
    func exhaustive() {
        let events: [LockEvent] = [
            .asked(one, isDark: false), .asked(two, isDark: true), .unlocked(one), .unlocked(two), .gone(one), .gone(two),
            .frameSubmitted, .frameSeen, .frameLost, .dark, .found, .noted,
        ]
        func play(_ lock: SessionLock, _ confirmed: Set<LockerID>, depth: Int) {
            guard depth > 0 else { return }
            for event in events {
                var next = lock, told = confirmed
                for effect in next.handle(event) {
                    switch effect {
                    case .confirm(let id): #expect(id == next.locker && told.insert(id).inserted && next.isLocked)
                    case .refuse(let id): #expect(lock.locker != nil && next == lock, "\(id) is refused")
                    case .lock(false):
                        #expect(lock.locker.map { event == .unlocked($0) || event == .gone($0) && !confirmed.contains($0) } ?? false)
                    case .note(let isLocked): #expect(isLocked == next.isLocked)
                    case .lock(true), .serve, .watch, .start, .startAt, .ownPart, .over: break
                    }
                }
                if case .gone(let id) = event { told.remove(id) }
                // Who has unlocked leaves before anything else happens to it.
                guard next.isLocked || next.locker == nil else { continue }
                #expect(next.violations() == [])
                play(next, told, depth: depth - 1)
            }
        }
        play(SessionLock(), [], depth: 4)
    }
}
