import Geometry
import MullionTesting
import Multitasking
import Seat
import Stage
import Testing
import Windows

/// ext-session-lock, as the core has it: a locked screen shows nothing, hears nothing and does nothing.
@Suite struct LockTests {
    private func world() -> System {
        var system = System(idiom: .pad)
        _ = system.handle(.screenChanged(Screen(size: Size(1180, 820), scale: 1)), at: .zero)
        _ = system.handle(.windowCreated(WindowID(1), WindowFacts(appID: "a", client: 1)), at: .zero)
        return system
    }

    @Test func nothingButTheLockIsDrawn() {
        var system = world()
        #expect(system.items(at: .zero).count > 2)
        _ = system.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        #expect(system.isLocked)
        #expect(system.items(at: .zero).map(\.kind) == [.fill(.locked), .lock])
        #expect(system.controls(at: .zero).isEmpty)
        for event: LockEvent in [.unlocked(LockerID(1)), .gone(LockerID(1))] { _ = system.handle(.lock(event), at: .zero) }
        #expect(!system.isLocked && system.items(at: .zero).count > 2)
    }

    @Test func inputIsNobodysAndActionsAreRefused() {
        var system = world()
        _ = system.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        let before = system
        for event: Event in [
            .touchDown(0, at: Point(590, 818)), .touchMotion(0, at: Point(590, 300)), .touchUp(0), .pointerMotion(at: Point(5, 5)),
            .pointerButton(0x110, pressed: true), .pointerButton(0x110, pressed: false),
            .key(code: 32, symbol: 0x64, pressed: true, modifiers: .super),
        ] {
            #expect(system.handle(event, at: .zero).isEmpty)
        }
        #expect(system == before)
        #expect(system.handle(.action(.home), at: .zero).contains(.refuse(Refusal("the screen is locked"))))
        #expect(system.handle(.action(.rotate(1)), at: .zero).contains(.refuse(Refusal("the screen is locked"))))
    }

    /// A taskbar's wish, and the end of the shell, which would leave the session open.
    @Test func nothingIsClosedAndNothingEnds() {
        var system = world()
        _ = system.handle(.windowMapped(WindowID(1), WindowCommit(size: Size(400, 300))), at: .zero)
        _ = system.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        let before = system
        for request: WindowRequest in [.close, .activate(byPerson: true), .minimize] {
            #expect(system.handle(.windowAsked(WindowID(1), request), at: .zero).isEmpty, "\(request)")
        }
        #expect(system == before)
        #expect(system.handle(.action(.quit), at: .zero) == [.refuse(Refusal("the screen is locked"))])
        for event: LockEvent in [.unlocked(LockerID(1)), .gone(LockerID(1))] { _ = system.handle(.lock(event), at: .zero) }
        #expect(system.handle(.windowAsked(WindowID(1), .close), at: .zero).contains(.close(WindowID(1))))
        #expect(system.handle(.action(.quit), at: .zero).contains(.close(WindowID(1))))
    }

    /// Law 4.
    @Test func whatWasBegunEnds() {
        var system = world()
        _ = system.handle(.touchDown(0, at: Point(590, 818)), at: .zero)
        _ = system.handle(.touchMotion(0, at: Point(590, 500)), at: .zero)
        #expect(system.isGesturing)
        _ = system.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        #expect(!system.isGesturing && system.violations().isEmpty)
        // The finger lifts behind the lock; another one comes after it.
        for event: LockEvent in [.unlocked(LockerID(1)), .gone(LockerID(1))] { _ = system.handle(.lock(event), at: .zero) }
        #expect(system.handle(.touchUp(0), at: .zero).isEmpty)
        #expect(system.violations().isEmpty)
    }

    private func found(locker: [String]) -> (system: System, effects: [Effect]) {
        var preferences = Preferences()
        preferences.lock.command = locker
        var system = System(idiom: .pad, preferences: preferences)
        let effects = system.handle(.lock(.found), at: .zero)
        return (system, effects)
    }

    private func texts(_ system: System) -> [Message] {
        system.items(at: .zero).compactMap { item in
            if case .art(.text(.message(let message, _), _, _, _, _), _) = item.kind { message } else { nil }
        }
    }

    /// Before there is a screen: the session shows nothing from the first frame on.
    @Test("a session that is found locked shows its own words, starts the locker, and nothing of windows that come back")
    func foundLocked() throws {
        var (system, effects) = found(locker: ["swaylock"])
        #expect(system.isLocked && system.violations() == [])
        #expect(
            effects.contains(.client(.lock(.lock(true)))) && effects.contains(.startLocker(["swaylock"]))
                && effects.contains(.power(.locked)))
        #expect(!effects.contains(.noteLock(true)), "the note is there already")
        _ = system.handle(.screenChanged(Screen(size: Size(1180, 820))), at: .zero)
        #expect(texts(system) == [.lockTitle, .lockStarting])
        var before = CoreWorld()
        before.act(.launch(command: ["a"]))
        let launch = try #require(before.workspace.launches.all.first?.id)
        before.send(.launched(launch, process: 101))
        before.open(1, WindowFacts(appID: "a", title: "my diary", lineage: [101, 1], client: 1))
        before.rest()
        let came = system.handle(.restored(before.system.kept, first: WindowID(1)), at: .zero)
        #expect(system.workspace.shownRoots == [WindowID(1)])
        #expect(!came.contains { if case .program = $0 { true } else { false } }, "its program waits for the unlock")
        #expect(texts(system) == [.lockTitle, .lockStarting] && system.controls(at: .zero).allSatisfy { $0.press == nil })
        #expect(system.items(at: .zero).allSatisfy { $0.key.window == nil })
        // The locker takes over, and unlocks.
        let taken = system.handle(.lock(.asked(LockerID(1), isDark: false)), at: .zero)
        #expect(taken.contains(.client(.lock(.confirm(LockerID(1))))) && texts(system) == [])
        let left = system.handle(.lock(.unlocked(LockerID(1))), at: .zero)
        #expect(left.contains(.noteLock(false)) && left.contains(.power(.unlocked)))
        #expect(left.contains { if case .program(.relaunch(_, ["a"], _)) = $0 { true } else { false } })
        #expect(system.violations() == [])
    }

    @Test("without a configured locker the shell's own lock screen takes a locked session; a locker that fails is named as failing")
    func says() {
        var (own, effects) = found(locker: [])
        #expect(effects.allSatisfy { if case .startLocker = $0 { false } else { true } })
        #expect(effects.contains(.client(.lock(.serve(.shell)))) && own.lockScreen.isUp && own.violations() == [])
        _ = own.handle(.screenChanged(Screen(size: Size(1180, 820))), at: .zero)
        #expect(texts(own).contains(.unlock))
        #expect(own.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero).contains(.client(.lock(.refuse(LockerID(1))))))
        var (system, started) = found(locker: ["swaylock"])
        #expect(started.contains(.startLocker(["swaylock"])))
        _ = system.handle(.screenChanged(Screen(size: Size(1180, 820))), at: .zero)
        #expect(texts(system) == [.lockTitle, .lockStarting])
        _ = system.handle(.lock(.startedEnded), at: .zero)
        #expect(system.handle(.timer(.seat(.locker)), at: .zero + 1).contains(.startLocker(["swaylock"])))
        #expect(texts(system) == [.lockTitle, .lockFailing])
    }

    @Test("a disk that does not answer keeps a locker waiting for two seconds")
    func disk() {
        var system = world()
        let effects = system.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        #expect(effects.contains(.noteLock(true)) && effects.contains(.startTimer(.seat(.lockNote), at: .zero + 2)))
        #expect(system.handle(.timer(.seat(.lockNote)), at: .zero + 2).contains(.client(.lock(.confirm(LockerID(1))))))
        #expect(system.handle(.lock(.noted), at: .zero + 3) == [])
        var other = world()
        _ = other.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        let noted = other.handle(.lock(.noted), at: .zero)
        #expect(noted.contains(.client(.lock(.confirm(LockerID(1))))) && noted.contains(.stopTimer(.seat(.lockNote))))
    }
}
