import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("W-04: the divider")
struct DividerTests {
    private func fraction(_ world: CoreWorld) -> Double? { world.workspace.currentSpace?.split?.fraction }

    @Test("by touch it rests at a third, a half or two thirds", arguments: [400.0: 2, 480: 2, 500: 3, 680: 3, 700: 4, 900: 4])
    func snaps(x: Double, sixths: Double) {
        let expected = sixths / 6
        var world = splitWorld()
        world.drag(from: world.spot(.divider), to: Point(x, 410))
        #expect(fraction(world) == expected)
        #expect(world.finish() == [])
    }

    @Test("dragged to an edge it leaves the other window alone", arguments: [(150.0, two), (1050.0, one)])
    func edges(x: Double, left: WindowID) {
        var world = splitWorld()
        world.drag(from: world.spot(.divider), to: Point(x, 410))
        isFull(world, left)
        #expect(world.workspace.spaces.count == 2, "the other one stays open")
        #expect(world.finish() == [])
    }

    @Test("thrown, it carries on: to the next resting place, or to the edge")
    func velocity() {
        var world = splitWorld()
        world.touch(down: world.spot(.divider))
        world.slide(to: Point(650, 410), over: 100)
        world.lift()
        #expect(fraction(world) == 2.0 / 3)
        world.rest()
        world.touch(down: world.spot(.divider))
        world.slide(to: Point(940, 410), over: 80)
        world.lift()
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("a finger may miss it by 20 points; a pointer may not")
    func target() {
        for offset in [-20.0, 20.0] {
            var world = splitWorld()
            let middle = world.spot(.divider)
            world.drag(from: Point(middle.x + offset, 410), to: Point(400 + offset, 412))
            #expect(fraction(world) == 1.0 / 3)
            #expect(world.finish() == [])
        }
        var world = splitWorld()
        let effects = world.send(.pointerMotion(at: Point(570, 410)))
        #expect(effects.contains { if case .client(.pointerOnWindow(one, _)) = $0 { true } else { false } })
        #expect(world.send(.pointerMotion(at: Point(590, 410))) == [.pointerOnShell(.resizeHorizontally)])
    }

    @Test("close to it a tap is the app's; a drag along it is the app's too")
    func tapsNearby() {
        var world = splitWorld()
        #expect(world.touch(down: Point(570, 410)).contains(.touchDown(0, one, at: Point(570, 410))))
        world.slide(to: Point(572, 600))
        #expect(world.effects.contains(.touchMotion(0, at: Point(572, 600))))
        #expect(!world.system.isGesturing)
        world.lift()
        #expect(fraction(world) == 0.5)
        #expect(world.finish() == [])
    }

    @Test("both sides change together: no frame shows a new size of one beside an old size of the other")
    func together() {
        var world = splitWorld()
        world.setManner(.asked, of: one)
        world.setManner(.asked, of: two)
        world.touch(down: world.spot(.divider))
        let effects = world.touch(to: Point(576, 410))
        #expect(effects.count(.hold(one)) == 1 && effects.count(.hold(two)) == 1)
        #expect(effects.configures(one).map(\.frame.size) == [Size(571, 820)])
        #expect(effects.configures(two).map(\.frame.size) == [Size(599, 820)])
        #expect(world.frame(one)?.width == 585, "nothing moves before both have answered")
        world.answer(one)
        #expect(world.frame(one)?.width == 585)
        #expect(!world.effects.contains(.release(one)))
        world.answer(two)
        #expect(world.frame(one) == Rect(0, 0, 571, 820))
        #expect(world.frame(two) == Rect(581, 0, 599, 820))
        #expect(world.effects.contains(.release(one)) && world.effects.contains(.release(two)))
        // While they answer, the finger goes on: the next sizes are those of where it is then.
        world.touch(to: Point(570, 410))
        world.touch(to: Point(561, 410))
        #expect(world.clients[one]!.told?.frame.width == 565)
        world.answerAll()
        #expect(world.clients[one]!.told?.frame.width == 556)
        world.answerAll()
        #expect(world.frame(one)?.width == 556)
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("a slow client is waited for 300 ms, then shown as it is, and not waited for again until it answers")
    func slowClient() {
        var world = splitWorld()
        world.setManner(.asked, of: two)
        world.touch(down: world.spot(.divider))
        world.touch(to: Point(576, 410))
        world.wait(299)
        #expect(world.frame(one)?.width == 585)
        world.wait(2)
        #expect(world.frame(one)?.width == 571)
        #expect(world.workspace[two]?.isLate == true)
        // From now on the pair goes at the pace of the one that answers, and the other is not flooded.
        let told = world.clients[two]!.configures.count
        for x in [480.0, 470, 460, 450] {
            world.touch(to: Point(x, 410))
            #expect(world.frame(one)?.width == x - 5)
        }
        #expect(world.clients[two]!.configures.count == told)
        world.answer(two)
        #expect(world.workspace[two]?.isLate == false)
        #expect(world.clients[two]!.told?.frame.width == 725.0)
        world.answer(two)
        world.touch(to: Point(440, 410))
        #expect(world.frame(one)?.width == 445, "it answers again, so it is waited for again")
        world.answer(two)
        #expect(world.frame(one)?.width == 435)
        world.lift()
        #expect(world.finish() == [])
    }

    /// The pictures of both windows, as they are drawn.
    private func pictures(_ world: CoreWorld) -> [Rect?] {
        let items = world.system.items(at: world.now)
        return [one, two].map { id in items.first { $0.kind == .window(id) && $0.key.part == .window }?.frame }
    }

    @Test(
        "the divider stays by the finger however slowly apps answer; their last pictures are stretched over their halves",
        arguments: [50.0, 250, 300, 350, 900], [false, true])
    func slowAnswers(delay: Double, areBothSlow: Bool) {
        var world = splitWorld()
        world.setManner(.asked, of: two)
        if areBothSlow { world.setManner(.asked, of: one) }
        world.touch(down: world.spot(.divider))
        var finger = 590.0, since = 0.0, wasAt = 590.0
        for step in 1...120 {
            finger += step <= 30 ? -10 : step <= 60 ? 0 : step <= 90 ? 13 : 0
            world.touch(to: Point(finger, 410))
            let at = world.spot(.divider).x
            #expect(abs(at - finger) <= 17, "step \(step): the finger is at \(finger), the divider at \(at)")
            #expect(step <= 30 ? at <= wasAt : step <= 60 || at >= wasAt, "it never goes back: from \(wasAt) to \(at)")
            wasAt = at
            let drawn = pictures(world)
            #expect(drawn[0].map { abs($0.maxX - (at - 5)) < 1.1 && $0.minX == 0 } == true, "step \(step): \(drawn)")
            #expect(drawn[1].map { abs($0.minX - (at + 5)) < 1.1 && $0.maxX == 1180 } == true, "step \(step): \(drawn)")
            world.wait(16)
            since += 16
            if since >= delay {
                since = 0
                world.answer(two)
                if areBothSlow { world.answer(one) }
            }
        }
        for _ in 0..<3 {
            world.answer(one)
            world.answer(two)
            world.wait(320)
        }
        #expect(world.frame(one)?.maxX == finger - 5 && world.frame(two)?.minX == finger + 5)
        #expect(pictures(world) == [world.frame(one), world.frame(two)] && world.clients[two]!.commit.size == world.frame(two)?.size)
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("a client that never answers does not hold up a drag, and is told where it ended")
    func deadClient() {
        var world = splitWorld()
        world.setManner(.asked, of: two)
        world.drag(from: world.spot(.divider), to: Point(400, 410), over: 1500)
        #expect(fraction(world) == 1.0 / 3)
        #expect(world.clients[two]!.configures.count < 12)
        world.wait(3000)
        #expect(world.frame(one) == Rect(0, 0, 390, 820))
        #expect(world.frame(two) == Rect(400, 0, 780, 820))
        #expect(world.clients[two]!.told?.frame.size == Size(780, 820))
        #expect(!world.system.isMoving(at: world.now))
        #expect(world.finish() == [])
    }

    @Test("killed in the middle of a drag, a client leaves the other alone and nothing held (law 4)")
    func killed() {
        for isHeld in [true, false] {
            var world = splitWorld()
            if isHeld { world.setManner(.asked, of: two) }
            world.touch(down: world.spot(.divider))
            world.touch(to: Point(490, 410))
            world.destroy(isHeld ? one : two)
            isFull(world, isHeld ? two : one)
            #expect(!world.system.isGesturing)
            world.touch(to: Point(300, 410))
            world.lift()
            #expect(world.finish() == [])
        }
    }

    @Test("a finger taken back by the device leaves it at a resting place (law 8)")
    func cancelled() {
        var world = splitWorld()
        world.touch(down: world.spot(.divider))
        world.slide(to: Point(430, 410))
        world.take()
        #expect(fraction(world) == 1.0 / 3)
        #expect(world.finish() == [])
    }

    @Test("a window that opens over the pair ends the drag; another pair is not moved by it")
    func spaceChanges() {
        var world = splitWorld()
        world.open(3)
        world.open(4, to: .splitView(.left))
        world.act(.divider(fraction: 0.4, exact: true))
        let other = world.workspace.spaces.first { $0.split?.first == one }!.id
        world.act(.showSpace(other))
        world.rest()
        world.touch(down: world.spot(.divider))
        world.slide(to: Point(430, 410))
        world.send(.windowAsked(three, .activate(byPerson: true)))
        #expect(!world.system.isGesturing)
        #expect(fraction(world) == 0.4)
        world.slide(to: Point(700, 410))
        world.lift()
        #expect(fraction(world) == 0.4)
        #expect(world.workspace.space(other)?.split?.fraction == 1.0 / 3)
        #expect(world.finish() == [])
    }

    @Test("by pointer and by key, step by step, past the last place one window is left")
    func otherPaths() {
        var world = splitWorld()
        world.send(.pointerMotion(at: world.spot(.divider)))
        world.send(.pointerButton(0x110, pressed: true))
        for x in stride(from: 590.0, through: 400, by: -10) {
            world.wait(16)
            world.send(.pointerMotion(at: Point(x, 410)))
        }
        world.wait(200)
        world.send(.pointerButton(0x110, pressed: false))
        #expect(fraction(world) == 1.0 / 3)
        world.act(.dividerStep(1))
        #expect(fraction(world) == 0.5)
        world.act(.dividerStep(1))
        #expect(fraction(world) == 2.0 / 3)
        world.act(.dividerStep(1))
        isFull(world, one)
        #expect(world.act(.dividerStep(1)).refusals == ["no Split View is in front"])
        #expect(world.finish() == [])
    }

    @Test("by number it snaps unless it is to be exact; nonsense is refused")
    func byNumber() {
        var world = splitWorld()
        world.act(.divider(fraction: 0.41))
        #expect(fraction(world) == 1.0 / 3)
        world.act(.divider(fraction: 0.41, exact: true))
        #expect(fraction(world) == 0.41)
        #expect(world.act(.divider(fraction: 7)).refusals == ["the divider's place is a number from 0 to 1, not 7.0"])
        #expect(world.act(.divider(fraction: .nan)).refusals.count == 1)
        #expect(world.finish() == [])
    }

    @Test("upright and stacked, it is dragged up and down")
    func stacked() {
        var world = CoreWorld(size: Size(820, 1180))
        world.open(1)
        world.open(2, to: .splitView(.bottom))
        world.rest()
        #expect(world.frame(one) == Rect(0, 0, 820, 585))
        world.drag(from: world.spot(.divider), to: Point(410, 800))
        #expect(fraction(world) == 2.0 / 3)
        world.rest()
        #expect(world.frame(one) == Rect(0, 0, 820, 780))
        #expect(world.finish() == [])
    }
}
