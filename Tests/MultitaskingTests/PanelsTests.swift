import Geometry
import Interface
import Multitasking
import MullionTesting
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
        #expect(world.send(.panelPressed(PanelID(1))).contains(.keyboardFocus(.panel(PanelID(1)))))
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
