import Clocks
import Glibc
import MessageBus

/// Calls of a service that have no answer yet. Confined to one thread.
final class PendingCalls {
    private var answers: [UInt64: (Result<Incoming, BusError>) -> Void] = [:]
    private var last: UInt64 = 0
    /// Microseconds.
    private static let patience: UInt64 = 25_000_000

    /// `done` gets the answer, or at once that the call could not be sent.
    func call(
        _ connection: BusConnection?, _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ write: (inout Outgoing) -> Void, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        last += 1
        let token = last
        answers[token] = done
        let isSent = connection?.call(destination, path, interface, member, token: token, timeout: Self.patience, write) ?? false
        guard !isSent else { return }
        answer(token, .failure(BusError(name: "org.freedesktop.DBus.Error.Failed", text: "\(member) could not be sent")))
    }

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) { answers.removeValue(forKey: token)?(answer) }

    /// Forgets the calls. Returns those who wait for an answer.
    @discardableResult
    func removeAll() -> [(Result<Incoming, BusError>) -> Void] {
        defer { answers = [:] }
        return Array(answers.values)
    }
}

extension BusConnection {
    /// Waits for the bus, at most so many milliseconds; -1: without a limit.
    func wait(milliseconds: Int32) {
        let events = events
        var entry = pollfd(fd: descriptor, events: Int16((events.read ? POLLIN : 0) | (events.write ? POLLOUT : 0)), revents: 0)
        _ = poll(&entry, 1, milliseconds)
    }

    /// The same, at most so many seconds.
    func wait(milliseconds own: Int32, seconds: Double) {
        let patience = seconds.isFinite ? Int32(clamping: Int64(max(0, seconds) * 1000 + 0.999)) : -1
        wait(milliseconds: own < 0 ? patience : patience < 0 ? own : min(own, patience))
    }

    /// Milliseconds until a moment in nanoseconds of CLOCK_MONOTONIC; -1: there is none.
    static func milliseconds(until deadline: Int64?) -> Int32 {
        deadline.map { Int32(clamping: max(0, $0 - Clocks.monotonicNanoseconds + 999_999) / 1_000_000) } ?? -1
    }
}
