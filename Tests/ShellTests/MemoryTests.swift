import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

extension RunningShell {
    /// Memory is short (S-04, S-08).
    @Suite(.serialized) struct MemoryTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        /// What the kernel would say, in microseconds.
        private func write(some: UInt64, full: UInt64, to path: String) throws {
            try "some avg10=0.00 avg60=0.00 avg300=0.00 total=\(some)\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=\(full)\n"
                .write(toFile: path, atomically: true, encoding: .utf8)
        }

        private func life(_ shell: ShellUnderTest, answer: String) throws -> WindowReport {
            let files = "\(shell.room)/life-\(answer)"
            mkfifo("\(files).commands", 0o600)
            return try shell.open([
                "python3", "\(TestClient.folder)/life.py", "app", "--log", "\(files).log", "--commands", "\(files).commands", "--app-id",
                "test.\(answer)", "--text", "a draft", "--answer", answer,
            ])
        }

        @Test("S-04, S-08: when memory is short, apps are warned; then frozen ones end, those that lose the least first, and no other")
        func pressure() throws {
            let path = NSTemporaryDirectory() + "pressure-" + UUID().uuidString
            defer { unlink(path) }
            try write(some: 7_000_000, full: 5_000_000, to: path)
            try ShellUnderTest.with(config: quick, environment: ["MULLION_PRESSURE": path]) { shell in
                #expect(shell.log.contains("memory pressure is noticed by counters: \(path) is read while an app is frozen"))
                let deaf = try life(shell, answer: "never")
                let saver = try life(shell, answer: "yes")
                let plain = try shell.open("foot", of: "foot", ["--app-id", "plain"])
                let kept = try shell.open("foot", of: "foot", ["--app-id", "kept"])
                try shell.client.perform(.keepRunning(app: "kept", true))
                let front = try shell.open("foot", of: "foot", ["--app-id", "front"])
                for window in [deaf, saver, plain] { try shell.waitForPhase(.frozen, of: window, within: 8) }
                func isThere(_ window: WindowReport) throws -> Bool { kill(try #require(window.pid), 0) == 0 }
                // A warning ends nobody.
                try write(some: 8_000_000, full: 5_000_000, to: path)
                sleep(3)
                for window in [deaf, saver, plain, kept, front] { #expect(try isThere(window)) }
                var full: UInt64 = 5_000_000
                for (next, left) in [(saver, [plain, deaf]), (plain, [deaf]), (deaf, [])] {
                    full += 2_000_000
                    try write(some: 8_000_000 + full, full: full, to: path)
                    try shell.wait("the end of \(next.app)", within: 8) { try !isThere(next) }
                    for window in left + [kept, front] { #expect(try isThere(window), "\(window.app) ended with \(next.app)") }
                }
                #expect(shell.log.components(separatedBy: "memory is short: ").count == 4)
                // Nobody else is frozen: the kernel is not asked any more.
                try write(some: 99_000_000, full: 99_000_000, to: path)
                sleep(3)
                for window in [kept, front] { #expect(try isThere(window)) }
                shell.expectAlive()
            }
        }

        // MARK: The shell's own

        @Test(
            "pictures of windows that were shown small, and of views that were open, are given back at rest, while an app draws; the kinds are reported"
        )
        func picturesGoAtRest() throws {
            try ShellUnderTest.with(size: "2360x1640", scale: 2, showsInstalledApps: true) { shell in
                for _ in 0..<3 { try shell.open("foot", of: "foot") }
                // It draws ten times a second.
                try shell.open("foot", of: "foot", ["-e", "sh", "-c", "while :; do date +%N; sleep 0.1; done"])
                try shell.perform(.appSwitcher)
                try shell.wait("the pictures of the app switcher") { try shell.statistics().memory.smallWindows > 0 }
                let seen = try shell.statistics().memory
                #expect(
                    seen.texts > 0 && seen.wallpaper > 0 && seen.anonymous > 1 << 20 && seen.heapUsed > 1 << 20 && seen.clientObjects > 20)
                try shell.perform(.appSwitcher)
                for turns in [1, 2, 0] {
                    try shell.perform(.rotate(turns))
                    for action in [Action.home, .keyHelp, .dismiss, .controlCentre, .dismiss, .appSwitcher, .dismiss] {
                        try shell.perform(action)
                        try shell.settle()
                    }
                }
                try shell.perform(.focus(window: try shell.state().windows[0].id))
                func own(_ memory: MemoryReport) -> UInt64 { memory.icons + memory.placeholders + memory.texts + memory.otherPictures }
                // The window covers everything else.
                let most = UInt64(PictureMemory.spareAtRest) + 64 << 10
                try #require(try own(shell.statistics().memory) > most, "\(seen)")
                try shell.wait("the pictures to go", within: 15) {
                    let memory = try shell.statistics().memory
                    return memory.smallWindows == 0 && own(memory) <= most
                }
                // Painting it again would take longer than a frame has.
                #expect(try shell.statistics().memory.wallpaper >= 2360 * 1640 * 4)
                // What was given back is painted again.
                try shell.perform(.appSwitcher)
                try shell.wait("the pictures of the app switcher") { try shell.statistics().memory.smallWindows > 0 }
            }
        }

        // MARK: The kernel's own way

        /// A memory group below the test's own, of cgroup1 or cgroup2; nil where it may not be made.
        private static func group(megabytes: Int) -> String? {
            guard let own = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else { return nil }
            for line in own.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3 else { continue }
                let isOld = parts[1].split(separator: ",").contains("memory")
                guard isOld || parts[0] == "0" else { continue }
                let root = isOld ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup"
                let folder = "\(root)\(parts[2] == "/" ? "" : parts[2])/mullion-test-\(getpid())"
                guard mkdir(folder, 0o755) == 0 else { continue }
                let limit = "\(folder)/\(isOld ? "memory.limit_in_bytes" : "memory.max")"
                if access(limit, W_OK) == 0, (try? "\(megabytes << 20)".write(toFile: limit, atomically: false, encoding: .utf8)) != nil {
                    return folder
                }
                rmdir(folder)
            }
            return nil
        }

        private static let canLimit: Bool = {
            guard let folder = group(megabytes: 64) else { return false }
            rmdir(folder)
            return true
        }()

        @Test(
            "S-08: an app that eats all memory ends, and the shell and other apps live",
            .enabled(if: canLimit, "no memory group may be made here"))
        func eater() throws {
            let group = try #require(Self.group(megabytes: 400))
            defer {
                for _ in 0..<100 where rmdir(group) != 0 { usleep(20_000) }
            }
            func score(_ process: Int32) throws -> Int {
                let text = try String(contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8)
                return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            }
            try ShellUnderTest.with(config: quick) { shell in
                try "\(shell.process)".write(toFile: "\(group)/cgroup.procs", atomically: false, encoding: .utf8)
                let other = try shell.open("foot", of: "foot", ["--app-id", "other"])
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: other)
                let eats = "x = []\nwhile True: x.append(bytearray(b'1' * (1 << 20)))"
                let eater = try shell.open(
                    "foot", of: "foot", ["--app-id", "eater", "sh", "-c", "read line; exec python3 -c \"$0\"", eats])
                // It is awake for a while: the program that was started might have been its own.
                try shell.waitForPhase(.frozen, of: other)
                let own = try score(shell.process)
                func scores() throws -> [Int] { try [eater, other].map { try score(try #require($0.pid)) } }
                // The kernel hears of it after the app is frozen.
                try shell.wait("the scores") { try scores() == [min(1000, own + 100), min(1000, own + 600)] }
                #expect(try #require(scores().min()) > own)
                try shell.press("Return")
                try shell.wait("the end of the eater", within: 30) {
                    try !shell.state().windows.contains { $0.id == eater.id && $0.placeholder == nil }
                }
                shell.expectAlive()
                // A frozen app of small size is no use to the kernel; if it goes, its place stays.
                #expect(try shell.state().windows.contains { $0.id == other.id })
                try shell.open("foot", of: "foot")
            }
        }
    }
}
