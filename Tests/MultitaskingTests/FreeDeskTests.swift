import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// What a desk with free windows has besides its windows (W-25).
@Suite("W-25: keys, menu bar, dock and places of a desk with free windows")
struct FreeDeskTests {
    let one = WindowID(1), two = WindowID(2), three = WindowID(3)

    /// Windows of apps; the last one is active.
    func world(_ apps: [String] = ["a", "b", "c"], size: Size = Size(1180, 820)) -> CoreWorld {
        var world = CoreWorld(size: size)
        world.send(.idiomsKnown(Idiom.all))
        world.send(.appsChanged(Set(apps).sorted().map { App(id: $0, name: "App \($0)", command: [$0]) }))
        world.act(.idiom("mac"))
        for (index, app) in apps.enumerated() { open(UInt32(index + 1), app, &world) }
        world.rest()
        return world
    }

    func open(_ raw: UInt32, _ app: String, _ world: inout CoreWorld) {
        world.create(raw, WindowFacts(appID: app, title: "\(app) \(raw)", client: UInt64(raw), isBare: true))
        world.setNatural(Size(400, 300), of: WindowID(raw))
        world.send(.activationAsked(WindowID(raw), hasRecentSerial: true, launch: nil))
        world.map(raw)
        world.rest()
    }

    func holdSuper(_ world: inout CoreWorld) { world.send(.key(code: 125, symbol: .leftSuper, pressed: true, modifiers: [])) }
    func releaseSuper(_ world: inout CoreWorld) { world.send(.key(code: 125, symbol: .leftSuper, pressed: false, modifiers: .super)) }

    func press(_ chord: KeyChord, _ world: inout CoreWorld) {
        world.send(.key(code: 40, symbol: chord.symbol, pressed: true, modifiers: chord.modifiers))
        world.send(.key(code: 40, symbol: chord.symbol, pressed: false, modifiers: chord.modifiers))
    }

    @Test(
        "M-10: a question about a window that a person closed comes in front with its window; one of its own accord does not",
        arguments: [true, false], [Idiom.mac, .pad])
    func question(isClosed: Bool, idiom: Idiom) {
        var world = CoreWorld(idiom: idiom)
        for raw in 1...3 as ClosedRange<UInt32> {
            world.open(raw, WindowFacts(appID: "app\(raw)", title: "Window \(raw)", lineage: [Int32(100 + raw), 1], client: UInt64(raw)))
        }
        world.act(.focus(window: three))
        world.rest()
        if isClosed { world.act(.close(window: one)) }
        world.create(9, WindowFacts(appID: "app1", title: "Save?", lineage: [101, 1], client: 1, parent: one, isModal: true))
        world.map(9)
        world.rest()
        #expect(world.workspace.focus == (isClosed ? WindowID(9) : three))
        #expect(world.workspace.shownRoots.last == (isClosed ? one : three))
        if isClosed { #expect(world.workspace.isShown(WindowID(9))) }
        #expect(world.finish() == [])
    }

    @Test(
        "P-04: a window that wants more than there is gets the room, in sight as a whole, and has its own size and place back with the room",
        arguments: [
            Size(700, 500), Size(520, 400), Size(1180, 420),
        ], [true, false])
    func smallerScreen(size: Size, isX11: Bool) {
        var world = world([])
        for (raw, natural) in [(1, Size(900, 600)), (2, Size(300, 200)), (3, Size(1000, 640)), (4, Size(3000, 2000))] as [(UInt32, Size)] {
            world.create(raw, WindowFacts(appID: "app\(raw)", title: "\(raw)", client: UInt64(raw), isX11: isX11, isBare: true))
            world.setNatural(natural, of: WindowID(raw))
            world.send(.activationAsked(WindowID(raw), hasRecentSerial: true, launch: nil))
            world.map(raw)
            world.rest()
        }
        func isWhole(_ world: CoreWorld) -> Bool {
            world.workspace.frames().allSatisfy { id, frame in
                world.workspace.freeRoom!.contains(frame.inset(by: Insets(-world.workspace.titleBar(of: id), 0, 0, 0)), tolerance: 1)
            }
        }
        let before = world.workspace.frames()
        #expect(before.count == 4 && isWhole(world), "\(before) in \(world.workspace.freeRoom!)")
        #expect(before[one]?.size == Size(900, 600) && before[two]?.size == Size(300, 200))
        world.send(.screenChanged(Screen(size: size)))
        world.rest()
        #expect(isWhole(world), "\(world.workspace.frames()) in \(world.workspace.freeRoom!)")
        world.send(.screenChanged(Screen(size: Size(1180, 820))))
        world.rest()
        #expect(world.workspace.frames() == before)
        #expect(world.finish() == [])
    }

    @Test(
        "an X11 window that came in another idiom has the size on a desk that its program gave it, also after full screen",
        arguments: ["pad", "phone", "tv"])
    func ownSizeOfX11(idiom: String) {
        var world = world([])
        world.act(.idiom(idiom))
        world.create(1, WindowFacts(appID: "app1", title: "1", client: 1, isX11: true, isBare: true, ownSize: Size(420, 310)))
        world.send(.activationAsked(one, hasRecentSerial: true, launch: nil))
        world.map(1)
        world.rest()
        #expect(world.frame(one)?.size != Size(420, 310))
        world.act(.idiom("mac"))
        world.rest()
        guard let own = world.frame(one) else { return #expect(Bool(false), "it has no place") }
        #expect(own.size == Size(420, 310) && world.clients[one]?.told?.frame.size == own.size)
        for _ in 0..<2 {
            world.act(.toggleTile(window: one, to: .full))
            world.rest()
        }
        #expect(world.frame(one) == own && world.clients[one]?.told?.frame.size == own.size)
        // The state of full screen that the shell set counts as the program's own.
        world.act(.tile(window: one, to: .full))
        world.rest()
        world.commit(one) { $0.wantsFullscreen = true }
        world.act(.tile(window: one, to: nil))
        world.rest()
        #expect(world.frame(one) == own && world.clients[one]?.told?.fullscreen == false)
        #expect(world.finish() == [])
    }

    enum WayOut: CaseIterable { case app, person, other, tile }

    @Test(
        "a window that was born in full screen comes to the middle with its own size when it leaves that, however it does",
        arguments: WayOut.allCases,
        [
            (isX11: false, idiom: "mac"), (true, "mac"), (false, "pad"), (true, "pad"),
        ])
    func bornInFullScreen(_ way: WayOut, _ birth: (isX11: Bool, idiom: String)) {
        let isX11 = birth.isX11, idiom = birth.idiom
        var world = world([])
        world.act(.idiom(idiom))
        world.create(
            1, WindowFacts(appID: "app1", title: "1", client: 1, isX11: isX11, isBare: true, ownSize: isX11 ? Size(400, 300) : nil))
        world.setNatural(Size(400, 300), of: one)
        world.send(.windowAsked(one, .fullscreen(true)))
        world.send(.activationAsked(one, hasRecentSerial: true, launch: nil))
        world.map(1)
        world.rest()
        world.act(.idiom("mac"))
        world.rest()
        #expect(world.frame(one) == Rect(0, 0, 1180, 820) && world.clients[one]?.told?.fullscreen == true)
        switch way {
        case .app: world.send(.windowAsked(one, .fullscreen(false)))
        case .person: world.act(.toggleTile(window: one, to: .full))
        case .other:
            world.act(.tile(window: one, to: .full))
            world.act(.tile(window: one, to: nil))
        case .tile:
            world.act(.tile(window: one, to: .left))
            world.rest()
            #expect(world.workspace.tile(of: one) == .left && world.frame(one)?.minX == 0 && world.frame(one)?.width == 590)
            world.act(.tile(window: one, to: nil))
        }
        world.rest()
        guard let frame = world.frame(one), let room = world.workspace.freeRoom else { return #expect(Bool(false), "it has no place") }
        #expect(frame.size == Size(400, 300) && world.workspace.tile(of: one) == nil)
        #expect(abs(frame.center.x - room.center.x) < 2 && frame.minY > room.minY + 60, "\(frame) in \(room)")
        #expect(world.finish() == [])
    }

    func use(_ id: ControlID, _ world: inout CoreWorld) {
        #expect(world.controls.contains { $0.id == id }, "\(id) is not among \(world.controls.map(\.id))")
        world.act(.press(view: id))
    }

    // MARK: The switcher

    @Test("a short press of Super Tab goes to the app that was used before, without a view")
    func quickSwitch() {
        var world = world()
        holdSuper(&world)
        press("Super+Tab", &world)
        #expect(world.controls.allSatisfy { $0.id.area != .switching })
        releaseSuper(&world)
        world.rest()
        #expect(world.workspace.focus == two && world.finish() == [])
    }

    @Test("while Super is held, the switcher shows the apps, and its release chooses")
    func heldSwitch() {
        var world = world()
        holdSuper(&world)
        press("Super+Tab", &world)
        world.wait(300)
        #expect(world.controls.filter { $0.id.area == .switching && $0.role == .button }.map(\.isChosen) == [false, true, false])
        press("Super+Tab", &world)
        press("Super+Tab", &world)
        press("Super+Shift+Tab", &world)
        #expect(world.workspace.focus == three)
        releaseSuper(&world)
        world.rest()
        #expect(world.workspace.focus == one && world.interface.openNames == [] && world.finish() == [])
    }

    @Test("Escape leaves the switcher, and no key reaches an app meanwhile")
    func cancelSwitch() {
        var world = world()
        holdSuper(&world)
        press("Super+Tab", &world)
        world.wait(300)
        #expect(world.send(.key(code: 30, symbol: 0x61, pressed: true, modifiers: [])).contains(.swallowKey))
        press("Super+Escape", &world)
        releaseSuper(&world)
        world.rest()
        #expect(world.workspace.focus == three && world.finish() == [])
    }

    @Test("Super ` goes through the windows of the app, also to a minimized one")
    func windows() {
        var world = world(["a", "b", "a"])
        holdSuper(&world)
        press("Super+grave", &world)
        releaseSuper(&world)
        world.rest()
        #expect(world.workspace.focus == one && world.workspace.shownRoots.last == one)
        world.act(.minimize(window: three))
        holdSuper(&world)
        press("Super+grave", &world)
        releaseSuper(&world)
        world.rest()
        #expect(world.workspace.focus == three && world.workspace.minimizedWindows.isEmpty)
    }

    @Test("by touch: a script opens the switcher, and a tap chooses; a window that closes leaves it")
    func tapSwitch() {
        var world = world()
        world.act(.switchApps(1))
        world.rest()
        world.destroy(two)
        world.rest()
        let target = world.controls.first { $0.id == ControlID(.switching, 1) }
        #expect(world.controls.filter { $0.id.area == .switching && $0.role == .button }.count == 2)
        world.touch(down: target!.frame.center)
        world.lift()
        world.rest()
        #expect(world.workspace.focus == one && world.finish() == [])
    }

    @Test("an app is asked for: all its windows come in front, in their order")
    func raise() {
        var world = world(["a", "a", "b"])
        world.act(.openApp(app: "a"))
        world.rest()
        #expect(world.workspace.shownRoots == [three, one, two] && world.workspace.focus == two && !world.interface.isShelfOpen)
    }

    // MARK: Keys

    @Test("the keys of tiles, the whole screen, minimizing, hiding and quitting")
    func keys() {
        var world = world()
        press("Super+Left", &world)
        #expect(world.workspace.tile(of: three) == .left)
        press("Super+Ctrl+Shift+Right", &world)
        #expect(world.workspace.tile(of: three) == .bottomRight)
        press("Super+Up", &world)
        world.rest()
        #expect(world.workspace.tile(of: three) == .whole && world.frame(three)!.minY == 60)
        press("Super+Ctrl+f", &world)
        world.rest()
        #expect(world.frame(three) == Rect(0, 0, 1180, 820) && world.clients[three]?.told?.fullscreen == true)
        #expect(world.controls.allSatisfy { $0.id.area != .dock && $0.id.area != .menuBar })
        press("Super+Ctrl+f", &world)
        world.rest()
        #expect(world.workspace.tile(of: three) == .whole && world.frame(three)!.minY == 60)
        press("Super+m", &world)
        #expect(world.place(three) == .minimized)
        press("Super+h", &world)
        #expect(world.place(two) == .minimized && world.workspace.minimizedWindows == [three])
        world.act(.openApp(app: "b"))
        #expect(world.workspace.focus == two)
        press("Super+q", &world)
        #expect(world.effects.contains(.close(two)))
    }

    @Test("a key that a person bound keeps its meaning")
    func ownKeys() {
        var world = world()
        var preferences = world.system.preferences
        preferences.keys.removeAll { $0.chord == "Super+Left" }
        preferences.keys.append(.init("Super+Left", .minimize()))
        world.send(.configured(preferences))
        press("Super+Left", &world)
        #expect(world.place(three) == .minimized)
    }

    @Test("the pad keeps its keys")
    func padKeys() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        press("Super+Left", &world)
        #expect(world.workspace.currentSpace?.split?.first == two)
        #expect(world.act(.switchApps(1)) == [.refuse(Refusal("the idiom pad switches between spaces"))])
    }

    @Test("windows of a hidden app come back together")
    func hide() {
        var world = world(["a", "a", "b"])
        world.act(.hideApp(app: "a"))
        world.rest()
        #expect(world.workspace.shownRoots == [three])
        world.act(.focus(window: one))
        world.rest()
        #expect(Set(world.workspace.shownRoots) == [one, two, three] && world.workspace.focus == one && world.finish() == [])
    }

    // MARK: The hot corner

    @Test("a pointer that rests in the corner opens the overview, once; one that passes does not")
    func corner() {
        var world = world()
        world.send(.pointerMotion(at: Point(300, 300)))
        world.send(.pointerMotion(at: .zero))
        world.wait(50)
        world.send(.pointerMotion(at: Point(90, 0)))
        world.wait(400)
        #expect(!world.interface.isOverviewOpen)
        world.send(.pointerMotion(at: .zero))
        world.wait(400)
        #expect(world.interface.isOverviewOpen)
        world.act(.dismiss)
        world.send(.pointerMotion(at: Point(1, 1)))
        world.wait(400)
        #expect(!world.interface.isOverviewOpen)
    }

    // MARK: The dock

    @Test("the dock stands with running apps, leaves room below tiles, and a minimized window is in it")
    func dock() {
        var world = world()
        let dock = world.controls.first { $0.id == "dock" }!.frame
        #expect(dock.maxY < 820 && world.workspace.freeRoom!.maxY <= dock.minY)
        world.act(.minimize(window: two))
        world.rest()
        let small = world.controls.first { $0.id == "dock/window/2" }!
        world.touch(down: small.frame.center)
        world.lift()
        world.rest()
        #expect(world.workspace.focus == two && world.workspace.minimizedWindows.isEmpty && world.finish() == [])
    }

    @Test("the keys go into the dock and out of it, and a touch in an app gives them back")
    func dockKeys() {
        var world = world()
        press("Super+b", &world)
        #expect(world.interface.focus?.area == .dock)
        press("Right", &world)
        press("Return", &world)
        world.rest()
        #expect(world.workspace.focus == two && world.interface.focus == nil)
        press("Super+b", &world)
        world.touch(down: world.frame(two)!.center)
        world.lift()
        #expect(
            world.interface.focus == nil && !world.send(.key(code: 30, symbol: 0x61, pressed: true, modifiers: [])).contains(.swallowKey))
        world.send(.key(code: 30, symbol: 0x61, pressed: false, modifiers: []))
        #expect(world.finish() == [])
    }

    @Test("a window leaves into its place in the dock, and comes out of it")
    func slot() {
        var world = world()
        world.act(.minimize(window: two))
        let slot = world.system.stage.slots[two]!
        let leaving = world.system.stage.shown[two]!.frame.target
        #expect(leaving == slot && slot.width < 60)
        world.rest()
        let size = world.frame(one)!.size
        world.act(.focus(window: two))
        #expect(world.frame(two)!.width < size.width / 2)
        world.rest()
        #expect(world.frame(two)!.size == size && world.finish() == [])
    }

    @Test("the second tap on a title bar fills the area, and another pair undoes that")
    func doubleTap() {
        var world = world()
        func tap() {
            let frame = world.frame(three)!
            world.touch(down: Point(frame.center.x + 20, frame.minY - 16))
            world.wait(30)
            world.lift()
            world.wait(80)
        }
        tap()
        #expect(world.workspace.tile(of: three) == nil)
        tap()
        world.rest()
        #expect(world.workspace.tile(of: three) == .whole)
        world.wait(1000)
        tap()
        tap()
        world.rest()
        #expect(world.workspace.tile(of: three) == nil && world.finish() == [])
    }

    // MARK: Places

    @Test("a new window never lies exactly on another one, and its title and theirs stay in sight")
    func cascade() {
        let world = world(["a", "b", "c", "d", "e", "f", "g", "h"])
        let room = world.workspace.freeRoom!
        var tops: Set<Point> = []
        for raw in 1...8 as ClosedRange<UInt32> {
            let frame = world.frame(WindowID(raw))!
            #expect(room.contains(frame, tolerance: 0.5) && frame.minY - 32 >= room.minY, "\(raw): \(frame)")
            #expect(tops.insert(frame.origin).inserted)
        }
    }

    @Test("a new window of an app opens where a person left the last one, in the size that a person chose")
    func remembered() {
        var world = world()
        world.send(.windowPlaced(two, at: Point(200, 150)))
        world.rest()
        world.destroy(two)
        open(9, "b", &world)
        #expect(world.frame(WindowID(9)) == Rect(200, 150, 400, 300))
        // The app is still open: beside its window.
        open(10, "b", &world)
        #expect(world.frame(WindowID(10))?.origin == Point(232, 182))
        let frame = world.frame(WindowID(10))!
        world.touch(down: Point(frame.maxX + 8, frame.maxY + 8))
        world.slide(to: Point(frame.maxX + 108, frame.maxY + 58))
        world.lift()
        world.rest()
        world.destroy(WindowID(10))
        world.destroy(WindowID(9))
        open(11, "b", &world)
        #expect(world.frame(WindowID(11))?.size != Size(400, 300) || world.frame(WindowID(11))?.origin == Point(200, 150))
        #expect(world.finish() == [])
    }

    @Test("after the screen turned, every window is in sight as a whole, and back it stands where it was")
    func rotation() {
        var world = world()
        world.send(.windowPlaced(two, at: Point(760, 300)))
        world.rest()
        let before = world.frame(two)
        #expect(before == Rect(760, 300, 400, 300))
        world.send(.screenChanged(Screen(size: Size(820, 1180))))
        world.rest()
        #expect(world.frame(two) == Rect(420, 300, 400, 300))
        world.send(.screenChanged(Screen(size: Size(1180, 820))))
        world.rest()
        #expect(world.frame(two) == before && world.finish() == [])
    }

    @Test("places, frames and minimized windows are kept for the next session")
    func kept() throws {
        var world = world()
        world.send(.windowPlaced(two, at: Point(500, 200)))
        world.act(.minimize(window: three))
        world.rest()
        let kept = world.workspace.kept { window in (["\(window.app)"], nil, nil) }
        #expect(kept.appPlaces?.map(\.app).sorted() == ["a", "b", "c"] && kept.minimized == [3])
        var next = CoreWorld(idiom: .mac)
        next.send(.restored(kept, first: WindowID(100)))
        next.rest()
        let two = next.workspace.windows.values.first { $0.facts.title == "b 2" }!.id
        #expect(next.frame(two)?.origin == Point(500, 200) && next.workspace.minimizedWindows.count == 1)
        var old = kept
        (old.appPlaces, old.frames, old.minimized) = (nil, nil, nil)
        var third = CoreWorld(idiom: .mac)
        third.send(.restored(old, first: WindowID(100)))
        third.rest()
        #expect(third.workspace.mappedCount == 3 && third.system.violations() == [])
    }

    @Test("while a window is dragged, no icons of the home screen show beside it")
    func noIcons() {
        var world = world()
        let frame = world.frame(three)!
        world.touch(down: Point(frame.center.x + 40, frame.minY - 16))
        world.slide(to: Point(3, 400))
        #expect(world.system.isGesturing && world.system.views(at: world.now)!.canvas(of: .home).items.isEmpty)
        world.lift()
        #expect(world.system.isMoving(at: world.now) && world.system.views(at: world.now)!.canvas(of: .home).items.isEmpty)
        world.rest()
        world.act(.home)
        #expect(!world.system.views(at: world.now)!.canvas(of: .home).items.isEmpty)
    }

    @Test("out of its half a window stands on whole points, where its picture is sharp")
    func wholePoints() {
        var world = world()
        world.act(.tile(window: three, to: .left))
        world.rest()
        let frame = world.frame(three)!
        world.touch(down: Point(frame.minX + 333, frame.minY - 16))
        world.slide(to: Point(600.4, 250.7))
        world.wait(300)
        world.lift()
        world.rest()
        let placed = world.frame(three)!
        #expect(placed == placed.rounded && placed.size == Size(400, 300), "\(placed)")
    }

    // MARK: Resizing

    @Test("an app's own border is honoured as it names it, by finger, wherever the finger is")
    func namedBorder() {
        var world = world()
        let before = world.frame(three)!
        // In the middle of the window: only the name says which border is meant.
        world.touch(down: before.center)
        world.send(.windowAsked(three, .resize(by: 0, border: Border(x: -1, y: 0))))
        world.slide(to: before.center + Vector(-50, 40))
        world.lift()
        world.rest()
        #expect(world.frame(three) == Rect(before.x - 50, before.y, before.width + 50, before.height))
        #expect(Border(edges: 9) == Border(x: 1, y: -1) && Border(edges: 0) == nil && Border(edges: 12) == nil)
    }

    @Test("the pointer shows which border it is at")
    func cursors() {
        var world = world(["a"])
        let frame = world.frame(one)!
        for (point, cursor) in [
            (Point(frame.maxX + 4, frame.center.y), Cursor.resizeHorizontally), (Point(frame.center.x, frame.maxY + 4), .resizeVertically),
            (Point(frame.maxX + 4, frame.maxY + 4), .resizeDiagonally), (Point(frame.minX - 4, frame.maxY + 4), .resizeUpwards),
        ] {
            #expect(world.send(.pointerMotion(at: point)) == [.pointerOnShell(cursor)], "\(cursor)")
            world.send(.pointerMotion(at: frame.center))
        }
    }
}
