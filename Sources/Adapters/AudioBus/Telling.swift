import AudioSessions
import MessageBus

/// Signals to apps with sessions.
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
        bus.call(
            owner, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: 7 * 24 * 3_600_000,
            done: { [weak self] _ in
                guard let self, clients[owner] != nil else { return }
                let waiting = clients[owner]?.outbox.answered() ?? []
                for signal in waiting { send(signal, to: owner) }
            })
    }
}
