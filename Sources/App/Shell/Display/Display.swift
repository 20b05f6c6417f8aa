import Compositor
import Control
import Geometry
import Glibc
import Journal
import Multitasking
import Processes
import Settings

/// The screen, the clients and the devices: wlroots, and when a frame is drawn.
final class Display: EventObserver {
    private unowned let shell: Shell
    let compositor: Compositor
    /// CPU nanoseconds of the frames painted last.
    private(set) var recentFrames: [UInt64] = []
    /// True while a frame was asked for and not drawn.
    private(set) var isFrameDue = false
    private var shownRevision: UInt64 = 0
    /// Windows that went since the last frame.
    private var destroyed = 0
    /// What the compositor was given to draw last is how everything stands, until the shell itself wants a frame.
    private var isListedAtRest = false
    private lazy var rest = Rest(shell)

    init(_ shell: Shell) {
        self.shell = shell
        compositor = shell.compositor
        compositor.lineage = { $0 > 0 ? [$0] + ProcessTree.ancestors(of: $0) : [] }
        compositor.onFrame = { [unowned self] when in frame(when) }
        compositor.onX11Display = { [unowned shell] name in
            shell.environment["DISPLAY"] = name.isEmpty ? nil : name
            shell.environment["XAUTHORITY"] = name.isEmpty ? nil : shell.compositor.x11Authority
            shell.environmentChanged()
        }
    }

    let carriesOut = [Effect.Kind.client]

    func start() throws {
        try compositor.start()
        var environment = shell.environment
        environment["WAYLAND_DISPLAY"] = compositor.socket
        environment["DISPLAY"] = compositor.x11Display
        environment["XAUTHORITY"] = compositor.x11Authority
        environment["XDG_SESSION_TYPE"] = "wayland"
        environment["XDG_CURRENT_DESKTOP"] = "Mullion"
        // Java's windows stay empty otherwise: it waits for a window manager that puts them into windows of its own.
        if environment["_JAVA_AWT_WM_NONREPARENTING"] == nil { environment["_JAVA_AWT_WM_NONREPARENTING"] = "1" }
        environment[ServiceManager.variable] = nil
        // That of a shell around this one.
        environment[ControlPath.variable] = nil
        shell.environment = environment
        shell.log.info("Wayland socket \(compositor.socket), backend \(compositor.backendName), renderer \(compositor.rendererName), wlroots \(Compositor.wlrootsVersion)")
        rest.start()
    }

    func allStarted() {
        wantFrame()
        restWhenQuiet()
    }

    func stop() {
        rest.stop()
        compositor.stop()
    }

    // MARK: Effects and events

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .client(let effect) = effect else { return }
        compositor.carryOut(effect, at: shell.clock.real(moment))
    }

    func didHandle(_ event: Event, _ effects: [Effect]) {
        switch event {
        case .windowDestroyed:
            destroyed += 1
            restWhenQuiet()
        case .windowMapped, .windowsMapped, .windowUnmapped: restWhenQuiet()
        default: break
        }
    }

    func didCarryOut(_ event: Event) {
        guard shell.system.revision != shownRevision else { return }
        shownRevision = shell.system.revision
        wantFrame()
    }

    func settingsChanged(from before: Settings) {
        let settings = shell.store.settings
        guard settings.size != before.size || settings.scale != before.scale else { return }
        // The configuration counts pixels, a person's wish points.
        let size = settings.size.map { $0 * (1 / settings.scale) }
        _ = shell.act(.resizeScreen(size: size, scale: settings.scale))
    }

    // MARK: Frames

    func wantFrame() {
        isFrameDue = true
        compositor.scheduleFrame()
    }

    private func frame(_ when: Moment) {
        // A window that came meanwhile need not wait for the home screen.
        guard shell.isSetUp || !shell.system.workspace.showsHome else { return }
        // Who takes many away is answered before the screen is drawn. Not who brings one: many clients expect that what
        // answers them and the configure come together.
        if destroyed > 8 { compositor.flush() }
        destroyed = 0
        let isOnlyForApps = !isFrameDue && isListedAtRest
        isFrameDue = false
        let begin = Self.threadTime
        if isOnlyForApps, let painted = compositor.renderAgain(at: when) {
            if painted { note(Self.threadTime - begin, at: when) }
            return shell.cameToRest()
        }
        let now = shell.clock.shell(when)
        if compositor.render(shell.system.items(at: now), at: when) { note(Self.threadTime - begin, at: when) }
        isListedAtRest = !shell.system.isMoving(at: now)
        if !isListedAtRest, !shell.clock.isHand {
            wantFrame()
        } else {
            shell.cameToRest()
        }
    }

    /// A frame of a hand clock that stands at `moment`.
    func renderStep(at moment: Moment) {
        compositor.render(shell.system.items(at: moment), at: Compositor.now())
    }

    /// The hand clock has moved on: the next frame is drawn as everything stands then.
    func endStep() {
        isListedAtRest = false
        compositor.scheduleFrame()
    }

    /// CPU nanoseconds that a painted frame took.
    private func note(_ frame: UInt64, at when: Moment) {
        if recentFrames.count >= 1200 { recentFrames.removeFirst(600) }
        recentFrames.append(frame)
        rest.painted(at: when)
    }

    /// CPU time of this thread, in nanoseconds.
    private static var threadTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    func restWhenQuiet() { rest.whenQuiet() }
}
