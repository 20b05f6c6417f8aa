import Clocks
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Journal
import Multitasking
import Windows

/// The client side of the control socket, for `mullion ctl` and tests. Each call blocks no longer than its timeout.
public final class ControlClient {
    private let socket: Descriptor
    private var fd: Int32 { socket.number }
    private var incoming = LineBuffer(limit: 64 << 20)
    private var lines: [LineBuffer.Line] = []
    private var nextID: Int64 = 1
    /// Event lines that arrived while waiting for an answer.
    private var events: [JSON] = []
    /// Seconds to wait for an answer, in addition to the time of the request itself.
    public var timeout = 10.0

    /// Throws `ControlError` if no shell answers, or if the socket's owner is not `user`, because requests may contain secrets.
    public init(path: String, user: uid_t = geteuid()) throws(ControlError) {
        do {
            socket = Descriptor(try UnixSocket.connect(path, to: user), owner: "control client")
        } catch {
            throw ControlError("\(error)")
        }
    }

    /// Finds the socket as `ControlPath.find` does.
    public convenience init(
        finding wanted: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ControlError) {
        try self.init(path: try ControlPath.find(wanted, environment: environment))
    }

    // MARK: Requests

    /// Sends a request and returns the `ok` of the answer. Throws the shell's `ControlError`, or one for a timeout.
    @discardableResult
    public func ask(_ request: ControlRequest) throws(ControlError) -> JSON {
        let id = nextID
        nextID += 1
        let line: [UInt8]
        do {
            line = try ControlMessage(request, id: id).line()
        } catch EncodingError.invalidValue(let value as Double, _) {
            throw ControlError("\(value) is no number for a request")
        } catch {
            throw ControlError("the request cannot be encoded as JSON: \(error)")
        }
        return try answer(to: line, id: id, within: timeout + request.duration)
    }

    public func ask<T: Decodable>(_ request: ControlRequest, for type: T.Type) throws(ControlError) -> T {
        let answer = try ask(request)
        do {
            return try answer.decoded()
        } catch {
            throw ControlError("the answer is not what was expected: \(error)")
        }
    }

    /// Sends a line unchanged, and returns the next line that is not an event. For tests and `ctl send`.
    public func send(raw line: [UInt8], within seconds: Double? = nil) throws(ControlError) -> JSON {
        let deadline = Clocks.monotonicSeconds + (seconds ?? timeout)
        try write(line + [UInt8(ascii: "\n")], until: deadline)
        while true {
            let json = try readLine(until: deadline)
            if let event = json["event"] { events.append(event) } else { return json }
        }
    }

    /// The next event after `follow`, or nil on timeout.
    public func event(within seconds: Double) throws(ControlError) -> JSON? {
        if !events.isEmpty { return events.removeFirst() }
        let deadline = Clocks.monotonicSeconds + seconds
        while true {
            do {
                if let event = try readLine(until: deadline)["event"] { return event }
            } catch {
                if error == ControlClient.noAnswer { return nil }
                throw error
            }
        }
    }

    private func answer(to line: [UInt8], id: Int64, within seconds: Double) throws(ControlError) -> JSON {
        let deadline = Clocks.monotonicSeconds + seconds
        try write(line + [UInt8(ascii: "\n")], until: deadline)
        while true {
            let json = try readLine(until: deadline)
            if let event = json["event"] {
                events.append(event)
                continue
            }
            // A late answer to a request that timed out.
            if let number = json["id"]?.integer, number != id { continue }
            if let error = json["error"] {
                throw (try? error.decoded(as: ControlError.self)) ?? ControlError("the shell answers: \(error.text())")
            }
            guard let ok = json["ok"] else { throw ControlError("the shell answers: \(json.text())") }
            return ok
        }
    }

    // MARK: Bytes

    private static let noAnswer = ControlError("the shell did not answer in time")

    private func wait(for events: Int32, until deadline: Double) throws(ControlError) {
        while true {
            let left = deadline - Clocks.monotonicSeconds
            guard left > 0 else { throw ControlClient.noAnswer }
            var entry = pollfd(fd: fd, events: Int16(events), revents: 0)
            let result = poll(&entry, 1, Int32(clamping: min(left * 1000 + 1, 1e9)))
            if result > 0 { return }
            if result < 0, errno != EINTR { throw ControlError("the shell cannot be reached: \(String(cString: strerror(errno)))") }
        }
    }

    private func write(_ bytes: [UInt8], until deadline: Double) throws(ControlError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(fd, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                try wait(for: Int32(POLLOUT), until: deadline)
            } else if errno != EINTR {
                throw ControlError("the shell closed the connection")
            }
        }
    }

    private func readLine(until deadline: Double) throws(ControlError) -> JSON {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while lines.isEmpty {
            let count = read(fd, &chunk, chunk.count)
            if count > 0 {
                lines += incoming.append(chunk[..<count])
            } else if count == 0 {
                throw ControlError("the shell closed the connection")
            } else if errno == EAGAIN {
                try wait(for: Int32(POLLIN), until: deadline)
            } else if errno != EINTR {
                throw ControlError("cannot read from the shell: \(String(cString: strerror(errno)))")
            }
        }
        guard case .line(let bytes) = lines.removeFirst() else { throw ControlError("the shell's answer is too long") }
        do {
            return try JSON(parsing: bytes)
        } catch {
            throw ControlError("the shell's answer is not JSON: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
    }
}

extension ControlRequest {
    /// Seconds that the request itself may take.
    var duration: Double {
        switch self {
        case .wait(let wait): wait.patience
        case .input(let input): (try? InputPlan(input).duration) ?? 0
        case .screenshot, .clock: 30
        // A person takes their time.
        case .ask: 7 * 24 * 3600
        default: 0
        }
    }
}

// Typed requests.
extension ControlClient {
    /// The end of a question for the person; nil: it did not come in time.
    public func ask(_ question: AskRequest, within seconds: Double?) throws(ControlError) -> AskReport? {
        let id = nextID
        nextID += 1
        guard let line = try? ControlMessage(.ask(question), id: id).line() else { throw ControlError("the question cannot be encoded") }
        do {
            let report: AskReport = try answer(to: line, id: id, within: seconds ?? ControlRequest.ask(question).duration).decoded()
            return report
        } catch let error as ControlError {
            if error == ControlClient.noAnswer { return nil }
            throw error
        } catch {
            throw ControlError("the answer is not what was expected: \(error)")
        }
    }

    public func state() throws(ControlError) -> StateReport { try ask(.get(.state), for: StateReport.self) }

    public func perform(_ action: Action) throws(ControlError) { try ask(.act(action)) }

    /// Returns when the gesture has ended.
    public func input(_ input: InputRequest) throws(ControlError) { try ask(.input(input)) }

    public func configureLog(of window: WindowID) throws(ControlError) -> [String] {
        try ask(.get(.configureLog(window: window)), for: ConfigureLogReport.self).lines
    }

    /// - Parameter timeout: in milliseconds.
    public func waitUntilIdle(timeout: Double = 5000) throws(ControlError) {
        try ask(.wait(WaitRequest(until: .idle, timeout: timeout)))
    }

    public func waitForWindow(
        appID: String? = nil, title: String? = nil, after: WindowID? = nil, timeout: Double = 10_000
    ) throws(ControlError) -> WindowReport {
        try ask(
            .wait(WaitRequest(until: .window(appID: appID, title: title, after: after), timeout: timeout)),
            for: WindowReport.self)
    }

    public func waitUntilGone(_ window: WindowID, timeout: Double = 5000) throws(ControlError) {
        try ask(.wait(WaitRequest(until: .gone(window: window), timeout: timeout)))
    }
}
