import Geometry
import Multitasking
import Seat

/// The lock of a test's world.
extension CoreWorld {
    /// A locker takes the session of a dark screen.
    public mutating func lock() { send(.lock(.asked(LockerID(1), isDark: true))) }

    /// That locker unlocks, and is gone.
    public mutating func unlock() {
        send(.lock(.unlocked(LockerID(1))))
        send(.lock(.gone(LockerID(1))))
        unlockOwn()
    }

    /// PAM lets the person in at the lock screen of the shell, if that is up.
    public mutating func unlockOwn() {
        guard system.lockScreen.isUp else { return }
        if system.overLock.app != nil { send(.lockScreen(.input(.key(.leftSuper, text: nil)))) }
        if system.lockScreen.until != nil { wait(400_000) }
        send(.lockScreen(.input(.key(.escape, text: nil))))
        if system.lockScreen.until != nil { wait(400_000) }
        send(.lockScreen(.input(.key(.enter, text: nil))))
        guard let number = system.lockScreen.talk?.number else { return }
        send(.lockScreen(.talk(number, .ends(.allowed))))
    }
}
