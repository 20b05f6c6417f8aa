import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

extension LaunchRuleTests {
    // MARK: Who fills a placeholder

    @Test("W-20: a program that a person starts elsewhere fills no placeholder of the same app, and is seen", arguments: [true, false])
    func startedElsewhere(isOneRestarted: Bool) throws {
        var world = CoreWorld()
        _ = try launch(&world, .launch(command: ["client", "four"]), process: 700)
        for raw in 1...4 as ClosedRange<UInt32> { world.open(raw, page("window \(raw)", process: 700, app: "client")) }
        world.send(.programKnown(AppProcess(700), command: ["client", "four"], directory: nil, started: 5))
        world.open(5)
        world.wait(12_000)
        #expect(world.workspace[one]?.isSuspended == true)
        world.disconnect(one)
        #expect(world.workspace.windows.values.count { $0.placeholder != nil } == 4)
        if isOneRestarted {
            let fourth = try #require(world.workspace.windows.values.last { $0.placeholder != nil }).id
            let effects = world.act(.focus(window: fourth))
            let again = try #require(relaunches(effects).first)
            world.send(.launched(again.id, process: 710))
            world.create(6, page("window 4", process: 710, app: "client"))
            world.map(6)
            isFull(world, WindowID(6))
            world.wait(7000)
            world.act(.focus(window: WindowID(5)))
        }
        world.tap(at: Point(400, 400))
        world.create(7, WindowFacts(appID: "client", title: "window 1", lineage: [720, 105, 1], client: 720))
        world.map(7)
        isFull(world, WindowID(7))
        world.send(.programKnown(AppProcess(720), command: ["client", "one"], directory: nil))
        isFull(world, WindowID(7))
        #expect(world.workspace.windows.values.count { $0.placeholder != nil } == (isOneRestarted ? 3 : 4))
        #expect(world.finish() == [])
    }

    @Test(
        "W-20: a link opened in an app that was killed fills its window, which comes forward, and the others fill theirs",
        arguments: [true, false])
    func link(isByShell: Bool) throws {
        var world = try browsing()
        world.act(.home)
        world.wait(12_000)
        world.disconnect(one)
        #expect(world.workspace.windows.values.count { $0.placeholder != nil && $0.app == "browser" } == 3)
        world.open(8)
        world.tap(at: Point(400, 400))
        if isByShell {
            _ = try launch(&world, .launch(command: ["browser", "https://example.org"]), process: 720)
        }
        world.wait(4000)
        let lineage: [Int32] = isByShell ? [720, 1] : [720, 108, 1]
        for raw in 10...12 as ClosedRange<UInt32> {
            world.create(
                raw, WindowFacts(appID: "browser", title: raw == 10 ? "Browser" : "page \(raw - 9)", lineage: lineage, client: 720))
            world.map(raw)
            if raw == 10, !isByShell {
                // The app in front started it. Where it belongs, its command tells.
                isFull(world, WindowID(10))
                world.send(.programKnown(AppProcess(720), command: ["/usr/bin/browser", "https://example.org"], directory: nil))
            }
        }
        #expect(world.workspace.focus == WindowID(10) && world.workspace.waiting == [])
        #expect(!world.workspace.windows.values.contains { $0.placeholder != nil && $0.app == "browser" })
        #expect(world.finish() == [])
    }

    @Test("W-19: a link that nobody opened brings nothing forward")
    func unaskedLink() throws {
        var world = try browsing()
        world.act(.home)
        world.wait(12_000)
        world.disconnect(one)
        world.open(8)
        world.wait(20_000)
        world.create(10, WindowFacts(appID: "browser", title: "Browser", lineage: [720, 108, 1], client: 720))
        world.map(10)
        world.send(.programKnown(AppProcess(720), command: ["/usr/bin/browser", "https://example.org"], directory: nil))
        #expect(world.place(WindowID(10)) == .waiting && world.workspace.focus == WindowID(8))
        #expect(world.finish() == [])
    }
}
