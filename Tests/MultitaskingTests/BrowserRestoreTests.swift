import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-20: browsers bring their windows back themselves")
struct BrowserRestoreTests {
    private static let pages = ["page 1", "page 2", "page 3"]
    private static let address = ["page 1": "https://1.example", "page 2": "https://2.example", "page 3": "https://3.example"]

    private static func app(_ program: String) -> App {
        App(id: "browser", name: "Browser", command: ["/usr/bin/\(program)"], takesFiles: true, mimeTypes: ["x-scheme-handler/http"])
    }

    private func page(_ title: String, _ process: Int32) -> WindowFacts {
        WindowFacts(appID: "browser", title: title, lineage: [process, 1], client: UInt64(process))
    }

    private func launched(_ world: inout CoreWorld, _ command: [String], _ process: Int32) throws -> LaunchID {
        let ids = world.act(.launch(command: command)).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }
        let id = try #require(ids.first)
        world.send(.launched(id, process: process))
        return id
    }

    /// Three windows of one browser, each started with an address: page 1 behind, pages 2 and 3 in a Split View.
    private func browsing(_ program: String = "firefox") throws -> CoreWorld {
        var world = CoreWorld()
        world.send(.appsChanged([Self.app(program)]))
        for (index, title) in Self.pages.enumerated() {
            let id = try launched(
                &world, ["/usr/bin/\(program)"] + (index > 0 ? ["--new-window"] : []) + [Self.address[title]!], 700 + Int32(index))
            // Later ones hand the address to the first one.
            if index > 0 { world.send(.launchEnded(id, status: 0)) }
            let raw = UInt32(index + 1)
            world.create(raw, page(title, 700))
            world.map(raw)
            world.send(.pictureKept(WindowID(raw), name: "picture of \(title)"))
        }
        world.send(.programKnown(AppProcess(700), command: ["/usr/bin/\(program)", Self.address["page 1"]!], directory: nil, started: 5))
        world.act(.focus(window: two))
        world.act(.splitView(window: three, side: .right))
        world.rest()
        return world
    }

    private func restored(_ kept: KeptArrangement, _ program: String = "firefox") throws -> (
        world: CoreWorld, started: [(id: LaunchID, command: [String])]
    ) {
        var world = CoreWorld(keepsHistory: true), kept = kept
        for index in kept.windows.indices { kept.windows[index].process = nil }
        world.send(.appsChanged([Self.app(program)]))
        let started = relaunches(world.send(.restored(kept, first: WindowID(50))))
        for start in started { world.send(.launched(start.id, process: 800)) }
        return (world, started)
    }

    /// Who stands on the left, on the right, and elsewhere.
    private func places(_ world: CoreWorld) -> [String] {
        let split = world.workspace.currentSpace?.split
        let front = [split?.first, split?.second].compactMap { $0 }
        let others = world.workspace.spaces.flatMap(\.windows).filter { !front.contains($0) }
        return (front + others).compactMap { world.workspace[$0]?.facts.title }
    }

    /// Each window and placeholder that has the title of a page has that page's command, and each placeholder its picture.
    private func expectOwn(_ world: CoreWorld, _ note: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
        for window in world.system.kept.windows {
            guard let address = Self.address[window.title] else { continue }
            #expect(window.command.last == address, note, sourceLocation: sourceLocation)
        }
        for window in world.workspace.windows.values where window.placeholder != nil {
            #expect(window.picture == "picture of \(window.facts.title)", note, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "one start without addresses serves all its windows",
        arguments: [
            ("firefox", ["/usr/bin/firefox"]), ("chromium", ["/usr/bin/chromium", "--restore-last-session"]),
            ("unknown", ["/usr/bin/unknown"]),
        ])
    func oneStart(program: String, command: [String]) throws {
        let (world, started) = try restored(try browsing(program).system.kept, program)
        #expect(started.map(\.command) == [command])
        #expect(places(world) == ["page 2", "page 3", "page 1"])
        expectOwn(world, "\(program)")
    }

    @Test(
        "a command that is a matter of its own stays as it is",
        arguments: [
            ["/usr/bin/firefox", "--kiosk", "https://1.example"], ["/usr/bin/firefox", "--private-window", "https://1.example"],
            ["/usr/bin/firefox", "-P", "work"],
        ])
    func ownCommands(command: [String]) throws {
        var world = CoreWorld()
        world.send(.appsChanged([Self.app("firefox")]))
        _ = try launched(&world, command, 700)
        world.open(1, page("page 1", 700))
        let (_, started) = try restored(world.system.kept)
        #expect(started.map(\.command) == [command])
    }

    /// Every sequence of at most four windows: the three pages, a blank one and one with another title, each at most once, in any order.
    private static let arrivals: [[String]] = {
        var all: [[String]] = [[]], last: [[String]] = [[]]
        for _ in 0..<4 {
            last = last.flatMap { sequence in (pages + ["blank", "other"]).filter { !sequence.contains($0) }.map { sequence + [$0] } }
            all += last
        }
        return all
    }()

    @Test(
        "a crash while a browser's first window stands in a page's place keeps that page, with its title, its address and its picture",
        arguments: ["", "Mozilla Firefox", "Restore Session"], [false, true])
    func crashWhileItComesBack(title: String, hadItsTitle: Bool) throws {
        let kept = try browsing().system.kept
        var (world, _) = try restored(kept)
        world.create(60, page(hadItsTitle ? "page 2" : title, 800))
        world.map(60)
        world.rename(WindowID(60), page(title, 800))
        world.send(.pictureKept(WindowID(60), name: "picture of a stranger"))
        world.wait(2000)
        let again = world.system.kept
        #expect(again.windows.map(\.title).sorted() == Self.pages)
        for window in again.windows {
            #expect(window.picture == "picture of \(window.title)" && window.command.contains(Self.address[window.title]!), "\(window)")
        }
    }

    @Test(
        "a browser that outlived two shells, and hangs without a screen, is ended before another one is started", arguments: [true, false])
    func hangs(endsByItself: Bool) throws {
        var kept = try browsing().system.kept
        // The second shell had started it for page 3, and was killed before it had a window.
        let page3 = try #require(kept.windows.firstIndex { $0.title == "page 3" })
        for index in kept.windows.indices { kept.windows[index].process = nil }
        kept.windows[page3].process = KeptProcess(number: 900, started: 9)
        var world = CoreWorld(keepsHistory: true)
        world.send(.appsChanged([Self.app("firefox")]))
        #expect(relaunches(world.send(.restored(kept, first: WindowID(50)))).isEmpty)
        #expect(relaunches(world.wait(4900)).isEmpty)
        let effects = endsByItself ? [] : world.wait(5000)
        #expect(effects.contains(.endOutlived(900)) == !endsByItself && relaunches(effects).isEmpty)
        let started = relaunches(world.send(.outlivedProgramEnded(900)))
        #expect(started.map(\.command) == [["/usr/bin/firefox"]])
        #expect(relaunches(world.wait(10_000)).isEmpty && world.problems == [])
    }

    /// Chromium makes its windows with the names of their files, and renames each one when its page is there.
    @Test(
        "windows that come in any order, and get their titles at any moment, before or after they are mapped",
        arguments: ["firefox", "chromium"])
    func anyMoment(program: String) throws {
        let kept = try browsing(program).system.kept
        var random = SeededGenerator(seed: TestSeed.first)
        for round in 0..<(TestSeed.isSlow ? 20_000 : 500) {
            var (world, _) = try restored(kept, program)
            var steps = (0..<3).flatMap { [(page: $0, isTitle: false), (page: $0, isTitle: true)] }.shuffled(using: &random)
            var story: [String] = []
            for page in 0..<3 { world.create(100 + UInt32(page), self.page("\(page).html", 800)) }
            while !steps.isEmpty {
                let step = steps.removeFirst(), pause: Double = [0, 50, 700].randomElement(using: &random)!
                if step.isTitle {
                    world.rename(WindowID(100 + UInt32(step.page)), page(Self.pages[step.page], 800))
                } else {
                    world.map(100 + UInt32(step.page))
                }
                world.wait(pause)
                story.append("\(step.isTitle ? "title" : "map") \(step.page + 1), \(pause) ms")
            }
            world.wait(30_000)
            let note: Comment =
                "round \(round): \(story): \(world.workspace.windows.values.map { ($0.id, $0.facts.title, $0.placeholder != nil) })"
            #expect(places(world) == ["page 2", "page 3", "page 1"], note)
            #expect(world.workspace.windows.values.allSatisfy { $0.placeholder == nil } && relaunches(world.effects).count == 1, note)
            expectOwn(world, note)
            guard world.problems.isEmpty, places(world).count == 3 else { return #expect(world.problems == [], note) }
        }
    }

    @Test(
        "whatever comes, in any order, with its title at once or late: no page stands in another's place, is lost or is there twice",
        arguments: [false, true])
    func anyOrder(isLate: Bool) throws {
        let kept = try browsing().system.kept
        for sequence in Self.arrivals {
            var (world, _) = try restored(kept)
            var raw: UInt32 = 100
            for title in sequence {
                world.create(raw, page(isLate ? "Browser" : title, 800))
                world.map(raw)
                world.wait(200)
                raw += 1
            }
            if isLate { for (index, title) in sequence.enumerated() { world.rename(WindowID(100 + UInt32(index)), page(title, 800)) } }
            world.wait(30_000)
            let note: Comment =
                "\(sequence), late \(isLate): \(world.workspace.windows.values.map { ($0.id, $0.facts.title, $0.placeholder != nil) })"
            #expect(relaunches(world.effects).count == 1, note)
            for title in Self.pages {
                let theirs = world.workspace.windows.values.filter { $0.facts.title == title }
                #expect(theirs.count == 1, note)
                #expect(theirs.allSatisfy { ($0.placeholder == nil) == sequence.contains(title) }, note)
            }
            // A page that came stands where it was.
            let split = world.workspace.currentSpace?.split
            let left = split.flatMap { world.workspace[$0.first]?.facts.title },
                right = split.flatMap { world.workspace[$0.second]?.facts.title }
            if sequence.contains("page 2") { #expect(left == "page 2", note) }
            if sequence.contains("page 3") { #expect(right == "page 3", note) }
            #expect(left != "page 1" && left != "page 3" && right != "page 1" && right != "page 2", note)
            expectOwn(world, note)
            #expect(world.finish() == [], note)
        }
    }

    @Test("a page that did not come back is opened by a tap, by its own address in a window of its own")
    func leftOver() throws {
        var (world, _) = try restored(try browsing().system.kept)
        world.open(100, page("page 2", 800))
        world.wait(20_000)
        #expect(relaunches(world.effects).count == 1, "nothing is asked for by itself")
        let right = try #require(world.workspace.currentSpace?.split?.second)
        #expect(world.workspace[right]?.facts.title == "page 3")
        let count = world.effects.count
        world.tap(at: try #require(world.system.shownFrame(of: right, at: world.now)).center)
        let asked = relaunches(Array(world.effects[count...]))
        #expect(asked.map(\.command) == [["/usr/bin/firefox", "--new-window", "https://3.example"]])
        world.send(.launched(try #require(asked.first).id, process: 801))
        world.send(.launchEnded(try #require(asked.first).id, status: 0))
        world.create(101, page("Browser", 800))
        world.map(101)
        #expect(world.workspace.currentSpace?.split?.second == WindowID(101))
        world.wait(10_000)
        #expect(world.workspace.currentSpace?.split?.second == WindowID(101), "it was asked for, and stays")
        // One that is brought forward is asked for, too.
        let behind = try #require(world.workspace.windows.values.first { $0.placeholder != nil })
        #expect(
            relaunches(world.act(.focus(window: behind.id))).map(\.command) == [["/usr/bin/firefox", "--new-window", "https://1.example"]])
        #expect(world.finish() == [])
    }

    @Test("a tap while the browser still brings its windows starts nothing")
    func impatient() throws {
        var (world, _) = try restored(try browsing().system.kept)
        let left = try #require(world.workspace.currentSpace?.split?.first),
            right = try #require(world.workspace.currentSpace?.split?.second)
        for id in [left, right] { world.tap(at: try #require(world.system.shownFrame(of: id, at: world.now)).center) }
        #expect(relaunches(world.effects).count == 1 && world.finish() == [])
    }

    @Test("the question of a browser whether to restore stands in front until it becomes a page, however long that takes")
    func restorePage() throws {
        var (world, _) = try restored(try browsing().system.kept)
        world.create(100, page("Browser", 800))
        world.map(100)
        world.rename(WindowID(100), page("Restore Session", 800))
        world.wait(60_000)
        #expect(world.workspace.isShown(WindowID(100)) && relaunches(world.effects).count == 1)
        #expect(Self.pages.allSatisfy { title in world.workspace.windows.values.contains { $0.facts.title == title } }, "no page is lost")
        // The person presses the button: the window becomes the first page, and the others come.
        world.tap(at: try #require(world.system.shownFrame(of: WindowID(100), at: world.now)).center)
        world.rename(WindowID(100), page("page 1", 800))
        for (raw, title) in [(101, "page 2"), (102, "page 3")] as [(UInt32, String)] {
            world.create(raw, page("Browser", 800))
            world.map(raw)
            world.rename(WindowID(raw), page(title, 800))
        }
        world.wait(10_000)
        #expect(world.workspace.windows.count == 3 && world.workspace.windows.values.allSatisfy { $0.placeholder == nil })
        let split = world.workspace.spaces.compactMap(\.split).first
        #expect(split.map { [world.workspace[$0.first]?.facts.title, world.workspace[$0.second]?.facts.title] } == ["page 2", "page 3"])
        #expect(world.finish() == [])
    }

    @Test("after one crash and another, each window still has its own command and its own picture")
    func twice() throws {
        var kept = try browsing().system.kept
        for round in 0..<3 {
            var (world, started) = try restored(kept)
            #expect(started.count == 1, "round \(round)")
            for (raw, title) in [(100, "page 3"), (101, "page 1"), (102, "page 2")] as [(UInt32, String)] {
                world.create(raw, page("Browser", 800))
                world.map(raw)
                world.rename(WindowID(raw), page(title, 800))
            }
            world.rest()
            #expect(places(world) == ["page 2", "page 3", "page 1"], "round \(round)")
            kept = world.system.kept
            for window in kept.windows {
                #expect(window.picture == "picture of \(window.title)" && window.command.last == Self.address[window.title])
            }
        }
    }

    @Test("a browser that ends is started for its session again when a person asks for one of its pages")
    func endsAgain() throws {
        var (world, started) = try restored(try browsing().system.kept)
        world.open(100, page("page 2", 800))
        world.wait(20_000)
        world.unmap(WindowID(100))
        world.destroy(WindowID(100))
        world.send(.launchEnded(try #require(started.first).id, status: 0))
        world.wait(1000)
        #expect(relaunches(world.effects).count == 1, "not by itself")
        let behind = try #require(world.workspace.windows.values.first { $0.facts.title == "page 1" })
        #expect(relaunches(world.act(.focus(window: behind.id))).map(\.command) == [["/usr/bin/firefox"]])
    }
}
