import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// An app that ends each time that it gets its state back (S-04).
    @Suite(.serialized) struct StateCrashTests {
        @Test("S-04: an app that crashes on its own state is opened without it, as the person says, and the state is not lost before")
        func crashes() throws {
            let app = TestApp(
                "test.crash", "Crash",
                command: "/usr/bin/python3 \(TestClient.folder)/life.py crashes --app-id test.crash --log {room}/crash.log")
            try ShellUnderTest.with(apps: [app]) { shell in
                func count(_ word: String) -> Int { shell.text(of: "\(shell.room)/crash.log").split(separator: "\n").count { $0 == word } }
                let first = try shell.openApp("test.crash")
                try shell.wait("its state", within: 8) { count("gave") > 0 }
                kill(try #require(first.pid), SIGKILL)
                try shell.waitUntilGone(first.id)
                for time in 1...3 {
                    try shell.perform(.home)
                    try shell.client.perform(.openApp(app: "test.crash"))
                    try shell.wait("it to get its state, time \(time)", within: 8) { count("restore") == time }
                    try shell.wait("word of its end") { try shell.isOpen("crashing") || shell.isOpen("alert") }
                    #expect(try shell.isOpen("crashing") == (time == 3))
                    if time < 3 { try shell.perform(.dismiss) }
                }
                try shell.settle()
                try shell.keepPicture("crashing")
                try shell.touch("crashing/without")
                try shell.wait("its window", within: 8) {
                    try shell.state().windows.contains { $0.app == "test.crash" && $0.place == .full && $0.placeholder != true }
                }
                #expect(count("fresh") == 2 && count("restore") == 3)
                #expect(try !shell.isOpen("crashing"))
            }
        }

        @Test("W-20: an app whose toolkit keeps its state, and that crashes on it, is told to start without, as the person says")
        func toolkitCrashes() throws {
            let command =
                "/usr/bin/python3 -W ignore \(TestClient.folder)/session.py {room}/said test.editor restore fall -- --commands {room}/commands"
            let app = TestApp("test.editor", "Editor", command: command)
            try ShellUnderTest.with(apps: [app], environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                mkfifo("\(shell.room)/commands", 0o600)
                func answers() -> [[Substring]] {
                    shell.text(of: "\(shell.room)/said").split(separator: "\n").filter { $0.hasPrefix("restore ") }.map {
                        $0.split(separator: " ")
                    }
                }
                func tell(_ line: String) throws {
                    let pipe = try #require(FileHandle(forWritingAtPath: "\(shell.room)/commands"))
                    try pipe.write(contentsOf: Data("\(line)\n".utf8))
                    try pipe.close()
                }
                func end(_ window: WindowReport) throws {
                    kill(try #require(window.pid), SIGKILL)
                    try shell.waitUntilGone(window.id)
                }
                let first = try shell.openApp("test.editor")
                try tell("draft bad")
                try shell.wait("its state") { shell.text(of: "\(shell.room)/said").contains("wrote bad") }
                try end(first)
                for time in 1...3 {
                    try shell.perform(.home)
                    try shell.client.perform(.openApp(app: "test.editor"))
                    try shell.wait("it to get its state, time \(time)", within: 8) { answers().count == 1 + time }
                    #expect(answers().last?[1] == "recover" && answers().last?[3] == "bad")
                    try shell.wait("word of its end") { try shell.isOpen("crashing") || shell.isOpen("alert") }
                    #expect(try shell.isOpen("crashing") == (time == 3))
                    if time < 3 { try shell.perform(.dismiss) }
                }
                try shell.settle()
                try shell.keepPicture("crashing-toolkit")
                let newest = try shell.state().windows.map(\.id).max() ?? WindowID(0)
                try shell.touch("crashing/without")
                let clean = try shell.waitForWindow(after: newest)
                #expect(answers().last?[1] == "pristine" && answers().last?[2] == answers().first?[2])
                // Once. What it writes now it has again.
                try tell("draft good")
                try shell.wait("its state") { shell.text(of: "\(shell.room)/said").contains("wrote good") }
                try end(clean)
                try shell.openApp("test.editor")
                #expect(answers().last?[1] == "recover" && answers().last?[3] == "good")
            }
        }
    }
}
