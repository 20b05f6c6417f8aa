import Geometry
import Modality
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Views that ask a person to mark a part of the screen: a frame for a picture, or the place of a colour.
@Suite("Marks on the screen") struct MarkTests {
    private static let area = Rect(300, 200, 400, 300)

    private func ask(_ world: inout CoreWorld, _ mark: ModalMark = ModalMark(area), _ number: UInt32 = 1) {
        var view = ModalView(ModalID(number), .actionSheet, over: nil, of: "app1", title: "Drag over the Part")
        view.mark = mark
        view.choices = [.init("Take Picture", .preferred), .init("Cancel", .cancel)]
        world.send(.viewAsked(view))
        world.rest()
    }

    private func mark(_ world: CoreWorld, _ number: UInt32 = 1) -> Rect? {
        world.interface.modals.last { $0.isOpen && $0.content.id == ModalID(number) }?.content.mark?.frame
    }

    private func answers(_ world: CoreWorld) -> [ModalAnswer] {
        world.effects.compactMap { if case .viewAnswered(_, let answer) = $0 { answer } else { nil } }
    }

    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol, _ modifiers: Modifiers = []) {
        for pressed in [true, false] {
            world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: modifiers))
            world.wait(20)
        }
    }

    @Test("law 9: a finger spans the part, and the preferred choice answers with it")
    func byFinger() throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        world.drag(from: Point(200, 150), to: Point(500, 350))
        world.rest()
        #expect(mark(world) == Rect(200, 150, 300, 200))
        // Backwards, and past the edge of the screen.
        world.drag(from: Point(600, 300), to: Point(100, 100))
        world.rest()
        #expect(mark(world) == Rect(100, 100, 500, 200))
        // A tap spans nothing, and goes to no app.
        world.tap(at: Point(500, 300))
        world.rest()
        #expect(mark(world) == Rect(100, 100, 500, 200))
        #expect(!world.effects.contains { if case .client(.touchDown) = $0 { true } else { false } })
        let take = try #require(world.controls.last { $0.id == "modal/1/choice/0" })
        world.tap(at: take.frame.center)
        world.rest()
        #expect(answers(world) == [.marked(Rect(100, 100, 500, 200))] && !world.interface.modals.contains(where: \.isOpen))
    }

    @Test("law 9: arrow keys move the part, Shift makes it larger or smaller, Tab reaches the choices, Return takes it, Escape leaves it")
    func byKeys() {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        press(&world, .rightArrow)
        press(&world, .downArrow)
        #expect(mark(world) == Rect(316, 216, 400, 300))
        press(&world, .leftArrow, .shift)
        press(&world, .downArrow, .shift)
        #expect(mark(world) == Rect(316, 216, 384, 316))
        for _ in 0..<100 { press(&world, .leftArrow) }
        #expect(mark(world)?.x == 0)
        world.wait(700)
        press(&world, .enter)
        #expect(answers(world) == [.marked(Rect(0, 216, 384, 316))])
        ask(&world, ModalMark(Self.area), 2)
        press(&world, .escape)
        #expect(answers(world).last == .chose(1))
    }

    @Test("law 9: a script marks a part; one that is not on the screen, or a view without a mark, is refused")
    func byScript() {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        world.act(.markView(1, Rect(-50, 10, 100, 100)))
        #expect(mark(world) == Rect(0, 10, 50, 100))
        for frame in [Rect(-50, -50, 40, 40), Rect(0, 0, 1, 1), Rect(0, 0, .nan, 9), Rect(0, 0, -5, 9), Rect(1e300, 0, 5, 5)] {
            let effects = world.act(.markView(1, frame))
            #expect(effects.contains { if case .session(.refuse) = $0 { true } else { false } }, "\(frame)")
            #expect(mark(world) == Rect(0, 10, 50, 100))
        }
        #expect(world.act(.markView(7, Self.area)).contains { if case .session(.refuse) = $0 { true } else { false } })
        #expect(world.system.violations() == [])
    }

    @Test("a point follows the finger, the keys and a script, and stays on the screen")
    func point() throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world, ModalMark(at: Point(590, 410)))
        world.tap(at: Point(200, 100))
        world.rest()
        #expect(mark(world) == Rect(200, 100, 0, 0))
        press(&world, .rightArrow)
        press(&world, .upArrow, .shift)
        #expect(mark(world) == Rect(216, 36, 0, 0))
        for _ in 0..<100 { press(&world, .rightArrow, .shift) }
        let screen = try #require(world.workspace.screen?.size)
        #expect(mark(world) == Rect(screen.width - 1, 36, 0, 0))
        world.act(.markView(1, Rect(screen.width, 0, 0, 0)))
        #expect(mark(world) == Rect(screen.width - 1, 36, 0, 0))
        world.wait(700)
        press(&world, .enter)
        #expect(answers(world) == [.marked(Rect(screen.width - 1, 36, 0, 0))])
    }

    @Test("the card with the words makes room for a mark at the bottom; pictures of the screen show no view of a program")
    func card() throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world)
        let below = try #require(world.controls.last { $0.id == "modal/1/choice/0" }).frame
        world.act(.markView(1, Rect(300, 600, 400, 220)))
        let above = try #require(world.controls.last { $0.id == "modal/1/choice/0" }).frame
        #expect(below.minY > 410 && above.maxY < 410)
        world.rest()
        func hasView(_ items: [Item]) -> Bool {
            items.contains { if case .art(.text(.verbatim("Drag over the Part"), _, _, _, _), _) = $0.kind { true } else { false } }
        }
        #expect(hasView(world.system.items(at: world.now)) && !hasView(world.system.itemsWithoutViews(at: world.now)))
    }

    @Test("whatever is marked lies on the screen", arguments: 0..<20)
    func anything(seed: Int) {
        var random = SystemRandomNumberGenerator()
        let screen = Rect(0, 0, 1180, 820)
        for isPoint in [false, true] {
            var mark = isPoint ? ModalMark(at: Point(1, 1)) : ModalMark(Self.area)
            for _ in 0..<200 {
                let way = Vector(Double.random(in: -900...900, using: &random), Double.random(in: -900...900, using: &random))
                let wanted = mark.stepped(way, resizes: Bool.random(using: &random), on: screen)
                mark = isPoint ? ModalMark(at: wanted.origin) : ModalMark(wanted)
                #expect(mark.frame.minX >= 0 && mark.frame.minY >= 0 && mark.frame.maxX <= 1180 && mark.frame.maxY <= 820, "\(mark)")
                #expect(isPoint || mark.frame.width >= ModalMark.least && mark.frame.height >= ModalMark.least, "\(mark)")
            }
        }
    }
}
