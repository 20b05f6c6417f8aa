import Glibc
import MessageBus

/// The answer to a request, which comes later. Hold on to it or not: the request is on its way.
///
/// Belongs to the thread of its session.
public final class AudioReply {
    /// nil: not answered yet.
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

    /// Calls `body` with the answer: from the session's `process()`, or at once if it is there.
    public func whenDone(_ body: @escaping (Result<Void, AudioSessionError>) -> Void) {
        if let result { body(result) } else { bodies.append(body) }
    }

    /// Waits for the answer, which takes a fraction of a millisecond; other events of the session are delivered
    /// meanwhile.
    /// - Throws: what the shell says is wrong; `.timedOut` if it says nothing in time.
    public func wait(seconds: Double = 5) throws(AudioSessionError) {
        let end = monotonicNow() + Int64(min(seconds, 1e6) * 1e9)
        while result == nil, let link {
            let left = end - monotonicNow()
            guard left > 0 else { throw AudioSessionError(.timedOut, "no answer within \(seconds) s") }
            link.wait(seconds: Double(left) / 1e9)
        }
        try result?.get()
    }

    /// The answer, for async code on the session's actor, whose loop goes on meanwhile.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws(AudioSessionError) {
        let result = await withCheckedContinuation(isolation: isolation) { continuation in
            whenDone { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}
