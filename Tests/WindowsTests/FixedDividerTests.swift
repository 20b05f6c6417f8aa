import Geometry
import MullionTesting
import Multitasking
import Testing

@testable import Windows

/// What the data of an idiom say holds whatever a person does, and at once when the data change.
@Suite("W-04: a divider that nobody moves")
struct FixedDividerTests {
    private func pair(_ idiom: Idiom) -> CoreWorld {
        var world = CoreWorld(size: Size(1280, 720), idiom: idiom)
        CoreOp.apps(5).apply(to: &world)
        for raw in [1, 2, 3] as [UInt32] { world.open(raw, CoreOp.facts(raw, parent: nil, app: 0)) }
        world.act(.splitView(window: WindowID(1), side: .left))
        world.rest()
        return world
    }

    private func share(_ world: CoreWorld) -> Double? { world.workspace.currentSpace?.split?.fraction }

    @Test("it stands where the idiom says, after a swap, a move to the other side and back", arguments: [[0.62], [0.3, 0.62]])
    func swap(snaps: [Double]) throws {
        var idiom = Idiom.car
        idiom.split.snaps = snaps
        var world = pair(idiom)
        #expect(share(world) == snaps[0])
        let first = try #require(world.workspace.currentSpace?.split?.first)
        for action in [
            Action.swapSides, .swapSides, .splitView(window: first, side: .right), .splitView(window: first, side: .left), .swapSides,
        ] {
            world.act(action)
            world.rest()
            #expect(share(world) == snaps[0], "\(action)")
        }
        #expect(world.workspace.currentSpace?.split?.first != first)
        #expect(world.finish() == [])
    }

    @Test("new rest positions of the idiom in effect count at once, in every pair")
    func newSnaps() {
        var world = pair(.car)
        var other = Idiom.car
        other.split.snaps = [0.4]
        world.send(.idiomsKnown([other, .pad]))
        world.rest()
        #expect(share(world) == 0.4)
        world.act(.idiom("pad"))
        world.act(.divider(fraction: 0.5, exact: true))
        world.act(.idiom("car"))
        world.rest()
        #expect(share(world) == 0.4)
    }

    @Test("one that a person moves turns round with the windows")
    func moved() {
        var idiom = Idiom.car
        idiom.split.fixed = false
        var world = pair(idiom)
        world.act(.divider(fraction: 0.62, exact: true))
        world.act(.swapSides)
        world.rest()
        #expect(abs((share(world) ?? 0) - 0.38) < 0.001)
    }
}

@Suite("S-11: a round screen")
struct RoundScreenTests {
    @Test(
        "what is longer one way has its disc in the middle, and everything stands inside it",
        arguments: [Size(454, 454), Size(320, 290), Size(400, 454), Size(272, 480)])
    func notSquare(size: Size) {
        var screen = Screen(size: size)
        screen.round = RoundMeasures().inset
        let room = screen.usable, radius = screen.shorterSide / 2
        #expect(
            abs(room.width - room.height) <= 2 && abs(room.center.x - screen.bounds.center.x) <= 1
                && abs(room.center.y - screen.bounds.center.y) <= 1)
        for corner in [Point(room.minX, room.minY), Point(room.maxX, room.minY), Point(room.minX, room.maxY), Point(room.maxX, room.maxY)] {
            #expect(corner.distance(to: screen.bounds.center) <= radius + 1.5, "\(corner) on \(size)")
        }
        #expect(room.width > screen.shorterSide * 0.69)
    }
}
