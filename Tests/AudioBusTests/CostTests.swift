import AudioSessions
import Clocks
import Foundation
import Glibc
import MullionTesting
import Testing

@testable import AudioBus

/// The cost for the shell's only thread of a client that calls all the time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CostTests {
    @Test("Hostile apps: a call that is refused for being too many costs little, and one turn is short")
    func refusedCalls() throws {
        let bus = try TestBus(), rig = Rig(bus)
        rig.connect()
        let client = try rig.client(bus)
        let path = try rig.session(client)
        let count = 10_000
        let before = Clocks.threadNanoseconds
        var longest: Int64 = 0
        try client.write(["do": "many", "count": count, "each": [["path": path, "member": "Activate"]]])
        #expect(
            rig.run(seconds: 120) {
                let begin = Clocks.threadNanoseconds
                rig.bus.process()
                longest = max(longest, Clocks.threadNanoseconds - begin)
                return client.lines.contains { $0["answer"] != nil }
            })
        // Including the test's own work.
        let each = Double(Clocks.threadNanoseconds - before) / Double(count) / 1e3
        print("cost: \(each) µs of CPU per call, longest turn \(Double(longest) / 1e6) ms")
        #expect(each < 500)
        #expect(longest < 100_000_000)
    }
}
