import ArgumentParser
import Chrome
import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Processes
import Settings
import Shell
import ViewServer
import Windows

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start the shell.",
        usage: "mullion run [OPTIONS] [--] [COMMAND [ARGUMENTS...]]",
        discussion: """
            On a console it takes the screen and the input devices; under another Wayland or X11 desktop it runs in a \
            window; otherwise headless, and it prints the secret URL at which a browser shows it.

            Without a COMMAND it begins with the home screen, or with what the configuration file launches. Whatever is \
            not given here is taken from that file, too.
            """)

    @Option(help: ArgumentHelp("The device family whose rules hold: automatic, \(RunCommand.idioms).", valueName: "name"))
    var idiom: String?

    @Option(
        help: ArgumentHelp("The size of a headless or nested screen in pixels.", valueName: "WIDTHxHEIGHT"),
        transform: Size.fromCommandLine)
    var size: Size?

    @Option(help: ArgumentHelp("Pixels per point, \(RunCommand.scales).", valueName: "factor"))
    var scale: Double?

    @Flag(help: "Draw to memory, also where a screen could be had; the same as --backend headless.")
    var headless = false

    @Option(help: ArgumentHelp("Where to draw: \(RunCommand.backends).", valueName: "name"))
    var backend: Compositor.Options.Backend = .auto

    @Option(
        help: ArgumentHelp(
            "Show the screen in a browser on this machine: a PORT, auto (on any free port, when headless), or off. "
                + "Only the URL that is printed opens it: it holds a secret, new at each start. Whoever has it may use the session.",
            valueName: "port"),
        transform: RemoteViewChoice.fromCommandLine)
    var remoteView: RemoteViewChoice?

    @Option(help: ArgumentHelp("The sound server: auto (the machine's, or one of its own), private, or off.", valueName: "name"))
    var audio: SoundServerChoice?

    @Option(help: ArgumentHelp("The name of the Wayland socket; the first free one if left out.", valueName: "name"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The configuration file; ~/.config/mullion/config.toml if left out.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(help: ArgumentHelp("Record every event, for `mullion replay`.", valueName: "file"), completion: .file())
    var record: String?

    @Flag(name: .customLong("no-xwayland"), help: "Do without X11 programs.")
    var withoutXwayland = false

    @Flag(name: .customLong("no-status-bar"), help: "Do without the status bar, for example beside a bar of another program.")
    var withoutStatusBar = false

    @Flag(name: .customLong("no-settings-icon"), help: "Do without the icon of the settings on the home screen.")
    var withoutSettingsIcon = false

    @Flag(help: "Do not start the shell again after a crash.")
    var once = false

    @Flag(help: "Begin without the windows of the last session, and keep none of this one.")
    var fresh = false

    @Option(
        help: ArgumentHelp(
            "How to draw: auto (straight to memory where there is no GPU), or wlr (always through wlroots).",
            valueName: "path"))
    var draw: DrawPath = .auto

    @Flag(help: "For tests: time passes only by `mullion ctl clock step`.")
    var handClock = false

    @Flag(help: "For tests: log what breaks a law of what clients are sent, and answer `get violations` on the control socket.")
    var checkLaws = false

    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
    var quitAfter: Double?

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("A program to start with.", valueName: "command"))
    var command: [String] = []

    enum DrawPath: String, ExpressibleByArgument, CaseIterable { case auto, wlr }

    static let scales = Settings.scalesInWords
    static let iconPainter = ["/proc/self/exe", IconService.word]
    static let viewServer = ["/proc/self/exe", ViewService.word]
    static let idioms = Idiom.all.map(\.name).joined(separator: ", ")
    static let backends = Compositor.Options.Backend.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        try checkPassthrough(command)
        if let scale, !Settings.scales.contains(scale) {
            throw ValidationError("--scale is \(scale), but must be \(RunCommand.scales).")
        }
        if let idiom, idiom != Settings.automaticIdiom {
            let environment = ProcessInfo.processInfo.environment
            let store = IdiomStore(
                folders: IdiomStore.folders(
                    configuration: SettingsStore.path(option: config, environment: environment), environment: environment),
                lastGood: LastGood(environment: environment))
            // One whose file has errors can be had, or stands in: a kiosk must start.
            guard store.namesAtStart.contains(idiom) else {
                throw ValidationError(
                    "--idiom is \(idiom); known are \(([Settings.automaticIdiom] + store.idioms.map(\.name)).joined(separator: ", ")).")
            }
        }
        if headless, backend != .auto, backend != .headless {
            throw ValidationError("--headless and --backend \(backend.rawValue) contradict each other.")
        }
        if let quitAfter, !(quitAfter >= 0) { throw ValidationError("--quit-after must be a number of seconds.") }
        if let socket, socket.isEmpty || socket.contains("/") {
            throw ValidationError("--socket is a name in the runtime directory and must not contain a /.")
        }
    }

    /// Runs the shell in this process.
    func run() throws {
        Descriptors.holdStandard(takesInput: true)
        if !once, Supervisor.isWanted(environment: ProcessInfo.processInfo.environment) { try supervise() }
        try Shell(shellOptions).run()
    }

    /// Runs the shell in a process of its own, and starts it again when it crashes.
    func supervise() throws -> Never {
        let environment = ProcessInfo.processInfo.environment
        // An invalid configuration is reported once, by the shell itself.
        let lastGood = LastGood(environment: environment), path = SettingsStore.path(option: config, environment: environment)
        let idioms = IdiomStore(folders: IdiomStore.folders(configuration: path, environment: environment), lastGood: lastGood)
        let name = SettingsStore(path: path, lastGood: lastGood, idioms: { idioms.namesAtStart }).settings.socket
        throw ExitCode(
            Supervisor.run(
                ProgramWords.all, socket: socket ?? name, environment: environment,
                print: { line in
                    let bytes = Array("mullion: \(line)\n".utf8)
                    _ = write(STDERR_FILENO, bytes, bytes.count)
                }))
    }

    var shellOptions: ShellOptions {
        var options = ShellOptions()
        options.idiom = idiom
        options.size = size
        options.scale = scale
        options.backend = headless ? .headless : backend
        options.remoteView = remoteView
        options.socket = socket
        options.audio = audio
        options.config = config
        options.record = record
        options.xwayland = !withoutXwayland
        options.withoutStatusBar = withoutStatusBar
        options.withoutSettingsIcon = withoutSettingsIcon
        options.keepsWindows = !fresh
        let told = Supervisor.follow(environment: ProcessInfo.processInfo.environment)
        options.startsClean = told.isClean
        options.continues = told.isAgain
        if let held = told.socket { (options.socket, options.socketFile) = (held.name, held.file) }
        options.drawsThroughRenderer = draw == .wlr
        options.handClock = handClock
        options.checksLaws = checkLaws
        options.quitAfter = quitAfter
        options.iconPainter = Self.iconPainter
        options.viewServer = Self.viewServer
        let words = command.first == "--" ? Array(command.dropFirst()) : command
        if !words.isEmpty { options.commands = [words] }
        return options
    }
}

extension SoundServerChoice: ExpressibleByArgument {}

extension Size {
    static func fromCommandLine(_ text: String) throws -> Size {
        if let size = Size(parsing: text) { return size }
        let sides = Settings.outputSides
        throw ValidationError("It is two whole numbers from \(sides.lowerBound) to \(sides.upperBound), as 1180x820.")
    }
}

extension RemoteViewChoice {
    static func fromCommandLine(_ text: String) throws -> RemoteViewChoice {
        if let choice = RemoteViewChoice(text) { return choice }
        throw ValidationError("It is auto, off, or a port from \(ports.lowerBound) to \(ports.upperBound).")
    }
}

extension Compositor.Options.Backend: ExpressibleByArgument {}
