import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-19: new windows only when a person asked")
struct NewWindowTests {
    private func launched(_ world: inout CoreWorld, process: Int32, to destination: Destination? = nil) -> LaunchID {
        let effects = world.act(.launch(command: ["program"], to: destination))
        guard case .program(.launch(let id, _, _))? = effects.first else { preconditionFailure("nothing was launched") }
        world.send(.launched(id, process: process))
        return id
    }

    @Test("a window that opens by itself waits, unseen and without the keys")
    func byItself() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.create(2, WindowFacts(appID: "app1", lineage: [101, 1], client: 1))
        world.map(2)
        #expect(world.place(two) == .waiting)
        #expect(world.workspace.waiting == [two])
        #expect(world.frame(two) == nil)
        #expect(world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    @Test(
        "windows that come in one turn stand as if each had come by itself, and are told once",
        arguments: [Admission.Policy.always, .asked])
    func together(policy: Admission.Policy) {
        var single = CoreWorld(), together = CoreWorld()
        func prepare(_ world: inout CoreWorld) {
            world.send(.configured(Preferences(newWindows: policy)))
            world.open(1)
            world.tap(at: Point(400, 400))
            for raw in 2...9 as ClosedRange<UInt32> {
                // One of another app, which nobody asked for, and a dialog.
                let app: UInt64 = raw == 4 ? 9 : 1
                world.create(
                    raw, WindowFacts(appID: "app\(app)", lineage: [Int32(100 + app), 1], client: app, parent: raw == 6 ? two : nil))
            }
        }
        prepare(&single)
        prepare(&together)
        let before = together.clients.mapValues(\.configures.count)
        for raw in 2...9 as ClosedRange<UInt32> { single.map(raw) }
        together.map(together: Array(2...9))
        for raw in 1...9 as ClosedRange<UInt32> {
            let id = WindowID(raw)
            #expect(together.place(id) == single.place(id))
            #expect(together.clients[id]!.configures.count <= before[id]! + 1)
        }
        #expect(together.place(four) == (policy == .always ? .full(SpaceID(4)) : .waiting))
        #expect(together.workspace.spaces.map(\.content) == single.workspace.spaces.map(\.content))
        #expect(together.workspace.waiting == single.workspace.waiting && together.workspace.focus == single.workspace.focus)
        #expect(single.finish() == [] && together.finish() == [])
        #expect(together.frame(WindowID(9)) == single.frame(WindowID(9)))
    }

    @Test("the same within two seconds of a press in the same app is taken as asked for, later not", arguments: [1500.0, 2500])
    func afterPress(milliseconds: Double) {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.tap(at: Point(400, 400))
        world.wait(milliseconds)
        world.create(2, WindowFacts(appID: "app1", lineage: [101, 1], client: 1))
        world.map(2)
        if milliseconds < 2000 { isFull(world, two) } else { #expect(world.place(two) == .waiting) }
        #expect(world.finish() == [])
    }

    @Test("a press in one app does not open the window of another")
    func otherApp() {
        var world = splitWorld()
        world.tap(at: Point(200, 400))
        world.open(9)
        world.tap(at: Point(200, 400))
        world.create(3, WindowFacts(appID: "app2", lineage: [102, 1], client: 2))
        world.map(3)
        #expect(world.place(three) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("S-03: an X11 program whose window is in sight runs, even if the X server says late whose window it is")
    func ownerKnownLate() {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "x11", lineage: [500, 1], client: 9, isX11: true))
        world.open(2, WindowFacts(client: 9, isX11: true))
        world.wait(12_000)
        #expect(world.workspace.shownWindows == [two] && world.workspace[one]?.isSuspended == true)
        let count = world.effects.count
        world.rename(two, WindowFacts(appID: "x11", title: "late", lineage: [500, 1], client: 9, isX11: true))
        #expect(world.effects[count...].contains(.life(.thaw(AppProcess(500)))))
        #expect(world.workspace[one]?.isSuspended == false && world.finish() == [])
        world.wait(12_000)
        #expect(world.workspace[one]?.isSuspended == false)
    }

    @Test("a program started from the app in front, by lineage, is its own; X11 programs too", arguments: [false, true])
    func child(isX11: Bool) {
        var world = CoreWorld()
        world.open(1)
        world.tap(at: Point(400, 400))
        world.create(2, WindowFacts(appID: "child", lineage: [500, 101, 1], client: 77, isX11: isX11))
        world.map(2)
        isFull(world, two)
        #expect(world.finish() == [])
    }

    @Test("an activation token with a recent serial opens it, before or after it is mapped", arguments: [true, false])
    func token(isEarly: Bool) {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.create(2)
        if isEarly { world.send(.activationAsked(two, hasRecentSerial: true, launch: nil)) }
        world.map(2)
        if !isEarly {
            #expect(world.place(two) == .waiting)
            world.send(.activationAsked(two, hasRecentSerial: true, launch: nil))
        }
        isFull(world, two)
        #expect(world.finish() == [])
    }

    @Test("a token without a recent serial opens nothing and brings nothing to the front")
    func oldToken() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.wait(5000)
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        isFull(world, two)
        world.create(3)
        world.send(.activationAsked(three, hasRecentSerial: false, launch: nil))
        world.map(3)
        #expect(world.place(three) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("what the shell launched was asked for, by the line of processes, and goes where it was meant to")
    func launcher() {
        var world = CoreWorld()
        world.open(1)
        _ = launched(&world, process: 900, to: .splitView(.left))
        world.wait(20_000)
        world.create(2, WindowFacts(lineage: [905, 900, 1], client: 2))
        #expect(world.clients[two]?.told?.frame.size == Size(585, 820), "it is told its later size from the start")
        world.map(2)
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    @Test("a launched program may show a splash window first and its main window after")
    func splash() {
        var world = CoreWorld()
        _ = launched(&world, process: 900)
        world.create(1, WindowFacts(title: "Splash", lineage: [900, 1], client: 2))
        world.map(1)
        isFull(world, one)
        world.destroy(one)
        world.wait(8000)
        world.create(2, WindowFacts(title: "Main", lineage: [900, 1], client: 2))
        world.map(2)
        isFull(world, two)
        // While it shows that one, the next that comes by itself waits.
        world.wait(8000)
        world.create(3, WindowFacts(title: "Advertisement", lineage: [900, 1], client: 2))
        world.map(3)
        #expect(world.place(three) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("a launch token handed to a running program opens one window where it was meant to, and no second one")
    func launchToken() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        let launch = launched(&world, process: 900, to: .slideOver)
        world.send(.launchEnded(launch))
        world.create(2, WindowFacts(lineage: [300, 1], client: 3))
        world.send(.activationAsked(two, hasRecentSerial: false, launch: launch))
        world.map(2)
        #expect(world.place(two) == .slideOver(0))
        world.create(3, WindowFacts(lineage: [300, 1], client: 3))
        world.send(.activationAsked(three, hasRecentSerial: false, launch: launch))
        world.map(3)
        #expect(world.place(three) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("a launch token is good for a minute")
    func oldLaunch() {
        var world = CoreWorld()
        world.open(1)
        let launch = launched(&world, process: 900)
        world.send(.launchEnded(launch))
        world.wait(61_000)
        world.create(2, WindowFacts(lineage: [300, 1], client: 3))
        world.send(.activationAsked(two, hasRecentSerial: false, launch: launch))
        world.map(2)
        #expect(world.place(two) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("a program that cannot be started is said so, and leaves nothing behind")
    func failedLaunch() {
        var world = CoreWorld()
        guard case .program(.launch(let id, let command, _))? = world.act(.launch(command: ["nothing"])).first else {
            Issue.record("nothing was launched")
            return
        }
        #expect(command == ["nothing"])
        #expect(world.send(.launchFailed(id, reason: "no such program: nothing")).refusals == ["no such program: nothing"])
        #expect(world.workspace.launches.all.isEmpty)
        #expect(world.finish() == [])
    }

    @Test("a person opens a waiting window, the oldest if none is named, wherever they like")
    func openWaiting() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        for raw in [2, 3] as [UInt32] {
            world.create(raw)
            world.map(raw)
        }
        #expect(world.workspace.waiting == [two, three])
        world.act(.openWaiting(window: three, to: .slideOver))
        #expect(world.place(three) == .slideOver(0))
        world.act(.openWaiting())
        isFull(world, two)
        #expect(world.act(.openWaiting()).refusals == ["no window is waiting"])
        #expect(world.act(.openWaiting(window: one)).refusals == ["window 1 is not waiting"])
        #expect(world.finish() == [])
    }

    @Test("dialogs of a window's own do not wait")
    func dialog() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.create(2, WindowFacts(client: 1, parent: one))
        world.map(2)
        #expect(world.place(two) == .dialog(of: one))
        #expect(world.workspace.isShown(two))
        #expect(world.finish() == [])
    }

    @Test("shown again after the client took it away, a window must be asked for again")
    func mappedAgain() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.unmap(two)
        isFull(world, one)
        world.wait(5000)
        world.map(2)
        #expect(world.place(two) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("a kiosk may let everything open")
    func always() {
        var world = CoreWorld(preferences: Preferences(newWindows: .always))
        world.create(1)
        world.map(1)
        isFull(world, one)
        #expect(world.finish() == [])
    }

    // MARK: Apps that run once

    private static let files = App(
        id: "org.example.Files", name: "Files", command: ["/usr/bin/files", "--new-window"],
        actions: [AppAction(id: "new-window", name: "New Window", command: ["files", "--new-window"])])

    /// The app runs; a person worked elsewhere since.
    private func runningOnce() -> CoreWorld {
        var world = CoreWorld()
        world.send(.appsChanged([Self.files]))
        world.open(1, WindowFacts(appID: "org.example.Files", lineage: [101, 1], client: 1))
        world.open(2)
        world.wait(10_000)
        return world
    }

    /// Another window of the process that ran already.
    private func answer(_ world: inout CoreWorld, _ raw: UInt32 = 3, app: String = "org.example.Files") {
        world.create(raw, WindowFacts(appID: app, lineage: [101, 1], client: 1))
        world.map(raw)
    }

    @Test(
        "a window that another process of the app opens without the token is the one that was asked for",
        arguments: [
            Action.newWindow(app: "org.example.Files"), .launch(command: ["files", "/some/folder"]),
            .appAction(app: "org.example.Files", action: "new-window"), .launch(command: ["/usr/bin/files"], to: .slideOver),
        ])
    func answeredByApp(action: Action) {
        var world = runningOnce()
        guard case .program(.launch(let id, _, _))? = world.act(action).first(where: { $0.kind == .program }) else {
            return #expect(Bool(false), "nothing was launched")
        }
        world.send(.launched(id, process: 900))
        world.send(.launchEnded(id, status: 0))
        world.wait(1500)
        answer(&world)
        if case .launch(_, .slideOver?) = action { #expect(world.place(three) == .slideOver(0)) } else { isFull(world, three) }
        // One was asked for.
        answer(&world, 4)
        #expect(world.place(four) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("not another app's window, not much later, and not after the program failed")
    func notAnswered() {
        var other = runningOnce()
        other.act(.launch(command: ["files"]))
        answer(&other, app: "org.example.Other")
        #expect(other.place(three) == .waiting)

        var late = runningOnce()
        late.act(.launch(command: ["files"]))
        late.wait(16_000)
        answer(&late)
        #expect(late.place(three) == .waiting)

        var failed = runningOnce()
        guard case .program(.launch(let id, _, _))? = failed.act(.launch(command: ["files"])).first(where: { $0.kind == .program }) else {
            Issue.record("nothing was launched")
            return
        }
        failed.send(.launched(id, process: 900))
        failed.send(.launchEnded(id, status: 2))
        answer(&failed)
        #expect(failed.place(three) == .waiting)
        #expect(other.finish() == [] && late.finish() == [] && failed.finish() == [])
    }

    @Test("an app that shows a window it has instead of a new one brings that to the front")
    func shownInstead() {
        var world = runningOnce()
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        isFull(world, two)
        world.act(.launch(command: ["files"]))
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        isFull(world, one)
        #expect(world.finish() == [])
    }
}
