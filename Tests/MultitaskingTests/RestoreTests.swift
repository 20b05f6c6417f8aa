import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("Windows that come back")
struct RestoreTests {
    private let one = WindowID(1), two = WindowID(2), three = WindowID(3), four = WindowID(4)

    /// 1 and 2 in a Split View, 3 in Slide Over, 4 a space of its own behind. Each program was launched by the shell.
    private func arranged() throws -> CoreWorld {
        var world = CoreWorld()
        for raw in 1...4 as ClosedRange<UInt32> {
            let id = try #require(launched(world.act(.launch(command: ["program\(raw)", "file"]))))
            world.send(.launched(id, process: Int32(100 + raw)))
            world.open(raw)
        }
        world.act(.focus(window: one))
        world.act(.splitView(window: two, side: .right))
        world.act(.divider(fraction: 0.33))
        world.act(.slideOver(window: three))
        world.rest()
        return world
    }

    private func launched(_ effects: [Effect]) -> LaunchID? {
        for case .program(let program) in effects {
            switch program {
            case .launch(let id, _, _), .relaunch(let id, _, _), .showFiles(let id, _, _): return id
            }
        }
        return nil
    }

    @Test("W-20: the arrangement comes back, and only programs in sight are started")
    func arrangement() throws {
        let before = try arranged()
        let kept = before.system.kept
        #expect(kept.windows.map(\.command) == (1...4).map { ["program\($0)", "file"] })
        var world = CoreWorld()
        let started = relaunches(world.send(.restored(kept, first: WindowID(50))))
        // The one that was active first.
        #expect(started.map(\.command) == [["program3", "file"], ["program2", "file"], ["program1", "file"]])
        #expect(world.system.kept == kept.renumbered(like: world.system.kept))
        let fraction = try #require(world.workspace.currentSpace?.split?.fraction)
        #expect(abs(fraction - before.workspace.currentSpace!.split!.fraction) < 0.001)
        // They were there before, and do not come in.
        let shown = world.workspace.shownRoots
        #expect(shown.count == 3 && !world.system.isMoving(at: world.now))
        for id in shown { #expect(world.system.shownFrame(of: id, at: world.now) == world.workspace.frames()[id]) }
        #expect(world.finish() == [])
    }

    @Test("W-20: windows in sight are pictured when a person rests, and once a minute while they do not")
    func inSight() throws {
        var world = try arranged()
        func pictured(_ seconds: Int, acts: Bool = false) -> Set<WindowID> {
            var seen: Set<WindowID> = []
            for _ in 0..<seconds {
                if acts { world.act(.divider(fraction: 0.5)) }
                world.wait(1000)
                guard let due = world.system.picturesDue, due <= world.now else { continue }
                for case .keepPicture(let id) in world.send(.timer(.life(.pictures))) { seen.insert(id) }
            }
            return seen
        }
        #expect(pictured(6) == [one, two, three])
        #expect(pictured(120).isEmpty)
        world.act(.divider(fraction: 0.66))
        #expect(pictured(3).isEmpty)
        #expect(pictured(3) == [one, two, three])
        #expect(pictured(55, acts: true).isEmpty)
        #expect(pictured(8, acts: true) == [one, two, three])
        world.lock()
        #expect(pictured(70).isEmpty)
    }

    @Test("W-20: a program's window takes the place of its placeholder, at the size of that place")
    func replaced() throws {
        var world = CoreWorld()
        let started = relaunches(world.send(.restored(try arranged().system.kept, first: WindowID(50))))
        for (index, start) in started.enumerated() {
            let raw = UInt32(10 + index)
            world.send(.launched(start.id, process: Int32(500 + index)))
            world.create(raw, WindowFacts(appID: "app", title: "Window", lineage: [Int32(500 + index), 1], client: UInt64(raw)))
            world.map(raw)
            // It is shown at once where its placeholder was.
            #expect(world.system.shownFrame(of: WindowID(raw), at: world.now) == world.workspace.frames()[WindowID(raw)])
        }
        world.rest()
        #expect(world.place(WindowID(10)) == .slideOver(0))
        #expect(world.workspace.currentSpace?.windows == [WindowID(12), WindowID(11)])
        for raw in [10, 11, 12] as [UInt32] { #expect(Set(world.clients[WindowID(raw)]!.configures.map(\.frame.size)).count == 1) }
        // The space behind waits until it is shown.
        let behind = try #require(world.workspace.spaces.first { $0.id != world.workspace.current })
        #expect(world.workspace[behind.windows[0]]?.placeholder?.launch == nil)
        #expect(relaunches(world.act(.showSpace(behind.id))).map(\.command) == [["program4", "file"]])
        #expect(world.finish() == [])
    }

    @Test("W-20: one program shows all windows of a toolkit's session, each in its own place; a tap starts what it leaves out")
    func toolkitSession() throws {
        var kept = try arranged().system.kept
        for (index, name) in ["S/left", "S/right"].enumerated() { kept.windows[index].session = name }
        for comesWhole in [true, false] {
            var world = CoreWorld()
            let started = relaunches(world.send(.restored(kept, first: WindowID(50))))
            #expect(started.map(\.command) == [["program3", "file"], ["program2", "file"]])
            world.send(.launched(started[1].id, process: 500))
            // In another order and with other titles.
            for (raw, name) in (comesWhole ? [(10, "S/left"), (11, "S/right")] : [(11, "S/right")]) as [(UInt32, String)] {
                world.create(raw, WindowFacts(appID: "app", title: "new", lineage: [500, 1], client: 9, session: name))
                world.map(raw)
            }
            world.send(.programKnown(AppProcess(500), command: ["program2", "file"], directory: nil))
            world.rest()
            let split = try #require(world.workspace.currentSpace?.split)
            #expect(split.second == WindowID(11))
            if comesWhole {
                #expect(split.first == WindowID(10))
                #expect(world.system.kept.windows.compactMap(\.session).sorted() == ["S/left", "S/right"])
            } else {
                #expect(world.workspace[split.first]?.placeholder?.launch == nil)
                let frame = try #require(world.system.shownFrame(of: split.first, at: world.now)), count = world.effects.count
                world.tap(at: frame.center)
                #expect(relaunches(Array(world.effects[count...])).map(\.command) == [["program1", "file"]])
            }
            #expect(world.finish() == [])
        }
    }

    @Test("W-20: a frozen app that is ended leaves its window's place, and is started when that is shown")
    func ended() throws {
        var world = try arranged()
        world.act(.home)
        world.wait(11_000)
        #expect(world.system.lifecycle.isFrozen(one))
        world.send(.life(.memoryPressure(.critical)))
        for raw in 1...4 as ClosedRange<UInt32> {
            world.send(.windowUnmapped(WindowID(raw)))
            world.send(.windowDestroyed(WindowID(raw)))
        }
        #expect(world.workspace.windows.values.allSatisfy { $0.placeholder != nil } && world.workspace.windows.count == 4)
        #expect(world.system.kept.windows.count == 4)
        let split = try #require(world.workspace.spaces.first { $0.split != nil })
        #expect(Set(relaunches(world.act(.showSpace(split.id))).map(\.command[0])).isSuperset(of: ["program1", "program2"]))
        #expect(world.finish() == [])
    }

    @Test(
        "W-20: an app that another program started with a file comes back with it",
        arguments: [
            (["/usr/bin/editor", "letter.txt"], ["/usr/bin/editor", "letter.txt"]),
            // A script by its interpreter.
            (
                ["/usr/bin/python3", "/usr/bin/editor", "--new", "letter.txt"],
                ["/usr/bin/python3", "/usr/bin/editor", "--new", "letter.txt"]
            ),
            // Nothing to open, and another program.
            (["/usr/bin/editor", "--gapplication-service"], ["editor", "--new"]), (["editor", "--new"], ["editor", "--new"]),
            (["/usr/bin/viewer", "letter.txt"], ["editor", "--new"]),
        ])
    func openFile(own: [String], back: [String]) {
        var world = CoreWorld()
        world.send(.appsChanged([App(id: "app1", name: "Editor", command: ["editor", "--new"], takesFiles: true)]))
        world.open(1)
        world.send(.programKnown(AppProcess(101), command: own, directory: "/home/hana"))
        #expect(world.system.kept.windows.map(\.command) == [back])
        #expect(world.system.kept.windows.map(\.directory) == ["/home/hana"])
        #expect(world.finish() == [])
    }

    @Test("S-04, W-20: an app that is killed out of sight while it runs leaves its windows' places; one that a person sees does not")
    func killed() throws {
        var world = try arranged()
        world.act(.home)
        world.disconnect(one)
        world.disconnect(three)
        #expect(
            world.workspace.windows.values.filter { $0.placeholder != nil }.compactMap(\.placeholder?.command[0]).sorted() == [
                "program1", "program3",
            ])
        let split = try #require(world.workspace.spaces.first { $0.split != nil })
        #expect(relaunches(world.act(.showSpace(split.id))).map(\.command[0]).contains("program1"))
        #expect(world.workspace.shownWindows.contains(two))
        world.disconnect(two)
        #expect(!world.workspace.windows.values.contains { $0.placeholder?.command == ["program2", "file"] }, "a person saw it go")
        #expect(world.finish() == [])
    }

    @Test("W-20: an app that ends by itself out of sight does not come back, whatever is heard of first", arguments: [true, false])
    func endsInOrder(exitFirst: Bool) throws {
        var world = CoreWorld()
        let id = try #require(launched(world.act(.launch(command: ["program"]))))
        world.send(.launched(id, process: 101))
        world.open(1)
        world.open(2)
        if exitFirst { world.send(.launchEnded(id, status: 0)) }
        world.disconnect(one)
        if !exitFirst { world.send(.launchEnded(id, status: 0)) }
        #expect(world.workspace.windows.keys.elementsEqual([two]))

        // Killed, it does; and so does one that crashed.
        let next = try #require(launched(world.act(.launch(command: ["program"]))))
        world.send(.launched(next, process: 103))
        world.open(3)
        world.act(.focus(window: two))
        if exitFirst { world.send(.launchEnded(next, signal: 11)) }
        world.disconnect(three)
        if !exitFirst { world.send(.launchEnded(next, signal: 11)) }
        #expect(world.workspace.windows.values.compactMap(\.placeholder?.command) == [["program"]])
        #expect(world.finish() == [])
    }

    @Test("W-20: a window out of sight that somebody closes does not come back, even if its app just ends")
    func closedOutOfSight() throws {
        var world = CoreWorld()
        let id = try #require(launched(world.act(.launch(command: ["program"]))))
        world.send(.launched(id, process: 101))
        world.open(1)
        world.open(2)
        world.act(.close(window: one))
        world.disconnect(one)
        #expect(world.workspace.windows.keys.elementsEqual([two]))
        #expect(world.finish() == [])
    }

    @Test("S-04: an app that ends three times soon after it got its state back is asked about, and opens without it if the person says so")
    func crashing() throws {
        var world = CoreWorld()
        world.send(.appsChanged([App(id: "editor", name: "Editor", command: ["editor"])]))
        @discardableResult
        func start(hasState: Bool = true, runs milliseconds: Double, _ world: inout CoreWorld) throws -> Bool {
            let id = try #require(launched(world.act(.openApp(app: "editor"))))
            world.send(.launched(id, process: 101))
            if hasState { world.send(.life(.stateGiven(app: "editor"))) }
            world.wait(milliseconds)
            world.send(.launchEnded(id, signal: 11))
            let isAsked = world.interface.openNames.contains("crashing")
            if !isAsked { world.act(.dismiss) }
            world.rest()
            return isAsked
        }
        for _ in 0..<4 { try start(hasState: false, runs: 100, &world) }
        #expect(!world.interface.openNames.contains("crashing"), "its state is not to blame")
        for _ in 0..<2 { try start(runs: 500, &world) }
        try start(runs: 30_000, &world)
        for _ in 0..<2 { try start(runs: 500, &world) }
        #expect(!world.interface.openNames.contains("crashing"), "once it ran for long")
        #expect(try start(runs: 500, &world), "the question takes the place of the alert that says less")
        #expect(world.interface.openNames.contains("crashing"))
        #expect(world.system.lifecycle.crashes.withheld == [])
        let without = try #require(world.system.controls(at: world.now).last { $0.id == "crashing/without" })
        let count = world.effects.count
        world.tap(at: without.frame.center)
        #expect(launched(Array(world.effects[count...])) != nil)
        #expect(world.system.lifecycle.crashes.withheld == ["editor"])
        #expect(!world.interface.openNames.contains("crashing"))
        #expect(world.finish() == [])
    }

    @Test("W-20: a program that cannot be started leaves its window there, says why, and a tap tries again")
    func failed() throws {
        var world = CoreWorld()
        let start = try #require(relaunches(world.send(.restored(try arranged().system.kept, first: WindowID(50)))).last)
        world.send(.launchFailed(start.id, reason: "command not found: program1"))
        #expect(world.interface.isPopoverOpen)
        world.act(.dismiss)
        world.rest()
        let left = try #require(world.workspace.currentSpace?.split?.first)
        #expect(world.workspace[left]?.placeholder?.hasFailed == true)
        let frame = try #require(world.system.shownFrame(of: left, at: world.now))
        let count = world.effects.count
        world.tap(at: frame.center)
        #expect(relaunches(Array(world.effects[count...])).map(\.command) == [["program1", "file"]])
        #expect(world.finish() == [])
    }

    @Test(
        "W-20: a program that runs and shows no window for 15 seconds is started anew by a tap, by its app's own command",
        arguments: [false, true])
    func runsWithoutWindow(isInstalled: Bool) throws {
        var world = CoreWorld()
        if isInstalled { world.send(.appsChanged([App(id: "app1", name: "App", command: ["app1"])])) }
        let start = try #require(relaunches(world.send(.restored(try arranged().system.kept, first: WindowID(50)))).last)
        world.send(.launched(start.id, process: 900))
        world.wait(1000)
        let left = try #require(world.workspace.currentSpace?.split?.first)
        let frame = try #require(world.system.shownFrame(of: left, at: world.now))
        func tapped() -> [[String]] {
            let count = world.effects.count
            world.tap(at: frame.center)
            let again = relaunches(Array(world.effects[count...]))
            for start in again { world.send(.launched(start.id, process: 901)) }
            return again.map(\.command)
        }
        world.wait(10_000)
        #expect(tapped() == [], "it may still be starting")
        world.wait(5000)
        #expect(tapped() == [isInstalled ? ["app1"] : ["program1", "file"]])
        #expect(tapped() == [], "the new one has its time")
        #expect(world.finish() == [])
    }

    @Test(
        "W-20: a failed program is tried again by a tap; one that fails again, or is not its app's own, is started by that app's command",
        arguments: [false, true])
    func failsAgain(isOwn: Bool) throws {
        var world = CoreWorld()
        let own = isOwn ? ["/usr/bin/program1"] : ["app1"]
        world.send(.appsChanged([App(id: "app1", name: "App", command: own)]))
        var start = try #require(relaunches(world.send(.restored(try arranged().system.kept, first: WindowID(50)))).last)
        func fails() {
            world.send(.launched(start.id, process: 900))
            world.send(.launchEnded(start.id, status: 220))
            #expect(world.interface.isPopoverOpen)
            world.act(.dismiss)
            world.rest()
        }
        fails()
        let left = try #require(world.workspace.currentSpace?.split?.first)
        let frame = try #require(world.system.shownFrame(of: left, at: world.now))
        for command in isOwn ? [["program1", "file"], own, own] : [own, own] {
            let count = world.effects.count
            world.tap(at: frame.center)
            start = try #require(relaunches(Array(world.effects[count...])).first)
            #expect(start.command == command)
            fails()
        }
        #expect(world.finish() == [])
    }

    @Test("W-20: who opens an app by name, or brings its window forward, has the failed program started again", arguments: [0, 1, 2])
    func failedAndBroughtForward(way: Int) throws {
        var world = CoreWorld()
        let start = try #require(relaunches(world.send(.restored(try arranged().system.kept, first: WindowID(50)))).last)
        world.send(.launchFailed(start.id, reason: "command not found: program1"))
        world.act(.dismiss)
        world.rest()
        let space = try #require(world.workspace.currentSpace)
        let left = try #require(space.split?.first)
        func starts(_ action: Action) -> [[String]] {
            let count = world.effects.count
            world.act(action)
            return relaunches(Array(world.effects[count...])).map(\.command)
        }
        #expect(starts(.home) == [])
        let action: Action =
            switch way {
            case 0: .openApp(app: try #require(world.workspace[left]).app, to: nil)
            case 1: .focus(window: left)
            default: .showSpace(space.id)
            }
        #expect(starts(action) == [["program1", "file"]])
        #expect(starts(action) == [], "it is being started")
        #expect(world.finish() == [])
    }

    @Test("W-20: a placeholder that is closed is gone, and so is what was kept of it")
    func closed() throws {
        var world = CoreWorld()
        world.send(.restored(try arranged().system.kept, first: WindowID(50)))
        let front = try #require(world.workspace.slideOver.front)
        world.act(.close(window: front))
        #expect(world.workspace[front] == nil && world.system.kept.windows.count == 3)
        #expect(world.finish() == [])
    }

    @Test("what was kept is not trusted: numbers twice, places that are none, sizes and shares that cannot be")
    func damaged() throws {
        var kept = try arranged().system.kept
        kept.windows.append(kept.windows[0])
        kept.windows[1].size = Size(.nan, -5)
        kept.spaces.append(KeptSpace(windows: [1, 1, 77], fraction: 9, portraitAxis: nil, lastUse: .max))
        kept.spaces[0].fraction = .infinity
        kept.slideOver = [3, 3, 2, 99]
        kept.slideOverSide = .top
        kept.pip = KeptPicture(window: 2, corner: .topLeft, width: .nan, aspect: -1, stashed: .top)
        kept.current = 12
        kept.waiting = [1, 1]
        var world = CoreWorld()
        world.send(.restored(kept, first: WindowID(50)))
        #expect(world.workspace.windows.count == 4)
        #expect(world.finish() == [])
        var newer = CoreWorld()
        kept.version = KeptArrangement.newest + 1
        newer.send(.restored(kept, first: WindowID(50)))
        #expect(newer.workspace.windows.isEmpty)
    }

    @Test("W-20: the picture of a window is kept when it goes out of sight, and comes back with it")
    func pictures() throws {
        var world = try arranged()
        let effects = world.act(.home)
        #expect(Set(effects.filter { $0.kind == .keeping }) == [.keepPicture(one), .keepPicture(two), .keepPicture(three)])
        world.send(.pictureKept(one, name: "first"))
        var next = CoreWorld()
        next.send(.restored(world.system.kept, first: WindowID(50)))
        #expect(
            next.workspace.windows.values.contains { $0.picture == "first" && $0.facts == WindowFacts(appID: "app1", title: "Window 1") })
    }
}

extension KeptArrangement {
    /// The same with the numbers of another one, whose windows are in the same order.
    fileprivate func renumbered(like other: KeptArrangement) -> KeptArrangement {
        let numbers = Dictionary(zip(windows.map(\.number), other.windows.map(\.number)), uniquingKeysWith: { first, _ in first })
        var new = self
        for index in windows.indices { new.windows[index].number = numbers[windows[index].number] ?? 0 }
        for index in spaces.indices { new.spaces[index].windows = spaces[index].windows.map { numbers[$0] ?? 0 } }
        new.slideOver = slideOver.map { numbers[$0] ?? 0 }
        new.waiting = waiting.map { numbers[$0] ?? 0 }
        if let pip { new.pip?.window = numbers[pip.window] ?? 0 }
        for (index, space) in other.spaces.enumerated() where index < new.spaces.count { new.spaces[index].lastUse = space.lastUse }
        for (index, window) in other.windows.enumerated() where index < new.windows.count {
            new.windows[index].lastFocus = window.lastFocus
        }
        return new
    }

    @Test("law 4: a finger on the picture of a window ends when the window itself comes")
    func fingerOnPlaceholder() {
        var world = CoreWorld()
        for op: CoreOp in [
            .create(4, parent: nil, app: 1), .activation(4, recent: true, launch: nil), .map(4), .restart, .down(2, .inside(0)),
            .create(5, parent: nil, app: 5), .map(5),
        ] { op.apply(to: &world) }
        #expect(world.problems == [])
    }

    @Test(
        "W-20: a window that a service opened does not come back, such as a question for a password; one of an installed app does",
        arguments: [true, false])
    func services(isInstalled: Bool) {
        var world = CoreWorld()
        if isInstalled { world.send(.appsChanged([App(id: "prompt", name: "Mail", command: ["mail"])])) }
        world.open(1)
        world.send(.programKnown(AppProcess(101), command: ["program1"], directory: nil))
        // Nobody asked for it: it waits until a person shows it.
        world.create(2, WindowFacts(appID: "prompt", title: "Password", lineage: [700, 1], client: 7))
        world.map(2)
        world.send(.programKnown(AppProcess(700), command: ["pinentry", "--display"], directory: nil))
        #expect(world.workspace.waiting == [WindowID(2)])
        world.act(.focus(window: WindowID(2)))
        #expect(world.workspace.waiting.isEmpty)
        #expect(world.system.kept.windows.map(\.command) == (isInstalled ? [["program1"], ["mail"]] : [["program1"]]))
        #expect(world.finish() == [])
    }

    @Test("W-20: a person reads each trouble of the store once, one after the other")
    func troubles() {
        var world = CoreWorld()
        for trouble in [StoreTrouble.lost, .diskFull, .lost] { world.send(.storeTrouble(trouble)) }
        for title in ["sessionLostTitle", "notKeptTitle"] {
            #expect(world.controls.contains { "\($0.name)".contains(title) }, "\(title)")
            world.act(.dismiss)
            world.wait(2000)
        }
        #expect(world.system.interface.openNames.isEmpty && world.finish() == [])
    }

    @Test("W-20: a program that outlived the shell is awaited, and started when it does not connect", arguments: [true, false])
    func outlives(connects: Bool) {
        var world = CoreWorld()
        world.open(1)
        world.send(.programKnown(AppProcess(101), command: ["program1"], directory: nil, started: 77))
        let kept = world.system.kept
        #expect(kept.windows.map(\.process) == [KeptProcess(number: 101, started: 77)])
        var next = CoreWorld()
        #expect(relaunches(next.send(.restored(kept, first: WindowID(50)))).isEmpty)
        if connects {
            next.create(2, WindowFacts(appID: "app1", title: "Window 1", lineage: [101, 1], client: 1))
            next.map(2)
            #expect(next.workspace.currentSpace?.windows == [WindowID(2)])
            next.wait(6000)
            #expect(next.workspace.windows.count == 1)
        } else {
            next.wait(4900)
            #expect(next.workspace[WindowID(50)]?.placeholder?.launch == nil)
            next.wait(200)
            #expect(next.workspace[WindowID(50)]?.placeholder?.launch != nil)
        }
        #expect(next.finish() == [])
    }

    @Test("W-20: a program that outlived the shell and ends is started again at once")
    func outlivesAndEnds() {
        var world = CoreWorld()
        world.open(1)
        world.send(.programKnown(AppProcess(101), command: ["program1"], directory: nil, started: 77))
        var next = CoreWorld()
        next.send(.restored(world.system.kept, first: WindowID(50)))
        #expect(relaunches(next.send(.outlivedProgramEnded(102))).isEmpty)
        #expect(relaunches(next.send(.outlivedProgramEnded(101))).map(\.command) == [["program1"]])
        #expect(next.finish() == [])
    }

    @Test("W-20: a program that outlived the shell may connect before the arrangement is restored")
    func outlivesAndIsFirst() throws {
        var world = CoreWorld()
        for raw in 1...2 as ClosedRange<UInt32> {
            world.open(raw)
            world.send(.programKnown(AppProcess(Int32(raw) + 100), command: ["program\(raw)"], directory: nil, started: 77))
        }
        world.act(.splitView(window: WindowID(1), side: .left))
        let kept = world.system.kept
        var next = CoreWorld()
        // It connects by itself, so nobody asked for its window.
        next.create(7, WindowFacts(appID: "app2", title: "Window 2", lineage: [102, 1], client: 1))
        next.map(7)
        next.send(.programKnown(AppProcess(102), command: ["program2"], directory: nil, started: 77))
        #expect(next.system.kept.windows.isEmpty)
        next.send(.restored(kept, first: WindowID(50)))
        #expect(
            next.system.kept.windows.map(\.command) == [["program1"], ["program2"]]
                || next.system.kept.windows.map(\.command) == [["program2"], ["program1"]])
        #expect(next.workspace.currentSpace?.windows == [WindowID(50), WindowID(7)])
        #expect(next.workspace.windows.count == 2)
        next.wait(6000)
        #expect(next.workspace[WindowID(50)]?.placeholder?.launch != nil)
        #expect(next.finish() == [])
    }

    @Test("W-20: a tap starts a program at once that is awaited")
    func tapsAwaited() throws {
        var world = CoreWorld()
        world.open(1)
        world.send(.programKnown(AppProcess(101), command: ["program1"], directory: nil, started: 77))
        var next = CoreWorld()
        next.send(.restored(world.system.kept, first: WindowID(50)))
        let middle = try #require(next.system.shownFrame(of: WindowID(50), at: next.now)).center
        next.send(.touchDown(1, at: middle))
        next.send(.touchUp(1))
        #expect(next.workspace[WindowID(50)]?.placeholder?.launch != nil)
    }
}
