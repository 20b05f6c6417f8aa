import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// How modal windows of apps stand on their parents (M-04, M-06, M-11, M-15).
@Suite("Full screen, popovers and current context") struct ModalStyleTests {
    private func facts(
        _ presentation: WindowHints.Presentation?, over parent: WindowID = one, anchor: Rect? = Rect(500, 300, 60, 30),
        isBare: Bool = false,
        title: String = "Modal"
    ) -> WindowFacts {
        var hints = WindowHints()
        hints.presentation = presentation
        hints.anchor = anchor
        return WindowFacts(appID: "app1", title: title, client: 1, parent: parent, isBare: isBare, hints: hints)
    }

    private func modalWorld(_ facts: WindowFacts, _ prepare: (inout CoreWorld) -> Void = { _ in }) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        prepare(&world)
        world.create(4, facts)
        world.map(4)
        world.rest()
        return world
    }

    private func closes(_ world: CoreWorld, _ window: WindowID) -> Int { world.effects.count { $0 == .client(.close(window)) } }

    private func part(_ part: Item.Part, _ world: CoreWorld, of window: WindowID) -> Item? {
        world.system.items(at: world.now).first { $0.key.part == part && $0.key.window == window }
    }

    private func tell(_ world: inout CoreWorld, _ facts: WindowFacts, of id: WindowID) {
        world.rename(id, facts)
        world.rest()
    }

    // MARK: Full screen

    @Test("M-04: a full-screen modal covers its whole window and gets that size")
    func fullScreen() {
        var world = modalWorld(facts(.fullScreen))
        #expect(world.frame(four)! == world.frame(one)!)
        #expect(world.clients[four]!.told!.frame.size == world.frame(one)!.size)
        #expect(world.workspace.blocker(of: one) == four)
        #expect(world.finish() == [])
    }

    @Test("M-04: no swipe dismisses it; the close control of the shell does, if its app draws none (M-09)")
    func fullScreenButton() {
        var world = modalWorld(facts(.fullScreen, isBare: true))
        let frame = world.frame(four)!
        #expect(frame.minY == world.frame(one)!.minY + 44, "below its bar")
        for start in [Point(frame.center.x, frame.minY - 34), Point(frame.center.x + 200, frame.minY - 20), frame.center] {
            world.touch(down: start)
            world.slide(to: start + Vector(0, 500))
            world.lift()
            world.rest()
            #expect(closes(world, four) == 0, "from \(start)")
            #expect(world.frame(four)! == frame)
        }
        let close = world.system.controls(at: world.now).first { $0.id.rawValue == "sheet/4/close" }!
        world.tap(at: close.frame.center)
        world.wait(300)
        #expect(closes(world, four) == 1)
        #expect(world.finish() == [])
    }

    @Test("M-04: in a pane of Split View it covers that pane; with the divider it is resized")
    func fullScreenInPane() throws {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.act(.splitView(window: two, side: .right))
        world.create(4, facts(.fullScreen, over: one))
        world.map(4)
        world.rest()
        #expect(world.frame(four)! == world.frame(one)!)
        #expect(world.frame(one)!.width < 700)
        world.act(.divider(fraction: 0.66))
        world.rest()
        #expect(world.frame(four)! == world.frame(one)!)
        #expect(world.finish() == [])
    }

    @Test("A dialog whose minimum nearly fills its place covers it; a smaller one and one that is not modal are sheets")
    func bySize() {
        func presented(_ minimum: Size, isModal: Bool?) -> WindowHints.Presentation? {
            var world = CoreWorld()
            world.open(1)
            world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: isModal))
            world.setMinimum(minimum, of: four)
            world.map(4)
            world.rest()
            let found = world.workspace.presentation(of: four)
            #expect(world.finish() == [])
            return found
        }
        #expect(presented(Size(1120, 760), isModal: true) == .fullScreen)
        #expect(presented(Size(1120, 760), isModal: nil) == .fullScreen)
        #expect(presented(Size(1120, 760), isModal: false) == .sheet)
        #expect(presented(Size(1120, 400), isModal: true) == .sheet)
        #expect(presented(Size(3000, 3000), isModal: true) == .sheet, "too large even for its place: scaled, as every sheet")
    }

    // MARK: Popovers

    @Test("A popover stands at its anchor with an arrow to it, and dims nothing")
    func popover() {
        var world = modalWorld(facts(.popover))
        let frame = world.frame(four)!, over = world.frame(one)!
        let anchor = Rect(over.x + 500, over.y + 300, 60, 30)
        #expect(frame.minY == anchor.maxY + Workspace.popoverGap)
        #expect(abs(frame.center.x - anchor.center.x) <= 1)
        let arrow = part(.popoverArrow, world, of: four)
        #expect(
            arrow.map { abs($0.frame.center.x - anchor.center.x) <= 1 && $0.frame.minY >= anchor.maxY && $0.frame.maxY < frame.minY }
                == true)
        #expect(part(.dimming, world, of: one) == nil)
        #expect(!world.system.controls(at: world.now).contains { $0.id.rawValue == "dots/4" }, "it has no grip")
        #expect(world.finish() == [])
    }

    @Test("M-13: the rim and the arrow of a popover are as light or dark as what its app draws in it")
    func rimLook() {
        var world = modalWorld(facts(.popover))
        func look() -> [Paint?] {
            let rule = part(.popoverRule, world, of: four)
            #expect(rule.map { world.frame(four)!.contains($0.frame) && $0.opacity < 1.0 / 255 } == true, "nobody sees it")
            guard case .art(.arrow(_, let arrow), size: _)? = part(.popoverArrow, world, of: four)?.kind,
                case .fill(let rim)? = part(.card, world, of: four)?.kind,
                case .fill(let paint)? = rule?.kind
            else { return [] }
            return [rim, arrow, paint]
        }
        #expect(look() == [.card, .card, .separator])
        world.send(.barGround(four, brightness: 0.1))
        #expect(look() == [.cardOnDark, .cardOnDark, .separatorOnDark])
        world.send(.barGround(four, brightness: 0.9))
        world.wait(400)
        #expect(look() == [.cardOnLight, .cardOnLight, .separatorOnLight])
        #expect(world.finish() == [])
    }

    @Test("M-02: a popover that its app keeps open below a sheet is dimmed with its rim, and not measured")
    func dimmedPopover() {
        var world = modalWorld(facts(.popover))
        world.create(5, facts(.sheet))
        world.map(5)
        world.rest()
        let frame = world.frame(four)!, rim = -Stage.popoverRim
        #expect(part(.dimming, world, of: four)?.frame == frame.inset(by: rim))
        #expect(part(.popoverRule, world, of: four) == nil)
        #expect(world.finish() == [])
    }

    @Test("A touch elsewhere closes a popover, in its window or in another one, and does nothing else in its window")
    func touchElsewhere() {
        for point in [Point(100, 500), Point(900, 700)] {
            var world = modalWorld(facts(.popover, anchor: Rect(100, 100, 60, 30))) { world in
                world.open(2)
                world.act(.splitView(window: two, side: .right))
            }
            let touched = world.touch(down: point)
            #expect(touched.contains { if case .client(.touchDown(_, two, _)) = $0 { true } else { false } } == (point.x > 600))
            world.lift()
            world.wait(300)
            #expect(closes(world, four) == 1, "\(point)")
            world.destroy(four)
            world.rest()
            #expect(world.finish() == [])
        }
        var inside = modalWorld(facts(.popover))
        inside.tap(at: inside.frame(four)!.center)
        inside.wait(400)
        #expect(closes(inside, four) == 0)
        #expect(inside.finish() == [])
    }

    @Test("M-11: a touch beside forty popovers asks each of them, and everything settles once, not once for each")
    func manyPopovers() {
        var world = CoreWorld()
        world.open(1)
        for number in 10..<50 as Range<UInt32> {
            world.create(number, facts(.popover, anchor: Rect(Double(number) * 8, 100, 20, 20)))
            world.map(number)
            // The earlier ones are asked to close, and stay.
            world.wait(900)
        }
        world.rest()
        #expect(world.workspace.popovers(on: one).count == 40)
        let revision = world.system.revision
        world.tap(at: Point(80, 700))
        #expect(world.system.revision - revision < 70)
        world.wait(300)
        for number in 10..<50 as Range<UInt32> { #expect(closes(world, WindowID(number)) >= 1) }
        world.rest()
        #expect(world.finish() == [])
    }

    @Test("M-11: a sheet or a second popover closes the popover first; a window within the popover does not")
    func cardOverPopover() {
        for second in [WindowHints.Presentation.sheet, .fullScreen, .popover, .currentContext] {
            var world = modalWorld(facts(.popover))
            world.create(5, facts(second, over: second == .currentContext ? four : one, anchor: Rect(200, 200, 40, 40)))
            world.map(5)
            world.wait(300)
            #expect(closes(world, four) == (second == .currentContext ? 0 : 1), "\(second)")
            if second == .currentContext {
                world.rest()
                #expect(world.frame(WindowID(5))! == world.frame(four)!)
            }
            #expect(world.finish() == [])
        }
    }

    @Test(
        "M-06: in Slide Over a popover and a current-context window are sheets; with more room they are not",
        arguments: [WindowHints.Presentation.popover, .currentContext])
    func compact(presentation: WindowHints.Presentation) {
        var world = modalWorld(facts(presentation))
        #expect(world.workspace.presentation(of: four) == presentation)
        world.open(2)
        world.act(.slideOver(window: one))
        world.rest()
        #expect(world.workspace.presentation(of: four) == .sheet)
        #expect(abs(world.frame(four)!.maxY - world.frame(one)!.maxY) < 2, "at the bottom, where a finger reaches it")
        world.act(.fullScreen(window: one))
        world.rest()
        #expect(world.workspace.presentation(of: four) == presentation)
        #expect(world.finish() == [])
    }

    @Test("What becomes of each presentation in a compact place is a table", arguments: WindowHints.Presentation.allCases)
    func table(presentation: WindowHints.Presentation) {
        #expect(presentation.adapted(toCompact: false) == presentation)
        #expect(presentation.adapted(toCompact: true) == (presentation == .fullScreen ? .fullScreen : .sheet))
        #expect(presentation.isSwipedAway == (presentation == .sheet))
    }

    @Test("A popover without an anchor is a sheet; one that gets another anchor moves there")
    func anchors() {
        var world = modalWorld(facts(.popover, anchor: nil))
        #expect(world.workspace.presentation(of: four) == .sheet)
        tell(&world, facts(.popover, anchor: Rect(200, 100, 20, 20)), of: four)
        let first = world.frame(four)!
        tell(&world, facts(.popover, anchor: Rect(700, 500, 20, 20)), of: four)
        #expect(world.frame(four)!.x > first.x + 300)
        #expect(world.finish() == [])
    }

    @Test("A popover lies beside its anchor wherever that is, and never leaves its window", arguments: 0..<9)
    func everywhere(place: Int) {
        let room = Rect(0, 0, 1180, 820), size = Size(320, 240)
        let anchor = Rect(Double(place % 3) * 560, Double(place / 3) * 390, 60, 40)
        let (frame, arrow) = Workspace.popover(size, at: anchor, in: room)
        #expect(room.contains(frame) && frame.size == size && !frame.intersects(anchor))
        #expect(arrow != nil)
        // An anchor that fills the window leaves no room beside it.
        let (over, none) = Workspace.popover(size, at: room, in: room)
        #expect(room.contains(over) && none == nil)
    }

    @Test("A popover that its app keeps comes back, and one with unsaved work asks first (M-10)")
    func kept() {
        var world = modalWorld(facts(.popover))
        let place = world.frame(four)!
        world.tap(at: Point(100, 500))
        world.wait(150)
        #expect((part(.window, world, of: four)?.opacity ?? 0) < 0.6, "it fades where it is")
        #expect(abs(world.frame(four)!.y - place.y) < 1)
        world.wait(800)
        world.rest()
        #expect(part(.window, world, of: four)?.opacity == 1)

        var unsaved = facts(.popover)
        unsaved.hints!.unsaved = .init(title: "Save?", discard: "Discard", cancel: "Cancel")
        tell(&world, unsaved, of: four)
        world.tap(at: Point(100, 500))
        world.rest()
        #expect(world.system.interface.openNames == ["action-sheet"])
        #expect(world.finish() == [])
    }

    // MARK: What does not fit

    @Test("M-15: a report names what does not fit in how an app presents a modal window")
    func notes() {
        func notes(_ facts: WindowFacts, minimum: Size = .zero, natural: Size? = nil, asksForScreen: Bool = false) -> [WindowNote] {
            var world = CoreWorld()
            world.open(1)
            world.create(4, facts)
            world.setMinimum(minimum, of: four)
            if let natural { world.setNatural(natural, of: four) }
            world.map(4)
            world.rest()
            if let natural { world.commit(four) { $0.size = natural } }
            if asksForScreen { world.commit(four) { $0.wantsFullscreen = true } }
            return world.system.notes(of: four)
        }
        #expect(notes(facts(.sheet)) == [])
        #expect(notes(facts(.fullScreen)) == [])
        #expect(notes(facts(.fullScreen), natural: Size(400, 300)) == [.smallFullScreen])
        #expect(notes(facts(.sheet), minimum: Size(1500, 300)) == [.largeSheet])
        #expect(notes(facts(.sheet), asksForScreen: true) == [.immersiveSheet])
        #expect(notes(facts(.popover, anchor: nil)) == [.popoverWithoutAnchor])
        #expect(notes(facts(.popover)) == [])
        #expect(notes(facts(.sheet, title: "")) == [.untitled])
        // A prominent window shows an item, and may be anything.
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "app1", title: "List", client: 1))
        var hints = WindowHints()
        hints.style = .prominent
        world.open(4, WindowFacts(appID: "app1", title: "Item", client: 1, hints: hints))
        world.commit(four) { $0.wantsFullscreen = true }
        #expect(world.place(four) == .dialog(of: one) && world.system.notes(of: four) == [])
        #expect(world.finish() == [])
    }

    @Test("M-13: the bar of a sheet is as light or dark as what its app draws below it, whatever the shell's own look is")
    func barLook() {
        var world = modalWorld(facts(.sheet, isBare: true))
        func look() -> [Item.Kind?] { [Item.Part.card, .sheetRule].map { part($0, world, of: four)?.kind } }
        #expect(look() == [.fill(.card), .fill(.separator)])
        world.send(.barGround(four, brightness: 0.1))
        #expect(look() == [.fill(.cardOnDark), .fill(.separatorOnDark)])
        guard case .art(.text(_, _, let tone, _, lines: _), size: _)? = part(.sheetTitle, world, of: four)?.kind else {
            return #expect(Bool(false))
        }
        #expect(tone == .onDark)
        // Not at once: a film that flickers changes nothing.
        world.send(.barGround(four, brightness: 0.9))
        world.wait(50)
        world.send(.barGround(four, brightness: 0.1))
        world.rest()
        #expect(look() == [.fill(.cardOnDark), .fill(.separatorOnDark)])
        world.send(.barGround(four, brightness: 0.9))
        world.wait(400)
        #expect(look() == [.fill(.cardOnLight), .fill(.separatorOnLight)])
        // Below a dialog of its own it is dimmed, which says nothing of its app.
        world.create(5, facts(.sheet, over: four))
        world.map(5)
        world.rest()
        #expect(part(.sheetRule, world, of: four) == nil && part(.dimmedSheetRule, world, of: four)?.kind == .fill(.separatorOnLight))
        #expect(world.finish() == [])
    }
}
