import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// `personViolations` asks at each control of each view that nothing is dropped through it. Here stand the places between them.
@Suite("P-01: what apps drag reaches only what a press would reach") struct DropPointTests {
    @Test("the strips of a card are the card's, and not of the window below") func strips() throws {
        var world = slideOverWorld()
        let card = try #require(world.workspace.slideOver.stack.last), frame = try #require(world.frame(card))
        let content = try #require(world.system.contentRect(of: card, at: world.now))
        let whole = world.workspace.cardAround(frame)
        for y in [whole.minY + 2, frame.minY - 1, frame.maxY + 1, whole.maxY - 2] {
            let place = try #require(world.system.dropPoint(Point(whole.center.x, y), at: world.now))
            #expect(content.contains(place))
            #expect(place.x == whole.center.x)
        }
        #expect(world.system.dropPoint(frame.center, at: world.now) == frame.center)
        #expect(world.finish() == [])
    }

    @Test("nothing is dropped into a window below its modal dialog") func below() throws {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "editor", lineage: [100, 1], client: 1))
        let corner = Point(60, 400)
        #expect(world.system.dropPoint(corner, at: world.now) == corner)
        world.create(4, WindowFacts(appID: "editor", lineage: [100, 1], client: 1, parent: one, isModal: true))
        world.map(4)
        world.rest()
        #expect(world.system.dropPoint(corner, at: world.now) == nil)
        let dialog = try #require(world.frame(four)).center
        #expect(world.system.dropPoint(dialog, at: world.now) == dialog)
        #expect(world.finish() == [])
    }

    @Test("nothing is dropped beside a menu of the shell, which a touch there closes") func menu() {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "editor", lineage: [100, 1], client: 1))
        world.act(.controls(window: one))
        world.rest()
        #expect(world.system.dropPoint(Point(60, 400), at: world.now) == nil)
        world.act(.dismiss)
        world.rest()
        #expect(world.system.dropPoint(Point(60, 400), at: world.now) != nil)
        #expect(world.finish() == [])
    }

    @Test("an alert over a window lies below Slide Over, for the eye and for the finger") func card() throws {
        var world = slideOverWorld()
        let card = try #require(world.workspace.slideOver.stack.last), base = try #require(world.workspace.currentSpace?.windows.first)
        world.send(
            .viewAsked(
                ModalView(
                    ModalID(1), .alert, over: base, of: "app1", title: "Delete the film?", message: "",
                    choices: [.init("Delete", .destructive), .init("Keep", .cancel)])))
        world.rest()
        let items = world.system.items(at: world.now)
        let picture = try #require(items.firstIndex { $0.key.part == .window && $0.key.window == card })
        let own = try #require(world.system.views(at: world.now)).canvas(of: .windowViews).items.map(\.key)
        #expect(!own.isEmpty && !items[picture...].contains { own.contains($0.key) })
        let spot = try #require(world.frame(card)).center
        world.touch(1, down: spot)
        #expect(world.effects.contains { if case .client(.touchDown(_, card, _)) = $0 { true } else { false } })
        world.lift(1)
        #expect(world.finish() == [])
    }
}
