import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("S-11: one app at a time, as data")
struct WatchTests {
    private func world() -> CoreWorld {
        var world = CoreWorld(size: Size(240, 280), idiom: .watch)
        world.send(.appsChanged([
            App(id: "app1", name: "One", command: ["one"]), App(id: "app2", name: "Two", command: ["two"]),
        ]))
        world.open(1)
        world.open(2)
        world.rest()
        return world
    }

    @Test("S-11: no multitasking window of any kind")
    func noWindows() {
        var world = world()
        for action: Action in [.splitView(side: .left), .slideOver(), .pictureInPicture(), .controls(), .appShelf(), .appExpose()] {
            let effects = world.act(action)
            #expect(effects.contains { if case .session(.refuse) = $0 { true } else { false } }, "\(action) was granted")
        }
        #expect(world.workspace.spaces.allSatisfy { $0.windows.count == 1 })
        #expect(!world.system.items(at: world.now).contains { $0.key.part == .grip })
        #expect(world.finish() == [])
    }

    @Test("S-11: a tap at the top of a window is the app's")
    func noDots() {
        var world = world()
        let effects = world.touch(down: Point(120, 24))
        #expect(effects.contains { if case .client(.touchDown(_, WindowID(2), _)) = $0 { true } else { false } })
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("S-11: between favourites by the dock, between those used last by the app switcher")
    func switching() {
        var world = world()
        world.act(.openApp(app: "app1"))
        world.rest()
        #expect(world.workspace.focus == WindowID(1))
        world.act(.newWindow(app: "app2"))
        world.rest()
        #expect(world.workspace.focus == WindowID(2))
        #expect(!world.effects.contains { if case .program(.launch) = $0 { true } else { false } })
        world.act(.appSwitcher)
        world.rest()
        let cards = world.system.controls(at: world.now).filter { $0.role == .card }
        #expect(cards.map(\.press) == [.showSpace(world.workspace.spaces[1].id), .showSpace(world.workspace.spaces[0].id)])
        #expect(world.finish() == [])
    }
}
