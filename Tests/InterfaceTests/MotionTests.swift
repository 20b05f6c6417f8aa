import Foundation
import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("Law 2: nothing ever jumps")
struct MotionTests {
    /// Where everything that moves is drawn: cards, and windows that are not drawn as cards.
    private func frames(_ world: CoreWorld) -> [String: Rect] {
        var frames: [String: Rect] = [:]
        for (id, card) in world.system.stage.cards where card.opacity.value(at: world.now) > 0.05 {
            frames["\(id)"] = world.cardFrame(id)
        }
        for item in world.system.items(at: world.now) where item.opacity > 0.05 {
            if case .window(let id) = item.kind, item.key.part == .window { frames["\(id)"] = item.frame }
        }
        return frames
    }

    private func jump(_ a: Rect, _ b: Rect) -> Double {
        max(abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY))
    }

    /// In a millisecond: a spring's largest step over the whole screen, and a finger of 4000 points a second.
    private let most = 24.0

    /// Twelve seeds have every mix of places at the beginning; `make test-slow` has more lives of each, and longer ones.
    private static let seeds = 1...(TestSeed.isSlow ? 96 : 12) as ClosedRange<UInt64>

    @Test("random gestures and wishes, a picture every millisecond", arguments: seeds)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func below(_ n: Int) -> Int { Int(random.next() % UInt64(n)) }
        var world = world(["editor", "terminal", "notes", "browser"])
        if seed % 3 == 0 { world.act(.splitView(window: two, side: .left)) }
        if seed % 4 == 0 { world.act(.pictureInPicture(window: one)) }
        world.rest()
        world.isChecked = false
        var last = frames(world)
        var log: [String] = []
        func look(_ what: @autoclosure () -> String) {
            let now = frames(world)
            for (id, frame) in now {
                guard let before = last[id] else { continue }
                let step = jump(before, frame)
                #expect(
                    step <= most, "seed \(seed), \(id) jumps \(step) points at \(what()) after \(log.suffix(4)): \(before) then \(frame)")
            }
            last = now
        }
        func pass(_ milliseconds: Int) {
            for _ in 0..<milliseconds {
                world.wait(1)
                look("rest")
            }
        }
        let wishes: [Action] = [.home, .appSwitcher, .dismiss, .appExpose(app: "editor"), .nextSpace, .home, .appSwitcher]
        for _ in 0..<(TestSeed.isSlow ? 14 : 3) {
            if below(3) == 0 {
                let wish = wishes[below(wishes.count)]
                log.append("\(wish)")
                world.act(wish)
                look("\(wish)")
                pass([20, 90, 250, 600][below(4)])
                continue
            }
            let x = Double(below(900) + 140)
            let start = below(4) == 0 ? Point(x, Double(below(700) + 60)) : Point(x, 816)
            var at = start
            world.touch(down: at)
            look("down")
            for _ in 0..<(below(3) + 1) {
                let end = Point(min(1170, max(10, at.x + Double(below(500) - 250))), max(20, at.y - Double(below(500))))
                let milliseconds = max(30, Int(clamping: (end - at).length / Double([600, 1500, 3500][below(3)]) * 1000))
                log.append("finger \(at) to \(end) in \(milliseconds)")
                let from = at
                for step in 1...milliseconds {
                    world.wait(1)
                    world.touch(to: from + (end - from) * (Double(step) / Double(milliseconds)))
                    look("a finger at \(step) ms")
                }
                at = end
                if below(4) == 0 { pass(220) }
            }
            log.append("up")
            world.lift()
            look("up")
            pass([5, 60, 150, 700][below(4)])
        }
        // What is still to come happens unchecked, too: the ledger has not followed who has the keys.
        world.wait(2000)
        world.isChecked = true
        #expect(world.finish() == [])
    }

    @Test("going home takes the speed of the finger along, but not past all bounds")
    func flung() {
        var world = world(["editor"])
        world.swipe(Vector(0, -500), speed: 20_000)
        let id = CardID.space(world.workspace.current!)
        var last = world.cardFrame(id)!
        for _ in 0..<300 {
            world.wait(1)
            guard let now = world.cardFrame(id) else { break }
            #expect(now.y > -300 && jump(last, now) < most)
            last = now
        }
        #expect(world.finish() == [])
    }

    @Test("a picture in flight goes on when the app switcher closes or an app grows out of its icon")
    func picture() {
        var world = world(["editor", "terminal"])
        world.act(.pictureInPicture(window: one))
        world.rest()
        for wish in [Action.home, .home] {
            world.act(.pipCorner(.topLeft))
            world.wait(60)
            let before = world.frame(one)!
            world.act(wish)
            #expect(jump(before, world.frame(one)!) < 1)
            world.act(.pipCorner(.bottomRight))
            world.rest()
        }
        #expect(world.finish() == [])
    }
}
