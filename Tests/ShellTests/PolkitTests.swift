import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Status
import Testing
import Windows

extension RunningShell {
    /// The agent of polkit, with a stand-in for polkitd and one for its helper.
    @Suite(.serialized) struct PolkitTests {
        private func with(_ config: String = "launch = []\nreduced-motion = true\n", _ body: (ShellUnderTest, SystemService) throws -> Void)
            throws
        {
            let authority = try SystemService("authority.py")
            let environment = authority.environment.merging([
                "MULLION_POLKIT_HELPER": Helper.path("polkit_helper.py"), "XDG_SESSION_ID": "c7",
            ]) { $1 }
            try ShellUnderTest.with(config: config, environment: environment) { shell in
                try shell.wait("the registration") { authority.log.contains("register unix-session c7") }
                try body(shell, authority)
            }
        }

        private func ask(
            _ cookie: String, _ words: String = "Authentication is needed to mount Stick", users: String? = nil, at authority: SystemService
        )
            throws
        {
            let hex = words.utf8.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try authority.tell("ask \(cookie) \(users ?? "\(getuid())") \(hex)")
        }

        private func helpers(_ authority: SystemService) -> [String] {
            ((try? String(contentsOfFile: "\(authority.bus.folder)/helper", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }

        private func isRunning(_ authority: SystemService) -> Bool {
            helpers(authority).filter { $0.hasPrefix("start") }.compactMap { $0.split(separator: " ").last.flatMap { Int32($0) } }
                .contains { kill($0, 0) == 0 }
        }

        private func says(_ words: String, _ shell: ShellUnderTest) throws {
            try shell.wait("the words \"\(words)\"", within: 10) { try shell.views().contains { $0.name.contains(words) } }
        }

        /// A person sees the question, and then types.
        private func look(_ shell: ShellUnderTest) throws {
            try shell.waitForView("prompt/prompt-secret", within: 10)
            usleep(800_000)
        }

        private func closes(_ shell: ShellUnderTest) throws { try shell.wait("the end of the question") { try !shell.isOpen("prompt") } }

        @Test("X-10: by keys: a wrong password is said to be wrong, the right one is the end; the secret is in no recording and no event")
        func keys() throws {
            try with { shell, authority in
                try ask("one", at: authority)
                try look(shell)
                try says("Authentication is needed to mount Stick", shell)
                try says("python3", shell)
                try shell.keepPicture("polkit")
                try shell.client.input(.type(text: "battery staple"))
                try shell.press("Return")
                try says("2 attempts left", shell)
                try shell.keepPicture("polkit-wrong")
                #expect(helpers(authority).contains("answer battery staple"))
                #expect(authority.log.contains { $0.hasPrefix("one") } == false, "polkitd waits")
                usleep(300_000)
                try shell.client.input(.type(text: "correct horse"))
                try shell.press("Return")
                try shell.wait("the answer") { authority.log.contains("one yes") }
                try closes(shell)
                let recording = shell.text(of: "\(shell.room)/session.jsonl")
                #expect(!recording.contains("staple") && !shell.log.contains("staple") && !shell.log.contains("horse"))
                try shell.wait("the helpers to end") { !isRunning(authority) }
            }
        }

        @Test("X-10: by touch and by script: Cancel is the end at once, the helper with it; OK is dead while nothing is written")
        func cancels() throws {
            try with { shell, authority in
                try ask("one", at: authority)
                try look(shell)
                #expect(throws: (any Error).self) { try shell.perform(.prompt(.answer)) }
                try shell.press("Return")
                #expect(!helpers(authority).contains { $0.hasPrefix("answer") }, "an empty field is never sent")
                try shell.touch("prompt/cancel")
                try shell.wait("the refusal") { authority.log.contains("one org.freedesktop.PolicyKit1.Error.Cancelled") }
                try closes(shell)
                try shell.wait("the helper to end") { !isRunning(authority) }
                // A hanging helper ends, too.
                try ask("hang", at: authority)
                try shell.waitForView("prompt/cancel", within: 10)
                try shell.wait("the helper to hang") { isRunning(authority) }
                try shell.perform(.prompt(.cancel))
                try shell.wait("the refusal") { authority.log.contains("hang org.freedesktop.PolicyKit1.Error.Cancelled") }
                try shell.wait("the helper to end") { !isRunning(authority) }
                // So does one that fails whatever is done.
                try ask("broken", at: authority)
                try shell.wait("the refusal") { authority.log.contains("broken org.freedesktop.PolicyKit1.Error.Failed") }
                #expect(helpers(authority).count { $0.hasPrefix("start") && $0.contains("broken") } == 3)
                try closes(shell)
            }
        }

        @Test("X-10: two questions come one after the other; polkitd takes the second one back, and a finger answers a third")
        func line() throws {
            try with { shell, authority in
                try ask("one", "First", at: authority)
                try ask("two", "Second", at: authority)
                try ask("finger", "Third", at: authority)
                try look(shell)
                try says("First", shell)
                #expect(helpers(authority).count { $0.hasPrefix("start") } == 1, "a helper starts when a person sees its question")
                try authority.tell("cancel two")
                try shell.wait("the end of the second") { authority.log.contains("two org.freedesktop.PolicyKit1.Error.Cancelled") }
                try shell.perform(.prompt(.cancel))
                try says("Third", shell)
                try says("Place your finger on the reader — or wait", shell)
                try shell.press("Return")
                try ShellUnderTest.write("", to: "\(authority.bus.folder)/finger")
                try shell.wait("the answer") { authority.log.contains("finger yes") }
                try closes(shell)
            }
        }

        @Test("X-10: polkitd goes with a question open, and comes back: the question closes, and the agent registers again")
        func returns() throws {
            try with { shell, authority in
                try ask("one", at: authority)
                try look(shell)
                try authority.tell("leave")
                try closes(shell)
                try authority.tell("return")
                try shell.wait("the second registration") { authority.log.count { $0.hasPrefix("register") } == 2 }
                try ask("two", at: authority)
                try look(shell)
                try shell.client.input(.type(text: "correct horse"))
                try shell.touch("prompt/ok")
                try shell.wait("the answer") { authority.log.contains("two yes") }
            }
        }

        @Test("law 12: a question in a locked session waits, and nothing of it is shown; its helper starts after the unlocking")
        func locked() throws {
            try with { shell, authority in
                try ask("one", at: authority)
                try look(shell)
                try shell.client.input(.type(text: "corr"))
                let locker = try Locker(shell)
                #expect(try shell.views().isEmpty)
                try shell.wait("the helper to end") { !isRunning(authority) }
                let before = helpers(authority).count
                try ask("two", at: authority)
                #expect(throws: (any Error).self) { try shell.perform(.prompt(.cancel)) }
                usleep(300_000)
                #expect(try shell.views().isEmpty)
                #expect(helpers(authority).count == before)
                try locker.unlock()
                try look(shell)
                // The half of a password is gone.
                try shell.client.input(.type(text: "correct horse"))
                try shell.press("Return")
                try shell.wait("the answer") { authority.log.contains("one yes") }
                try shell.waitForView("prompt/cancel", within: 10)
                try shell.perform(.prompt(.cancel))
                try closes(shell)
            }
        }

        @Test("X-10: keys that were under way to an app do nothing: no Return, no Escape, no letter, until there is a pause")
        func underWay() throws {
            try with { shell, authority in
                let app = try TestClient(shell)
                let mark = try app.mark()
                try shell.client.input(.type(text: "ls"))
                try ask("one", at: authority)
                try shell.wait("the question") { try shell.isOpen("prompt") }
                for keys in ["x", "Return", "Escape", "Return"] { try shell.press(keys) }
                #expect(try shell.isOpen("prompt"), "Escape was meant for the app")
                usleep(200_000)
                #expect(!helpers(authority).contains { $0.hasPrefix("answer") })
                try look(shell)
                try shell.client.input(.type(text: "correct horse"))
                try shell.press("Return")
                try shell.wait("the answer") { authority.log.contains("one yes") }
                #expect(helpers(authority).filter { $0.hasPrefix("answer") } == ["answer correct horse"])
                // The app gets no sign of it.
                let keys = try app.events(since: mark).filter { $0.name == "wl_keyboard.key" }.count
                #expect(keys == 4, "the app heard \(keys) keys")
            }
        }

        @Test("X-10: another person is chosen: the helper starts anew for them")
        func identities() throws {
            try with { shell, authority in
                try ask("one", users: "0,\(getuid() == 0 ? 1 : getuid())", at: authority)
                try look(shell)
                let first = try shell.view("prompt/identity").name
                try shell.touch("prompt/identity")
                try shell.wait("the other helper") { helpers(authority).count { $0.hasPrefix("start") } == 2 }
                try look(shell)
                #expect(try shell.view("prompt/identity").name != first)
                #expect(helpers(authority).compactMap { $0.split(separator: " ").dropFirst().first }.count == 2)
                try shell.perform(.prompt(.cancel))
            }
        }
    }
}
