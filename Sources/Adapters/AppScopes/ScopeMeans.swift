/// How the processes of an app are held together and frozen, best first.
public enum ScopeMeans: String, Sendable, CaseIterable {
    /// A scope made by the user's service manager; cgroup2 freezes it.
    case systemd
    /// A group of cgroup2 below the shell's own.
    case cgroup2
    /// A group of the freezer of cgroup1.
    case freezer1
    /// A signal to every process: apps notice it, and one that forks meanwhile has to be hunted down.
    case processes
}

/// What became of a scope. Scopes are named by the process that they were made for, the head.
public enum ScopeReport: Equatable, Sendable {
    /// The processes are together. Comes again when an app moved itself to a group of its own.
    case adopted(Int32, ScopeMeans)
    /// Not one of them runs any more.
    case frozen(Int32)
    /// They go on, after so many seconds of being frozen: 0 if it had not come to that.
    case thawed(Int32, seconds: Double)
    /// It could not be adopted or frozen; then it runs. The reason is in words for a person.
    case failed(Int32, reason: String)
    /// All processes are gone, and so is the scope.
    case empty(Int32)
}
