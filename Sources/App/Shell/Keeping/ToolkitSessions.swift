import Compositor
import FoundationEssentials
import Store

/// Keeps the names that toolkits give their windows (xdg-session-management) over restarts of the shell. Writes each
/// change at once (W-20).
final class ToolkitSessions: Adapter, ToolkitSessionKeeper {
    private unowned let shell: Shell
    private lazy var kept = shell.adapter(SessionStore.self)
    private lazy var changes = LatestChanges(kept)

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        guard kept.keepsWindows else { return }
        var sessions: [ToolkitSession] = []
        for entry in kept.readAll(.toolkitSession) {
            guard let session = try? JSONDecoder().decode(ToolkitSession.self, from: Data(entry.bytes)), session.id == entry.key else {
                shell.log.warning(
                    "a kept session of a toolkit is not understood, and is left out: \(entry.key.prefix(64).debugDescription)")
                continue
            }
            sessions.append(session)
        }
        // Set the keeper first: it has to hear of sessions that are dropped because they exceed the limit.
        shell.compositor.sessionKeeper = self
        shell.compositor.bringBack(sessions)
    }

    func stop() {
        shell.compositor.sessionKeeper = nil
        changes.finish()
    }

    func keep(_ session: ToolkitSession) {
        guard let bytes = try? JSONEncoder().encode(session) else { return }
        changes.commit(.put(.toolkitSession, key: session.id, Array(bytes)), of: session.id)
    }

    func forget(session: String) { changes.commit(.remove(.toolkitSession, key: session), of: session) }
}
