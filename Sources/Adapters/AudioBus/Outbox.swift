import AudioSessions
import MessageBus

/// Signals to a client, with a limit on what it has not read. The bus silently queues messages for a program that
/// does not read. So after a number of signals, the client is pinged (`Peer.Ping`, which every D-Bus library
/// answers), and the rest waits for its reply.
struct Outbox {
    /// Signals sent before the next ping.
    static let window = 32
    /// Signals that may wait here. A client that exceeds this gets no more signals.
    static let limit = 256

    struct Signal {
        var path: String
        var interface: String
        var member: String
        var write: (inout Outgoing) -> Void
    }

    private(set) var waiting: [Signal] = []
    private var sent = 0
    /// A ping is on its way.
    private(set) var isAsking = false

    enum Step {
        case send(Signal)
        case sendAndAsk(Signal)
        case wait
        case giveUp
    }

    mutating func add(_ signal: Signal) -> Step {
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
    mutating func answered() -> [Signal] {
        isAsking = false
        sent = 0
        let signals = waiting
        waiting = []
        return signals
    }
}

extension SessionService {
    /// Sends a signal only to the owner of a session.
    func emit(
        _ id: SessionID, _ member: String, of interface: String = SessionService.session,
        _ write: @escaping (inout Outgoing) -> Void
    ) {
        guard let session = sessions[id] else { return }
        send(Outbox.Signal(path: session.path, interface: interface, member: member, write: write), to: session.owner)
    }

    private func send(_ signal: Outbox.Signal, to owner: String) {
        switch clients[owner]?.outbox.add(signal) {
        case .send(let signal): put(signal, to: owner)
        case .sendAndAsk(let signal):
            put(signal, to: owner)
            ask(owner)
        case .giveUp: giveUp(owner)
        case .wait, nil: break
        }
    }

    private func put(_ signal: Outbox.Signal, to owner: String) {
        bus.connection?.emit(signal.path, signal.interface, signal.member, to: owner, signal.write)
    }

    /// The reply may take as long as the client is stopped. An app that sleeps for an hour has done nothing wrong.
    private func ask(_ owner: String) {
        bus.call(owner, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: 7 * 24 * 3_600_000, done: { [weak self] _ in
            guard let self, clients[owner] != nil else { return }
            let waiting = clients[owner]?.outbox.answered() ?? []
            for signal in waiting { send(signal, to: owner) }
        })
    }
}
