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

/// Apps that need more room than the screen has (W-11).
@Suite("W-11: a phone and an app that is too wide")
struct LensTests {
    private let one = WindowID(1)

    private func world(minimum: Size, size: Size = Size(390, 844), idiom: Idiom = .phone) -> CoreWorld {
        var world = CoreWorld(size: size, idiom: idiom)
        world.create(1)
        world.setMinimum(minimum, of: WindowID(1))
        world.map(1)
        world.act(.openWaiting(window: WindowID(1)))
        world.rest()
        return world
    }

    private func picture(_ world: CoreWorld) -> Rect { world.system.contentRect(of: one, at: world.now) ?? .zero }

    private func pinch(_ world: inout CoreWorld, around middle: Point, _ from: Double, _ to: Double) {
        world.touch(1, down: Point(middle.x - from / 2, middle.y))
        world.touch(2, down: Point(middle.x + from / 2, middle.y))
        for step in 1...10 {
            let distance = from + (to - from) * Double(step) / 10
            world.wait(8)
            world.touch(1, to: Point(middle.x - distance / 2, middle.y))
            world.touch(2, to: Point(middle.x + distance / 2, middle.y))
        }
        world.lift(1)
        world.lift(2)
        world.rest()
    }

    @Test("down to 0.6 all of it is drawn smaller; from there on it is drawn at 0.6, as high as the screen, and its left part is in sight")
    func scales() {
        let near = world(minimum: Size(500, 300))
        #expect(near.clients[one]?.told?.frame.size == Size(500, 1082))
        #expect(picture(near) == Rect(0, 0, 390, 844) || picture(near).width == 390)
        let far = world(minimum: Size(1000, 400))
        #expect(far.clients[one]?.told?.frame.size == Size(1000, 1407))
        #expect(abs(picture(far).width - 600) < 1 && picture(far).x == 0 && abs(picture(far).height - 844) < 1)
        #expect(picture(world(minimum: Size(1000, 400), idiom: .pad)).width <= 390, "a pad draws all of it")
    }

    @Test("two fingers move the rest into sight, the point between them stays there, and a touch reaches what is drawn under it")
    func pan() throws {
        var world = world(minimum: Size(1000, 400))
        world.touch(1, down: Point(200, 300))
        world.touch(2, down: Point(300, 300))
        var taken: [Effect] = []
        for step in 1...20 {
            world.wait(8)
            taken += world.touch(1, to: Point(200 - Double(step) * 8, 300))
            taken += world.touch(2, to: Point(300 - Double(step) * 8, 300))
        }
        #expect(taken.contains { if case .client(.touchCancel) = $0 { true } else { false } }, "the app's touches are cancelled (law 8)")
        #expect(abs(picture(world).x + 160) < 2, "\(picture(world))")
        world.lift(1)
        world.lift(2)
        world.rest()
        #expect(abs(picture(world).x + 160) < 2)
        let effects = world.touch(3, down: Point(100, 100))
        let local = try #require(effects.compactMap { if case .client(.touchDown(_, _, at: let point)) = $0 { point } else { nil } }.first)
        #expect(abs(local.x - 260 / 0.6) < 3 && abs(local.y - 100 / 0.6) < 3)
        world.lift(3)
        // Not past its edge.
        for _ in 0..<4 { world.act(.magnify(by: .right)) }
        #expect(abs(picture(world).maxX - 390) < 1)
        #expect(world.finish() == [])
    }

    @Test("two fingers apart make it larger, together smaller until all of it is in sight; its app's next window is drawn the same")
    func zoom() {
        var world = world(minimum: Size(1000, 400))
        pinch(&world, around: Point(195, 400), 100, 150)
        #expect(abs(picture(world).width - 900) < 5)
        pinch(&world, around: Point(195, 400), 300, 60)
        #expect(abs(picture(world).width - 390) < 1, "\(picture(world))")
        world.act(.magnify(by: .scale(0.8)))
        world.create(2, WindowFacts(appID: "app1", title: "", lineage: [101, 1], client: 1))
        world.setMinimum(Size(900, 300), of: WindowID(2))
        world.map(2)
        world.act(.openWaiting(window: WindowID(2)))
        world.rest()
        #expect(abs((world.system.contentRect(of: WindowID(2), at: world.now)?.width ?? 0) - 720) < 2)
        world.act(.magnify(by: .automatic))
        #expect(abs((world.system.contentRect(of: WindowID(2), at: world.now)?.width ?? 0) - 540) < 2)
        #expect(world.finish() == [])
    }

    @Test(
        "S-11: on a watch all of it is one card first; two fingers enlarge it up to twice its size, move it, and make it whole again",
        arguments: [(Idiom.watch, Size(368, 448)), (.watch, Size(272, 340)), (.roundWatch, Size(480, 480)), (.roundWatch, Size(300, 300))])
    func watch(_ idiom: Idiom, _ size: Size) throws {
        var world = world(minimum: Size(800, 600), size: size, idiom: idiom)
        let place = try #require(world.system.stage.place(of: one)), whole = picture(world)
        #expect(
            whole.width <= place.width + 1 && whole.height <= place.height + 1 && place.contains(whole, tolerance: 1),
            "\(whole) in \(place)")
        #expect(abs(whole.width - place.width) < 1 || abs(whole.height - place.height) < 1)
        pinch(&world, around: place.center, 40, 80)
        let larger = picture(world)
        #expect(abs(larger.width / whole.width - 2) < 0.1, "\(larger)")
        #expect(abs(larger.center.x - place.center.x) < 2, "the point between the fingers stays there")
        // It moves with two fingers, and not past its edges.
        world.touch(1, down: Point(place.center.x - 20, place.center.y))
        world.touch(2, down: Point(place.center.x + 20, place.center.y))
        for step in 1...20 {
            world.wait(8)
            world.touch(1, to: Point(place.center.x - 20 + Double(step) * 4, place.center.y))
            world.touch(2, to: Point(place.center.x + 20 + Double(step) * 4, place.center.y))
        }
        world.lift(1)
        world.lift(2)
        world.rest()
        #expect(picture(world).x > larger.x + 20 && picture(world).x <= place.x + 1)
        world.act(.magnify(by: .scale(9)))
        #expect(abs(picture(world).width - (world.clients[one]?.told?.frame.width ?? 0) * 2) < 2)
        world.act(.magnify(by: .smaller))
        pinch(&world, around: place.center, 90, 4)
        pinch(&world, around: place.center, 90, 4)
        #expect(picture(world).width <= whole.width + 1)
        world.act(.magnify(by: .larger))
        world.act(.magnify(by: .automatic))
        #expect(picture(world) == whole)
        #expect(world.finish() == [])
    }

    @Test("S-11: what fits a watch is no card to enlarge, and a dialog that does not is whole first")
    func watchDialog() {
        var world = world(minimum: Size(200, 200), size: Size(368, 448), idiom: .watch)
        #expect(world.act(.magnify(by: .larger)) == [.refuse(Refusal("all of window 1 is in sight"))])
        world.create(2, WindowFacts(appID: "app1", title: "", lineage: [101, 1], client: 1, parent: one, isModal: true))
        world.setNatural(Size(900, 700), of: WindowID(2))
        world.setMinimum(Size(900, 700), of: WindowID(2))
        world.map(2)
        world.rest()
        let frame = world.frame(WindowID(2)) ?? .zero
        var picture: Rect { world.system.contentRect(of: WindowID(2), at: world.now) ?? .zero }
        let whole = picture
        #expect(frame.contains(whole, tolerance: 1) && whole.width <= 368, "\(whole) in \(frame)")
        world.act(.magnify(window: WindowID(2), by: .scale(1)))
        world.rest()
        #expect(abs(picture.width - 900) < 2)
        #expect(world.finish() == [])
    }

    @Test("how large an app is drawn on a phone says nothing about a watch, and holds again back on the phone")
    func otherIdiom() throws {
        var world = world(minimum: Size(1000, 400))
        world.send(.idiomsKnown([.phone, .watch]))
        world.act(.magnify(by: .scale(0.9)))
        let phone = picture(world)
        world.act(.idiom("watch"))
        world.rest()
        let place = try #require(world.system.stage.place(of: one))
        #expect(place.contains(picture(world), tolerance: 1), "\(picture(world)) in \(place)")
        world.act(.idiom("phone"))
        world.rest()
        #expect(picture(world) == phone)
        #expect(world.finish() == [])
    }

    @Test("popups open in the part that is in sight, and follow it")
    func popups() throws {
        var world = world(minimum: Size(1000, 400))
        let effects = world.act(.magnify(by: .right))
        let bounds = try #require(effects.compactMap { if case .client(.popupBounds(one, let bounds)) = $0 { bounds } else { nil } }.last)
        #expect(abs(bounds.x - 195 / 0.6) < 2 && abs(bounds.width - 390 / 0.6) < 2, "\(bounds)")
    }

    @Test("a dialog that is too large is shown in part, too, and a picture and the switcher show all")
    func others() {
        var world = world(minimum: Size(300, 300))
        world.create(2, WindowFacts(appID: "app1", title: "", lineage: [101, 1], client: 1, parent: one, isModal: true))
        world.setNatural(Size(1000, 700), of: WindowID(2))
        world.setMinimum(Size(1000, 700), of: WindowID(2))
        world.map(2)
        world.rest()
        let dialog = world.frame(WindowID(2)) ?? .zero
        #expect(abs(dialog.width - 390) < 1 && abs(dialog.height - 420) < 2 && abs(dialog.maxY - 844) < 1, "\(dialog)")
        #expect(abs((world.system.contentRect(of: WindowID(2), at: world.now)?.width ?? 0) - 600) < 2)
        #expect(world.finish() == [])
        var small = self.world(minimum: Size(1000, 400))
        small.act(.pictureInPicture(window: one))
        small.rest()
        let frame = small.frame(one) ?? .zero
        #expect(frame.width < 300 && frame.contains(picture(small), tolerance: 1))
        #expect(small.finish() == [])
    }

    @Test("what fits is refused, and so is a scale that is none")
    func refusals() {
        var world = world(minimum: Size(300, 300))
        #expect(world.act(.magnify(by: .larger)) == [.refuse(Refusal("all of window 1 is in sight"))])
        var wide = self.world(minimum: Size(1000, 300))
        #expect(wide.act(.magnify(by: .scale(.nan))) == [.refuse(Refusal("a scale is a number above 0"))])
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
                #expect((line?.minY ?? 0) > 810 && (line?.maxY ?? 900) <= 844)
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
