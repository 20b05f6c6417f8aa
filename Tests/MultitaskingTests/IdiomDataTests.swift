import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// What an idiom says as data, and no code by arrangement or by name.
@Suite("Idioms as data")
struct IdiomDataTests {
    private let one = WindowID(1), two = WindowID(2)

    private func world(_ idiom: Idiom, windows: UInt32 = 2, preferences: Preferences = Preferences(newWindows: .always)) -> CoreWorld {
        #expect(idiom.contradictions == [])
        var world = CoreWorld(idiom: idiom, preferences: preferences)
        for raw in 1...windows {
            world.create(raw, WindowFacts(appID: "app\(raw)", title: "Window \(raw)", client: UInt64(raw), isBare: true))
            world.setNatural(Size(500, 300), of: WindowID(raw))
            world.map(raw)
        }
        world.rest()
        return world
    }

    private func variant(of idiom: Idiom, _ change: (inout Idiom) -> Void) -> Idiom {
        var idiom = idiom
        idiom.name = "own"
        change(&idiom)
        return idiom
    }

    private func press(_ chord: KeyChord, _ world: inout CoreWorld) {
        world.send(.key(code: 40, symbol: chord.symbol, pressed: true, modifiers: chord.modifiers))
        world.send(.key(code: 40, symbol: chord.symbol, pressed: false, modifiers: chord.modifiers))
        world.rest()
    }

    private func says(_ word: String, _ world: CoreWorld) -> Bool { world.effects.contains { "\($0)".contains(word) } }

    private func pull(_ from: Point, by way: Vector, _ world: inout CoreWorld) {
        world.touch(down: from)
        world.slide(to: from + way)
        world.lift()
        world.rest()
    }

    // MARK: Zones

    @Test("an upper edge of one panel opens it at both ends, an upper edge without a panel is the app's")
    func upperEdge() throws {
        var both = world(variant(of: .pad) { $0.zones.topLeading = .controlCentre })
        let screen = try #require(both.workspace.screen).bounds
        for x in [40, screen.maxX - 40] {
            pull(Point(x, 2), by: Vector(0, 300), &both)
            #expect(both.interface.openNames == ["control-centre"], "at \(x)")
            both.act(.dismiss)
            both.rest()
        }
        var none = world(variant(of: .pad) { ($0.zones.topLeading, $0.zones.topTrailing) = (.nothing, .nothing) })
        none.touch(down: Point(40, 2))
        none.slide(to: Point(40, 300))
        #expect(says("touchMotion", none), "the app gets the finger")
        none.lift()
        #expect(none.interface.openNames == [] && none.finish() == [])
    }

    @Test("the trailing part of the upper edge has the share that the data say")
    func trailingShare() throws {
        var world = world(variant(of: .pad) { $0.zones.trailingShare = 0.8 })
        let screen = try #require(world.workspace.screen).bounds
        pull(Point(screen.width * 0.25, 2), by: Vector(0, 300), &world)
        #expect(world.interface.openNames == ["control-centre"])
    }

    @Test("a lower edge without a meaning is the app's")
    func lowerEdge() throws {
        var world = world(variant(of: .pad) { ($0.zones.bottom, $0.homeLine) = (.nothing, nil) })
        let screen = try #require(world.workspace.screen).bounds
        pull(Point(screen.center.x, screen.maxY - 2), by: Vector(0, -600), &world)
        #expect(!world.workspace.isHome && world.interface.openNames == [] && world.workspace.focus == two && world.finish() == [])
    }

    // MARK: Layers

    @Test(
        "W-25: bars are above windows or below them, where they are drawn and where they are hit",
        arguments: [LayerRules.Side.above, .below])
    func bars(_ side: LayerRules.Side) throws {
        var world = world(variant(of: .mac) { $0.layers.bars = side })
        world.act(.tile(window: two, to: .whole))
        world.rest()
        let dock = try #require(world.controls.last { $0.id.area == .dock && $0.role == .panel }?.frame)
        // Dragged over the dock, as a person moves it.
        world.send(.windowPlaced(two, at: Point(dock.center.x - 250, dock.center.y - 150)))
        world.rest()
        let items = world.system.items(at: world.now)
        let window = try #require(items.lastIndex { $0.key.part == .window && $0.key.window == two })
        let ground = try #require(
            items.firstIndex { $0.key.part == .view && abs($0.frame.width - dock.width) < 4 && $0.frame.contains(dock.center) })
        #expect((ground > window) == (side == .above))
        let isOverWindow = world.send(.pointerMotion(at: dock.center)).contains { "\($0)".contains("pointerOnWindow") }
        #expect(isOverWindow == (side == .below))
    }

    @Test("W-06: Picture in Picture is above the app switcher or below it", arguments: [LayerRules.Side.above, .below])
    func picture(_ side: LayerRules.Side) throws {
        var world = world(variant(of: .pad) { $0.layers.picture = side })
        world.act(.pictureInPicture(window: two))
        world.rest()
        world.act(.appSwitcher)
        world.rest()
        let items = world.system.items(at: world.now).map(\.key)
        let picture = try #require(items.firstIndex { $0.part == .window && $0.window == two })
        let views = items.indices.filter { items[$0].part == .view }
        #expect(views.contains { $0 > picture } == (side == .below) && !views.isEmpty)
        #expect(world.finish() == [])
    }

    // MARK: Dialogs

    private func dialog(_ raw: UInt32, on parent: WindowID, _ world: inout CoreWorld) -> WindowID {
        var facts = WindowFacts(appID: "app\(parent.raw)", title: "Dialog", client: UInt64(parent.raw))
        facts.parent = parent
        facts.isModal = true
        world.create(raw, facts)
        world.setNatural(Size(300, 200), of: WindowID(raw))
        world.map(raw)
        world.rest()
        return WindowID(raw)
    }

    @Test("M-02: freely stacked windows have dialogs as windows, or as sheets that stay in them", arguments: ModalStyle.allCases)
    func dialogs(_ style: ModalStyle) throws {
        var world = world(variant(of: .mac) { $0.dialogs = style })
        let dialog = dialog(9, on: two, &world)
        let frame = try #require(world.frame(dialog)), window = try #require(world.frame(two))
        #expect(window.contains(frame))
        #expect((world.workspace.dimmer(of: two) == dialog) == (style == .sheets))
        #expect(world.workspace.titleBar(of: two) == 32 && world.workspace.bar(of: two) == 32, "its window has a title bar in any case")
        #expect(world.finish() == [])
    }

    @Test("W-25: the dialog of a window that is not active lies below the active window", arguments: [Idiom.mac, .vision])
    func dialogsBehind(_ idiom: Idiom) throws {
        var world = world(idiom)
        let dialog = dialog(9, on: two, &world)
        world.act(.focus(window: one))
        world.rest()
        func layer(_ id: WindowID) throws -> Int {
            try #require(world.system.items(at: world.now).firstIndex { $0.key.part == .window && $0.key.window == id })
        }
        #expect(try layer(two) < layer(dialog) && layer(dialog) < layer(one))
        // A person sees the active window there, so a press is for it.
        let middle = try #require(world.frame(one)).intersection(try #require(world.frame(dialog)))
        if !middle.isEmpty, idiom.depth == nil {
            let place = try #require(world.frame(one)).origin
            #expect(
                world.send(.pointerMotion(at: middle.center)).contains(
                    .pointerOnWindow(one, at: middle.center + Vector(-place.x, -place.y))))
        }
        world.act(.focus(window: two))
        world.rest()
        #expect(try layer(one) < layer(two) && layer(two) < layer(dialog) && world.finish() == [])
    }

    @Test("W-25: the controls of a title bar are hit where a person sees them, and not through the window that covers them")
    func coveredControls() throws {
        var world = world(.mac)
        world.send(.windowPlaced(one, at: Point(200, 200)))
        world.act(.focus(window: two))
        world.send(.windowPlaced(two, at: Point(700, 400)))
        world.rest()
        func minimize() -> ViewControl? { world.controls.last { $0.id.rawValue == "sheet/\(one.raw)/minimize" } }
        let control = try #require(minimize()).frame.center
        world.send(.windowPlaced(two, at: Point(150, 120)))
        world.rest()
        #expect(try #require(world.frame(two)).contains(control) && minimize() == nil)
        world.tap(at: control)
        world.rest()
        #expect(world.workspace.isShown(one) && world.workspace.focus == two)
        world.send(.windowPlaced(two, at: Point(700, 400)))
        world.rest()
        world.tap(at: control)
        world.rest()
        #expect(!world.workspace.isShown(one) && world.finish() == [])
    }

    // MARK: Keys

    @Test("an idiom's keys do what its data say; a key to which a person gave a meaning keeps it; the next idiom has its own")
    func keys() {
        let own = variant(of: .pad) { $0.keys = [IdiomKey("home", "Super+Left"), IdiomKey("next-space", "Super+Right")] }
        var world = world(own)
        press("Super+Left", &world)
        #expect(world.workspace.isHome)
        world.send(.idiomsKnown([own, .pad]))
        world.act(.idiom("pad"))
        world.act(.home)
        press("Super+Left", &world)
        #expect(!world.workspace.isHome, "on a pad it makes a Split View")

        var preferences = Preferences(newWindows: .always)
        preferences.keys = preferences.keys.filter { $0.chord != "Super+Left" } + [KeyBinding("Super+Left", .controlCentre)]
        var personal = self.world(own, preferences: preferences)
        press("Super+Left", &personal)
        #expect(!personal.workspace.isHome && personal.interface.openNames == ["control-centre"])
    }

    @Test("the list of keys names an idiom's own keys")
    func keyHelp() throws {
        var world = world(variant(of: .pad) { $0.keys = [IdiomKey("home", "Super+Alt+j")] })
        world.act(.keyHelp)
        world.rest()
        #expect(
            world.controls.contains {
                $0.name == .list([.message(.keyHome), .list(["Super", "Alt", "J"].map { .verbatim($0) }, " ")], ", ")
            }, "\(world.controls.map(\.name))")
    }

    // MARK: The switcher

    @Test("W-25: the app switcher shows spaces or windows, as the data say")
    func cards() {
        for shows in SwitcherMeasures.Shows.allCases {
            var world = world(variant(of: .mac) { $0.switcher.shows = shows })
            world.act(.appSwitcher)
            world.rest()
            let cards = world.controls.filter { $0.role == .card }.map { "\($0.id)" }
            #expect(cards.count == (shows == .spaces ? 1 : 2), "\(cards)")
            #expect(world.finish() == [])
        }
    }

    // MARK: Looks

    @Test("a person recognises each idiom that is offered, and an idiom of a data file by its own title")
    func looks() throws {
        let own = variant(of: .pad) { $0.title = "Kitchen" }
        var world = world(.pad)
        world.send(.idiomsKnown(Idiom.all + [own]))
        world.act(.controlPage(.idioms))
        world.rest()
        let titles = world.controls.filter { "\($0.id)".contains("idiom/") }.map { "\($0.name)" }
        #expect(titles.count == Idiom.all.count + 1 && Set(titles).count == titles.count, "\(titles)")
        #expect(titles.contains { $0.contains("Kitchen") } && !titles.contains { $0.contains("round-watch") })
    }
}
