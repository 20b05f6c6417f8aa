import Clocks
import Compositor
import Control
import Geometry
import Glibc
import Journal
import Multitasking
import Processes
import Settings

/// The screen, the clients and the input devices through wlroots. Decides when to draw a frame.
final class Display: EventObserver {
    private unowned let shell: Shell
    let compositor: Compositor
    /// CPU time of the last painted frames, in nanoseconds.
    private(set) var recentFrames: [UInt64] = []
    /// Whether a frame was requested and not drawn yet.
    private(set) var isFrameDue = false
    private var shownRevision: UInt64 = 0
    /// The number of windows destroyed since the last frame.
    private var destroyed = 0
    /// Whether the last rendered list shows everything at rest. It stays valid until the shell itself needs a frame.
    private var isListedAtRest = false
    private lazy var rest = Rest(shell)

    init(_ shell: Shell) {
        self.shell = shell
        compositor = shell.compositor
        compositor.lineage = { $0 > 0 ? [$0] + ProcessTree.ancestors(of: $0) : [] }
        compositor.onFrame = { [unowned self] when in frame(when) }
        compositor.dropPoint = { [unowned self] point in self.shell.system.dropPoint(point, at: self.shell.clock.now()) }
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
        // Otherwise Java's windows stay empty: Java waits for a window manager that reparents them.
        if environment["_JAVA_AWT_WM_NONREPARENTING"] == nil { environment["_JAVA_AWT_WM_NONREPARENTING"] = "1" }
        environment[ServiceManager.variable] = nil
        // The outer shell's control socket, if this shell is nested.
        environment[ControlPath.variable] = nil
        shell.environment = environment
        shell.log.info(
            "Wayland socket \(compositor.socket), backend \(compositor.backendName), renderer \(compositor.rendererName), wlroots \(Compositor.wlrootsVersion)"
        )
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
        guard shell.revision != shownRevision else { return }
        shownRevision = shell.revision
        wantFrame()
    }

    func settingsChanged(from before: Settings) {
        let settings = shell.store.settings
        guard settings.size != before.size || settings.scale != before.scale else { return }
        // The configuration uses pixels, the action points.
        let size = settings.size.map { $0 * (1 / settings.scale) }
        let scale = shell.system.chosenScale ?? settings.scale
        compositor.carryOut(ClientEffect.configureScreen(size: size, scale: scale, rotation: nil), at: shell.clock.now())
    }

    // MARK: Frames

    func wantFrame() {
        isFrameDue = true
        compositor.scheduleFrame()
    }

    private func frame(_ when: Moment) {
        // A window that opens during the start need not wait for the home screen.
        guard shell.isSetUp || !shell.system.workspace.showsHome else { return }
        // If a client destroyed many windows, answer it before drawing. Do not flush for new windows: many clients
        // expect the replies and the configure together.
        if destroyed > 8 { compositor.flush() }
        destroyed = 0
        let isOnlyForApps = !isFrameDue && isListedAtRest
        isFrameDue = false
        let begin = Clocks.threadNanoseconds
        if isOnlyForApps, let painted = compositor.renderAgain(at: when) {
            if painted { note(UInt64(Clocks.threadNanoseconds - begin), at: when) }
            return shell.cameToRest()
        }
        rest.listed(at: when)
        let now = shell.clock.shell(when)
        if compositor.render(shell.system.items(at: now), at: when) { note(UInt64(Clocks.threadNanoseconds - begin), at: when) }
        isListedAtRest = !shell.system.isMoving(at: now)
        if !isListedAtRest, !shell.clock.isHand {
            wantFrame()
        } else {
            shell.cameToRest()
        }
    }

    /// Renders a frame while the manual clock stands at `moment`.
    func renderStep(at moment: Moment) {
        compositor.render(shell.system.items(at: moment), at: Compositor.now())
    }

    /// The manual clock advanced, so the next frame needs a new list.
    func endStep() {
        isListedAtRest = false
        compositor.scheduleFrame()
    }

    /// Records the CPU time of a painted frame.
    private func note(_ frame: UInt64, at when: Moment) {
        if recentFrames.count >= 1200 { recentFrames.removeFirst(600) }
        recentFrames.append(frame)
        rest.painted(at: when)
    }

    func restWhenQuiet() { rest.whenQuiet() }
}
