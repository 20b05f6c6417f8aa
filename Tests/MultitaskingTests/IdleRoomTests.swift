import Geometry
import MullionTesting
import Multitasking
import Seat
import Testing
import Windows

/// Idleness within the whole system: what counts as activity, and what is in sight.
@Suite("Idleness and what is shown")
struct IdleRoomTests {
    private let watch = IdleWatchID(1), film = IdleInhibitorID(1)

    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.rest()
        world.send(.idle(.watchAdded(watch, milliseconds: 1000)))
        return world
    }

    private func told(_ effects: [Effect]) -> [Bool] {
        effects.compactMap { if case .client(.tellIdle(watch, let isIdle)) = $0 { isIdle } else { nil } }
    }

    @Test("every kind of input is activity, and nothing else is")
    func activity() {
        var world = world()
        let inputs: [Event] = [
            .touchDown(0, at: Point(300, 300)), .touchMotion(0, at: Point(301, 300)), .touchUp(0), .pointerMotion(at: Point(9, 9)),
            .pointerButton(0x110, pressed: true), .pointerButton(0x110, pressed: false),
            .pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 10, discrete: 120)),
            .key(code: 30, symbol: 0x61, pressed: true, modifiers: []), .key(code: 30, symbol: 0x61, pressed: false, modifiers: []),
            .typedIntoApp, .idle(.activity),
        ]
        for input in inputs {
            world.wait(1001)
            #expect(told(world.send(input)) == [false], "\(input)")
        }
        for other: Event in [
            .touchFrame, .pointerFrame, .windowRenamed(WindowID(1), CoreOp.facts(1, parent: nil, app: 0)), .action(.appSwitcher),
        ] {
            world.wait(1001)
            #expect(told(world.send(other)) == [], "\(other)")
        }
        #expect(world.finish() == [])
    }

    @Test("a film counts in front, beside another and in Slide Over, not behind another window or a locker, nor when it is closed")
    func sight() {
        var world = world()
        world.wait(1001)
        world.send(.idle(.inhibitor(film, on: .window(WindowID(1)))))
        #expect(!world.system.seat.idleness.isInhibited, "it is behind")
        #expect(told(world.act(.splitView(window: WindowID(1), side: .left))) == [false])
        #expect(told(world.act(.fullScreen(window: WindowID(2)))) == [])
        #expect(!world.system.seat.idleness.isInhibited)
        world.act(.slideOver(window: WindowID(1)))
        #expect(world.system.seat.idleness.isInhibited)
        world.lock()
        #expect(!world.system.seat.idleness.isInhibited)
        world.unlock()
        #expect(world.system.seat.idleness.isInhibited)
        world.unmap(WindowID(1))
        #expect(!world.system.seat.idleness.isInhibited)
        #expect(world.finish() == [])
    }

    @Test("a panel counts while it is mapped")
    func panel() {
        var world = world()
        let bar = PanelFacts(layer: .top, anchors: [.top, .left, .right], size: Size(0, 32), zone: 32)
        world.send(.idle(.inhibitor(film, on: .panel(PanelID(1)))))
        #expect(!world.system.seat.idleness.isInhibited)
        world.send(.panelChanged(PanelID(1), bar))
        #expect(world.system.seat.idleness.isInhibited)
        world.send(.panelGone(PanelID(1)))
        #expect(!world.system.seat.idleness.isInhibited)
        #expect(world.finish() == [])
    }
}
