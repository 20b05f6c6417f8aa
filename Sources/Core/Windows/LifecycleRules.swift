/// When apps are paused, as data: each device family has its own (S-05).
public struct LifecycleRules: Hashable, Codable, Sendable {
    /// Apps out of sight are frozen (S-05). Where windows stand beside each other, as on mac and vision, none is (V-04).
    public var freezesHidden = true
    /// Closing the last window of an app leaves the app running in the background (V-03).
    public var keepsWithoutWindows = true
    /// Seconds that an app has out of sight before it is frozen: what it was doing comes to an end meanwhile.
    public var grace = 10.0
    /// Seconds that an app has to hand over its state.
    public var savePatience = 2.0
    /// Seconds between an app's word that its state changed and the request for it.
    public var changePatience = 1.0
    /// Seconds between silence and the freeze. The sound server needs one cycle to let go of the app's streams.
    public var silence = 0.06
    /// Seconds that a background task may take without getting further.
    public var taskPatience = 30.0
    /// Seconds before its end at which the app is told that a task will expire.
    public var taskWarning = 5.0
    /// Seconds that the tasks of one app may take out of sight in `taskQuotaPeriod`.
    public var taskQuota = 3600.0
    public var taskQuotaPeriod = 86_400.0
    /// Seconds that an app is awake for somebody who calls it.
    public var callPatience = 5.0
    /// Seconds that an app has to take what waits in its connection.
    public var drain = 0.05
    /// Seconds after which a freeze that failed is tried again.
    public var retry = 30.0
    /// Seconds over which the shell looks how long programs waited for memory.
    public var memoryWindow = 2.0
    /// The share of that time in which any program waited, from which on apps in the background are warned.
    public var memorySome = 0.15
    /// The share in which all programs waited, from which on frozen apps are ended.
    public var memoryFull = 0.1
    /// Tasks that one app may have at the same time.
    public var mostTasks = 16
    /// Seconds that programs have to say whether the session may end.
    public var endPatience = 2.0
    /// Seconds that programs have to come to their ends with the session.
    public var leavePatience = 5.0

    public init() {}
}

/// What a person chose of it in the configuration.
public struct LifecyclePreferences: Hashable, Codable, Sendable {
    /// Apps out of sight are frozen at all.
    public var freezes = true
    /// Seconds; nil: as the idiom says.
    public var grace: Double?
    /// Apps that go on in the background, by their ids.
    public var kept: [String] = []

    public init(freezes: Bool = true, grace: Double? = nil, kept: [String] = []) {
        self.freezes = freezes
        self.grace = grace
        self.kept = kept
    }
}
