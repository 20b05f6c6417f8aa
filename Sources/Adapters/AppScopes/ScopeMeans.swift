/// The ways to hold the processes of an app together and freeze them, best first.
public enum ScopeMeans: String, Sendable, CaseIterable {
    /// A scope that the user's service manager makes; cgroup2 freezes it.
    case systemd
    /// A group of cgroup2 below the shell's own.
    case cgroup2
    /// A group of the freezer of cgroup1.
    case freezer1
    /// A signal to every process. Apps notice it, and the shell must chase a process that forks in the meantime.
    case processes
}

/// An event of a scope. A scope is named by the process that it was made for, its head.
public enum ScopeReport: Equatable, Sendable {
    /// The scope holds the processes. Reported again when an app moves itself into another group.
    case adopted(Int32, ScopeMeans)
    /// No process of the scope runs any more.
    case frozen(Int32)
    /// The processes run again. `seconds`: how long they were frozen; 0 if the freeze had not finished.
    case thawed(Int32, seconds: Double)
    /// The scope could not be made or frozen; its processes run. The reason is for a person to read.
    case failed(Int32, reason: String)
    /// All processes have ended, and the scope no longer exists.
    case empty(Int32)
}
