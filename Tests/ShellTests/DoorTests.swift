import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing

extension RunningShell {
    /// Access from outside: other users of the machine, web pages, and what apps can learn.
    @Suite(.serialized) struct DoorTests {
        /// Runs `doors.py` as `nobody` if possible, else as this user.
        private func doors(_ shell: ShellUnderTest, asNobody: Bool = true, _ words: String...) throws -> [String: (
            number: Int, text: String
        )] {
            let script = try String(contentsOfFile: "\(TestClient.folder)/doors.py", encoding: .utf8)
            let nobody = asNobody && getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []
            let (status, output) = try shell.run(nobody + ["/usr/bin/python3", "-c", script] + words, within: 60)
            guard status == 0, let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: [Any]] else {
                throw ShellUnderTest.Failure("doors.py ended with \(status):\n\(output.suffix(2000))")
            }
            return object.mapValues { ($0[0] as? Int ?? -1, $0[1] as? String ?? "") }
        }

        private func withView(logLevel: String = "info", _ body: (ShellUnderTest, _ port: String, _ secret: String) throws -> Void) throws {
            try ShellUnderTest.require("wayvnc", of: "wayvnc")
            try ShellUnderTest.with(config: "launch = []\nlog-level = \"\(logLevel)\"\n", options: ["--remote-view", "auto"]) { shell in
                try shell.waitForLog("open http://127.0.0.1:")
                let match = try #require(shell.log.firstMatch(of: #/open http://127\.0\.0\.1:([0-9]+)/([0-9a-f]{32})/ in a browser/#))
                try body(shell, String(match.1), String(match.2))
            }
        }

        @Test("only the URL gives access to the remote view, not another user's request or a web page")
        func remoteView() throws {
            try withView { shell, port, secret in
                let answers = try doors(shell, "view", port, secret)
                for way in ["right", "right origin", "forwarded"] {
                    #expect(answers[way]?.number == 101 && answers[way]?.text == "RFB 003.008", "\(way): \(answers[way]!)")
                }
                // A reply to the ping, and the server's reply to the greeting.
                #expect(answers["spoken"]?.text == "8a00" + "82020101")
                #expect(answers["entrance"]?.number == 302)
                #expect(answers["entrance"]?.text == "/\(secret)/screen.html")
                #expect(answers["page"]?.number == 200 && answers["part"]?.number == 200)
                for way in [
                    "no secret", "no secret, page", "wrong secret", "short secret", "empty secret", "secret in the query", "foreign host",
                    "foreign host, page", "host like ours", "foreign origin", "no origin's", "another port's", "two hosts", "two origins",
                ] {
                    #expect(answers[way]?.number == 403, "\(way): \(answers[way]!)")
                }
                #expect(answers["upwards"]?.number == 404 && answers["hidden"]?.number == 404)
                #expect(answers["not GET"]?.number == 405 && answers["VNC"]?.number == 400)
                // No other user can read it from the list of processes.
                for folder in try FileManager.default.contentsOfDirectory(atPath: "/proc") where folder.allSatisfy(\.isNumber) {
                    #expect(!shell.text(of: "/proc/\(folder)/cmdline").contains(secret), "process \(folder)")
                }
                shell.expectAlive()
            }
        }

        /// Law 4. wayvnc keeps its devices when a viewer goes, so nothing else would release what the viewer holds.
        @Test("the button and the key of a viewer that is cut off during a drag are released", arguments: ["fin", "rst", "bye"])
        func cutViewer(how: String) throws {
            try withView { shell, port, secret in
                let client = try TestClient(shell)
                let mark = try client.mark()
                _ = try doors(shell, asNobody: false, "cut", port, secret, how)
                func presses(_ kind: String) throws -> [Int64] { try client.events(since: mark, kind).compactMap { $0.a[3]?.integer } }
                try shell.wait("the release of the button and the key", within: 10) {
                    _ = try client.mark()
                    return try presses("wl_pointer.button") == [1, 0] && presses("wl_keyboard.key") == [1, 0]
                }
            }
        }

        /// wayvnc may end when the screen is turned.
        @Test("the page in a browser connects again by itself when the VNC server has ended")
        func pageConnectsAgain() throws {
            try ShellUnderTest.require("firefox-esr", of: "firefox-esr")
            try withView { shell, port, secret in
                // The connections to the VNC server, by the numbers of their sockets.
                func connections() -> [String] {
                    var found: [String] = []
                    for line in shell.text(of: "/proc/net/unix").split(separator: "\n") where line.hasSuffix("/mullion-view-\(port)/vnc") {
                        let words = line.split(separator: " ")
                        if words.count > 6, words[5] == "03" { found.append(String(words[6])) }
                    }
                    return found
                }
                let profile = "\(shell.room)/home/profile"
                mkdir(profile, 0o700)
                let browser = try shell.start(
                    ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "http://127.0.0.1:\(port)/\(secret)/"])
                defer { shell.signal(browser.process, SIGKILL) }
                try shell.wait("the page's connection", within: 60) { connections().count == 1 }
                let first = connections()
                for folder in try FileManager.default.contentsOfDirectory(atPath: "/proc") where folder.allSatisfy(\.isNumber) {
                    let words = shell.text(of: "/proc/\(folder)/cmdline").split(separator: "\0")
                    if words.first == "wayvnc", words.contains(where: { $0.hasSuffix("/mullion-view-\(port)/vnc") }) {
                        kill(Int32(folder)!, SIGKILL)
                    }
                }
                try shell.waitForLog("wayvnc ended and was started again")
                try shell.wait("the page's next connection", within: 30) {
                    let now = connections()
                    return now.count == 1 && now != first
                }
            }
        }

        @Test("each start has a new secret, logs it at any level, and hides it from apps")
        func secrets() throws {
            var seen: Set<String> = []
            for level in ["info", "critical"] {
                try withView(logLevel: level) { shell, _, secret in
                    seen.insert(secret)
                    try shell.perform(.launch(command: ["sh", "-c", "env > \(shell.room)/told; echo end >> \(shell.room)/told"]))
                    try shell.wait("the app to run") { shell.text(of: "\(shell.room)/told").hasSuffix("end\n") }
                    #expect(!shell.text(of: "\(shell.room)/told").contains(secret))
                }
            }
            #expect(seen.count == 2)
        }

        @Test("hundreds of connections and long, slow requests block neither the shell nor a user with the URL")
        func flood() throws {
            try withView { shell, port, secret in
                let open = { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(shell.process)/fd").count }
                let before = try open()
                let answers = try doors(shell, "flood", port, secret)
                #expect(answers["long"]?.number == 431)
                #expect(answers["right"]?.number == 101 && answers["right"]?.text == "RFB 003.008", "\(answers)")
                #expect(answers["dropped"]?.number == 1 && answers["seconds"]!.number < 20, "\(answers)")
                // None of the 400 reached the shell. A shell that has just started opens a few files itself.
                #expect(try open() <= before + 40)
                shell.expectAlive()
            }
        }

        /// Another user's program reaches the sockets only if someone opens the folder, as this test does.
        @Test(
            "programs of other users are turned away at the Wayland and the control socket, root's are let in at the first",
            .enabled(if: getuid() == 0))
        func otherUsers() throws {
            try ShellUnderTest.with { shell in
                let wayland = "\(shell.runtime)/\(ShellUnderTest.socket)"
                let folder = String(shell.controlPath.dropLast("/control.sock".count))
                let own = try doors(shell, asNobody: false, "wayland", wayland)["globals"]
                #expect(own!.number > 10 && own?.text == "")
                #expect(try doors(shell, asNobody: false, "control", shell.controlPath)["control"]!.text.contains("\"ok\""))
                for path in [shell.room, shell.runtime, folder] { chmod(path, 0o755) }
                for path in [wayland, shell.controlPath] { chmod(path, 0o777) }
                let other = try doors(shell, "wayland", wayland)["globals"]
                #expect(other?.number == 0 && other?.text == "this session belongs to another user", "\(other!)")
                #expect(try doors(shell, "control", shell.controlPath)["control"]?.text == "")
                #expect(shell.log.contains("is turned away: it belongs to user 65534"))
                #expect(shell.log.contains("a process of user 65534 was turned away from the control socket"))
                shell.expectAlive()
            }
        }

        @Test("what the shell makes is for its user alone; apps have the mask that it was started with", arguments: ["", "--once"])
        func masks(option: String) throws {
            try ShellUnderTest.with { shell in
                let command =
                    "\(try shell.program) run \(option) --headless --remote-view off --audio off --socket masked --config \(shell.configPath)"
                let other = try shell.start(["sh", "-c", "umask 027; exec \(command) sh -c 'umask > \(shell.room)/mask'"])
                try shell.wait("the app to run", within: 20) { shell.text(of: "\(shell.room)/mask").hasSuffix("\n") }
                #expect(shell.text(of: "\(shell.room)/mask") == "0027\n")
                // The app may run before its launch is over for the shell, which has the app's mask until then.
                if !option.isEmpty {
                    try shell.wait("the shell's own mask") { shell.text(of: "/proc/\(other.process)/status").contains("Umask:\t0077") }
                }
                var socket = stat()
                #expect(stat("\(shell.runtime)/\(ShellUnderTest.socket)", &socket) == 0 && socket.st_mode & 0o077 == 0)
                shell.signal(other.process, SIGTERM)
            }
        }

        @Test("apps get the control socket's path only if the configuration says so")
        func controlSocket() throws {
            try ShellUnderTest.with(environment: ["MULLION_CONTROL": "/that/of/another/shell"]) { shell in
                func told(_ file: String) throws -> String {
                    let path = "\(shell.room)/\(file)"
                    try shell.perform(.launch(command: ["sh", "-c", "echo \"${MULLION_CONTROL-nothing}\" > \(path)"]))
                    try shell.wait("the app to run") { shell.text(of: path).hasSuffix("\n") }
                    return String(shell.text(of: path).dropLast())
                }
                #expect(try told("first") == "nothing")
                try shell.write("launch = []\ntell-control-socket = true\n", to: shell.configPath)
                try shell.waitForLog("the configuration changed")
                #expect(try told("second") == shell.controlPath)
            }
        }

        @Test("a screenshot is written through no link, and is for this user alone")
        func screenshots() throws {
            try ShellUnderTest.with { shell in
                let path = "\(shell.room)/shot.png", victim = "\(shell.room)/victim"
                try shell.write("precious", to: victim)
                for link in ["\(path).part", "\(shell.room)/link.png"] { #expect(symlink(victim, link) == 0) }
                try shell.write("old", to: path)
                chmod(path, 0o644)
                try shell.client.ask(.screenshot(ScreenshotRequest(path: path)))
                var status = stat()
                #expect(
                    lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o600
                        && status.st_size > 100)
                #expect { try shell.client.ask(.screenshot(ScreenshotRequest(path: "\(shell.room)/link.png"))) } throws: {
                    "\($0)".contains("it is a link")
                }
                #expect(shell.text(of: victim) == "precious")
            }
        }
    }
}
