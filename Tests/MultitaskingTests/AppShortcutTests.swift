import Geometry
import Modality
import MullionTesting
import Multitasking
import Seat
import Testing
import Windows

/// Keys that apps hear wherever the person is.
@Suite("Shortcuts of apps") struct AppShortcutTests {
    private typealias Shortcut = GlobalShortcuts.Shortcut

    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        return world
    }

    private func talk(_ keys: KeyChord = "Super+y", _ id: String = "talk") -> Shortcut {
        Shortcut(id: id, meaning: "Push to Talk", chord: keys)
    }

    private func bind(
        _ world: inout CoreWorld, session: UInt32 = 1, app: String = "call", _ all: [Shortcut], refused: [String] = []
    ) -> [Shortcut]? {
        told(world.send(.shortcuts(.bound(session, app: app, all, refused: refused)))).compactMap {
            if case .bound(session, let bound) = $0 { bound } else { nil }
        }.last
    }

    private func told(_ effects: [Effect]) -> [ShortcutEffect] {
        effects.compactMap { if case .shortcuts(let effect) = $0 { effect } else { nil } }
    }

    /// A key of a US keyboard.
    private func key(_ world: inout CoreWorld, _ letter: Unicode.Scalar, _ modifiers: Modifiers = [], isDown: Bool) -> [Effect] {
        world.send(.key(code: letter.value, symbol: KeySymbol(rawValue: letter.value), pressed: isDown, modifiers: modifiers))
    }

    private func press(_ world: inout CoreWorld, _ letter: Unicode.Scalar, _ modifiers: Modifiers) -> [ShortcutEffect] {
        let down = key(&world, letter, modifiers, isDown: true)
        return told(down + key(&world, letter, modifiers, isDown: false))
    }

    private func wants(_ id: String, _ trigger: String = "") -> WantedShortcut { WantedShortcut(id: id, meaning: id, trigger: trigger) }

    @Test("law 4: a key of an app is the app's from its press to its release, in every app and view, and no client gets it")
    func pressed() {
        var world = self.world()
        let bound = bind(&world, [talk()])
        #expect(bound == [talk()])
        for _ in 0..<2 {
            let down = key(&world, "y", .super, isDown: true)
            #expect(told(down) == [.activated(1, "talk")] && down.contains(Effect.swallowKey))
            // The modifier may go first.
            let up = key(&world, "y", isDown: false)
            #expect(told(up) == [.deactivated(1, "talk")] && up.contains(Effect.swallowKey))
            world.act(.home)
            world.rest()
        }
        let plain = press(&world, "y", [])
        #expect(plain.isEmpty && world.system.violations() == [])
    }

    @Test("law 4: a lock, other keys and the end of the session release it")
    func ends() {
        var world = self.world()
        _ = bind(&world, [talk()])
        _ = key(&world, "y", .super, isDown: true)
        let locked = told(world.send(.lock(.asked(LockerID(1), isDark: true))))
        #expect(locked == [.deactivated(1, "talk")])
        _ = key(&world, "y", .super, isDown: false)
        let whileLocked = press(&world, "y", .super)
        #expect(whileLocked.isEmpty)
        world = self.world()
        _ = bind(&world, [talk()])
        _ = key(&world, "y", .super, isDown: true)
        let others = told(world.send(.shortcuts(.bound(1, app: "call", [talk("Super+u")], refused: []))))
        #expect(others == [.deactivated(1, "talk"), .bound(1, [talk("Super+u")])])
        _ = key(&world, "u", .super, isDown: true)
        let ended = told(world.send(.shortcuts(.ended(1)))),
            after = told(key(&world, "u", .super, isDown: false)) + press(&world, "u", .super)
        #expect(ended.isEmpty && after.isEmpty && world.system.violations() == [])
    }

    @Test("the shell's keys win, and so does the app that was first; a shortcut has Ctrl, Alt or Super, or is a function key")
    func conflicts() {
        var world = self.world()
        let wanted = [talk(), talk("Super+y", "b"), talk("Shift+a", "c"), talk("F5", "d"), talk("Ctrl+Alt+F2", "e")]
        let first = bind(&world, wanted), second = bind(&world, session: 2, app: "b", [talk(), talk("Super+u", "u")])
        #expect(first == [talk(), talk("F5", "d")] && second == [talk("Super+u", "u")])
        // A binding of the shell that came later.
        var preferences = world.system.preferences
        preferences.keys.append(KeyBinding("Super+y", .home))
        world.send(.configured(preferences))
        let pressed = press(&world, "y", .super)
        #expect(pressed.isEmpty && world.workspace.showsHome && world.system.violations() == [])
    }

    @Test("an app gets the keys that it proposes if they are free, else the next ones; what a person gave or refused is not asked again")
    func plans() {
        var world = self.world()
        func plan(_ wanted: [WantedShortcut], isAnew: Bool = false) -> [String] {
            world.system.plan(wanted, of: "call", session: 1, isAnew: isAnew).map {
                "\($0.shortcut.id) \($0.shortcut.chord)\($0.isKnown ? " known" : "")\($0.isOn ? "" : " off")"
            }
        }
        let wanted = [
            wants("a", "LOGO+y"), wants("b", "LOGO+w"), wants("c", "CTRL+SHIFT+Return"), wants("d", "nonsense"), wants("e", "a"),
            wants("a"),
        ]
        #expect(plan(wanted) == ["a Super+y", "b Super+F1", "c Ctrl+Shift+Return", "d Super+F2", "e Super+F3"])
        _ = bind(&world, [talk("Super+y", "a"), talk("Super+F1", "b")], refused: ["c"])
        #expect(plan(wanted) == ["a Super+y known", "b Super+F1 known", "d Super+F2", "e Super+F3"])
        #expect(plan(wanted, isAnew: true) == ["a Super+y", "b Super+F1", "c Ctrl+Shift+Return off", "d Super+F2", "e Super+F3"])
        #expect(
            world.system.chosen.contains(
                .shortcuts(
                    app: "call",
                    [
                        AppShortcut(id: "a", keys: "Super+y"), AppShortcut(id: "b", keys: "Super+F1"), AppShortcut(id: "c", keys: ""),
                    ])))
        // Another app has them meanwhile.
        world.send(.shortcuts(.ended(1)))
        _ = bind(&world, session: 2, app: "other", [talk("Super+y", "x")])
        #expect(plan([wants("a", "LOGO+y")]) == ["a Super+F2"])
        // A person takes them back.
        _ = bind(&world, [talk("Super+F1", "b")])
        let taken = told(world.act(.forgetShortcuts(app: "call")))
        #expect(taken == [.bound(1, [])])
        #expect(plan([wants("b")]) == ["b Super+F1"])
        #expect(world.act(.forgetShortcuts(app: "call")).contains { if case .session(.refuse) = $0 { true } else { false } })
    }

    @Test("switches of a view: a press turns one over, and the preferred choice answers with those that are on")
    func switches() throws {
        var world = self.world()
        var view = ModalView(ModalID(1), .actionSheet, over: nil, of: "call", title: "Keys")
        view.choices = [.init("A"), .init("B"), .init("C"), .init("Allow", .preferred), .init("Don't Allow", .cancel)]
        view.switches = [true, true, false]
        world.send(.viewAsked(view))
        world.rest()
        for index in [0, 2] {
            let one = try #require(world.controls.last { $0.id == ControlID(rawValue: "modal/1/choice/\(index)") })
            #expect(one.role == .toggle && one.isChosen == (index == 0))
            world.tap(at: one.frame.center)
            world.rest()
            #expect(world.controls.last { $0.id == one.id }?.isChosen == (index == 2))
        }
        world.act(.chooseView(1, 3))
        #expect(world.effects.contains(.viewAnswered(ModalID(1), .picked([1, 2]))))
        view = ModalView(ModalID(2), .actionSheet, over: nil, of: "call", title: "Keys", choices: [.init("A")])
        view.switches = [true, true]
        let effects = world.send(.viewAsked(view))
        #expect(effects.contains { if case .viewAnswered(_, .refused) = $0 { true } else { false } })
    }
}
