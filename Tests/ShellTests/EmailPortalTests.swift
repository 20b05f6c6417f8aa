import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The Email portal with the real xdg-desktop-portal.
    @Suite(.serialized) struct EmailPortalTests {
        private static let config = "launch = []\nreduced-motion = true\n"
        private static let mailer = TestApp(
            "test.mailer", "Postbox", command: "python3 \(TestClient.folder)/share.py --opened {room}/mailed %u", icon: "{room}/green.svg",
            more: "MimeType=x-scheme-handler/mailto;")
        private static let other = TestApp("test.aaa", "Aaa", command: "true %u", more: "MimeType=x-scheme-handler/mailto;")

        private func with(_ body: (PortalSession) throws -> Void) throws {
            try PortalSession.with(
                config: Self.config, apps: [Self.other, Self.mailer],
                files: [
                    "files/A note.txt": "Words.\n",
                    "config/mimeapps.list": "[Default Applications]\nx-scheme-handler/mailto=test.mailer.desktop\n",
                ], body)
        }

        private func mailed(_ shell: ShellUnderTest) throws -> [String] {
            let path = "\(shell.room)/mailed"
            try shell.wait("the mail program", within: 15) { FileManager.default.fileExists(atPath: path) }
            return try JSONDecoder().decode([String].self, from: Data(shell.text(of: path).utf8))
        }

        private func press(_ shell: ShellUnderTest, _ choice: Int, of view: Int) throws {
            _ = try shell.waitForView("modal/\(view)/choice/\(choice)")
            usleep(700_000)
            try shell.tap(try shell.view("modal/\(view)/choice/\(choice)").frame.center)
        }

        @Test("an app begins a mail: a person is asked, and writes it in the program that they chose for mail")
        func mail() throws {
            try with { session in
                let shell = session.shell
                let client = try session.client()
                try client.tell(
                    "mail", "",
                    "{'address': <'ada@example.org'>, 'cc': <['ben+x@example.org']>, 'subject': <'A & B'>, 'body': <'Lunch?\\nYes.'>}")
                _ = try shell.waitForView("modal/1/choice/1")
                try shell.keepPicture("portal-mail")
                #expect(try shell.view("modal/1").name == "Write a Mail in “Postbox”?")
                #expect(try shell.view("modal/1/message").name == "ada@example.org, ben+x@example.org\nA & B")
                // Not wanted.
                try press(shell, 1, of: 1)
                #expect(try client.says("response") == "response 1 {}")
                #expect(!FileManager.default.fileExists(atPath: "\(shell.room)/mailed"))
                try client.tell(
                    "mail", "",
                    "{'address': <'ada@example.org'>, 'cc': <['ben+x@example.org']>, 'subject': <'A & B'>, 'body': <'Lunch?\\nYes.'>}")
                try press(shell, 0, of: 2)
                #expect(try client.says("response") == "response 0 {}")
                #expect(
                    try mailed(shell) == [
                        "mailto:ada@example.org?cc=ben%2Bx@example.org&subject=A%20%26%20B&body=Lunch%3F%0D%0AYes."
                    ])
                shell.expectAlive()
            }
        }

        @Test("files of an app go into the mail, by xdg-email")
        func files() throws {
            try ShellUnderTest.require("xdg-email", of: "xdg-utils")
            try with { session in
                let shell = session.shell, file = "\(shell.room)/files/A note.txt"
                let client = try session.client()
                // Words of the client's commands are divided by spaces.
                let copy = "\(shell.room)/files/note.txt"
                try FileManager.default.copyItem(atPath: file, toPath: copy)
                try client.tell("attach", "", copy, "{'subject': <'Look'>}")
                _ = try shell.waitForView("modal/1/choice/0")
                #expect(try shell.view("modal/1/message").name == "Look\nnote.txt")
                try press(shell, 0, of: 1)
                #expect(try client.says("response") == "response 0 {}")
                let words = try mailed(shell)
                let items = try #require(URLComponents(string: words.first ?? "")?.queryItems, "\(words)")
                #expect(items.filter { $0.name.hasPrefix("attach") }.compactMap(\.value) == [copy], "\(words)")
                #expect(items.first { $0.name == "subject" }?.value == "Look", "\(words)")
                shell.expectAlive()
            }
        }

        @Test("without a mail program an app gets an error, and the log says why; what is no mail is refused")
        func without() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                let client = try session.client()
                try client.tell("mail", "", "{'address': <'ada@example.org'>}")
                #expect(try client.says("response") == "response 2 {}")
                #expect(shell.log.contains("a mail of an app is not begun: no app opens \"mailto:\""))
                let path = "objectpath \"/org/freedesktop/portal/desktop/request/one\""
                for options in [
                    "'address': <'-oProxy@x'>", "'address': <'a@b?attach=/etc/passwd'>", "'subject': <'a\\nb'>", "'attachments': <['x']>",
                    "'attachments': <['https://a/b']>", "'body': <'\(String(repeating: "a", count: 40_000))'>",
                ] {
                    try client.tell("backend", "Email", "ComposeEmail", "(\(path),\"\",\"\",{\(options)})")
                    let says = try client.says("")
                    #expect(
                        options.contains("?attach") ? says == "backend 2 {}" : says.hasPrefix("error"), "\(options.prefix(60)): \(says)")
                }
                shell.expectAlive()
            }
        }
    }
}
