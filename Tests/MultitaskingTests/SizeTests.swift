import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// W-11: which sizes windows are told when their apps want more room than there is.
@Suite("Sizes that windows are told")
struct SizeTests {
    /// A window with a file chooser of 1203x984, which can be as small as 639x375, or as `least`.
    private func chooserWorld(size: Size = Size(1180, 820), isX11: Bool = false, least: Size = Size(639, 375)) -> CoreWorld {
        var world = CoreWorld(size: size)
        world.open(1, WindowFacts(appID: "gedit", client: 1, isX11: isX11))
        world.create(4, WindowFacts(appID: "gedit", client: 1, parent: one, isX11: isX11))
        world.setNatural(Size(1203, 984), of: four)
        world.setMinimum(least, of: four)
        world.map(4)
        world.rest()
        return world
    }

    @Test("W-11: a dialog that drew itself too large is told a size that fits, and drawn at its own scale")
    func dialogFits() {
        var world = chooserWorld()
        #expect(world.clients[four]!.configures.first?.chooses == true, "its own choice comes first")
        #expect(world.clients[four]!.commit.size == Size(1180, 798), "the upper edge of its window stays visible (M-02)")
        #expect(world.system.contentRect(of: four, at: world.now) == Rect(0, 22, 1180, 798))
        #expect(world.clients[four]!.configures.allSatisfy { !$0.arranged }, "a dialog is told no other state")
        #expect(world.finish() == [])
    }

    @Test(
        "W-11: a dialog as wide as its window and much less high gets a height for its list, unless it has a size of its own",
        arguments: [(Size(1180, 374), 678.0), (Size(869, 327), 521.0)], [false, true])
    func bandOfAChooser(sizes: (band: Size, height: Double), isFixed: Bool) {
        let (band, height) = sizes
        var world = CoreWorld(size: Size(1180, 820))
        world.open(1, WindowFacts(appID: "editor", client: 1))
        world.create(4, WindowFacts(appID: "editor", client: 1, parent: one))
        world.setNatural(band, of: four)
        world.setMinimum(isFixed ? band : Size(600, 300), of: four)
        if isFixed { world.setMaximum(band, of: four) }
        world.map(4)
        world.rest()
        #expect(world.clients[four]!.commit.size == (isFixed ? band : Size(band.width, height)))
        let told = world.clients[four]!.configures.count
        world.wait(1000)
        world.rest()
        #expect(world.clients[four]!.configures.count == told, "the size settles")
        #expect(world.finish() == [])
    }

    @Test("W-11: in Slide Over a dialog goes down to its minimum, and only then it is drawn smaller")
    func dialogInSlideOver() {
        var world = chooserWorld(least: Size(600, 375))
        world.open(2)
        world.act(.slideOver(window: one))
        world.rest()
        // 375 of 600 points: at that scale it is as high as it likes.
        #expect(world.clients[four]!.commit.size == Size(600, 984))
        let picture = world.system.contentRect(of: four, at: world.now)!
        #expect(abs(picture.width - 375) < 0.01, "\(picture)")
        world.act(.fullScreen(window: one))
        world.rest()
        #expect(world.clients[four]!.commit.size == Size(1180, 798), "it grows again with its place")
        #expect(world.finish() == [])
    }

    @Test("W-11: a dialog follows the screen's turn and the divider, up to the size that it chose")
    func dialogFollows() {
        var world = chooserWorld()
        world.send(.screenChanged(Screen(size: Size(820, 1180))))
        world.rest()
        #expect(world.clients[four]!.commit.size == Size(820, 984))
        world.send(.screenChanged(Screen(size: Size(1600, 1200))))
        world.rest()
        #expect(world.clients[four]!.commit.size == Size(1203, 984))
        world.open(2, to: .splitView(.right))
        world.rest()
        #expect(world.clients[four]!.commit.size == Size(795, 984))
        world.act(.divider(fraction: 2.0 / 3))
        world.rest()
        #expect(world.clients[four]!.commit.size == Size(1060, 984))
        #expect(world.finish() == [])
    }

    @Test("W-11: a dialog that fits is never told a size, wherever its window goes")
    func smallDialog() {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one))
        world.map(4)
        for action in [Action.slideOver(window: one), .fullScreen(window: one)] {
            world.act(action)
            world.rest()
        }
        #expect(world.clients[four]!.configures.allSatisfy { $0.chooses && $0.frame.size == .zero })
        #expect(world.clients[four]!.commit.size == Size(320, 240))
        #expect(world.finish() == [])
    }

    @Test("W-11: a dialog that does not heed the size is told it once, and drawn smaller")
    func stubbornDialog() {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one))
        world.setNatural(Size(1900, 1000), of: four)
        world.setManner(.asked, of: four)
        world.map(4)
        for number in 0..<8 {
            // It answers, each time with another size that is too large.
            let sequence = world.clients[four]!.told!.sequence
            world.commit(four) {
                $0.answered = sequence
                $0.size = Size(1900 + Double(number), 1000)
            }
            world.wait(50)
        }
        #expect(world.clients[four]!.configures.filter { $0.frame.size == Size(1180, 798) }.count == 1)
        #expect(world.clients[four]!.configures.count <= 3)
        world.rest()
        #expect(world.frame(one)!.contains(world.system.contentRect(of: four, at: world.now)!))
        #expect(world.finish() == [])
    }

    @Test("W-11: a dialog of a dialog has the window's room, not the small dialog's")
    func dialogOfDialog() {
        var world = CoreWorld()
        world.open(1)
        world.create(2, WindowFacts(appID: "app1", client: 1, parent: one))
        world.map(2)
        world.create(3, WindowFacts(appID: "app1", client: 1, parent: two))
        world.setNatural(Size(800, 600), of: three)
        world.map(3)
        world.rest()
        #expect(world.frame(three) == Rect(190, 110, 800, 600))
        #expect(world.finish() == [])
    }

    @Test("W-11: a dialog of an X11 program is resized if it says how small it can be, and drawn smaller if not")
    func dialogsOfX11() {
        var world = chooserWorld(isX11: true)
        #expect(world.clients[four]!.commit.size == Size(1180, 798), "the upper edge of its window stays visible (M-02)")
        world.create(3, WindowFacts(appID: "gedit", client: 1, parent: one, isX11: true))
        world.setNatural(Size(1203, 984), of: three)
        world.map(3)
        world.rest()
        #expect(world.clients[three]!.commit.size == Size(1203, 984))
        #expect(world.frame(one)!.contains(world.system.contentRect(of: three, at: world.now)!))
        #expect(world.finish() == [])
    }

    @Test("W-11: an app wider than its place fills it, everywhere, and is told the place's own size where that is enough")
    func wideApp() {
        var world = CoreWorld()
        world.open(1)
        world.create(2)
        world.setMinimum(Size(639, 375), of: two)
        world.send(.activationAsked(two, hasRecentSerial: true, launch: nil))
        world.map(2)
        for destination in [Action.slideOver(window: two), .pictureInPicture(window: two), .splitView(window: two, side: .left)] {
            world.act(destination)
            world.rest()
            let frame = world.frame(two)!, picture = world.system.contentRect(of: two, at: world.now)!
            #expect(picture.contains(frame, tolerance: 0.5), "\(destination): \(picture) in \(frame)")
            #expect(frame.contains(picture, tolerance: 0.01))
            #expect(world.clients[two]!.told!.arranged)
        }
        world.act(.fullScreen(window: two))
        world.rest()
        #expect(world.clients[two]!.commit.size == Size(1180, 820))
        #expect(world.finish() == [])
    }

    @Test("W-11: an app that does not say how small it can be is told once more, by what it drew")
    func silentMinimum() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.setManner(.asked, of: two)
        world.act(.slideOver(window: two))
        func answer(_ width: Double) {
            let told = world.clients[two]!.told!
            world.commit(two) {
                $0.answered = told.sequence
                $0.size = Size(max(width, told.frame.width), told.frame.height)
            }
        }
        answer(600)
        #expect(world.clients[two]!.told!.frame.size == Size(600, 1213))
        let count = world.clients[two]!.configures.count
        for width in [700.0, 800, 900] { answer(width) }
        #expect(world.clients[two]!.configures.count == count, "it is not chased")
        world.act(.fullScreen(window: two))
        #expect(world.clients[two]!.told!.frame.size == Size(1180, 820))
        #expect(world.finish() == [])
    }

    @Test("W-11: an app that passes over its first size is not taken at it")
    func firstSize() {
        var world = CoreWorld()
        world.create(1)
        world.send(.activationAsked(one, hasRecentSerial: true, launch: nil))
        func large() -> WindowCommit { WindowCommit(size: Size(1920, 1080), answered: world.clients[one]!.told!.sequence) }
        world.send(.windowMapped(one, large()))
        world.open(2)
        world.send(.windowCommitted(one, large()))
        world.act(.focus(window: one))
        world.send(.windowCommitted(one, large()))
        #expect(Set(world.clients[one]!.configures.map(\.frame.size)) == [Size(1180, 820)])
        #expect(world.problems == [])
    }

    @Test("a screen narrower than an app: full screen fills it, too")
    func narrowScreen() {
        var world = CoreWorld(size: Size(390, 844))
        world.create(1)
        world.setMinimum(Size(639, 375), of: one)
        world.send(.activationAsked(one, hasRecentSerial: true, launch: nil))
        world.map(1)
        world.rest()
        #expect(world.clients[one]!.commit.size == Size(639, 1383))
        #expect(world.finish() == [])
    }

    /// LibreOffice's options in Slide Over and in a narrow pane.
    @Test("W-11: a dialog that would be drawn below 0.6 of its size in its window gets the whole screen", arguments: [true, false])
    func largeDialog(isX11: Bool) {
        func dialog(_ least: Size, _ action: Action) -> Rect {
            var world = CoreWorld()
            world.open(2, WindowFacts(appID: "app2", client: 2))
            world.open(1, WindowFacts(appID: "app1", client: 1, isX11: isX11))
            world.act(action)
            world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isX11: isX11))
            world.setMinimum(least, of: four)
            world.map(4)
            world.rest()
            #expect(world.finish() == [])
            return world.frame(four)!
        }
        let screen = Rect(0, 0, 1180, 820)
        for action in [Action.slideOver(window: one), .splitView(window: one, side: .right)] {
            let large = dialog(Size(1000, 600), action)
            #expect(large.size == Size(1000, 600) && screen.contains(large), "\(action): \(large)")
        }
        // What can be read stays in its window.
        #expect(dialog(Size(500, 400), .slideOver(window: one)).width <= 375)
        #expect(dialog(Size(900, 600), .splitView(window: one, side: .right)).minX >= 590)
        // What is too large for the screen as well is at least larger there.
        let huge = dialog(Size(2600, 1700), .slideOver(window: one))
        #expect(huge.width > 375 && screen.contains(huge), "\(huge)")
    }

    @Test("W-11: a dialog that has the whole screen stands in its middle, covers the divider and has the touches there")
    func largeDialogOverTheDivider() throws {
        var world = CoreWorld()
        world.open(2, WindowFacts(appID: "app2", client: 2))
        world.open(1, WindowFacts(appID: "app1", client: 1))
        world.act(.splitView(window: one, side: .left))
        world.act(.divider(fraction: 1.0 / 3))
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.setMinimum(Size(1000, 600), of: four)
        world.map(4)
        world.rest()
        let place = try #require(world.frame(four)), divider = try #require(world.system.stage.dividerBar(world.workspace, at: world.now))
        #expect(abs(place.center.x - 590) < 1 && place.contains(divider.center), "\(place) \(divider)")
        let items = world.system.items(at: world.now)
        let pill = try #require(items.firstIndex { $0.key.part == .dividerPill }),
            sheet = try #require(items.firstIndex { $0.key.part == .window && $0.key.window == four })
        #expect(pill < sheet)
        // A finger there is the dialog's; beside the dialog it moves the divider.
        let touch = world.touch(1, down: divider.center)
        #expect(touch.contains { if case .client(.touchDown(_, four, at: _)) = $0 { true } else { false } })
        world.touch(1, to: divider.center + Vector(200, 0))
        world.lift(1)
        world.rest()
        #expect(world.system.stage.dividerBar(world.workspace, at: world.now) == divider)
        #expect(world.finish() == [])
    }

    @Test("W-11: a dialog that is too large for the screen at 0.6 of its size is shown in part, and two fingers move the rest into sight")
    func dialogInPart() throws {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "app1", client: 1))
        #expect(world.act(.magnify(by: .right)) == [.refuse(Refusal("all of window 1 is in sight"))])
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.setMinimum(Size(2600, 1700), of: four)
        world.map(4)
        world.rest()
        let place = try #require(world.frame(four))
        func shown() -> Rect { world.system.contentRect(of: four, at: world.now) ?? .zero }
        #expect(Rect(0, 0, 1180, 820).contains(place) && abs(shown().width - 1560) < 2, "\(place) \(shown())")
        #expect(abs(shown().x - place.x) < 1, "its upper left corner is in sight first")
        world.touch(1, down: Point(700, 400))
        world.touch(2, down: Point(800, 400))
        for step in 1...10 {
            world.wait(8)
            world.touch(1, to: Point(700 - Double(step) * 60, 400))
            world.touch(2, to: Point(800 - Double(step) * 60, 400))
        }
        world.lift(1)
        world.lift(2)
        world.rest()
        #expect(abs(shown().maxX - place.maxX) < 1, "it stops at its edge: \(shown())")
        // Touches reach what is drawn under the finger.
        let touch = world.touch(3, down: Point(place.maxX - 10, place.y + 100))
        let local = try #require(touch.compactMap { if case .client(.touchDown(_, _, at: let point)) = $0 { point } else { nil } }.first)
        #expect(abs(local.x - (2600 - 10 / 0.6)) < 3 && abs(local.y - 100 / 0.6) < 3, "\(local)")
        world.lift(3)
        // Its window is as before, and so is the dialog once it fits.
        #expect(abs((world.system.contentRect(of: one, at: world.now) ?? .zero).width - 1180) < 1)
        world.act(.magnify(by: .scale(0.1)))
        #expect(place.contains(shown(), tolerance: 1))
        #expect(world.finish() == [])
    }
}
