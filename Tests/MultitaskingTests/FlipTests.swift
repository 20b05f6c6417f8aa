import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("W-03: flipping the Slide Over stack shows the next card coming")
struct FlipTests {
    private func stack(_ count: Int) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        for raw in 2..<UInt32(2 + count) { world.open(raw, to: .slideOver) }
        world.rest()
        return world
    }

    /// Windows as they are drawn, back to front, with how much of them is seen.
    private func drawn(_ world: CoreWorld) -> [(id: WindowID, frame: Rect, opacity: Double)] {
        world.system.items(at: world.now).compactMap { item in
            if case .window(let id) = item.kind { (id, item.frame, item.opacity) } else { nil }
        }
    }

    private func strip(_ world: CoreWorld) -> Point { world.spot(.cardBottom) }

    @Test("the next card is behind the front one, larger and clearer the farther that goes", arguments: [-1.0, 1])
    func comes(way: Double) throws {
        var world = stack(3)
        let order = world.workspace.slideOver.stack, next = way < 0 ? order[1] : order[2]
        let start = strip(world), place = try #require(drawn(world).last).frame
        world.touch(down: start)
        var last = 0.0
        for step in 1...20 {
            world.wait(8)
            world.touch(to: start + Vector(way * Double(step) * 12, 0))
            guard step > 4 else { continue }
            let all = drawn(world), front = try #require(all.last), behind = all[all.count - 2]
            #expect(front.id == order[0] && behind.id == next)
            #expect(abs(behind.frame.center.x - place.center.x) < 0.01 && behind.frame.width > last && behind.frame.width < place.width)
            last = behind.frame.width
        }
        world.lift()
        world.rest()
        #expect(world.workspace.slideOver.stack.first == next)
        #expect(try #require(drawn(world).last).frame == place)
        #expect(world.finish() == [])
    }

    @Test("let go too early, the front card comes back over the next one, which goes behind it again")
    func back() throws {
        var world = stack(2)
        let order = world.workspace.slideOver.stack, start = strip(world)
        world.touch(down: start)
        world.slide(to: start + Vector(-40, 0), over: 400, steps: 10)
        world.wait(200)
        world.lift()
        world.wait(30)
        let all = drawn(world)
        #expect(all.last?.id == order[0] && all.contains { $0.id == order[1] })
        world.rest()
        world.send(.x11MenusWantKeys(false))
        #expect(world.workspace.slideOver.stack == order)
        #expect(drawn(world).map(\.id) == [one, order[0]])
        #expect(world.finish() == [])
    }

    @Test("the only card of a stack resists, and comes back")
    func alone() throws {
        var world = stack(1)
        let start = strip(world), place = try #require(drawn(world).last).frame
        world.touch(down: start)
        world.slide(to: start + Vector(-200, 0), over: 200, steps: 10)
        let held = try #require(drawn(world).last).frame
        #expect(held.x < place.x && held.x > place.x - 80)
        world.lift()
        world.rest()
        #expect(drawn(world).last?.frame == place)
        #expect(world.finish() == [])
    }

    @Test("its app takes the next card away while it comes: nothing is left of it")
    func dies() {
        var world = stack(3)
        let next = world.workspace.slideOver.stack[1], start = strip(world)
        world.touch(down: start)
        world.slide(to: start + Vector(-120, 0), over: 100, steps: 10)
        world.unmap(next)
        world.touch(to: start + Vector(-130, 0))
        #expect(!drawn(world).contains { $0.id == next })
        world.lift()
        world.rest()
        #expect(world.finish() == [])
    }

    @Test(
        "law 2: no card jumps, comes or goes at once, however quick the flips are",
        arguments: 1...(TestSeed.isSlow ? 48 : 12) as ClosedRange<UInt64>)
    func continuous(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func below(_ n: Int) -> Int { Int(random.next() % UInt64(n)) }
        var world = stack(2 + below(3))
        world.isChecked = false
        var before = drawn(world)
        /// A finger moves 2.5 points in a millisecond at most here, and springs are no quicker.
        func look(_ what: String) {
            let now = drawn(world)
            for card in now {
                guard let old = before.first(where: { $0.id == card.id }) else {
                    #expect(card.opacity < 0.12, "seed \(seed), \(what): \(card.id) is there at once")
                    continue
                }
                let step = max(abs(card.frame.minX - old.frame.minX), abs(card.frame.maxX - old.frame.maxX))
                #expect(
                    step <= 9 || min(card.opacity, old.opacity) < 0.05,
                    "seed \(seed), \(what): \(card.id) from \(old.frame) to \(card.frame)")
                #expect(abs(card.opacity - old.opacity) < 0.12, "seed \(seed), \(what): \(card.id) from \(old.opacity) to \(card.opacity)")
            }
            for old in before where !now.contains(where: { $0.id == old.id }) {
                #expect(old.opacity < 0.12, "seed \(seed), \(what): \(old.id) is gone at once")
            }
            before = now
        }
        for round in 0..<4 {
            let start = strip(world), way = below(2) == 0 ? -1.0 : 1, steps = 20 + below(100)
            world.touch(down: start)
            look("round \(round), touched")
            for step in 1...steps {
                world.wait(1)
                world.touch(to: start + Vector(way * Double(step) * 2.2, 0))
                look("round \(round), step \(step)")
            }
            world.lift()
            look("round \(round), let go")
            for ms in 0..<(1 + below(300)) {
                world.wait(1)
                look("round \(round), \(ms) ms later")
            }
        }
        world.rest()
        world.isChecked = true
        #expect(world.finish() == [])
    }
}
