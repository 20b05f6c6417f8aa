import Descriptors
import Foundation
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// kill -9 of the app, of the shell and of both, at every step and at any moment (S-04, S-13, W-20).
    @Suite(.serialized) struct LifeKillTests {
        /// Kills of each test; `MULLION_KILLS` is the number of all of them together.
        private static let kills: Int = {
            let wanted = ProcessInfo.processInfo.environment["MULLION_KILLS"].flatMap { Int($0) }
            return max(1, (wanted ?? (ShellUnderTest.isSlow ? 240 : 9)) / 3)
        }()

        private static let seed =
            ProcessInfo.processInfo.environment["MULLION_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0 ... .max)

        private func with(_ body: (KillRoom) throws -> Void) throws {
            let room = try KillRoom(seed: Self.seed)
            do {
                try room.begin()
                try body(room)
            } catch {
                throw ShellUnderTest.Failure("seed \(Self.seed), after \(room.kills) kills: \(error)")
            }
        }

        @Test("S-04, S-13, W-20: a kill at a step loses no state that was kept, none is half, and the windows come back")
        func atSteps() throws {
            try with { room in
                // This room locks nothing, and a person taps nothing. `AbandonedLockTests` and `SupervisorTests` kill at those steps.
                let steps = FaultPoint.allCases.filter { !$0.rawValue.hasPrefix("lock.") && !$0.rawValue.hasPrefix("launch.") }.shuffled(
                    using: &room.random)
                var turn = 0
                while room.kills < Self.kills {
                    let fault = steps[turn % steps.count]
                    // A start that is stopped answers nobody: there the shell is killed.
                    let victims = fault.rawValue.hasPrefix("restore") ? [.shell] : KillRoom.Victim.allCases
                    let blow = KillRoom.Blow(
                        fault: fault, passes: fault == .backup || fault.rawValue.hasPrefix("restore") ? 0 : Int(room.random.next() % 3),
                        victim: victims[Int(room.random.next() % UInt64(victims.count))])
                    let came = try room.live(blow)
                    #expect(came, "nobody came to \(blow)")
                    turn += 1
                }
                try room.live(.init(victim: .app))
            }
        }

        @Test("S-04, W-20: a kill at any moment loses no state that was kept, none is half, and the windows come back")
        func atMoments() throws {
            try with { room in
                while room.kills < Self.kills {
                    try room.live(.init(victim: KillRoom.Victim.allCases[Int(room.random.next() % 3)]))
                }
            }
        }

        @Test("S-04: an app that is killed at any step of its own has the last state back that was kept")
        func appAtSteps() throws {
            try with { room in
                while room.kills < Self.kills {
                    let steps = (0..<4).map { _ in ["asked", "gave", "restored", "resumed"][Int(room.random.next() % 4)] }
                    try room.live(.init(victim: .app, ownSteps: steps))
                }
            }
        }
    }
}
