import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-19, W-20: what a person started a moment before the shell ended")
struct LostLaunchTests {
    private static let apps = [App(id: "editor", name: "Editor", command: ["editor"])]

    private func launches(_ effects: [Effect]) -> [(id: LaunchID, command: [String])] {
        effects.compactMap { if case .program(.launch(let id, let command, _)) = $0 { (id, command) } else { nil } }
    }

    /// A world in which a person started the editor.
    private func asked() throws -> (world: CoreWorld, launch: LaunchID) {
        var world = CoreWorld()
        world.send(.appsChanged(Self.apps))
        let launch = try #require(launches(world.act(.launch(command: ["editor"]))).first)
        return (world, launch.id)
    }

    /// The next shell, some seconds after the person's act, and what it starts at once.
    private func next(_ kept: KeptArrangement, after milliseconds: Double = 1000) -> (
        world: CoreWorld, started: [(id: LaunchID, command: [String])]
    ) {
        var world = CoreWorld()
        world.send(.appsChanged(Self.apps))
        world.wait(milliseconds)
        let effects = world.send(.restored(kept, first: WindowID(50)))
        return (world, launches(effects))
    }

    private func come(_ world: inout CoreWorld, _ process: Int32) {
        world.create(1, WindowFacts(appID: "editor", title: "Editor", lineage: [process, 1], client: 7))
        world.map(1)
    }

    @Test("a program that was not started yet is started as soon as none can be on its way, once")
    func notStarted() throws {
        let kept = try asked().world.system.kept
        #expect(kept.launching?.map(\.command) == [["editor"]] && kept.launching?.first?.process == nil)
        var (world, started) = next(kept)
        #expect(started.isEmpty, "the last shell may have started it just before its end")
        #expect(
            world.system.kept.launching == [KeptLaunch(app: "editor", command: ["editor"], when: .milliseconds(2000))],
            "not lost if this one ends before")
        let again = launches(world.wait(6000))
        #expect(again.map(\.command) == [["editor"]])
        world.send(.launched(try #require(again.first).id, process: 800))
        come(&world, 800)
        #expect(world.workspace.waiting == [] && world.workspace.focus == one && world.finish() == [])
        // That shell ends, too: the program may be why.
        (world, started) = next(world.system.kept, after: 8000)
        #expect(started.isEmpty && launches(world.wait(6000)).isEmpty)
    }

    @Test("a program that was started all the same shows its window as asked, and is not started twice")
    func startedUnseen() throws {
        var (world, started) = next(try asked().world.system.kept)
        world.wait(1000)
        come(&world, 800)
        #expect(started.isEmpty && world.workspace.waiting == [] && world.workspace.focus == one)
        #expect(launches(world.wait(6000)).isEmpty && world.finish() == [])
    }

    @Test("its window may come before the next shell has read what was kept")
    func early() throws {
        let kept = try asked().world.system.kept
        var world = CoreWorld()
        world.send(.appsChanged(Self.apps))
        world.open(2)
        come(&world, 800)
        #expect(world.workspace.waiting == [one])
        world.send(.restored(kept, first: WindowID(50)))
        #expect(world.workspace.waiting == [] && world.workspace.focus == one)
        #expect(launches(world.wait(6000)).isEmpty && world.finish() == [])
    }

    @Test("a program that ended with the last shell is started at once, and only once")
    func endedWithIt() throws {
        var (world, launch) = try asked()
        world.send(.launched(launch, process: 700))
        world.send(.programKnown(AppProcess(700), command: ["editor"], directory: nil, started: 5))
        var kept = world.system.kept
        #expect(kept.launching?.map(\.process) == [KeptProcess(number: 700, started: 5)])
        kept.launching?[0].process = nil
        kept.launching?[0].isGone = true
        var started: [(id: LaunchID, command: [String])]
        (world, started) = next(kept)
        #expect(started.map(\.command) == [["editor"]])
        world.send(.launched(try #require(started.first).id, process: 800))
        world.send(.programKnown(AppProcess(800), command: ["editor"], directory: nil, started: 6))
        kept = world.system.kept
        #expect(kept.launching?.map(\.isAgain) == [true])
        kept.launching?[0].process = nil
        kept.launching?[0].isGone = true
        (world, started) = next(kept, after: 2000)
        #expect(started.isEmpty && launches(world.wait(6000)).isEmpty && world.finish() == [])
    }

    @Test("one that ends a moment later without a window is started again once, unless its app has windows", arguments: [true, false])
    func endsLater(hasWindow: Bool) throws {
        var (world, launch) = try asked()
        world.send(.launched(launch, process: 700))
        world.send(.programKnown(AppProcess(700), command: ["editor"], directory: nil, started: 5))
        var started: [(id: LaunchID, command: [String])]
        (world, started) = next(world.system.kept)
        #expect(started.isEmpty)
        if hasWindow { come(&world, 600) }
        started = launches(world.send(.outlivedProgramEnded(700)))
        #expect(started.map(\.command) == (hasWindow ? [] : [["editor"]]))
        #expect(launches(world.wait(6000)).isEmpty && world.finish() == [])
    }

    @Test("a launch of long ago, or of before the machine started, is not started again", arguments: [16_000, 0])
    func old(moment: Double) throws {
        var world = CoreWorld()
        world.wait(100)
        world.send(.appsChanged(Self.apps))
        world.act(.launch(command: ["editor"]))
        var (later, started) = next(world.system.kept, after: moment)
        #expect(started.isEmpty && launches(later.wait(6000)).isEmpty)
    }

    @Test("the command with which the shell begins is started by the next one anyway")
    func ownCommand() throws {
        var world = CoreWorld()
        world.send(.beginsWith(["editor"]))
        #expect(world.system.kept.launching == nil)
    }

    @Test("after a crash the program of the command line stays where it was, and a new session begins with it", arguments: [true, false])
    func inItsPlace(isAgain: Bool) throws {
        var world = CoreWorld()
        world.send(.appsChanged(Self.apps))
        let launch = try #require(launches(world.send(.beginsWith(["editor"]))).first)
        world.send(.launched(launch.id, process: 800))
        come(&world, 800)
        let other = try #require(launches(world.act(.launch(command: ["mail"]))).first)
        world.send(.launched(other.id, process: 900))
        world.create(2, WindowFacts(appID: "mail", title: "Mail", lineage: [900, 1], client: 8))
        world.map(2)
        world.rest()
        #expect(world.workspace.focus == two)
        var (later, started) = next(world.system.kept)
        started += launches(later.send(.beginsWith(["editor"], isAgain: isAgain)))
        later.rest()
        let front = later.workspace.currentSpace?.windows.first.flatMap { later.workspace[$0]?.app }
        #expect(front == (isAgain ? "mail" : "editor") && started.isEmpty)
    }
}
