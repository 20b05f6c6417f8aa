import Accessibility
import Clocks
import Foundation
import Geometry
import Glibc
import Testing

/// Runs an `AccessibilityBus` as the shell's loop does: only what it says it waits for is waited for.
final class Session {
    let bus: AccessibilityBus
    private(set) var pressed: [String] = []
    private(set) var acted: [String] = []
    private(set) var focused: [String] = []
    private(set) var turns = 0
    private var watched: (fd: Int32, events: Int16, deadline: Int64?) = (-1, 0, nil)

    init(_ environment: [String: String], name: String = "Mullion") {
        bus = AccessibilityBus(applicationName: name, environment: environment)
        bus.onPress = { [unowned self] in pressed.append($0) }
        bus.onAct = { [unowned self] in acted.append("\($0): \($1)") }
        bus.onFocus = { [unowned self] in focused.append($0) }
        bus.onChange = { [unowned self] in watch() }
        watch()
    }

    private func watch() {
        let events = bus.events
        watched = (bus.descriptor, Int16((events.read ? POLLIN : 0) | (events.write ? POLLOUT : 0)), bus.deadline)
    }

    /// One round of the loop, which also ends when `other` can be read.
    func turn(_ other: Int32 = -1, milliseconds: Int64 = 20) {
        turns += 1
        var entries = [
            pollfd(fd: watched.fd, events: watched.events, revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        let left = watched.deadline.map { max(0, ($0 - Clocks.monotonicNanoseconds + 999_999) / 1_000_000) } ?? .max
        _ = poll(&entries, 2, Int32(min(left, milliseconds)))
        if entries[0].revents != 0 || watched.deadline.map({ $0 <= Clocks.monotonicNanoseconds }) == true { bus.process() }
    }

    func run(seconds: Double = 10, until condition: () -> Bool) -> Bool {
        let end = Clocks.monotonicNanoseconds + Int64(clamping: seconds * 1e9)
        while !condition() {
            guard Clocks.monotonicNanoseconds < end else { return false }
            turn()
        }
        return true
    }

    func register(_ comment: Comment? = nil) {
        #expect(run { bus.isRegistered }, comment ?? "registered")
    }
}

/// A real client: libatspi in a process of its own.
final class Client {
    typealias Object = [String: Any]
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()
    private(set) var events: [Object] = []
    private var answers: [Object] = []
    private unowned let session: Session

    init(_ bus: PrivateBus, _ session: Session) throws {
        self.session = session
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        process.arguments = ["-W", "ignore", folder.appendingPathComponent("client.py").path]
        process.environment = bus.environment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let fd = output.fileHandleForReading.fileDescriptor
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
        #expect(answer() as? String == "ready")
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What the client finds out; meanwhile the shell's loop goes on. `meanwhile` is called in each of its rounds.
    @discardableResult
    func ask(_ request: Object, seconds: Double = 20, meanwhile: () -> Void = {}) throws -> Any? {
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: request) + Data([10]))
        return answer(seconds: seconds, meanwhile: meanwhile)
    }

    func ask(_ verb: String) throws -> Any? { try ask(["do": verb]) }

    /// Waits for an event such as "object:state-changed:focused" of this control.
    func hears(_ type: String, _ id: String?, _ detail: Int? = nil, seconds: Double = 5) -> Bool {
        let end = Clocks.monotonicNanoseconds + Int64(clamping: seconds * 1e9)
        repeat {
            let isHere = events.contains {
                $0["event"] as? String == type && (id == nil || $0["id"] as? String == id)
                    && (detail == nil || $0["detail"] as? Int == detail)
            }
            if isHere { return true }
            turn()
        } while Clocks.monotonicNanoseconds < end
        return false
    }

    func forgetEvents() { events = [] }

    private func answer(seconds: Double = 20, meanwhile: () -> Void = {}) -> Any? {
        let end = Clocks.monotonicNanoseconds + Int64(clamping: seconds * 1e9)
        while answers.isEmpty, Clocks.monotonicNanoseconds < end {
            meanwhile()
            turn()
        }
        guard !answers.isEmpty else {
            Issue.record("the client did not answer")
            return nil
        }
        let answer = answers.removeFirst()
        return answer["answer"].flatMap { $0 is NSNull ? nil : $0 }
    }

    private func turn() {
        let fd = output.fileHandleForReading.fileDescriptor
        session.turn(fd)
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(fd, &bytes, bytes.count)
            if count <= 0 { break }
            buffer.append(contentsOf: bytes[..<count])
        }
        while let end = buffer.firstIndex(of: 10) {
            let line = buffer[..<end]
            buffer = Data(buffer[(end + 1)...])
            guard let object = try? JSONSerialization.jsonObject(with: line) as? Object else { continue }
            if object["event"] != nil { events.append(object) } else { answers.append(object) }
        }
    }
}
