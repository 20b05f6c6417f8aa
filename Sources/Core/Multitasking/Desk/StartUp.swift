import Geometry
import Interface
import Stage
import Windows

/// The programs with which the shell starts, and when they are started again.
struct StartUp: Hashable, Codable, Sendable {
    /// A program that was started and has shown no window yet, and until when one is awaited.
    struct Pending: Hashable, Codable, Sendable {
        var launch: LaunchID
        var until: Moment
    }

    var commands: [[String]] = []
    /// When they are started again; nil: nothing waits for it.
    var again: Moment?
    var pending: [Pending] = []
    /// Whether `again` is the end of the time for pending ones.
    var isAwaiting = false
    /// Until when a program that hid its window may show it again; nil: none did.
    var hiddenUntil: Moment?
    /// How often they ended soon in a row, or showed no window.
    var failures = 0
    /// Since when a window is there.
    var seen: Moment?
    /// Whether a window was known to be theirs. Other windows do not count then.
    var hadOwn = false

    /// Seconds until they are started again: after they ran for a while, and after they ended soon. Together with the time that an app
    /// needs to show a window, a person waits five seconds at most.
    static let delay = 0.5, delayAfterFailure = 1.5
    /// Seconds that a window has to be there to count as a success.
    static let success = 10.0
    /// Seconds in which a program has to show a window, and in which another process does that its program told before it ended.
    static let patience = 30.0, handover = 4.0

    var pause: Double { failures == 0 ? Self.delay : Self.delayAfterFailure }

    /// A program ended before it showed a window.
    mutating func ended(_ launch: LaunchID, failed: Bool, at now: Moment) {
        guard let index = pending.firstIndex(where: { $0.launch == launch }) else { return }
        if failed { pending.remove(at: index) } else { pending[index].until = min(pending[index].until, now + Self.handover) }
    }
}

/// A shell for one app starts it again when it ends (`LifecycleRules.startsAgain`).
extension Desk {
    /// A program of the configuration or the command line.
    mutating func beginWith(_ command: [String], at now: Moment, _ turn: inout Turn) {
        if !startUp.commands.contains(command) { startUp.commands.append(command) }
        workspace.beginsWith(command)
        do throws(Refusal) {
            if let placeholder = workspace.placeholder(startedBy: command) {
                workspace.confine()
                return try show(placeholder, at: now)
            }
            try launchStartUp(command, at: now, &turn)
        } catch { turn.send(.refuse(error)) }
    }

    mutating func launch(_ command: [String], to destination: Destination?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        _ = try begin(command, to: destination, at: now, &turn)
    }

    /// Starts the apps that a person asked the last shell for a moment before it ended (W-19).
    mutating func startLost(_ turn: inout Turn) {
        for lost in workspace.takeLost() {
            if let app = lost.app { turn.ask(.life(.launches(app: app))) }
            turn.send(.launch(lost.launch, command: lost.command))
        }
    }

    private mutating func begin(_ command: [String], to destination: Destination?, at now: Moment, _ turn: inout Turn) throws(Refusal)
        -> LaunchID
    {
        guard let program = command.first, !program.isEmpty else { throw Refusal("a command to launch is missing") }
        let app = workspace.app(startedBy: command)
        if let app { turn.ask(.life(.launches(app: app))) }
        let id = workspace.beginLaunch(of: app, command, to: destination, at: now)
        turn.send(.launch(id, command: command))
        return id
    }

    private mutating func launchStartUp(_ command: [String], at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = try begin(command, to: nil, at: now, &turn)
        startUp.pending.append(.init(launch: id, until: now + StartUp.patience))
    }

    /// Whether a window of the programs is there: any window, if none was known to be theirs and the idiom shows other apps.
    private var isStartUpThere: Bool {
        if workspace.hasOwnWindow || workspace.isOwnWindowAwaited { return true }
        return !workspace.isConfined && !startUp.hadOwn && workspace.mappedCount > 0
    }

    /// Watches whether the programs are there.
    mutating func followStartUp(at now: Moment, _ turn: inout Turn) {
        let isWatched = workspace.idiom.life.startsAgain && !startUp.commands.isEmpty && !isLocked
        if workspace.hasOwnWindow { startUp.hadOwn = true }
        let isThere = isWatched && isStartUpThere
        let isHidden = isWatched && !isThere && workspace.isOwnProgramThere
        startUp.hiddenUntil = isHidden ? startUp.hiddenUntil ?? now + StartUp.patience : nil
        noteStartUp(isMissing: isWatched && !isThere && !workspace.hasOwnWindow, isHidden: isHidden)
        guard isWatched, !isThere else {
            if isThere {
                if startUp.seen == nil { startUp.seen = now }
                startUp.pending.removeAll()
            }
            return startUpWaits(until: nil, &turn)
        }
        if let seen = startUp.seen {
            startUp.failures = now - seen >= StartUp.success ? 0 : startUp.failures + 1
            startUp.seen = nil
        }
        startUp.pending.removeAll { $0.until <= now || workspace.launches[$0.launch]?.isUsed != false }
        let hidden = startUp.hiddenUntil.flatMap { $0 > now ? $0 : nil }
        if let until = (startUp.pending.map(\.until) + [hidden].compactMap(\.self)).max() {
            startUp.isAwaiting = true
            return startUpWaits(until: until, &turn)
        }
        if startUp.again == nil || startUp.isAwaiting {
            startUp.isAwaiting = false
            startUpWaits(until: now + startUp.pause, &turn)
        }
    }

    private mutating func startUpWaits(until moment: Moment?, _ turn: inout Turn) {
        guard moment != startUp.again else { return }
        startUp.again = moment
        turn.send(moment.map { .startTimer(.desk(.startUp), at: $0) } ?? .stopTimer(.desk(.startUp)))
    }

    /// Says on an empty screen that the app comes, so that a person does not take the wallpaper for all there is (law 12).
    private mutating func noteStartUp(isMissing: Bool, isHidden: Bool) {
        let note: Interface.StartNote? =
            !isMissing || !workspace.shownRoots.isEmpty || workspace.showsHome
            ? nil
            : .init(name: workspace.ownName, isAgain: !isHidden && (startUp.hadOwn || startUp.failures > 0))
        if interface.startNote != note { interface.startNote = note }
    }

    mutating func startUpAgain(at now: Moment, _ turn: inout Turn) {
        guard startUp.again != nil else { return }
        startUp.again = nil
        startUp.isAwaiting = false
        startUp.pending.removeAll { $0.until <= now }
        guard workspace.idiom.life.startsAgain, !isStartUpThere, !isLocked, startUp.pending.isEmpty else { return }
        startUp.failures += 1
        // A helper without a window, such as a keyboard, runs on.
        let ended = startUp.commands.filter { !workspace.runsWithoutWindow($0) }
        for command in ended.isEmpty ? startUp.commands : ended {
            if let placeholder = workspace.placeholder(startedBy: command) {
                _ = workspace.retryPlaceholder(placeholder, at: now)
                try? show(placeholder, at: now)
            } else {
                try? launchStartUp(command, at: now, &turn)
            }
        }
    }
}
