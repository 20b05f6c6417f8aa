import Clocks

/// Shortens a trace that crashes the shell as far as possible. Every try uses a new shell.
public final class Minimiser {
    private let program: String
    private let beside: [String]
    private let known: ProtocolDescriptions
    private let say: (String) -> Void
    private var target: Target
    private var wanted = ""
    private var fresh = true
    private let deadline: Double

    /// - Parameter seconds: the time limit, after which the best result so far is taken.
    public init(spawn program: String, beside: [String] = [], known: ProtocolDescriptions, seconds: Double, say: @escaping (String) -> Void)
        throws
    {
        (self.program, self.beside, self.known, self.say) = (program, beside, known, say)
        deadline = Clocks.monotonicSeconds + seconds
        target = try Target(spawn: program, beside: beside, known: known)
    }

    /// Returns nil if the trace does no harm when it is replayed.
    public func minimise(_ steps: [Step]) throws -> [Step]? {
        if steps.contains(where: \.isAboutLock) { target = try Target(spawn: program, beside: beside, known: known, locks: true) }
        guard var best = try shortest(steps) else { return nil }
        say("\(best.count) steps: \(wanted)")
        var clients = Set(best.compactMap(\.client))
        for client in clients.sorted() {
            let without = best.filter { $0.client != client }
            if try harms(without) {
                best = without
                clients.remove(client)
            }
        }
        var size = max(1, best.count / 2)
        while size >= 1, Clocks.monotonicSeconds < deadline {
            var from = 0
            var shorter = false
            while from < best.count, Clocks.monotonicSeconds < deadline {
                let without = Array(best[..<from] + best[min(best.count, from + size)...])
                if try harms(without) {
                    best = without
                    shorter = true
                } else {
                    from += size
                }
            }
            say("\(best.count) steps, pieces of \(size)")
            if size == 1, !shorter { break }
            if size > 1 || !shorter { size = max(1, size / 2) }
        }
        return best
    }

    /// The last session, or as many of the last ones as needed.
    private func shortest(_ steps: [Step]) throws -> [Step]? {
        var starts = steps.indices.filter { if case .session = steps[$0] { true } else { false } }
        if starts.isEmpty { starts = [0] }
        var count = 1
        while true {
            let some = Array(steps[starts[max(0, starts.count - count)]...])
            if try harms(some) { return some }
            guard count < starts.count else { return nil }
            count *= 4
        }
    }

    private func harms(_ steps: [Step]) throws -> Bool {
        if !fresh { try target.restart() }
        fresh = false
        guard let how = Replayer.play(steps, on: target, known: known) else { return false }
        if wanted.isEmpty { wanted = how }
        return how == wanted
    }
}
