import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-19, W-20: what a launch brings")
struct LaunchCountTests {
    private static let office = App(
        id: "office", name: "Office", command: ["office"], takesFiles: true,
        filePlace: FilePlace(index: 1, isMany: true, takesAddresses: true))

    private func launch(_ world: inout CoreWorld, _ command: [String], process: Int32) throws -> LaunchID {
        let ids = world.act(.launch(command: command)).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }
        let id = try #require(ids.first)
        world.send(.launched(id, process: process))
        return id
    }

    private func come(_ world: inout CoreWorld, _ raw: UInt32, _ facts: WindowFacts) {
        world.create(raw, facts)
        world.map(raw)
    }

    // MARK: Dialogs

    @Test(
        "a dialog that comes first uses no launch up, and stands on the window when that comes", arguments: [true, false], [true, false])
    func dialogFirst(hasParent: Bool, isX11: Bool) throws {
        var world = CoreWorld()
        world.open(1)
        let id = try launch(&world, ["sound"], process: 700)
        if hasParent { world.create(3, WindowFacts(appID: "sound", title: "Sound", lineage: [700, 1], client: 7, isX11: isX11)) }
        come(
            &world, 2,
            WindowFacts(
                appID: "sound", title: "Welcome", lineage: [700, 1], client: 7, parent: hasParent ? WindowID(3) : nil, isX11: isX11,
                isModal: hasParent ? false : true))
        #expect(world.workspace.isShown(two) && world.workspace.launches[id]?.isUsed == false)
        if !hasParent { world.create(3, WindowFacts(appID: "sound", title: "Sound", lineage: [700, 1], client: 7, isX11: isX11)) }
        world.map(3)
        #expect(world.workspace.waiting == [] && world.workspace.isShown(three) && world.workspace.isShown(two))
        #expect(world.place(two) == .dialog(of: three) && world.workspace.focus == two)
        #expect(world.workspace.launches[id]?.isUsed == true)
        world.destroy(two)
        #expect(world.workspace.focus == three && world.finish() == [])
    }

    @Test("a program that only asks something keeps no launch open for what it opens much later")
    func onlyDialog() throws {
        var world = CoreWorld()
        world.open(1)
        _ = try launch(&world, ["asker"], process: 700)
        come(&world, 2, WindowFacts(appID: "asker", lineage: [700, 1], client: 7, isModal: true))
        world.wait(61_000)
        come(&world, 3, WindowFacts(appID: "asker", lineage: [700, 1], client: 7))
        #expect(world.place(three) == .waiting && world.finish() == [])
    }

    @Test("X-01: an X11 window whose class names no entry belongs to the app whose icon started its process, and no other window does")
    func ofTheIcon() throws {
        var world = CoreWorld()
        world.send(.appsChanged([Self.office]))
        let ids = world.act(.openApp(app: "office")).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }
        world.send(.launched(try #require(ids.first), process: 700))
        come(&world, 2, WindowFacts(appID: "org-example-Main", lineage: [700, 1], client: 7, isX11: true))
        come(&world, 3, WindowFacts(appID: "org-example-Other", lineage: [701, 700, 1], client: 7, isX11: true))
        come(&world, 4, WindowFacts(appID: "org.example.Wayland", lineage: [700, 1], client: 8))
        #expect([2, 3, 4].map { world.workspace[WindowID($0)]?.app } == ["office", "org-example-Other", "org.example.Wayland"])
        #expect(world.finish() == [])
    }

    // MARK: Several files

    @Test("a launch with several files may open a window for each, and no more", arguments: 1...4)
    func files(count: Int) throws {
        var world = CoreWorld()
        world.send(.appsChanged([Self.office]))
        world.open(1)
        _ = try launch(&world, ["office", "--quiet"] + (0..<count).map { "/file\($0)" }, process: 700)
        for raw in 0..<5 {
            world.wait(500)
            come(&world, UInt32(10 + raw), WindowFacts(appID: "office", lineage: [701, 700, 1], client: 7))
        }
        #expect(world.workspace.waiting == (count..<5).map { WindowID(UInt32(10 + $0)) })
        #expect(world.workspace.focus == WindowID(UInt32(9 + count)) && world.finish() == [])
    }

    @Test("the same if the process that runs opens them, and what comes after a person went elsewhere waits")
    func filesOvertaken() throws {
        var world = CoreWorld()
        world.send(.appsChanged([Self.office]))
        world.open(1)
        _ = try launch(&world, ["office"], process: 700)
        come(&world, 2, WindowFacts(appID: "office", lineage: [700, 1], client: 7))
        world.wait(60_000)
        let second = try launch(&world, ["office", "/a", "/b", "/c"], process: 710)
        world.send(.launchEnded(second, status: 0))
        for raw in 10...11 as ClosedRange<UInt32> { come(&world, raw, WindowFacts(appID: "office", lineage: [700, 1], client: 7)) }
        #expect(world.workspace.waiting == [] && world.workspace.focus == WindowID(11))
        world.act(.focus(window: one))
        come(&world, 12, WindowFacts(appID: "office", lineage: [700, 1], client: 7))
        #expect(world.workspace.waiting == [WindowID(12)] && world.workspace.focus == one && world.finish() == [])
    }

    @Test("options and words of the entry are no files, and an app that takes none opens one window")
    func noFiles() throws {
        var world = CoreWorld()
        world.send(.appsChanged([Self.office, App(id: "term", name: "Term", command: ["term"])]))
        world.open(1)
        _ = try launch(&world, ["term", "a", "b"], process: 700)
        for raw in 10...11 as ClosedRange<UInt32> { come(&world, raw, WindowFacts(appID: "term", lineage: [700, 1], client: 7)) }
        #expect(world.workspace.waiting == [WindowID(11)] && world.finish() == [])
    }

    // MARK: Entries

    private static let editors = [
        App(id: "editorclient", name: "Editor (Client)", command: ["sh", "-c", "editorclient"], windowClass: "Editor"),
        App(id: "editor-mail", name: "Editor (Mail)", command: ["editor", "-f", "mail"]),
        App(id: "editor", name: "Editor (GUI)", command: ["/usr/bin/editor"], windowClass: "Editor"),
    ]

    @Test("of several entries that mean a window, the one counts that starts its program", arguments: ["Editor", "editor"])
    func entries(appID: String) throws {
        var world = CoreWorld()
        world.send(.appsChanged(Self.editors))
        world.open(1, WindowFacts(appID: appID, lineage: [700, 1], client: 7))
        #expect(world.workspace[one]?.app == "editor")
        var other = CoreWorld()
        let apps = [
            App(id: "first", name: "A", command: ["first"], windowClass: "Tool"),
            App(id: "second", name: "B", command: ["/usr/bin/second"], windowClass: "Tool"),
        ]
        other.send(.appsChanged(apps))
        other.open(1, WindowFacts(appID: "tool", lineage: [700, 1], client: 7))
        #expect(other.workspace[one]?.app == "first", "nothing says more")
        other.send(.programKnown(AppProcess(700), command: ["second", "x"], directory: nil, started: 5))
        #expect(other.workspace[one]?.app == "second" && other.workspace.windows(of: "second") == [one])
        other.send(.appsChanged(apps))
        #expect(other.workspace[one]?.app == "second")
        _ = try launch(&other, ["second"], process: 800)
        come(&other, 2, WindowFacts(appID: "tool", lineage: [800, 1], client: 8))
        #expect(other.workspace[two]?.app == "second")
        #expect(world.finish() == [] && other.finish() == [])
    }

    @Test(
        "a command starts the entry whose words it has, else the plainest",
        arguments: [
            (["editor", "file"], "editor"), (["editor", "-f", "mail", "x"], "editor-mail"), (["/usr/bin/editor"], "editor"),
        ])
    func commands(command: [String], app: String) {
        var world = CoreWorld()
        world.send(.appsChanged(Self.editors))
        #expect(world.workspace.app(startedBy: command) == app)
    }

    // MARK: What comes back

    @Test(
        "what comes back by itself takes nothing from what a person uses, also with its token or by asking to be active", arguments: 0...3)
    func comesBack(way: Int) throws {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "paint", title: "Paint", lineage: [101, 1], client: 1))
        world.send(.programKnown(AppProcess(101), command: ["paint"], directory: nil, started: 5))
        var kept = world.system.kept
        kept.windows[0].process = nil
        var next = CoreWorld()
        next.send(.appsChanged([App(id: "paint", name: "Paint", command: ["paint"])]))
        let start = try #require(relaunches(next.send(.restored(kept, first: WindowID(50)))).first)
        next.send(.launched(start.id, process: 700))
        // The person goes elsewhere while it starts.
        next.open(2)
        let facts = WindowFacts(appID: "paint", title: "Paint", lineage: [700, 1], client: 7)
        next.create(3, facts)
        if way == 1 { next.send(.activationAsked(three, hasRecentSerial: false, launch: start.id)) }
        if way == 2 { next.send(.activationAsked(three, hasRecentSerial: false, launch: nil)) }
        next.map(3)
        if way == 3 { next.send(.activationAsked(three, hasRecentSerial: false, launch: start.id)) }
        #expect(next.workspace.focus == two && next.workspace.waiting == [] && !next.workspace.isShown(three))
        #expect(next.workspace.placeholders.isEmpty && next.finish() == [])
    }

    // MARK: A shell that is killed while a program starts

    @Test(
        "a program that started as the shell was killed is not started twice, whether it stands for a placeholder or for a tap",
        arguments: [true, false])
    func killedWhileStarting(isPlaceholder: Bool) throws {
        let app = App(id: "paint", name: "Paint", command: ["paint"])
        var world = CoreWorld()
        world.send(.appsChanged([app]))
        var process: Int32 = 700
        if isPlaceholder {
            world.open(1, WindowFacts(appID: "paint", lineage: [101, 1], client: 1))
            world.send(.programKnown(AppProcess(101), command: ["paint"], directory: nil, started: 5))
            var kept = world.system.kept
            kept.windows[0].process = nil
            world = CoreWorld()
            world.send(.appsChanged([app]))
            let start = try #require(relaunches(world.send(.restored(kept, first: WindowID(50)))).first)
            process = 710
            world.send(.launched(start.id, process: process))
        } else {
            _ = try launch(&world, ["paint"], process: process)
        }
        world.send(.programKnown(AppProcess(process), command: ["paint"], directory: nil, started: 9))
        let kept = world.system.kept
        var next = CoreWorld()
        next.send(.appsChanged([app]))
        #expect(relaunches(next.send(.restored(kept, first: WindowID(50)))).isEmpty)
        next.create(2, WindowFacts(appID: "paint", lineage: [process, 1], client: 2))
        next.map(2)
        #expect(next.workspace.windows.count == 1 && next.workspace.waiting == [] && next.workspace.isShown(two))
        next.wait(60_000)
        #expect(relaunches(next.effects).isEmpty && next.finish() == [])
        // It may end without a window.
        var ends = CoreWorld()
        ends.send(.appsChanged([app]))
        ends.send(.restored(kept, first: WindowID(50)))
        ends.send(.outlivedProgramEnded(process))
        #expect(relaunches(ends.effects).count == (isPlaceholder ? 1 : 0) && ends.finish() == [])
    }
}
