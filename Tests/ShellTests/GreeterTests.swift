import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The greeter with a stand-in for greetd (X-10, decision 0200).
    @Suite(.serialized) struct GreeterTests {
        private static let people = """
            root:x:0:0:root:/root:/bin/sh
            daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
            ann:x:1001:1001:Ann Example,Room 4,,:/home/ann:/bin/sh
            ben:x:1002:1002:Ben Example:/home/ben:/bin/bash
            robot:x:1003:1003:Robot:/home/robot:/usr/sbin/nologin
            nobody:x:65534:65534:nobody:/nonexistent:/bin/sh

            """
        private static let one = "root:x:0:0:root:/root:/bin/sh\nann:x:1001:1001:Ann Example:/home/ann:/bin/sh\n"
        private static let password = [
            "people": ["ann": [["secret", "Password: ", "sesame"]], "ben": [["secret", "Password: ", "tabby"]]]
        ]

        /// A greeter, and the stand-in.
        private struct Desk {
            let shell: ShellUnderTest
            let service: Helper
            let folder: String

            /// The requests that greetd got, without a cancel_session for an attempt that was over already.
            var asked: [[String: Any]] {
                ((try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "").split(separator: "\n").compactMap {
                    try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }
            }

            func plan(_ plan: [String: Any]) throws {
                // Never half a file.
                try JSONSerialization.data(withJSONObject: plan).write(to: URL(filePath: "\(folder)/plan.json"), options: .atomic)
            }

            func has(_ id: String) throws -> Bool { try shell.views().contains { $0.id == id } }
            func words() throws -> String { try shell.views().first { $0.id == "lock/words" }?.name ?? "" }

            func tap(_ id: String) throws {
                try shell.wait("\(id)") { try shell.views().contains { $0.id == id } }
                try shell.tap(try shell.view(id).frame.center)
            }

            func type(_ text: String) throws {
                try shell.wait("the keys") { try has("lock/key/shift") }
                for letter in text {
                    let key = try #require(try shell.views().first { $0.id.hasPrefix("lock/key/") && $0.name == String(letter) })
                    try shell.tap(key.frame.center)
                }
            }

            func answer(_ text: String) throws {
                try type(text)
                try tap("lock/submit")
            }

            func logIn(_ person: String = "ann", _ password: String = "sesame") throws {
                try tap("lock/greeter/person/\(person)")
                try shell.wait("the field") { try has("lock/field") }
                try answer(password)
            }

            /// It may never be open, whatever greetd does.
            func expectShut() throws {
                #expect(try shell.state().locked)
                for action in [Action.home, .launch(command: ["true"]), .lockScreen(.submit), .quit] {
                    #expect(throws: (any Error).self, "\(action)") { try shell.client.perform(action) }
                }
            }
        }

        private static let sessions = [
            "share/wayland-sessions/mullion.desktop":
                "[Desktop Entry]\nType=Application\nName=Mullion\nExec=env mullion-session\nDesktopNames=Mullion\n",
            "share/wayland-sessions/other.desktop":
                "[Desktop Entry]\nType=Application\nName=Other Desktop\nExec=sh -c \"exec other\"\nDesktopNames=Other;wlroots;\n",
            "share/wayland-sessions/broken.desktop": "[Desktop Entry]\nName=Broken\n",
        ]

        private func with(
            _ plan: [String: Any] = password, people: String = people, memory: String? = nil, state: String? = nil, looks: String? = nil,
            ends: Bool = false,
            config: String = "reduced-motion = true\n[lock]\nkeys = \"letters\"\n", _ body: (Desk) throws -> Void
        ) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-greetd-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try JSONSerialization.data(withJSONObject: plan).write(to: URL(filePath: "\(folder)/plan.json"))
            let service = try Helper(script: "greetd.py", [folder], environment: ["PATH": "/usr/bin:/bin"])
            let until = Date().addingTimeInterval(60)
            while !FileManager.default.fileExists(atPath: "\(folder)/log"), Date() < until { usleep(10_000) }
            var files = Self.sessions
            (files["passwd"], files["group"]) = (people, "root:x:0:\n")
            if let memory { files["state/mullion/greeter.json"] = memory }
            var environment = [
                "GREETD_SOCK": "\(folder)/greetd.sock", "LD_PRELOAD": "libnss_wrapper.so", "NSS_WRAPPER_PASSWD": "{room}/passwd",
                "NSS_WRAPPER_GROUP": "{room}/group", "XDG_DATA_DIRS": "{room}/share",
            ]
            if let looks { environment["MULLION_LOOKS"] = looks }
            if let state { environment["XDG_STATE_HOME"] = state }
            let shell = try ShellUnderTest(config: config, environment: environment, files: files, kind: "greeter")
            defer { shell.clear() }
            do {
                try shell.wait("the people") { try shell.views().contains { $0.id == "lock/greeter/other" || $0.id == "lock/field" } }
                try body(Desk(shell: shell, service: service, folder: folder))
                if ends { try shell.awaitEnd() } else { try shell.quit(bySignal: true) }
            } catch {
                throw ShellUnderTest.Failure("\(error)\nThe shell's log ends with:\n\(shell.log.suffix(4000))")
            }
        }

        @Test("the look of the person of the last login is taken over from a file of that person, and from no other")
        func look() throws {
            // Root can give the file to the person; another user has accounts of that number alone.
            let isRoot = getuid() == 0, user = isRoot ? 1001 : getuid()
            let people = "root:x:0:0:root:/root:/bin/sh\nann:x:\(user):1001:Ann:/home/ann:/bin/sh\nben:x:4000:1:Ben:/home/ben:/bin/sh\n"
            let memory =
                #"{"person":"ann","sessions":{},"textScale":1,"isContrasted":false,"readsAloud":false,"showsKeys":false}"#
            let looks = FileManager.default.temporaryDirectory.appending(path: "mullion-looks-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: looks, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: looks) }
            // The writer: an ordinary shell.
            try ShellUnderTest.with(environment: ["MULLION_LOOKS": looks]) { shell in
                try shell.perform(.darkAppearance(true))
                try shell.wait("the look") { shell.text(of: "\(looks)/\(getuid()).json").contains(#"{"darkAppearance":{"_0":true}}"#) }
            }
            let file = "\(looks)/\(user).json"
            func size(_ what: (String) throws -> Void) throws -> String {
                try? FileManager.default.removeItem(atPath: file)
                try what(file)
                var name = ""
                try with(people: people, memory: memory, looks: looks) { desk in
                    try desk.tap("lock/greeter/aids")
                    try desk.shell.wait("the aids") { try desk.has("lock/greeter/text-size") }
                    name = try desk.shell.view("lock/greeter/text-size").name
                }
                return name
            }
            let text = "no JSON\n{\"textSize\":{\"_0\":1.25}}\n{\"future\":1}\n{\"statusBar\":{\"_0\":false}}\n"
            #expect(
                try size {
                    try text.write(toFile: $0, atomically: false, encoding: .utf8)
                    chown($0, uid_t(user), 0)
                }.contains("125 %"))
            // A link, though to a file of the person.
            #expect(
                try size {
                    try text.write(toFile: "\(looks)/other", atomically: false, encoding: .utf8)
                    chown("\(looks)/other", uid_t(user), 0)
                    symlink("\(looks)/other", $0)
                }.contains("100 %"))
            // A file of another person.
            if isRoot { #expect(try size { try text.write(toFile: $0, atomically: false, encoding: .utf8) }.contains("100 %")) }
        }

        private func started(_ desk: Desk) throws -> [String: Any] {
            try desk.shell.wait("start_session") { desk.asked.contains { $0["type"] as? String == "start_session" } }
            return try #require(desk.asked.last { $0["type"] as? String == "start_session" })
        }

        @Test("by finger: a wrong password, then the right one; the session starts with its environment, and the greeter ends with 0")
        func byFinger() throws {
            try with(ends: true) { desk in
                try desk.expectShut()
                let people = try desk.shell.views().filter { $0.id.hasPrefix("lock/greeter/person/") }.map(\.name)
                #expect(people == ["Ann Example", "Ben Example"])
                #expect(desk.shell.log.contains("broken.desktop is left out"))
                try desk.shell.keepPicture("greeter-people")
                try desk.logIn("ann", "guess")
                try desk.shell.wait("the words") { try desk.words().contains("wrong") }
                try desk.expectShut()
                try desk.shell.keepPicture("greeter-wrong")
                try desk.answer("sesame")
                let start = try started(desk)
                #expect(start["cmd"] as? [String] == ["env", "mullion-session"])
                #expect(
                    start["env"] as? [String] == [
                        "XDG_SESSION_TYPE=wayland", "XDG_CURRENT_DESKTOP=Mullion", "XDG_SESSION_DESKTOP=mullion", "DESKTOP_SESSION=mullion",
                    ])
                #expect(
                    desk.asked.prefix(3).map { $0["type"] as? String } == [
                        "create_session", "post_auth_message_response", "cancel_session",
                    ])
                try desk.shell.wait("the end", within: 10) { desk.shell.ending != nil }
                let recording = try String(contentsOfFile: desk.shell.recordingPath, encoding: .utf8)
                #expect(!recording.contains("sesame") && !recording.contains("guess"))
            }
        }

        @Test("going back without an answer begins and ends no talk with PAM, which would count it as a wrong password")
        func goesBack() throws {
            try with(ends: true) { desk in
                for _ in 0..<3 {
                    try desk.tap("lock/greeter/person/ann")
                    try desk.shell.wait("the question") { try desk.has("lock/field") }
                    try desk.tap("lock/close")
                }
                try desk.logIn()
                try desk.shell.wait("start_session") { desk.asked.contains { $0["type"] as? String == "start_session" } }
                #expect(
                    desk.asked.map { $0["type"] as? String } == ["create_session", "post_auth_message_response", "start_session"])
            }
        }

        @Test("another session and another name; the next greeter remembers the person and the session")
        func remembers() throws {
            let state = FileManager.default.temporaryDirectory.appending(path: "mullion-greeter-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: state) }
            try with(state: state, ends: true) { desk in
                try desk.tap("lock/greeter/sessions")
                try desk.tap("lock/greeter/session/other")
                try desk.logIn("ben", "tabby")
                let start = try started(desk)
                #expect(start["cmd"] as? [String] == ["sh", "-c", "'exec other'"])
                #expect((start["env"] as? [String])?.contains("XDG_CURRENT_DESKTOP=Other:wlroots") ?? false)
            }
            try with(state: state) { desk in
                #expect(try desk.shell.view("lock/greeter/sessions").name.contains("Other Desktop"))
                // Return alone means the person of the last time.
                try desk.shell.press("Return")
                try desk.shell.wait("the field") { try desk.has("lock/field") }
                #expect(try desk.shell.view("lock/person").name == "Ben Example")
                try desk.shell.press("Escape")
                try desk.tap("lock/greeter/other")
                try desk.answer("carl")
                try desk.shell.wait("the person") { desk.asked.last?["username"] as? String == "carl" }
                try desk.answer("guess")
                try desk.shell.wait("the words") { try desk.words().contains("wrong") }
                let recording = try String(contentsOfFile: desk.shell.recordingPath, encoding: .utf8)
                #expect(!recording.contains("carl"), "it may have been a password")
            }
            try with(memory: "{]", state: nil) { desk in try desk.shell.waitForLog("greeter.json is ignored") }
        }

        @Test("one person is asked at once, by keys; all four kinds of messages are answered")
        func messages() throws {
            let plan: [String: Any] = [
                "people": [
                    "ann": [
                        ["info", "Welcome to the ward"], ["error", "The disk is old"], ["visible", "Code: ", "12"],
                        ["secret", "Password: ", "sesame"],
                    ]
                ]
            ]
            try with(plan, people: Self.one, ends: true) { desk in
                try desk.shell.wait("the question") { try desk.shell.view("lock/field").name.contains("Code") }
                #expect(try desk.words().contains("Welcome to the ward") && desk.words().contains("The disk is old"))
                try desk.shell.keepPicture("greeter-messages")
                for key in ["1", "2", "Return"] { try desk.shell.press(key) }
                try desk.shell.wait("the second question") { try desk.shell.view("lock/field").name.contains("Password") }
                for key in ["s", "e", "s", "a", "m", "e"] { try desk.shell.press(key) }
                // It may end before it answers.
                try? desk.shell.press("Return")
                _ = try started(desk)
                let answers = desk.asked.filter { $0["type"] as? String == "post_auth_message_response" }.map { $0["response"] as? String }
                #expect(answers == [nil, nil, "12", "sesame"])
            }
        }

        @Test(
            "while greetd hangs, the screen says so, Back works, and the next login succeeds",
            arguments: ["create_session", "post_auth_message_response"])
        func hangs(request: String) throws {
            var plan: [String: Any] = Self.password
            plan["hang"] = request
            try with(plan, ends: true) { desk in
                try desk.tap("lock/greeter/person/ann")
                if request != "create_session" { try desk.answer("sesame") }
                try desk.shell.wait("the words", within: 20) { try desk.words().contains("takes long") }
                try desk.expectShut()
                try desk.tap("lock/close")
                try desk.shell.wait("the people") { try desk.has("lock/greeter/person/ann") }
                try desk.plan(Self.password)
                try desk.logIn()
                _ = try started(desk)
            }
        }

        @Test("while greetd hangs at the start of the session, the screen says so, and Back works")
        func hangsAtStart() throws {
            var plan: [String: Any] = Self.password
            plan["hang"] = "start_session"
            try with(plan) { desk in
                try desk.logIn()
                try desk.shell.wait("the words", within: 20) { try desk.words().contains("takes long") }
                try desk.expectShut()
                try desk.tap("lock/close")
                try desk.shell.wait("the people") { try desk.has("lock/greeter/person/ann") }
                try desk.expectShut()
            }
        }

        @Test(
            "greetd that closes, fails, or sends rubbish or too much is named on the screen, opens nothing, and takes the next login",
            arguments: ["close", "nonsense", "long", "error", "flood"], ["create_session", "post_auth_message_response", "start_session"])
        func lies(what: String, request: String) throws {
            var plan: [String: Any] = Self.password
            plan[what] = request
            try with(plan, ends: true) { desk in
                try desk.tap("lock/greeter/person/ann")
                if request != "create_session" { try desk.answer("sesame") }
                let told = request == "start_session" ? "did not start" : "cannot be reached"
                try desk.shell.wait("the words", within: 20) { try desk.words().contains(told) }
                try desk.expectShut()
                if what == "close", request == "create_session" { try desk.shell.keepPicture("greeter-broken") }
                try desk.plan(Self.password)
                if try desk.has("lock/close") { try desk.tap("lock/close") }
                try desk.logIn()
                _ = try started(desk)
            }
        }

        @Test("a session that does not start is told in greetd's words; without greetd the greeter says so")
        func refused() throws {
            var plan: [String: Any] = Self.password
            plan["start"] = "no seat is free"
            try with(plan) { desk in
                try desk.logIn()
                try desk.shell.wait("the words") { try desk.words().contains("no seat is free") }
                try desk.shell.keepPicture("greeter-refused")
                unlink("\(desk.folder)/greetd.sock")
                try desk.tap("lock/greeter/person/ann")
                // The connection of the first attempt may still be there.
                try desk.expectShut()
            }
            let none = Process()
            none.executableURL = URL(filePath: try ShellUnderTest.program())
            none.arguments = ["greeter", "--headless"]
            none.environment = ["PATH": "/usr/bin:/bin"]
            let pipe = Pipe()
            none.standardError = pipe
            try none.run()
            let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            none.waitUntilExit()
            #expect(none.terminationStatus == 1 && said.contains("GREETD_SOCK is not set") && said.contains("[default_session]"), "\(said)")
        }

        @Test("X-05: larger text, by touch, is there after a kill of the shell; a configured locker and unlock requests change nothing")
        func aids() throws {
            let state = FileManager.default.temporaryDirectory.appending(path: "mullion-greeter-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: state) }
            let config = "launch = [[\"sleep\", \"1\"]]\n[lock]\ncommand = [\"sleep\", \"60\"]\nunlock-by-login-manager = true\n"
            try with(state: state, config: config) { desk in
                try desk.tap("lock/greeter/aids")
                try desk.tap("lock/greeter/text-size")
                try desk.shell.wait("the size") { try desk.shell.view("lock/greeter/text-size").name.contains("150 %") }
                try desk.tap("lock/greeter/contrast")
                try desk.shell.wait("the file") { desk.shell.text(of: "\(state)/mullion/greeter.json").contains("\"isContrasted\":true") }
                try desk.shell.keepPicture("greeter-aids")
                try desk.expectShut()
            }
            try with(state: state, config: config) { desk in
                try desk.tap("lock/greeter/aids")
                try desk.shell.wait("the size") { try desk.shell.view("lock/greeter/text-size").name.contains("150 %") }
                try desk.tap("lock/close")
                try desk.shell.wait("the people") { try desk.has("lock/greeter/person/ann") }
            }
        }
    }
}
