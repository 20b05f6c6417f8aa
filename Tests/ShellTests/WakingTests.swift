import Clocks
import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing

extension RunningShell {
    /// A frozen app goes on for somebody who needs an answer of it, and is frozen again (S-06, S-08).
    @Suite(.serialized) struct WakingTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        private func python(_ script: String, _ arguments: String...) -> [String] {
            ["/usr/bin/python3", "-W", "ignore", Helper.path(script)] + arguments
        }

        private func lines(_ path: String) -> [String] {
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }

        // MARK: Calls

        /// A terminal in the background, whose program answers calls on a bus of its own. `hasNotifier`: another program is the notification
        /// service there, before the shell could be.
        private func withCalledApp(hasNotifier: Bool = false, _ body: (ShellUnderTest, WindowReport, PrivateBus) throws -> Void) throws {
            let bus = try PrivateBus()
            let notifier =
                hasNotifier ? try Helper(script: "called.py", ["notifier", "\(bus.folder)/said"], environment: bus.environment) : nil
            defer { withExtendedLifetime(notifier) {} }
            for _ in 0..<1000 where hasNotifier && !lines("\(bus.folder)/said").contains(where: { $0.hasPrefix("notifier is there") }) {
                usleep(20_000)
            }
            let slow = try Helper(script: "called.py", ["slow", "\(bus.folder)/said"], environment: bus.environment)
            try ShellUnderTest.with(config: quick, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try shell.wait("called.py (apt-get install python3-gi)", within: 20) {
                    guard slow.isRunning else { throw ShellUnderTest.Failure("called.py ended: apt-get install python3-gi") }
                    return lines("\(bus.folder)/said").contains { $0.hasPrefix("slow is there") }
                }
                let terminal = try shell.open("foot", of: "foot", ["-e"] + python("called.py", "app", "\(bus.folder)/said"))
                try shell.wait("the app on the bus", within: 20) { lines("\(bus.folder)/said").contains("slow is asked") }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                try body(shell, terminal, bus)
            }
        }

        private func call(_ name: String, on bus: [String] = ["--session"], _ shell: ShellUnderTest) throws -> (
            status: Int32, output: String
        ) {
            try ShellUnderTest.require("gdbus", of: "libglib2.0-bin")
            return try shell.run(
                ["gdbus", "call"] + bus + [
                    "--timeout", "20", "--dest", name, "--object-path", "/", "--method", "org.mullion.test.Called.Answer",
                ],
                within: 25)
        }

        @Test("a call to the name of a frozen app is answered, by its unique name as well, and it is frozen again")
        func called_S06() throws {
            try withCalledApp { shell, terminal, bus in
                #expect(try call("org.mullion.test.Called", shell).output.contains("answered"))
                #expect(try shell.phase(of: terminal) == .background)
                #expect(try shell.app(of: terminal).reasons.map(\.kind) == ["called"])
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
                let unique = try #require(lines("\(bus.folder)/said").first { $0.hasPrefix("app is there as ") }).split(separator: " ")
                    .last!
                #expect(try call(String(unique), shell).output.contains("answered"))
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
            }
        }

        /// The terminal has used up its activation token, and its programs have none to give (W-19).
        @Test(
            "an editor that runs already comes forward with the file that a person opens in a terminal, whether it is frozen or not",
            arguments: [true, false])
        func opensFromATerminal(isFrozen: Bool) throws {
            let bus = try PrivateBus()
            let config = isFrozen ? quick : quick.replacing("grace = 0.3", with: "grace = 600")
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                let letter = "\(shell.room)/home/letter.txt"
                try shell.write("Dear reader\n", to: letter)
                let editor = try shell.open("mousepad", of: "mousepad", [])
                let terminal = try shell.open(
                    "foot", of: "foot",
                    ["-e", "sh", "-c", "read line; env -u XDG_ACTIVATION_TOKEN -u DESKTOP_STARTUP_ID mousepad \(letter); sleep 100"])
                if isFrozen { try shell.waitForPhase(.frozen, of: editor) }
                #expect(try shell.client.ask(.get(.state), for: StateReport.self).focus == terminal.id)
                try shell.press("Return")
                try shell.wait("the letter in front", within: 15) {
                    let state = try shell.client.ask(.get(.state), for: StateReport.self)
                    return state.windows.contains { $0.id == state.focus && $0.title.contains("letter.txt") }
                }
            }
        }

        @Test("an answer to a frozen app, and calls to others, do not wake it")
        func answered_S08() throws {
            try withCalledApp { shell, terminal, bus in
                try shell.wait("the slow answer", within: 10) { lines("\(bus.folder)/said").contains("slow answers") }
                for _ in 0..<3 { _ = try call("org.mullion.test.Nobody", shell) }
                usleep(300_000)
                #expect(try shell.phase(of: terminal) == .frozen && !lines("\(bus.folder)/said").contains("app has an answer"))
                try shell.perform(.focus(window: terminal.id))
                try shell.wait("its answer") { lines("\(bus.folder)/said").contains("app has an answer") }
            }
        }

        /// As mako and others do, which do not say whom they mean.
        @Test(
            "a notification that is used wakes the frozen apps; another signal of the service does not, nor what a stranger says",
            arguments: ["ActionInvoked", "NotificationReplied"])
        func notified_S06(_ signal: String) throws {
            try ShellUnderTest.require("gdbus", of: "libglib2.0-bin")
            try withCalledApp(hasNotifier: true) { shell, terminal, bus in
                let name = "org.freedesktop.Notifications", used = "\(name).\(signal)"
                func stranger() throws {
                    let sent = try shell.run(python("called.py", "stranger", "\(bus.folder)/said", used))
                    #expect(sent.status == 0, "\(sent.output)")
                }
                func emit(_ signal: String) throws {
                    let sent = try shell.run(
                        [
                            "gdbus", "call", "--session", "--dest", name, "--object-path", "/", "--method",
                            "org.mullion.test.Notifier.Emit", signal,
                        ])
                    #expect(sent.status == 0, "\(sent.output)")
                }
                try stranger()
                try emit("\(name).NotificationClosed")
                try emit("org.mullion.test.\(signal)")
                usleep(300_000)
                #expect(try shell.phase(of: terminal) == .frozen)
                try emit(used)
                try shell.waitForPhase(.background, of: terminal)
                #expect(try shell.app(of: terminal).reasons.map(\.kind) == ["called"])
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
            }
        }

        @Test("a connection to a frozen app's socket thaws it, and shows it if a person's launch made it")
        func connected_S06() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let path = "\(shell.room)/socket"
                let server = """
                    import socket
                    s = socket.socket(socket.AF_UNIX); s.bind('\(path)'); s.listen()
                    while True: s.accept()[0].sendall(b'here')
                    """
                let client = "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\(path)'); print(s.recv(4).decode())"
                let terminal = try shell.open("foot", of: "foot", ["-e", "/usr/bin/python3", "-c", server])
                try shell.wait("its socket", within: 20) { access(path, F_OK) == 0 }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                let answer = try shell.run(["/usr/bin/python3", "-c", client])
                #expect(answer.output.contains("here"), "\(answer.output)")
                #expect(try shell.phase(of: terminal) == .background)
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
                try shell.perform(.launch(command: ["/usr/bin/python3", "-c", client]))
                try shell.waitForPhase(.active, of: terminal, within: 5)
            }
        }

        @Test("a media key reaches the player that is frozen, which goes on first")
        func mediaKey_S06() throws {
            try ShellUnderTest.with(config: quick, environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                let bus = "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                let said = "\(shell.room)/said"
                let terminal = try shell.open("foot", of: "foot", ["-e", "env", bus] + python("called.py", "player", said))
                func status() throws -> String? { try shell.client.ask(.get(.audio), for: SoundReport.self).playing.map { "\($0.status)" } }
                func key() throws {
                    for pressed in ["true", "false"] {
                        let sent = try shell.run([
                            shell.program, "ctl", "send", "{\"input\":{\"key\":{\"key\":164,\"pressed\":\(pressed)}}}",
                        ])
                        #expect(sent.status == 0, "\(sent.output)")
                    }
                }
                try shell.wait("the player", within: 20) { try status() == "playing" }
                try key()
                try shell.wait("the pause") { try status() == "paused" }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
                let before = lines(said).count { $0.hasPrefix("player:") }
                try key()
                try shell.wait("its answer") { lines(said).count { $0.hasPrefix("player:") } > before }
                try shell.wait("the film") { try status() == "playing" }
                #expect(try shell.phase(of: terminal) == .background)
            }
        }

        /// Each call on a bus that is watched wakes the shell.
        @Test("the bus is watched only while an app is frozen")
        func watched_S08() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: quick, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                func sockets() throws -> Int {
                    let folder = "/proc/\(shell.process)/fd"
                    let files = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
                    }
                    // A connection may have several descriptors.
                    return Set(files.filter { $0.hasPrefix("socket:") }).count
                }
                /// The number once it has not changed for a while: connections of other kinds come and go.
                func calmSockets() throws -> Int {
                    var (last, since) = (try sockets(), Clocks.monotonicSeconds)
                    while Clocks.monotonicSeconds < since + 0.5 {
                        usleep(20_000)
                        let count = try sockets()
                        if count != last { (last, since) = (count, Clocks.monotonicSeconds) }
                    }
                    return last
                }
                let terminal = try shell.open("foot", of: "foot")
                // With the guard of frozen apps, which stays.
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                let watching = try calmSockets()
                try shell.perform(.focus(window: terminal.id))
                try shell.wait("the end of both connections") { try calmSockets() == watching - 2 }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                try shell.wait("both connections again") { try calmSockets() == watching }
            }
        }

        @Test("a session bus that ends while an app is frozen, and one that refuses to show calls, hold nothing up")
        func lost() throws {
            for policy in ["", "<deny send_interface=\"org.freedesktop.DBus.Monitoring\"/>"] {
                var bus: PrivateBus? = try PrivateBus(policy: policy)
                try ShellUnderTest.with(config: quick, environment: ["DBUS_SESSION_BUS_ADDRESS": bus!.address]) { shell in
                    let terminal = try shell.open("foot", of: "foot")
                    try shell.perform(.home)
                    try shell.waitForPhase(.frozen, of: terminal)
                    #expect(shell.log.contains("the session bus does not show calls") == !policy.isEmpty)
                    bus = nil
                    usleep(200_000)
                    try shell.perform(.focus(window: terminal.id))
                    #expect(try shell.phase(of: terminal) == .active)
                    try shell.perform(.home)
                    try shell.waitForPhase(.frozen, of: terminal)
                    #expect(shell.log.components(separatedBy: "does not show calls").count <= 2)
                }
                withExtendedLifetime(bus) {}
            }
        }

        @Test("a frozen app answers on the accessibility bus, where screen readers wait for it")
        func calledByScreenReader() throws {
            let session = try AccessibleSession()
            try ShellUnderTest.with(config: quick, environment: ["DBUS_SESSION_BUS_ADDRESS": session.address, "NO_AT_BRIDGE": "0"]) {
                shell in
                try session.connect()
                let asked = try shell.run(
                    [
                        "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
                        "org.a11y.Bus.GetAddress",
                    ])
                let address = String(try #require(asked.output.split(separator: "'").dropFirst().first))
                let terminal = try shell.open(
                    "foot", of: "foot",
                    ["-e", "env", "DBUS_SESSION_BUS_ADDRESS=\(address)"] + python("called.py", "app", "\(shell.room)/said"))
                try shell.wait("the app on the bus", within: 20) { lines("\(shell.room)/said").contains { $0.hasPrefix("app is there") } }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                #expect(try call("org.mullion.test.Called", on: ["--address", address], shell).output.contains("answered"))
            }
        }

        // MARK: Selections

        @Test("what a program in a frozen terminal has copied can be pasted", arguments: [[], ["--primary"]])
        func pasted_S06(_ options: [String]) throws {
            for tool in ["wl-copy", "wl-paste"] { try ShellUnderTest.require(tool, of: "wl-clipboard") }
            try ShellUnderTest.with(config: quick) { shell in
                let terminal = try shell.open("foot", of: "foot", ["-e", "wl-copy", "-f"] + options + ["copied in time"])
                try shell.wait("the selection") { try shell.run(["wl-paste", "--list-types"] + options).output.contains("text/plain") }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                #expect(try shell.run(["wl-paste", "--list-types"] + options).output.contains("text/plain"))
                #expect(try shell.phase(of: terminal) == .frozen)
                let copier = try #require(ProcessTree.descendants(of: try shell.app(of: terminal).process).first)
                #expect(AppIdentity.isFrozen(process: copier))
                #expect(try shell.run(["wl-paste", "--no-newline"] + options).output == "copied in time")
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
                shell.expectAlive()
            }
        }

        @Test("what a frozen X11 program has copied can be pasted")
        func pastedFromX11() throws {
            for (tool, package) in [("xclip", "xclip"), ("wl-paste", "wl-clipboard"), ("xterm", "xterm"), ("Xwayland", "xwayland")] {
                try ShellUnderTest.require(tool, of: package)
            }
            try ShellUnderTest.with(config: quick) { shell in
                let copy = "sleep 1; echo copied in X11 | xclip -quiet -selection clipboard -i"
                let terminal = try shell.open("xterm", of: "xterm", ["-e", "sh", "-c", copy])
                try shell.wait("the selection", within: 10) {
                    try shell.run(["wl-paste", "--list-types"]).output.contains("text/plain;charset=utf-8")
                }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                let copier = try #require(ProcessTree.descendants(of: try shell.app(of: terminal).process).last)
                #expect(AppIdentity.isFrozen(process: copier))
                #expect(try shell.run(["wl-paste", "--no-newline", "--type", "text/plain;charset=utf-8"]).output == "copied in X11\n")
                try shell.waitForPhase(.frozen, of: terminal, within: 10)
            }
        }

        // MARK: The end

        @Test("a frozen app hears that it is to end when the shell does, and holds nothing up")
        func quit_S06() throws {
            let shell = try ShellUnderTest(config: quick)
            defer { shell.clear() }
            let script = "trap 'echo ended >\(shell.room)/heard; kill $!; exit' TERM; foot & wait"
            let window = try shell.open(["sh", "-c", script])
            try shell.perform(.home)
            try shell.waitForPhase(.frozen, of: window)
            #expect(AppIdentity.isFrozen(process: try shell.app(of: window).process))
            let begin = Date()
            try shell.quit()
            #expect(Date().timeIntervalSince(begin) < 1.5 * ShellUnderTest.patience)
            #expect(lines("\(shell.room)/heard") == ["ended"])
        }

        // MARK: The clock

        /// Whether a preloaded library makes programs see another wall clock. Sanitizers want to be the first library.
        private static let canPreload = !ShellUnderTest.isSanitized

        @Test("a wall clock that jumps by a year neither freezes an app sooner nor later", .enabled(if: canPreload), arguments: [1, -1])
        func wallClock_S03(_ direction: Int) throws {
            try ShellUnderTest.require("cc", of: "gcc")
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-clock-\(UUID().uuidString)").path(
                percentEncoded: false)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let (library, file) = ("\(folder)/wallclock.so", "\(folder)/jump")
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments = ["cc", "-shared", "-fPIC", "-O1", "-o", library, Helper.path("wallclock.c")]
            try compiler.run()
            compiler.waitUntilExit()
            #expect(compiler.terminationStatus == 0)
            let config = "launch = []\nreduced-motion = true\n[life]\ngrace = 3\n"
            try ShellUnderTest.with(config: config, environment: ["LD_PRELOAD": library, "WALLCLOCK_FILE": file]) { shell in
                let terminal = try shell.open("foot", of: "foot")
                try shell.perform(.home)
                let began = DispatchTime.now().uptimeNanoseconds
                func seconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9 }
                try shell.write("\(direction * 366 * 86_400)", to: file)
                usleep(1_500_000)
                // A slow machine may look too late.
                let phase = try shell.phase(of: terminal)
                #expect(phase == .background || seconds() > 2.9)
                try shell.waitForPhase(.frozen, of: terminal)
                // The jump was one for the shell: its log has the time of the wall.
                try? shell.client.perform(.launch(command: ["/does/not/exist"]))
                let year = Calendar(identifier: .gregorian).component(
                    .year, from: Date().addingTimeInterval(Double(direction * 366 * 86_400)))
                #expect(shell.log.split(separator: "\n").last?.hasPrefix("\(year)") ?? false, "\(shell.log.suffix(300))")
                // Frozen in one year, it goes on in another.
                try shell.write("0", to: file)
                usleep(300_000)
                #expect(try shell.phase(of: terminal) == .frozen)
                try shell.perform(.focus(window: terminal.id))
                #expect(try shell.phase(of: terminal) == .active)
                // Nor does the shell wait for a time of the wall clock.
                #expect(!lines("\(file).timers").contains("\(shell.process)"))
            }
        }
    }
}
