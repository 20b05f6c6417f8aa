import Chrome
import Control
import Foundation
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Invalid lines on the control socket, an invalid configuration, invalid options: a clear error, and the shell
    /// continues.
    @Suite(.serialized) struct BadInputTests {
        // MARK: The control socket

        @Test func badLinesAreAnsweredByWhatIsWrong() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                let socket = try RawSocket(path: shell.controlPath)
                for (line, words) in [
                    ("garbage", "JSON"), ("{\"v\":1,\"id\":3,\"get\":\"state\"", "JSON"), ("[]", "object"), ("17", "object"),
                    ("{}", "nothing is asked"), ("{\"get\":\"weather\"}", "get"), ("{\"fly\":true}", "fly"),
                    ("{\"v\":99,\"get\":\"state\"}", "version"), ("{\"do\":{\"splitView\":{\"side\":\"inside\"}}}", "do.splitView.side"),
                    ("{\"do\":{\"focus\":{\"window\":4000}}}", "window"), ("{\"input\":{\"tap\":{}}}", "input.tap.at"),
                    ("{\"input\":{\"drag\":{\"from\":[0,0],\"to\":[9,9],\"duration\":1e12}}}", "input.drag.duration"),
                    ("{\"screenshot\":{\"path\":\"relative.png\"}}", "screenshot.path"),
                    ("{\"screenshot\":{\"path\":\"/no/such/folder/x.png\"}}", "/no/such/folder"),
                    ("{\"clock\":{\"step\":5}}", "clock"), ("{\"wait\":{\"until\":\"idle\",\"timeout\":-1}}", "wait.timeout"),
                    ("\u{0}\u{1}\u{2}", "JSON"), ("\"\\ud800\"", ""), (String(repeating: "[", count: 100_000), ""),
                    ("{\"get\":\"state\",\"do\":\"quit\"}", "one thing"), ("{\"quit\":1}", "true"),
                ] {
                    socket.send(line + "\n")
                    let answer = try #require(socket.line(), "no answer to \(line.prefix(80))")
                    #expect(answer.contains("\"error\""), "\(line.prefix(80)): \(answer)")
                    #expect(words.isEmpty || answer.contains(words), "\(line.prefix(80)): \(answer.prefix(300))")
                }
                // The same connection still works, even with partial and multiple lines.
                socket.send("{\"id\":7,\"get\":")
                try shell.settle()
                socket.send("\"version\"}\n{\"id\":8,\"get\":\"version\"}\n\n  \n{\"id\":9,\"get\":\"version\"}\r\n")
                for id in 7...9 {
                    let answer = try JSON(parsing: Array(try #require(socket.line()).utf8))
                    #expect(answer["id"]?.integer == Int64(id) && answer["ok"] != nil)
                }
                shell.expectAlive()
                #expect(try client.report.place == .full)
            }
        }

        /// The requests in docs/control.md. Some end the shell or the session, or write a file: without those.
        private func requests() throws -> [JSON] {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let text = try String(contentsOf: root.appending(path: "docs/control.md"), encoding: .utf8)
            let all = try text.split(separator: "\n").filter { $0.hasPrefix("> {") }.map { try JSON(parsing: Array($0.dropFirst(2).utf8)) }
            #expect(all.count > 60)
            return all.filter { $0["quit"] == nil && $0["screenshot"] == nil && $0["do"]?.string?.hasPrefix("quit") != true }
        }

        /// Sends a line, and a question after it. Some requests are answered later, or not at all if a person would have to wait for ever.
        private func ask(_ line: String, _ socket: RawSocket) throws -> JSON {
            socket.send(line + "\n{\"id\":-7,\"get\":\"version\"}\n")
            while true {
                let answer = try JSON(
                    parsing: Array(try #require(socket.line(patience: 60_000), "no answer after \(line.prefix(2000))").utf8))
                if answer["id"]?.integer == -7 { return answer }
            }
        }

        /// Each number of each request in docs/control.md, one after another.
        @Test func everyNumberIsTakenOrRefused() throws {
            let requests = try requests()
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n") { shell in
                let clients = [try TestClient(shell), try TestClient(shell, to: .splitView(.right))]
                let socket = try RawSocket(path: shell.controlPath)
                for request in requests {
                    for index in 0..<ExtremeNumbers.count(in: request) {
                        for extreme in ExtremeNumbers.all.prefix(10) {
                            #expect(try ask(ExtremeNumbers.replacing(index, in: request, by: extreme).text(), socket)["ok"] != nil)
                        }
                    }
                }
                shell.expectAlive()
                for client in clients { _ = try client.report }
                // What the numbers left behind must be possible to replay as well; `with` checks that.
            }
        }

        /// Several things wrong at once: extreme numbers, words that JSON lacks, deep values, parts that are missing.
        @Test func randomRequestsEndNothing() throws {
            // While Super is held, a letter of what is typed may lock the session.
            let requests = try requests().filter { $0["input"]?["type"] == nil }, seed = TestSeed.first
            var random = SeededGenerator(seed: seed)
            let odd = ["NaN", "-Infinity", "1e400", "-0", "\"\\ud800\"", "null", "{}", "[]", String(repeating: "9", count: 400)]
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n[lock]\non-sleep = false\n") { shell in
                let client = try TestClient(shell)
                let socket = try RawSocket(path: shell.controlPath)
                for round in 0..<(TestSeed.isSlow ? 20_000 : 400) {
                    var request = requests.randomElement(using: &random)!
                    for _ in 0..<Int.random(in: 0...3, using: &random) {
                        let count = ExtremeNumbers.count(in: request)
                        guard count > 0 else { break }
                        request = ExtremeNumbers.replacing(
                            Int.random(in: 0..<count, using: &random), in: request, by: ExtremeNumbers.all.randomElement(using: &random)!)
                    }
                    var line = request.text()
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0:
                        if let colon = line.indices.filter({ line[$0] == ":" }).randomElement(using: &random) {
                            line.replaceSubrange(line.index(after: colon)..., with: odd.randomElement(using: &random)! + "}")
                        }
                    case 1:
                        let depth = Int.random(in: 100...20_000, using: &random)
                        line = String(repeating: "{\"input\":[", count: depth) + line + String(repeating: "]}", count: depth)
                    case 2: line.removeSubrange(line.indices.randomElement(using: &random)!...)
                    default: break
                    }
                    #expect(try ask(line, socket)["ok"] != nil, "seed \(seed), round \(round)")
                }
                shell.expectAlive()
                // One of the requests may have closed it.
                if try shell.state().windows.contains(where: { $0.id == client.id }) { _ = try client.report }
            }
        }

        @Test func longLines() throws {
            try ShellUnderTest.with { shell in
                let socket = try RawSocket(path: shell.controlPath)
                for size in [(1 << 20) + 1, 3 << 20] {
                    #expect(socket.send([UInt8](repeating: UInt8(ascii: "x"), count: size)))
                    let answer = try #require(socket.line())
                    #expect(answer.contains("longer than"), "\(answer)")
                    socket.send("\n{\"id\":1,\"get\":\"version\"}\n")
                    #expect(try #require(socket.line()).contains("\"ok\""))
                }
                // A line of exactly the limit is an invalid request, not a long one.
                #expect(socket.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [10]))
                #expect(try #require(socket.line()).contains("JSON"))
                shell.expectAlive()
            }
        }

        /// A client that keeps sending and reads nothing. Others are served meanwhile, and memory stays bounded.
        @Test func aClientThatDoesNotRead() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                let before = try shell.statistics().memoryBytes
                let deaf = try RawSocket(path: shell.controlPath)
                let lines = Array(String(repeating: "{\"get\":\"state\"}\n", count: 5000).utf8)
                for _ in 0..<20 where !deaf.send(lines, patience: 300) { break }
                let follower = try RawSocket(path: shell.controlPath)
                follower.send("{\"follow\":[\"state\",\"events\"]}\n")
                for x in 0..<40 { try shell.tap(Point(300 + Double(x), 300)) }
                try shell.settle()
                #expect(try client.events(since: 0, "wl_touch.down").count > 0)
                #expect(try shell.statistics().memoryBytes < before + 80 << 20)
                shell.expectAlive()
            }
        }

        @Test func manyConnections() throws {
            try ShellUnderTest.with { shell in
                var sockets: [RawSocket] = []
                for _ in 0..<100 { if let socket = try? RawSocket(path: shell.controlPath) { sockets.append(socket) } }
                try shell.settle()
                sockets.removeAll()
                try shell.wait("room for another") { (try? ControlClient(path: shell.controlPath).state()) != nil }
                shell.expectAlive()
            }
        }

        // MARK: The configuration

        @Test func aBrokenConfigurationIsReportedByLineAndTheLastGoodOneStays() throws {
            try ShellUnderTest.with(config: "launch = []\nwallpaper = \"#102030\"\n") { shell in
                func isWallpaper(_ hex: UInt32) throws -> Bool { try shell.picture()[50, 50] == .init(hex) }
                #expect(try isWallpaper(0x102030))
                for (text, line) in [
                    ("launch = []\nwallpaper = \"#405060\"\nscale = \"wide\"\n", 3), ("launch = [\n", 2),
                    ("launch = []\n\n\ncolour = 3\n", 4), ("launch = []\n[keys]\nslide-over = \"Hyper+Q\"\n", 3),
                ] {
                    let length = shell.log.count
                    try shell.write(text, to: shell.configPath)
                    try shell.wait("the complaint about \(text)") {
                        shell.log.dropFirst(length).contains("the last correct version is used")
                    }
                    let complaint = String(shell.log.dropFirst(length))
                    #expect(complaint.contains("config.toml:\(line)"), "\(text): \(complaint)")
                    let error = #expect(throws: ControlError.self) { try shell.client.ask(.reload) }
                    #expect(error?.description.contains("config.toml:\(line)") == true)
                    // The alert that says so dims what is behind it.
                    try shell.wait("the alert", within: 8) { try shell.isOpen("alert") }
                    try shell.operate("alert/ok", by: .touch)
                    try shell.wait("the end of the alert") { try !shell.isOpen("alert") }
                    try shell.settle()
                    #expect(try isWallpaper(0x102030))
                }
                try shell.write("launch = []\nwallpaper = \"#405060\"\n", to: shell.configPath)
                try shell.wait("the mended one") { try isWallpaper(0x405060) }
                try shell.client.ask(.reload)
            }
        }

        @Test func sizeAndScaleOfTheConfigurationCountAtOnce() throws {
            try ShellUnderTest.with(size: nil, scale: nil, config: "launch = []\nsize = \"1000x800\"\n") { shell in
                #expect(try shell.state().screen?.size == Size(1000, 800))
                try shell.write("launch = []\nsize = \"1200x900\"\nscale = 1.5\n", to: shell.configPath)
                try shell.wait("the new screen") { try shell.state().screen?.scale == 1.5 }
                #expect(try shell.state().screen?.size == Size(800, 600))
            }
        }

        // MARK: The command line

        @Test func whatCannotBeIsSaid() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                let program = try shell.program
                for (arguments, words) in [
                    (["run", "--no-such-option"], "--no-such-option"), (["run", "--size", "wide"], "size"),
                    (["run", "--scale", "99"], "from 0.5 to 8"), (["run", "--idiom", "toaster"], "toaster"),
                    (["run", "--socket", "a/b"], "--socket"), (["run", "--remote-view", "99999999"], "remote-view"),
                    (["run", "--headless", "--remote-view", "off", "--config", "/no/such/file.toml"], "/no/such/file.toml"),
                    (
                        ["run", "--headless", "--remote-view", "off", "--config", shell.configPath, "--socket", ShellUnderTest.socket],
                        ShellUnderTest.socket
                    ),
                    (
                        ["run", "--headless", "--remote-view", "off", "--config", shell.configPath, "--record", "/no/such/folder/record"],
                        "/no/such/folder/record"
                    ),
                    (["fly"], "fly"), (["ctl", "fly"], "fly"), (["replay", "/no/such/recording"], "/no/such/recording"),
                    (["ctl", "state", "--shell", "no-such-shell"], "no-such-shell"), (["ctl", "focus", "4000"], "4000"),
                    (["ctl", "divider", "nan"], "nan is no number for a request"),
                ] as [([String], String)] {
                    let (status, output) = try shell.run([program] + arguments)
                    #expect(status != 0 && status < 128, "\(arguments): \(status)")
                    #expect(output.contains(words), "\(arguments): \(output)")
                }
                // The first shell is not affected.
                shell.expectAlive()
                #expect(try client.report.place == .full)
                try shell.expectShown(client.id)
            }
        }

        @Test("a shell that is to open a window on a compositor which is not there says so, and does not wait for itself")
        func nobodyOutside() throws {
            try ShellUnderTest.with { shell in
                let program = try shell.program, inner = "\(shell.room)/inner"
                mkdir(inner, 0o700)
                for outside in [["WAYLAND_DISPLAY=wayland-0"], ["WAYLAND_DISPLAY=\(inner)/wayland-0"], ["-u", "WAYLAND_DISPLAY"]] {
                    let (status, output) = try shell.run(
                        ["env", "-u", "DISPLAY"] + outside
                            + [
                                "XDG_RUNTIME_DIR=\(inner)", program, "run", "--backend", "wayland", "--audio", "off", "--remote-view",
                                "off",
                            ])
                    #expect(status != 0 && status < 128, "\(outside): \(status)")
                    #expect(output.contains("cannot open a window on the Wayland compositor"), "\(outside): \(output)")
                }
                shell.expectAlive()
            }
        }

        @Test func help() throws {
            try ShellUnderTest.with { shell in
                let program = try shell.program
                for command in [[], ["run"], ["ctl"], ["doctor"], ["replay"], ["tour"]] {
                    let (status, output) = try shell.run([program] + command + ["--help"])
                    #expect(status == 0 && output.contains("USAGE"), "\(command): \(output)")
                }
            }
        }

        // MARK: Recordings

        @Test func aRecordingReplaysAndATamperedOneIsFoundOut() throws {
            let shell = try ShellUnderTest(config: "launch = []\nanimation-speed = 4\n")
            defer { shell.clear() }
            let program = try shell.program
            let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
            try shell.drag(Point(590, 410), Point(780, 410))
            try shell.drag(Point(980, 18), ShellUnderTest.toSlideOver)
            try shell.drag(Point(985, 20), Point(200, 20), rest: 0)
            try shell.press("Super+S")
            b.signal(SIGKILL)
            try shell.waitUntilGone(b.id)
            try shell.tap(Point(500, 500))
            try shell.perform(.rotate(1))
            _ = try a.mark()
            try shell.quit()
            #expect(try shell.run([program, "replay", shell.recordingPath]).status == 0)

            var lines = shell.text(of: shell.recordingPath).split(separator: "\n", omittingEmptySubsequences: false)
            let index = try #require(lines.lastIndex { $0.contains("touchDown") && !$0.contains("touchDownOn") })
            let tampered = "\(shell.room)/tampered.jsonl"
            // A finger that went down earlier.
            lines[index] = Substring(lines[index].replacing("[500,500]", with: "[5,5]"))
            try shell.write(lines.joined(separator: "\n"), to: tampered)
            let (status, output) = try shell.run([program, "replay", tampered])
            #expect(status == 1)
            #expect(output.contains("touchDown") || output.contains("differ"), "\(output)")

            // Truncated in the middle of a line, as by a crash.
            try shell.write(lines[..<index].joined(separator: "\n") + "\n{\"t\":12", to: tampered)
            let cut = try shell.run([program, "replay", tampered])
            #expect(cut.status == 0, "\(cut.output)")
            try shell.write("no recording\n", to: tampered)
            let other = try shell.run([program, "replay", tampered])
            #expect(other.status != 0 && other.output.contains("line 1"), "\(other.output)")
        }
    }
}
