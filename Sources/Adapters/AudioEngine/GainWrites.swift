/// The last write of a stream's gain, and whether the stream acknowledged it.
///
/// A stream acknowledges a write by a report of its soft volumes. The acknowledgement may never arrive: a new session manager sets up the
/// stream anew, or the program hangs. So the engine waits for it no longer than `patience`.
struct GainWrites: Equatable {
    /// The soft volumes written last, for each channel.
    private(set) var sent: [Float] = []
    /// When they were written, while they are not acknowledged. Nanoseconds of the monotonic clock.
    private(set) var sentAt: Int64?
    /// When the stream was last known to have the written gain.
    private(set) var settledAt: Int64 = 0
    /// How often the last gain was written without an acknowledgement.
    private(set) var tries = 0

    /// 200 ms.
    static let patience: Int64 = 200_000_000
    /// A stream that acknowledges nothing is left alone after as many writes.
    static let mostTries = 3

    mutating func wrote(_ volumes: [Float], at now: Int64) {
        sent = volumes
        sentAt = now
        tries += 1
    }

    /// A step of a ramp was made, whether or not it could be written.
    mutating func stepped(at now: Int64) {
        settledAt = now
        tries = 0
    }

    /// Writes count from the beginning, because there is a new gain or a new session manager.
    mutating func renew() { tries = 0 }

    /// The stream reported its volumes. Returns whether its gain must be written again, because someone else reset it.
    ///
    /// - Parameters:
    ///   - soft: its soft volumes; nil if it reported none.
    ///   - isOthers: its own volumes changed, which only others write.
    mutating func reported(_ soft: [Float]?, isOthers: Bool, at now: Int64) -> Bool {
        if isOthers {
            renew()
            return true
        }
        guard !sent.isEmpty else { return false }
        guard soft.map(isLikeSent) ?? true else {
            // The answer to an earlier write, or a reset before this one. If it was a later reset, the acknowledgement stays away.
            if sentAt != nil { return false }
            return tries < Self.mostTries
        }
        if sentAt != nil { settledAt = now }
        sentAt = nil
        tries = 0
        return false
    }

    /// The acknowledgement is overdue. Returns nil if it is not, else whether to write the gain once more.
    mutating func expire(at now: Int64) -> Bool? {
        guard let moment = sentAt, now >= moment + Self.patience else { return nil }
        sentAt = nil
        settledAt = now
        return tries < Self.mostTries
    }

    /// When there is something to do: the next step of a ramp, or the end of the wait.
    ///
    /// - Parameter step: nanoseconds between two steps; nil without a ramp in progress.
    func deadline(step: Int64?) -> Int64? {
        if let sentAt { return sentAt + Self.patience }
        return step.map { settledAt + $0 }
    }

    private func isLikeSent(_ soft: [Float]) -> Bool {
        soft.count == sent.count && zip(soft, sent).allSatisfy { abs($0 - $1) <= 1e-5 + 1e-4 * abs($1) }
    }
}
