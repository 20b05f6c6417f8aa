import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("Grounds of glass")
struct GlassTests {
    private func items(_ world: CoreWorld) -> [Item] { world.system.items(at: world.now) }

    private func glass(_ world: CoreWorld) -> [(paint: Paint, item: Item)] {
        items(world).compactMap { item in
            switch item.kind {
            case .art(.glass(let paint), _), .art(.glassOver(let paint, _), _): (paint, item)
            default: nil
            }
        }
    }

    static let places: [(view: String, actions: [Action], paint: Paint, panel: String)] = [
        ("home", [.home], .dock, "dock"), ("dock", [.dock], .dock, "dock"), ("shelf", [.appShelf(app: "editor")], .panel, "shelf"),
        ("controls", [.controls()], .panel, "controls"), ("menu", [.home, .appMenu(app: "editor")], .panel, "menu"),
        ("notifications", [.notifications], .panel, "notifications"), ("control centre", [.controlCentre], .panel, "control-centre"),
    ]

    private func world(_ actions: [Action], _ appearance: Appearance) -> CoreWorld {
        var world = InterfaceTests.world(["editor"], preferences: Preferences(appearance: appearance))
        for action in actions {
            world.act(action)
            world.rest()
        }
        return world
    }

    @Test(
        "every view stands on a piece of a picture as large as the screen, with a hairline around it",
        arguments: GlassTests.places.map(\.view), [false, true])
    func pieces(view: String, isDark: Bool) throws {
        for isMirrored in [false, true] {
            let it = try #require(Self.places.first { $0.view == view })
            let world = world(it.actions, Appearance(isDark: isDark, isRightToLeft: isMirrored))
            let frame = try #require(world.controls.last { $0.id.rawValue == it.panel }).frame
            let piece = try #require(glass(world).last { $0.paint == it.paint }).item
            #expect(piece.clip == frame.inset(by: 1))
            #expect(
                piece.frame == Rect(0, 0, 1180, 820)
                    && piece.kind == .art(it.view == "home" ? .glass(it.paint) : .glassOver(it.paint, opening: 1), size: Size(1180, 820)))
            #expect(piece.opacity == 1)
            // Under it, and looking out by a pixel.
            let all = items(world)
            let place = try #require(all.firstIndex(of: piece))
            #expect(all[place - 1].kind == .fill(.rim) && all[place - 1].frame == frame && all[place - 1].radius == piece.radius + 1)
        }
    }

    @Test(
        "X-05: with increased contrast and with less transparency no view is glass",
        arguments: [
            Appearance(increasedContrast: true), Appearance(reducesTransparency: true), Appearance(isDark: true, reducesTransparency: true),
        ])
    func opaque(appearance: Appearance) throws {
        #expect(!appearance.hasGlass && Appearance().hasGlass)
        for it in Self.places {
            let world = world(it.actions, appearance)
            #expect(glass(world).isEmpty, "\(it.view)")
            let frame = try #require(world.controls.last { $0.id.rawValue == it.panel }).frame
            #expect(items(world).contains { $0.kind == .fill(it.paint) && $0.frame == frame }, "\(it.view)")
        }
    }

    @Test("what asks for the second window of a pair stands on glass, too", arguments: [false, true])
    func picking(isOpaque: Bool) {
        let world = world([.controls(), .press(view: "controls/split-left")], Appearance(reducesTransparency: isOpaque))
        #expect(world.interface.picking != nil)
        #expect(glass(world).contains { $0.paint == .panel } == !isOpaque)
        #expect(items(world).contains { $0.kind == .fill(.panel) } == isOpaque)
    }

    @Test("the list of keys is too large for glass: it would take longer than a frame on a screen that is turned")
    func keys() {
        #expect(!glass(world([.keyHelp], Appearance())).contains { $0.paint == .panel })
    }

    @Test("while a view moves its glass stays where it is on the screen, and the cut follows the view")
    func moves() throws {
        var world = world([], Appearance())
        world.act(.controlCentre)
        var tops: [Double] = []
        for _ in 0..<12 {
            world.wait(16)
            guard let piece = glass(world).last?.item, let clip = piece.clip else { continue }
            #expect(piece.frame == Rect(0, 0, 1180, 820))
            tops.append(clip.minY)
        }
        #expect(Set(tops).count > 5 && tops == tops.sorted())
    }

    @Test("the hairline is a pixel wide, on a finer screen half a point", arguments: [(1.0, 1.0), (2, 0.5), (3, 0.5), (1.25, 0.8)])
    func hairline(scale: Double, width: Double) throws {
        var world = world([], Appearance())
        world.send(.screenChanged(Screen(size: Size(1180, 820), scale: scale)))
        world.act(.controlCentre)
        world.rest()
        let frame = try #require(world.control("control-centre")).frame
        let clip = try #require(glass(world).last?.item.clip)
        #expect(abs(clip.minX - frame.minX - width) < 1e-9 && abs(frame.maxY - clip.maxY - width) < 1e-9)
    }

    @Test("views that open stand on a picture of the screen from that moment, and those that open soon after or over them on the same")
    func openings() throws {
        var world = world([], Appearance())
        func opening(_ world: CoreWorld) -> Int? {
            glass(world).compactMap { if case .art(.glassOver(_, let opening), _) = $0.item.kind { opening } else { nil } }.last
        }
        world.act(.controlCentre)
        world.rest()
        #expect(opening(world) == 1)
        world.act(.controlCentre)
        world.act(.notifications)
        world.rest()
        #expect(opening(world) == 1)
        world.act(.notifications)
        world.rest()
        #expect(opening(world) == nil)
        world.act(.dock)
        world.rest()
        #expect(opening(world) == 2)
    }

    @Test("W-25: the glass of a dock that stands follows the windows below it, once they have come to rest")
    func standingDock() throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: .mac)
        CoreOp.apps(6).apply(to: &world)
        world.open(1, CoreOp.facts(1, parent: nil, app: 0))
        world.rest()
        func opening() -> Int? {
            for case .art(.glassOver(.dock, let opening), _) in items(world).map(\.kind) { return opening }
            return nil
        }
        let alone = try #require(opening())
        let frame = try #require(world.workspace.frames()[one])
        world.send(.windowPlaced(one, at: Point(frame.x, 30)))
        world.wait(3000)
        #expect(opening() == alone)
        world.send(.windowPlaced(one, at: Point(frame.x, 500)))
        #expect(opening() == alone)
        world.wait(3000)
        #expect(opening() == alone + 1)
        world.send(.windowPlaced(one, at: Point(frame.x, 30)))
        world.wait(3000)
        #expect(opening() == alone + 2)
        #expect(world.finish() == [])
    }

    @Test("W-25: the card of an app that starts is not in the picture of the dock's glass")
    func startsFirst() throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: .mac)
        CoreOp.apps(6).apply(to: &world)
        let before = world.interface.glassGround.opening
        world.act(.openApp(app: CoreOp.facts(1, parent: nil, app: 0).appID))
        world.wait(2000)
        #expect(!world.interface.launches.isEmpty && world.interface.glassGround.opening == before)
        world.open(1, CoreOp.facts(1, parent: nil, app: 0))
        world.wait(30_000)
        #expect(world.interface.launches.isEmpty && world.interface.glassGround.opening == before + 1)
    }

    @Test("W-25: a window on its way into the dock is not in the picture of the dock's glass")
    func restsFirst() throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: .mac, preferences: Preferences(animationSpeed: 0.1))
        CoreOp.apps(6).apply(to: &world)
        world.open(1, CoreOp.facts(1, parent: nil, app: 0))
        world.wait(30_000)
        world.send(.windowPlaced(one, at: Point(300, 500)))
        world.wait(30_000)
        let before = world.interface.glassGround.opening
        world.act(.minimize(window: one))
        world.wait(1500)
        #expect(world.system.isMoving(at: world.now) && world.interface.glassGround.opening == before)
        world.wait(30_000)
        #expect(world.interface.glassGround.opening == before + 1)
    }
}
