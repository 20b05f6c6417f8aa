import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("S-06, W-19: a frozen app is called by a socket")
struct ConnectionTests {
    /// One app out of sight and frozen, another one in front.
    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.act(.focus(window: two))
        world.wait(11_000)
        return world
    }

    private func isThawed(_ effects: [Effect]) -> Bool { effects.contains(.life(.thaw(AppProcess(101)))) }

    @Test(
        "S-06, W-19: a connection that waits thaws the app; it comes forward if a program connects that a person just started",
        arguments: [
            (nil, false), (1000, true), (16_000, false),
        ] as [(Int?, Bool)])
    func connected(launchedBefore: Int?, comesForward: Bool) throws {
        var world = world()
        #expect(world.system.lifecycle.phase(AppProcess(101)) == .frozen)
        if let launchedBefore {
            let ids = world.act(.launch(command: ["client", "file"])).compactMap {
                if case .program(.launch(let id, _, _)) = $0 { id } else { nil }
            }
            world.send(.launched(try #require(ids.first), process: 900))
            world.wait(Double(launchedBefore))
        }
        let effects = world.send(.life(.connected(AppProcess(101), callers: [901, 900, 1])))
        #expect(isThawed(effects))
        #expect(world.workspace.focus == (comesForward ? one : two))
        world.wait(4000)
        #expect(world.system.lifecycle.phase(AppProcess(101)) == (comesForward ? .active : .background))
        #expect(world.finish() == [])
    }

    @Test("S-06: a connection of a program that nobody knows brings nothing forward")
    func unknown() throws {
        var world = world()
        let ids = world.act(.launch(command: ["client", "file"])).compactMap {
            if case .program(.launch(let id, _, _)) = $0 { id } else { nil }
        }
        world.send(.launched(try #require(ids.first), process: 900))
        world.send(.life(.connected(AppProcess(101), callers: [])))
        #expect(world.workspace.focus == two && world.finish() == [])
    }
}
