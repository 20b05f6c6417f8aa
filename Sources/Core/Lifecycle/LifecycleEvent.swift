import Geometry
import Windows

/// Everything that can happen to the life of apps, as values. Recorded, they replay to the same state.
public enum LifecycleEvent: Hashable, Codable, Sendable {
    // MARK: The scopes of apps
    /// All processes of the app stand still.
    case frozen(AppProcess)
    /// They could not be stopped; they run.
    case freezeFailed(AppProcess, reason: String)
    /// More waits in the connection of a frozen client than is good for it.
    case connectionFills(AppProcess)
    /// Somebody calls a name that the app owns on a bus, or wants what it offers.
    case called(AppProcess)
    /// How much the machine lacks memory, where the kernel says so by itself.
    case memoryPressure(MemoryPressure)
    /// How long programs have waited for memory so far, where the shell has to read it.
    case memoryStalled(MemoryStall)

    // MARK: State
    /// The app hands over state when it is asked. The process may have no window yet; of a number that is known, another
    /// process may turn out to be the app's.
    case stateOffered(StateID, AppProcess)
    case stateWithdrawn(StateID)
    /// There is something new to save.
    case stateChanged(StateID)
    /// The state is in the store.
    case stateSaved(StateID, SaveToken)
    /// The app has none, or it could not be stored.
    case stateMissing(StateID, SaveToken)
    /// The machine is about to sleep, or the session to end: every app is asked now.
    case saveAll

    // MARK: Background tasks (S-06)
    case taskBegan(TaskID, AppProcess, name: String)
    /// From 0 to 1.
    case taskAdvanced(TaskID, progress: Double)
    case taskEnded(TaskID)

    // MARK: The session manager
    /// An app asks the shell not to do something, until it says otherwise or is gone.
    case inhibited(Inhibitor)
    case uninhibited(InhibitorID)
    /// A program wants to hear of the end of the session.
    case clientRegistered(SessionClientID, SessionOwner)
    case clientLeft(SessionClientID)
    /// What a program says to the end of the session; nil: it has nothing against it.
    case clientAnswered(SessionClientID, objection: String?)
}

public enum MemoryPressure: String, Hashable, Codable, Sendable, CaseIterable {
    /// Apps in the background are told to give back what they can.
    case some
    /// Frozen apps are ended, the one used longest ago first.
    case critical
}

/// How long programs have waited for memory since the machine started, in microseconds (`/proc/pressure/memory`).
public struct MemoryStall: Hashable, Codable, Sendable {
    /// Any program waited.
    public var some: UInt64
    /// All programs that had something to do waited.
    public var full: UInt64

    public init(some: UInt64, full: UInt64) {
        self.some = some
        self.full = full
    }
}

/// What has to be done for the life of apps.
public enum LifecycleEffect: Hashable, Codable, Sendable {
    /// Its processes are put into a scope of their own. `app`: its id.
    case adopt(AppProcess, app: String)
    case freeze(AppProcess)
    case thaw(AppProcess)
    /// Memory is short: it ends without a word, and comes back as it was.
    case kill(AppProcess)
    /// The same, because a person ends it by force.
    case endByForce(AppProcess)
    /// How soon the kernel may end it when memory runs out.
    case standing(AppProcess, Standing)
    /// The app is asked for its state; the answer is an event with the token.
    case saveState(StateID, SaveToken)
    /// Every app that was asked by `saveAll` answered, or had its time.
    case allSaved
    /// Its app was frozen for so many seconds, and goes on.
    case resumed(AppProcess, frozenFor: Double)
    /// Memory is short.
    case memoryLow(AppProcess)
    /// Whether `memoryStalled` is needed: only frozen apps are ended for want of memory.
    case watchMemory(Bool)
    case taskExpires(TaskID, in: Double)
    /// The task does not keep its app awake any more.
    case taskExpired(TaskID)
    /// A person ended it: it counts no more.
    case inhibitorEnded(InhibitorID)
    /// Whether the session counts as used without input.
    case keepScreenOn(Bool)
    /// The program is asked whether the session may end.
    case queryEnd(SessionClientID)
    /// It may go on: the session does not end.
    case cancelEnd(SessionClientID)
    /// The session ends: the program does what it has to do and answers.
    case endClient(SessionClientID, isForced: Bool)
    /// From now on apps that end do so because the session ends.
    case sessionEnds

    public enum Standing: String, Hashable, Codable, Sendable, CaseIterable {
        case inSight, background, frozen
    }
}
