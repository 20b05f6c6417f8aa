/// Signals to a client, with a limit on unread ones. The bus silently queues messages for a program that
/// does not read. So after a number of signals, the client is pinged (`Peer.Ping`, which every D-Bus library
/// answers), and the rest waits for its reply.
package struct Outbox {
    /// Signals sent before the next ping.
    package static let window = 32
    /// Signals that may wait here. A client that exceeds this gets no more signals.
    package static let limit = 256

    package struct Signal {
        package var path: String
        package var interface: String
        package var member: String
        package var write: (inout Outgoing) -> Void

        package init(path: String, interface: String, member: String, write: @escaping (inout Outgoing) -> Void) {
            self.path = path
            self.interface = interface
            self.member = member
            self.write = write
        }
    }

    private var waiting: [Signal] = []
    private var sent = 0
    /// Whether a ping is unanswered.
    private var isAsking = false

    package init() {}

    package enum Step {
        case send(Signal)
        case sendAndAsk(Signal)
        case wait
        case giveUp
    }

    package mutating func add(_ signal: Signal) -> Step {
        guard !isAsking else {
            guard waiting.count < Self.limit else { return .giveUp }
            waiting.append(signal)
            return .wait
        }
        sent += 1
        guard sent >= Self.window else { return .send(signal) }
        isAsking = true
        return .sendAndAsk(signal)
    }

    /// The client replied, so waiting signals can be sent.
    package mutating func answered() -> [Signal] {
        isAsking = false
        sent = 0
        let signals = waiting
        waiting = []
        return signals
    }
}

/// A token bucket. Messages beyond it wait or are refused.
package struct Allowance {
    package let burst: Double
    package let perSecond: Double
    private var left: Double
    private var since: Int64 = 0

    package init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
        left = burst
    }

    /// Takes a token if there is one.
    package mutating func take(at now: Int64) -> Bool {
        left = min(burst, left + Double(now - since) / 1e9 * perSecond)
        since = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// When the next token is available, in nanoseconds.
    package func next(after now: Int64) -> Int64 {
        now + Int64(max(0, (1 - left) / perSecond) * 1e9)
    }
}
