import Geometry
import Testing

@testable import Lifecycle

@Suite("The first turn after a freeze")
struct FirstTurnTests {
    typealias Sight = FirstTurns.Sight

    private let vault = AppProcess(10), other = AppProcess(20)
    private let frozen: [Int32: Sight] = [10: Sight(switches: 7, .rests), 11: Sight(switches: 3, .rests)]
    private let after: [Int32: Sight] = [10: Sight(switches: 8, .rests), 11: Sight(switches: 4, .rests)]

    private func at(_ seconds: Double) -> Moment { .zero + 100 + seconds }

    /// Frozen, asked at 0 and thawed then.
    private func thawed() -> FirstTurns {
        var turns = FirstTurns()
        turns.froze(vault, frozen)
        turns.asked(vault, at: at(0))
        turns.goesOn(vault, at: at(0))
        return turns
    }

    /// Looks every 10 ms with what `sights` says, until it waits no more or for two seconds. Returns when.
    private func end(_ turns: inout FirstTurns, _ sights: (Int) -> [Int32: Sight]) -> Double {
        for step in 1...200 {
            let now = at(Double(step) / 100)
            for app in turns.toLookAt { turns.looked(app, sights(step), at: now) }
            if turns.review(at: now) { return Double(step) / 100 }
            #expect(turns.nextLook(after: now) == now + 0.01)
        }
        return .infinity
    }

    @Test("S-08: what is wanted of a frozen app waits until it has run and is at rest")
    func waits() {
        var turns = thawed()
        #expect(turns.waits(vault, at: at(0)) && !turns.waits(other, at: at(0)))
        #expect(turns.app(of: 11) == vault && turns.app(of: 12) == nil)
        let end = end(&turns) { $0 < 3 ? [10: Sight(switches: 8, .runs), 11: Sight(switches: 4, .rests)] : after }
        #expect(abs(end - 0.07) < 0.001, "\(end)")
        #expect(!turns.waits(vault, at: at(end)) && turns.nextLook(after: at(end)) == nil && turns.apps.isEmpty)
    }

    @Test("S-08: an app for which something waits is nudged once it is thawed, because a toolkit may not see that its timers are due")
    func nudges() {
        var turns = FirstTurns()
        turns.froze(vault, frozen)
        turns.froze(other, frozen)
        turns.asked(vault, at: at(0))
        #expect(turns.takeNudges() == [])
        turns.goesOn(vault, at: at(0))
        turns.goesOn(other, at: at(0))
        #expect(turns.takeNudges() == [vault] && turns.takeNudges() == [])
        // The next freeze is another one.
        turns.froze(vault, frozen)
        turns.goesOn(vault, at: at(1))
        turns.asked(vault, at: at(1))
        #expect(turns.takeNudges() == [vault])
    }

    @Test("one that the thaw has not reached yet looks as it did while it was frozen, and is no app at rest")
    func lateThaw() {
        var turns = thawed()
        let end = end(&turns) { $0 < 20 ? frozen : after }
        #expect(end >= 0.23 && end < 0.26, "\(end)")
        // One of its processes alone has run.
        turns = thawed()
        let second = self.end(&turns) { $0 < 20 ? [10: after[10]!, 11: frozen[11]!] : after }
        #expect(second >= 0.23 && second < 0.26, "\(second)")
    }

    @Test("a process that wakes the next is no app at rest: a shell that slept runs the program that empties the clipboard")
    func chain() {
        var turns = thawed()
        // Sleep ends, the shell starts one program after the other.
        let end = end(&turns) { step in
            switch step {
            case 1...2: after
            case 3: [10: Sight(switches: 9, .rests)]
            case 4...6: [10: Sight(switches: 9, .rests), 30: Sight(switches: UInt64(step), .rests)]
            default: [10: Sight(switches: 10, .rests)]
            }
        }
        #expect(end >= 0.1 && end < 0.12, "\(end)")
    }

    @Test("an app that never rests is asked after half a second, one that is not thawed after 0.8 s")
    func limits() {
        var turns = thawed()
        let busy = end(&turns) { [10: Sight(switches: UInt64(100 + $0), .rests)] }
        #expect(abs(busy - FirstTurns.longest) < 0.011, "\(busy)")
        turns.froze(vault, frozen)
        turns.asked(vault, at: at(0))
        let still = end(&turns) { _ in frozen }
        #expect(abs(still - FirstTurns.patience) < 0.011, "\(still)")
    }

    @Test("processes that a signal stopped, and those that have ended, keep nothing waiting")
    func stopped() {
        var turns = FirstTurns()
        turns.froze(
            vault,
            [
                10: Sight(switches: 7, .rests), 11: Sight(switches: 1, .stopped), 12: Sight(switches: 1, .rests),
                13: Sight(switches: 1, .rests),
            ])
        turns.asked(vault, at: at(0))
        turns.goesOn(vault, at: at(0))
        let end = end(&turns) { _ in [10: Sight(switches: 8, .rests), 11: Sight(switches: 1, .stopped), 12: Sight(switches: 1, .stopped)] }
        #expect(end < 0.1, "\(end)")
    }

    @Test("S-08: an app that was frozen by signals has not run while it still looks stopped")
    func frozenBySignals() {
        var turns = FirstTurns(), stopped = frozen
        for process in stopped.keys { stopped[process]!.state = .stopped }
        turns.froze(vault, stopped)
        turns.asked(vault, at: at(0))
        turns.goesOn(vault, at: at(0))
        let end = end(&turns) { $0 < 10 ? stopped : after }
        #expect(end >= 0.12 && end < 0.16, "\(end)")
    }

    @Test("without anybody who waits nothing is looked at, and half a second after its thaw the app is asked at once")
    func nobody() {
        var turns = FirstTurns()
        turns.froze(vault, frozen)
        #expect(turns.waits(vault, at: at(1000)))
        turns.goesOn(vault, at: at(1000))
        #expect(turns.toLookAt.isEmpty && turns.nextLook(after: at(1000)) == nil)
        #expect(turns.waits(vault, at: at(1000.4)) && !turns.waits(vault, at: at(1000.5)))
        // Thawed for something else, and asked a moment later.
        turns.asked(vault, at: at(1000.1))
        #expect(turns.toLookAt == [vault])
        turns.looked(vault, after, at: at(1000.11))
        turns.looked(vault, after, at: at(1000.12))
        #expect(turns.waits(vault, at: at(1000.14)) && !turns.waits(vault, at: at(1000.16)))
    }

    @Test("whatever happens in which order, nothing waits for longer than the limits")
    func random() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var turns = FirstTurns()
            var now = at(0), thaw: Moment?, asked: Moment?
            for _ in 0..<60 {
                now = now + Double(Int.random(in: 1...30, using: &random)) / 1000
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    turns.froze(vault, frozen)
                    (thaw, asked) = (nil, nil)
                case 1:
                    if turns.apps.contains(vault), thaw == nil { thaw = now }
                    turns.goesOn(vault, at: now)
                case 2 where turns.waits(vault, at: now):
                    asked = asked ?? now
                    turns.asked(vault, at: now)
                case 3: turns.looked(vault, [10: Sight(switches: UInt64.random(in: 7...9, using: &random), .rests)], at: now)
                case 4: _ = turns.review(at: now)
                default: break
                }
                let waits = turns.waits(vault, at: now)
                if let thaw, now - thaw >= FirstTurns.longest { #expect(!waits) }
                if thaw == nil, let asked, now - asked >= FirstTurns.patience { #expect(!waits) }
                // Nobody is forgotten: who waits is looked after.
                if waits, asked != nil, turns.apps == [vault] { #expect(turns.nextLook(after: now) != nil) }
            }
        }
    }
}
