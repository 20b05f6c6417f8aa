import Geometry
import OrderedCollections
import Windows

/// A program that takes part in the end of the session, by the number that the adapter gave it.
public struct SessionClientID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: SessionClientID, b: SessionClientID) -> Bool { a.raw < b.raw }

    public var description: String { "session client \(raw)" }
}

/// The end of the session. Apps save their state, the shell asks registered programs and asks windows to close, and a person
/// sees the objections. Then the shell tells apps to end.
public struct LogOut: Hashable, Codable, Sendable {
    enum Phase: Hashable, Codable, Sendable {
        /// Programs and windows are asked, and none objects so far.
        case asking
        /// A program objects or does not answer: the person decides.
        case waiting
        /// The shell asks no more apps. Apps have until this moment to end.
        case ending(until: Moment)
    }

    var phase: Phase
    /// A program that has not answered by then counts as not answering.
    var patience: Moment
    var isLate = false
    /// The programs that have not answered the question or the announcement that the session ends.
    var awaited: OrderedSet<SessionClientID>
    /// The programs that refused, and why.
    var refusals: OrderedDictionary<SessionClientID, String> = [:]
    /// The windows that were asked to close and are still there, with their apps; nil until they are asked.
    var windows: OrderedDictionary<WindowID, SessionOwner>?
    /// Programs whose windows were asked to close, until they end: one may still write a file when its windows are gone.
    var programs: OrderedSet<AppProcess> = []
    /// When all windows were gone.
    var isEmptySince: Moment?
    /// Windows that are still there at this moment count as objections.
    var closesBy: Moment?
    var areWindowsLate = false
    /// The window that an app opened after its windows were asked to close: its question.
    var questions: OrderedDictionary<AppProcess, WindowID> = [:]
    /// The machine is switched off, and waits until this moment for answers; nil if a person logs out.
    var shutdown: Moment?
    /// The apps that were told to end.
    var told: OrderedSet<AppProcess> = []
    /// The apps over whose objections a person ends the session; nil until then. They are asked nothing more.
    var overruled: [SessionOwner]?

    func deadline(_ rules: LifecycleRules) -> Moment? {
        switch phase {
        case .asking, .waiting:
            let dates = [isLate ? nil : patience, areWindowsLate ? nil : closesBy, isEmptySince.map { $0 + rules.closePatience }, shutdown]
            return dates.compactMap(\.self).min()
        case .ending(let until): return until
        }
    }

    /// The end that a person sees coming, for certain.
    func end(_ rules: LifecycleRules) -> Moment? {
        if case .ending(let until) = phase { until } else { shutdown.map { $0 + rules.shutdownLeavePatience } }
    }
}

/// An app that objects to the end of the session.
public struct LogOutObjection: Hashable, Codable, Sendable {
    public enum Cause: Hashable, Codable, Sendable {
        /// In the app's own words, perhaps empty.
        case says(String)
        case doesNotAnswer
        /// It opened a window when its windows were asked to close.
        case asks
        /// Its windows did not close.
        case stays
        /// The title of its window says that something is not saved.
        case unsaved
    }

    public var owner: SessionOwner
    public var cause: Cause
    /// Where a person answers the app; nil if that is not known.
    public var window: WindowID?

    public init(owner: SessionOwner, _ cause: Cause, window: WindowID? = nil) {
        self.owner = owner
        self.cause = cause
        self.window = window
    }
}

extension Lifecycle {
    /// Whether a person is being asked to end the session despite objections.
    public var isLogOutStopped: Bool { logOut?.phase == .waiting && logOut?.shutdown == nil }

    /// Whether the session is about to end, during which no app is frozen.
    public var isLoggingOut: Bool { logOut != nil }

    /// Whether the machine is being switched off.
    public var isShuttingDown: Bool { logOut?.shutdown != nil }

    /// Whether apps were told to end.
    public var isSessionEnding: Bool { if case .ending = logOut?.phase { true } else { false } }

    /// How many seconds are left of the session, if its end is certain.
    public func secondsLeft(at now: Moment) -> Int? { logOut?.end(rules).map { max(0, Lifecycle.seconds($0, now)) } }

    /// Whole seconds, rounded up. Less than a millisecond does not count, because timers ring a little early or late.
    static func seconds(_ end: Moment, _ now: Moment) -> Int { Int(clamping: (end - now - 0.001).rounded(.up)) }

    /// The apps that object and, once the time is up, those that have not answered. Each app appears once.
    public var objections: [LogOutObjection] {
        guard let logOut else { return [] }
        var found: [LogOutObjection] = []
        func add(_ objection: LogOutObjection) {
            let owner = objection.owner
            let isKnown = found.contains { other in
                other.owner == owner || owner.process.map { apps[$0] != nil && other.owner.process == $0 } ?? false
            }
            if !isKnown, !isOverruled(owner) { found.append(objection) }
        }
        for inhibitor in inhibitors.values where inhibitor.kinds.contains(.logOut) {
            add(LogOutObjection(owner: inhibitor.owner, .says(inhibitor.reason)))
        }
        for objection in unsaved { add(objection) }
        for (id, reason) in logOut.refusals { if let owner = sessionClients[id] { add(LogOutObjection(owner: owner, .says(reason))) } }
        for (window, owner) in logOut.windows ?? [:] {
            if let question = owner.process.flatMap({ logOut.questions[$0] }) {
                add(LogOutObjection(owner: owner, .asks, window: question))
            } else if logOut.areWindowsLate {
                add(LogOutObjection(owner: owner, .stays, window: window))
            }
        }
        guard logOut.isLate else { return found }
        for id in logOut.awaited { if let owner = sessionClients[id] { add(LogOutObjection(owner: owner, .doesNotAnswer)) } }
        for (id, app) in apps where !app.saves.isEmpty {
            add(LogOutObjection(owner: SessionOwner(process: id, name: app.name), .doesNotAnswer))
        }
        return found
    }

    /// The apps that were told to end and have windows.
    public var remaining: [LogOutObjection] {
        guard isSessionEnding else { return [] }
        return apps.map {
            LogOutObjection(owner: SessionOwner(process: $0.key, name: $0.value.name), .stays, window: $0.value.windows.last)
        }
    }

    /// Whether the app's windows must not be asked to close: the app handed over its state, which a closed window would no longer have
    /// (S-13), or it takes part in the end of the session, and closes them itself, or a person ends the session over its objection.
    public func endsByItself(_ id: AppProcess) -> Bool {
        savers.values.contains(id) || sessionClients.values.contains { isOwner(id, $0) }
            || logOut?.overruled?.contains { isOwner(id, $0) } ?? false
    }

    private func isOverruled(_ owner: SessionOwner) -> Bool {
        logOut?.overruled?.contains { other in
            other == owner || owner.process.map { apps[$0] != nil && isOwner($0, other) } ?? false
        } ?? false
    }

    /// Whether a person decides about apps that object, and windows are not asked to close yet.
    public var isLogOutStoppedEarly: Bool { isLogOutStopped && logOut?.windows == nil }

    /// A person ends the session.
    ///
    /// - Parameters:
    ///   - isForced: objections that the person has seen are ignored.
    ///   - marked: apps that the person saw besides those of `objections`.
    mutating func logOut(isForced: Bool, marked: [LogOutObjection] = [], _ turn: inout Turn) {
        switch logOut?.phase {
        case .ending where isForced: return leave(&turn)
        case .waiting where isForced && isLogOutStoppedEarly: overrule(objections + marked, &turn)
        case .asking, .waiting, .ending:
            guard isForced else { return }
            endSession(isForced: true, &turn)
        case nil:
            begin(&turn)
            guard !isForced else { return endSession(isForced: true, &turn) }
            ask(&turn)
            finish(&turn)
        }
    }

    /// The machine is about to be switched off. No app can stop that, so the shell asks all windows at once, and an objection only delays
    /// it.
    mutating func shutDown(_ turn: inout Turn) {
        setEnding(true, &turn)
        guard !isSessionEnding, !isShuttingDown else { return }
        if logOut == nil {
            begin(&turn)
            ask(&turn)
        }
        logOut!.shutdown = turn.now + rules.shutdownPatience
        if logOut!.windows == nil { turn.asksWindows = true }
        finish(&turn)
    }

    /// The machine stays on after all.
    mutating func staysOn(_ turn: inout Turn) {
        if isShuttingDown {
            stopLogOut(&turn)
        } else if isEnding, logOut == nil {
            turn.effects.append(.sessionGoesOn)
        }
        setEnding(false, &turn)
    }

    private mutating func begin(_ turn: inout Turn) {
        logOut = LogOut(phase: .asking, patience: turn.now + rules.endPatience, awaited: OrderedSet(sessionClients.keys))
        // Thaw first: a frozen app cannot answer.
        for id in apps.keys { review(id, &turn) }
    }

    private mutating func ask(_ turn: inout Turn) {
        saveAll(&turn)
        for id in sessionClients.keys { turn.effects.append(.queryEnd(id)) }
    }

    /// Windows of the other apps were not asked to close yet. One may hold work of which the person has read nothing (law 5).
    private mutating func overrule(_ seen: [LogOutObjection], _ turn: inout Turn) {
        logOut!.overruled = seen.map(\.owner)
        logOut!.awaited = []
        logOut!.refusals = [:]
        turn.asksWindows = true
    }

    /// The apps that would lose work if the session ended now.
    mutating func setUnsaved(_ objections: [LogOutObjection], _ turn: inout Turn) {
        guard unsaved != objections else { return }
        unsaved = objections
        if logOut != nil { finish(&turn) }
    }

    /// The person cancels the log-out.
    mutating func cancelLogOut(_ turn: inout Turn) {
        guard logOut != nil, !isSessionEnding, !isShuttingDown else { return }
        stopLogOut(&turn)
    }

    private mutating func stopLogOut(_ turn: inout Turn) {
        if isSessionEnding { turn.effects.append(.sessionGoesOn) }
        for id in sessionClients.keys { turn.effects.append(.cancelEnd(id)) }
        logOut = nil
        for id in apps.keys { review(id, &turn) }
        setAlarm(&turn)
    }

    mutating func clientAnswered(_ id: SessionClientID, objection: String?, _ turn: inout Turn) {
        guard logOut?.awaited.contains(id) ?? false || logOut?.refusals[id] != nil else { return }
        logOut!.awaited.remove(id)
        logOut!.refusals[id] = objection
    }

    mutating func clientLeft(_ id: SessionClientID) {
        sessionClients[id] = nil
        logOut?.awaited.remove(id)
        logOut?.refusals[id] = nil
    }

    // MARK: Windows

    /// These windows were asked to close, as `Turn.asksWindows` wants. `programs`: processes that the shell launched, of whose end it
    /// hears.
    mutating func windowsAsked(_ windows: [(window: WindowID, app: SessionOwner)], programs: Set<AppProcess>, _ turn: inout Turn) {
        guard logOut != nil, !isSessionEnding else { return }
        logOut!.windows = [:]
        for (window, app) in windows {
            logOut!.windows![window] = app
            if let process = app.process, programs.contains(process) { logOut!.programs.append(process) }
        }
        logOut!.closesBy = turn.now + rules.closePatience
        finish(&turn)
    }

    /// An app opened a window after its windows were asked to close.
    mutating func noteQuestion(_ window: WindowID, of id: AppProcess, _ turn: inout Turn) {
        guard logOut?.windows?.values.contains(where: { $0.process == id }) ?? false else { return }
        logOut!.questions[id] = window
        finish(&turn)
    }

    /// A window closed, or was unmapped.
    mutating func windowClosed(_ window: WindowID, _ turn: inout Turn) {
        guard logOut != nil else { return }
        logOut!.windows?[window] = nil
        for (id, question) in logOut!.questions where question == window { logOut!.questions[id] = nil }
        finish(&turn)
    }

    /// A program that the shell launched has ended.
    mutating func programEnded(_ id: AppProcess, _ turn: inout Turn) {
        guard logOut?.programs.remove(id) != nil else { return }
        finish(&turn)
    }

    // MARK: Next steps

    mutating func reviewLogOut(_ turn: inout Turn) {
        guard let now = logOut else { return }
        if case .ending(let until) = now.phase { return reviewEnding(until: until, &turn) }
        logOut!.isLate = now.isLate || now.patience <= turn.now
        logOut!.areWindowsLate = now.areWindowsLate || now.closesBy.map { $0 <= turn.now } ?? false
        if let end = now.shutdown, end <= turn.now { return endSession(isForced: true, &turn) }
        let since = now.isEmptySince ?? turn.now
        logOut!.isEmptySince = nil
        if !objections.isEmpty {
            logOut!.phase = .waiting
        } else if !now.awaited.isEmpty || awaitsState {
            logOut!.phase = .asking
        } else if let windows = now.windows {
            if windows.isEmpty {
                if now.programs.isEmpty || since + rules.closePatience <= turn.now {
                    return endSession(isForced: now.overruled != nil, &turn)
                }
                logOut!.isEmptySince = since
            }
            logOut!.phase = .asking
        } else {
            logOut!.phase = .asking
            // Last, because a window that has closed does not come back if the person stays.
            turn.asksWindows = true
        }
        setAlarm(&turn)
    }

    private mutating func endSession(isForced: Bool, _ turn: inout Turn) {
        let isShutdown = isShuttingDown, until = turn.now + (isShutdown ? rules.shutdownLeavePatience : rules.leavePatience)
        turn.asksWindows = false
        logOut = LogOut(
            phase: .ending(until: until), patience: until, awaited: OrderedSet(sessionClients.keys), shutdown: isShutdown ? until : nil)
        turn.endsSession = true
        turn.effects.append(.sessionEnds)
        for id in sessionClients.keys { turn.effects.append(.endClient(id, isForced: isForced)) }
        reviewEnding(until: until, &turn)
    }

    /// Apps end: those that take part in the end of the session when they have answered, all others at once.
    private mutating func reviewEnding(until: Moment, _ turn: inout Turn) {
        guard until > turn.now, !logOut!.awaited.isEmpty || !apps.isEmpty else { return leave(&turn) }
        for id in apps.keys where !logOut!.told.contains(id) {
            guard !logOut!.awaited.contains(where: { client in sessionClients[client].map { isOwner(id, $0) } ?? false }) else { continue }
            logOut!.told.append(id)
            turn.effects.append(.askToEnd(id))
        }
        setAlarm(&turn)
    }

    private mutating func leave(_ turn: inout Turn) {
        if isShuttingDown {
            // The machine ends the remaining programs.
            turn.isReady = true
        } else {
            for id in apps.keys { turn.effects.append(.endByForce(id)) }
            turn.leaves = true
        }
        logOut = nil
        for id in apps.keys { review(id, &turn) }
        setAlarm(&turn)
    }
}
