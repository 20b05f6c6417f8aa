import Geometry
import MullionTesting
import Multitasking
import Seat
import Testing
import Windows

@Suite("The lower edge stays the shell's below an on-screen keyboard")
struct KeyboardEdgeTests {
    private func world(_ keyboard: PanelFacts.Keyboard = .never) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.send(
            .panelChanged(
                PanelID(1),
                PanelFacts(
                    layer: .top, anchors: [.bottom, .left, .right], size: Size(0, 260), zone: 260, keyboard: keyboard)))
        world.rest()
        return world
    }

    private func downs(_ effects: [Effect]) -> Int {
        effects.count { if case .client(.touchDownOnOverlay) = $0 { true } else { false } }
    }

    @Test("a swipe up goes home, one along the edge to the next space, and neither presses a key", arguments: 0..<6)
    func swipes(of index: Int) {
        var world = world()
        let start = Point(100 + Double(index) * 190, 812)
        let before = world.effects.count
        world.touch(down: start)
        world.slide(to: start + Vector(index % 2 == 0 ? 0 : 20, -350), over: 120)
        world.lift()
        #expect(world.workspace.isHome)
        #expect(downs(Array(world.effects[before...])) == 0)
        world.act(.home)
        world.rest()
        let spot = Point(300, 812), later = world.effects.count
        world.touch(down: spot)
        world.slide(to: spot + Vector(500, -4), over: 200)
        world.lift()
        #expect(world.workspace.currentSpace?.windows == [WindowID(1)])
        #expect(downs(Array(world.effects[later...])) == 0)
        #expect(world.finish() == [])
    }

    @Test("a tap there is the keyboard's, and so is a long press; above the strip everything is")
    func taps() {
        var world = world()
        world.touch(down: Point(400, 812))
        world.wait(60)
        let effects = world.lift()
        #expect(Array(effects.suffix(3)) == [.touchDownOnOverlay(0, .panel(PanelID(1)), at: Point(400, 812)), .touchFrame, .touchUp(0)])
        let before = world.effects.count
        world.touch(down: Point(400, 812))
        world.wait(300)
        #expect(downs(Array(world.effects[before...])) == 1, "it rests")
        world.touch(to: Point(400, 600))
        #expect(!world.system.isGesturing)
        #expect(world.lift() == [.touchUp(0)])
        #expect(downs(world.touch(down: Point(400, 790))) == 1)
        world.slide(to: Point(400, 400))
        world.lift()
        #expect(!world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test("what has the keyboard to itself has the edge, too")
    func exclusive() {
        var world = world(.always)
        #expect(downs(world.touch(down: Point(400, 812))) == 1)
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("law 4: taken back, or its panel goes: nothing stays")
    func takenBack() {
        var world = world()
        world.touch(down: Point(400, 812))
        world.take()
        world.touch(down: Point(400, 812))
        world.send(.panelGone(PanelID(1)))
        world.lift()
        #expect(world.finish() == [])
    }
}
