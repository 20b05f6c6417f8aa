import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Testing
import Windows

/// Where the focus of a remote control is when something comes or goes by itself.
@Suite("P-03: the shell gives the focus to no control that closes or deletes, and gives it back to where it was") struct RemoteFocusTests {
    private func television(apps: Int = 8) -> CoreWorld {
        var world = CoreWorld(idiom: .tv)
        CoreOp.apps(apps).apply(to: &world)
        world.rest()
        return world
    }

    private func key(_ chord: KeyChord, _ world: inout CoreWorld) {
        for isPressed in [true, false] { world.send(.key(code: 40, symbol: chord.symbol, pressed: isPressed, modifiers: chord.modifiers)) }
        world.rest()
    }

    private func focused(_ world: CoreWorld) -> ViewControl? { world.interface.focus.flatMap { id in world.controls.last { $0.id == id } } }

    @Test("when the app of the focused card ends, the next card has the focus, and no cross", arguments: 0..<4)
    func cardEnds(steps: Int) {
        var world = television()
        for number in 1...5 { world.open(UInt32(number)) }
        world.act(.appSwitcher)
        world.rest()
        for _ in 0..<steps { key("Right", &world) }
        for _ in 0..<3 {
            guard let card = focused(world), card.role == .card,
                let window = world.workspace.windows.keys.first(where: { "\(card.id)".hasSuffix("/\($0.raw)") })
            else {
                // Cards are named by their spaces: end the app whose card it is.
                let window = world.workspace.spaces.last?.windows.first ?? one
                world.destroy(window)
                world.rest()
                continue
            }
            world.destroy(window)
            world.rest()
            if world.interface.isOverviewOpen, world.controls.contains(where: { $0.role == .card }) {
                #expect(focused(world)?.role == .card)
            }
        }
        if let control = focused(world), case .close = control.press { Issue.record("the focus is on \(control.id)") }
        #expect(world.finish() == [])
    }

    @Test("an alert begins at what destroys nothing, whatever stands first", arguments: [false, true])
    func alert(isFirst: Bool) throws {
        var world = television()
        world.open(1)
        let choices: [ModalView.Choice] = [.init("Delete", .destructive), .init("Cancel", .cancel)]
        world.send(
            .viewAsked(
                ModalView(ModalID(3), .alert, over: one, of: "app1", title: "Delete?", choices: isFirst ? choices : choices.reversed())))
        world.rest()
        let control = try #require(focused(world))
        #expect(control.name == .verbatim("Cancel"))
        #expect(world.finish() == [])
    }

    @Test(
        "an alert with only a destructive choice before Cancel keeps the focus on Cancel, whatever happens beside it",
        arguments: [ModalKind.alert, .actionSheet], [nil, one])
    func alertStays(kind: ModalKind, over: WindowID?) throws {
        var world = television()
        world.open(1)
        world.tap(at: Point(500, 500))
        let choices: [ModalView.Choice] = [.init("Erase", .destructive), .init("No", .cancel)]
        world.send(.viewAsked(ModalView(ModalID(3), kind, over: over, of: "app1", title: "Title", choices: choices)))
        world.rest()
        #expect(try #require(focused(world)).name == .verbatim("No"))
        for _ in 0..<3 {
            world.rename(one, WindowFacts(appID: "app1", title: "busy"))
            world.rest()
            #expect(try #require(focused(world)).name == .verbatim("No"))
        }
        #expect(world.finish() == [])
    }

    @Test(
        "a window that opens below the app switcher leaves an alert with a focus", arguments: [nil, one],
        [Action.appSwitcher, .controlCentre, .home])
    func opensBelow(over: WindowID?, action: Action) throws {
        var world = television()
        world.open(1)
        let choices: [ModalView.Choice] = [.init("Erase", .destructive), .init("No", .cancel)]
        world.send(.viewAsked(ModalView(ModalID(3), .alert, over: over, of: "app1", title: "Title", choices: choices)))
        world.rest()
        world.act(action)
        world.rest()
        world.open(2)
        world.rest()
        #expect(world.system.personViolations(precise: false, at: world.now) == [])
        #expect(world.finish() == [])
    }

    @Test(
        "a program that starts below the app switcher leaves an alert of another one with a focus", arguments: [0, 100, 200, 400],
        [false, true])
    func startsBelow(delay: Double, isX11: Bool) throws {
        var world = television()
        world.open(1)
        let choices: [ModalView.Choice] = [.init("Erase", .destructive), .init("No", .cancel)]
        world.send(.viewAsked(ModalView(ModalID(3), .alert, over: nil, of: "program:/usr/bin/asks", title: "Title", choices: choices)))
        world.rest()
        key("Super+A", &world)
        try #require(world.interface.isOverviewOpen)
        world.wait(700)
        let ids = world.act(.launch(command: ["xterm"])).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }
        world.send(.launched(try #require(ids.first), process: 700))
        world.wait(delay)
        world.create(2, WindowFacts(appID: "XTerm", lineage: [700, 1], client: 7, isX11: isX11, isModal: false, isBare: true))
        world.map(2)
        // Nothing may happen from now on that would give it one later.
        #expect(world.interface.focus == ControlID(.modal, 3).part("choice/1"), "the switcher is still on its way out")
        world.rest()
        #expect(world.system.personViolations(precise: false, at: world.now) == [])
        #expect(world.finish() == [])
    }

    @Test("a view that closes gives the focus back to where it was", arguments: [Action.controlCentre, .notifications])
    func comesBack(action: Action) throws {
        var world = television()
        for chord in ["Right", "Right", "Down"] as [KeyChord] { key(chord, &world) }
        let before = try #require(world.interface.focus)
        world.act(action)
        world.rest()
        #expect(world.interface.focus != before)
        world.act(action)
        world.rest()
        #expect(world.interface.focus == before)
        #expect(world.finish() == [])
    }

    @Test("OK on the icon of an app that starts slowly leaves the focus there")
    func slowStart() throws {
        var world = television()
        world.open(1)
        world.act(.home)
        world.rest()
        key("Right", &world)
        let before = try #require(world.interface.focus)
        key("Return", &world)
        #expect(world.interface.focus == before)
        world.wait(3000)
        #expect(world.interface.focus == before)
    }
}
