import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

func relaunches(_ effects: [Effect]) -> [(id: LaunchID, command: [String])] {
    effects.compactMap { if case .program(.relaunch(let id, let command, _)) = $0 { (id, command) } else { nil } }
}

@Suite("W-19, W-20: which window belongs to which launch")
struct LaunchRuleTests {
    /// An app that may open its windows again by itself, and is no web browser (`BrowserRestoreTests`).
    static let browser = App(
        id: "browser", name: "Browser", command: ["browser"], takesFiles: true, mimeTypes: ["x-scheme-handler/gemini"])
    private static let files = App(id: "files", name: "Files", command: ["files", "--new-window"])

    func launch(_ world: inout CoreWorld, _ action: Action, process: Int32) throws -> LaunchID {
        let ids = world.act(action).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }
        let id = try #require(ids.first)
        world.send(.launched(id, process: process))
        return id
    }

    // MARK: Splashes

    private func office(_ title: String, app: String = "office", process: Int32 = 901, splash: Bool = false) -> WindowFacts {
        WindowFacts(
            appID: splash ? "" : app, title: title, lineage: process == 900 ? [900, 1] : [process, 900, 1], client: 9, isX11: true,
            isSplash: splash)
    }

    @Test(
        "W-19: a splash leaves its place to the window that was asked for, and the next one waits", arguments: [nil, Destination.slideOver])
    func splash(destination: Destination?) throws {
        var world = CoreWorld()
        world.open(1)
        let id = try launch(&world, .launch(command: ["office", "letter"], to: destination), process: 900)
        world.wait(4000)
        world.create(2, office("", process: 900, splash: true))
        world.map(2)
        #expect(world.workspace.isShown(two) && world.workspace.launches[id]?.isUsed == false)
        world.create(3, office("letter"))
        world.map(3)
        if destination == nil { isFull(world, three) } else { #expect(world.place(three) == .slideOver(0)) }
        #expect(world.workspace.focus == three && !world.workspace.isShown(two))
        #expect(world.workspace.launches[id]?.isUsed == true)
        #expect(world.system.kept.windows.allSatisfy { $0.number != 2 })
        world.wait(12_000)
        #expect(world.workspace[two]?.isSuspended == false, "its process has to see the end of the other")
        world.create(4, office("advertisement"))
        world.map(4)
        #expect(world.place(four) == .waiting)
        world.destroy(two)
        #expect(world.workspace.focus == three && world.finish() == [])
    }

    @Test("W-20: the splash of an app that is started again stands on its placeholder, keeps it awake, and gives way")
    func splashOfRestart() throws {
        var world = CoreWorld()
        _ = try launch(&world, .launch(command: ["office", "letter"]), process: 900)
        world.create(1, office("letter"))
        world.map(1)
        let kept = world.system.kept
        var next = CoreWorld()
        let started = relaunches(next.send(.restored(kept, first: WindowID(50))))
        let again = try #require(started.first)
        next.send(.launched(again.id, process: 900))
        next.create(2, office("", process: 900, splash: true))
        next.map(2)
        #expect(next.place(two) == .dialog(of: WindowID(50)) && next.workspace.isShown(two))
        next.wait(14_000)
        #expect(next.workspace[two]?.isSuspended == false)
        next.create(3, office("Document Recovery"))
        next.map(3)
        isFull(next, three)
        #expect(!next.workspace.isShown(two) && next.workspace[WindowID(50)] == nil)
        next.wait(12_000)
        #expect(next.workspace[three]?.isSuspended == false && next.workspace.shownWindows == [three])
        // The recovered document has the title of the window that was there.
        next.create(4, office("letter"))
        next.map(4)
        isFull(next, four)
        next.destroy(two)
        next.destroy(three)
        isFull(next, four)
        #expect(next.workspace.windows.count == 1 && next.finish() == [])
    }

    @Test("W-19: a first window that cannot be resized, or that is gone after a moment, was a splash", arguments: [true, false])
    func undeclaredSplash(isFixed: Bool) throws {
        var world = CoreWorld()
        world.open(1)
        _ = try launch(&world, .launch(command: ["paint"]), process: 900)
        world.wait(4000)
        world.create(2, WindowFacts(appID: "paint", title: "Paint", lineage: [900, 1], client: 9))
        world.map(2)
        if isFixed { world.commit(two) { ($0.minimum, $0.maximum) = ($0.size, $0.size) } }
        world.create(3, WindowFacts(appID: "paint", title: "Untitled", lineage: [900, 1], client: 9))
        world.map(3)
        if isFixed { isFull(world, three) } else { #expect(world.place(three) == .waiting) }
        world.destroy(two)
        isFull(world, three)
        #expect(world.workspace.waiting == [] && world.finish() == [])
    }

    @Test("W-19: a window that was open for long gives its place to none that waits")
    func notSplash() throws {
        var world = CoreWorld()
        world.open(1)
        _ = try launch(&world, .launch(command: ["paint"]), process: 900)
        for raw in 2...3 as ClosedRange<UInt32> {
            world.wait(4000)
            world.create(raw, WindowFacts(appID: "paint", lineage: [900, 1], client: 9))
            world.map(raw)
        }
        world.wait(10_000)
        world.destroy(two)
        #expect(world.place(three) == .waiting && world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    // MARK: Newer and older launches

    @Test("W-19, W-20: opened again while its process still runs, an app answers the newer launch")
    func newerLaunch() throws {
        var world = CoreWorld()
        world.send(.appsChanged([Self.files]))
        _ = try launch(&world, .launch(command: ["files", "/first"]), process: 900)
        world.create(1, WindowFacts(appID: "files", title: "first", lineage: [900, 1], client: 9))
        world.map(1)
        world.destroy(one)
        world.wait(5000)
        world.open(2)
        let newer = try launch(&world, .launch(command: ["files", "/second"], to: .slideOver), process: 901)
        world.send(.launchEnded(newer, status: 0))
        world.create(3, WindowFacts(appID: "files", title: "second", lineage: [900, 1], client: 9))
        #expect(world.clients[three]?.told?.frame.size != world.clients[two]?.told?.frame.size, "it is told its size from the start")
        world.map(3)
        #expect(world.place(three) == .slideOver(0))
        #expect(world.system.kept.windows.first { $0.number == 3 }?.command == ["files", "/second"])
        #expect(world.finish() == [])
    }

    @Test("W-19: an app that shows a window it has has answered the launch, so the next window waits")
    func answeredByOldWindow() {
        var world = CoreWorld()
        world.send(.appsChanged([Self.files]))
        world.open(1, WindowFacts(appID: "files", lineage: [101, 1], client: 1))
        world.open(2)
        world.wait(5000)
        world.act(.launch(command: ["files"]))
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        isFull(world, one)
        world.create(3, WindowFacts(appID: "files", lineage: [101, 1], client: 1))
        world.map(3)
        #expect(world.place(three) == .waiting && world.finish() == [])
    }

    @Test("W-19: a program that is started again hands the request to the process that runs, even if that opens a window of another app")
    func sameProgram() throws {
        var world = CoreWorld()
        _ = try launch(&world, .launch(command: ["/usr/bin/office", "letter"]), process: 900)
        world.create(1, office("letter", app: "office-writer"))
        world.map(1)
        world.open(2)
        world.wait(12_000)
        #expect(world.workspace[one]?.isSuspended == true)
        let count = world.effects.count
        let newer = try launch(&world, .launch(command: ["office", "table"], to: .slideOver), process: 910)
        #expect(world.effects[count...].contains(.life(.thaw(AppProcess(900)))), "it runs to answer")
        world.send(.launchEnded(newer, status: 0))
        world.create(3, office("table", app: "office-calc"))
        world.map(3)
        #expect(world.place(three) == .slideOver(0) && world.finish() == [])
    }

    @Test("W-19: two scripts of one interpreter are two programs")
    func sameInterpreter() throws {
        var world = CoreWorld()
        _ = try launch(&world, .launch(command: ["python3", "one.py"]), process: 900)
        world.create(1, WindowFacts(appID: "one", lineage: [900, 1], client: 1))
        world.map(1)
        _ = try launch(&world, .launch(command: ["/usr/bin/python3", "two.py"]), process: 901)
        world.create(2, WindowFacts(appID: "one", lineage: [900, 1], client: 1))
        world.map(2)
        #expect(world.place(two) == .waiting && world.finish() == [])
    }

    // MARK: Apps that restore their own windows

    func page(_ title: String, process: Int32, app: String = "browser") -> WindowFacts {
        WindowFacts(appID: app, title: title, lineage: [process, 1], client: UInt64(process))
    }

    /// Three windows of one process: one in front with another app beside it, one in Slide Over, hidden, and one behind.
    func browsing(app: String = "browser", command: [String] = ["browser"]) throws -> CoreWorld {
        var world = CoreWorld()
        world.send(.appsChanged([Self.browser]))
        let id = try launch(&world, .launch(command: command), process: 700)
        for raw in 1...3 as ClosedRange<UInt32> { world.open(raw, page("page \(raw)", process: 700, app: app)) }
        world.send(.programKnown(AppProcess(700), command: command, directory: nil, started: 5))
        world.open(4)
        world.send(.programKnown(AppProcess(104), command: ["other"], directory: nil, started: 6))
        world.act(.focus(window: two))
        world.act(.splitView(window: four, side: .right))
        world.act(.slideOver(window: three))
        world.act(.slideOverHide)
        _ = id
        world.rest()
        return world
    }

    /// Which pages stand where: in front, in Slide Over, and elsewhere.
    private func pages(_ world: CoreWorld) -> [String?] {
        let front = world.workspace.currentSpace?.split?.first, card = world.workspace.slideOver.front
        let others = world.workspace.spaces.flatMap(\.windows).filter { world.workspace[$0]?.app == "browser" && $0 != front }
        return ([front, card] + others).map { $0.flatMap { world.workspace[$0]?.facts.title } }
    }

    private func restored(_ kept: KeptArrangement) -> (world: CoreWorld, started: [(id: LaunchID, command: [String])]) {
        var world = CoreWorld(), kept = kept
        for index in kept.windows.indices { kept.windows[index].process = nil }
        world.send(.appsChanged([Self.browser]))
        let started = relaunches(world.send(.restored(kept, first: WindowID(50))))
        for start in started { world.send(.launched(start.id, process: start.command == ["other"] ? 200 : 800)) }
        return (world, started)
    }

    @Test(
        "W-20: an app that restores its windows is started once, and each stands where it was, by its title, even if that comes late",
        arguments: [
            ["page 1", "page 2", "page 3"], ["page 3", "page 1", "page 2"], ["page 2", "page 3", "page 1"],
        ])
    func restoresItself(order: [String]) throws {
        let kept = try browsing().system.kept
        var (world, started) = restored(kept)
        #expect(pages(world) == ["page 2", "page 3", "page 1"])
        #expect(started.map(\.command).sorted { $0[0] < $1[0] } == [["browser"], ["other"]])
        for raw in 10...12 as ClosedRange<UInt32> {
            world.create(raw, page("Browser", process: 800))
            world.map(raw)
            world.wait(700)
        }
        #expect(world.workspace.waiting == [])
        for (raw, title) in zip([10, 11, 12] as [UInt32], order) { world.rename(WindowID(raw), page(title, process: 800)) }
        #expect(pages(world) == ["page 2", "page 3", "page 1"])
        #expect(!world.workspace.windows.values.contains { $0.app == "browser" && $0.placeholder != nil })
        world.act(.slideOverShow)
        world.wait(20_000)
        #expect(relaunches(world.effects).count == 2, "nothing more is started")
        // What a person opens later is a window of its own.
        let focus = try #require(world.workspace.focus), frame = try #require(world.system.shownFrame(of: focus, at: world.now))
        world.tap(at: frame.center)
        world.create(13, page("page 4", process: 800))
        world.map(13)
        #expect(world.workspace.focus == WindowID(13) && world.finish() == [])
    }

    @Test("W-20: a blank window that the app opens first leaves its place to the one that was there, which waits until it has its title")
    func blankFirst() throws {
        let kept = try browsing().system.kept
        var (world, _) = restored(kept)
        for raw in 10...13 as ClosedRange<UInt32> {
            world.create(raw, page("Browser", process: 800))
            world.map(raw)
        }
        #expect(world.workspace.waiting == [WindowID(13)])
        for raw in 11...13 as ClosedRange<UInt32> { world.rename(WindowID(raw), page("page \(raw - 10)", process: 800)) }
        #expect(pages(world) == ["page 2", "page 3", "page 1", "Browser"] && world.workspace.waiting == [])
        #expect(world.finish() == [])
    }

    @Test("W-20: a window that was opened by an action of the running app comes back by the app itself")
    func openedByAction() throws {
        var world = CoreWorld()
        var app = Self.browser
        app.actions = [AppAction(id: "new-window", name: "New Window", command: ["browser", "--new-window"])]
        world.send(.appsChanged([app]))
        _ = try launch(&world, .appAction(app: "browser", action: "new-window"), process: 700)
        world.create(1, page("page 1", process: 700))
        world.map(1)
        #expect(world.system.kept.windows.map(\.command) == [["browser"]] && world.finish() == [])
    }

    @Test("W-20: a page that an app opens twice gives the place of another page back, which is asked for", arguments: [false, true])
    func opensTwice(isUsed: Bool) throws {
        let kept = try browsing().system.kept
        var (world, _) = restored(kept)
        for raw in 10...11 as ClosedRange<UInt32> {
            world.create(raw, page("Browser", process: 800))
            world.map(raw)
            world.wait(700)
        }
        for raw in 10...11 as ClosedRange<UInt32> { world.rename(WindowID(raw), page("page 2", process: 800)) }
        let double = WindowID(11)
        #expect(world.workspace.windows.values.count { $0.placeholder != nil && $0.app == "browser" } == 1)
        if isUsed {
            world.act(.focus(window: double))
            let frame = try #require(world.system.shownFrame(of: double, at: world.now))
            world.tap(at: frame.center)
        }
        world.wait(5000)
        let left = world.workspace.windows.values.filter { $0.placeholder != nil && $0.app == "browser" }.map(\.facts.title).sorted()
        #expect(isUsed ? left.count == 1 : left == ["page 1", "page 3"], "\(left)")
        #expect(world.workspace.waiting == [] && (isUsed || pages(world).first == "page 2"))
        if !isUsed {
            for title in ["page 1", "page 3"] {
                let id = try #require(world.workspace.windows.values.first { $0.facts.title == title }).id
                let start = relaunches(world.act(.focus(window: id)))
                #expect(start.map(\.command) == [["browser"]], "\(title)")
                let asked = try #require(start.first)
                world.send(.launched(asked.id, process: 801))
                world.send(.launchEnded(asked.id, status: 0))
                let raw: UInt32 = title == "page 1" ? 20 : 21
                world.create(raw, page("Browser", process: 800))
                world.map(raw)
                // A page that comes back with another's title stays: it was asked for.
                world.rename(WindowID(raw), page(title == "page 3" ? "page 2" : title, process: 800))
                world.wait(6000)
            }
            #expect(!world.workspace.windows.values.contains { $0.placeholder != nil && $0.app == "browser" })
        }
        #expect(world.finish() == [])
    }

    @Test(
        "W-20: a question that an app asks before it restores its windows leaves its place to the window that belongs there",
        arguments: ["", "page 2"])
    func question(title: String) throws {
        let kept = try browsing().system.kept
        var (world, _) = restored(kept)
        world.create(10, page("Recovery", process: 800))
        world.map(10)
        #expect(pages(world) == ["Recovery", "page 3", "page 1"])
        // The person thinks about it.
        world.wait(60_000)
        world.unmap(WindowID(10))
        world.destroy(WindowID(10))
        #expect(pages(world) == ["page 2", "page 3", "page 1"])
        for (raw, other) in zip([11, 12], ["page 1", "page 3"] as [String]) { world.open(UInt32(raw), page(other, process: 800)) }
        world.wait(3000)
        world.open(13, page(title, process: 800))
        if title.isEmpty { world.rename(WindowID(13), page("page 2", process: 800)) }
        #expect(pages(world) == ["page 2", "page 3", "page 1"] && world.workspace.waiting == [])
        #expect(!world.workspace.windows.values.contains { $0.app == "browser" && $0.placeholder != nil })
        world.wait(20_000)
        #expect(relaunches(world.effects).count == 2 && world.finish() == [])
    }

    @Test("W-20: while an app asks a question before it restores its windows, none of them is asked for; a tap on one shows the question")
    func questionWaits() throws {
        let kept = try browsing().system.kept
        var (world, _) = restored(kept)
        let question = WindowID(10)
        world.open(10, page("Recovery", process: 800, app: "asker"))
        world.act(.slideOverShow)
        let page1 = try #require(world.workspace.windows.values.first { $0.facts.title == "page 1" }).id
        world.act(.focus(window: page1))
        world.wait(60_000)
        #expect(relaunches(world.effects).count == 2)
        let count = world.effects.count
        world.tap(at: try #require(world.system.shownFrame(of: page1, at: world.now)).center)
        let again = try #require(relaunches(Array(world.effects[count...])).first)
        world.send(.launched(again.id, process: 801))
        world.send(.launchEnded(again.id, status: 1))
        #expect(!world.interface.isPopoverOpen && world.workspace.focus == question)
        world.act(.focus(window: page1))
        world.wait(1000)
        #expect(relaunches(world.effects).count == 3 && world.workspace[page1]?.placeholder?.hasFailed == false)
        // The person answers. The app brings one page, and is asked for the others where a person sees them.
        world.unmap(question)
        world.destroy(question)
        world.wait(2000)
        world.open(12, page("page 2", process: 800))
        #expect(
            world.workspace.windows.values.filter { $0.facts.title == "page 2" }.map(\.id) == [WindowID(12)]
                && world.workspace.waiting == [])
        world.wait(6000)
        #expect(relaunches(world.effects).count > 3 && world.finish() == [])
    }

    @Test(
        "W-20: a window that goes gives no place back if it is no question: it had the title, another title before, or was asked to close; or if nothing comes",
        arguments: 0...4)
    func noQuestion(way: Int) throws {
        let kept = try browsing().system.kept
        var (world, started) = restored(kept)
        world.create(10, page(way == 0 ? "page 2" : "Recovery", process: 800))
        world.map(10)
        world.wait(1000)
        switch way {
        case 0: world.rename(WindowID(10), page("page 5", process: 800))
        case 1: world.rename(WindowID(10), page("Recovered", process: 800))
        case 2: world.act(.close(window: WindowID(10)))
        default: break
        }
        world.wait(1000)
        world.unmap(WindowID(10))
        world.destroy(WindowID(10))
        #expect(world.workspace.windows.values.contains { $0.facts.title == "page 2" } == (way > 2))
        if way == 4 {
            let own = try #require(started.first { $0.command == ["browser"] })
            world.send(.launchEnded(own.id, status: 0))
        } else {
            world.wait(15_000)
        }
        #expect(!world.workspace.windows.values.contains { $0.facts.title == "page 2" })
        #expect(world.finish() == [])
    }

    @Test("W-20: windows that the app does not restore are asked for, one by one as they come into sight")
    func restoresOne() throws {
        let kept = try browsing().system.kept
        var (world, _) = restored(kept)
        world.act(.slideOverShow)
        world.create(10, page("page 2", process: 800))
        world.map(10)
        world.wait(4500)
        #expect(relaunches(world.effects).count == 2)
        world.wait(1000)
        let more = relaunches(world.effects).dropFirst(2)
        #expect(more.map(\.command) == [["browser"]])
        let again = try #require(more.first)
        world.send(.launched(again.id, process: 801))
        world.send(.launchEnded(again.id, status: 0))
        world.wait(1000)
        world.create(11, page("Browser", process: 800))
        world.map(11)
        #expect(world.workspace.slideOver.front == WindowID(11))
        // A window by which the app is used fills no placeholder that is out of sight.
        world.create(12, page("Browser", process: 800))
        world.map(12)
        #expect(world.place(WindowID(12)) == .waiting)
        world.act(.openWaiting())
        let left = world.workspace.windows.values.filter { $0.placeholder != nil && $0.app == "browser" }
        #expect(left.map(\.facts.title) == ["page 1"])
        let behind = try #require(left.first).id
        let effects = world.act(.focus(window: behind))
        #expect(relaunches(effects).count == 1, "at once")
        #expect(world.finish() == [])
    }

    @Test("W-20: a program that fails is said once, not for each of its windows")
    func failsOnce() throws {
        let kept = try browsing().system.kept
        var (world, started) = restored(kept)
        world.act(.slideOverShow)
        let browser = try #require(started.first { $0.command == ["browser"] })
        world.send(.launchEnded(browser.id, status: 1))
        world.wait(20_000)
        #expect(relaunches(world.effects).count == 2)
        #expect(world.workspace.windows.values.count { $0.placeholder?.hasFailed == true } == 3)
        #expect(world.finish() == [])
    }
}
