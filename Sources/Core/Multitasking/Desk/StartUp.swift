import Geometry
import Windows

/// The programs with which the shell starts.
struct StartUp: Hashable, Codable, Sendable {
    var commands: [[String]] = []
    /// When they are started again; nil: nothing waits for it.
    var again: Moment?
    /// How often they ended soon in a row.
    var failures = 0
    /// Since when a window is there.
    var seen: Moment?
    /// Whether a window was known to be theirs. Other windows do not count then.
    var hadOwn = false

    /// Seconds until they are started again, and at most after several failures.
    static let delay = 1.0, mostDelay = 30.0
    /// Seconds that a window has to be there to count as a success.
    static let success = 10.0

    var pause: Double { min(Self.mostDelay, Self.delay * Double(1 << min(failures, 5))) }
}

/// A shell for one app starts it again when it ends (`LifecycleRules.startsAgain`).
extension Desk {
    /// A program of the configuration or the command line.
    mutating func beginWith(_ command: [String], at now: Moment, _ turn: inout Turn) {
        if !startUp.commands.contains(command) { startUp.commands.append(command) }
        do throws(Refusal) {
            if let placeholder = workspace.placeholder(startedBy: command) { return try show(placeholder, at: now) }
            try launch(command, to: nil, at: now, &turn)
        } catch { turn.send(.refuse(error)) }
    }

    mutating func launch(_ command: [String], to destination: Destination?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard let program = command.first, !program.isEmpty else { throw Refusal("a command to launch is missing") }
        let app = workspace.app(startedBy: command)
        if let app { turn.ask(.life(.launches(app: app))) }
        turn.send(.launch(workspace.beginLaunch(of: app, command, to: destination, at: now), command: command))
    }

    private func isOfStartUp(_ window: Window) -> Bool {
        startUp.commands.contains { command in
            window.command == command || window.placeholder?.command == command || !window.app.isEmpty && workspace.app(startedBy: command) == window.app
        }
    }

    /// Whether a window of the programs is there: any window, if none was known to be theirs.
    private var isStartUpThere: Bool {
        startUp.hadOwn ? workspace.windows.values.contains { $0.isMapped && isOfStartUp($0) } : workspace.mappedCount > 0
    }

    /// Watches whether the programs are there.
    mutating func followStartUp(at now: Moment, _ turn: inout Turn) {
        guard workspace.idiom.life.startsAgain, !startUp.commands.isEmpty else {
            if startUp.again != nil { turn.send(.stopTimer(.desk(.startUp))) }
            startUp.again = nil
            return
        }
        if !startUp.hadOwn { startUp.hadOwn = workspace.windows.values.contains { $0.isMapped && isOfStartUp($0) } }
        if isStartUpThere {
            if startUp.seen == nil { startUp.seen = now }
            if startUp.again != nil { turn.send(.stopTimer(.desk(.startUp))) }
            startUp.again = nil
            return
        }
        if let seen = startUp.seen {
            startUp.failures = now - seen >= StartUp.success ? 0 : startUp.failures + 1
            startUp.seen = nil
        }
        guard startUp.again == nil, !isLocked else { return }
        startUp.again = now + startUp.pause
        turn.send(.startTimer(.desk(.startUp), at: startUp.again!))
    }

    mutating func startUpAgain(at now: Moment, _ turn: inout Turn) {
        guard startUp.again != nil else { return }
        startUp.again = nil
        guard workspace.idiom.life.startsAgain, !isStartUpThere, !isLocked else { return }
        // A program that was started and has shown no window yet is given time.
        guard workspace.launches.all.allSatisfy({ $0.isUsed || now - $0.when > StartUp.mostDelay || !startUp.commands.contains($0.command ?? []) }) else { return }
        startUp.failures += 1
        for command in startUp.commands { try? launch(command, to: nil, at: now, &turn) }
    }
}
