import Geometry
import Journal
import MullionTesting
import Testing
import Windows

@testable import Multitasking

/// What clients, scripts, buses and recordings send may hold any number.
@Suite struct ExtremeNumberTests {
    /// Sessions like those of other random tests, in which some numbers of some events are extreme.
    @Test("no number in an event ends the core")
    func events() throws {
        var changed = 0
        for run in 0..<(TestSeed.isSlow ? 400 : 8) { changed += try events(seed: TestSeed.first &+ UInt64(run)) }
        #expect(changed > 20, "seed \(TestSeed.first)")
    }

    /// How many events had an extreme number.
    private func events(seed: UInt64) throws -> Int {
        var generator = CoreGenerator(seed: seed), world = CoreRun.world(), changed = 0
        world.isChecked = false
        for _ in 0..<60 { generator.next().apply(to: &world) }
        var dice = Dice(state: seed)
        var system = System(idiom: .pad)
        for happening in world.history {
            var event = happening.event
            let written = dice.below(3) == 0 ? try JSON(encoding: event) : .null, count = ExtremeNumbers.count(in: written)
            if count > 0 {
                let extreme = ExtremeNumbers.all[dice.below(ExtremeNumbers.all.count)]
                // Most types refuse numbers that they do not hold.
                if let read = try? ExtremeNumbers.replacing(dice.below(count), in: written, by: extreme).decoded(as: Event.self) {
                    event = read
                    changed += 1
                }
            }
            _ = system.handle(event, at: happening.when)
            if dice.below(8) == 0 {
                _ = system.items(at: happening.when)
                _ = system.controls(at: happening.when)
            }
        }
        _ = system.kept
        return changed
    }

    @Test("W-20: no number in a kept arrangement ends the shell that reads it")
    func kept() throws {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .splitView(.right))
        world.open(3, to: .slideOver)
        world.open(4, to: .pictureInPicture)
        let written = try JSON(encoding: world.system.kept)
        var read = 0
        for index in 0..<ExtremeNumbers.count(in: written) {
            for extreme in ExtremeNumbers.all {
                let other = ExtremeNumbers.replacing(index, in: written, by: extreme)
                guard let kept = try? other.decoded(as: KeptArrangement.self) else { continue }
                read += 1
                var system = System(idiom: .pad)
                _ = system.handle(.screenChanged(Screen(size: Size(1180, 820))), at: .zero)
                _ = system.handle(.restored(kept, first: WindowID(1_000_000)), at: .zero)
                _ = system.handle(.action(.appSwitcher), at: .milliseconds(100))
                _ = system.items(at: .milliseconds(200))
                _ = system.kept
            }
        }
        #expect(read > 5)
    }

    private struct Dice {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }
}
