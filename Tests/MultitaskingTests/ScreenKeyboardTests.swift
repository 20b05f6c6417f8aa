import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

/// Calling the on-screen keyboard by hand, for programs that do not say that they have a text field.
@Suite("The on-screen keyboard by hand")
struct ScreenKeyboardTests {
    private static let line = Point(590, 816)

    private func world(isShown: Bool? = false) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        if let isShown { world.send(.screenKeyboard(isShown: isShown)) }
        world.rest()
        return world
    }

    private func calls(_ effects: some Sequence<Effect>) -> [Bool] {
        effects.compactMap { if case .showScreenKeyboard(let isShown) = $0 { isShown } else { nil } }
    }

    @Test("law 9: an action calls it, hides it or does the other of the two, and says that there is none")
    func action() {
        var world = world()
        #expect(calls(world.act(.screenKeyboard())) == [true])
        #expect(calls(world.act(.screenKeyboard(shown: false))) == [false])
        world.send(.screenKeyboard(isShown: true))
        #expect(calls(world.act(.screenKeyboard())) == [false])
        #expect(calls(world.act(.screenKeyboard(shown: true))) == [true])
        world.send(.screenKeyboard(isShown: nil))
        #expect(world.act(.screenKeyboard()) == [.refuse(Refusal("no on-screen keyboard runs that can be called"))])
        #expect(world.finish() == [])
    }

    @Test("X-02: Super+K is bound to it")
    func key() { #expect(KeyBinding.standard.first { $0.chord == "Super+k" }?.action == .screenKeyboard()) }

    @Test("the control centre has a tile for it while one runs; it opens the way to what is below")
    func tile() throws {
        var world = world(isShown: nil)
        world.act(.controlCentre)
        world.rest()
        func tile() -> ViewControl? { world.controls.first { $0.id == "control-centre/keyboard" } }
        #expect(tile() == nil)
        world.send(.screenKeyboard(isShown: false))
        #expect(tile()?.isChosen == false)
        #expect(calls(world.act(.press(view: "control-centre/keyboard"))) == [true])
        world.send(.screenKeyboard(isShown: true))
        world.rest()
        #expect(!world.system.interface.isPanelOpen)
        world.act(.controlCentre)
        world.rest()
        #expect(tile()?.isChosen == true)
        #expect(calls(world.act(.press(view: "control-centre/keyboard"))) == [false])
        #expect(world.finish() == [])
    }

    @Test("a finger that rests on the line at the bottom calls it, and the app's touch is cancelled")
    func line() {
        var world = world()
        for isShown in [true, false] {
            let before = world.effects.count
            world.touch(down: Self.line)
            world.wait(800)
            #expect(calls(world.effects.dropFirst(before)) == [isShown])
            #expect(world.ledger.touches.isEmpty, "the app has no finger any more")
            world.send(.screenKeyboard(isShown: isShown))
            // What the finger does now is nobody's.
            world.slide(to: Self.line + Vector(0, -500))
            world.lift()
            world.rest()
            #expect(!world.workspace.isHome && !world.system.interface.isOverviewOpen)
        }
        #expect(world.finish() == [])
    }

    @Test("a swipe, a tap, a finger elsewhere on the edge, and a line without a keyboard call nothing")
    func others() {
        var world = world()
        let before = world.effects.count
        world.tap(at: Self.line)
        world.wait(800)
        world.touch(down: Self.line)
        world.slide(to: Self.line + Vector(0, -60))
        world.wait(800)
        world.lift()
        world.rest()
        world.act(.home)
        world.act(.home)
        world.rest()
        world.touch(down: Point(120, 816))
        world.wait(800)
        world.lift()
        world.send(.screenKeyboard(isShown: nil))
        world.touch(down: Self.line)
        world.wait(800)
        world.lift()
        #expect(calls(world.effects.dropFirst(before)).isEmpty)
        #expect(world.finish() == [])
    }

    @Test("with a pointer: a right click on the line, and a long press there")
    func pointer() {
        var world = world()
        let before = world.effects.count
        world.send(.pointerMotion(at: Self.line))
        for pressed in [true, false] { world.send(.pointerButton(0x111, pressed: pressed)) }
        #expect(calls(world.effects.dropFirst(before)) == [true])
        world.send(.pointerButton(0x110, pressed: true))
        world.wait(800)
        world.send(.pointerButton(0x110, pressed: false))
        #expect(calls(world.effects.dropFirst(before)) == [true, true])
        #expect(!world.workspace.isHome)
        #expect(world.finish() == [])
    }
}
