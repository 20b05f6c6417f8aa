import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Seat
import Stage
import Testing
import Windows

/// Alerts and action sheets that the shell shows for programs, by touch and by keys (M-05, M-07, M-10).
@Suite("Views for programs") struct ProgramViewTests {
    private static let choices: [ModalView.Choice] = [.init("Delete", .destructive), .init("Keep", .cancel)]

    private func ask(
        _ world: inout CoreWorld, _ number: UInt32 = 1, _ kind: ModalKind = .alert, over window: WindowID? = one,
        _ choices: [ModalView.Choice] = ProgramViewTests.choices
    ) {
        world.send(
            .viewAsked(
                ModalView(
                    ModalID(number), kind, over: window, of: "app1", title: "Delete the film?", message: "You cannot undo this.",
                    choices: choices)))
    }

    private func answers(_ world: CoreWorld, _ number: UInt32 = 1) -> [ModalAnswer] {
        world.effects.compactMap { if case .viewAnswered(ModalID(number), let answer) = $0 { answer } else { nil } }
    }

    private func center(_ world: CoreWorld, _ id: ControlID) -> Point? {
        world.system.controls(at: world.now).last { $0.id == id }?.frame.center
    }

    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol) {
        for pressed in [true, false] {
            world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: []))
            world.wait(20)
        }
    }

    private func isTouched(_ window: WindowID, _ effects: [Effect]) -> Bool {
        effects.contains { if case .client(.touchDown(_, window, _)) = $0 { true } else { false } }
    }

    @Test(
        "M-08: only the last view of a line is live: an action sheet below an alert of another program takes no tap, key or script, and the alert stays"
    )
    func onlyTheLastViewIsLive() throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world, 1, .actionSheet)
        world.rest()
        let below = try #require(center(world, "modal/1/choice/0"))
        world.send(.viewAsked(ModalView(ModalID(2), .alert, over: one, of: "other", title: "Allow?", choices: Self.choices)))
        world.rest()
        #expect(
            center(world, "modal/2/choice/0") != nil && center(world, "modal/1/choice/0") == nil && center(world, "modal/1/behind") == nil)
        world.touch(down: below)
        world.lift()
        for action in [Action.chooseView(1, 0), .dismissView(1)] { world.send(.action(action)) }
        world.rest()
        #expect(answers(world, 1) == [] && answers(world, 2) == [])
        press(&world, .tab)
        press(&world, .enter)
        #expect(answers(world, 1) == [])
        // The program below goes: the alert of the other one stays, and is answered.
        world.send(.viewWithdrawn(ModalID(1)))
        world.rest()
        if answers(world, 2) == [] {
            let choice = try #require(center(world, "modal/2/choice/1"))
            world.touch(down: choice)
            world.lift()
            world.rest()
        }
        #expect(answers(world, 1) == [] && answers(world, 2).count == 1 && answers(world, 2) != [.closed])
    }

    @Test(
        "The title of an alert gets the lines that it needs: East Asian characters are as wide as the font is high",
        arguments: [
            ("アップデートをインストールしますか？", 1), ("업데이트를 설치하시겠습니까?", 1), ("アップデートをインストールしてもよろしいですか？", 2),
            ("Install the update?", 1), ("Install the update of this tablet tonight?", 2), ("一\n二", 2),
        ])
    func linesOfATitle(title: String, lines: Int) {
        var world = CoreWorld()
        world.send(.viewAsked(ModalView(ModalID(1), .alert, over: nil, of: "app1", title: title, choices: Self.choices)))
        world.rest()
        let found = world.system.items(at: world.now).compactMap { item -> Int? in
            if case .art(.text(.verbatim(title), .headline, _, _, lines: let lines), size: let size) = item.kind {
                #expect(size.height == 20 * Double(lines))
                return lines
            }
            return nil
        }
        #expect(found == [lines])
    }

    @Test("M-05: a tap on a choice answers the program, and the window gets no finger meanwhile")
    func tap() throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        world.rest()
        #expect(world.system.interface.openNames.contains("alert"))
        #expect(!isTouched(one, world.touch(down: Point(100, 400))))
        world.lift()
        world.rest()
        #expect(answers(world) == [], "beside an alert that has to be answered a touch means nothing")
        world.tap(at: try #require(center(world, "modal/1/choice/0")))
        #expect(answers(world) == [.chose(0)])
        world.rest()
        #expect(!world.system.interface.openNames.contains("alert"))
        #expect(isTouched(one, world.touch(down: Point(100, 400))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("M-01: an action sheet goes by a touch beside it, which chooses what cancels")
    func beside() {
        var world = CoreWorld()
        world.open(1)
        ask(&world, 1, .actionSheet)
        world.rest()
        world.tap(at: Point(100, 200))
        #expect(answers(world) == [.chose(1)])
        ask(&world, 2, .actionSheet, [.init("Left"), .init("Right")])
        world.rest()
        world.tap(at: Point(100, 200))
        #expect(answers(world, 2) == [.dismissed])
        #expect(world.finish() == [])
    }

    private func ask(_ world: inout CoreWorld, _ number: UInt32, _ kind: ModalKind, _ choices: [ModalView.Choice]) {
        ask(&world, number, kind, over: one, choices)
    }

    @Test("Keys: the view has the keyboard; Return, Escape, Tab and the arrows do what they say")
    func keys() {
        var world = CoreWorld()
        world.open(1)
        ask(&world, 1, .alert, [.init("Send", .preferred), .init("Wait"), .init("Cancel", .cancel)])
        #expect(world.system.keyboard == .shell)
        press(&world, .enter)
        #expect(answers(world) == [.chose(0)])
        #expect(world.system.keyboard == .window(one))
        ask(&world, 2, .alert, [.init("Send", .preferred), .init("Wait"), .init("Cancel", .cancel)])
        press(&world, .escape)
        #expect(answers(world, 2) == [.chose(2)])
        ask(&world, 3, .alert, [.init("Send", .preferred), .init("Wait"), .init("Cancel", .cancel)])
        world.rest()
        press(&world, .tab)
        press(&world, .tab)
        press(&world, .enter)
        #expect(answers(world, 3) == [.chose(1)])
        ask(&world, 4, .alert, [.init("Left"), .init("Right")])
        press(&world, .escape)
        press(&world, .enter)
        #expect(answers(world, 4) == [], "it has to be answered, and nothing is proposed")
        world.act(.chooseView(4, 1))
        #expect(answers(world, 4) == [.chose(1)])
        #expect(world.finish() == [])
    }

    @Test("A view goes with its window out of sight, and comes back with it; it ends when the window closes")
    func withItsWindow() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.act(.focus(window: one))
        ask(&world)
        world.rest()
        world.act(.focus(window: two))
        world.rest()
        #expect(center(world, "modal/1/choice/0") == nil)
        #expect(world.system.keyboard == .window(two))
        #expect(isTouched(two, world.touch(down: Point(590, 410))))
        world.lift()
        world.act(.home)
        world.rest()
        #expect(center(world, "modal/1/choice/0") == nil)
        world.act(.focus(window: one))
        world.rest()
        #expect(center(world, "modal/1/choice/0") != nil)
        world.destroy(one)
        #expect(answers(world) == [.closed])
        #expect(world.finish() == [])
    }

    @Test("Beside a window with an alert, the other window of a Split View goes on")
    func besides() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .splitView(.right))
        ask(&world)
        world.rest()
        #expect(isTouched(two, world.touch(down: world.frame(two)!.center)))
        world.lift()
        let alert = center(world, "modal/1")
        #expect(abs(alert!.x - world.frame(one)!.center.x) < 1)
        #expect(world.finish() == [])
    }

    @Test("A view over the screen covers everything, also without a window")
    func overTheScreen() {
        var world = CoreWorld()
        ask(&world, 1, .alert, over: nil)
        world.rest()
        #expect(world.system.keyboard == .shell)
        #expect(center(world, "home/empty") == nil, "nothing behind it can be operated")
        press(&world, .escape)
        #expect(answers(world) == [.chose(1)])
        #expect(world.finish() == [])
    }

    @Test("M-01: home, control centre and app switcher work whatever programs ask over the screen; the questions come back with the apps")
    func homeInSpiteOfAlerts() throws {
        var world = CoreWorld()
        world.open(1)
        for number: UInt32 in 1...8 { ask(&world, number, .alert, over: nil) }
        world.rest()
        #expect(world.system.keyboard == .shell && answers(world, 3) != [] && answers(world, 2) == [])
        world.act(.controlCentre)
        world.rest()
        #expect(world.system.interface.openNames.contains("control-centre") && center(world, "modal/1/choice/0") == nil)
        world.act(.dismiss)
        world.act(.home)
        world.rest()
        #expect(world.workspace.isHome && !world.system.interface.openNames.contains("alert"))
        #expect(center(world, "home/empty") != nil && world.system.controls(at: world.now).allSatisfy { $0.id.area != .modal })
        // Another program may still ask there, and home works again.
        world.send(.viewAsked(ModalView(ModalID(20), .alert, over: nil, of: "other", title: "Update?", choices: Self.choices)))
        world.rest()
        #expect(center(world, "modal/20/choice/0") != nil)
        world.act(.home)
        world.rest()
        #expect(world.workspace.isHome && center(world, "modal/20/choice/0") == nil && answers(world) == [] && answers(world, 20) == [])
        world.act(.focus(window: one))
        world.rest()
        #expect(center(world, "modal/1/choice/0") != nil)
        world.tap(at: try #require(center(world, "modal/1/choice/0")))
        world.rest()
        #expect(answers(world) == [.chose(0)] && center(world, "modal/20/choice/0") != nil, "programs take turns")
        #expect(world.finish() == [])
    }

    @Test("M-01: the lock covers what programs ask over the screen, and they are asked when it is gone")
    func lockInSpiteOfAlerts() {
        var world = CoreWorld()
        world.open(1)
        ask(&world, 1, .alert, over: nil)
        world.rest()
        world.send(.lock(.asked(LockerID(1), isDark: true)))
        #expect(world.controls.isEmpty && world.system.isLocked)
        ask(&world, 2, .alert, over: nil)
        world.send(.lock(.unlocked(LockerID(1))))
        world.rest()
        #expect(center(world, "modal/1/choice/0") != nil && answers(world) == [] && answers(world, 2) == [])
        #expect(world.finish() == [])
    }

    @Test("M-01: without any app, home sends questions away and brings them back")
    func homeWithoutApps() {
        var world = CoreWorld()
        ask(&world, 1, .alert, over: nil)
        world.rest()
        world.act(.home)
        world.rest()
        #expect(center(world, "modal/1/choice/0") == nil && center(world, "home/empty") != nil)
        world.act(.home)
        world.rest()
        #expect(center(world, "modal/1/choice/0") != nil)
        #expect(world.finish() == [])
    }

    @Test("M-05: a view names who asks above a line that no word of the program crosses", arguments: [ModalKind.alert, .actionSheet])
    func asker(kind: ModalKind) throws {
        for (size, scale, isRightToLeft) in [(Size(1180, 820), 1.0, false), (Size(360, 720), 2.0, false), (Size(720, 360), 2.0, true)] {
            var world = CoreWorld(
                size: size, preferences: Preferences(appearance: Appearance(textScale: scale, isRightToLeft: isRightToLeft)))
            world.send(.appsChanged([App(id: "org.example.Painter", name: "Painter", icon: "painter", command: ["painter"])]))
            func show(_ asker: String) throws -> (name: ViewControl, words: [ViewControl]) {
                world.send(
                    .viewAsked(
                        ModalView(
                            ModalID(1), kind, over: nil, of: "x", title: String(repeating: "System Settings\n", count: 12),
                            message: String(repeating: "message ", count: 400),
                            choices: Self.choices, asker: asker)))
                world.rest()
                let all = world.controls.filter { $0.id.isPart(of: "modal/1") }
                let name = try #require(all.first { $0.id == "modal/1/asker" })
                world.act(.chooseView(1, 0))
                world.rest()
                return (
                    name,
                    all.filter { $0.id.rawValue.hasPrefix("modal/1/") && ![name.id, "modal/1/behind", "modal/1/text"].contains($0.id) }
                )
            }
            let known = try show("org.example.Painter"), unknown = try show(""), program = try show("backup")
            #expect(
                known.name.name == .verbatim("Painter") && unknown.name.name == .message(.someProgram)
                    && program.name.name == .verbatim("backup"))
            for view in [known, unknown, program] {
                #expect(!view.words.isEmpty && view.words.allSatisfy { $0.frame.minY >= view.name.frame.maxY }, "\(size)")
                #expect(view.name.frame.minY >= 0 && view.name.frame.height >= 14)
            }
            #expect(world.finish() == [])
        }
    }

    @Test("A program that takes its view back, or asks for one over a window that is gone")
    func lost() {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        world.send(.viewWithdrawn(ModalID(1)))
        world.rest()
        #expect(answers(world) == [])
        #expect(!world.system.interface.openNames.contains("alert"))
        ask(&world, 2, .alert, over: WindowID(77), [])
        #expect(answers(world, 2) == [.refused("window 77 is not there")])
        #expect(world.finish() == [])
    }

    @Test("The edges of the screen stay the shell's while an alert waits: a person can always leave (M-01)")
    func edges() {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        world.rest()
        world.drag(from: Point(590, 818), to: Point(590, 200), over: 150, resting: false)
        world.rest()
        #expect(world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test(
        "Every choice can be reached in every place, also with many choices and large text",
        arguments: [
            Size(1180, 820), Size(820, 1180), Size(390, 780), Size(780, 390), Size(320, 480),
        ])
    func fits(size: Size) {
        var world = CoreWorld(size: size)
        world.open(1)
        world.act(.textSize(1.5))
        ask(&world, 1, .actionSheet, (0..<12).map { .init("Choice number \($0)", $0 == 11 ? .cancel : .normal) })
        world.rest()
        let bounds = Rect(origin: .zero, size: size)
        for index in 0..<12 {
            let frame = world.system.controls(at: world.now).last { $0.id == ControlID(rawValue: "modal/1/choice/\(index)") }?.frame
            #expect(frame.map { bounds.contains($0, tolerance: 0.5) } ?? false, "\(index): \(String(describing: frame))")
        }
        #expect(world.finish() == [])
    }

    @Test("W-19: a person who chooses an app asks for its next window", arguments: [true, false])
    func opens(isChosen: Bool) throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world, 1, .actionSheet, [.init("Editor", opens: "app2"), .init("Cancel", .cancel)])
        world.rest()
        world.tap(at: try #require(center(world, isChosen ? "modal/1/choice/0" : "modal/1/choice/1")))
        world.wait(3000)
        // Another program starts the app, and hands it no token.
        world.create(2)
        world.map(2)
        world.rest()
        #expect(world.workspace.waiting.contains(WindowID(2)) != isChosen)
        #expect(world.workspace.focus == WindowID(isChosen ? 2 : 1))
        #expect(world.finish() == [])
    }

    @Test("Return on its way to an app grants no permission; a touch and a later key do", arguments: [true, false])
    func permission(isPermission: Bool) throws {
        var world = CoreWorld()
        world.open(1)
        var view = ModalView(
            ModalID(1), .alert, over: one, of: "app1", title: "Use the camera?",
            choices: [.init("Allow", .preferred), .init("No", .cancel)])
        view.isPermission = isPermission
        world.send(.viewAsked(view))
        world.wait(300)
        press(&world, .enter)
        #expect(answers(world) == (isPermission ? [] : [.chose(0)]))
        world.wait(600)
        press(&world, .enter)
        #expect(answers(world) == [.chose(0)])

        var touched = CoreWorld()
        touched.open(1)
        touched.send(.viewAsked(view))
        touched.wait(300)
        touched.tap(at: try #require(center(touched, "modal/1/choice/0")))
        #expect(answers(touched) == [.chose(0)])
    }

    /// How a question goes out of sight, and comes back.
    enum Cover: CaseIterable { case lock, home, switcher, otherSpace, panel, sleep, darkScreen, noScreen, menu }

    @Test("a question of permission takes Return only when a person has seen it for 0.6 s, whatever covered it", arguments: Cover.allCases)
    func covered(by cover: Cover) throws {
        var world = CoreWorld()
        var preferences = Preferences()
        preferences.lock.onSleep = false
        world.send(.configured(preferences))
        let isOverScreen = cover != .home && cover != .otherSpace
        world.open(1)
        if cover == .otherSpace { world.open(2) }
        world.rest()
        let launcher = PanelFacts(layer: .top, anchors: [.top], size: Size(300, 200), zone: 0, keyboard: .always, isMapped: true)
        func hide() {
            switch cover {
            case .lock: world.lock()
            case .home: world.act(.home)
            case .switcher: world.act(.appSwitcher)
            case .otherSpace: world.act(.focus(window: WindowID(2)))
            case .panel: world.send(.panelChanged(PanelID(5), launcher))
            case .sleep: world.send(.power(.sleeps))
            case .darkScreen: world.send(.screenLit(false))
            case .noScreen: world.send(.screenRemoved)
            case .menu: world.act(.controlCentre)
            }
            world.wait(3000)
        }
        func show() {
            switch cover {
            case .lock: world.unlock()
            case .home: world.act(.focus(window: one))
            case .switcher: world.act(.dismiss)
            case .otherSpace: world.act(.focus(window: one))
            case .panel: world.send(.panelGone(PanelID(5)))
            case .sleep: world.send(.power(.woke))
            case .darkScreen: world.send(.screenLit(true))
            case .noScreen: world.send(.screenChanged(Screen(size: Size(1180, 820))))
            case .menu: world.act(.controlCentre)
            }
        }
        if cover == .otherSpace { world.act(.focus(window: one)) }
        func asked(_ raw: UInt32) -> ModalView {
            var view = ModalView(
                ModalID(raw), .alert, over: isOverScreen ? nil : one, of: "app1", title: "Use the camera?",
                choices: [.init("Allow", .preferred), .init("No", .cancel)])
            view.isPermission = true
            return view
        }
        // It comes while it is covered, or is covered after a person has seen it.
        for (raw, isCoveredFirst) in [(UInt32(1), true), (2, false)] {
            if isCoveredFirst { hide() }
            world.send(.viewAsked(asked(raw)))
            world.wait(3000)
            if !isCoveredFirst { hide() }
            show()
            world.wait(300)
            press(&world, .enter)
            #expect(answers(world, raw).isEmpty, "after 0.3 s")
            press(&world, .tab)
            press(&world, .enter)
            #expect(answers(world, raw).isEmpty, "nor with the keyboard on a button")
            world.wait(400)
            press(&world, .enter)
            #expect(answers(world, raw).count == 1, "after 0.7 s")
            world.rest()
        }
        #expect(world.problems == [])
    }

    @Test("M-14: nothing of a view stays on the screen when it has gone, not even its shadow", arguments: [ModalKind.alert, .actionSheet])
    func gone(kind: ModalKind) {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        let before = world.system.items(at: world.now)
        ask(&world, 1, kind)
        world.rest()
        #expect(world.system.items(at: world.now) != before)
        press(&world, .escape)
        // Nothing happens from here on: frames are drawn until nothing moves.
        let later = world.now + 5
        #expect(!world.system.isMoving(at: later))
        #expect(world.system.items(at: later) == before)
    }
}
