import Geometry
import Testing
import Windows

@testable import Lifecycle

@Suite("State that apps hand over")
struct SavingTests {
    private func asked(_ world: World) -> [StateID] {
        world.effects.compactMap { if case .saveState(let state, _) = $0 { state } else { nil } }
    }

    private func token(_ world: World, _ state: StateID = World.text) -> SaveToken? {
        for case .saveState(state, let token) in world.effects.reversed() { return token }
        return nil
    }

    @Test("S-04: what a process offers before it has a window is asked for once it has one")
    func early() {
        var world = World()
        world.handle(.stateOffered(World.text, World.editor))
        world.handle(.stateChanged(World.text))
        world.wait(5)
        #expect(asked(world).isEmpty)
        world.change { $0.windowCame(World.page, of: World.editor, name: "editor", &$1) }
        world.look(World.page)
        world.look()
        #expect(asked(world) == [World.text])
        #expect(world.life.violations().isEmpty)
    }

    @Test("what is withdrawn is not asked for, and nobody waits for it")
    func withdrawn() {
        var world = World.twoApps(offersState: true)
        world.handle(.stateOffered(StateID(2), World.editor))
        world.look(World.film)
        #expect(asked(world) == [World.text, StateID(2)])
        world.wait(10.001)
        #expect(world.life.phase(World.editor) == .saving)
        world.handle(.stateWithdrawn(World.text))
        #expect(world.life.phase(World.editor) == .saving)
        world.handle(.stateMissing(StateID(2), token(world, StateID(2))!))
        #expect(world.life.phase(World.editor) == .freezing)
    }

    @Test("an offer follows its process when that turns out to be another app's")
    func moves() {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        world.handle(.stateOffered(World.text, World.player))
        world.effects = []
        world.look(World.page)
        #expect(asked(world) == [World.text])
        #expect(world.life.violations().isEmpty)
    }

    @Test("S-04: what changed is asked for a moment later, once however often it changes")
    func changes() {
        var world = World.twoApps(offersState: true)
        for _ in 0..<9 {
            world.handle(.stateChanged(World.text))
            world.wait(0.1)
        }
        #expect(asked(world).isEmpty)
        world.wait(0.2)
        #expect(asked(world) == [World.text])
        // Nobody answered; the next change is asked for all the same.
        world.handle(.stateChanged(World.text))
        world.wait(1.1)
        #expect(asked(world).count == 2)
        world.wait(60)
        #expect(asked(world).count == 2)
    }

    @Test("an answer is awaited until it comes, the app is asked again, or its time is over")
    func awaited() throws {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        let first = try #require(token(world))
        #expect(world.life.awaits(World.text, first))
        world.wait(10.001)
        let second = try #require(token(world))
        #expect(!world.life.awaits(World.text, first) && world.life.awaits(World.text, second))
        world.wait(2.1)
        #expect(!world.life.awaits(World.text, second), "it is frozen")
    }

    @Test("S-13: before sleep every app is asked, and the answers of all are waited for")
    func all() throws {
        var world = World.twoApps(offersState: true)
        world.handle(.stateOffered(StateID(2), World.player))
        world.handle(.saveAll)
        #expect(asked(world) == [World.text, StateID(2)])
        world.handle(.stateSaved(World.text, try #require(token(world))))
        #expect(!world.effects.contains(.allSaved))
        world.handle(.stateMissing(StateID(2), try #require(token(world, StateID(2)))))
        #expect(world.effects.last == .allSaved)
        world.wait(10)
        #expect(world.effects.filter { $0 == .allSaved }.count == 1)
    }

    @Test("the wait for everything ends after two seconds, with the last app, and at once where nobody offers anything")
    func allEnds() {
        var world = World.twoApps(offersState: true)
        world.handle(.saveAll)
        world.wait(1.9)
        #expect(!world.effects.contains(.allSaved))
        world.wait(0.2)
        #expect(world.effects.last == .allSaved)

        world.handle(.saveAll)
        world.change { $0.windowWent(World.page, &$1) }
        #expect(world.effects.last == .allSaved)

        world.effects = []
        world.handle(.saveAll)
        #expect(world.effects == [.allSaved])
    }

    @Test("what is frozen was asked before, and is not asked again")
    func frozen() {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        world.wait(20)
        world.effects = []
        world.handle(.stateChanged(World.text))
        world.handle(.saveAll)
        #expect(world.effects == [.allSaved])
        world.wait(5)
        #expect(asked(world).isEmpty)
        #expect(world.life.phase(World.editor) == .frozen)
    }
}
