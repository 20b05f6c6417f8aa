import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// A locked session whose shell is killed: the next shell begins locked, and starts the configured locker.
    @Suite(.serialized) struct AbandonedLockTests {
        private static let blue = Picture.Pixel(0x336699)
        /// A locker that the shell starts. It does what the lines of `{room}/commands` say.
        private static let locker = """
            launch = []
            reduced-motion = true
            [lock]
            command = ["python3", "\(TestClient.folder)/locker.py", "hold", "{room}/locker.log", "{room}/commands"]

            """
        private static let without = "launch = []\nreduced-motion = true\n[lock]\ncommand = [\"sleep\", \"60\"]\n"

        /// A folder for what shells keep, one after the other.
        private func withState(_ body: (String) throws -> Void) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-lock-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try body(folder)
        }

        private func notes(_ state: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(state)/mullion")) ?? []).filter { $0.hasPrefix("locked-") }
        }

        private func shell(_ state: String, _ config: String, _ options: [String] = [], fault: String? = nil) throws -> ShellUnderTest {
            var environment = ["XDG_STATE_HOME": state]
            environment["MULLION_FAULT"] = fault
            let shell = try ShellUnderTest(config: config, options: options, environment: environment)
            mkfifo("\(shell.room)/commands", 0o600)
            return shell
        }

        private func isDead(_ shell: ShellUnderTest) throws {
            try shell.wait("its death") { shell.ending == "the shell was ended by signal 9" }
        }

        /// A session with a window of one colour and a title, locked, and kept.
        private func lockedSession(_ state: String, _ options: [String] = []) throws -> ShellUnderTest {
            let shell = try shell(state, Self.without, options)
            let command = [
                "python3", "\(TestClient.folder)/window.py", "--app-id", "test.diary", "--title", "my-diary", "--colour", "cc4422",
            ]
            try shell.open(command, title: "my-diary")
            try shell.client.waitUntilKept()
            _ = try Locker(shell)
            #expect(notes(state).count == 1)
            return shell
        }

        /// Nothing but what a locked screen shows: black, the locker's colour, or grey words. Every answer hides names.
        private func expectHidden(_ shell: ShellUnderTest) throws {
            let picture = try shell.picture()
            let seen = Set(picture.pixels).map { Picture.Pixel(raw: $0) }
            #expect(seen.allSatisfy { $0 == Self.blue || $0.red == $0.green && $0.green == $0.blue }, "\(seen.count) colours")
            let state = try shell.state()
            #expect(state.locked && state.windows.allSatisfy { $0.title.isEmpty && $0.appID.isEmpty })
            #expect(throws: (any Error).self) { try shell.client.perform(.home) }
            for window in state.windows { #expect(throws: (any Error).self) { _ = try shell.picture(of: window.id) } }
        }

        @Test(
            "a shell that is killed while its session is locked: the next one begins locked, starts the locker, and shows the windows after it unlocks",
            arguments: [
                SIGKILL, SIGTERM,
            ])
        func killed(how: Int32) throws {
            try withState { state in
                let first = try lockedSession(state)
                kill(first.process, how)
                try first.wait("its end") { first.ending != nil }
                #expect(notes(state).count == 1)
                first.clear()

                let second = try shell(state, Self.locker)
                defer { second.clear() }
                for _ in 0..<5 { try expectHidden(second) }
                #expect(second.log.contains("this one begins locked"))
                try second.wait("the locker's picture", within: 20) { try second.picture().singleColour(tolerance: 0) == Self.blue }
                try expectHidden(second)
                #expect(try second.state().windows.map(\.placeholder) == [true], "its program is not started")
                try ShellUnderTest.say("unlock", to: "\(second.room)/commands", second)
                try second.wait("the unlock") { try !second.state().locked }
                _ = try second.waitForWindow(title: "my-diary", timeout: 20_000)
                #expect(notes(state).isEmpty)
                try second.quit()

                let isLocked = try ShellUnderTest.with(config: Self.without, environment: ["XDG_STATE_HOME": state]) {
                    try $0.state().locked
                }
                #expect(!isLocked)
            }
        }

        @Test(
            "while the configured locker does not come, the next shell says that it is locked; any locker takes over; a session without kept windows is locked as well"
        )
        func without() throws {
            try withState { state in
                let first = try lockedSession(state, ["--fresh"])
                kill(first.process, SIGKILL)
                try isDead(first)
                first.clear()
                let second = try shell(state, Self.without, ["--fresh"])
                defer { second.clear() }
                try expectHidden(second)
                let words = try second.views()
                #expect(words.map(\.id) == ["lock/title", "lock/message"])
                try second.wait("the words") { try second.picture().singleColour(tolerance: 0) == nil }
                try second.keepPicture("lock-without")
                // A shell that runs beside it is not locked by its note.
                let isLocked = try ShellUnderTest.with(config: Self.without, environment: ["XDG_STATE_HOME": state]) {
                    try $0.state().locked
                }
                #expect(!isLocked)
                #expect(notes(state).count == 1)
                let locker = try Locker(second)
                try second.wait("the locker's picture") { try second.picture().singleColour(tolerance: 0) == Self.blue }
                try locker.unlock()
                #expect(notes(state).isEmpty)
                try second.quit()
            }
        }

        @Test(
            "killed at the moment of the lock: once the note is there the next shell is locked, before it the locker was told nothing",
            arguments: [
                ("lock.asked", false), ("lock.noted", true), ("lock.ends", true),
            ])
        func moments(fault: String, isLocked: Bool) throws {
            try withState { state in
                let first = try shell(state, Self.without, fault: fault)
                if fault == "lock.ends" {
                    let locker = try Locker(first)
                    try? locker.unlock()
                } else {
                    try first.start([
                        "python3", "\(TestClient.folder)/locker.py", "hold", "\(first.room)/locker.log", "\(first.room)/commands",
                    ])
                }
                try isDead(first)
                #expect(fault == "lock.ends" || !first.text(of: "\(first.room)/locker.log").contains("ext_session_lock_v1.locked"))
                first.clear()
                let second = try shell(state, Self.without)
                defer { second.clear() }
                #expect(try second.state().locked == isLocked)
                if isLocked { try Locker(second).unlock() }
                try second.quit()
            }
        }

        @Test("a damaged note counts; a folder of that name does not")
        func damaged() throws {
            for (make, isLocked) in [({ try Data([0, 255]).write(to: URL(filePath: $0)) }, true), ({ mkdir($0, 0o700) }, false)]
                as [((String) throws -> Void, Bool)]
            {
                try withState { state in
                    mkdir("\(state)/mullion", 0o700)
                    try make("\(state)/mullion/locked-x")
                    let shell = try shell(state, Self.without)
                    defer { shell.clear() }
                    #expect(try shell.state().locked == isLocked)
                    if isLocked { try Locker(shell).unlock() }
                    try shell.quit()
                }
            }
        }

        @Test("a locker that ends is started again after a pause, and programs of the configuration start after the unlock")
        func again() throws {
            try withState { state in
                mkdir("\(state)/mullion", 0o700)
                try Data().write(to: URL(filePath: "\(state)/mullion/locked-x"))
                let config = """
                    launch = [["python3", "\(TestClient.folder)/window.py", "--title", "first"]]
                    [lock]
                    command = ["sh", "-c", "echo started >> {room}/starts; exit 3"]

                    """
                let shell = try shell(state, config, ["--hand-clock"])
                defer { shell.clear() }
                func starts() -> Int { shell.text(of: "\(shell.room)/starts").split(separator: "\n").count }
                try shell.wait("the first start") { starts() == 1 }
                try shell.waitForLog("the locker ended with status 3")
                usleep(200_000)
                #expect(starts() == 1)
                #expect(try shell.views().last?.name.contains("starting") ?? false)
                for (milliseconds, count) in [(1100.0, 2), (2100, 3)] {
                    try shell.client.ask(.clock(.step(milliseconds)))
                    try shell.wait("start \(count)") { starts() == count }
                    try shell.wait("its end") { shell.log.components(separatedBy: "the locker ended with status 3").count == count + 1 }
                }
                #expect(try shell.views().last?.name.contains("does not start") ?? false)
                #expect(try shell.state().windows.isEmpty)
                try Locker(shell).unlock()
                _ = try shell.waitForWindow(title: "first", timeout: 20_000)
                try shell.quit()
            }
        }
    }
}

extension ShellUnderTest {
    /// Writes a line into a fifo that a client reads.
    static func say(_ line: String, to path: String, _ shell: ShellUnderTest) throws {
        var file: Int32 = -1
        try shell.wait("a reader of \(path)", within: 20) {
            file = Glibc.open(path, O_WRONLY | O_NONBLOCK)
            return file >= 0
        }
        defer { close(file) }
        let bytes = Array("\(line)\n".utf8)
        Glibc.write(file, bytes, bytes.count)
    }
}
