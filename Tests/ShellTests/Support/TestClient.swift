import Control
import Foundation
import Glibc
import Journal
import MullionTesting
import Multitasking
import Windows

/// `Tests/Clients/window.py`, or its superset `Clients/lively.py`: a client of one colour that logs every event and
/// is controlled by lines.
final class TestClient {
    struct LoggedEvent: Decodable {
        /// Seconds.
        var t: Double
        /// Interface and number, "wl_touch#9".
        var o: String
        var e: String
        var a: JSON

        /// "wl_touch.down"
        var name: String { "\(o.prefix { $0 != "#" }).\(e)" }
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Clients").path(percentEncoded: false)

    /// The program: `window.py` plus two commands.
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Clients/lively.py").path(percentEncoded: false)

    let shell: ShellUnderTest
    private let files: String
    private(set) var id = WindowID(0)
    private(set) var process: Int32 = 0

    private init(_ shell: ShellUnderTest) {
        self.shell = shell
        files = "\(shell.room)/client-\(UUID().uuidString.prefix(8))"
        mkfifo("\(files).commands", 0o600)
    }

    private func command(_ arguments: [String]) -> [String] {
        ["python3", "-S", Self.script, "--log", "\(files).log", "--commands", "\(files).commands"] + arguments
    }

    /// Launched by the shell, shown and at rest.
    convenience init(_ shell: ShellUnderTest, _ arguments: [String] = [], to destination: Destination? = nil) throws {
        self.init(shell)
        let window = try shell.open(command(arguments), to: destination)
        id = window.id
        process = window.pid ?? 0
    }

    /// A program of the session that the shell did not launch. Its windows wait (W-19) unless it has a token.
    static func outside(_ shell: ShellUnderTest, _ arguments: [String] = []) throws -> TestClient {
        let client = TestClient(shell)
        let last = try shell.state().windows.map(\.id).max() ?? WindowID(0)
        client.process = try shell.start(client.command(arguments)).process
        client.id = try shell.waitForWindow(after: last, timeout: 20_000).id
        try shell.settle()
        return client
    }

    /// Launched without waiting for a window: it opens none, or many.
    static func started(_ shell: ShellUnderTest, _ arguments: [String]) throws -> TestClient {
        let client = TestClient(shell)
        try shell.client.perform(.launch(command: client.command(arguments)))
        return client
    }

    /// The path of its log.
    var log: String { "\(files).log" }

    var report: WindowReport { get throws { try shell.window(id) } }

    func tell(_ command: String) throws {
        // Its client may still be about to open it.
        var fd: Int32 = -1
        for _ in 0..<400 {
            fd = open("\(files).commands", O_WRONLY | O_NONBLOCK)
            guard fd < 0, errno == ENXIO else { break }
            usleep(25_000)
        }
        guard fd >= 0 else { throw ShellUnderTest.Failure("the client does not listen: \(String(cString: strerror(errno)))") }
        defer { close(fd) }
        let line = Array("\(command)\n".utf8)
        guard write(fd, line, line.count) == line.count else { throw ShellUnderTest.Failure("the client does not listen") }
    }

    func signal(_ number: Int32) { kill(process, number) }

    // MARK: Its events

    /// The lines of its log.
    func lines(since mark: Int = 0) -> ArraySlice<Substring> {
        // The last line may be incomplete.
        shell.text(of: log).split(separator: "\n", omittingEmptySubsequences: false).dropLast().dropFirst(mark)
    }

    func events(since mark: Int = 0, _ names: String...) throws -> [LoggedEvent] {
        // Decoding all of a long log takes seconds.
        let words = names.map { "\"e\": \"\($0.split(separator: ".").last ?? "")\"" }
        return try lines(since: mark).filter { line in words.isEmpty || words.contains { line.contains($0) } }.map {
            try JSON(parsing: Array($0.utf8)).decoded(as: LoggedEvent.self)
        }
        .filter { names.isEmpty || names.contains($0.name) }
    }

    /// The number of events after everything sent so far has arrived; for `events(since:)`.
    func mark() throws -> Int {
        let words = UUID().uuidString
        try tell("sync \(words)")
        // Its log may be too long to be decoded again and again.
        let line = Data("\(words)\"]}\n".utf8)
        try shell.wait("client.synced at the client", within: 10) { FileManager.default.contents(atPath: log)?.range(of: line) != nil }
        return lines().count
    }

    @discardableResult
    func waitFor(
        _ name: String, since mark: Int = 0, within seconds: Double = 10, where matches: (LoggedEvent) -> Bool = { _ in true }
    ) throws -> LoggedEvent {
        var found: LoggedEvent?
        try shell.wait("\(name) at the client", within: seconds) {
            found = try events(since: mark, name).first(where: matches)
            return found != nil
        }
        return found!
    }
}
