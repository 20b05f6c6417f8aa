import Foundation
import Testing

@testable import Processes

@Suite struct MemoryPressureFileTests {
    @Test("S-08: the kernel's totals are read from its text; other texts are none")
    func totals() throws {
        let text = "some avg10=1.00 avg60=0.10 avg300=0.00 total=1234567\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=89\n"
        let found = try #require(MemoryPressureFile.totals(in: text))
        #expect(found.some == 1_234_567 && found.full == 89)
        #expect(try #require(MemoryPressureFile.totals(in: "some total=7\n")).full == 0)
        for text in ["", "some avg10=1.00\n", "some total=x\n", "full total=4\n", "some total=-1\n"] {
            #expect(MemoryPressureFile.totals(in: text) == nil, "\(text)")
        }
    }

    @Test("S-08: a period that Linux lets ordinary users have is taken, or else the counters are read")
    func means() throws {
        let file = MemoryPressureFile(environment: [:])
        try #require(file.totals() != nil, "this kernel measures no pressure")
        let version = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8).split { !$0.isNumber }.prefix(2).compactMap
        { Int($0) }
        // Before 6.4 it depends on the user.
        let expected: [MemoryPressureFile.Means] = version.lexicographicallyPrecedes([6, 4]) ? [.triggers, .counters] : [.triggers]
        #expect(expected.contains(file.means(share: 0.1, period: 2)))
    }

    @Test("a file that the environment names is read, and never written to")
    func named() throws {
        let path = NSTemporaryDirectory() + "pressure-" + UUID().uuidString
        try "some total=5\nfull total=3\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        let file = MemoryPressureFile(environment: ["MULLION_PRESSURE": path])
        #expect(file.means(share: 0.1, period: 2) == .counters)
        #expect(file.totals()?.some == 5)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "some total=5\nfull total=3\n")
        #expect(MemoryPressureFile(environment: ["MULLION_PRESSURE": "\(path).not"]).means(share: 0.1, period: 2) == .nothing)
    }
}
