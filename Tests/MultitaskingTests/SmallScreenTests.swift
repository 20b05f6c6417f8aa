import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-01, X-03: a phone's screen")
struct SmallScreenTests {
    @Test("Slide Over is not offered, and an error says why", arguments: [Size(390, 844), Size(844, 390), Size(430, 932)])
    func slideOver(size: Size) {
        var world = CoreWorld(size: size)
        world.open(1)
        world.open(2)
        world.rest()
        for action in [Action.slideOver(window: two), .slideOverToggle, .slideOverNext, .launch(command: ["foot"], to: .slideOver)] {
            let effects = world.act(action)
            let reasons = effects.compactMap { if case .session(.refuse(let refusal)) = $0 { refusal.reason } else { nil } }
            #expect(
                reasons == [
                    "Slide Over needs a tablet's screen; one of \(Int(clamping: size.width))x\(Int(clamping: size.height)) points has no room beside an app"
                ])
        }
        #expect(world.workspace.slideOver.stack.isEmpty)
        world.act(.controls())
        #expect(!world.controls.contains { $0.id == "controls/slide-over" })
        world.act(.dismiss)
        world.rest()
        // Where a card would be dropped on a larger screen.
        world.drag(from: world.spot(.grip(0)), to: Point(size.width * 0.8, size.height / 2), over: 500)
        world.rest()
        #expect(world.workspace.place(of: two) != .slideOver(0))
        #expect(world.problems.isEmpty)
    }

    @Test("when a screen becomes small, what is in Slide Over stays there, can be put away, and no other window comes to it")
    func becomesSmall() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .slideOver)
        world.rest()
        world.send(.screenChanged(Screen(size: Size(390, 844))))
        world.rest()
        #expect(world.workspace.slideOver.stack == [two])
        #expect(world.act(.slideOver(window: one)).contains { if case .session(.refuse) = $0 { true } else { false } })
        world.act(.slideOverHide)
        world.act(.slideOverShow)
        #expect(!world.workspace.slideOver.isHidden)
        world.act(.fullScreen(window: two))
        #expect(world.workspace.slideOver.stack.isEmpty)
        world.send(.screenChanged(Screen(size: Size(1180, 820))))
        world.act(.slideOver(window: two))
        #expect(world.workspace.place(of: two) == .slideOver(0))
        #expect(world.problems.isEmpty, "\(world.problems)")
    }

    @Test("four columns and a dock of four")
    func home() {
        var world = CoreWorld(size: Size(390, 844))
        let apps = (0..<30).map { App(id: "app\($0)", name: "App \($0)", command: ["app\($0)"]) }
        world.send(.appsChanged(apps))
        world.rest()
        let icons = world.controls.filter { $0.id.appOfIcon != nil && $0.id.area == .home && $0.frame.maxX <= 390 }
        #expect(Set(icons.map(\.frame.x)).count == 4)
        #expect(world.controls.filter { $0.id.appOfIcon != nil && $0.id.area == .dock }.count == 4)
        world.open(1, WindowFacts(appID: "app20", title: "A window", lineage: [101, 1], client: 1))
        world.act(.home)
        world.rest()
        #expect(world.controls.filter { $0.id.appOfIcon != nil && $0.id.area == .dock }.count == 4)
    }
}
