import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

/// The views at the end of the session, and after a shell that failed several times.
@Suite struct LogOutTests {
    private let disc = InhibitorID(1), client = SessionClientID(1)

    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.send(.life(.clientRegistered(client, SessionOwner(process: AppProcess(101), name: ""))))
        return world
    }

    private func inhibit(_ world: inout CoreWorld) {
        let owner = SessionOwner(process: AppProcess(101), name: "")
        world.send(.life(.inhibited(Inhibitor(disc, of: owner, reason: "Burning a disc", kinds: .logOut))))
    }

    private func texts(_ world: CoreWorld) -> [String] {
        world.controls.filter { $0.id.area == .logOut }.map { "\($0.name)" }
    }

    private func quits(_ world: CoreWorld) -> Int { world.effects.count { $0 == .quit } }

    @Test("with nobody who objects the session ends as soon as programs have come to their ends")
    func agreed() {
        var world = world()
        world.act(.quit)
        #expect(quits(world) == 0 && !world.system.interface.openNames.contains("log-out"))
        world.send(.life(.clientAnswered(client, objection: nil)))
        #expect(world.effects.contains(.life(.endClient(client, isForced: false))) && quits(world) == 0)
        world.send(.life(.clientAnswered(client, objection: nil)))
        #expect(quits(world) == 1)
    }

    @Test("who objects is seen with the reason; whoever closes the view stays", arguments: [Action.dismiss, .home, .appSwitcher])
    func stays(action: Action) {
        var world = world()
        inhibit(&world)
        world.act(.quit)
        #expect(world.system.interface.openNames.contains("log-out"))
        #expect(texts(world).contains { $0.contains("Burning a disc") }, "\(texts(world))")
        world.act(action)
        if world.system.interface.openNames.contains("log-out") { world.act(.dismiss) }
        #expect(!world.system.interface.openNames.contains("log-out"))
        #expect(world.effects.contains(.life(.cancelEnd(client))) && quits(world) == 0)
        #expect(world.finish().isEmpty)
    }

    @Test("who is named and done takes the view away, and the session ends; anyway it ends at once")
    func goesOn() {
        var world = world()
        inhibit(&world)
        world.act(.quit)
        world.send(.life(.clientAnswered(client, objection: "A film is not saved")))
        #expect(world.system.interface.openNames.contains("log-out"))
        // Both are the same app, which is named once.
        #expect(texts(world).count { $0.contains("Burning a disc") } == 1 && !texts(world).contains { $0.contains("film") })
        world.send(.life(.uninhibited(disc)))
        #expect(texts(world).contains { $0.contains("A film is not saved") })
        world.act(.quitAnyway)
        #expect(!world.system.interface.openNames.contains("log-out"))
        #expect(world.effects.contains(.life(.endClient(client, isForced: true))))
        world.wait(5100)
        #expect(quits(world) == 1)
    }

    @Test("who locks the screen stays, and a locked screen does not log out")
    func locked() {
        var world = world()
        inhibit(&world)
        world.act(.quit)
        world.lock()
        #expect(world.effects.contains(.life(.cancelEnd(client))))
        #expect(world.act(.quit).contains(.refuse(Refusal("the screen is locked"))))
        world.unlock()
        #expect(!world.system.interface.openNames.contains("log-out") && world.finish().isEmpty)
    }

    // MARK: Windows set aside

    @Test("W-20: the question stays until it is answered, whatever starts or locks meanwhile")
    func asked() {
        var world = CoreWorld()
        world.send(.windowsSetAside(3))
        #expect(world.system.interface.openNames == ["windows-aside"])
        world.lock()
        world.unlock()
        #expect(world.system.interface.openNames == ["windows-aside"])
        world.act(.launch(command: ["foot"]))
        world.open(1)
        #expect(world.system.interface.openNames == ["windows-aside"])
        // A finger beside it is no answer.
        #expect(world.act(.dismiss).contains(.refuse(Refusal("say whether the windows come back"))))
        #expect(world.system.interface.openNames == ["windows-aside"])
        #expect(!world.effects.contains(.forgetWindowsAside))
        world.act(.press(view: "windows-aside/clean"))
        // The next start does not ask.
        #expect(world.effects.count { $0 == .forgetWindowsAside } == 1)
        world.open(2)
        #expect(world.system.interface.openNames.isEmpty && !world.effects.contains(.bringWindowsBack))
        // By hand it is not too late.
        #expect(world.act(.bringWindowsBack).contains(.bringWindowsBack))
        #expect(world.act(.bringWindowsBack).contains(.refuse(Refusal("no windows were set aside"))))
        #expect(world.finish().isEmpty)
    }

    @Test("W-20: the windows are brought back once")
    func broughtBack() {
        var world = CoreWorld()
        world.send(.windowsSetAside(1))
        #expect(world.act(.press(view: "windows-aside/back")).contains(.bringWindowsBack))
        #expect(!world.effects.contains(.forgetWindowsAside))
        #expect(world.system.interface.openNames.isEmpty && world.finish().isEmpty)
    }

    @Test("nothing set aside is no question")
    func nothing() {
        var world = CoreWorld()
        world.send(.windowsSetAside(0))
        #expect(world.system.interface.openNames.isEmpty)
    }
}
