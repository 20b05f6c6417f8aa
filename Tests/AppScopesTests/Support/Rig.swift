import Clocks
import Glibc
import Processes
import Testing

@testable import AppScopes

/// One after the other: they start programs that work without a pause.
@Suite(.serialized) enum ScopeTests {}

/// Scopes by one means, run as the shell's loop does: only `descriptor` is waited for.
final class Rig {
    let scopes: AppScopes
    let launcher: Launcher
    let session: String
    private(set) var seen: [ScopeReport] = []
    /// The longest that a call took, in seconds.
    private(set) var longest = 0.0
    private var heads: [Int32] = []

    /// What MULLION_BINARY names, or the program next to the tests.
    static let guardCommand: [String] = {
        if let named = getenv("MULLION_BINARY"), named.pointee != 0 { return [String(cString: named), ThawGuard.word] }
        return [OwnProgram.companion("mullion")!, ThawGuard.word]
    }()

    init(
        _ means: ScopeMeans?, session: String = "test-\(getpid())-\(UInt32.random(in: 0 ... .max))", guarded: Bool = false,
        environment: [String: String] = [:]
    ) throws {
        self.session = session
        launcher = try Launcher()
        var environment = environment
        environment["PATH"] = "/usr/bin:/bin"
        if let means { environment[ScopeMeans.variable] = means.rawValue }
        scopes = AppScopes(session: session, environment: environment, guardCommand: guarded ? Self.guardCommand : nil)
        if let means { #expect(scopes.means == means) }
    }

    deinit {
        for head in heads { scopes.kill(head) }
        scopes.stop()
        launcher.endAll(patience: 0)
    }

    /// Runs a shell script.
    func start(_ script: String) throws -> Int32 {
        let process = try launcher.launch(["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        heads.append(process)
        return process
    }

    /// Runs a script and waits until its scope is there.
    func startScope(_ script: String, app: String = "org.example.App") throws -> Int32 {
        let process = try start(script)
        timed { scopes.adopt(process, app: app) }
        try #require(wait { $0 == .adopted(process, scopes.means) })
        return process
    }

    func adopt(_ process: Int32, app: String = "org.example.App") {
        heads.append(process)
        timed { scopes.adopt(process, app: app) }
    }

    func timed(_ body: () -> Void) {
        let start = Clocks.monotonicSeconds
        body()
        longest = max(longest, Clocks.monotonicSeconds - start)
    }

    /// Turns the loop until such a report has come, and takes it out of `seen`.
    func wait(seconds: Double = 20, for isIt: (ScopeReport) -> Bool) -> Bool {
        turn(seconds: seconds) { seen.contains(where: isIt) }
        guard let index = seen.firstIndex(where: isIt) else { return false }
        seen.remove(at: index)
        return true
    }

    @discardableResult
    func turn(seconds: Double, until isDone: () -> Bool = { false }) -> Bool {
        let end = Clocks.monotonicSeconds + seconds
        while !isDone() {
            let left = end - Clocks.monotonicSeconds
            guard left > 0 else { return false }
            var item = pollfd(fd: scopes.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&item, 1, Int32(min(left * 1000, 20)) + 1) > 0 else {
                _ = launcher.drain()
                continue
            }
            var news: [ScopeReport] = []
            timed { news = scopes.drain() }
            seen += news
        }
        return true
    }

    /// Asks until the scope is frozen, as the shell does. On a busy machine the first times may fail.
    func freeze(_ process: Int32) -> Bool {
        var why = ""
        for _ in 0..<20 {
            timed { scopes.freeze(process) }
            var hasFailed = false
            let hasCome = wait {
                if case .failed(process, let reason) = $0 { (why, hasFailed) = (reason, true) }
                return $0 == .frozen(process) || hasFailed
            }
            if hasCome, !hasFailed { return true }
        }
        Issue.record("not frozen: \(why)")
        return false
    }

    /// For how many seconds it was frozen.
    func thaw(_ process: Int32) -> Double? {
        timed { scopes.thaw(process) }
        var seconds: Double?
        _ = wait {
            guard case .thawed(process, let value) = $0 else { return false }
            seconds = value
            return true
        }
        return seconds
    }
}

/// The machine's means, asked once.
enum Means {
    static let here: [ScopeMeans] = {
        let machine = Machine.look(environment: [:])
        return [.cgroup2, .freezer1, .processes].filter(machine.has)
    }()

    static func has(_ means: ScopeMeans) -> Bool { here.contains(means) }
    static let groups = here.filter { $0 != .processes }
}

/// Ticks (1/100 s) that processes worked so far.
func work(_ processes: [Int32]) -> UInt64 {
    processes.reduce(0) { $0 + (ProcessTree.record(of: $1)?.work ?? 0) }
}

func isAlive(_ process: Int32) -> Bool { ProcessTree.record(of: process).map { !$0.hasEnded } ?? false }

/// Looks again and again, at most so long.
func eventually(seconds: Double = 5, _ isDone: () -> Bool) -> Bool {
    let end = Clocks.monotonicSeconds + seconds
    while !isDone() {
        if Clocks.monotonicSeconds > end { return false }
        usleep(2000)
    }
    return true
}

enum Script {
    /// Three children that work without a pause, and their parent.
    static let busy = "for i in 1 2 3; do while :; do :; done & done; wait"
    static let busyCount = 4
    /// Starts programs without end, some of them in the background.
    static let forking = "while :; do (sleep 0.01; :) & /bin/true; /bin/true; sleep 0.005; done"
}
