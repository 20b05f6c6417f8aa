import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Dialogs of apps as sheets, by touch (M-01 to M-03, M-08 to M-11, M-14).
@Suite("Sheets by touch") struct SheetTests {
    private func sheetWorld(isModal: Bool? = true) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: isModal))
        world.map(4)
        world.rest()
        return world
    }

    private func isTouched(_ window: WindowID, _ effects: [Effect]) -> Bool {
        effects.contains { if case .client(.touchDown(_, window, _)) = $0 { true } else { false } }
    }

    private func dimming(_ world: CoreWorld, of window: WindowID) -> Double? {
        world.system.items(at: world.now).first { $0.key.part == .dimming && $0.key.window == window }?.opacity
    }

    private func closes(_ world: CoreWorld, _ window: WindowID) -> Int { world.effects.count { $0 == .client(.close(window)) } }

    /// Its grip stands above it.
    private func grip(_ world: CoreWorld, _ id: WindowID) -> Point {
        Stage.gripPill(of: world.frame(id)!, isSheet: true, world.workspace).center
    }

    // MARK: What is behind

    @Test("M-02: what is behind a modal view is dimmed and gets no finger, and the view shows that it comes first")
    func behind() {
        var world = sheetWorld()
        let place = world.frame(four)!
        #expect(dimming(world, of: one) == 1)
        #expect(dimming(world, of: four) == nil)
        #expect(!isTouched(one, world.touch(down: Point(100, 400))))
        world.wait(60)
        #expect(world.frame(four)!.y < place.y, "it jumps")
        world.lift()
        world.rest()
        #expect(world.frame(four)! == place)
        #expect(isTouched(four, world.touch(down: place.center)))
        world.lift()
        world.destroy(four)
        world.rest()
        #expect(dimming(world, of: one) == nil)
        #expect(isTouched(one, world.touch(down: Point(100, 400))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("M-01, M-02: a modal sheet is drawn above a dialog of the same window that it keeps from getting input", arguments: [false, nil])
    func modalAboveModeless(isModal: Bool?) {
        var world = sheetWorld()
        world.create(5, WindowFacts(appID: "app1", client: 1, parent: one, isModal: isModal))
        world.map(5)
        world.rest()
        let keys = world.system.items(at: world.now).filter { $0.key.part == .window }.compactMap(\.key.window)
        #expect(keys.filter { $0 != one } == [WindowID(5), four])
        #expect(isTouched(four, world.touch(down: world.frame(four)!.center)))
        world.lift()
        #expect(world.workspace.focus == four)
        // What stands on the other one and is modal comes above both.
        world.create(6, WindowFacts(appID: "app1", client: 1, parent: WindowID(5), isModal: true))
        world.map(6)
        world.rest()
        #expect(isTouched(WindowID(6), world.touch(down: world.frame(WindowID(6))!.center)))
        world.lift()
        world.destroy(WindowID(6))
        world.destroy(four)
        world.rest()
        #expect(isTouched(WindowID(5), world.touch(down: world.frame(WindowID(5))!.center)))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("M-02: a sheet larger than the one below it leaves that one's upper edge visible")
    func largerOnSmaller() {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.setNatural(Size(300, 200), of: four)
        world.map(4)
        world.create(5, WindowFacts(appID: "app1", client: 1, parent: four, isModal: true))
        world.setNatural(Size(500, 400), of: WindowID(5))
        world.map(5)
        world.rest()
        #expect(world.frame(WindowID(5))!.minY == world.frame(four)!.minY + 12)
        #expect(world.finish() == [])
    }

    @Test("M-02: the pointer and the keys do not reach what is behind, either")
    func pointerBehind() {
        var world = sheetWorld()
        world.send(.pointerMotion(at: Point(100, 400)))
        let press = world.send(.pointerButton(0x110, pressed: true))
        #expect(!press.contains { if case .client(.pointerButton) = $0 { true } else { false } })
        world.send(.pointerButton(0x110, pressed: false))
        world.act(.focus(window: one))
        #expect(world.workspace.focus == four)
        #expect(world.finish() == [])
    }

    @Test("A dialog whose app does not call it modal leaves its window alone (W-13)")
    func modeless() {
        var world = sheetWorld(isModal: false)
        #expect(dimming(world, of: one) == nil)
        #expect(isTouched(one, world.touch(down: Point(100, 400))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("An app that cannot say whether its dialog is modal: its window is dimmed, and still gets its fingers")
    func unsaid() {
        var world = sheetWorld(isModal: nil)
        #expect(dimming(world, of: one) == 1)
        #expect(isTouched(one, world.touch(down: Point(100, 400))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("M-08: sheets on sheets are one line: the last one is answered first, and the edge of each stays visible")
    func stacked() {
        var world = sheetWorld()
        world.create(5, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.map(5)
        world.create(6, WindowFacts(appID: "app1", client: 1, parent: WindowID(5), isModal: true))
        world.map(6)
        world.rest()
        let (five, six) = (WindowID(5), WindowID(6))
        #expect(world.workspace.focus == six)
        for behind in [one, four, five] {
            #expect(world.workspace.blocker(of: behind) == six)
            #expect(dimming(world, of: behind) == 1)
        }
        #expect(world.frame(six)!.minY >= world.frame(five)!.minY + 12, "M-02")
        world.destroy(six)
        #expect(world.workspace.blocker(of: four) == five)
        #expect(world.finish() == [])
    }

    @Test("A modal view keeps only its own window's line: the window beside it goes on")
    func besides() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .splitView(.right))
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.map(4)
        world.rest()
        #expect(isTouched(two, world.touch(down: world.frame(two)!.center)))
        world.lift()
        #expect(dimming(world, of: two) == nil)
        #expect(world.finish() == [])
    }

    // MARK: Away

    @Test("M-03: a swipe down from its grip closes a sheet: it slides away, then its app is asked")
    func swipe() {
        var world = sheetWorld()
        let grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(10, 220))
        #expect(world.frame(four)!.minY > 400, "it follows the finger")
        #expect(dimming(world, of: one)! < 1, "and what is behind gets brighter")
        #expect(closes(world, four) == 0)
        world.lift()
        world.wait(240)
        #expect(closes(world, four) == 0, "it is on its way")
        world.wait(20)
        #expect(closes(world, four) == 1)
        world.unmap(four)
        world.rest()
        #expect(isTouched(one, world.touch(down: Point(100, 400))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("M-08: a sheet springs back from the finger when its app opens a dialog on it, and is not dismissed")
    func aDialogComesDuringADrag() {
        var world = sheetWorld()
        let place = world.frame(four)!, grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 220))
        #expect(world.frame(four)!.minY > place.minY + 200, "it follows the finger")
        world.create(5, WindowFacts(appID: "app1", client: 1, parent: four, isModal: true))
        world.map(5)
        world.rest()
        #expect(world.frame(four)!.minY == place.minY, "it is back under its dialog")
        world.slide(to: grip + Vector(0, 400))
        world.lift()
        world.rest()
        #expect(world.frame(four)!.minY == place.minY && closes(world, four) == 0)
        #expect(world.finish() == [])
    }

    @Test("M-03: a sheet as tall as the screen goes by a swipe down from the top; beside its grip the edge is the shell's")
    func tall() {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.setNatural(Size(2000, 2000), of: four)
        world.map(4)
        world.rest()
        let grip = grip(world, four)
        #expect(grip.y < world.workspace.idiom.edge, "the test is about a grip at the edge")
        world.touch(down: Point(60, grip.y))
        world.slide(to: Point(60, grip.y + 300))
        world.lift()
        world.rest()
        #expect(world.system.interface.openNames == ["notifications"])
        world.act(.dismiss)
        world.rest()

        world.touch(down: grip)
        world.slide(to: grip + Vector(4, 300))
        world.lift()
        #expect(world.system.interface.openNames == [])
        world.wait(260)
        #expect(closes(world, four) == 1)
        #expect(world.finish() == [])
    }

    @Test("M-03: the same in a Split View, where the sheet is drawn smaller than it is", arguments: [Side.left, .right])
    func tallInHalf(side: Side) {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .splitView(side == .left ? .right : .left))
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.setMinimum(Size(760, 1037), of: four)
        world.setNatural(Size(760, 1037), of: four)
        world.map(4)
        world.act(.focus(window: one))
        world.rest()
        let grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(4, 300))
        world.lift()
        #expect(world.system.interface.openNames == [])
        world.wait(260)
        #expect(closes(world, four) == 1)
        #expect(world.finish() == [])
    }

    @Test("M-10: a sheet that its app keeps comes back after half a second", arguments: [false, true])
    func kept(isReduced: Bool) {
        var world = sheetWorld()
        if isReduced { world.act(.reducedMotion(true)) }
        let place = world.frame(four)!, grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 300))
        world.lift()
        world.wait(740)
        if !isReduced { #expect(world.frame(four)!.minY > 820, "out of sight") }
        world.wait(20)
        world.rest()
        #expect(closes(world, four) == 1)
        #expect(world.frame(four)! == place)
        #expect(isTouched(four, world.touch(down: place.center)))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("M-10: a question of the app's own brings the sheet back at once, and is seen")
    func question() {
        var world = sheetWorld()
        let place = world.frame(four)!, grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 300))
        world.lift()
        world.wait(300)
        world.create(5, WindowFacts(appID: "app1", client: 1, parent: four, isModal: true))
        world.map(5)
        world.rest()
        #expect(world.frame(four)! == place)
        #expect(world.workspace.focus == WindowID(5))
        #expect(world.frame(WindowID(5))!.intersects(Rect(0, 0, 1180, 820)))
        #expect(world.finish() == [])
    }

    @Test("M-03: a short pull, a finger that turns back, and one that is taken away leave the sheet where it is")
    func notEnough() {
        var world = sheetWorld()
        let place = world.frame(four)!, grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 40), over: 800)
        world.wait(200)
        world.lift()
        world.rest()
        #expect(world.frame(four)! == place)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 300))
        world.slide(to: grip + Vector(0, 20), over: 400)
        world.lift()
        world.rest()
        #expect(world.frame(four)! == place)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 300))
        world.take()
        world.rest()
        #expect(world.frame(four)! == place)
        #expect(closes(world, four) == 0)
        #expect(world.finish() == [])
    }

    @Test("M-14: a sheet comes from below, and a finger catches it on its way")
    func entrance() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one, isModal: true))
        world.map(4)
        #expect(world.frame(four)!.minY >= 820)
        world.wait(120)
        let moving = world.frame(four)!
        #expect(moving.minY < 820 && moving.minY > 290)
        world.touch(down: grip(world, four))
        world.wait(200)
        #expect(world.frame(four)!.minY == moving.minY, "the finger holds it where it is")
        world.lift()
        world.rest()
        #expect(world.frame(four)!.center == Point(590, 410))
        #expect(world.finish() == [])
    }

    @Test("W-17: sideways from its grip, the finger takes the window that the sheet stands on")
    func sideways() {
        var world = sheetWorld()
        let grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(260, 30))
        #expect(world.frame(one)!.width < 1180)
        world.lift()
        world.rest()
        #expect(world.place(four) == .dialog(of: one))
        #expect(world.finish() == [])
    }

    @Test("M-08: a sheet cannot be pulled away below another one")
    func below() {
        var world = sheetWorld()
        world.create(5, WindowFacts(appID: "app1", client: 1, parent: four, isModal: true))
        world.setNatural(Size(200, 100), of: WindowID(5))
        world.map(5)
        world.rest()
        let grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 400))
        world.lift()
        world.wait(1000)
        #expect(closes(world, four) == 0)
        #expect(world.finish() == [])
    }

    @Test("A sheet whose window closes while it is on its way out stays open as a window of its own")
    func orphan() {
        var world = sheetWorld()
        let grip = grip(world, four)
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 300))
        world.lift()
        world.wait(100)
        world.destroy(one)
        world.wait(1000)
        world.rest()
        #expect(world.workspace.isShown(four))
        #expect(world.frame(four)!.intersects(Rect(0, 0, 1180, 820)))
        #expect(world.finish() == [])
    }

    @Test("M-10: only a person ends an app that does not answer, and the question goes with its window")
    func silent() {
        var world = sheetWorld()
        world.send(.windowSilent(four))
        world.rest()
        #expect(world.system.interface.openNames == ["unresponsive"])
        world.act(.dismiss)
        world.rest()
        #expect(world.system.interface.openNames == [])
        world.send(.windowSilent(one))
        world.act(.endApp(window: one))
        #expect(world.effects.contains { if case .life(.endByForce) = $0 { true } else { false } })
        #expect(world.system.interface.openNames == [])
        world.send(.windowSilent(one))
        world.destroy(one)
        world.rest()
        #expect(world.system.interface.openNames == [])
        #expect(world.finish() == [])
    }

    @Test("M-09, M-12: a sheet whose app draws no bar gets one with its title and a close control")
    func bar() throws {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", title: "Preferences", client: 1, parent: one, isModal: true, isBare: true))
        world.map(4)
        world.rest()
        let frame = world.frame(four)!, card = world.system.stage.sheetCard(of: four, frame, world.workspace)
        #expect(card.height == frame.height + 44)
        let items = world.system.items(at: world.now)
        #expect(items.contains { if case .art(.text(.verbatim("Preferences"), _, _, _, _), _) = $0.kind { true } else { false } })
        let close = try #require(world.system.controls(at: world.now).last { $0.id == "sheet/4/close" })
        #expect(card.contains(close.frame))
        world.tap(at: close.frame.center)
        world.wait(260)
        #expect(closes(world, four) == 1)
        world.wait(600)
        world.rest()
        // The bar is a grip, too.
        world.touch(down: Point(frame.minX + 40, frame.minY - 20))
        world.slide(to: Point(frame.minX + 40, frame.minY + 300))
        world.lift()
        world.wait(260)
        #expect(closes(world, four) == 2)
        #expect(world.finish() == [])
    }

    @Test("M-09: a bar fits in every place, however small", arguments: [Size(1180, 820), Size(390, 780), Size(780, 390)])
    func barFits(size: Size) {
        var world = CoreWorld(size: size)
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", title: "Preferences", client: 1, parent: one, isModal: true, isBare: true))
        world.setNatural(Size(2000, 2000), of: four)
        world.map(4)
        world.rest()
        let card = world.system.stage.sheetCard(of: four, world.frame(four)!, world.workspace)
        #expect(Rect(origin: .zero, size: size).contains(card, tolerance: 0.5), "\(card)")
        #expect(card.minY > 0, "M-02: the edge of the window behind stays visible")
        #expect(world.finish() == [])
    }

    @Test("M-02: above the on-screen keyboard a tall sheet is drawn smaller, and every part of it is in reach", arguments: [true, false])
    func aboveTheKeyboard(canShrink: Bool) {
        var world = CoreWorld()
        world.open(1)
        world.create(4, WindowFacts(appID: "app1", title: "Preferences", client: 1, parent: one, isModal: true, isBare: true))
        world.setNatural(Size(600, 700), of: four)
        if !canShrink { world.setMinimum(Size(600, 700), of: four) }
        world.map(4)
        world.rest()
        world.reserve(Insets(0, 0, 320, 0))
        world.rest()
        let card = world.system.stage.sheetCard(of: four, world.frame(four)!, world.workspace)
        #expect(Rect(0, 0, 1180, 500).contains(card, tolerance: 0.5), "\(card)")
        #expect(card.height > 400)
        world.reserve(.zero)
        world.rest()
        #expect(world.frame(four)!.size == Size(600, 700))
        #expect(world.finish() == [])
    }

    @Test("A hostile client's many sheets, on each other or beside each other, are one line, and go again", arguments: [false, true])
    func hundred(areNested: Bool) {
        var world = CoreWorld(keepsHistory: false)
        world.open(1)
        world.open(2)
        world.act(.focus(window: one))
        for raw in UInt32(10)..<40 {
            world.create(raw, WindowFacts(appID: "app1", client: 1, parent: areNested && raw > 10 ? WindowID(raw - 1) : one, isModal: true))
            world.map(raw)
        }
        world.rest()
        let last = WindowID(39)
        #expect(world.workspace.focus == last)
        #expect(world.workspace.blocker(of: one) == last)
        #expect(isTouched(last, world.touch(down: world.frame(last)!.center)))
        world.lift()
        // The person leaves, and the other app is as ever.
        world.act(.focus(window: two))
        world.rest()
        #expect(isTouched(two, world.touch(down: Point(300, 300))))
        world.lift()
        for raw in (UInt32(10)..<40).reversed() { world.destroy(WindowID(raw)) }
        world.act(.focus(window: one))
        world.rest()
        #expect(world.workspace.blocker(of: one) == nil)
        #expect(dimming(world, of: one) == nil)
        #expect(world.finish() == [])
    }
}
