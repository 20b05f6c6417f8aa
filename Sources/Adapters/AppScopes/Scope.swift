import Descriptors
import Glibc
import Processes

/// The processes of one app, and how far they are.
final class Scope {
    enum Hold {
        /// Its group is being made, by the means that comes first.
        case none
        /// `unit`: the service manager's name for it, if it made it. `isOurs`: to be removed when it is empty.
        case group(Group, unit: String?, isOurs: Bool)
        case tree(StoppedTree)
    }

    enum Phase: Equatable {
        case making
        case running
        /// Nanoseconds of CLOCK_MONOTONIC.
        case freezing(until: Int64)
        case frozen(since: Int64)
        /// Killed, and not all gone.
        case ending
    }

    /// Names it in events; a process id may come again.
    let serial: UInt64
    let head: Int32
    let app: String
    /// Readable when the head has ended.
    let process: Descriptor
    /// The same for another process, which is watched once the head has ended.
    var successor = Descriptor.none
    var hold = Hold.none
    var means = ScopeMeans.processes
    var phase = Phase.making
    /// Counts the requests to freeze and to thaw: the outcome of an earlier one means nothing any more.
    var request: UInt64 = 0
    /// Nanoseconds that it was frozen, to be reported when it goes on.
    var toldAtThaw: Int64?
    /// What its guard was told.
    var guarded: [String] = []
    /// The kernel's number for the watch of the group's events.
    var watch: Int32?
    /// When to look again; nanoseconds of CLOCK_MONOTONIC.
    var lookAt: Int64?
    /// Its app is gone; it goes with its last process, unnoticed.
    var isReleased = false
    /// Means that are left to be tried.
    var left: ArraySlice<ScopeMeans> = []
    /// How often it was looked at since its group is empty and its head lives.
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

/// Whether the process of a pidfd has ended.
func hasEnded(_ process: Int32) -> Bool {
    var item = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    return poll(&item, 1, 0) > 0
}
