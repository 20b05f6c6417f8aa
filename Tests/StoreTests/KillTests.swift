import Glibc
import Processes
import Testing

let isSlow = getenv("MULLION_SLOW_TESTS").map { String(cString: $0) } == "1"

/// The same numbers for the same seed.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6364136223846793005 &+ 1442695040888963407
        return (state ^ (state >> 33)) &* 0xD6E8_FEB8_6659_FD93 >> 7
    }
}

/// A process that keeps a session is killed again and again: no commit that was reported is lost, and none is half there.
@Suite struct KillTests {
    /// What a process said until it was gone.
    private struct Life {
        var found: Int?
        var begun: Int?
        var committed: Int?
        /// What must not be said: notices, halves, failures.
        var others: [String] = []
        var isKilled = false
    }

    private static let probe = OwnProgram.companion("mullion-store-probe") ?? ""

    /// - Parameters:
    ///   - fault: the step at which it is killed.
    ///   - lines: it is killed so many lines and microseconds after its start.
    private func live(_ room: Room, _ launcher: Launcher, commits: Int = 1000, fault: String? = nil, lines: Int = .max, delay: UInt32 = 0)
        throws -> Life
    {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var environment: [String: String] = [:]
        for name in ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        environment["MULLION_FAULT"] = fault
        let process = try launcher.launch([Self.probe, room.folder, "\(commits)"], environment: environment, channel: ends[1])
        close(ends[1])
        var text: [UInt8] = [], part = [UInt8](repeating: 0, count: 4096), isAsked = false
        while true {
            let count = read(ends[0], &part, part.count)
            if count <= 0 { break }
            text += part[..<count]
            if !isAsked, text.count(where: { $0 == 10 }) >= lines {
                isAsked = true
                usleep(delay)
                kill(process, SIGKILL)
            }
        }
        var life = Life()
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let number = line.split(separator: " ").last.flatMap { Int($0) }
            if line.hasPrefix("found ") {
                life.found = number
            } else if line.hasPrefix("begun ") {
                life.begun = number
            } else if line.hasPrefix("committed ") {
                life.committed = number
            } else if line != "closed" {
                life.others.append(String(line))
            }
        }
        for _ in 0..<2000 {
            if let exit = launcher.drain().first(where: { $0.pid == process }) {
                life.isKilled = exit.reason == .signalled(SIGKILL)
                return life
            }
            usleep(1000)
        }
        Issue.record("the process did not end")
        return life
    }

    @Test(arguments: ["begin", "written", "committed", "backup"]) func aKillAtAStepLosesNothing(step: String) throws {
        let room = try Room(), launcher = try Launcher()
        var least = 0, most = 0
        for turn in 1...(isSlow ? 50 : 4) {
            // Copies are rarer: the first one is made after the first commit.
            let times = step == "backup" ? 1 + turn % 2 : 1 + turn * 7 % 11
            let life = try live(room, launcher, fault: "store.\(step):\(times)")
            #expect(life.isKilled && life.others.isEmpty, "\(life)")
            #expect((least...max(least, most)).contains(life.found ?? -1), "\(life)")
            let begun = try #require(life.begun)
            switch step {
            case "begin", "written":
                #expect((life.committed ?? least) == begun - 1)
                least = begun - 1
            case "committed":
                #expect((life.committed ?? least) == begun - 1)
                least = begun
            default:
                // The commit is kept, and was reported, but the process may have been killed before it said so.
                (least, most) = (max(least, life.committed ?? 0), begun)
            }
        }
        let last = try live(room, launcher, commits: 1)
        #expect(!last.isKilled && last.others.isEmpty && (least...max(least, most)).contains(last.found ?? -1), "\(last)")
        #expect(room.names == ["session.db", "session.good.db", "session.lock"])
    }

    @Test func aKillAtAnyMomentLosesNothing() throws {
        let room = try Room(), launcher = try Launcher()
        let seed = UInt64.random(in: 0 ... .max)
        var random = Random(state: seed), least = 0, most = 0
        for turn in 1...(isSlow ? 2000 : 35) {
            let lines = Int(random.next() % 40), delay = UInt32(random.next() % 8000)
            let life = try live(room, launcher, lines: lines, delay: delay)
            let words = Comment(rawValue: "seed \(seed), turn \(turn): \(least) to \(most), then \(life)")
            #expect(life.isKilled && life.others.isEmpty, words)
            // It may be killed before it has found anything.
            guard let found = life.found else { continue }
            #expect(found >= least && found <= most, words)
            least = max(found, life.committed ?? 0)
            most = max(found, life.begun ?? 0)
        }
        #expect(most > 0)
        // The copy is whole as well, and not much older.
        unlink("\(room.folder)/session.db")
        unlink("\(room.folder)/session.db-wal")
        let last = try live(room, launcher, commits: 1)
        #expect(last.others.count == 2 && last.others.allSatisfy { $0.hasPrefix("notice ") }, "\(last)")
        let found = try #require(last.found)
        #expect(found <= most && found > least - 50, "\(last), not \(least)")
    }
}
