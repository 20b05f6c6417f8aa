import Compositor
import Geometry
import LifeBus
import Lifecycle
import Logging
import Modality

/// The life of apps on the session bus (`org.mullion.Life1`), and the session manager.
final class LifeOnBus: Adapter {
    private unowned let shell: Shell
    private var bus: LifeBus?
    private var follower: BusFollower?
    /// A bus that was just started is ready in a moment.
    private var isNew = false
    private lazy var wait = ServiceWait(shell.compositor)

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        isNew = shell.adapter(SessionBus.self).ownSocket != nil
        let bus = LifeBus(environment: shell.environment, firstPause: isNew ? 50_000_000 : 3_000_000_000)
        self.bus = bus
        bus.host = shell.adapter(AppLives.self)
        bus.viewHost = shell.adapter(ProgramViews.self)
        bus.fileHost = shell.adapter(ShownFiles.self)
        bus.shareHost = shell.adapter(SharedThings.self)
        bus.sessionHost = shell.adapter(SessionPrograms.self)
        bus.onServing = { [unowned self] in wait.end() }
        bus.onNote = { [unowned shell] note in shell.log.notice("\(note)") }
        follower = BusFollower(bus, shell.compositor)
        tellLook()
    }

    /// Apps follow the look of the shell by the Settings portal.
    func tellLook() {
        let preferences = shell.system.preferences
        bus?.lookIs(
            PortalLook(
                isDark: preferences.appearance.isDark, increasedContrast: preferences.appearance.increasedContrast,
                reducedMotion: preferences.reducedMotion, accent: shell.adapter(Look.self).accent))
    }

    /// Calls `body` once programs can find the session manager, or at once if there will be none. A toolkit looks for it
    /// only once, when its app starts.
    func whenServing(_ body: @escaping () -> Void) {
        wait.then(mayCome: bus.map { !$0.isServing && ($0.isConnecting || isNew) } ?? false, body)
    }

    // MARK: From the shell to programs

    func inhibitorEnded(_ id: InhibitorID) { bus?.inhibitorEnded(id) }
    func queryEnd(_ id: SessionClientID) { bus?.queryEnd(id) }
    func cancelEnd(_ id: SessionClientID) { bus?.cancelEnd(id) }
    func endSession(_ id: SessionClientID, isForced: Bool) { bus?.endSession(id, isForced: isForced) }
    func viewAnswered(_ id: ModalID, _ answer: ModalAnswer) { bus?.viewAnswered(id, answer) }
    func shortcutsBound(_ session: UInt32, _ all: [OfferedShortcut]) { bus?.shortcutsBound(session, all) }
    func shortcutPressed(_ session: UInt32, _ id: String, _ isDown: Bool) { bus?.shortcutPressed(session, id, isDown) }
    func forbidBackground(_ app: String) { bus?.forbidBackground(app) }
    func screenLocked(_ isLocked: Bool) { bus?.screenLocked(isLocked) }
    func sessionEnds() { bus?.sessionEnds() }
    func sessionGoesOn() { bus?.sessionGoesOn() }

    func stop() {
        wait.cancel()
        follower?.end()
        bus?.close()
        bus = nil
    }

    /// How long a start waits for the bus, in seconds.
    private static let patience = 1.0
}
