import Control
import Foundation
import Fuzz
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Clients that attack, use everything up, or do not read (docs/hostility.md).
    @Suite(.serialized) struct HostilityTests {
        private let fast = "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n"

        private static var known: ProtocolDescriptions {
            get throws { try ProtocolDescriptions(own: "\(TestClient.folder)/../../Protocols") }
        }

        private static var folder: String {
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Hostile").path(percentEncoded: false)
        }

        // MARK: Random requests

        /// Every trace that once crashed a shell.
        @Test func whatHasKilledOnce() throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".bytes") }.sorted()
            #expect(!files.isEmpty)
            for file in files {
                let ending = try Replayer.replay(
                    try Trace.read("\(Self.folder)/\(file)"), spawn: ShellUnderTest.program(), known: Self.known)
                #expect(ending == nil, "\(file)")
            }
        }

        /// A trace stays the same when it is written and read again.
        @Test func tracesAreExact() throws {
            let lines = [
                "connect 0", "send 0 0a0b read memory:4096 serial:8:29:0", "raw 0 - null", "flush 0", "flush 0 7", "read 0", "wait 0 9",
                "resize 0 1 0", "deafen 0", "pause 5", "close 0", "session 3", "await 9 12 0", "locked yes", "locked no",
                #"input {"touchDown":{"at":[3,410],"touch":1}}"#, #"input {"penAway":{}}"#,
            ]
            for line in lines { #expect(try Step(line: line[...])?.line == line) }
            #expect(throws: TraceError.self) { try Step(line: "send 0 xyz") }
        }

        /// A new seed each time. `make test-slow` plays fixed ones too, and each for longer. MULLION_SEED replaces the new one.
        @Test func randomRequestsOfManyClients() throws {
            try ShellUnderTest.require("xeyes", of: "x11-apps")
            for seed in (TestSeed.isSlow ? [2, 8] : []) + [TestSeed.first] {
                var options = FuzzOptions(seed: seed)
                options.seconds = TestSeed.isSlow ? 20 : 3
                options.folder = NSTemporaryDirectory()
                options.stopsAtFirst = true
                var said: [String] = []
                let fuzzer = try Fuzzer(
                    options, spawn: ShellUnderTest.program(), beside: ["sh", "-c", "xeyes & exec xclock"], known: Self.known
                ) { said.append($0) }
                let finds = try fuzzer.run()
                #expect(finds.isEmpty, "MULLION_SEED=\(seed): \(finds.map(\.description)) \(said)")
                print("random requests: \(said.joined(separator: "; "))")
            }
        }

        /// The same with lockers: what one of them has locked stays locked until another one unlocks it.
        @Test(.enabled(if: TestSeed.isSlow, "make test-slow")) func randomRequestsOfLockers() throws {
            var options = FuzzOptions(seed: TestSeed.first)
            options.seconds = 20
            options.locks = true
            options.folder = NSTemporaryDirectory()
            options.stopsAtFirst = true
            var said: [String] = []
            let finds = try Fuzzer(options, spawn: ShellUnderTest.program(), known: Self.known) { said.append($0) }.run()
            #expect(finds.isEmpty, "MULLION_SEED=\(options.seed): \(finds.map(\.description)) \(said)")
            print("random requests of lockers: \(said.joined(separator: "; "))")
        }

        /// It is a finding if a shell is not locked although the trace requires it.
        @Test func aLockThatIsNotThereIsFound() throws {
            let steps = [Step.connect(0), .close(0), .locked(true)]
            let ending = try Replayer.replay(steps, spawn: ShellUnderTest.program(), known: Self.known)
            #expect(ending == "the screen is not locked though nobody unlocked it")
        }

        // MARK: Limits

        private static let limits = [
            ("surfaces", "4096 surfaces"), ("windows", "256 windows"), ("popups", "256 popups"), ("pools", "2048 shm pools"),
            ("depth-from-above", "64 subsurfaces in each other"), ("depth-from-below", "64 subsurfaces in each other"),
            ("shared-memory", "4294967296 bytes of shared memory"), ("callbacks", "8192 unanswered callbacks"),
            ("rectangles", "8192 rectangles in a region"), ("objects", "65536 objects"),
            ("types", "65536 bytes of types of one selection"), ("activation-tokens", "256 activation tokens in 30 s"),
            ("inhibitors", "1024 idle inhibitors"), ("cached-commits", "1024 commits of a subsurface that wait for its parent's"),
            ("cached-rectangles", "65536 rectangles in commits that wait"), ("devices", "128 virtual input devices"),
            ("keymaps", "16 keymaps in a second"), ("selections", "131072 bytes of types of selections in a second"),
            ("pastes", "65536 bytes of types asked for in a second"),
            ("configures", "1024 unanswered configures of a surface"), ("layers", "128 layer surfaces"),
            ("session-windows", "512 windows in sessions"),
            ("contexts", "64 security contexts of one process"),
        ]

        @Test func tooMuchForOneClient() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let bystander = try TestClient(shell)
                let script = "\(TestClient.folder)/abuse.py"
                let known = try shell.run(["python3", script, "--list"]).output.split(separator: "\n").filter { $0.hasPrefix("limit-") }
                #expect(Set(known.map { $0.dropFirst(6) }) == Set(Self.limits.map { $0.0[...] } + ["connections"]))
                for (way, limit) in Self.limits {
                    let begin = shell.log.count
                    let (_, output) = try shell.run(["python3", script, "limit-\(way)"], within: 60)
                    #expect(output.contains("limit of one client: \(limit)"), "\(way): \(output)")
                    try shell.wait("the log to name \(limit)") {
                        shell.log.dropFirst(begin).contains("is disconnected: more than \(limit)")
                    }
                    #expect(shell.log.dropFirst(begin).contains("(process "))
                    try shell.wait("the windows of \(way) to go", within: 20) { try shell.state().windows.count == 1 }
                    try shell.settle()
                    try shell.expectShown(bystander.id)
                }
            }
        }

        /// One process cannot use up all descriptors. Without a free one nobody could connect, and the shell would
        /// retry forever.
        @Test func tooManyConnections() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let bystander = try TestClient(shell)
                let descriptors = { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(shell.process)/fd").count }
                let before = try descriptors()
                let (status, output) = try shell.run(["python3", "\(TestClient.folder)/abuse.py", "limit-connections"], within: 120)
                #expect(status == 0 && output.contains("limit: 128 connections of one process"), "\(output)")
                #expect(shell.log.contains("turned away: more than 128 connections of one process"))
                try shell.wait("the descriptors to come back") { try descriptors() < before + 8 }
                _ = try TestClient(shell)
                _ = try bystander.mark()
            }
        }

        /// A process may usually have 1024 open files, and the shell needs two per client. Launched programs keep the
        /// usual limit.
        @Test func theShellMayOpenMoreFilesThanItsPrograms() throws {
            try ShellUnderTest.with(config: fast) { shell in
                func files(_ process: Int32) throws -> [Substring] {
                    let line = shell.text(of: "/proc/\(process)/limits").split(separator: "\n").first { $0.hasPrefix("Max open files") }
                    return try #require(line).split(separator: " ").dropFirst(3).map { $0 }
                }
                let own = try files(getpid()), program = try files(#require(try shell.open("foot", of: "foot").pid))
                let most = min(16384, Int(own[1]) ?? .max)
                #expect(try Int(files(shell.process)[0]) == max(most, Int(own[0]) ?? 0))
                #expect(program[0] == own[0], "\(program)")
            }
        }

        /// Before, the loop served no client until the whole picture was averaged: ten seconds with a debug build.
        @Test func aHugePictureHoldsUpNobody() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let before = try shell.statistics().cpuNanoseconds
                let (status, output) = try shell.run(["python3", "\(TestClient.folder)/abuse.py", "huge-picture"], within: 120)
                let work = Double(try shell.statistics().cpuNanoseconds - before) / 1e6
                let slowest = output.split(separator: "slowest in ").last.flatMap { Double($0.prefix { $0.isNumber }) }
                #expect(status == 0)
                #expect(try #require(slowest, "\(output)") < max(work / 2, 1000), "\(output), \(work) ms of work in all")
            }
        }

        /// Law 4: what a virtual pointer held is released when its client disconnects.
        @Test func buttonsOfAPointerThatIsGone() throws {
            try ShellUnderTest.with(config: fast) { shell in
                _ = try shell.run(["python3", "\(TestClient.folder)/abuse.py", "buttons-never-released"], within: 30)
                try shell.wait("its window to go") { try shell.state().windows.isEmpty }
                let client = try TestClient(shell)
                let mark = try client.mark()
                try shell.click(Point(400, 300))
                try shell.click(Point(500, 400))
                try client.waitFor("wl_pointer.button", since: mark)
                _ = try client.mark()
                #expect(try client.events(since: mark, "wl_pointer.button").compactMap { $0.a[3]?.integer } == [1, 0, 1, 0])
            }
        }

        /// Law 4: and the same for the keys of a virtual keyboard.
        @Test func keysOfAKeyboardThatIsGone() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let client = try TestClient(shell)
                let mark = try client.mark()
                let other = try shell.start(["python3", "\(TestClient.folder)/held_keys.py", "30", "48"])
                func keys() throws -> [[Int64]] {
                    _ = try client.mark()
                    return try client.events(since: mark, "wl_keyboard.key").map { [$0.a[2]?.integer ?? 0, $0.a[3]?.integer ?? 0] }
                }
                try shell.wait("the keys") { try keys() == [[30, 1], [48, 1]] }
                kill(other.process, SIGKILL)
                try shell.wait("their releases") { try keys() == [[30, 1], [48, 1], [48, 0], [30, 0]] }
            }
        }

        /// wlroots keeps a descriptor for each unanswered request for the X11 clipboard.
        @Test func theClipboardOfAStoppedX11Program() throws {
            try ShellUnderTest.require("xclip", of: "xclip")
            try ShellUnderTest.with(config: fast) { shell in
                try shell.open("xeyes", of: "x11-apps")
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (_, output) = try shell.run(
                    ["env", "DISPLAY=\(display)", "python3", "\(TestClient.folder)/clipboard.py", "200", "\(shell.process)"], within: 90)
                let more = output.split(separator: "\"more\": ").last.flatMap { Int($0.prefix { $0.isNumber }) }
                let kept = try #require(more, "\(output)")
                #expect(kept > 0 && kept <= 64 + 4, "\(output)")
                #expect(output.contains("\"pasted\": \"copied\""), "\(output)")
            }
        }

        // MARK: Clients that do not read (law 7)

        /// Stopped while the pointer moves over it, keys are typed and its window changes: it survives, and gets the
        /// current state when it continues.
        @Test func aStoppedClient() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let client = try TestClient(shell)
                try shell.client.input(.pointerMotion(at: Point(300, 300)))
                try client.waitFor("wl_pointer.enter")
                let mark = try client.mark()
                client.signal(SIGSTOP)
                for step in 0..<5000 {
                    try shell.client.input(.pointerMotion(at: Point(200 + Double(step % 500), 200 + Double(step % 300))))
                    if step % 10 == 0 { try shell.client.input(.press(keys: "a")) }
                    if step % 50 == 0 {
                        for pressed in [true, false] { try shell.client.input(.pointerButton(button: .left, pressed: pressed)) }
                    }
                    if step % 25 == 0 { try shell.client.input(.tap(at: Point(500, 500), hold: 0)) }
                }
                try shell.client.input(.pointerMotion(at: Point(777, 333)))
                client.signal(SIGCONT)
                try shell.wait("the last place of the pointer") {
                    try client.events(since: mark, "wl_pointer.motion", "wl_pointer.enter").last.map { "\($0.a)" }?.contains("777") ?? false
                }
                let keys = try client.events(since: mark, "wl_keyboard.key")
                #expect(keys.count % 2 == 0 && keys.count < 1000, "what begins ends, and not all came")
                let buttons = try client.events(since: mark, "wl_pointer.button")
                #expect(buttons.count % 2 == 0)
                #expect(try client.events(since: mark, "wl_touch.down").count == client.events(since: mark, "wl_touch.up").count)
                // It works as before.
                let later = try client.mark()
                try shell.client.input(.press(keys: "b"))
                try client.waitFor("wl_keyboard.key", since: later)
                #expect(try shell.state().windows.count == 1)
            }
        }

        /// Its window gets many sizes while it is stopped. It draws the last one when it continues.
        @Test func aStoppedClientIsResized() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let client = try TestClient(shell, to: .splitView(.right))
                let mark = try client.mark()
                client.signal(SIGSTOP)
                for turn in 0..<1200 {
                    try shell.client.perform(.divider(fraction: turn % 2 == 0 ? 1.0 / 3 : 0.5))
                }
                try shell.client.perform(.divider(fraction: 2.0 / 3))
                client.signal(SIGCONT)
                try shell.wait("its answer", within: 10) { try client.report.answered == client.report.configured }
                #expect(try client.events(since: mark, "xdg_surface.configure").count < 1000, "not all of them were sent")
                try shell.settle()
                try shell.expectPlaces([other.id: .splitLeft, client.id: .splitRight])
                try shell.expectShown(client.id)
            }
        }

        /// A real terminal, stopped in the same way.
        @Test func aStoppedTerminal() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let window = try shell.open("foot", of: "foot")
                let process = try #require(window.pid)
                kill(process, SIGSTOP)
                for step in 0..<5000 {
                    try shell.client.input(.pointerMotion(at: Point(200 + Double(step % 500), 200 + Double(step % 300))))
                }
                kill(process, SIGCONT)
                usleep(300_000)
                try shell.settle()
                #expect(kill(process, 0) == 0)
                try shell.expectShown(window.id)
            }
        }

        // MARK: Fairness

        /// Another client gets its frame callbacks while one floods the shell. The bound is far above what is measured on a quiet
        /// machine: it distinguishes slow from starved.
        @Test(.enabled(if: TestSeed.isSlow, "make test-slow"), arguments: Flood.Kind.allCases)
        func othersAreServedInAFlood(kind: Flood.Kind) throws {
            let seconds = 2.0
            let figures = try Flood.measure(kind, seconds: seconds, spawn: ShellUnderTest.program(), known: Self.known)
            #expect(Double(figures.waits.count) >= 2.5 * seconds, "\(figures.waits)")
            #expect(figures.median < 1000, "\(figures.waits)")
        }
    }
}
