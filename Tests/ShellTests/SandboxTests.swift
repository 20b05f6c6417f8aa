import Control
import Foundation
import Journal
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// What a program in a sandbox can be, keep and ask for: only itself (docs/security.md). `bwrap` is what Flatpak runs its apps
    /// with.
    @Suite(.serialized) struct SandboxTests {
        private static let thief = "\(TestClient.folder)/thief.py"
        private static let victim = "org.example.Victim"
        private static let sandbox = ["bwrap", "--dev-bind", "/", "/", "--die-with-parent"]

        private func with(apps: [TestApp] = [], environment: [String: String] = [:], _ body: (ShellUnderTest) throws -> Void) throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.with(
                apps: apps, config: "launch = []\nreduced-motion = true\n[life]\nfreeze = false\n", environment: environment
            ) { shell in
                // A Flatpak's file with the name of another app.
                try shell.write("[Application]\nname=\(Self.victim)\n", to: "\(shell.room)/forged")
                try body(shell)
            }
        }

        /// A sandbox that shows a file of its own at `/.flatpak-info`.
        private func forged(_ shell: ShellUnderTest) -> [String] {
            var command = ["bwrap", "--die-with-parent", "--tmpfs", "/"]
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/")) ?? []
            for name in folders.sorted() where name != ".flatpak-info" { command += ["--dev-bind-try", "/\(name)", "/\(name)"] }
            return command + ["--ro-bind", "\(shell.room)/forged", "/.flatpak-info"]
        }

        private func context(_ engine: String, _ app: String) -> [String] { ["python3", Self.thief, "context", engine, app, "--"] }

        /// What a program had back that says it is the app, and what it had back again on the same connection.
        private func state(_ shell: ShellUnderTest, _ around: [String] = [], app: String = victim, text: String = "stolen", count: Int = 1)
            throws -> (first: [String], again: [String])
        {
            let command = around + ["python3", Self.thief, "state", app, text, "\(count)"]
            let (status, output) = try shell.run(command, within: 60)
            guard status == 0, let line = output.split(separator: "\n").last else { throw ShellUnderTest.Failure("\(status): \(output)") }
            let answer = try JSON(parsing: Array(line.utf8)).decoded(as: ScriptAnswer.self)
            func texts(_ name: String) -> [String] {
                guard case .array(let all)? = answer.steps?[name] else { return [] }
                return all.compactMap { if case .string(let text) = $0 { text } else { nil } }
            }
            return (texts("restored"), texts("again"))
        }

        @Test("S-04: a sandbox reads, overwrites and displaces nobody's state, whatever it says it is")
        func stateOfOthers() throws {
            try with { shell in
                #expect(try state(shell, text: "mine").first == [])
                func isUntouched() throws -> Bool { try state(shell, text: "mine").first == ["mine"] }
                #expect(try isUntouched())
                for around in [
                    Self.sandbox, forged(shell), context("", "") + Self.sandbox, context("org.flatpak", "org.example.Thief") + Self.sandbox,
                ] {
                    let seen = try state(shell, around)
                    #expect(seen.first == [] && seen.again == ["stolen"], "\(around.prefix(5)): it has its own, on its own connection")
                    #expect(try isUntouched(), "\(around.prefix(5))")
                }
                // What an engine vouches for lasts; what nobody vouches for ends with the connection.
                #expect(try state(shell, context("org.flatpak", "org.example.Thief") + Self.sandbox).first == ["stolen"])
                #expect(try state(shell, context("", "") + Self.sandbox).first == [] && state(shell, Self.sandbox).first == [])
                // An engine's own names are not those of programs.
                #expect(try state(shell, context("org.example.engine", Self.victim) + Self.sandbox).first == [])
                #expect(try isUntouched())
                for around in [Self.sandbox, context("org.flatpak", "org.example.Thief") + Self.sandbox] {
                    _ = try state(shell, around, count: 64)
                    #expect(try isUntouched(), "64 MiB of a sandbox displace nothing of others")
                }
                shell.expectAlive()
            }
        }

        @Test("what a sandbox may ask for on the session bus: its own, in nobody else's name")
        func bus() throws {
            let entry = TestApp(Self.victim, "Victim", command: "true")
            try with(apps: [entry], environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                func steps(_ around: [String]) throws -> [String: String] {
                    let out = "\(shell.room)/bus-\(UInt32.random(in: 0 ... .max))"
                    let words = around + ["/usr/bin/python3", "-W", "ignore", Self.thief, "bus", Self.victim]
                    let line = words.map { "'\($0)'" }.joined(separator: " ")
                    try shell.client.perform(.launch(command: ["sh", "-c", "\(line) > \(out).part 2>&1; mv \(out).part \(out)"]))
                    try shell.wait("the sandbox", within: 40) { FileManager.default.fileExists(atPath: out) }
                    let text = shell.text(of: out)
                    guard let last = text.split(separator: "\n").last,
                        let answer = try? JSON(parsing: Array(last.utf8)).decoded(as: ScriptAnswer.self)
                    else {
                        throw ShellUnderTest.Failure(text)
                    }
                    return (answer.steps ?? [:]).mapValues { if case .string(let text) = $0 { text } else { "?" } }
                }
                #expect(try state(shell, text: "mine").first == [])
                for around in [Self.sandbox, forged(shell)] {
                    let seen = try steps(around)
                    for allowed in ["Watch", "Inhibit", "RegisterClient", "IsInhibited", "Show", "CreateSession"] {
                        #expect(seen[allowed] == "done", "\(allowed)")
                    }
                    #expect(seen["OfferState"] == "done ", "it has no state of others")
                    for denied in [
                        "RegisterRestore", "DeletedInstanceIds", "GetInhibitors", "GetReason", "AccessDialog", "ChooseApplication",
                        "GetUserInformation", "Logout",
                    ] {
                        #expect(seen[denied] == "AccessDenied" || seen[denied] == "UnknownObject", "\(denied): \(seen[denied] ?? "-")")
                    }
                }
                let life = try shell.client.ask(.get(.life), for: LifeReport.self)
                #expect(!life.apps.contains { $0.app == Self.victim })
                shell.expectAlive()
            }
        }

        @Test("[privileges] follow the same identity: a name that a sandbox gives itself has none")
        func privileges() throws {
            try ShellUnderTest.require("wayland-info", of: "wayland-utils")
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            let sandbox = Self.sandbox.joined(separator: " ")
            let entry = TestApp("org.example.Boxed", "Boxed", command: "\(sandbox) sh {room}/boxed.sh")
            let files = ["boxed.sh": "wayland-info > \"$1.part\"; mv \"$1.part\" \"$1\"\n"]
            try ShellUnderTest.with(
                apps: [entry], config: "launch = []\n[privileges]\npanels = { allow = [\"\(Self.victim)\", \"org.example.Boxed\"] }\n",
                files: files
            ) { shell in
                try shell.write("[Application]\nname=\(Self.victim)\n", to: "\(shell.room)/forged")
                func sees(_ around: [String]) throws -> Bool {
                    let (status, output) = try shell.run(around + ["wayland-info"])
                    try #require(status == 0 && output.contains("'xdg_wm_base'"), "\(output)")
                    return output.contains("'zwlr_layer_shell_v1'")
                }
                #expect(try !sees(Self.sandbox) && !sees(forged(shell)))
                #expect(try sees(context("org.flatpak", Self.victim)) && !sees(context("org.flatpak", "org.example.Thief")))
                // The shell vouches for what it starts from a desktop entry, and for nothing else that the same engine runs.
                func launched(_ command: [String]) throws -> Bool {
                    let out = "\(shell.room)/seen-\(UInt32.random(in: 0 ... .max))"
                    try shell.client.perform(.launch(command: command + [out]))
                    try shell.wait("wayland-info", within: 20) { FileManager.default.fileExists(atPath: out) }
                    return shell.text(of: out).contains("'zwlr_layer_shell_v1'")
                }
                #expect(try launched(Self.sandbox + ["sh", "\(shell.room)/boxed.sh"]))
                #expect(try !launched(Self.sandbox + ["sh", "-c", "exec sh \"$0\" \"$1\"", "\(shell.room)/boxed.sh"]))
            }
        }

        @Test("M-05: an alert names the app that asks, and a sandbox without a name is a program")
        func alerts() throws {
            let program = try ShellUnderTest.program()
            let entry = TestApp("org.example.Asker", "Asker", command: "sh {room}/ask.sh")
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.with(
                apps: [entry], config: "launch = []\nreduced-motion = true\n",
                files: [
                    "ask.sh": "exec '\(program)' alert 'Who asks?' --screen\n",
                    "loop.sh":
                        "for i in 1 2 3 4 5 6 7 8; do '\(program)' alert 'Asker: your password?' --screen >\"$1/said-$i\" 2>&1 & done; wait\n",
                ],
                environment: ["DBUS_SESSION_BUS_ADDRESS": ""]
            ) { shell in
                try shell.client.perform(.openApp(app: entry.id))
                #expect(try shell.waitForView("modal/1/asker").name == "Asker")
                try shell.client.perform(.chooseView(1, 0))
                try shell.wait("its end") { try !shell.isOpen("alert") }
                // Eight of a sandbox that says it is the other app; two are shown, one after the other.
                try shell.client.perform(.launch(command: Self.sandbox + ["sh", "\(shell.room)/loop.sh", shell.room]))
                try shell.wait("the refusals", within: 30) {
                    (1...8).count { shell.text(of: "\(shell.room)/said-\($0)").contains("has 2 views over the whole screen already") } == 6
                }
                let asker = try #require(try shell.views().first { $0.id.hasSuffix("/asker") })
                #expect(asker.name == "A program")
                // Another program is asked next, and home works.
                try shell.client.perform(.home)
                try shell.wait("home") { try !shell.isOpen("alert") && shell.views().contains { $0.id == "home/\(entry.id)" } }
                try shell.client.perform(.launch(command: ["sh", "\(shell.room)/ask.sh"]))
                try shell.wait("the other's question", within: 20) {
                    try shell.views().contains { $0.id.hasSuffix("/asker") && $0.name == "Asker" }
                }
                try shell.keepPicture("asker")
                shell.expectAlive()
            }
        }
    }
}
