import Glibc
import MessageBus

/// The future answer to a request. The request is sent even if the reply is not retained.
///
/// Confined to the thread of its session.
public final class AudioReply {
    /// nil until it is answered.
    public private(set) var result: Result<Void, AudioSessionError>?
    private var bodies: [(Result<Void, AudioSessionError>) -> Void] = []
    private var link: ServiceLink?

    init(_ link: ServiceLink?) { self.link = link }

    convenience init(failed error: AudioSessionError) {
        self.init(nil)
        result = .failure(error)
    }

    func finish(_ result: Result<Void, AudioSessionError>) {
        guard self.result == nil else { return }
        self.result = result
        link = nil
        let bodies = self.bodies
        self.bodies = []
        for body in bodies { body(result) }
    }

    /// Calls `body` with the answer: from the session's `process()`, or at once if the answer is already there.
    public func whenDone(_ body: @escaping (Result<Void, AudioSessionError>) -> Void) {
        if let result { body(result) } else { bodies.append(body) }
    }

    /// Blocks until the answer arrives, which takes a fraction of a millisecond. Other events of the session are
    /// delivered in the meantime.
    /// - Throws: the shell's error, or `.timedOut` if it does not answer in time.
    public func wait(seconds: Double = 5) throws(AudioSessionError) {
        let end = monotonicNow() + Int64(max(0, min(seconds, 1e6)) * 1e9)
        while result == nil, let link {
            let left = end - monotonicNow()
            guard left > 0 else { throw AudioSessionError(.timedOut, "no answer within \(seconds) s") }
            link.wait(seconds: Double(left) / 1e9)
        }
        try result?.get()
    }

    /// The answer, for async code on the session's actor. The actor's event loop keeps running.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws(AudioSessionError) {
        let result = await withCheckedContinuation(isolation: isolation) { continuation in
            whenDone { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}
