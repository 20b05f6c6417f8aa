import Geometry
import Modality
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// What apps say of their windows: style, role, unsaved work (W-12 to W-17, M-03, M-10, W-23).
@Suite("What apps say of their windows") struct PresentationTests {
    private func hints(_ change: (inout WindowHints) -> Void) -> WindowHints {
        var hints = WindowHints()
        change(&hints)
        return hints
    }

    /// A window of an app, and a second one of the same app that says something of itself.
    private func pair(_ hints: WindowHints?) -> CoreWorld {
        var world = CoreWorld(preferences: Preferences(newWindows: .always))
        world.open(1, WindowFacts(appID: "app1", client: 1))
        world.create(2, WindowFacts(appID: "app1", client: 1, hints: hints))
        world.map(2)
        world.rest()
        return world
    }

    private func answers(_ world: CoreWorld, _ window: WindowID) -> [WindowHints.UnsavedChoice] {
        world.effects.compactMap { if case .client(.unsavedAnswered(window, let choice)) = $0 { choice } else { nil } }
    }

    private func closes(_ world: CoreWorld, _ window: WindowID) -> Int { world.effects.count { $0 == .client(.close(window)) } }

    @Test("W-16: the automatic style follows the occasion", arguments: WindowHints.Occasion.allCases)
    func automatic(occasion: WindowHints.Occasion) {
        let world = pair(
            hints {
                $0.style = .automatic
                $0.occasion = occasion
            })
        switch occasion {
        case .item, .gesture: #expect(world.place(two) == .dialog(of: one))
        case .unknown, .version: #expect(world.place(one).map { if case .split = $0 { true } else { false } } ?? false)
        }
    }

    @Test("W-14: a prominent window stands over the one that it came from, which is dimmed and gets nothing")
    func prominent() {
        var world = pair(hints { $0.style = .prominent })
        #expect(world.place(two) == .dialog(of: one))
        #expect(world.workspace.blocker(of: one) == two)
        #expect(world.workspace.focus == two)
        // The client names it anew: it stays where it is.
        world.rename(two, WindowFacts(appID: "app1", title: "Another", client: 1, hints: hints { $0.style = .prominent }))
        #expect(world.place(two) == .dialog(of: one))
        #expect(world.finish() == [])
    }

    @Test("W-17: a prominent window goes anywhere when a person moves it, and is one of its own then")
    func moved() {
        var world = pair(hints { $0.style = .prominent })
        let grip = Stage.gripPill(of: world.frame(two)!, isSheet: true, world.workspace).center
        world.touch(down: grip)
        world.slide(to: grip + Vector(-200, -60))
        world.slide(to: Point(4, 400))
        world.wait(200)
        world.lift()
        world.rest()
        #expect(
            world.place(two).map { if case .split(_, .left) = $0 { true } else { false } } ?? false,
            "\(String(describing: world.place(two)))")
        #expect(world.workspace.blocker(of: one) == nil)
        world.rename(two, WindowFacts(appID: "app1", title: "Another", client: 1, hints: hints { $0.style = .prominent }))
        #expect(world.place(two) != .dialog(of: one))
        #expect(world.finish() == [])
    }

    @Test("W-15: a standard window stands beside its peer; without room, or without a peer, it opens like any other")
    func standard() {
        let world = pair(hints { $0.style = .standard })
        #expect(world.place(two).map { if case .split(_, .right) = $0 { true } else { false } } ?? false)
        #expect(world.place(one).map { if case .split(_, .left) = $0 { true } else { false } } ?? false)

        var alone = CoreWorld(preferences: Preferences(newWindows: .always))
        alone.open(1, WindowFacts(appID: "app1", client: 1))
        alone.create(2, WindowFacts(appID: "other", client: 2, hints: hints { $0.style = .prominent }))
        alone.map(2)
        #expect(alone.place(two).map { if case .full = $0 { true } else { false } } ?? false)
        #expect(alone.finish() == [])
    }

    @Test("W-19: what an app says of its windows does not make them appear by themselves")
    func unasked() {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "app1", client: 1))
        world.wait(10_000)
        for style in WindowHints.Style.allCases {
            world.create(2, WindowFacts(appID: "app1", client: 1, hints: hints { $0.style = style }))
            world.map(2)
            #expect(world.place(two) == .waiting)
            world.destroy(two)
        }
        #expect(world.finish() == [])
    }

    @Test("M-03: where its content is at its top, a swipe down anywhere on a sheet pulls it away; elsewhere the app gets it")
    func atTop() {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true, hints: hints { $0.isAtTop = true }))
        world.map(4)
        world.rest()
        let place = world.frame(four)!
        // A tap, and a drag in another direction, are the app's.
        world.tap(at: place.center)
        #expect(world.effects.contains { if case .client(.touchUp) = $0 { true } else { false } })
        world.touch(down: place.center)
        world.slide(to: place.center + Vector(80, 10))
        #expect(world.frame(four)! == place)
        world.lift()
        world.touch(down: place.center)
        let moved = world.touch(to: place.center + Vector(0, 30))
        #expect(moved.contains(.client(.touchCancel)))
        world.slide(to: place.center + Vector(0, 330))
        #expect(world.frame(four)!.minY > place.minY + 200)
        world.lift()
        world.wait(260)
        #expect(closes(world, four) == 1)
        world.wait(600)
        world.rest()

        world.rename(four, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true, hints: hints { $0.isAtTop = false }))
        world.touch(down: place.center)
        world.slide(to: place.center + Vector(0, 330))
        #expect(world.frame(four)! == place)
        world.lift()
        #expect(world.finish() == [])
    }

    // MARK: Unsaved work

    private static let unsaved = WindowHints.Unsaved(title: "Save “Letter”?", discard: "Discard", save: "Save", cancel: "Keep Editing")

    private func choose(_ choice: Int, _ world: inout CoreWorld) {
        let control = world.system.controls(at: world.now).last { $0.id.rawValue.hasSuffix("choice/\(choice)") }
        world.tap(at: control!.frame.center)
    }

    private enum Way: String, CaseIterable, Sendable {
        case action, swipe, switcher, taskbar, space
    }

    @Test("M-10: whichever way a window with unsaved work is closed, a person is asked first", arguments: [0, 1, 2])
    func unsavedWindow(choice: Int) {
        for way in [Way.action, .switcher, .taskbar, .space] {
            var world = CoreWorld()
            world.open(1, WindowFacts(appID: "app1", client: 1, hints: hints { $0.unsaved = Self.unsaved }))
            world.open(2)
            switch way {
            case .action, .swipe: world.act(.close(window: one))
            case .taskbar: world.send(.windowAsked(one, .close))
            case .space, .switcher:
                world.act(.appSwitcher)
                guard case .full(let space) = world.place(one) else {
                    Issue.record("it has no space")
                    return
                }
                world.act(.closeSpace(space))
            }
            world.rest()
            #expect(closes(world, one) == 0, "\(way)")
            #expect(world.workspace.isShown(one) && !world.system.interface.isOverviewOpen, "the question is seen: \(way)")
            choose(choice, &world)
            #expect(answers(world, one) == [[.discard, .save, .cancel][choice]], "\(way)")
            #expect(closes(world, one) == (choice == 0 ? 1 : 0))
            #expect(world.finish() == [])
        }
    }

    @Test("M-10: the same for a sheet, which stays until the person knows what is lost")
    func unsavedSheet() {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true, hints: hints { $0.unsaved = Self.unsaved }))
        world.map(4)
        world.rest()
        let place = world.frame(four)!, grip = Stage.gripPill(of: place, isSheet: true, world.workspace).center
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 320))
        world.lift()
        world.rest()
        #expect(world.frame(four)! == place, "it sprang back")
        #expect(closes(world, four) == 0)
        choose(2, &world)
        #expect(answers(world, four) == [.cancel])
        world.rest()
        world.act(.close(window: four))
        world.rest()
        choose(0, &world)
        world.wait(300)
        #expect(answers(world, four) == [.cancel, .discard])
        #expect(closes(world, four) == 1)
        #expect(world.finish() == [])
    }

    @Test("M-10: a question goes when nothing would be lost any more, and when its window goes; a second one is not asked")
    func questionGoes() {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "app1", client: 1, hints: hints { $0.unsaved = Self.unsaved }))
        world.act(.close(window: one))
        world.act(.close(window: one))
        world.rest()
        #expect(world.system.interface.openNames == ["action-sheet"])
        choose(2, &world)
        world.wait(30)
        world.act(.close(window: one))
        #expect(world.system.interface.openNames == ["action-sheet"], "asked again while the first question goes away")
        world.rest()
        #expect(world.system.controls(at: world.now).contains { $0.id.rawValue.hasSuffix("choice/2") })
        world.rename(one, WindowFacts(appID: "app1", client: 1))
        world.rest()
        #expect(world.system.interface.openNames == [])
        #expect(answers(world, one) == [.cancel])
        world.act(.close(window: one))
        #expect(closes(world, one) == 1)
        #expect(world.finish() == [])
    }

    @Test("W-13: a window that says it is auxiliary can only be closed")
    func auxiliary() {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "app1", client: 1, hints: hints { $0.role = .auxiliary }))
        world.act(.controls(window: one))
        world.rest()
        let controls = world.system.controls(at: world.now).filter { $0.id.rawValue.hasPrefix("controls/") && $0.press != nil }
        #expect(controls.map(\.id.rawValue) == ["controls/close"])
        #expect(world.finish() == [])
    }
}
