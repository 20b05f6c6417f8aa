import Clocks
import FoundationEssentials
import Glibc
import MullionTesting
import Processes
import Testing

extension RunningShell {
    /// `mullion audit` as a developer runs it: with a client that keeps the rules, and one that breaks them.
    @Suite(.serialized) struct AuditTests {
        struct Run {
            var status: Int32
            var output: String

            /// The verdicts of the checks that ran, as "+ close".
            func has(_ mark: String, _ check: String) -> Bool {
                output.split(separator: "\n").contains { $0.hasPrefix("  \(mark) \(check) ") }
            }
        }

        let clients = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Clients").path
        private var client: String { "\(clients)/audited.py" }

        /// Runs the audit to its end. Nothing of it may be left, neither a process nor a folder.
        private func audit(_ ways: String, rules: String, _ more: [String] = [], within seconds: Double = 120) throws -> Run {
            try audit(
                words: ["--rules", rules, "--quick"] + more + ["/usr/bin/python3 \(client)\(ways.isEmpty ? "" : " --breaks \(ways)")"],
                within: seconds)
        }

        func audit(words: [String], within seconds: Double = 120, variables: [String: String] = [:]) throws -> Run {
            let launcher = try Launcher(), output = "/tmp/mullion-audit-test-\(UInt32.random(in: 0...UInt32.max))"
            defer { unlink(output) }
            var environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]
            environment.merge(variables) { $1 }
            environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
            let process = try launcher.launch([try ShellUnderTest.program(), "audit"] + words, environment: environment, log: output)
            let deadline = Clocks.monotonicSeconds + seconds * ShellUnderTest.patience
            while true {
                if let exit = launcher.drain().first(where: { $0.pid == process }) {
                    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
                    guard case .exited(let status) = exit.reason else { throw ShellUnderTest.Failure("the audit was ended: \(text)") }
                    return Run(status: status, output: text)
                }
                guard Clocks.monotonicSeconds < deadline else {
                    launcher.endAll(patience: 3000)
                    throw ShellUnderTest.Failure("the audit did not end: \((try? String(contentsOfFile: output, encoding: .utf8)) ?? "")")
                }
                usleep(50_000)
            }
        }

        @Test("X-08: a client that keeps the rules")
        func good() throws {
            let run = try audit(
                "", rules: "start,sizes,unasked-windows,close,touch,pointer,scales,menus,dialogs,dialog-over-popover,killed")
            for check in [
                "start", "sizes", "unasked-windows", "close", "touch", "pointer", "scales", "menus", "dialogs", "dialog-over-popover",
            ] {
                #expect(run.has("+", check), "\(check): \(run.output)")
            }
            // It exposes no text, so that nobody can tell whether it comes back.
            #expect(run.has("?", "killed"))
            #expect(run.status == 0, "\(run.output)")
        }

        @Test("X-08: a client that breaks many rules at once")
        func bad() throws {
            let run = try audit("fixed,unasked,stays,deaf,blurred,busy", rules: "sizes,unasked-windows,close,touch,scales,hidden-work")
            for check in ["sizes", "unasked-windows", "close", "hidden-work"] { #expect(run.has("x", check), "\(check): \(run.output)") }
            for check in ["touch", "scales"] { #expect(run.has("!", check), "\(check): \(run.output)") }
            #expect(run.status == 1)
        }

        @Test("X-08: a client that crashes, breaks the protocol, notifies and opens menus beyond the screen")
        func worse() throws {
            let run = try audit(
                "protocol,crash,notifies,outside,orphan,over,open,draws",
                rules: "unasked-windows,sizes,notifications,menus,dialogs,close,dialog-over-popover,animation")
            for check in ["sizes", "menus", "close", "dialog-over-popover", "animation"] {
                #expect(run.has("x", check), "\(check): \(run.output)")
            }
            for check in ["notifications", "dialogs"] { #expect(run.has("!", check), "\(check): \(run.output)") }
        }

        @Test("X-08: a client that does not come back after a kill")
        func lost() throws {
            let run = try audit("lost", rules: "killed")
            #expect(run.has("x", "killed"), "\(run.output)")
        }

        @Test("X-08: an app without a window is reported, and the audit ends", arguments: ["ends", "crashes", "root"])
        func noWindow(way: String) throws {
            let run = try audit(way, rules: "start,sizes")
            #expect(run.has("x", "start") && run.has("?", "sizes"), "\(run.output)")
            #expect(run.status == 1)
        }

        @Test("X-08: an app that aborts right after its start has crashed, whatever is checked")
        func aborts() throws {
            for way in ["aborts", "crashes"] {
                let run = try audit(way, rules: "sizes,touch")
                #expect(run.has("x", "crashes") && !run.has("+", "sizes") && run.status == 1, "\(run.output)")
            }
        }

        @Test("X-08: an app that dies once has crashed; what was checked meanwhile is checked again, and gives the same each time")
        func dies() throws {
            let runs = try (0..<2).map { _ in try audit("dies", rules: "unasked-windows,touch,close") }
            for run in runs {
                #expect(run.has("x", "crashes") && run.output.contains("broken: it crashed"), "\(run.output)")
                for check in ["unasked-windows", "touch", "close"] { #expect(run.has("+", check), "\(run.output)") }
                #expect(run.status == 1)
            }
        }

        @Test(
            "X-08: an app that keeps opening windows opens them without being asked, also if it closes them again",
            arguments: ["pours", "blinks"])
        func pours(way: String) throws {
            let run = try audit(way, rules: "unasked-windows")
            #expect(run.has("x", "unasked-windows") && run.status == 1, "\(run.output)")
        }

        @Test("X-08: a report that cannot be written gives status 2 and the reason, not that of a broken rule")
        func full() throws {
            let launcher = try Launcher(), output = "/tmp/mullion-audit-full-\(UInt32.random(in: 0...UInt32.max))"
            defer { unlink(output) }
            let program = try ShellUnderTest.program()
            for words in ["--list", "--rules desktop-entry --format json true"] {
                let process = try launcher.launch(
                    ["/bin/sh", "-c", "exec \"\(program)\" audit \(words) > /dev/full"],
                    environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"], log: output)
                var reason: ProcessExit.Reason?
                let deadline = Clocks.monotonicSeconds + 60 * ShellUnderTest.patience
                while reason == nil, Clocks.monotonicSeconds < deadline {
                    reason = launcher.drain().first { $0.pid == process }?.reason
                    usleep(50_000)
                }
                #expect(reason == .exited(2), "\(words)")
                #expect(try String(contentsOfFile: output, encoding: .utf8).contains("standard output: No space left on device"))
            }
        }

        @Test("X-08: a machine without sound is reported, and checks of sound could not tell")
        func noSound() throws {
            let run = try audit("plays", rules: "sound-role,sound-keys,headphones", ["--without-sound"])
            for check in ["sound-role", "sound-keys", "headphones"] { #expect(run.has("?", check), "\(check): \(run.output)") }
            #expect(run.output.contains("no sound server runs") && run.status == 0)
        }

        @Test("X-08: an app that floods its output is ended and reported")
        func floods() throws {
            let run = try audit("floods", rules: "start,sizes")
            #expect(run.has("x", "start") && run.output.contains("fills the disk") && run.has("?", "sizes"), "\(run.output)")
        }

        @Test("X-08: an app that forks away is audited, and what it leaves behind is ended")
        func forks() throws {
            let run = try audit("forks,lingers", rules: "start")
            #expect(run.has("+", "start"), "\(run.output)")
            let left = ProcessTree.all().filter { record in
                (try? String(contentsOfFile: "/proc/\(record.pid)/comm", encoding: .utf8))?.hasPrefix("audit-lingers") ?? false
            }
            #expect(left.isEmpty)
        }

        @Test("X-08: an app that is not there gives status 2 and a reason")
        func missing() throws {
            let run = try audit(words: ["--rules", "start", "/tmp/no-such.desktop", "no-such-program"])
            #expect(
                run.status == 2 && run.output.contains("/tmp/no-such.desktop: there is no such file")
                    && run.output.contains("neither an installed app"), "\(run.output)")
            // Status 1 would say that a rule is broken.
            let unkept = try audit(words: ["--rules", "start", "--keep", "/proc/nowhere/report", "no-such-program"])
            #expect(unkept.status == 2 && unkept.output.contains("cannot be kept in /proc/nowhere/report"), "\(unkept.output)")
            #expect(try audit(words: [" "]).status == 64)
            #expect(try audit(words: ["--clock", "yesterday", "no-such-program"]).status == 64)
        }

        @Test("X-08: an app that ends the shell gives status 2 and a reason, also in the only check", arguments: ["", "sleep 1; "])
        func endsShell(pause: String) throws {
            let run = try audit(words: ["--rules", "start", "sh -c '\(pause)kill -KILL $PPID; exec sleep 60'"])
            #expect(run.status == 2 && run.output.contains("the shell ended"), "\(run.output)")
        }

        @Test("X-08: every format is kept, and a baseline makes the status 0")
        func kept() throws {
            let folder = "/tmp/mullion-audit-kept-\(UInt32.random(in: 0...UInt32.max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let known =
                "{\"mullionAuditBaseline\":1,\"known\":[{\"finding\":\"audited.py/pad/start/ended\",\"reason\":\"on purpose\",\"date\":\"2025-11-27\"}]}"
            try Data(known.utf8).write(to: URL(filePath: "\(folder)/known.json"))
            let run = try audit("ends", rules: "start", ["--keep", folder, "--baseline", "\(folder)/known.json"])
            #expect(run.status == 0 && run.output.contains("Findings that the baseline knows: "), "\(run.output)")
            for name in ["audit.json", "index.html", "junit.xml", "audit.sarif"] {
                #expect(access("\(folder)/\(name)", R_OK) == 0, "\(name)")
            }
        }
    }
}
