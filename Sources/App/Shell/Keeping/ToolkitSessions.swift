import Compositor
import FoundationEssentials
import Store

/// Keeps what toolkits call their windows (xdg-session-management) over restarts of the shell, each change at once (W-20).
final class ToolkitSessions: Adapter, ToolkitSessionKeeper {
    private unowned let shell: Shell
    private lazy var kept = shell.adapter(SessionStore.self)
    /// What changed while an earlier change of the same session is on its way to the disk.
    private var waiting: [String: Change] = [:]
    private var onTheirWay: Set<String> = []

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        guard kept.isKeeping else { return }
        var sessions: [ToolkitSession] = []
        for entry in kept.readAll(.toolkitSession) {
            guard let session = try? JSONDecoder().decode(ToolkitSession.self, from: Data(entry.bytes)), session.id == entry.key else {
                shell.log.warning("a kept session of a toolkit is not understood, and is left out: \(entry.key.prefix(64).debugDescription)")
                continue
            }
            sessions.append(session)
        }
        // First, because what is too much is forgotten.
        shell.compositor.sessionKeeper = self
        shell.compositor.bringBack(sessions)
    }

    func stop() {
        shell.compositor.sessionKeeper = nil
        kept.commit(waiting.keys.sorted().map { waiting[$0]! })
        waiting = [:]
    }

    func keep(_ session: ToolkitSession) {
        guard let bytes = try? JSONEncoder().encode(session) else { return }
        commit(.put(.toolkitSession, key: session.id, Array(bytes)), of: session.id)
    }

    func forget(session: String) { commit(.remove(.toolkitSession, key: session), of: session) }

    /// A client may change its names as often as it likes, and the disk is slow: the last change counts.
    private func commit(_ change: Change, of session: String) {
        guard onTheirWay.insert(session).inserted else { return waiting[session] = change }
        kept.commit([change]) { [weak self] _ in
            guard let self else { return }
            onTheirWay.remove(session)
            if let next = waiting.removeValue(forKey: session) { commit(next, of: session) }
        }
    }
}
