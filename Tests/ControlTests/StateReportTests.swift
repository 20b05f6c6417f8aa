import Control
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("The state as people read it")
struct StateReportTests {
    static func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.act(.splitView(window: WindowID(2), side: .left))
        world.open(3, to: .slideOver)
        world.open(4, to: .pictureInPicture)
        world.create(5)
        // Nobody asked for it.
        world.map(5)
        world.create(6)
        world.open(7, WindowFacts(appID: "app2", title: "Really?", lineage: [102, 1], client: 2, parent: WindowID(2)))
        world.wait(2000)
        return world
    }

    @Test("every window is at its place, under its name")
    func places() throws {
        let world = Self.world()
        let report = StateReport(world.system, at: world.now)
        #expect(report.windows.map(\.id.raw) == [1, 2, 3, 4, 5, 6, 7])
        #expect(
            report.windows.map(\.place) == [
                .splitRight, .splitLeft, .slideOver, .pictureInPicture, .waiting, .unmapped, .dialog,
            ])
        #expect(report.waiting == [WindowID(5)])
        #expect(report.slideOver.stack == [WindowID(3)] && !report.slideOver.hidden)
        #expect(report.pictureInPicture?.window == WindowID(4))
        #expect(report.space == report.spaces[0].id && report.spaces[0].windows == [WindowID(2), WindowID(1)])
        #expect(report.divider?.fraction == 0.5 && report.divider?.axis == .horizontal)
        #expect(report.divider?.target.width == 44)
        #expect(report.screen?.size == Size(1180, 820) && report.idiom == "pad" && !report.moving)
        #expect(report[WindowID(7)]?.parent == WindowID(2))
        #expect(report.windows.filter(\.active).map(\.id) == [report.focus])
        let left = try #require(report[WindowID(2)]), right = try #require(report[WindowID(1)])
        #expect(left.frame == Rect(0, 0, 585, 820) && right.frame == Rect(595, 0, 585, 820))
        #expect(left.shownFrame == left.frame && left.picture == left.frame && left.scale == 1)
        #expect(left.told == Size(585, 820) && left.size == Size(585, 820) && left.configured == left.answered)
        #expect(left.pid == 102 && !left.isX11 && !left.late && left.shown)
        #expect(report[WindowID(5)]?.shownFrame == nil && report[WindowID(5)]?.shown == false)
    }

    @Test("while a finger has something it says so, and where that is drawn: the divider, a picture, a space swiped up")
    func inTheHand() throws {
        var world = Self.world()
        func report() -> StateReport { StateReport(world.system, at: world.now) }
        let bar = try #require(report().divider?.frame)
        world.touch(down: bar.center)
        world.slide(to: bar.center + Vector(-150, 0))
        #expect(report().moving && report().divider?.dragged == true)
        #expect(abs(try #require(report().divider?.frame).center.x - (bar.center.x - 150)) < 1.1)
        world.lift()
        world.wait(60)
        let flying = try #require(report().divider?.frame)
        #expect(flying == world.system.stage.dividerBar(world.workspace, at: world.now).map { Rect(flying.x, $0.y, $0.width, $0.height) })
        #expect(flying.center.x > bar.center.x - 196 && flying.center.x < bar.center.x - 60 && report().moving)
        world.wait(2000)
        #expect(!report().moving && report().divider?.fraction == 1.0 / 3)

        let picture = try #require(report()[WindowID(4)]?.shownFrame)
        world.touch(down: picture.center)
        world.slide(to: picture.center + Vector(-100, -100))
        world.wait(500)
        #expect(report().moving)
        let held = try #require(report()[WindowID(4)]?.shownFrame)
        #expect(abs(held.x - picture.x + 100) < 0.5 && abs(held.y - picture.y + 100) < 0.5)
        world.lift()
        world.wait(3000)

        world.touch(down: Point(300, 816))
        world.slide(to: Point(300, 500))
        #expect(report().moving)
        let small = try #require(report()[WindowID(2)]), card = try #require(world.system.stage.cards.keys.first)
        let frame = try #require(world.system.stage.cardFrame(card, at: world.now))
        #expect(small.shownFrame?.width ?? 999 < 400 && abs((small.shownFrame?.x ?? 0) - frame.x) < 0.01)
        #expect(small.frame?.width == 390 && small.scale ?? 1 < 0.8)
        world.take()
        world.wait(2000)
        #expect(!report().moving && report()[WindowID(2)]?.shownFrame?.width == 390)
    }

    @Test("a window that cannot be so small is drawn smaller, and says how much (W-11)")
    func scaled() throws {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.setMinimum(Size(900, 400), of: WindowID(2))
        world.act(.splitView(window: WindowID(2), side: .left))
        world.wait(2000)
        let window = try #require(StateReport(world.system, at: world.now)[WindowID(2)])
        #expect(window.size == Size(900, 1262) && window.minimum == Size(900, 400) && window.told == window.size)
        #expect(abs((window.scale ?? 0) - 585.0 / 900) < 1e-3)
        #expect(window.frame!.contains(window.picture!, tolerance: 0.01))
    }

    @Test("the report is the same when it has been sent and read")
    func roundTrip() throws {
        let world = Self.world()
        let report = StateReport(world.system, at: world.now)
        #expect(try JSON(encoding: report).decoded(as: StateReport.self) == report)
        let fields = try #require(try JSON(encoding: report).object)
        #expect(
            Set(fields.keys) == [
                "at", "idiom", "screen", "moving", "focus", "space", "spaces", "divider", "slideOver", "pictureInPicture",
                "waiting", "windows", "home", "open", "page", "pages", "locked",
            ])
    }

    @Test("what of the shell's own views is open, what is looked for, and which page is in front")
    func views() throws {
        var world = Self.world()
        world.send(.appsChanged((1...60).map { App(id: "app\($0)", name: "App \($0)", command: ["app\($0)"]) }))
        // One of its windows waits.
        #expect(StateReport(world.system, at: world.now).open == ["banner"])
        world.act(.bannerLater)
        func report() -> StateReport { StateReport(world.system, at: world.now) }
        #expect(!report().home && report().open == [] && report().search == nil)
        #expect(report()[WindowID(7)]?.app == "app2" && report()[WindowID(1)]?.app == "app1")
        world.act(.appSwitcher)
        #expect(report().open == ["switcher"])
        world.act(.home)
        #expect(report().home && report().open == [] && report().page == 0 && report().pages > 1)
        world.act(.scroll(1))
        #expect(report().page == 1)
        world.act(.search(text: "app 1"))
        #expect(report().open == ["search"] && report().search == "app 1" && report().page == 0)
        world.act(.openApp(app: "app9"))
        #expect(report().open.contains("launching"))
        let fields = try #require(try JSON(encoding: report()).object)
        #expect(fields["search"] == .string("app 1"))
    }

    @Test("without a screen there is a report all the same")
    func noScreen() throws {
        let report = StateReport(System(idiom: .pad), at: .zero)
        #expect(report.screen == nil && report.windows.isEmpty && report.space == nil && report.divider == nil)
        _ = try JSON(encoding: report)
    }

    @Test("any state can be reported")
    func anything() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = CoreGenerator(seed: seed)
            var world = CoreRun.world()
            for _ in 0..<60 {
                generator.next().apply(to: &world)
                let report = StateReport(world.system, at: world.now)
                #expect(report.windows.count == world.workspace.windows.count)
                _ = try JSON(encoding: report)
            }
        }
    }
}
