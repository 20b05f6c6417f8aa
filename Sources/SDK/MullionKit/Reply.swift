import Clocks
import Glibc
import MessageBus

/// The loop of a reply: a connection whose messages it can process.
protocol ReplyLoop: AnyObject {
    /// Waits until something happens or the time is over, and processes it.
    func wait(seconds: Double)
}

/// The future answer to a request. The request is sent even if the reply is not retained.
///
/// Wait for it in one of three ways: `whenDone(_:)` in a loop, `wait(seconds:)` in a program without one, `value()` in async code.
/// Confined to the thread of the object that made the request.
public final class Reply<Value: Sendable> {
    /// nil until it is answered.
    public private(set) var result: Result<Value, MullionError>?
    private var bodies: [(Result<Value, MullionError>) -> Void] = []
    private var loop: (any ReplyLoop)?

    init(_ loop: (any ReplyLoop)?) { self.loop = loop }

    convenience init(failed error: MullionError) {
        self.init(nil)
        result = .failure(error)
    }

    func finish(_ result: Result<Value, MullionError>) {
        guard self.result == nil else { return }
        self.result = result
        loop = nil
        let bodies = self.bodies
        self.bodies = []
        for body in bodies { body(result) }
    }

    /// Calls `body` with the answer: from `process()`, or at once if the answer is already there. Never blocks.
    public func whenDone(_ body: @escaping (Result<Value, MullionError>) -> Void) {
        if let result { body(result) } else { bodies.append(body) }
    }

    /// Blocks until the answer arrives, and at most for the given time. Most answers take a fraction of a millisecond. Other events of the
    /// same object are delivered in the meantime.
    /// - Throws: the shell's error, or `.timedOut` if it does not answer in time. The request stays sent.
    @discardableResult
    public func wait(seconds: Double = 5) throws(MullionError) -> Value {
        let end = Clocks.monotonicNanoseconds + Int64(max(0, min(seconds, 1e6)) * 1e9)
        while result == nil, let loop {
            let left = end - Clocks.monotonicNanoseconds
            guard left > 0 else { throw MullionError(.timedOut, "no answer within \(seconds) s") }
            loop.wait(seconds: Double(left) / 1e9)
        }
        guard let result else { throw MullionError(.expiredSession, "the connection was closed") }
        return try result.get()
    }

    /// The answer, for async code on the actor whose event loop processes the object. The loop keeps running.
    @discardableResult
    public func value(isolation: isolated (any Actor)? = #isolation) async throws(MullionError) -> Value {
        let result = await withCheckedContinuation(isolation: isolation) { continuation in
            whenDone { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
