import Seat
import Testing

@Suite("Session lock: which locker holds the session, and when it is told")
struct SessionLockTests {
    private func begun(isDark: Bool = false) -> SessionLock {
        var lock = SessionLock()
        let began = lock.begin(1, isDark: isDark)
        #expect(began)
        return lock
    }

    @Test("the session is locked at once, and the locker is told when the locked frame is visible")
    func told() {
        var lock = begun()
        #expect(lock.isLocked && !lock.isTold)
        lock.pictureSeen()
        #expect(!lock.isTold, "a picture from before the lock is not the locked one")
        lock.pictureGiven()
        #expect(lock.awaitsPicture && !lock.isTold)
        lock.pictureSeen()
        #expect(lock.isTold && !lock.awaitsPicture && lock.isLocked)
        lock.pictureGiven()
        #expect(!lock.awaitsPicture, "it is told once")
    }

    @Test("a dark screen shows nothing, so there is nothing to wait for")
    func dark() {
        #expect(begun(isDark: true).isTold)
        var lock = begun()
        lock.screenDark()
        #expect(lock.isTold)
    }

    @Test("a frame on a removed screen is not waited for; the next one counts")
    func lost() {
        var lock = begun()
        lock.pictureGiven()
        lock.pictureLost()
        lock.pictureSeen()
        #expect(!lock.isTold)
        lock.pictureGiven()
        lock.pictureSeen()
        #expect(lock.isTold)
    }

    @Test("one holds it at a time, and only that one unlocks")
    func one() {
        var lock = begun()
        let other = lock.begin(2, isDark: true)
        #expect(!other && lock.locker == 1)
        lock.unlock(2)
        lock.lockerGone(2)
        #expect(lock.isLocked && lock.locker == 1)
        lock.unlock(1)
        #expect(!lock.isLocked)
        lock.lockerGone(1)
        #expect(lock == SessionLock(), "nothing is left of it")
        let next = lock.begin(2, isDark: false)
        #expect(next && !lock.isTold, "the next one starts afresh")
    }

    @Test("a locker that dies after it was told leaves the session locked; the next one is told at once, and unlocks")
    func dies() {
        var lock = begun(isDark: true)
        lock.lockerGone(1)
        #expect(lock.isLocked && lock.locker == nil)
        lock.pictureGiven()
        lock.screenDark()
        #expect(!lock.isTold, "there is nobody to tell")
        let next = lock.begin(2, isDark: false)
        #expect(next && lock.isTold)
        lock.unlock(2)
        #expect(!lock.isLocked)
    }

    @Test("a locker that dies before it was told leaves the session unlocked")
    func diesBefore() {
        var lock = begun()
        lock.pictureGiven()
        lock.lockerGone(1)
        #expect(lock == SessionLock())
    }
}
