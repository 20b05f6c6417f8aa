import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("X-05: controls that the stage draws have names for screen readers")
struct SpokenTests {
    private func world(rightToLeft: Bool) -> CoreWorld {
        CoreWorld(preferences: Preferences(appearance: Appearance(isRightToLeft: rightToLeft)))
    }

    @Test("the dots of each window of a pair lie on it, whichever way people read", arguments: [false, true])
    func dots(rightToLeft: Bool) throws {
        var world = world(rightToLeft: rightToLeft)
        world.open(1)
        world.open(2, to: .splitView(.right))
        world.rest()
        for raw in [1, 2] as [UInt32] {
            let control = try #require(world.system.controls(at: world.now).first { $0.id == "dots/\(raw)" })
            let window = try #require(world.frame(WindowID(raw)))
            #expect(window.contains(control.frame), "\(control.frame) is not on \(window)")
            #expect(control.press == .controls(window: WindowID(raw)))
        }
        #expect(world.finish() == [])
    }

    @Test("what is in front gives the screen its name")
    func frontName() {
        var world = InterfaceTests.world(["editor", "terminal"])
        func name() -> Text { world.system.frontName(at: world.now) }
        #expect(name() == .verbatim("Terminal"))
        world.act(.splitView(window: one, side: .left))
        #expect(name() == .message(.pair, ["Text Editor", "Terminal"]))
        world.act(.appSwitcher)
        #expect(name() == .message(.appSwitcher))
        world.act(.appExpose(app: "editor"))
        #expect(name() == .message(.windowsOf, ["Text Editor"]))
        world.act(.home)
        world.rest()
        #expect(name() == .message(.home))
        world.act(.notifications)
        #expect(name() == .message(.notifications))
        world.act(.dismiss)
        world.act(.appMenu(app: "editor"))
        #expect(name() == .verbatim("Text Editor"))
        world.act(.dismiss)
        world.lock()
        #expect(name() == .message(.lockTitle), "a locked session says nothing of apps")
    }

    /// The entries of a menu or of the controls, which are buttons there.
    private func entries(_ world: CoreWorld, _ area: ControlID.Area) -> [Action] {
        world.controls.filter { $0.id.area == area && $0.press != nil && !$0.isChosen }.compactMap(\.press)
    }

    private func spoken(_ world: CoreWorld, _ id: ControlID) throws -> [SpokenAction] {
        world.system.spokenActions(of: try #require(world.control(id)), at: world.now)
    }

    @Test(
        "an icon has the actions of its menu, in the dock and on the home screen",
        arguments: ["home/editor", "dock/editor", "dock/browser"] as [ControlID])
    func iconActions(icon: ControlID) throws {
        var world = InterfaceTests.world(["editor", "terminal"])
        world.act(.home)
        world.rest()
        let control = try #require(world.control(icon)), app = try #require(icon.appOfIcon)
        let said = try spoken(world, icon)
        world.act(.appMenu(app: app))
        #expect(said.map(\.action) == entries(world, .menu).filter { $0 != control.press } && said.count >= 3, "\(said)")
        #expect(Set(said.map(\.id)).count == said.count)
        #expect(
            world.controls.filter { $0.id.area == .menu }.allSatisfy { row in
                row.press == control.press || said.contains { $0.name == row.name } || row.role == .panel
            })
        world.act(.dismiss)
        let split = try #require(said.first { $0.id == "split" })
        world.act(split.action)
        world.rest()
        #expect(!world.launches.isEmpty || world.workspace.currentSpace?.split != nil)
        #expect(world.finish() == [])
    }

    @Test("a window's dots and its card in the switcher have the actions of its controls; those of a pair say which window")
    func windowActions() throws {
        var world = InterfaceTests.world(["editor", "terminal", "notes"])
        let dots = try spoken(world, "dots/3")
        world.act(.controls(window: three))
        #expect(
            dots.map(\.action) == entries(world, .controls) && dots.contains { $0.id == "close" } && dots.contains { $0.id == "split-left" }
        )
        world.act(.dismiss)
        world.act(.splitView(window: one, side: .left))
        world.act(.appSwitcher)
        world.rest()
        let single = try spoken(world, world.card(of: two)), pair = try spoken(world, world.card(of: one))
        #expect(single.contains { $0.id == "slide-over" && $0.action == .slideOver(window: two) && $0.name == .message(.slideOver) })
        #expect(pair.contains { $0.id == "close/1" && $0.action == .close(window: one) && $0.name == .detailed(.close, "Text Editor") })
        #expect(pair.contains { $0.id == "close/3" && $0.action == .close(window: three) } && Set(pair.map(\.id)).count == pair.count)
        #expect(try spoken(world, "switcher/close/2").isEmpty)
        world.act(try #require(single.first { $0.id == "close" }).action)
        #expect(world.closes == [two])
        #expect(world.finish() == [])
    }

    @Test("every action that is spoken is one that the shell carries out, wherever the window is", arguments: 0..<9)
    func everyAction(index: Int) throws {
        var world = InterfaceTests.world(["editor", "terminal", "notes", "browser"])
        world.act(.slideOver(window: three))
        world.act(.splitView(window: one, side: .right))
        world.act(.appSwitcher)
        world.rest()
        for control in world.controls {
            let actions = world.system.spokenActions(of: control, at: world.now)
            guard actions.indices.contains(index) else { continue }
            var other = world
            other.act(actions[index].action)
            other.rest()
            #expect(
                !other.effects.contains { if case .session(.refuse) = $0 { true } else { false } }, "\(control.id): \(actions[index].id)")
            #expect(other.finish() == [])
        }
    }

    @Test("cards that were scrolled off the screen are not said to be seen")
    func offScreen() {
        var world = InterfaceTests.world(many(12).map(\.id), installed: many(12))
        world.act(.appSwitcher)
        world.rest()
        let cards = world.controls.filter { $0.role == .card }, size = Size(1180, 820)
        #expect(cards.count == 12 && cards.contains { $0.isOnScreen(of: size) } && cards.contains { !$0.isOnScreen(of: size) })
        for card in cards { #expect(card.isOnScreen(of: size) == (card.frame.maxX > 0 && card.frame.minX < 1180)) }
    }

    @Test("the handles of what was pushed past an edge bring it back", arguments: [false, true])
    func handles(rightToLeft: Bool) throws {
        var world = world(rightToLeft: rightToLeft)
        world.open(1)
        world.open(2, to: .slideOver)
        world.open(3, to: .pictureInPicture)
        world.act(.slideOverHide)
        world.act(.pipStash(.left))
        world.rest()
        let handle = try #require(world.system.controls(at: world.now).first { $0.id == "slide-over/show" })
        let tab = try #require(world.system.controls(at: world.now).first { $0.id == "picture/show" })
        #expect(handle.frame.center.x > 1000 && tab.frame.center.x < 100)
        world.act(.press(view: "slide-over/show"))
        world.act(.press(view: "picture/show"))
        world.rest()
        #expect(!world.workspace.slideOver.isHidden && world.workspace.pip?.stashed == nil)
        #expect(!world.system.controls(at: world.now).contains { $0.id == "slide-over/show" || $0.id == "picture/show" })
        #expect(world.finish() == [])
    }
}
