import Control
import Foundation
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

/// Helpers that the tests of the running shell use all the time.
extension ShellUnderTest {
    // MARK: Programs

    /// Launches a program of a package, and waits until its window is shown and at rest. Fails naming the package if
    /// it is missing.
    @discardableResult
    func open(
        _ name: String, of package: String, _ arguments: [String] = [], environment: [String] = [],
        to destination: Destination? = nil, timeout: Double = 30_000
    ) throws -> WindowReport {
        try ShellUnderTest.require(name, of: package)
        return try open(
            (environment.isEmpty ? [] : ["env"] + environment) + [name] + arguments, to: destination, timeout: timeout)
    }

    static func require(_ name: String, of package: String) throws {
        guard has(name) else { throw Failure("\(name) is not installed: apt-get install \(package)") }
    }

    /// The file of the program under test.
    var program: String {
        get throws {
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
            guard count > 0 else { throw Failure("the shell is gone") }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The output of programs: those that the shell itself needs, followed by launched ones.
    var programLog: String {
        let folder = "\(runtime)/mullion-\(ShellUnderTest.socket)/programs"
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
        return text(of: "\(folder).log") + files.map { text(of: "\(folder)/\($0)") }.joined()
    }

    func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }

    func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        fputs(text, file)
        fclose(file)
    }

    // MARK: Asking

    func state() throws -> StateReport { try client.state() }

    /// Sends all requests without waiting for answers in between, and returns when the last one is answered. Fails if one is refused.
    func ask(all requests: [ControlRequest]) throws {
        let socket = try RawSocket(path: controlPath)
        // Few enough that the answers fit into the socket.
        for start in stride(from: 0, to: requests.count, by: 200) {
            let some = requests[start..<min(start + 200, requests.count)]
            socket.send(try some.flatMap { try ControlMessage($0).line() + [UInt8(ascii: "\n")] })
            for request in some {
                let answer = socket.line(patience: Int32(clamping: 10_000 * ShellUnderTest.patience)) ?? "nothing"
                guard answer.hasPrefix("{\"ok\"") else { throw Failure("\(request): the shell answers \(answer)") }
            }
        }
    }

    func statistics() throws -> StatisticsReport { try client.ask(.get(.statistics), for: StatisticsReport.self) }

    /// Performs an action, and waits until everything is at rest.
    func perform(_ action: Action) throws {
        try client.perform(action)
        try settle()
    }

    func settle(within milliseconds: Double = 8000) throws { try client.waitUntilIdle(timeout: milliseconds * ShellUnderTest.patience) }

    /// Checks that it runs and answers quickly.
    func expectAlive(_ sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: Never.self, "the shell does not answer", sourceLocation: sourceLocation) { try client.state() }
    }

    func waitForLog(_ text: String, within seconds: Double = 10) throws {
        try wait("\"\(text)\" in the log", within: seconds) { log.contains(text) }
    }

    // MARK: Fingers, pointer, keys

    func tap(_ at: Point) throws { try client.input(.tap(at: at)) }
    func click(_ at: Point) throws { try client.input(.click(at: at)) }

    /// Waits until everything is at rest. `rest`: the pause before the release; 0 throws.
    func drag(
        _ from: Point, _ to: Point, via: [Point]? = nil, duration: Double = 250, rest: Double = 150, pointer: Bool = false
    ) throws {
        try client.input(.drag(from: from, to: to, via: via, duration: duration, rest: rest, pointer: pointer ? true : nil))
        try settle()
    }

    func pinch(_ center: Point, from: Double, to: Double) throws {
        try client.input(.pinch(center: center, from: from, to: to, rest: 100))
        try settle()
    }

    func press(_ keys: String) throws {
        try client.input(.press(keys: keys))
        try settle()
    }

    func down(_ at: Point) throws { try client.input(.touchDown(at: at)) }
    func move(_ to: Point) throws { try client.input(.touchMotion(at: to)) }
    func lift() throws { try client.input(.touchUp()) }

    // MARK: The hand clock

    /// From now on, time only advances by `step`.
    func stopClock() throws { try client.ask(.clock(.hand)) }
    func startClock() throws { try client.ask(.clock(.real)) }
    func step(_ milliseconds: Double) throws { try client.ask(.clock(.step(milliseconds))) }

    // MARK: Positions on a screen of the default size, 1180 by 820

    /// The dots of the window that fills the screen.
    static let grip = Point(590, 18)
    static let leftHalf = Rect(0, 0, 585, 820)
    static let rightHalf = Rect(595, 0, 585, 820)
    static let whole = Rect(0, 0, 1180, 820)
    /// The drop position for each place.
    static let toLeft = Point(20, 400)
    static let toRight = Point(1160, 400)
    static let toSlideOver = Point(1000, 400)
    static let toPicture = Point(1120, 790)
    static let toFull = Point(590, 420)
}

extension Rect {
    func isNear(_ other: Rect, within tolerance: Double = 1) -> Bool {
        abs(x - other.x) <= tolerance && abs(y - other.y) <= tolerance && abs(width - other.width) <= tolerance
            && abs(height - other.height) <= tolerance
    }
}
