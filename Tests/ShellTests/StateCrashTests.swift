import Control
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
            let app = TestApp("test.crash", "Crash", command: "/usr/bin/python3 \(TestClient.folder)/life.py crashes --app-id test.crash --log {room}/crash.log")
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
                try shell.wait("its window", within: 8) { try shell.state().windows.contains { $0.app == "test.crash" && $0.place == .full && $0.placeholder != true } }
                #expect(count("fresh") == 2 && count("restore") == 3)
                #expect(try !shell.isOpen("crashing"))
            }
        }
    }
}
