import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// W-25: further spaces of freely stacked windows.
@Suite("W-25: spaces of a desk")
struct DeskSpaceTests {
    private let one = WindowID(1), two = WindowID(2), three = WindowID(3)

    private func world() -> CoreWorld {
        var world = CoreWorld(idiom: .mac, preferences: Preferences(newWindows: .always))
        for raw in 1...3 as ClosedRange<UInt32> {
            world.create(raw, WindowFacts(appID: "app\(raw)", title: "Window \(raw)", client: UInt64(raw), isBare: true))
            world.setNatural(Size(400, 300), of: WindowID(raw))
            world.map(raw)
        }
        world.rest()
        return world
    }

    private func shown(_ world: CoreWorld) -> [WindowID] { world.workspace.shownRoots }

    @Test("a window goes to a space of its own and back; the space goes with it")
    func moves() {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        #expect(
            world.workspace.spaces.map(\.windows) == [[one, two], [three]] && shown(world) == [three] && world.workspace.focus == three)
        world.act(.previousSpace)
        #expect(shown(world) == [one, two] && world.workspace.focus == two)
        world.act(.moveToSpace(window: two, 1))
        #expect(world.workspace.spaces.map(\.windows) == [[one], [three, two]] && world.workspace.focus == two)
        world.act(.moveToSpace(window: two, -1))
        world.act(.moveToSpace(window: three, -1))
        #expect(world.workspace.spaces.count == 1 && Set(shown(world)) == [one, two, three] && world.finish() == [])
    }

    @Test("a new space is empty until an app opens there; left empty it is gone")
    func newSpace() {
        var world = world()
        world.act(.newSpace)
        #expect(shown(world) == [] && world.workspace.focus == nil && !world.workspace.showsHome && world.workspace.spaces.count == 2)
        world.act(.newSpace)
        #expect(world.workspace.spaces.count == 2, "the space in front is empty already")
        world.act(.previousSpace)
        #expect(world.workspace.spaces.count == 1 && world.workspace.focus == three)
        world.act(.newSpace)
        world.open(4)
        world.rest()
        #expect(world.workspace.spaces.map(\.windows) == [[one, two, three], [WindowID(4)]] && world.workspace.focus == WindowID(4))
        world.destroy(WindowID(4))
        world.rest()
        #expect(world.workspace.spaces.count == 1 && world.workspace.focus == three && world.finish() == [])
    }

    @Test("whoever is asked for brings its space in front, with its keys")
    func asked() {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        world.act(.focus(window: one))
        #expect(shown(world) == [two, one] && world.workspace.focus == one && world.finish() == [])
    }

    @Test("three fingers sideways go to the next space and take their touches from the app; upwards they open the app switcher")
    func threeFingers() throws {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        world.act(.moveToSpace(window: two, 1))
        world.rest()
        let middle = try #require(world.frame(two)).center
        func swipe(_ way: Vector) {
            for finger in 0..<3 as Range<Int32> { world.touch(finger, down: middle + Vector(Double(finger) * 30 - 30, 0)) }
            for step in 1...10 {
                for finger in 0..<3 as Range<Int32> {
                    world.touch(finger, to: middle + Vector(Double(finger) * 30 - 30, 0) + way * (Double(step) / 10))
                }
                world.wait(16)
            }
            for finger in 0..<3 as Range<Int32> { world.lift(finger) }
            world.rest()
        }
        let before = world.workspace.current
        swipe(Vector(700, 0))
        #expect(world.workspace.current != before && shown(world) == [one])
        swipe(Vector(-700, 0))
        #expect(world.workspace.current == before)
        swipe(Vector(0, -300))
        #expect(world.interface.openNames == ["switcher"])
        let problems = world.finish()
        #expect(problems == [])
    }

    @Test("three fingers catch a space in flight, and lead out of the app switcher as they led in", arguments: [true, false])
    func caught(lifts: Bool) throws {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        world.act(.moveToSpace(window: two, 1))
        world.rest()
        let middle = Point(590, 400), before = world.workspace.current
        func down() { for finger in 0..<3 as Range<Int32> { world.touch(finger, down: middle + Vector(Double(finger) * 30 - 30, 0)) } }
        func move(_ way: Vector, from: Vector = .zero) {
            for step in 1...10 {
                for finger in 0..<3 as Range<Int32> {
                    world.touch(finger, to: middle + Vector(Double(finger) * 30 - 30, 0) + from + way * (Double(step) / 10))
                }
                world.wait(16)
            }
        }
        down()
        move(Vector(700, 0))
        world.liftAll()
        world.wait(60)
        #expect(world.workspace.current != before && world.system.isMoving(at: world.now))
        down()
        let caught = try #require(world.system.shownFrame(of: one, at: world.now))
        world.wait(400)
        #expect(world.system.shownFrame(of: one, at: world.now) == caught && world.system.isGesturing)
        move(Vector(-700, 0))
        world.liftAll()
        world.rest()
        #expect(world.workspace.current == before, "they bring it back")

        down()
        move(Vector(0, -300))
        #expect(world.interface.openNames == ["switcher"])
        if lifts {
            world.liftAll()
            world.rest()
            down()
        }
        move(Vector(0, 300), from: lifts ? .zero : Vector(0, -300))
        #expect(world.interface.openNames == [])
        world.liftAll()
        world.rest()
        #expect(world.workspace.current == before && world.finish() == [])
    }

    @Test("three fingers stay with the app where they spread, and in idioms without that zone")
    func notTaken() throws {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        let middle = try #require(world.frame(three)).center, before = world.workspace.current
        for finger in 0..<3 as Range<Int32> { world.touch(finger, down: middle) }
        for step in 1...10 {
            let way = Double(step) * 12
            world.touch(0, to: middle + Vector(-way, 0))
            world.touch(1, to: middle + Vector(way, 0))
            world.touch(2, to: middle + Vector(0, -way))
        }
        world.liftAll()
        world.rest()
        #expect(world.workspace.current == before && world.interface.openNames == [] && world.finish() == [])
    }

    @Test("the app switcher shows the spaces in a row, and the windows of the one in front; a card that is dropped on a tile goes there")
    func row() throws {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        world.act(.previousSpace)
        world.act(.appSwitcher)
        world.rest()
        func tiles() -> [ViewControl] { world.controls.filter { "\($0.id)".contains("desk/") && $0.role == .button } }
        #expect(tiles().count == 3 && tiles().map(\.isChosen) == [true, false, false])
        let cards = world.controls.filter { $0.role == .card }
        #expect(cards.count == 2)
        for (index, control) in tiles().enumerated() {
            for other in tiles().dropFirst(index + 1) { #expect(!control.frame.intersects(other.frame)) }
            for card in cards { #expect(!control.frame.intersects(card.frame)) }
        }
        let card = try #require(cards.first { "\($0.id)".contains("window/\(two.raw)") })
        world.touch(down: card.frame.center)
        world.slide(to: card.frame.center + Vector(0, -40))
        world.slide(to: tiles()[1].frame.center)
        world.lift()
        world.rest()
        #expect(world.workspace.spaces.map { Set($0.windows) } == [[one], [two, three]])
        world.act(.appSwitcher)
        world.rest()
        if world.interface.openNames.isEmpty {
            world.act(.appSwitcher)
            world.rest()
        }
        world.tap(at: tiles()[0].frame.center)
        world.rest()
        #expect(shown(world) == [one] && world.interface.openNames == [] && world.finish() == [])
    }

    @Test("W-20: the windows of each space share one again after a restart, and idioms without spaces change nothing in them")
    func kept() throws {
        var world = world()
        world.act(.moveToSpace(window: three, 1))
        world.act(.moveToSpace(window: two, 1))
        let spaces = world.workspace.spaces.map { Set($0.windows) }
        world.send(.idiomsKnown([.mac, .phone]))
        world.act(.idiom("phone"))
        world.rest()
        world.act(.idiom("mac"))
        world.rest()
        #expect(world.workspace.spaces.map { Set($0.windows) } == spaces)
        let kept = world.workspace.kept { window in (["app\(window.id.raw)"], nil, nil) }
        var next = Workspace(idiom: .mac)
        next.setScreen(Screen(size: Size(1180, 820)))
        next.restore(kept, first: WindowID(101), at: .zero)
        #expect(next.spaces.map(\.windows.count) == [1, 2] && next.violations() == [])
    }

    @Test("an idiom without spaces refuses them by name")
    func refused() throws {
        var world = CoreWorld(idiom: .vision)
        world.open(1)
        for action in [Action.newSpace, .moveToSpace(1)] {
            #expect(world.act(action).contains { "\($0)".contains("vision") })
        }
        #expect(world.finish() == [])
    }
}
