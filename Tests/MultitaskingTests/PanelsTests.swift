import Geometry
import Interface
import MullionTesting
import Multitasking
import Seat
import Testing
import Windows

@Suite("Panels of other programs")
struct PanelsTests {
    private let launcher = PanelFacts(layer: .top, size: Size(400, 300), keyboard: .always)

    /// A key with what it types; what the shell did with its press.
    private func type(_ text: String, _ world: inout CoreWorld) -> [Effect] {
        let symbol = text.unicodeScalars.first!.value
        let effects = world.send(.key(code: symbol & 0xff, symbol: KeySymbol(rawValue: symbol), pressed: true, modifiers: [], text: text))
        world.send(.key(code: symbol & 0xff, symbol: KeySymbol(rawValue: symbol), pressed: false, modifiers: []))
        return effects
    }

    @Test("what is typed over the home screen goes to the launcher that a person opened, not into the search")
    func launcherOverHome() {
        var world = CoreWorld()
        world.open(1)
        world.act(.home)
        world.rest()
        #expect(world.system.keyboard == .shell)
        let shown = world.send(.panelChanged(PanelID(1), launcher))
        #expect(shown.contains(.keyboardFocus(.panel(PanelID(1)))))
        #expect(type("f", &world) == [])
        #expect(world.system.interface.home.search == nil)
        // It goes: the home screen has the keys again.
        #expect(world.send(.panelGone(PanelID(1))).contains(.keyboardFocus(.shell)))
        #expect(type("f", &world).contains(.swallowKey))
        #expect(world.system.interface.home.search == "f")
        #expect(world.finish() == [])
    }

    @Test("the on-screen keyboard types into the launcher, and no more into the search behind it")
    func searchGivesUpText() {
        var world = CoreWorld()
        world.act(.home)
        world.act(.search(text: "te"))
        world.rest()
        #expect(world.send(.panelChanged(PanelID(1), launcher)).contains(.textEntry(false)))
        #expect(world.send(.panelGone(PanelID(1))).contains(.textEntry(true)))
        #expect(world.finish() == [])
    }

    @Test("no key reaches an app while a view of the shell's own lies over it")
    func shellOverApp() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        #expect(world.system.keyboard == .window(WindowID(1)))
        #expect(world.act(.appSwitcher).contains(.keyboardFocus(.shell)))
        #expect(world.act(.appSwitcher).contains(.keyboardFocus(.window(WindowID(1)))))
        #expect(world.finish() == [])
    }

    @Test("a touch elsewhere takes the keys from a panel that has them on demand")
    func touchElsewhere() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        var menu = launcher
        menu.keyboard = .onDemand
        world.send(.panelChanged(PanelID(1), menu))
        #expect(world.system.keyboard == .panel(PanelID(1)))
        #expect(world.send(.touchDown(0, at: Point(100, 400))).contains(.keyboardFocus(.window(WindowID(1)))))
        world.send(.touchUp(0))
        #expect(world.touch(down: Point(590, 400)).contains(.keyboardFocus(.panel(PanelID(1)))))
        world.lift()
        #expect(world.finish() == [])
    }

    private let bar = PanelFacts(layer: .top, anchors: [.bottom, .left, .right], size: Size(0, 200), zone: 0)

    /// Two windows side by side, and a keyboard over the lower part of both.
    private func split() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .splitView(.right))
        world.send(.panelChanged(PanelID(1), bar))
        world.rest()
        return world
    }

    @Test("law 8: a finger that came down on a panel is the panel's until it is lifted, and begins no gesture")
    func fingerOnPanel() {
        var world = split()
        let onPanel = Point(300, 815)
        #expect(world.overlay(at: onPanel) == .panel(PanelID(1)) && world.overlay(at: Point(300, 500)) == nil)
        #expect(world.touch(down: onPanel) == [.touchDownOnOverlay(0, .panel(PanelID(1)), at: onPanel), .touchFrame])
        // Up from the bottom edge, and across a window.
        #expect(world.touch(to: Point(300, 700)) == [.touchMotion(0, at: Point(300, 700))])
        #expect(world.touch(to: Point(300, 300)) == [.touchMotion(0, at: Point(300, 300))])
        #expect(!world.system.isGesturing)
        #expect(world.lift() == [.touchUp(0)])
        // A finger that came down on a window stays there over the panel.
        world.touch(down: Point(300, 500))
        #expect(world.touch(to: onPanel) == [.touchMotion(0, at: onPanel)])
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("law 8: a gesture of another finger leaves a finger on a panel alone, until an app has to give one back too")
    func gestureBesidePanel() {
        var world = split()
        world.touch(0, down: Point(300, 700))
        // The divider is the shell's from the beginning.
        let divider = world.spot(.divider)
        #expect(!world.touch(1, down: divider).contains(.touchCancel))
        world.slide(1, to: divider + Vector(-120, 0))
        #expect(world.system.isGesturing)
        #expect(world.touch(0, to: Point(310, 700)) == [.touchMotion(0, at: Point(310, 700))])
        world.lift(1)
        world.rest()
        // The dots of a window: the app has the finger until it drags them.
        world.touch(2, down: Point(300, 400))
        var cancels = 0
        world.touch(3, down: Point(300, 2))
        for step in 1...10 {
            world.wait(16)
            cancels += world.touch(3, to: Point(300, 2 + 30 * Double(step))).filter { $0 == .touchCancel }.count
        }
        #expect(cancels == 1)
        #expect(world.touch(0, to: Point(320, 700)) == [], "the protocol took this one back, too")
        for finger in [0, 2, 3] as [Int32] { world.lift(finger) }
        #expect(world.finish() == [])
    }

    @Test("law 4: a locker takes the finger from a panel; a device that takes it back does, too")
    func panelLosesFinger() {
        var world = split()
        world.touch(down: Point(300, 700))
        #expect(world.take() == [.touchCancel])
        world.touch(down: Point(300, 700))
        #expect(world.send(.lock(.asked(LockerID(1), isDark: true))).contains(.touchCancel))
        world.lift()
        world.unlock()
        #expect(world.finish() == [])
    }

    @Test("the pointer on a panel: its button keeps it there, and what lies beneath follows")
    func pointerOnPanel() {
        var world = split()
        let onPanel = Point(300, 700), above = Point(300, 300), panel = Overlay.panel(PanelID(1))
        #expect(world.point(at: onPanel) == [.pointerOnOverlay(panel, at: onPanel)])
        #expect(world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 10, discrete: 120))).count == 1)
        #expect(
            world.send(.pointerButton(0x110, pressed: true)) == [
                .pointerOnOverlay(panel, at: onPanel), .pointerButton(0x110, pressed: true),
            ])
        #expect(world.point(at: above) == [.pointerOnOverlay(panel, at: above)])
        #expect(world.send(.pointerButton(0x110, pressed: false)).first == .pointerButton(0x110, pressed: false))
        #expect(world.point(at: above) == [.pointerOnWindow(WindowID(1), at: above)])
        // The panel goes from under a pointer that rests.
        world.point(at: onPanel)
        #expect(world.send(.panelGone(PanelID(1))).contains(.pointerOnWindow(WindowID(1), at: onPanel)))
        #expect(world.finish() == [])
    }

    @Test("law 8: the divider stays in the pointer's hand over a panel")
    func dividerOverPanel() {
        var world = split()
        let divider = world.spot(.divider)
        world.point(at: divider)
        world.send(.pointerButton(0x110, pressed: true))
        world.point(at: Point(divider.x - 60, divider.y))
        #expect(world.system.isGesturing)
        #expect(!world.point(at: Point(divider.x - 100, 700)).contains { if case .client(.pointerOnOverlay) = $0 { true } else { false } })
        #expect(world.system.isGesturing)
        world.send(.pointerButton(0x110, pressed: false))
        #expect(world.finish() == [])
    }

    @Test(
        "what is reported of a panel that is gone, hidden or below the windows does not count; an X11 menu leaves the keys where they are")
    func notAbove() {
        var world = split()
        let below = PanelFacts(layer: .bottom, anchors: [.bottom, .left, .right], size: Size(0, 200))
        world.send(.panelChanged(PanelID(2), below))
        for id in [PanelID(2), PanelID(9)] {
            #expect(
                world.send(.touchDown(0, at: Point(300, 500), over: .panel(id))).contains(.touchDown(0, WindowID(1), at: Point(300, 500))))
            world.send(.touchUp(0))
        }
        var menu = launcher
        menu.keyboard = .onDemand
        world.send(.panelChanged(PanelID(3), menu))
        world.send(.touchDown(0, at: Point(50, 50), over: .x11Menu))
        #expect(world.system.keyboard == .panel(PanelID(3)))
        world.send(.touchUp(0))
        #expect(world.finish() == [])
    }

    @Test("a panel's program is told its place; the windows make room, and take it again")
    func room() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        let bar = PanelFacts(layer: .top, anchors: [.top, .left, .right], size: Size(0, 32), zone: 32)
        let effects = world.send(.panelChanged(PanelID(1), bar))
        #expect(effects.first == .placePanel(PanelID(1), Rect(0, 0, 1180, 32)))
        world.rest()
        #expect(world.system.shownFrame(of: WindowID(1), at: world.now) == Rect(0, 32, 1180, 788))
        // A turned screen: the bar is told its new width.
        let turned = world.send(.screenChanged(Screen(size: Size(820, 1180), scale: 1)))
        #expect(turned.contains(.placePanel(PanelID(1), Rect(0, 0, 820, 32))))
        world.send(.panelGone(PanelID(1)))
        world.rest()
        #expect(world.system.shownFrame(of: WindowID(1), at: world.now) == Rect(0, 0, 820, 1180))
        #expect(world.finish() == [])
    }
}
