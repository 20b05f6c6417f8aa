import Descriptors
import Glibc
import Processes

/// The processes of one app, and their state.
final class Scope {
    enum Hold {
        /// The shell is making the group, by the first means in `left`.
        case none
        /// `unit`: the manager's name for the group, if the manager made it. `isOurs`: the shell removes it when it is empty.
        case group(Group, unit: String?, isOurs: Bool)
        case tree(StoppedTree)
    }

    enum Phase: Equatable {
        case making
        case running
        /// Nanoseconds of CLOCK_MONOTONIC.
        case freezing(until: Int64)
        case frozen(since: Int64)
        /// The scope was killed, but some of its processes have not ended yet.
        case ending
    }

    /// Identifies the scope in events, because the kernel reuses process ids.
    let serial: UInt64
    let head: Int32
    let app: String
    /// The head's pidfd, readable when the head has ended.
    let process: Descriptor
    /// The pidfd of another process of the scope, which is watched once the head has ended.
    var successor = Descriptor.none
    var hold = Hold.none
    var means = ScopeMeans.processes
    var phase = Phase.making
    /// Counts the requests to freeze and thaw. The outcome of an earlier request is ignored.
    var request: UInt64 = 0
    /// How long the scope was frozen, in nanoseconds, until `.thawed` reports it.
    var unreportedFreeze: Int64?
    /// The items that the guard has for this scope.
    var guarded: [String] = []
    /// The kernel's number of the watch on the group's events.
    var watch: Int32?
    /// When to look at the scope again, in nanoseconds of CLOCK_MONOTONIC.
    var lookAt: Int64?
    /// The app is gone. The scope ends with its last process, without a report.
    var isReleased = false
    /// The means that remain to be tried.
    var left: ArraySlice<ScopeMeans> = []
    /// Whether the process that was watched last has ended. Others may remain, whose ends the shell does not notice.
    var isUnwatched: Bool { hasEnded(successor.isOpen ? successor.number : process.number) }
    /// How often the shell has found the group empty although the head lives.
    var emptyLooks = 0

    init(serial: UInt64, head: Int32, app: String, process: consuming Descriptor) {
        self.serial = serial
        self.head = head
        self.app = app
        self.process = process
    }

    var group: Group? { if case .group(let group, _, _) = hold { group } else { nil } }

    var headHasEnded: Bool { hasEnded(process.number) }
}

/// Whether the process that a pidfd refers to has ended.
func hasEnded(_ process: Int32) -> Bool {
    var item = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    return poll(&item, 1, 0) > 0
}
