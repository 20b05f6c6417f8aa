import Clocks
import FoundationEssentials
import Glibc

/// Options of a run.
public struct FuzzOptions: Sendable {
    public var seed: UInt64
    /// The duration in seconds; 0 for no limit.
    public var seconds: Double = 60
    /// The number of sessions; 0 for no limit.
    public var sessions = 0
    /// The most requests per session.
    public var requests = 400
    /// Probabilities of extreme arguments and of malformed messages.
    public var edge = 0.01, malformed = 0.001
    /// Restarts the shell after this many sessions, so that the history of a crash stays short; 0 for never.
    public var sessionsPerShell = 3000
    /// The folder for traces of crashes.
    public var folder = "."
    /// By how much memory (in bytes) and descriptors may grow during the run.
    public var memoryMargin = 48 << 20, filesMargin = 8
    /// Includes lockers. A screen that one of them has locked must stay locked until another one unlocks it.
    public var locks = false
    /// Stops at the first finding.
    public var stopsAtFirst = false

    public init(seed: UInt64) { self.seed = seed }
}

/// A finding.
public struct Find: Sendable, CustomStringConvertible {
    public var what: String
    /// The trace that reproduces it.
    public var file: String
    public var description: String { "\(what); mullion-fuzz replay \(file)" }
}

/// Attacks a shell with sessions of random requests, and checks how it reacts.
public final class Fuzzer {
    private let options: FuzzOptions
    private let target: Target
    private let known: ProtocolDescriptions
    private let say: (String) -> Void
    private var trace: UnsafeMutablePointer<FILE>?
    private var tracePath = ""
    private var player: Player!
    private var finds: [Find] = []
    private var sessions = 0, sessionsOfShell = 0, messages = 0
    private var slowest = 0.0
    private var baseline: (memory: Int, files: Int)?
    private var errors: [String: Int] = [:]
    /// Whether the screen was locked after the last session; nil if unknown.
    private var locked: Bool? = false
    /// Sessions after which it was locked, and those of them after which a new locker took over.
    private var lockedSessions = 0, relieved = 0

    /// Attacks a running shell that listens on `socket`.
    public init(_ options: FuzzOptions, socket: String, known: ProtocolDescriptions, say: @escaping (String) -> Void) throws {
        (self.options, self.known, self.say) = (options, known, say)
        target = try Target(socket: socket, known: known)
    }

    /// Attacks a shell of its own: `program` is `mullion`, `beside` a command that the shell runs.
    public init(
        _ options: FuzzOptions, spawn program: String, beside: [String] = [], known: ProtocolDescriptions,
        say: @escaping (String) -> Void
    ) throws {
        (self.options, self.known, self.say) = (options, known, say)
        target = try Target(spawn: program, beside: beside, known: known, locks: options.locks)
    }

    /// Runs to the end and returns the findings; ideally none.
    public func run() throws -> [Find] {
        say("seed \(options.seed)")
        let began = Clocks.monotonicSeconds
        begin()
        while options.seconds == 0 || Clocks.monotonicSeconds - began < options.seconds,
            options.sessions == 0 || sessions < options.sessions
        {
            session()
            if !(try check()) && (options.stopsAtFirst || !target.isOurs) { break }
            if options.sessionsPerShell > 0, sessionsOfShell >= options.sessionsPerShell, target.isOurs {
                try waitUntilQuiet()
                try ended()
                try target.restart()
                begin()
            }
        }
        if target.isAlive { try waitUntilQuiet() }
        try ended()
        closeTrace(keep: false)
        report(seconds: Clocks.monotonicSeconds - began)
        return finds
    }

    private func begin() {
        closeTrace(keep: false)
        tracePath = "\(options.folder)/fuzz-\(options.seed)-\(sessions).bytes"
        trace = fopen(tracePath, "w")
        sessionsOfShell = 0
        baseline = nil
        locked = false
        player = Player(socket: target.socket, known: known, isLocked: target.asksForLock, hands: target.hands) { [weak self] step in
            guard let self, let trace = self.trace else { return }
            fputs(step.line + "\n", trace)
        }
    }

    private func closeTrace(keep: Bool) {
        guard let trace else { return }
        fclose(trace)
        self.trace = nil
        if !keep { unlink(tracePath) }
    }

    /// Every session has its own seed, derived from the run's seed and the session's number.
    private func session() {
        let seed = options.seed &* 1_000_003 &+ UInt64(sessions)
        let before = player.messages
        let generator = Generator(
            seed: seed, player: player, edge: options.edge, malformed: options.malformed, locks: options.locks)
        player.lock = LockKnowledge()
        generator.session("\(sessions)", requests: options.requests)
        if options.locks, target.isAlive, target.answers() { judgeLock(generator) }
        messages += player.messages - before
        sessions += 1
        sessionsOfShell += 1
    }

    /// Checks that the lock is as its clients left it. Then unlocks most locks; the next session begins under the
    /// others.
    private func judgeLock(_ generator: Generator) {
        let expected = player.lock.expected(before: locked)
        if let expected { player.play(.locked(expected)) }
        locked = expected ?? target.isLocked()
        guard locked == true else { return }
        lockedSessions += 1
        guard generator.dice.chance(0.7) else { return }
        generator.relieve()
        relieved += 1
        locked = false
    }

    // MARK: Watching

    /// Returns false if there is a finding. Restarts the shell if it is our own.
    private func check() throws -> Bool {
        let asked = Clocks.monotonicSeconds
        if target.isAlive, let broken = player.broken {
            try found("the screen \(broken) after session \(sessions - 1)")
            return false
        }
        if target.isAlive, target.answers() {
            slowest = max(slowest, Clocks.monotonicSeconds - asked)
            if target.isOurs, sessions % 10 == 0, target.keepsClientMemory() {
                try found("the shell keeps memory of clients that are gone, after session \(sessions - 1)")
                return false
            }
            if sessions % 10 == 0, let trouble = target.descriptorTrouble() {
                try found("\(trouble), after session \(sessions - 1)")
                return false
            }
            if sessionsOfShell == 30 { baseline = quiet() }
            return true
        }
        // It may be about to crash.
        for _ in 0..<20 where target.isAlive { usleep(50_000) }
        let what = target.isAlive ? "does not answer for 5 s" : target.ending!
        try found("the shell \(what) after session \(sessions - 1)")
        return false
    }

    private func found(_ what: String) throws {
        closeTrace(keep: true)
        finds.append(Find(what: what, file: tracePath))
        say("FOUND: \(finds.last!)")
        let log = target.log
        if !log.isEmpty { try Data(log.utf8).write(to: URL(filePath: tracePath + ".log")) }
        for (error, count) in player.errors { errors[error, default: 0] += count }
        if target.isOurs {
            try target.restart()
            begin()
        }
    }

    /// Idle usage: the minimum of several samples.
    private func quiet() -> (memory: Int, files: Int) {
        var least = target.usage()
        for _ in 0..<5 {
            usleep(100_000)
            let now = target.usage()
            least = (min(least.memory, now.memory), min(least.files, now.files))
        }
        return least
    }

    /// Memory and descriptors must return to their values after the first sessions.
    private func waitUntilQuiet() throws {
        guard let baseline else { return }
        var now = target.usage()
        let deadline = Clocks.monotonicSeconds + 15
        while Clocks.monotonicSeconds < deadline,
            now.memory > baseline.memory + options.memoryMargin || now.files > baseline.files + options.filesMargin
        {
            usleep(200_000)
            now = target.usage()
        }
        say(
            "memory \(baseline.memory >> 20) -> \(now.memory >> 20) MiB, descriptors \(baseline.files) -> \(now.files), after \(sessionsOfShell) sessions"
        )
        if now.memory > baseline.memory + options.memoryMargin { try found("the shell keeps \((now.memory - baseline.memory) >> 20) MiB") }
        if now.files > baseline.files + options.filesMargin { try found("the shell keeps \(now.files - baseline.files) descriptors") }
    }

    /// Ends our own shell. An unclean exit is a finding too.
    private func ended() throws {
        guard target.isOurs, target.isAlive else { return }
        guard let ending = target.end(), ending != "exited with status 0" else { return }
        closeTrace(keep: true)
        finds.append(Find(what: "the shell \(ending) when it was told to end", file: tracePath))
        say("FOUND: \(finds.last!)")
        try Data(target.log.utf8).write(to: URL(filePath: tracePath + ".log"))
    }

    private func report(seconds: Double) {
        for (error, count) in player.errors { errors[error, default: 0] += count }
        say(
            "\(sessions) sessions, \(messages) messages in \(Int(seconds)) s, slowest answer \(Int(slowest * 1000)) ms, \(finds.count) found"
        )
        if options.locks { say("locked after \(lockedSessions) of them, unlocked by a new locker after \(relieved)") }
    }
}

/// Plays a trace on a new shell, and returns how it ended; nil if the shell lives and answers.
public enum Replayer {
    public static func replay(
        _ steps: [Step], spawn program: String, beside: [String] = [], known: ProtocolDescriptions, say: ((String) -> Void)? = nil
    ) throws -> String? {
        let target = try Target(spawn: program, beside: beside, known: known, locks: steps.contains(where: \.isAboutLock))
        let how = play(steps, on: target, known: known, say: say)
        if let how, let say {
            say(how)
            say(target.log)
        }
        return how ?? (target.end().flatMap { $0 == "exited with status 0" ? nil : "\($0) when it was told to end" })
    }

    static func play(_ steps: [Step], on target: Target, known: ProtocolDescriptions, say: ((String) -> Void)? = nil) -> String? {
        let player = Player(socket: target.socket, known: known, fillsGaps: true, isLocked: target.asksForLock, hands: target.hands)
        for step in steps {
            player.play(step)
            if case .close = step, !target.isAlive { break }
        }
        player.finish()
        for (error, count) in player.errors { say?("\(count) x \(error)") }
        if target.isAlive, target.answers() {
            // Give it time for the next frame.
            usleep(50_000)
            if let broken = player.broken, target.isAlive { return "the screen \(broken)" }
            if target.isAlive { return target.keepsClientMemory() ? "keeps memory of clients that are gone" : nil }
        }
        for _ in 0..<20 where target.isAlive { usleep(50_000) }
        return target.ending ?? "does not answer for 5 s"
    }
}
