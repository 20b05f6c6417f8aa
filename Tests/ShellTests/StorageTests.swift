import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The data kept for apps, in the settings.
    @Suite(.serialized) struct StorageTests {
        @Test("X-03: what is kept for an app is listed, asked about and deleted by finger: the app opens as new")
        func deletes() throws {
            let app = TestApp(
                "test.crash", "Crash",
                command: "/usr/bin/python3 \(TestClient.folder)/life.py crashes --app-id test.crash --log {room}/crash.log")
            try ShellUnderTest.with(apps: [app]) { shell in
                func count(_ word: String) -> Int { shell.text(of: "\(shell.room)/crash.log").split(separator: "\n").count { $0 == word } }
                let first = try shell.openApp("test.crash")
                try shell.wait("its state", within: 8) { count("gave") > 0 }
                kill(try #require(first.pid), SIGKILL)
                try shell.waitUntilGone(first.id)
                try shell.perform(.controlPage(.storage))
                let more = try shell.waitForView("control-centre/storage/test.crash/more", within: 8)
                try shell.keepPicture("storage")
                try shell.tap(more.frame.center)
                let delete = try shell.waitForView("forget-kept/delete")
                try shell.keepPicture("forget-kept")
                try shell.tap(delete.frame.center)
                try shell.wait("the list without it") { try shell.find("control-centre/storage/test.crash") == nil }
                try shell.perform(.controlCentre)
                #expect(count("fresh") == 1)
                try shell.client.perform(.openApp(app: "test.crash"))
                // It would end itself if it got its state.
                try shell.wait("its new start", within: 8) { count("fresh") == 2 }
                #expect(count("restore") == 0)
            }
        }
    }
}
