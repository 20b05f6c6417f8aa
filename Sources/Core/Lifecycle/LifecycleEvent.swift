import Geometry
import Windows

/// Every event in the life of apps, as values. Replaying a recording of them gives the same state.
public enum LifecycleEvent: Hashable, Codable, Sendable {
    // MARK: The scopes of apps
    /// All processes of the app are frozen.
    case frozen(AppProcess)
    /// The adapter could not freeze the app; its processes run.
    case freezeFailed(AppProcess, reason: String)
    /// The buffer of a frozen client's connection is filling up.
    case connectionFills(AppProcess)
    /// A program calls a name that the app owns on a bus, or requests data that it offers.
    case called(AppProcess)
    /// A connection to the app waits in a socket. `callers`: the process that connects and its ancestors, nearest first, if known.
    case connected(AppProcess, callers: [Int32])
    /// A person used a notification of an unknown app.
    case notificationUsed
    /// How much the machine lacks memory.
    case memoryPressure(MemoryPressure)
    /// For how long programs waited for memory since the machine started, in microseconds: any of them, and all at once.
    case memoryWaited(some: UInt64, full: UInt64)

    // MARK: State
    /// The app will hand over state when asked. The process need not have a window yet. A known number may be offered
    /// again with another process, if that one turns out to be the app's.
    case stateOffered(StateID, AppProcess)
    case stateWithdrawn(StateID)
    /// The app has new state to save.
    case stateChanged(StateID)
    /// An app got back the state that it had handed over.
    case stateGiven(app: String)
    /// An instance of an app began. `hasState`: its toolkit, which keeps the app's state, restores that of an earlier process.
    case instanceBegan(app: String, hasState: Bool)
    /// The store has the state.
    case stateSaved(StateID, SaveToken)
    /// The app has none.
    case stateMissing(StateID, SaveToken)
    /// It could not be stored.
    case stateLost(StateID, SaveToken)
    /// The machine is about to sleep, or the session to end: every app is asked now.
    case saveAll

    // MARK: Background tasks (S-06)
    case taskBegan(TaskID, AppProcess, name: String)
    /// From 0 to 1.
    case taskAdvanced(TaskID, progress: Double)
    case taskEnded(TaskID)
    /// The same of one that its app marked as important, and the text about its end (S-07).
    case taskFinished(TaskID, text: String)

    /// The apps that a person allowed, by a portal, to run in the background: all of them.
    case backgroundAllowed([String])

    // MARK: The session manager
    /// An app asks the shell not to do something, until it withdraws the request or ends.
    case inhibited(Inhibitor)
    case uninhibited(InhibitorID)
    /// A program takes part in the end of the session.
    case clientRegistered(SessionClientID, SessionOwner)
    case clientLeft(SessionClientID)
    /// A program's answer to the end of the session; nil if it does not object.
    case clientAnswered(SessionClientID, objection: String?)
}

public enum MemoryPressure: String, Hashable, Codable, Sendable, CaseIterable {
    /// Apps in the background are asked to release what memory they can.
    case some
    /// Frozen apps are ended, the least recently used first.
    case critical
}

/// The effects of the life of apps.
public enum LifecycleEffect: Hashable, Codable, Sendable {
    /// Put the app's processes into a scope of their own. `app`: its id.
    case adopt(AppProcess, app: String)
    case freeze(AppProcess)
    case thaw(AppProcess)
    /// End the app without notice because memory is short; its state is restored later.
    case kill(AppProcess)
    /// End the app because a person forces it, or because it did not end with the session.
    case endByForce(AppProcess)
    /// How early the kernel may end the app when memory runs out.
    case standing(AppProcess, Standing)
    /// Ask the app for its state; the answer is an event with the token.
    case saveState(StateID, SaveToken)
    /// Every app that `saveAll` asked has answered or run out of time.
    case allSaved
    /// The app was thawed. It was frozen for this many seconds.
    case resumed(AppProcess, frozenFor: Double)
    /// Tell the app that memory is short.
    case memoryLow(AppProcess)
    /// Start or stop watching memory pressure. While no app is frozen, the shell could free nothing.
    case watchMemory(Bool)
    case taskExpires(TaskID, in: Double)
    /// The task does not keep its app awake any more.
    case taskExpired(TaskID)
    /// A person ended the inhibitor: it has no effect any more.
    case inhibitorEnded(InhibitorID)
    /// A person stopped an app that a portal allowed to run in the background: it is not allowed any more.
    case forbidBackground(String)
    /// Ask the program whether the session may end.
    case queryEnd(SessionClientID)
    /// Tell the program that the session does not end.
    case cancelEnd(SessionClientID)
    /// Tell the program that the session ends: it finishes its work and answers.
    case endClient(SessionClientID, isForced: Bool)
    /// From now on, apps end because the session ends.
    case sessionEnds
    /// The session continues, because the machine is not switched off.
    case sessionGoesOn
    /// Ask all processes of the app to end (SIGTERM).
    case askToEnd(AppProcess)

    public enum Standing: String, Hashable, Codable, Sendable, CaseIterable {
        case inSight, background, frozen

        /// By how much the app's `oom_score_adj` exceeds the shell's: the kernel ends the app sooner when memory runs out.
        public var oomDistance: Int32 {
            switch self {
            case .inSight: 100
            case .background: 300
            case .frozen: 600
            }
        }

        /// The app's `oom_score_adj`, from that of the shell: the kernel ends the shell last, whatever score the shell started with.
        public func oomScore(shell: Int32) -> Int32 { min(1000, max(-1000, shell + oomDistance)) }
    }
}
