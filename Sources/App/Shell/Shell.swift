import Accessibility
import AudioBus
import AudioEngine
import Chrome
import Compositor
import Control
import Descriptors
import Desktop
import FoundationEssentials
import Geometry
import Glibc
import Interface
import Journal
import Logging
import Multitasking
import Processes
import Settings
import Stage
import Windows

/// The running shell: one `System` value, the adapters around it, one event loop.
///
/// An object that can be made, run and torn down again; nothing of it is global.
public final class Shell {
    public let options: ShellOptions
    public internal(set) var system: System
    let compositor: Compositor
    let log: Logger
    let store: SettingsStore
    let launcher: Launcher
    let runtime: RuntimeDirectory
    /// What this program was started with.
    let started = ProcessInfo.processInfo.environment
    /// What programs are started with.
    var environment: [String: String]
    var clock: ShellClock
    var player = InputPlayer()
    var control: ControlServer?
    var recorder: Recorder?
    var remoteView: RemoteView?
    var launches: [Int32: LaunchID] = [:]
    private(set) lazy var programLogs = ProgramLogs(folder: "\(programLog.dropLast(".log".count))")
    /// The commands of the command line are being started.
    var isOpeningFirst = false
    var appAppearance = AppAppearance()
    private(set) lazy var shortSounds = ShortSounds(launcher: launcher, environment: environment) { [unowned self] in log.notice("\($0)") }
    let painter: Painter
    var iconPainter: IconPainter?
    var catalogue: AppCatalogue?
    /// What the log has named already.
    var unknownInDock: Set<String> = []
    var unusableWallpaper: String?
    var keyboard: OnScreenKeyboard?
    var accessibility: AccessibilityBus?
    var accessibilityFollower: BusFollower?
    var audioBus: AudioBus?
    var audioEngine: AudioEngine?
    var ownSound: OwnSound?
    /// When a server without outputs has none, by the real clock.
    var soundAwaitedUntil: Moment?
    var audioBusFollower: BusFollower?
    /// The system's `soundRevision` that apps with sessions were last told of.
    var toldSound: UInt64 = 0
    /// Socket of the session bus that the shell started itself.
    var ownBus: String?
    var activation: ActivationEnvironment?
    var activationFollower: BusFollower?
    var toldActivation: [String: String] = [:]
    /// What the accessibility bus was last told.
    var accessibleControls: [ViewControl]?
    var accessibleFocus: ControlID?
    /// Who is at the other end of each connection.
    var clients: [UInt64: ClientIdentity] = [:]
    var deadlines: [TimerID: Moment] = [:]
    var eventCount: UInt64 = 0
    /// CPU nanoseconds of the frames painted last.
    var recentFrames: [UInt64] = []
    /// When something was painted last, on the machine's clock.
    var lastPainted = Moment.zero
    var restTimer: EventSource?
    /// It is armed.
    var isRestDue = false
    var isRunning = false
    var sources: [EventSource] = []
    private var alarm: EventSource?
    private var queue: [(Event, Moment)] = []
    private var isHandling = false
    private var shownRevision: UInt64 = 0
    private var isFrameDue = false
    /// Windows that went since the last frame.
    private var destroyed = 0
    /// What the compositor was given to draw last is how everything stands, until the shell itself wants a frame.
    private var isListedAtRest = false
    private(set) var isSetUp = false
    /// What the present action was refused with, for whoever sent it.
    private var refusals: [Refusal] = []

    /// Sets everything up; nothing runs until `run`.
    ///
    /// Throws what is wrong with the configuration, the runtime directory or the machine.
    public init(_ options: ShellOptions) throws {
        Self.holdSignals()
        Descriptors.holdStandard(takesInput: false)
        self.options = options
        environment = ProcessInfo.processInfo.environment
        let path = SettingsStore.path(option: options.config, environment: environment)
        store = try SettingsStore(path: path, isRequired: options.config != nil, overrides: options.override)
        let settings = store.settings
        var log = Logger(label: "mullion") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = Logger.Level(rawValue: settings.logLevel.rawValue) ?? .info
        self.log = log
        guard let idiom = options.idiom ?? Idiom.named(settings.idiom) else {
            let known = Idiom.all.map(\.name).joined(separator: ", ")
            throw ShellError("the idiom \"\(settings.idiom)\" is not known; there is \(known)")
        }
        runtime = try RuntimeDirectory.resolve(environment: environment)
        environment["XDG_RUNTIME_DIR"] = runtime.path
        // libwayland and wlroots read it from the process.
        setenv("XDG_RUNTIME_DIR", runtime.path, 1)
        launcher = try Launcher()
        launcher.keepFilesPrivate()
        launcher.raiseFileLimit(to: 262_144)   // docs/hostility.md
        clock = ShellClock(isHand: options.handClock)
        system = System(idiom: idiom, preferences: settings.core(environment: environment))

        let relay = Relay()
        painter = Painter { name, pixels in relay.shell?.catalogue?.findIcon(name, pixels) }
        compositor = try Compositor(options.compositor(settings, environment: environment), log: log) { event, stamp in
            relay.shell?.receive(event, stamp) ?? false
        }
        relay.shell = self
        compositor.lineage = { $0 > 0 ? [$0] + ProcessTree.ancestors(of: $0) : [] }
        compositor.onFrame = { [unowned self] when in frame(when) }
        compositor.onX11Display = { [unowned self] name in
            environment["DISPLAY"] = name.isEmpty ? nil : name
            environment["XAUTHORITY"] = name.isEmpty ? nil : compositor.x11Authority
            if isSetUp { tellActivation() }
        }
        setUpPrivileges()
        setUpLook()
    }

    /// The compositor is made before the shell is whole, and calls nothing until it is started.
    private final class Relay {
        weak var shell: Shell?
    }

    // MARK: Events

    /// One event from an adapter. What comes up while another is being handled waits for its turn.
    @discardableResult
    func receive(_ event: Event, _ stamp: Moment? = nil) -> Bool {
        queue.append((event, clock.moment(ofDevice: stamp)))
        guard !isHandling else { return false }
        let swallowed = drain()
        if system.revision != shownRevision {
            shownRevision = system.revision
            wantFrame()
        }
        return swallowed
    }

    private func drain() -> Bool {
        isHandling = true
        defer { isHandling = false }
        var swallowed = false
        var index = 0
        while index < queue.count {
            let (event, moment) = queue[index]
            index += 1
            eventCount += 1
            recorder?.begins(event, at: moment)
            control?.happened(event, at: moment)
            let effects = system.handle(event, at: moment)
            if event.isOfComingOrGoing { restWhenQuiet() }
            if case .windowDestroyed = event { destroyed += 1 }
            recorder?.ended(effects, system)
            for effect in effects {
                if effect == .swallowKey { swallowed = true }
                if !compositor.apply(effect, at: clock.real(moment)) { perform(effect) }
            }
            tellAudioBus()
        }
        queue.removeAll(keepingCapacity: true)
        return swallowed
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .launch(let id, let command): launch(id, command)
        case .startTimer(let timer, let moment):
            deadlines[timer] = moment
            arm()
        case .stopTimer(let timer):
            deadlines[timer] = nil
            arm()
        case .quit: isRunning = false
        case .appearance(let appearance):
            showAppearance(appearance)
            tellApps(isDark: appearance.isDark)
        case .audio(let effect): perform(effect)
        case .refuse(let refusal):
            refusals.append(refusal)
            log.notice("refused: \(refusal.reason)")
        default: break
        }
    }

    /// What a person asked for, and what it was refused with if it was.
    func act(_ action: Action) -> Refusal? {
        refusals.removeAll()
        receive(.action(action))
        return refusals.first
    }

    // MARK: Time

    func wantFrame() {
        isFrameDue = true
        compositor.scheduleFrame()
    }

    private func frame(_ when: Moment) {
        // A window that came meanwhile need not wait for the home screen.
        guard isSetUp || !system.workspace.showsHome else { return }
        // Who takes many away is answered before the screen is drawn. Not who brings one: many clients expect that what
        // answers them and the configure come together.
        if destroyed > 8 { compositor.flush() }
        destroyed = 0
        let isOnlyForApps = !isFrameDue && isListedAtRest
        isFrameDue = false
        let begin = Shell.threadTime
        if isOnlyForApps, let painted = compositor.renderAgain(at: when) {
            if painted { note(Shell.threadTime - begin, at: when) }
            return tellAccessibility()
        }
        let now = clock.shell(when)
        if compositor.render(system.items(at: now), at: when) { note(Shell.threadTime - begin, at: when) }
        isListedAtRest = !system.isMoving(at: now)
        if !isListedAtRest, !clock.isHand {
            wantFrame()
        } else {
            tellAccessibility()
        }
    }

    /// CPU nanoseconds that a painted frame took.
    private func note(_ frame: UInt64, at when: Moment) {
        if recentFrames.count >= 1200 { recentFrames.removeFirst(600) }
        recentFrames.append(frame)
        lastPainted = when
    }

    /// CPU time of this thread, in nanoseconds.
    private static var threadTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    var nextDeadline: Moment? {
        let timers = deadlines.values.min()
        guard let input = player.deadline else { return timers }
        return timers.map { min($0, input) } ?? input
    }

    /// The one timer of the loop stands at the earliest thing that is due.
    func arm() {
        guard let alarm else { return }
        alarm.arm(clock.isHand ? nil : nextDeadline.map(clock.real))
    }

    /// Seconds of work before everybody else has their turn.
    private static let slice = 0.008

    /// Whatever is due by now, in order; in real time only as much as keeps nobody waiting, and the rest in the next turn.
    func runDue() {
        let end = clock.isHand ? nil : Compositor.now() + Self.slice
        while true {
            if let end, Compositor.now() > end { break }
            let now = clock.now()
            if let (step, due) = player.step(at: now) {
                inject(step, at: clock.isHand ? now : clock.real(due))
                continue
            }
            if let (timer, moment) = deadlines.min(by: { $0.value < $1.value }), moment <= now {
                deadlines[timer] = nil
                receive(.timer(timer))
                continue
            }
            break
        }
        arm()
    }

    /// Moves the hand clock on, with every frame and timer on the way.
    func step(milliseconds: Double) {
        let end = clock.now() + milliseconds / 1000
        let frameLength = 1.0 / 60
        var nextFrame = clock.now() + frameLength
        isListedAtRest = false
        while true {
            let target = min(end, min(nextFrame, nextDeadline ?? end))
            clock.set(target)
            runDue()
            if target >= nextFrame {
                nextFrame = target + frameLength
                compositor.render(system.items(at: target), at: Compositor.now())
            }
            if target >= end { break }
        }
        compositor.scheduleFrame()
    }

    func inject(_ step: InputStep, at when: Moment) {
        switch step {
        case .touchDown(let id, let p): compositor.injectTouchDown(id, p, when)
        case .touchMotion(let id, let p): compositor.injectTouchMotion(id, p, when)
        case .touchUp(let id): compositor.injectTouchUp(id, when)
        case .touchCancel(let id): compositor.injectTouchCancel(id, when)
        case .pointerMotion(let p): compositor.injectPointer(p, when)
        case .pointerButton(let button, let pressed): compositor.injectButton(button, pressed, when)
        case .pointerAxis(let value, let isHorizontal): compositor.injectAxis(isHorizontal: isHorizontal, value, when)
        case .key(let code, let pressed): compositor.injectKey(code, pressed, when)
        case .pen(let p, let pressure, let tiltX, let tiltY): compositor.injectPen(p, pressure: pressure, tiltX: tiltX, tiltY: tiltY, when)
        case .penButton(let button, let pressed): compositor.injectPenButton(button, pressed, when)
        case .penAway: compositor.injectPenAway(when)
        case .touchpad(let gesture, let phase, let fingers, let by, let scale, let rotation):
            let kind: TouchpadGesture = switch gesture {
            case .swipe: .swipe
            case .pinch: .pinch
            case .hold: .hold
            }
            let moment: TouchpadPhase = switch phase {
            case .begin: .begin
            case .update: .update(x: by.x, y: by.y, scale: scale, rotation: rotation)
            case .end: .end
            case .cancel: .cancel
            }
            compositor.injectTouchpad(kind, moment, fingers: fingers, when)
        }
    }

    // MARK: Running

    /// Runs until somebody asks it to end. `atStart` is called when everything is there, `atEnd` while it still is.
    public func run(atStart: () -> Void = {}, atEnd: () -> Void = {}) throws {
        for warning in runtime.warnings { log.notice("\(warning)") }
        if getuid() == 0 { log.warning("running as root: fine in a container, not on a tablet") }
        try startRecorder()
        try compositor.start()
        isRunning = true
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
        log.info("Wayland socket \(compositor.socket), backend \(compositor.backendName), renderer \(compositor.rendererName), wlroots \(Compositor.wlrootsVersion)")

        alarm = compositor.timer { [unowned self] in runDue() }
        let restTimer = compositor.timer { [unowned self] in rest() }
        self.restTimer = restTimer
        sources.append(restTimer)
        watchSignals()
        watchLauncher()
        try startControl()
        // A client that waited for the socket need not wait for the installed apps, their icons and the wallpaper, too:
        // it is heard and answered in between, and the home screen is not painted before all is there.
        answerClients()
        try compositor.makeKeymap()
        answerClients()
        painter.findFonts()
        watchSettings()
        endInTime()
        startSessionBus()
        answerClients()
        startAudioBus()
        startSound()
        tellActivation()
        tellApps(isDark: system.preferences.appearance.isDark)
        startRemoteView()
        startKeyboard()
        answerClients()
        watchApps()
        answerClients()
        startAccessibility()
        answerClients()
        isSetUp = true
        control?.letIn()
        wantFrame()
        launchFirst()
        restWhenQuiet()
        atStart()
        ServiceManager.ready(environment: ProcessInfo.processInfo.environment)
        while isRunning {
            compositor.dispatch()
            control?.turn()
        }
        atEnd()
        shutDown()
    }

    /// Turns of the loop that wait for nothing: who knocked is let in, heard and answered.
    private func answerClients() {
        for _ in 0..<2 { compositor.dispatch(milliseconds: 0) }
        compositor.flush()
    }

    /// True while a frame was asked for and not drawn.
    var hasFrameDue: Bool { isFrameDue }

    private func shutDown() {
        log.info("ending")
        control?.close()
        control = nil
        accessibilityFollower?.end()
        accessibility?.close()
        accessibility = nil
        stopActivation()
        stopAudioBus()
        stopSound()
        iconPainter?.close()
        remoteView?.stop()
        launcher.endAll(patience: 1500)
        removeSessionBus()
        unlink(programLog)
        try? FileManager.default.removeItem(atPath: programLogs.folder)
        try? FileManager.default.removeItem(atPath: "\(programLog.dropLast("/programs.log".count))/keyboard")
        rmdir(String(programLog.dropLast("/programs.log".count)))
        recorder?.finish(system)
        for source in sources { source.cancel() }
        sources.removeAll()
        alarm?.cancel()
        alarm = nil
        compositor.stop()
    }

    private func endInTime() {
        guard let seconds = options.quitAfter else { return }
        let timer = compositor.timer { [unowned self] in isRunning = false }
        timer.arm(Compositor.now() + seconds)
        sources.append(timer)
    }

    private static let endings = [SIGTERM, SIGINT, SIGHUP]

    /// Libraries start threads of their own (Pango does), and a thread that does not hold a signal back is ended by it
    /// before the loop hears of it. So they are held back before there is any.
    private static func holdSignals() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in endings { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    private func watchSignals() {
        for number in Self.endings {
            sources.append(compositor.signal(number) { [unowned self] in isRunning = false })
        }
        // A client that goes away while it is written to is no reason to end.
        signal(SIGPIPE, SIG_IGN)
    }
}

public struct ShellError: Error, CustomStringConvertible, Sendable {
    public var description: String

    public init(_ description: String) { self.description = description }
}
