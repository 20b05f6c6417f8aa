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
/// An adapter reports an event, the system answers with effects, and each effect goes to the one adapter that carries out
/// its kind. A shell is an object that can be made, run and torn down again; nothing of it is global.
public final class Shell {
    public let options: ShellOptions
    public private(set) var system: System
    let compositor: Compositor
    let launcher: Launcher
    let log: Logger
    let runtime: RuntimeDirectory
    let store: SettingsStore
    /// What programs are started with. Who changes it while the shell runs calls `environmentChanged`.
    var environment: [String: String]
    var clock: ShellClock
    /// Events handled so far.
    private(set) var eventCount: UInt64 = 0
    /// All adapters have started.
    private(set) var isSetUp = false

    private(set) var adapters: [any Adapter] = []
    /// By `Effect.Kind`.
    private var carriers: [any Adapter] = []
    private var observers: [any EventObserver] = []
    private var queue: [(Event, Moment)] = []
    private var isHandling = false
    private var isRunning = false
    /// What the present action was refused with, for whoever sent it.
    private var refusals: [Refusal] = []
    private var sources: [EventSource] = []

    /// Sets everything up; nothing runs until `run`.
    ///
    /// Throws what is wrong with the configuration, the runtime directory or the machine.
    public convenience init(_ options: ShellOptions) throws { try self.init(options, adding: []) }

    /// `adding`: adapters beside the shell's own, which start after them.
    init(_ options: ShellOptions, adding others: [(Shell) -> any Adapter]) throws {
        Session.holdSignals()
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

    /// The compositor is made before the shell is whole, and calls nothing until it is started.
    private final class Relay {
        weak var shell: Shell?
    }

    /// The adapter of this class. Adapters ask for each other only where an effect and an event would go in a circle.
    func adapter<Wanted: Adapter>(_ type: Wanted.Type = Wanted.self) -> Wanted {
        for adapter in adapters { if let found = adapter as? Wanted { return found } }
        fatalError("there is no adapter \(type)")
    }

    // MARK: Events

    /// One event from an adapter. What comes up while another is being handled waits for its turn.
    /// True if it was a key that no client gets.
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
            let effects = system.handle(event, at: moment)
            for observer in observers { observer.didHandle(event, effects) }
            for effect in effects {
                if effect == .swallowKey { swallowed = true }
                carriers[effect.kind.rawValue].carryOut(effect, at: moment)
            }
            for observer in observers { observer.didCarryOut(event) }
        }
        queue.removeAll(keepingCapacity: true)
        return swallowed
    }

    /// What a person asked for, and what it was refused with if it was.
    func act(_ action: Action) -> Refusal? {
        refusals.removeAll()
        receive(.action(action))
        return refusals.first
    }

    // MARK: What concerns every adapter

    func environmentChanged() {
        guard isSetUp else { return }
        for adapter in adapters { adapter.environmentChanged() }
    }

    func settingsChanged(from before: Settings) { for adapter in adapters { adapter.settingsChanged(from: before) } }

    func cameToRest() { for adapter in adapters { adapter.cameToRest() } }

    /// A child process ended: whoever started it sees to that. Programs take what is nobody else's.
    func ended(_ exit: ProcessExit) { _ = adapters.reversed().contains { $0.ended(exit) } }

    // MARK: Running

    /// Runs until somebody asks it to end. `atStart` is called when everything is there, `atEnd` while it still is.
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
            try adapter.start()
            // A client that waited for the socket need not wait for the installed apps, their icons and the wallpaper, too:
            // it is heard and answered in between, and the home screen is not painted before all is there.
            if index > 0 { answerClients() }
        }
        isSetUp = true
        for adapter in adapters { adapter.allStarted() }
    }

    /// One turn of the event loop. It waits until something happens.
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

    /// Turns of the loop that wait for nothing: who knocked is let in, heard and answered.
    private func answerClients() {
        for _ in 0..<2 { compositor.dispatch(milliseconds: 0) }
        compositor.flush()
    }

    /// Ends `run` after the present turn.
    func quit() { isRunning = false }

    func refused(_ refusal: Refusal) {
        refusals.append(refusal)
        log.notice("refused: \(refusal.reason)")
    }

    /// Until the shell ends, `body` is called whenever the descriptor can be read.
    func watch(_ fd: Int32, _ body: @escaping () -> Void) {
        sources.append(compositor.watch(fd: fd) { _ in body() })
    }
}

public struct ShellError: Error, CustomStringConvertible, Sendable {
    public var description: String

    public init(_ description: String) { self.description = description }
}
