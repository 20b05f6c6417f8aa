import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// A phone: one window at a time, and swipes along its lower edge through the apps in the order of their use.
@Suite("S-01: a phone")
struct PhoneTests {
    private func world(_ count: UInt32 = 4, size: Size = Size(390, 844)) -> CoreWorld {
        var world = CoreWorld(size: size, idiom: .phone)
        for number in 1...count { world.open(number) }
        world.rest()
        return world
    }

    private func front(_ world: CoreWorld) -> [WindowID] { world.workspace.currentSpace?.windows ?? [] }

    /// A swipe along the line at the lower edge, `way` points to the right.
    private func swipe(_ world: inout CoreWorld, _ way: Double, rests: Bool = true) {
        let screen = world.workspace.screen!.size
        let start = Point(screen.width / 2 - way / 2, screen.height - 4)
        world.drag(from: start, to: start + Vector(way, 2), over: 150, resting: false)
        if rests { world.rest() }
    }

    @Test("to the right goes to the last app and on through those before it, and to the left back")
    func scrubbing() {
        var world = world()
        var seen: [WindowID] = front(world)
        for way in [200.0, 200, 200, 200, -200, -200, -200, -200] {
            swipe(&world, way)
            seen += front(world)
        }
        #expect(seen == [4, 3, 2, 1, 1, 2, 3, 4, 4].map { WindowID($0) }, "the first and the last one resist")
        #expect(world.finish() == [])
    }

    @Test("the order is that of use: the app that a person used after a swipe is the last one from then on")
    func used() {
        var world = world()
        swipe(&world, 200)
        swipe(&world, 200)
        #expect(front(world) == [WindowID(2)])
        world.tap(at: Point(195, 300))
        #expect(world.workspace.spaces.map { $0.windows[0].raw } == [1, 3, 4, 2])
        swipe(&world, 200)
        #expect(front(world) == [WindowID(4)])
        // Without a touch in it, the next swipe goes on, and an app that is opened comes right after the one in front.
        world.act(.focus(window: WindowID(1)))
        #expect(world.workspace.spaces.map { $0.windows[0].raw } == [3, 2, 4, 1])
        world.rest()
        swipe(&world, 200)
        #expect(front(world) == [WindowID(4)])
        #expect(world.finish() == [])
    }

    @Test("a finger catches the apps in motion, and they follow it from where they are")
    func caught() throws {
        var world = world()
        swipe(&world, 200, rests: false)
        world.wait(40)
        #expect(front(world) == [WindowID(3)])
        let before = try #require(world.frame(WindowID(3)))
        #expect(before.x < 0 && before.x > -390, "it is on its way")
        world.touch(down: Point(200, 840))
        #expect(world.frame(WindowID(3)) == before, "nothing jumps when it is caught")
        world.wait(200)
        #expect(world.frame(WindowID(3)) == before, "and it stays under the finger")
        world.slide(to: Point(120, 840))
        world.wait(150)
        world.lift()
        world.rest()
        #expect(front(world) == [WindowID(3)] || front(world) == [WindowID(4)])
        #expect(world.finish() == [])
    }

    @Test("keys go the same way")
    func keys() {
        var world = world()
        world.act(.previousSpace)
        world.act(.previousSpace)
        #expect(front(world) == [WindowID(2)])
        world.act(.nextSpace)
        #expect(front(world) == [WindowID(3)])
        #expect(world.finish() == [])
    }

    @Test("S-02: the switcher is one row of cards with the app in front in the middle and the last ones to its left; a finger scrubs it")
    func switcher() throws {
        for size in [Size(390, 844), Size(360, 640), Size(844, 390)] {
            var world = world(6, size: size)
            world.act(.appSwitcher)
            world.rest()
            func cards() -> [(id: String, frame: Rect)] {
                world.controls.filter { $0.role == .card }.map { ($0.id.rawValue, $0.frame) }.sorted { $0.1.x > $1.1.x }
            }
            let before = cards()
            #expect(before.map(\.id) == [6, 5, 4, 3, 2, 1].map { "switcher/space/\($0)" })
            #expect(abs(before[0].frame.center.x - size.width / 2) < 2, "the app in front stands in the middle")
            #expect(before[1].frame.maxX > 20, "a part of the last app is seen")
            #expect(Set(before.map(\.frame.y)).count == 1)
            world.drag(from: Point(60, size.height / 2), to: Point(60 + size.width / 2, size.height / 2 + 4), resting: true)
            world.rest()
            #expect(cards()[0].frame.x > before[0].frame.x + 100)
            #expect(world.finish() == [])
        }
    }
}

/// Sheets on a phone.
@Suite("M-06: sheets from edge to edge")
struct WideSheetTests {
    @Test("M-06: on a phone a sheet that can be as wide as the screen is, and others keep their width")
    func width() {
        func told(_ idiom: Idiom, size: Size, maximum: Size = .zero) -> (CoreWorld, Rect) {
            var world = CoreWorld(size: size, idiom: idiom)
            world.open(1)
            world.create(2, WindowFacts(appID: "app1", title: "", lineage: [101, 1], client: 1, parent: WindowID(1), isModal: true))
            world.setNatural(Size(300, 200), of: WindowID(2))
            world.setMaximum(maximum, of: WindowID(2))
            world.map(2)
            world.rest()
            return (world, world.frame(WindowID(2)) ?? .zero)
        }
        #expect(told(.phone, size: Size(390, 844)).1 == Rect(0, 644, 390, 200))
        #expect(told(.phone, size: Size(390, 844), maximum: Size(300, 200)).1 == Rect(45, 644, 300, 200))
        #expect(told(.phone, size: Size(844, 390)).1.width == 300, "a wide place is not compact")
        #expect(told(.pad, size: Size(390, 844)).1.width == 300)
        // A keyboard comes: the sheet stands above it.
        var (world, _) = told(.phone, size: Size(390, 844))
        world.reserve(Insets(0, 0, 300, 0))
        world.rest()
        #expect(world.frame(WindowID(2)) == Rect(0, 344, 390, 200))
        #expect(world.finish() == [])
    }
}

/// The shape of a screen: strips that hide what is drawn there.
@Suite("S-01: cut-outs of a screen")
struct CutOutTests {
    private func idiom() -> Idiom {
        var idiom = Idiom.phone
        idiom.cutOuts = Insets(47, 0, 34, 0)
        idiom.cornerRadius = 40
        return idiom
    }

    @Test("windows and views keep out of them, upright and turned, and the line to go home stands in the lower one")
    func keepOut() {
        for (turns, size, room) in [
            (0, Size(390, 844), Rect(0, 47, 390, 763)), (1, Size(844, 390), Rect(34, 0, 763, 390)),
            (2, Size(390, 844), Rect(0, 34, 390, 763)), (3, Size(844, 390), Rect(47, 0, 763, 390)),
        ] {
            var world = CoreWorld(size: nil, idiom: idiom())
            world.send(.screenChanged(Screen(size: size, turns: turns)))
            world.open(1)
            world.rest()
            #expect(world.workspace.screen?.usable == room, "\(turns)")
            #expect(world.frame(WindowID(1)) == room)
            #expect(world.clients[WindowID(1)]?.told?.frame.size == room.size)
            if turns == 0 {
                let line = world.controls.first { $0.id == "indicator" }?.frame
                #expect((line?.minY ?? 0) > 810 && (line?.maxY ?? 900) < 844)
            }
            for view in [Action.controlCentre, .notifications, .keyHelp, .appSwitcher, .home] {
                world.act(view)
                world.rest()
                for control in world.controls where control.isOperable && control.role != .card {
                    #expect(room.contains(control.frame, tolerance: 4), "\(control.id) at \(control.frame), turned \(turns)")
                }
                if view != .home { world.act(.dismiss) }
                world.rest()
            }
            #expect(world.finish() == [])
        }
    }

    @Test("an idiom that changes changes the room at once, and a small thing leaves a rounded corner")
    func change() {
        var world = CoreWorld(size: Size(390, 844), idiom: .phone)
        world.open(1)
        world.rest()
        world.send(.idiomsKnown([idiom()]))
        world.rest()
        #expect(world.frame(WindowID(1)) == Rect(0, 47, 390, 763))
        let screen = world.workspace.screen!
        #expect(screen.clearOfCorners(Rect(372, 6, 10, 10)) != Rect(372, 6, 10, 10))
        #expect(screen.clearOfCorners(Rect(200, 6, 10, 10)) == Rect(200, 6, 10, 10))
        #expect(world.finish() == [])
    }
}
