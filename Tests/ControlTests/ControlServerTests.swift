import Control
import Foundation
import Geometry
import Glibc
import Journal
import Logging
import MullionTesting
import Multitasking
import Stage
import Synchronization
import Testing
import Windows

/// The core alone behind a control socket, as a shell without a screen.
final class CoreShell: ControlHandler {
    var world = CoreWorld()
    var system: System { world.system }
    var now: Moment { world.now }
    var isIdle = true
    var isSoundKnown = true
    var player = InputPlayer()
    var hasQuit = false
    /// Screenshots that are not answered yet.
    var pending: [ControlReply] = []

    var version: VersionReport {
        VersionReport(wlroots: "none", backend: "headless", renderer: "none", socket: "wayland-9", idiom: "pad", process: 1)
    }

    var freezingMeans: String? { nil }

    func string(_ text: Text) -> String { if case .verbatim(let text) = text { text } else { "\(text)" } }
    var statistics: StatisticsReport { StatisticsReport() }
    var descriptors: DescriptorReport { DescriptorReport(open: [], lost: [], refusals: 0) }
    var configuration: ConfigurationReport { ConfigurationReport(file: "/config.toml", isWatched: true) }

    func configureLog(of window: WindowID) -> [String]? { system.workspace[window].map { _ in ["seq=1 size=1x1 states="] } }

    func perform(_ action: Action, reply: ControlReply) {
        for effect in world.act(action) { if case .session(.refuse(let refusal)) = effect { return reply.refuse(refusal) } }
        reply.answer()
    }

    func inject(_ plan: InputPlan, reply: ControlReply) { player.add(plan, at: now, reply: reply) }
    func screenshot(_ request: ScreenshotRequest, reply: ControlReply) { pending.append(reply) }
    func setClock(_ request: ClockRequest, reply: ControlReply) {
        if case .step(let milliseconds) = request { world.wait(milliseconds) }
        reply.answer(ClockReport(hand: true, now: now))
    }
    func reload(reply: ControlReply) { reply.refuse("config.toml: line 3: no key is called \"colour\"") }
    func quit() { hasQuit = true }
}

/// A client that does not wait.
final class LineClient {
    let fd: Int32
    private var buffer = LineBuffer(limit: 64 << 20)
    private(set) var lines: [JSON] = []
    private(set) var isEnded = false
    private(set) var outgoing: [UInt8] = []

    init(_ path: String) throws {
        fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        try #require(result == 0)
    }

    deinit { close(fd) }

    /// What the socket does not take now is sent with what follows, or by `receive`.
    func send(_ text: some Sequence<UInt8>) {
        outgoing += Array(text)
        let count = Glibc.send(fd, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
        if count > 0 { outgoing.removeFirst(count) }
    }

    func send(_ line: String) { send(Array((line + "\n").utf8)) }

    func receive() {
        if !outgoing.isEmpty { send([]) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(fd, &chunk, chunk.count)
            guard count > 0 else {
                if count == 0 || errno != EAGAIN { isEnded = true }
                return
            }
            for case .line(let bytes) in buffer.append(chunk[..<count]) {
                if let json = try? JSON(parsing: bytes) { lines.append(json) }
            }
        }
    }
}

@Suite("The control socket")
struct ControlServerTests {
    let folder: String
    let path: String
    let loop = PollLoop()
    let shell = CoreShell()
    let server: ControlServer

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/m-\(UUID().uuidString.prefix(8))"
        path = ControlPath.path(runtime: folder, name: "wayland-9")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        server = try ControlServer(path: path, sources: loop, handler: shell, logger: Self.quiet)
    }

    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Sends lines and waits for as many answers.
    func exchange(_ client: LineClient, _ lines: [String], answers: Int? = nil) throws -> [JSON] {
        let before = client.lines.count
        for line in lines { client.send(line) }
        let wanted = before + (answers ?? lines.count)
        let came = loop.run {
            client.receive()
            return client.lines.count >= wanted
        }
        try #require(came, "\(client.lines.count - before) of \(wanted - before) answers came")
        return Array(client.lines[before...])
    }

    func clean() {
        server.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("requests are answered with their numbers")
    func answers() throws {
        defer { clean() }
        let client = try LineClient(path)
        shell.world.open(1)
        shell.world.open(2)
        let answers = try exchange(
            client,
            [
                #"{"id":1,"get":"state"}"#, #"{"id":2,"get":"windows"}"#, #"{"id":3,"get":"version"}"#, #"{"id":4,"get":"keys"}"#,
                #"{"id":5,"get":{"configureLog":{"window":1}}}"#, #"{"id":6,"get":{"configureLog":{"window":9}}}"#,
                #"{"id":7,"do":{"splitView":{"side":"left"}}}"#, #"{"id":8,"do":"slideOverHide"}"#, #"{"id":9,"reload":true}"#,
                #"{"get":"statistics"}"#, #"{"id":11,"clock":{"step":-1}}"#, #"{"id":12,"screenshot":{"path":"a.png"}}"#, "nonsense",
                #"{"id":14,"quit":true}"#,
            ])
        #expect(answers.map { $0["id"]?.integer } == [1, 2, 3, 4, 5, 6, 7, 8, 9, nil, 11, 12, nil, 14])
        #expect(answers.allSatisfy { $0["v"]?.integer == 1 && ($0["ok"] != nil) != ($0["error"] != nil) })
        #expect(try answers[0]["ok"]?.decoded(as: StateReport.self).windows.count == 2)
        #expect(answers[1]["ok"]?.array?.count == 2)
        #expect(answers[2]["ok"]?["socket"]?.string == "wayland-9")
        #expect(answers[4]["ok"]?["lines"]?[0]?.string == "seq=1 size=1x1 states=")
        #expect(answers[5]["error"]?["where"]?.string == "get.configureLog.window")
        #expect(answers[6]["ok"] == .object([:]) && shell.system.workspace.currentSpace?.split != nil)
        #expect(answers[7]["error"]?["what"]?.string == "no window is in Slide Over")
        #expect(answers[8]["error"]?["what"]?.string?.contains("line 3") == true)
        #expect(answers[10]["error"]?["where"]?.string == "clock.step")
        #expect(answers[11]["error"]?["where"]?.string == "screenshot.path")
        #expect(shell.hasQuit)
    }

    @Test("the socket is for this user alone and goes when the shell does")
    func privacy() throws {
        var status = stat()
        #expect(stat((path as NSString).deletingLastPathComponent, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(throws: ControlError.self) {
            try ControlServer(path: path, sources: loop, handler: shell, logger: Self.quiet)
        }
        clean()
        #expect(stat(path, &status) != 0)
    }

    @Test("another user is turned away")
    func otherUser() throws {
        defer { clean() }
        let other = ControlPath.path(runtime: folder, name: "other")
        let server = try ControlServer(path: other, sources: loop, handler: shell, logger: Self.quiet, mayEnter: { _ in false })
        defer { server.close() }
        let client = try LineClient(other)
        let isEnded = loop.run {
            client.receive()
            return client.isEnded
        }
        #expect(isEnded && client.lines.isEmpty)
    }

    @Test("a client that connects too early waits at the socket and is answered later")
    func early() throws {
        defer { clean() }
        let other = ControlPath.path(runtime: folder, name: "early")
        let server = try ControlServer(path: other, sources: loop, handler: shell, logger: Self.quiet, letsIn: false)
        defer { server.close() }
        let client = try LineClient(other)
        client.send(#"{"id":1,"get":"windows"}"#)
        // One that is let in is answered meanwhile.
        let first = try LineClient(path)
        for number in 0..<3 { #expect(try exchange(first, [#"{"id":\#(number),"get":"windows"}"#]).count == 1) }
        client.receive()
        #expect(client.lines.isEmpty && !client.isEnded)
        shell.world.open(1)
        server.letIn()
        #expect(try exchange(client, [], answers: 1).first?["ok"]?.array?.count == 1)
    }

    @Test("a socket that a killed shell left behind is taken over")
    func stale() throws {
        let other = ControlPath.path(runtime: folder, name: "stale")
        try FileManager.default.createDirectory(
            atPath: (other as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: other, contents: nil))
        let server = try ControlServer(path: other, sources: loop, handler: shell, logger: Self.quiet)
        server.close()
        clean()
        #expect(throws: ControlError.self) {
            try ControlServer(
                path: folder + "/" + String(repeating: "x", count: 200) + "/control.sock", sources: loop, handler: shell,
                logger: Self.quiet)
        }
    }

    @Test("a line of more than 1 MiB is refused and the connection goes on")
    func tooLong() throws {
        defer { clean() }
        let client = try LineClient(path)
        client.send([UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20))
        let done = loop.run {
            client.receive()
            return client.outgoing.isEmpty && !client.lines.isEmpty
        }
        #expect(done && client.lines.count == 1)
        #expect(client.lines.first?["error"]?["what"]?.string?.contains("longer than 1048576 bytes") == true)
        client.send("")
        #expect(try exchange(client, [#"{"id":5,"get":"version"}"#])[0]["id"]?.integer == 5)
    }

    @Test("a request may come byte by byte, and many at once")
    func pieces() throws {
        defer { clean() }
        let client = try LineClient(path)
        for byte in Array("{\"id\":1,\"get\":\"version\"}\n".utf8) {
            client.send([byte])
            loop.turn(0)
        }
        #expect(try exchange(client, [], answers: 1)[0]["id"]?.integer == 1)
        let many = (2...300).map { "{\"id\":\($0),\"get\":\"version\"}" }
        #expect(try exchange(client, many).map { $0["id"]?.integer } == (2...300).map { Int64($0) })
    }

    @Test("many requests at once do not block other clients until all are answered")
    func turns() throws {
        defer { clean() }
        let busy = try LineClient(path), other = try LineClient(path)
        loop.turn(0)
        busy.send(Array(String(repeating: "\n", count: 5000).utf8))
        for _ in 0..<300 { busy.send(#"{"get":"state"}"#) }
        other.send(#"{"id":1,"get":"version"}"#)
        #expect(
            loop.run {
                other.receive()
                return !other.lines.isEmpty
            })
        busy.receive()
        #expect(busy.lines.count < 10, "\(busy.lines.count)")
        #expect(
            loop.run {
                busy.receive()
                return busy.lines.count == 300
            })
    }

    @Test("one client's errors do not affect others")
    func trouble() throws {
        defer { clean() }
        let good = try LineClient(path)
        for _ in 0..<100 {
            let bad = try LineClient(path)
            bad.send((0..<2000).map { _ in UInt8.random(in: 0...255) })
            loop.turn(0)
        }
        #expect(try exchange(good, [#"{"id":1,"get":"version"}"#])[0]["ok"] != nil)
    }

    @Test("followers get a report only when something changed")
    func following() throws {
        defer { clean() }
        let client = try LineClient(path)
        let first = try exchange(client, [#"{"id":1,"follow":["state","events"]}"#], answers: 2)
        #expect(first[0]["ok"] != nil && first[1]["event"]?["state"] != nil)
        server.turn()
        server.turn()
        shell.world.open(1)
        server.happened(.touchDown(3, at: Point(1, 2)), at: shell.now)
        server.turn()
        server.turn()
        let told = try exchange(client, [], answers: 2)
        #expect(told[0]["event"]?["happened"]?["touchDown"]?["at"] == .array([.integer(1), .integer(2)]))
        #expect(try told[1]["event"]?["state"]?.decoded(as: StateReport.self).windows.count == 1)
        // What moves is not told at each step, but its coming to rest is.
        let isMoving = shell.system.isMoving(at: shell.now)
        for _ in 0..<200 {
            shell.world.wait(10)
            server.turn()
        }
        #expect(try exchange(client, [#"{"id":2,"follow":[]}"#], answers: isMoving ? 2 : 1).last?["id"]?.integer == 2)
        shell.world.open(2)
        server.turn()
        #expect(try exchange(client, [#"{"id":3,"get":"version"}"#])[0]["id"]?.integer == 3)
    }

    @Test("a follower that does not read is disconnected, within bounds")
    func deaf() throws {
        defer { clean() }
        let path = ControlPath.path(runtime: folder, name: "short")
        let server = try ControlServer(path: path, sources: loop, handler: shell, logger: Self.quiet, patience: 1 << 20)
        defer { server.close() }
        let client = try LineClient(path), other = try LineClient(path)
        _ = try exchange(client, [#"{"id":1,"follow":["events"]}"#])
        _ = try exchange(other, [#"{"id":1,"get":"version"}"#])
        let facts = WindowFacts(title: String(repeating: "long ", count: 2000))
        for _ in 0..<400 { server.happened(.windowRenamed(WindowID(1), facts), at: .zero) }
        let hasEnded = loop.run {
            client.receive()
            return client.isEnded
        }
        #expect(hasEnded && client.lines.count < 150)
        #expect(try exchange(other, [#"{"id":1,"get":"version"}"#]).count == 1)
    }

    @Test("the number of waits is limited, and waits of disconnected clients are dropped")
    func waits() throws {
        defer { clean() }
        var patient: LineClient? = try LineClient(path)
        let wait = #"{"id":1,"wait":{"until":{"gone":{"window":1}},"timeout":3600000}}"#
        shell.world.open(1)
        for _ in 0..<257 { patient!.send(wait) }
        #expect(
            loop.run {
                patient!.receive()
                return !patient!.lines.isEmpty
            })
        #expect(patient!.lines.count == 1)
        #expect(patient!.lines[0]["error"]?["what"]?.string == "256 requests wait already")
        patient = nil
        let other = try LineClient(path)
        #expect(try exchange(other, [#"{"id":2,"get":"version"}"#]).count == 1)
        other.send(wait)
        #expect(try exchange(other, [#"{"id":3,"get":"version"}"#])[0]["id"]?.integer == 3)
        #expect(other.lines.allSatisfy { $0["error"] == nil })
    }

    @Test("waiting: what has come about, what comes, and what does not")
    func waiting() throws {
        defer { clean() }
        let client = try LineClient(path)
        #expect(try exchange(client, [#"{"id":1,"wait":{"until":"idle"}}"#])[0]["ok"] == .object([:]))
        client.send(#"{"id":2,"wait":{"until":{"window":{"appID":"app5"}}}}"#)
        client.send(#"{"id":3,"wait":{"until":{"gone":{"window":9}}}}"#)
        client.send(#"{"id":4,"wait":{"until":{"window":{"appID":"app6"}},"timeout":60}}"#)
        // The second is true at once and overtakes the first.
        #expect(try exchange(client, [], answers: 1)[0]["id"]?.integer == 3)
        shell.world.open(5)
        server.turn()
        let window = try exchange(client, [], answers: 1)[0]
        #expect(window["id"]?.integer == 2 && window["ok"]?["appID"]?.string == "app5")
        let late = try exchange(client, [], answers: 1)[0]
        #expect(late["id"]?.integer == 4)
        #expect(late["error"]?["what"]?.string == "timed out after 60 ms waiting for a window of \"app6\"")
        shell.isIdle = false
        client.send(#"{"id":5,"wait":{"until":"idle","timeout":5000}}"#)
        _ = loop.run(within: 0.05) { false }
        shell.isIdle = true
        server.turn()
        #expect(try exchange(client, [], answers: 1)[0]["id"]?.integer == 5)
    }

    @Test("answers that take time come when they come, once, and never to the wrong client")
    func late() throws {
        defer { clean() }
        let client = try LineClient(path)
        client.send(#"{"id":1,"screenshot":{}}"#)
        client.send(#"{"id":2,"screenshot":{}}"#)
        client.send(#"{"id":3,"input":{"tap":{"at":[1,1]}}}"#)
        #expect(loop.run { shell.pending.count == 2 && !shell.player.isEmpty })
        shell.pending[1].answer(ScreenshotReport(width: 1, height: 2, png: "x"))
        shell.pending[1].answer()
        // Nobody answers the first.
        shell.pending.removeAll()
        shell.world.wait(100)
        while shell.player.step(at: shell.now) != nil {}
        let answers = try exchange(client, [], answers: 3)
        #expect(answers.map { $0["id"]?.integer } == [2, 1, 3])
        #expect(answers[0]["ok"]?["height"]?.integer == 2 && answers[1]["error"] != nil && answers[2]["ok"] != nil)
        do {
            let gone = try LineClient(path)
            gone.send(#"{"id":1,"screenshot":{}}"#)
            #expect(loop.run { shell.pending.count == 1 })
        }
        shell.pending[0].answer()
        #expect(try exchange(client, [#"{"id":9,"get":"version"}"#])[0]["id"]?.integer == 9)
    }

    @Test("the client of mullion ctl and of the tests")
    func client() throws {
        defer { clean() }
        shell.world.open(1)
        let path = path
        // The client blocks, and the loop runs in this thread.
        let outcome = Outcome {
            let client = try ControlClient(path: path)
            guard try client.state().windows.count == 1 else { return "no window" }
            try client.perform(.slideOver(window: WindowID(1)))
            guard try client.state()[WindowID(1)]?.place == .slideOver else { return "not in Slide Over" }
            do {
                try client.perform(.swapSides)
                return "nothing was refused"
            } catch {
                guard error as? ControlError == ControlError("no Split View is in front") else { return "\(error)" }
            }
            guard try client.configureLog(of: WindowID(1)).count == 1 else { return "no configure log" }
            try client.waitUntilIdle()
            guard try client.waitForWindow(appID: "app1").id == WindowID(1) else { return "not the window" }
            try client.ask(.follow([.state]))
            guard try client.event(within: 2)?["state"] != nil else { return "no event" }
            guard try client.event(within: 0.05) == nil else { return "an event too many" }
            guard try client.send(raw: Array("{".utf8))["error"] != nil else { return "no error" }
            return "well"
        }
        #expect(loop.run(within: 10) { outcome.value != nil })
        #expect(outcome.value == "well")
    }

    /// What a thread came to.
    final class Outcome: Sendable {
        private let text = Mutex<String?>(nil)
        var value: String? { text.withLock { $0 } }

        init(_ body: @escaping @Sendable () throws -> String) {
            Thread.detachNewThread { [self] in
                let result: String
                do { result = try body() } catch { result = "\(error)" }
                text.withLock { $0 = result }
            }
        }
    }

    @Test("finding the socket")
    func finding() throws {
        defer { clean() }
        let environment = ["XDG_RUNTIME_DIR": folder]
        #expect(try ControlPath.find(nil, environment: environment) == path)
        #expect(try ControlPath.find("wayland-9", environment: environment) == path)
        #expect(try ControlPath.find("/a/b", environment: environment) == "/a/b")
        #expect(try ControlPath.find(nil, environment: ["MULLION_CONTROL": "/x/y"]) == "/x/y")
        #expect { try ControlPath.find("wayland-7", environment: environment) } throws: {
            "\($0)".contains("no shell is called \"wayland-7\"")
        }
        #expect { try ControlPath.find(nil, environment: ["XDG_RUNTIME_DIR": "/nowhere"]) } throws: {
            "\($0)".contains("no shell is running")
        }
        #expect(throws: ControlError.self) { try ControlClient(path: "/nowhere/control.sock") }
    }

    /// It would be told what a person types and sees, and could answer what it likes.
    @Test("a socket of another user is not spoken to")
    func socketOfAnotherUser() throws {
        defer { clean() }
        #expect(throws: Never.self) { try ControlClient(path: path) }
        #expect { try ControlClient(path: path, user: geteuid() + 1) } throws: {
            "\($0)".contains("the socket \(path) belongs to user \(geteuid()), not to user \(geteuid() + 1)")
        }
    }

    @Test("only private folders are searched for sockets")
    func foldersOfOthers() throws {
        defer { clean() }
        func find() throws -> String { try ControlPath.find(nil, environment: ["XDG_RUNTIME_DIR": folder]) }
        let own = (path as NSString).deletingLastPathComponent
        for mode in [0o755, 0o777] as [mode_t] {
            chmod(own, mode)
            #expect { try find() } throws: { "\($0)".contains("no shell is running") }
        }
        chmod(own, 0o700)
        // The same shell by a link, as somebody may plant one; then whatever it leads to.
        rename(own, folder + "/away")
        symlink(folder + "/away", own)
        #expect { try find() } throws: { "\($0)".contains("no shell is running") }
        unlink(own)
        rename(folder + "/away", own)
        #expect(try find() == path)
        chmod(folder, 0o755)
        #expect { try find() } throws: { "\($0)".contains("chmod 700 \(folder)") }
        chmod(folder, 0o700)
    }
}
