import Processes
import Testing

@Suite struct RestartPausesTests {
    @Test("A program that keeps ending is started again for ever, after pauses that grow up to a limit") func growing() {
        var pauses = RestartPauses(), now = 0.0, waited: [Double] = []
        for _ in 0..<40 {
            pauses.started("wireplumber", at: now)
            let pause = pauses.ended("wireplumber", at: now)
            waited.append(pause)
            now += pause + 0.01
        }
        #expect(waited[0] == 0 && Array(waited[1...4]) == [0.25, 0.5, 1, 2])
        #expect(zip(waited, waited.dropFirst()).allSatisfy { $0 <= $1 } && waited.last == RestartPauses.longest)
        // Others are not concerned.
        let other = pauses.ended("pipewire", at: now)
        #expect(other == 0)
    }

    @Test("After a good run, a program is started again at once") func goodRun() {
        var pauses = RestartPauses()
        for _ in 0..<6 {
            pauses.started("pipewire", at: 0)
            _ = pauses.ended("pipewire", at: 1)
        }
        pauses.started("pipewire", at: 100)
        var short = pauses
        let soon = short.ended("pipewire", at: 129), late = pauses.ended("pipewire", at: 130)
        #expect(soon > 1 && late == 0)
        pauses.started("pipewire", at: 130)
        let next = pauses.ended("pipewire", at: 131)
        #expect(next == RestartPauses.first)
    }
}
