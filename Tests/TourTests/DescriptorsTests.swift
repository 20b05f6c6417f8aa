import Foundation
import Testing
import Tour

@Suite struct DescriptorsTests {
    @Test(arguments: [
        ("socket:[4711]", "socket"), ("pipe:[12]", "pipe"), ("anon_inode:[eventpoll]", "eventpoll"),
        ("anon_inode:sync_file", "sync_file"), ("/memfd:mullion-store (deleted)", "memfd mullion-store"),
        ("/dev/null", "/dev/null"), ("/tmp/a b (deleted)", "deleted file"), ("/proc/1/mountinfo", "/proc/1/mountinfo"),
    ])
    func theKernelsWordsBecomeAKind(target: String, kind: String) { #expect(Descriptors.kind(of: target) == kind) }

    @Test func onlyWhatIsMoreThanBeforeAndThanNeededHasGrown() {
        let before = Descriptors(targets: [0: "/dev/null", 3: "socket:[1]", 4: "pipe:[2]", 5: "pipe:[3]"])
        let now = Descriptors(targets: [
            0: "/dev/null", 3: "socket:[1]", 6: "socket:[7]", 7: "socket:[8]", 4: "pipe:[9]", 8: "/memfd:a (deleted)",
        ])
        #expect(now.growth(since: before) == ["memfd a: 1, not 0", "socket: 3, not 1"])
        #expect(now.growth(since: before, allowing: ["socket": 2, "memfd a": 1]) == [])
        #expect(before.growth(since: now) == ["pipe: 2, not 1"])
    }

    @Test func thoseOfAProcessAreReadFromOutside() throws {
        let pipe = Pipe(), file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        let found = try #require(Descriptors(of: ProcessInfo.processInfo.processIdentifier))
        #expect(found.targets[file.fileDescriptor] == "/dev/null")
        let target = try #require(found.targets[pipe.fileHandleForReading.fileDescriptor])
        #expect(Descriptors.kind(of: target) == "pipe")
        #expect(found.counts["pipe", default: 0] >= 2)
        withExtendedLifetime((pipe, file)) {}
    }

    @Test func aProcessThatIsGoneHasNone() { #expect(Descriptors(of: Int32.max) == nil) }
}
