import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// What of W-25 is there: windows in layers at places of their own. The conformance tests need it.
@Suite("W-25: windows that stand free")
struct FreeWindowTests {
    private let first = WindowID(1), second = WindowID(2)
    private let start = Moment(nanoseconds: 1_000_000_000)

    private func desk(_ commits: [WindowCommit]) -> System {
        // As the conformance tests have it: windows stand where they are put.
        var idiom = Idiom.mac
        idiom.free.cascade = 0
        idiom.free.menuBar = 0
        idiom.free.hotCorner = .none
        idiom.home.dockStands = false
        idiom.edge = 0
        idiom.homeLine = nil
        idiom.home.fillsEmptyScreen = false
        var system = System(idiom: idiom, preferences: Preferences(newWindows: .always, reducedMotion: true))
        _ = system.handle(.screenChanged(Screen(size: Size(1000, 800))), at: start)
        for (index, commit) in commits.enumerated() {
            let id = WindowID(UInt32(index + 1))
            _ = system.handle(.windowCreated(id, WindowFacts(appID: "test", client: UInt64(index + 1))), at: start)
            _ = system.handle(.windowMapped(id, commit), at: start)
        }
        return system
    }

    @Test("each is as large as its app makes it, where it was put, and comes back there")
    func places() {
        var system = desk([WindowCommit(size: Size(200, 100))])
        _ = system.handle(.windowPlaced(first, at: Point(300, 200)), at: start)
        #expect(system.shownFrame(of: first, at: start) == Rect(300, 200, 200, 100))
        _ = system.handle(.windowUnmapped(first), at: start)
        _ = system.handle(.windowMapped(first, WindowCommit(size: Size(220, 110))), at: start)
        #expect(system.shownFrame(of: first, at: start) == Rect(300, 200, 220, 110))
        #expect(system.violations() == [])
    }

    @Test("the one that is pressed comes to the front; what takes no input lets the press through")
    func layers() {
        let narrow = WindowCommit(size: Size(400, 400), input: Rect(0, 0, 100, 400))
        var system = desk([WindowCommit(size: Size(400, 400)), narrow])
        #expect(system.handle(.pointerMotion(at: Point(50, 50)), at: start) == [.pointerOnWindow(second, at: Point(50, 50))])
        #expect(system.handle(.pointerMotion(at: Point(300, 50)), at: start) == [.pointerOnWindow(first, at: Point(300, 50))])
        _ = system.handle(.pointerButton(0x110, pressed: true), at: start)
        _ = system.handle(.pointerButton(0x110, pressed: false), at: start)
        #expect(system.workspace.focus == first)
        #expect(system.handle(.pointerMotion(at: Point(50, 50)), at: start) == [.pointerOnWindow(first, at: Point(50, 50))])
    }

    @Test("each has a shadow, whoever draws its title bar; one that fills the screen has none")
    func shadows() {
        func shadows(_ system: System) -> Set<WindowID> {
            Set(system.items(at: start).filter { $0.key.part == .shadow }.compactMap(\.key.window))
        }
        var system = desk([WindowCommit(size: Size(200, 100)), WindowCommit(size: Size(300, 200))])
        #expect(shadows(system) == [first, second])
        _ = system.handle(.windowMapped(second, WindowCommit(size: Size(300, 200), wantsFullscreen: true)), at: start)
        #expect(!shadows(system).contains(second))
    }

    @Test("a pointer that rests hears when the window under it is moved")
    func movedUnderThePointer() {
        var system = desk([WindowCommit(size: Size(400, 400))])
        _ = system.handle(.pointerMotion(at: Point(100, 100)), at: start)
        let effects = system.handle(.windowPlaced(first, at: Point(10, 20)), at: start)
        #expect(effects.contains(.pointerOnWindow(first, at: Point(90, 80))) && effects.last == .pointerFrame)
    }

    @Test("nothing hovers where a pointer rested before a finger came, until the pointer is used again", arguments: 0...2)
    func awayFromThePointer(use: Int) {
        var system = desk([WindowCommit(size: Size(400, 400))])
        _ = system.handle(.pointerMotion(at: Point(100, 100)), at: start)
        _ = system.handle(.touchDown(0, at: Point(300, 300)), at: start)
        func isTold(_ effects: [Effect]) -> Bool { effects.contains { if case .client(.pointerOnWindow) = $0 { true } else { false } } }
        // A menu that this finger opens would take it for a hand that points.
        #expect(!isTold(system.handle(.windowPlaced(first, at: Point(10, 20)), at: start)))
        _ = system.handle(.touchUp(0), at: start)
        #expect(!isTold(system.handle(.windowPlaced(first, at: Point(20, 30)), at: start)))
        let used: Event =
            switch use {
            case 0: .pointerMotion(at: Point(101, 100))
            case 1: .pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 15, discrete: 120))
            default: .pointerButton(0x111, pressed: true)
            }
        let effects = system.handle(used, at: start)
        #expect(effects.contains(.pointerOnWindow(first, at: Point(use == 0 ? 81 : 80, 70))))
        #expect(
            isTold(
                system.handle(.pointerButton(0x111, pressed: false), at: start)
                    + system.handle(.windowPlaced(first, at: Point(30, 30)), at: start)))
    }

    @Test("its own buttons fill the room with it, and put it away until it is asked for")
    func buttons() {
        var system = desk([WindowCommit(size: Size(200, 100))])
        _ = system.handle(.windowAsked(first, .maximize(true)), at: start)
        #expect(
            system.workspace[first]?.lastConfigure?.arranged == true
                && system.workspace[first]?.lastConfigure?.frame.size == Size(1000, 800))
        _ = system.handle(.windowAsked(first, .maximize(false)), at: start)
        #expect(system.workspace[first]?.lastConfigure?.arranged == false && system.workspace[first]?.lastConfigure?.chooses == true)
        _ = system.handle(.windowAsked(first, .minimize), at: start)
        #expect(!system.workspace.isShown(first) && system.workspace.focus == nil)
        _ = system.handle(.windowAsked(first, .activate(byPerson: true)), at: start)
        #expect(system.workspace.isShown(first) && system.workspace.focus == first)
        #expect(system.violations() == [])
    }

    @Test("a menu that holds the input closes when another window becomes active")
    func menus() {
        var system = desk([WindowCommit(size: Size(200, 100))])
        _ = system.handle(.popupsChanged(first, boxes: [Rect(0, 0, 50, 50)], grab: true), at: start)
        _ = system.handle(.windowCreated(second, WindowFacts(appID: "other", client: 9)), at: start)
        #expect(system.handle(.windowMapped(second, WindowCommit(size: Size(10, 10))), at: start).contains(.dismissPopups(first)))
    }

    @Test(
        "W-25: among free windows a dialog larger than its window has its own size, over it and on the screen",
        arguments: ["mac", "vision"])
    func largeDialog(name: String) throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: try #require(Idiom.allAndPlaces.first { $0.name == name }))
        world.create(1, WindowFacts(appID: "editor", lineage: [100, 1], client: 1))
        world.setNatural(Size(400, 300), of: WindowID(1))
        world.send(.activationAsked(WindowID(1), hasRecentSerial: true, launch: nil))
        world.map(1)
        world.create(2, WindowFacts(appID: "editor", lineage: [100, 1], client: 1, parent: WindowID(1), isModal: true))
        world.setNatural(Size(900, 374), of: WindowID(2))
        world.map(2)
        world.rest()
        let dialog = try #require(world.frame(WindowID(2))), bounds = Rect(origin: .zero, size: Size(1180, 820))
        #expect(dialog.size == Size(900, 374))
        #expect(bounds.contains(dialog, tolerance: 0))
        #expect(world.finish() == [])
    }

    @Test("W-09: on a desk a film in full screen gets the size of its picture")
    func fullScreenPicture() throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: .mac)
        world.create(1, WindowFacts(appID: "mpv", lineage: [100, 1], client: 1))
        world.setNatural(Size(640, 360), of: WindowID(1))
        world.send(.activationAsked(WindowID(1), hasRecentSerial: true, launch: nil))
        world.map(1)
        world.rest()
        world.send(.windowAsked(WindowID(1), .fullscreen(true)))
        world.rest()
        #expect(world.workspace[WindowID(1)]?.lastConfigure?.frame.width == 1180)
        world.act(.pictureInPicture(window: WindowID(1)))
        world.rest()
        #expect(world.workspace.pip != nil)
        let picture = try #require(world.frame(WindowID(1)))
        #expect(picture.width < 500)
        #expect(world.workspace[WindowID(1)]?.lastConfigure?.frame.size == picture.size.rounded)
        #expect(world.finish() == [])
    }
}
