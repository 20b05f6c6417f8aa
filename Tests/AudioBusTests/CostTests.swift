@testable import AudioBus
import AudioSessions
import Foundation
import Glibc
import MullionTesting
import Testing

/// The cost for the shell's only thread of a client that calls all the time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CostTests {
    /// CPU seconds of this thread.
    private var cpu: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("Hostile apps: a call that is refused for being too many costs little, and one turn is short")
    func refusedCalls() throws {
        let bus = try TestBus(), rig = Rig(bus)
        rig.connect()
        let client = try rig.client(bus)
        let path = try rig.session(client)
        let count = 10_000
        let before = cpu
        var longest = 0.0
        try client.write(["do": "many", "count": count, "each": [["path": path, "member": "Activate"]]])
        #expect(rig.run(seconds: 120) {
            let begin = cpu
            rig.bus.process()
            longest = max(longest, cpu - begin)
            return client.lines.contains { $0["answer"] != nil }
        })
        // Including the test's own work.
        let each = (cpu - before) / Double(count) * 1e6
        print("cost: \(each) µs of CPU per call, longest turn \(longest * 1000) ms")
        #expect(each < 500)
        #expect(longest < 0.1)
    }
}
