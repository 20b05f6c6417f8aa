/// When apps are suspended, as data: each device family has its own values (S-05).
public struct LifecycleRules: Hashable, Codable, Sendable {
    /// Whether apps out of sight are frozen (S-05). On mac and vision, where windows stand side by side, none is (V-04).
    public var freezesHidden = true
    /// Whether the programs with which the shell starts are started again when no window is left.
    public var startsAgain = false
    /// Seconds that an app has out of sight before it is frozen: it finishes its work meanwhile.
    public var grace = 10.0
    /// Seconds that an app has to hand over its state.
    public var savePatience = 2.0
    /// Seconds between an app's notice that its state changed and the request for it.
    public var changePatience = 1.0
    /// Seconds between silence and the freeze. The sound server needs one cycle to release the app's streams.
    public var silence = 0.06
    /// Seconds that a background task may run without progress.
    public var taskPatience = 30.0
    /// Seconds before a task expires at which its app is warned.
    public var taskWarning = 5.0
    /// Seconds that the tasks of one app may run out of sight in `taskQuotaPeriod`.
    public var taskQuota = 3600.0
    public var taskQuotaPeriod = 86_400.0
    /// Seconds that a call keeps an app awake.
    public var callPatience = 5.0
    /// Seconds that an app has to read the data that waits in its connection.
    public var drain = 0.05
    /// Seconds after which a freeze that failed is tried again.
    public var retry = 30.0
    /// Seconds over which memory pressure is measured. Linux lets ordinary users measure over multiples of 2 only.
    public var memoryPeriod = 2.0
    /// Apps are warned when some program waits for memory for this share of the time.
    public var memorySome = 0.15
    /// Frozen apps are ended when all programs wait for memory for this share of the time.
    public var memoryFull = 0.1
    /// Seconds after its start within which an app that got its state back and fails counts as crashing on that state.
    public var crashWindow = 20.0
    /// How often in a row an app does that before a person is asked.
    public var crashes = 3
    /// Seconds that a program which outlived the shell has to connect to the next one before it is started again.
    public var reconnectPatience = 5.0
    /// Tasks that one app may have at the same time.
    public var mostTasks = 16
    /// Seconds that programs have to answer whether the session may end.
    public var endPatience = 2.0
    /// Seconds that windows which were asked to close have, before a person sees that they stay.
    public var closePatience = 2.0
    /// Seconds that programs have to end with the session.
    public var leavePatience = 5.0
    /// Seconds that a person has to answer apps before the machine is switched off, and that apps have afterwards to end. The login
    /// manager waits 5 seconds for both, unless it is told otherwise.
    public var shutdownPatience = 3.0
    public var shutdownLeavePatience = 1.0

    public init() {}
}
