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
        #expect(world.effects.contains(.life(.askToEnd(AppProcess(101)))) && quits(world) == 0)
        world.destroy(WindowID(1))
        #expect(quits(world) == 1)
    }

    // MARK: Windows are asked to close

    /// Two apps that never heard of the end of a session.
    private func plain() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        return world
    }

    @Test("law 5: a log-out asks every window to close, frozen or not, and ends the session when all are gone")
    func asksWindows() {
        var world = plain()
        world.wait(11_000)
        #expect(world.system.lifecycle.isFrozen(WindowID(1)))
        world.act(.quit)
        let thaw = world.effects.firstIndex(of: .life(.thaw(AppProcess(101)))), close = world.effects.firstIndex(of: .close(WindowID(1)))
        #expect(thaw != nil && close != nil && thaw! < close!, "\(world.effects)")
        #expect(world.effects.contains(.close(WindowID(2))) && quits(world) == 0)
        world.destroy(WindowID(1))
        world.destroy(WindowID(2))
        #expect(quits(world) == 1 && world.system.interface.openNames.isEmpty && world.finish().isEmpty)
    }

    @Test(
        "W-20: what the log-out closed is kept for the next session, with its place and last picture, until the person stays",
        arguments: [true, false])
    func keeps(stays: Bool) {
        var world = plain()
        for id in [1, 2] as [Int32] { world.send(.programKnown(AppProcess(100 + id), command: ["app\(id)"], directory: nil)) }
        world.act(.splitView(window: WindowID(1), side: .left))
        let before = world.system.kept
        #expect(before.windows.count == 2 && before.spaces.count == 1)
        world.act(.quit)
        #expect(world.effects.contains(.keepPicture(WindowID(1))))
        world.destroy(WindowID(1))
        world.send(.pictureKept(WindowID(1), name: "last.png"))
        var expected = before
        expected.windows[expected.windows.firstIndex { $0.number == 1 }!].picture = "last.png"
        #expect(world.system.kept == expected)
        world.wait(2100)
        #expect(world.system.interface.openNames == ["log-out"] && world.system.kept == expected)
        if stays {
            world.act(.dismiss)
            #expect(world.system.kept.windows.map(\.number) == [2])
        } else {
            world.act(.quitAnyway)
            world.destroy(WindowID(2))
            #expect(quits(world) == 1 && world.system.kept == expected)
        }
        #expect(world.finish().isEmpty)
    }

    @Test("M-10: who shows a question is named with a way to it; going there cancels the log-out")
    func question() {
        var world = plain()
        world.act(.quit)
        world.open(3, WindowFacts(appID: "app1", title: "Save?", lineage: [101, 1], parent: WindowID(1)))
        #expect(world.system.interface.openNames == ["log-out"])
        #expect(texts(world).contains { $0.contains("awaitsAnswer") }, "\(texts(world))")
        world.act(.press(view: "log-out/app/0"))
        #expect(!world.system.interface.openNames.contains("log-out") && world.system.workspace.focus == WindowID(3))
        #expect(!world.system.lifecycle.isLoggingOut)
        // Unanswered, it is named again.
        world.act(.quit)
        world.wait(2100)
        #expect(texts(world).contains { $0.contains("awaitsAnswer") }, "\(texts(world))")
        world.act(.press(view: "log-out/app/0"))
        #expect(world.system.workspace.focus == WindowID(3))
        // The person answers, and goes on.
        world.destroy(WindowID(3))
        world.destroy(WindowID(1))
        world.destroy(WindowID(2))
        #expect(quits(world) == 0 && world.finish().isEmpty)
    }

    @Test("apps that stay are named after two seconds; Log Out Anyway tells them to end, with the seconds that they have")
    func countsDown() {
        var world = plain()
        world.act(.quit)
        world.wait(1900)
        #expect(world.system.interface.openNames.isEmpty)
        world.wait(200)
        #expect(world.system.interface.openNames == ["log-out"] && texts(world).count { $0.contains("stillOpen") } == 2, "\(texts(world))")
        world.act(.press(view: "log-out/anyway"))
        #expect(world.effects.contains(.life(.askToEnd(AppProcess(101)))) && world.system.interface.openNames == ["log-out"])
        #expect(texts(world).contains { $0.contains("sessionEndsMessage") && $0.contains("5") }, "\(texts(world))")
        world.destroy(WindowID(2))
        world.wait(1100)
        #expect(
            texts(world).contains { $0.contains("sessionEndsMessage") && $0.contains("4") }
                && texts(world).count { $0.contains("stillOpen") } == 1)
        world.wait(4000)
        #expect(quits(world) == 1 && world.effects.contains(.life(.endByForce(AppProcess(101)))))
    }

    @Test("a window in a sandbox is named by its engine, not by the app id that it claims, in both views that end apps")
    func sandboxIsNamed() {
        var world = CoreWorld()
        world.send(
            .appsChanged([App(id: "bank", name: "The Bank", command: ["bank"]), App(id: "game", name: "A Game", command: ["game"])]))
        world.open(1, WindowFacts(appID: "bank", title: "Coins", lineage: [101, 1], sandbox: .app("game", engine: Identity.flatpak)))
        world.open(2, WindowFacts(appID: "bank", title: "Cellar", lineage: [102, 1], sandbox: .container(7)))
        world.act(.quit)
        world.wait(2100)
        #expect(texts(world).contains { $0.contains("A Game") } && texts(world).contains { $0.contains("Cellar") }, "\(texts(world))")
        #expect(!texts(world).contains { $0.contains("Bank") }, "\(texts(world))")
        #expect(world.workspace.appName(of: WindowID(1)) == "A Game")
    }

    @Test("a shutdown shows who asks and how long it waits; nobody can stop it, and a person can go to the app")
    func shutsDown() {
        var world = plain()
        world.send(.power(.shutsDown))
        #expect(world.effects.contains(.close(WindowID(1))) && world.system.interface.openNames.isEmpty)
        world.open(3, WindowFacts(appID: "app1", title: "Save?", lineage: [101, 1], parent: WindowID(1)))
        #expect(texts(world).contains { $0.contains("turnsOffMessage") && $0.contains("4") }, "\(texts(world))")
        world.act(.press(view: "log-out/app/0"))
        #expect(!world.system.interface.openNames.contains("log-out") && world.system.workspace.focus == WindowID(3))
        #expect(world.system.lifecycle.isShuttingDown)
        world.wait(4100)
        #expect(world.effects.count { $0 == .power(.ready) } == 1 && quits(world) == 0)
        world.send(.power(.staysOn))
        #expect(world.finish().isEmpty)
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
        #expect(world.effects.contains(.life(.endClient(client, isForced: true))))
        world.wait(5100)
        #expect(quits(world) == 1)
    }

    @Test(
        "law 5: while one app objects, those whose titles say that something is not saved are named, too; a title alone stops nothing",
        arguments: [
            "*untitled - Geany", "*Untitled 1 - Mousepad", "\u{25cf} main.swift - Code", "notes.txt* \u{2014} KWrite", "letter.odt*",
        ])
    func marked(title: String) {
        var world = world()
        inhibit(&world)
        world.open(2, WindowFacts(appID: "editor", title: title, lineage: [102, 1]))
        world.open(3, WindowFacts(appID: "viewer", title: "2 * 3 = 6", lineage: [103, 1]))
        world.act(.quit)
        func rows() -> Int {
            world.controls.count { $0.id.area == .logOut && $0.id.path.hasPrefix("app/") && $0.id.path.hasSuffix("reason") }
        }
        #expect(rows() == 2 && texts(world).contains { $0.contains("unsavedChanges") }, "\(texts(world))")
        #expect(!world.effects.contains(.close(WindowID(2))))
        // It is saved meanwhile, or changed again.
        world.rename(WindowID(2), WindowFacts(appID: "editor", title: "saved", lineage: [102, 1]))
        world.rest()
        #expect(rows() == 1)
        world.rename(WindowID(2), WindowFacts(appID: "editor", title: title, lineage: [102, 1]))
        world.rest()
        #expect(rows() == 2)
        // The person read of both. Only the third app may have a question.
        world.act(.press(view: "log-out/anyway"))
        #expect(world.effects.contains(.close(WindowID(3))) && !world.effects.contains(.close(WindowID(2))) && quits(world) == 0)
        world.destroy(WindowID(3))
        #expect(world.effects.contains(.life(.askToEnd(AppProcess(102)))))
        world.destroy(WindowID(2))
        world.wait(5100)
        #expect(quits(world) == 1)

        var other = CoreWorld()
        other.open(2, WindowFacts(appID: "editor", title: title, lineage: [102, 1]))
        other.act(.quit)
        #expect(other.effects.contains(.close(WindowID(2))) && other.system.interface.openNames.isEmpty)
        #expect(world.finish().isEmpty && other.finish().isEmpty)
    }

    @Test("law 5: who ends the session over one objection reads of the app that asks only then")
    func asksAfterwards() {
        var world = world()
        inhibit(&world)
        world.open(2)
        world.act(.quit)
        world.act(.press(view: "log-out/anyway"))
        #expect(!world.system.lifecycle.isLogOutStopped && world.effects.contains(.close(WindowID(2))) && quits(world) == 0)
        world.open(3, WindowFacts(appID: "app2", title: "Save?", lineage: [102, 1], parent: WindowID(2)))
        #expect(world.system.interface.openNames == ["log-out"])
        #expect(
            texts(world).contains { $0.contains("awaitsAnswer") } && !texts(world).contains { $0.contains("Burning a disc") },
            "\(texts(world))")
        world.act(.press(view: "log-out/anyway"))
        world.wait(5100)
        #expect(quits(world) == 1 && world.finish().isEmpty)
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
