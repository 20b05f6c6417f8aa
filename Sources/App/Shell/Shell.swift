import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Logging
import Multitasking
import Processes
import Settings
import Windows

/// The running shell: one `System` value, a list of adapters around it, one event loop.
///
/// An adapter reports an event, the system answers with effects, and each effect goes to the one adapter for its
/// kind. A shell is an object that can be made, run and torn down again. It has no global state.
public final class Shell {
    public let options: ShellOptions
    public private(set) var system: System
    /// `system.revision` and `system.soundRevision`, for observers, which look after each event.
    private(set) var revision: UInt64 = 0, soundRevision: UInt64 = 0
    let compositor: Compositor
    let launcher: Launcher
    let log: Logger
    let runtime: RuntimeDirectory
    let store: SettingsStore
    let idioms: IdiomStore
    /// The environment of launched programs. Call `environmentChanged` after changing it while the shell runs.
    var environment: [String: String]
    var clock: ShellClock
    /// Events handled so far.
    private(set) var eventCount: UInt64 = 0
    /// Whether all adapters have started.
    private(set) var isSetUp = false

    private(set) var adapters: [any Adapter] = []
    /// Indexed by `Effect.Kind`.
    private var carriers: [any Adapter] = []
    /// By kind of effect, whether its adapter has started.
    private var hasStarted = [Bool](repeating: false, count: Effect.Kind.allCases.count)
    /// Effects for adapters that have not started. Clients are served before the start is complete.
    private var early: [(Effect, Moment)] = []
    private var observers: [any EventObserver] = []
    private var queue: [(Event, Moment)] = []
    private var isHandling = false
    private var isRunning = false
    /// The refusals of the current action, for its sender.
    private var refusals: [Refusal] = []
    private var sources: [EventSource] = []

    /// Sets everything up. Nothing runs before `run`.
    ///
    /// Throws an error about the configuration, the runtime directory or the machine.
    public convenience init(_ options: ShellOptions) throws { try self.init(options, adding: []) }

    /// - Parameter adding: makes additional adapters, which start after the shell's own.
    init(_ options: ShellOptions, adding others: [(Shell) -> any Adapter]) throws {
        Session.holdSignals()
        Descriptors.holdStandard(takesInput: false)
        self.options = options
        environment = ProcessInfo.processInfo.environment
        let path = SettingsStore.path(option: options.config, environment: environment)
        let lastGood = LastGood(environment: environment)
        let idioms = IdiomStore(
            folders: options.onlyIdiom == nil ? IdiomStore.folders(configuration: path, environment: environment) : [],
            builtIn: options.onlyIdiom.map { [$0] } ?? Idiom.all, lastGood: lastGood)
        self.idioms = idioms
        // Idioms that cannot be had as they are can be asked for at the start alone.
        let start = Start()
        store = SettingsStore(
            path: path, isRequired: options.config != nil, lastGood: lastGood,
            idioms: { start.isOver ? idioms.idioms.map(\.name) : idioms.namesAtStart }, overrides: options.override)
        // A name that was mistyped: nothing of a person's is there.
        if store.isUnknown, let fault = store.fault { throw fault.error }
        let settings = store.settings
        var log = Logger(label: "mullion") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = Logger.Level(rawValue: settings.logLevel.rawValue) ?? .info
        self.log = log
        guard let idiom = options.onlyIdiom ?? idioms.firstAtStart(settings.idiom) else {
            let known = idioms.idioms.map(\.name).joined(separator: ", ")
            throw ShellError("the idiom \"\(settings.idiom ?? IdiomRule.fallback)\" is unknown; known are \(known)")
        }
        start.isOver = true
        runtime = try RuntimeDirectory.resolve(environment: environment)
        environment["XDG_RUNTIME_DIR"] = runtime.path
        // libwayland and wlroots read the process environment.
        setenv("XDG_RUNTIME_DIR", runtime.path, 1)
        launcher = try Launcher()
        launcher.keepFilesPrivate()
        launcher.raiseFileLimit(to: 262_144) // docs/hostility.md
        clock = ShellClock(isHand: options.handClock)
        system = System(
            idiom: idiom, preferences: settings.core(environment: environment, options), continues: options.continues)

        let relay = Relay()
        compositor = try Compositor(options.compositor(settings, environment: environment), log: log) { event, stamp in
            relay.shell?.receive(event, stamp) ?? false
        }
        relay.shell = self
        adapters = try makeAdapters() + others.map { $0(self) }
        observers = adapters.compactMap { $0 as? any EventObserver }
        carriers = try Effect.Kind.allCases.map { kind in
            let takers = adapters.filter { $0.carriesOut.contains(kind) }
            guard takers.count == 1 else { throw ShellError("\(takers.count) adapters carry out effects of the kind \(kind)") }
            return takers[0]
        }
    }

    private final class Start {
        var isOver = false
    }

    /// Breaks an initialization cycle: the compositor is made before the shell is complete, and makes no calls until
    /// it starts.
    private final class Relay {
        weak var shell: Shell?
    }

    /// The adapter of this class. Adapters use each other directly only where an effect and an event would form a
    /// cycle.
    func adapter<Wanted: Adapter>(_ type: Wanted.Type = Wanted.self) -> Wanted {
        for adapter in adapters { if let found = adapter as? Wanted { return found } }
        fatalError("there is no adapter \(type)")
    }

    // MARK: Events

    /// Handles one event from an adapter. Events that arrive during the handling of another one are queued. Returns
    /// true if it was a key that no client gets.
    @discardableResult
    func receive(_ event: Event, _ stamp: Moment? = nil) -> Bool {
        queue.append((event, clock.moment(ofDevice: stamp)))
        guard !isHandling else { return false }
        isHandling = true
        defer { isHandling = false }
        var swallowed = false
        var index = 0
        while index < queue.count {
            let (event, moment) = queue[index]
            index += 1
            eventCount += 1
            for observer in observers { observer.willHandle(event, at: moment) }
            let effects = handle(event, at: moment, by: &system)
            for observer in observers { observer.didHandle(event, effects) }
            for effect in effects {
                if effect == .swallowKey { swallowed = true }
                carryOut(effect, at: moment)
            }
            for observer in observers { observer.didCarryOut(event) }
        }
        queue.removeAll(keepingCapacity: true)
        return swallowed
    }

    private func carryOut(_ effect: Effect, at moment: Moment) {
        let kind = effect.kind.rawValue
        guard hasStarted[kind] else { return early.append((effect, moment)) }
        carriers[kind].carryOut(effect, at: moment)
    }

    /// `system` is inout also for reading: to read a part of it as a property of this class copies all of it first.
    private func handle(_ event: Event, at moment: Moment, by system: inout System) -> [Effect] {
        let effects = system.handle(event, at: moment)
        (revision, soundRevision) = (system.revision, system.soundRevision)
        return effects
    }

    /// Performs an action of the user. Returns the refusal if it was refused.
    func act(_ action: Action) -> Refusal? {
        refusals.removeAll()
        receive(.action(action))
        return refusals.first
    }

    // MARK: Notifications to all adapters

    func environmentChanged() {
        guard isSetUp else { return }
        for adapter in adapters { adapter.environmentChanged() }
    }

    func settingsChanged(from before: Settings) { for adapter in adapters { adapter.settingsChanged(from: before) } }

    func cameToRest() { for adapter in adapters { adapter.cameToRest() } }

    /// A child process exited. The adapter that started it handles this; `Programs` takes the rest.
    func ended(_ exit: ProcessExit) { _ = adapters.reversed().contains { $0.ended(exit) } }

    // MARK: Running

    /// Runs until something asks it to quit. `atStart` is called when everything is ready, `atEnd` before the
    /// teardown.
    public func run(atStart: () -> Void = {}, atEnd: () -> Void = {}) throws {
        try begin()
        atStart()
        ServiceManager.ready(environment: ProcessInfo.processInfo.environment)
        while isRunning { turn() }
        atEnd()
        shutDown()
    }

    /// Starts every adapter.
    private func begin() throws {
        for warning in runtime.warnings { log.notice("\(warning)") }
        if getuid() == 0 { log.warning("running as root: fine in a container, not on a tablet") }
        isRunning = true
        for (index, adapter) in adapters.enumerated() {
            for kind in adapter.carriesOut { hasStarted[kind.rawValue] = true }
            try adapter.start()
            carryOutEarly()
            // Serve waiting clients between the starts, so that they do not wait for the installed apps, their icons
            // and the wallpaper. The home screen is not painted before everything is ready.
            if index > 0 { answerClients() }
        }
        isSetUp = true
        for adapter in adapters { adapter.allStarted() }
    }

    private func carryOutEarly() {
        let waiting = early
        early.removeAll()
        for (effect, moment) in waiting { carryOut(effect, at: moment) }
    }

    /// Runs one turn of the event loop. Blocks until something happens.
    private func turn() {
        compositor.dispatch()
        for observer in observers { observer.turned() }
    }

    private func shutDown() {
        log.info("ending")
        for source in sources { source.cancel() }
        sources.removeAll()
        for adapter in adapters.reversed() { adapter.stop() }
    }

    /// Runs turns of the loop that do not block: accepts new clients and handles their requests.
    private func answerClients() {
        for _ in 0..<2 { compositor.dispatch(milliseconds: 0) }
        compositor.flush()
    }

    /// Makes `run` return after the current turn.
    func quit() { isRunning = false }

    func refused(_ refusal: Refusal) {
        refusals.append(refusal)
        log.notice("refused: \(refusal.reason)")
    }

    /// Calls `body` whenever the descriptor is readable, until the shell ends.
    func watch(_ fd: Int32, _ body: @escaping () -> Void) {
        sources.append(compositor.watch(fd: fd) { _ in body() })
    }
}

public struct ShellError: Error, CustomStringConvertible, Sendable {
    public var description: String

    public init(_ description: String) { self.description = description }
}
