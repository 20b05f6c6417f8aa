import ArgumentParser
import Fuzz
import Glibc

struct FuzzCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mullion-fuzz",
        abstract: "Attack a shell with random, mostly well-typed Wayland requests and watch how it takes them.",
        subcommands: [Run.self, Replay.self, Minimise.self, Measure.self], defaultSubcommand: Run.self)
}

struct Shell: ParsableArguments {
    @Option(help: "The program to start and attack; started again when it dies.")
    var spawn: String?
    @Option(help: "A command for the shell to run meanwhile, e.g. 'sh -c \"xeyes & exec foot\"'.")
    var beside: String?
    @Option(help: "Folder of the project's own protocol descriptions.")
    var protocols = "Protocols"

    func known() throws -> ProtocolDescriptions { try ProtocolDescriptions(own: protocols) }

    var command: [String] { beside.map { ["sh", "-c", $0] } ?? [] }

    func program() throws -> String {
        guard let spawn else { throw ValidationError("name the program: --spawn .build/debug/mullion") }
        return spawn
    }
}

func say(_ text: String) {
    print(text)
    fflush(nil)
}

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Attack. Exit status 1 if something was found.")

    @OptionGroup var shell: Shell
    @Option(help: "The same seed makes the same choices.") var seed: UInt64?
    @Option(help: "How long; 0 for no end.") var seconds = 60.0
    @Option(help: "How many sessions at most; 0 for no end.") var sessions = 0
    @Option(help: "Requests of one session at most.") var requests = 400
    @Option(help: "Of 1: how often an argument is extreme.") var edge = 0.01
    @Option(help: "Of 1: how often a message is broken.") var malformed = 0.001
    @Option(help: "Sessions until the shell is started anew; 0 for never.") var sessionsPerShell = 3000
    @Option(help: "Folder for the traces of what is found.") var out = "."
    @Option(help: "Wayland socket of a shell that runs already.") var socket: String?
    @Option(help: "MiB that the shell may have more at the end.") var memoryMargin = 48
    @Flag(help: "Lockers take part, and whether the screen is locked is watched.") var lock = false
    @Flag(help: "End with the first find.") var first = false

    func run() throws {
        var options = FuzzOptions(seed: seed ?? UInt64.random(in: 0...999_999))
        options.seconds = seconds
        options.sessions = sessions
        options.requests = requests
        (options.edge, options.malformed) = (edge, malformed)
        options.sessionsPerShell = sessionsPerShell
        options.folder = out
        options.stopsAtFirst = first
        options.locks = lock && shell.spawn != nil
        options.memoryMargin = memoryMargin << 20
        let known = try shell.known()
        let fuzzer =
            try socket.map { try Fuzzer(options, socket: $0, known: known, say: say) }
            ?? Fuzzer(options, spawn: shell.program(), beside: shell.command, known: known, say: say)
        if !(try fuzzer.run().isEmpty) { throw ExitCode(1) }
    }
}

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play a trace again. Exit status 1 if the shell does not survive it.")

    @OptionGroup var shell: Shell
    @Argument(help: "The trace.") var file: String

    func run() throws {
        let known = try shell.known()
        let how = try Replayer.replay(try Trace.read(file), spawn: shell.program(), beside: shell.command, known: known, say: say)
        say(how ?? "the shell lives")
        if how != nil { throw ExitCode(1) }
    }
}

struct Minimise: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Find the fewest steps of a trace that still end the shell.")

    @OptionGroup var shell: Shell
    @Argument(help: "The trace.") var file: String
    @Option(help: "Where the short one goes; else FILE.min") var to: String?
    @Option(help: "How long at most.") var seconds = 300.0

    func run() throws {
        let known = try shell.known()
        let minimiser = try Minimiser(
            spawn: shell.program(), beside: shell.command, known: known, seconds: seconds, say: say)
        guard let steps = try minimiser.minimise(try Trace.read(file)) else {
            say("the shell survives the whole trace")
            throw ExitCode(1)
        }
        try Trace.write(steps, to: to ?? file + ".min")
        for step in steps { say(step.line) }
    }
}

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flood", abstract: "How long another client waits for its frame callbacks while one floods the shell.")

    @OptionGroup var shell: Shell
    @Option(help: "Of each kind of flood.") var seconds = 5.0

    func run() throws {
        let known = try shell.known()
        for kind in Flood.Kind.allCases {
            let figures = try Flood.measure(kind, seconds: seconds, spawn: shell.program(), known: known)
            let numbers = [figures.median, figures.worst].map { String(Double(Int($0 * 10)) / 10) }
            say(
                "\(kind.rawValue): \(figures.waits.count) frames, median \(numbers[0]) ms, worst \(numbers[1]) ms, \(figures.messages / Int(seconds)) messages/s"
            )
        }
    }
}

// A peer that hangs up must not end this program.
signal(SIGPIPE, SIG_IGN)
var files = rlimit(rlim_cur: 8192, rlim_max: 8192)
setrlimit(__rlimit_resource_t(7) /* RLIMIT_NOFILE */, &files)
FuzzCommand.main()
