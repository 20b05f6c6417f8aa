import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// Law 4: an idiom begins while a person is in the middle of something.
@Suite("Switching idioms in the middle of something")
struct SwitchingGestureTests {
    /// What a person is doing, and the idiom in which.
    enum Doing: String, CaseIterable {
        case divider, swipeUp, swipeSideways, restingSwipe, card, cardFlip, cardPush, picture, picturePinch, lift, dock, pull, press, inApp
        case pointerDivider, pointerInApp, sheet, inSheet
        case move, resize, pointerMove, pointerResize, icon

        var idiom: String {
            switch self {
            case .move, .resize, .pointerMove, .pointerResize: "mac"
            default: "pad"
            }
        }
    }

    private let one = WindowID(1), two = WindowID(2), three = WindowID(3), four = WindowID(4)

    /// A pair, a card and a picture; on a mac the windows are stacked.
    private func world(_ doing: Doing) -> CoreWorld {
        var world = CoreWorld()
        world.send(.idiomsKnown([.pad, .phone, .mac]))
        world.send(.appsChanged((1...4).map { App(id: "app\($0)", name: "App \($0)", command: ["app\($0)"]) }))
        for number in 1...4 as ClosedRange<UInt32> {
            world.open(
                number,
                WindowFacts(
                    appID: "app\(number)", title: "Window \(number)", lineage: [Int32(number) + 100, 1], client: UInt64(number),
                    isBare: true))
        }
        world.act(.fullScreen(window: one))
        world.act(.splitView(window: two, side: .right))
        world.act(.slideOver(window: three))
        world.act(.pictureInPicture(window: four))
        world.rest()
        switch doing {
        case .divider, .pointerDivider, .lift, .inApp, .pointerInApp, .press, .sheet, .inSheet: world.act(.slideOverHide)
        case .icon: world.act(.home)
        default: break
        }
        if doing == .sheet || doing == .inSheet {
            var facts = WindowFacts(appID: "app1", title: "Sheet", client: 1)
            facts.parent = one
            facts.isModal = true
            world.create(9, facts)
            world.map(9)
        }
        if doing == .press { world.act(.controlCentre) }
        if doing.idiom != "pad" { world.act(.idiom(doing.idiom)) }
        world.rest()
        return world
    }

    /// Fingers or the pointer begin it and move. Returns where the first one is.
    private func begin(_ doing: Doing, _ world: inout CoreWorld) throws -> Point {
        let screen = try #require(world.workspace.screen).bounds
        func frame(_ id: WindowID) throws -> Rect { try #require(world.system.shownFrame(of: id, at: world.now)) }
        let from: Point, way: Vector
        switch doing {
        case .divider, .pointerDivider: (from, way) = (screen.center, Vector(120, 0))
        case .swipeUp, .restingSwipe: (from, way) = (Point(screen.center.x, screen.maxY - 2), Vector(0, -300))
        case .swipeSideways: (from, way) = (Point(screen.center.x, screen.maxY - 2), Vector(-400, -10))
        case .card: (from, way) = (Point(try frame(three).center.x, try frame(three).minY - 12), Vector(-20, 200))
        case .cardPush: (from, way) = (Point(try frame(three).center.x, try frame(three).minY - 12), Vector(150, 2))
        case .cardFlip: (from, way) = (Point(try frame(three).center.x, try frame(three).maxY + 9), Vector(90, 0))
        case .picture, .picturePinch: (from, way) = (try frame(four).center, Vector(-90, -70))
        case .lift: (from, way) = (Point(try frame(one).center.x, try frame(one).minY + 10), Vector(30, 200))
        case .dock: (from, way) = (Point(screen.center.x, screen.maxY - 2), Vector(0, -40))
        case .pull: (from, way) = (Point(screen.maxX - 60, 2), Vector(0, 120))
        case .press:
            (from, way) = (
                try #require(world.controls.last { $0.id.area == .controlCentre && $0.role == .toggle }).frame.center, Vector(2, 2)
            )
        case .inApp, .pointerInApp: (from, way) = (try frame(one).center + Vector(0, 100), Vector(60, 60))
        case .sheet: (from, way) = (Point(try frame(WindowID(9)).center.x, try frame(WindowID(9)).minY - 10), Vector(0, 120))
        case .inSheet: (from, way) = (try frame(WindowID(9)).center, Vector(10, 20))
        case .move, .pointerMove: (from, way) = (Point(try frame(one).minX + 60, try frame(one).minY - 16), Vector(80, 40))
        case .resize: (from, way) = (Point(try frame(one).minX - 10, try frame(one).center.y), Vector(-60, 0))
        case .pointerResize: (from, way) = (Point(try frame(one).minX - 4, try frame(one).center.y), Vector(-60, 0))
        case .icon:
            (from, way) = (try #require(world.controls.last { $0.id.area == .home && $0.id.appOfIcon != nil }).frame.center, Vector(80, 60))
        }
        if [.pointerDivider, .pointerInApp, .pointerMove, .pointerResize].contains(doing) {
            world.point(at: from)
            world.send(.pointerButton(0x110, pressed: true))
            for step in 1...6 {
                world.wait(16)
                world.point(at: from + way * (Double(step) / 6))
            }
            return from + way
        }
        world.touch(1, down: from)
        if doing == .picturePinch { world.touch(2, down: from + Vector(40, 30)) }
        if doing == .icon || doing == .lift { world.wait(700) }
        world.slide(1, to: from + way)
        if doing == .restingSwipe { world.wait(400) }
        return from + way
    }

    @Test(
        "it ends at once, clients are told that theirs has ended, and nothing is left when fingers are lifted", arguments: Doing.allCases,
        ["pad", "phone", "mac"])
    func ends(doing: Doing, next: String) throws {
        guard doing.idiom != next else { return }
        var world = world(doing)
        let at = try begin(doing, &world)
        let isOfClient = [.inApp, .pointerInApp, .inSheet].contains(doing)
        #expect(world.system.isGesturing != isOfClient || doing == .inSheet, "the shell has the gesture")
        let before = world.clients.mapValues(\.configures.count)
        world.act(.idiom(next))
        #expect(!world.system.isGesturing && world.workspace.dividerDrag == nil && world.workspace.idiom.name == next)
        #expect(world.ledger.touches.isEmpty && world.ledger.buttons.isEmpty, "clients hold nothing any more")
        for (id, client) in world.clients { #expect(client.configures.count - before[id]! <= 1, "\(id) got more than one configure") }
        // Fingers stay down and go on: nothing comes of it.
        let focus = world.workspace.focus
        if world.fingers.isEmpty {
            world.point(at: at + Vector(40, 40))
            world.send(.pointerButton(0x110, pressed: false))
        } else {
            world.slide(1, to: at + Vector(60, 80))
            world.lift(1)
            world.lift(2)
        }
        world.rest()
        #expect(world.workspace.idiom.name == next && world.workspace.focus == focus)
        world.act(.idiom(doing.idiom))
        #expect(world.finish() == [])
    }

    @Test("clients that never answer a configure hold up nothing, and are drawn in their places")
    func silentClients() {
        var world = world(.divider)
        for id in world.clients.keys { world.setManner(.asked, of: id) }
        for name in ["mac", "phone", "pad", "mac", "pad", "phone", "mac"] {
            world.act(.idiom(name))
            #expect(world.workspace.idiom.name == name)
            world.wait(3000)
            #expect(world.system.stage.held.isEmpty && !world.system.isMoving(at: world.now), "it waits no longer in \(name)")
        }
        world.answerAll()
        #expect(world.finish() == [])
    }

    @Test("switches one after the other before any client answers end where they end, with one configure for each window and switch")
    func inOneBreath() {
        var world = world(.divider)
        let places = world.workspace.windows.keys.map { world.place($0) }
        for id in world.clients.keys { world.setManner(.asked, of: id) }
        for name in ["mac", "phone", "mac", "phone", "pad"] {
            let before = world.clients.mapValues(\.configures.count)
            world.act(.idiom(name))
            for (id, client) in world.clients { #expect(client.configures.count - before[id]! <= 1, "\(id) in \(name)") }
        }
        world.answerAll()
        world.rest()
        #expect(world.workspace.windows.keys.map { world.place($0) } == places)
        #expect(world.finish() == [])
    }

    @Test("law 13: while the session is locked no other idiom is chosen, and after the unlocking it begins with the windows in it")
    func locked() {
        var world = world(.divider)
        world.lock()
        world.act(.idiom("mac"))
        world.rest()
        #expect(world.workspace.idiom.name == "pad", "a choice waits for the unlocking")
        world.unlock()
        world.rest()
        world.act(.idiom("mac"))
        world.rest()
        #expect(world.workspace.idiom.name == "mac" && world.workspace.shownRoots.contains(one))
        #expect(world.finish() == [])
    }

    @Test("a sheet stands on its window as a window of its own on the mac, and is a sheet again on the pad")
    func sheet() {
        var world = world(.sheet)
        #expect(world.place(WindowID(9)) == .dialog(of: one))
        for name in ["mac", "phone", "pad"] {
            world.act(.idiom(name))
            world.act(.focus(window: one))
            world.rest()
            #expect(world.place(WindowID(9)) == .dialog(of: one) && world.workspace.isShown(WindowID(9)), "\(name)")
            #expect(world.workspace.focus == WindowID(9), "\(name)")
        }
        #expect(world.finish() == [])
    }
}
