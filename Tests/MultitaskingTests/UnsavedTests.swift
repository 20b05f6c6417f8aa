import Geometry
import Glibc
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Nothing that a person made is thrown away without the question, whichever way a window goes (M-10).
@Suite("Unsaved work") struct UnsavedTests {
    private static let unsaved = WindowHints.Unsaved(title: "Save “Letter”?", discard: "Discard", save: "Save", cancel: "Keep Editing")

    private func facts(over parent: WindowID? = nil, isBare: Bool = false, _ presentation: WindowHints.Presentation? = nil) -> WindowFacts {
        var hints = WindowHints()
        hints.unsaved = Self.unsaved
        hints.isAtTop = true
        hints.presentation = presentation
        if presentation == .popover { hints.anchor = Rect(500, 300, 60, 30) }
        return WindowFacts(
            appID: "app1", title: "Letter", client: 1, parent: parent, isModal: parent == nil ? nil : true, isBare: isBare, hints: hints)
    }

    /// A window, and perhaps a sheet with unsaved work on it.
    private func world(sheet: WindowFacts?) -> CoreWorld {
        var world = CoreWorld()
        world.open(2)
        world.open(1, sheet == nil ? facts() : nil)
        if let sheet {
            world.create(4, sheet)
            world.map(4)
        }
        world.rest()
        return world
    }

    private func isAsked(_ world: CoreWorld) -> Bool { world.system.interface.openNames.contains("action-sheet") }

    /// Nobody was asked to close, and no session ended.
    private func isKept(_ world: CoreWorld) -> Bool {
        !world.effects.contains { effect in
            if case .client(.close) = effect { return true }
            if case .life(.endByForce) = effect { return true }
            return effect == .quit
        }
    }

    /// The person is asked, says no, and nothing has changed; is asked again, and says yes.
    private func expectQuestion(_ world: inout CoreWorld, of window: WindowID, _ what: String) {
        #expect(isKept(world), "\(what)")
        #expect(isAsked(world), "\(what)")
        guard isAsked(world) else { return }
        choose(2, &world)
        world.rest()
        #expect(isKept(world) && !isAsked(world) && world.workspace[window]?.isMapped == true, "\(what)")
        world.act(.close(window: window))
        world.rest()
        choose(0, &world)
        world.wait(400)
        #expect(world.effects.count { $0 == .client(.close(window)) } == 1, "\(what)")
        #expect(world.finish() == [], "\(what)")
    }

    private func choose(_ choice: Int, _ world: inout CoreWorld) {
        guard let button = world.system.controls(at: world.now).last(where: { $0.id.rawValue.hasSuffix("choice/\(choice)") }) else {
            Issue.record("there is no choice \(choice)")
            return
        }
        world.tap(at: button.frame.center)
    }

    @Test(
        "M-10: swipes on a sheet at every angle, slow and fast, short and long, thrown and resting: it is there afterwards, and each that sends it away asks first",
        arguments: [
            false, true,
        ])
    func swipes(isBare: Bool) throws {
        let start = world(sheet: facts(over: one, isBare: isBare)), step = TestSeed.isSlow ? 15 : 30
        var asked = 0
        for degrees in stride(from: 0, to: 360, by: step) {
            for (way, milliseconds, rests) in [
                (90.0, 50.0, false), (420, 90, false), (420, 900, true), (150, 900, true), (700, 400, false),
            ] {
                for onGrip in [true, false] {
                    var world = start
                    let place = world.frame(four)!, angle = Double(degrees) * .pi / 180
                    let from =
                        onGrip
                        ? try #require(world.system.controls(at: world.now).last { $0.id.rawValue == "dots/4" }).frame.center : place.center
                    world.drag(from: from, to: from + Vector(way * cos(angle), way * sin(angle)), over: milliseconds, resting: rests)
                    world.rest()
                    let what = "\(degrees)° \(way) in \(milliseconds) ms, grip: \(onGrip)"
                    #expect(world.workspace[four]?.isMapped == true && isKept(world), "\(what)")
                    if isAsked(world) {
                        asked += 1
                        if asked % 10 == 1 { expectQuestion(&world, of: four, what) } else { choose(2, &world) }
                    }
                    world.rest()
                    #expect(world.finish() == [], "\(what)")
                }
            }
        }
        // Those that go down far enough or fast enough.
        #expect(asked > 450 / step, "\(asked)")
    }

    @Test("M-10: cards of the app switcher, swiped at every angle: a window with unsaved work stays until the person has answered")
    func switcher() throws {
        var asked = 0
        for hasSheet in [false, true] {
            var start = world(sheet: hasSheet ? facts(over: one) : nil)
            start.act(.appSwitcher)
            start.rest()
            for degrees in stride(from: 0, to: 360, by: 15) {
                for (way, milliseconds) in [(300.0, 60.0), (300, 700)] {
                    var world = start
                    guard case .full(let space) = world.place(one) else { throw Refusal("it has no space") }
                    let card = try #require(world.system.controls(at: world.now).last { $0.id.rawValue == "switcher/space/\(space.raw)" })
                        .frame
                    let angle = Double(degrees) * .pi / 180
                    world.drag(
                        from: card.center, to: card.center + Vector(way * cos(angle), way * sin(angle)), over: milliseconds, resting: false)
                    world.rest()
                    let what = "\(degrees)° in \(milliseconds) ms, sheet: \(hasSheet)"
                    #expect(isKept(world), "\(what)")
                    if isAsked(world) {
                        asked += 1
                        #expect(world.workspace.isShown(one), "the person sees what it is about: \(what)")
                        choose(2, &world)
                    }
                    world.rest()
                    #expect(isKept(world) && world.finish() == [], "\(what)")
                }
            }
        }
        #expect(asked > 6, "\(asked)")
    }

    @Test("M-10: the Close control, a command, a taskbar, Escape on the question, a touch beside a popover, the window below and the space")
    func otherWays() throws {
        let ways: [(String, WindowFacts?, (inout CoreWorld) throws -> Void)] = [
            (
                "close control", facts(over: one, isBare: true),
                { world in
                    world.tap(
                        at: try #require(world.system.controls(at: world.now).last { $0.id.rawValue == "sheet/4/close" }).frame.center)
                }
            ),
            (
                "close control of a full screen", facts(over: one, isBare: true, .fullScreen),
                { world in
                    world.tap(
                        at: try #require(world.system.controls(at: world.now).last { $0.id.rawValue == "sheet/4/close" }).frame.center)
                }
            ),
            ("beside a popover", facts(over: one, .popover), { $0.tap(at: Point(80, 700)) }),
            ("a command", facts(over: one), { $0.act(.close(window: four)) }),
            ("a command on the window below", facts(over: one), { $0.act(.close(window: one)) }),
            ("a taskbar", facts(over: one), { $0.send(.windowAsked(four, .close)) }),
            ("a taskbar, the window below", facts(over: one), { $0.send(.windowAsked(one, .close)) }),
            (
                "all of its space", facts(over: one),
                { world in
                    guard case .full(let space) = world.place(one) else { throw Refusal("it has no space") }
                    world.act(.closeSpace(space))
                }
            ),
            ("a command, no sheet", nil, { $0.act(.close(window: one)) }),
            (
                "the multitasking controls", nil,
                { world in
                    world.act(.controls(window: one))
                    world.rest()
                    world.tap(
                        at: try #require(world.system.controls(at: world.now).last { $0.id.rawValue == "controls/close" }).frame.center)
                }
            ),
        ]
        for (what, sheet, way) in ways {
            var world = world(sheet: sheet)
            try way(&world)
            world.rest()
            #expect(isKept(world) && isAsked(world), "\(what)")
            // Escape, a touch beside the question and a swipe of its card all keep the work.
            for pressed in [true, false] { world.send(.key(code: 1, symbol: .escape, pressed: pressed, modifiers: [])) }
            world.rest()
            #expect(isKept(world) && !isAsked(world), "\(what), then Escape")
            world.act(.close(window: sheet == nil ? one : four))
            world.rest()
            world.tap(at: Point(60, 60))
            world.rest()
            #expect(isKept(world) && !isAsked(world), "\(what), then a touch beside it")
            world.act(.close(window: sheet == nil ? one : four))
            world.rest()
            let card = try #require(
                world.system.controls(at: world.now).last { $0.role == .panel && $0.id.area == .modal && $0.press == nil }
            ).frame
            world.drag(from: Point(card.center.x, card.minY + 8), to: Point(card.center.x, card.minY + 260), over: 120, resting: false)
            world.rest()
            #expect(isKept(world) && !isAsked(world), "\(what), then a swipe")
            try way(&world)
            world.rest()
            expectQuestion(&world, of: sheet == nil ? one : four, what)
        }
    }

    @Test(
        "M-10: the session does not end over unsaved work: its app is named, with its question; once it is saved the session ends",
        arguments: [true, false])
    func logOut(isSheet: Bool) {
        var world = world(sheet: isSheet ? facts(over: one) : nil)
        world.act(.quit)
        #expect(isKept(world))
        #expect(world.system.interface.openNames.contains("log-out"))
        let words = world.controls.filter { $0.id.area == .logOut }.map { "\($0.name)" }
        #expect(words.contains { $0.contains("Save “Letter”?") }, "\(words)")
        world.act(.dismiss)
        world.rest()
        #expect(isKept(world) && !world.system.interface.openNames.contains("log-out"))
        world.act(.quit)
        world.rest()
        #expect(isKept(world))
        world.rename(
            isSheet ? four : one,
            WindowFacts(appID: "app1", title: "Letter", client: 1, parent: isSheet ? one : nil, isModal: isSheet ? true : nil))
        world.rest()
        #expect(world.effects.contains(.close(one)) && !world.effects.contains(.quit), "nothing would be lost any more")
        for window in world.workspace.windows.keys.reversed() { world.destroy(window) }
        #expect(world.effects.contains(.quit))

        var second = self.world(sheet: facts(over: one))
        second.act(.quit)
        second.act(.quitAnyway)
        // Other apps may have work of which nobody spoke. This one is asked nothing more.
        let others = second.workspace.windows.keys.filter { ![one, four].contains($0) }
        #expect(!others.isEmpty && others.allSatisfy { second.effects.contains(.close($0)) } && !second.effects.contains(.close(one)))
        for window in others.reversed() { second.destroy(window) }
        second.wait(6000)
        #expect(second.effects.contains(.quit), "the person has read what is lost")
    }
}
