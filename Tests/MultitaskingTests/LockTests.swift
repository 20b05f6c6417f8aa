import Geometry
import Multitasking
import MullionTesting
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
        #expect(system.handle(.action(.rotate(1)), at: .zero).contains(.configureScreen(size: nil, scale: nil, rotation: 1)))
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
}
