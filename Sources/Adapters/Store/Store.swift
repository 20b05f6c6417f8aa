import Clocks
import Descriptors
import Dispatch
import Glibc
import LinuxLibrary
import Synchronization

/// Keeps the session over crashes and reboots: bytes by place and key. The core knows what they mean.
///
/// Belongs to one thread, whose event loop watches `descriptor` and calls `drain()` when it is readable. Another thread
/// writes the changes. `commit`, `readLater` and `drain` never wait for the disk; `init`, `read` and `close` do.
///
/// Files: `session.db`, its write-ahead log, the last good copy `session.good.db`, and `session.lock`.
public final class Store {
    /// Notices from opening the session. Later ones arrive as `StoreReport.notice`.
    public let notices: [StoreNotice]

    private let room: Room
    private let queue = DispatchQueue(label: "store")
    private var lastTicket: UInt64 = 0
    private var isClosed = false

    /// Opens the folder, making it if it is missing. Never fails: a notice says why a session cannot be kept.
    ///
    /// - Parameter copyInterval: the number of commits between two copies.
    public convenience init(folder: String, copyInterval: Int = 256) {
        self.init(folder: folder, copyInterval: copyInterval, schema: .current)
    }

    init(folder: String, copyInterval: Int, schema: Schema) {
        room = Room(Keeper(folder: SessionFolder(path: folder), schema: schema, copyInterval: max(1, copyInterval)))
        notices = room.open()
        queue.async { [room, queue] in Self.plan(room, queue) }
    }

    deinit { close() }

    /// Readable when `drain()` has reports.
    public var descriptor: Int32 { room.descriptor }

    /// False while commits fail: permanently (a newer version, another shell), or until the folder is writable again.
    public var isKeeping: Bool { room.isKeeping }

    /// Makes all changes or none, in the given order. Reports `.committed` or `.failed`, in the order of the commits.
    ///
    /// Changes that the disk does not take at the moment are held back, tried again more and more rarely, and tried once more by `close`.
    /// Later changes of the same entries win. `.caughtUp` says that everything is on the disk.
    @discardableResult
    public func commit(_ changes: [Change]) -> Ticket { ask { $0.commit($1, changes) } }

    /// Reads an entry on the other thread. Reports `.read` or `.failed`.
    public func readLater(_ place: Place, key: String) -> Ticket { ask { $0.read($1, place, key) } }

    /// All entries of a place, ordered by the bytes of their keys; none if nothing is kept. Waits for earlier commits.
    public func read(_ place: Place) throws(StoreError) -> [Entry] {
        try queue.sync { [room] in Result { () throws(StoreError) in try room.entries(place) } }.get()
    }

    /// One entry, or nil if it does not exist. Waits for earlier commits.
    public func read(_ place: Place, key: String) throws(StoreError) -> [UInt8]? {
        try queue.sync { [room] in Result { () throws(StoreError) in try room.bytes(place, key) } }.get()
    }

    /// The reports since the last call.
    public func drain() -> [StoreReport] { room.takeReports() }

    /// Waits until everything is on the disk and the copy is renewed. Later commits fail; reports can still be drained.
    ///
    /// - Parameter patience: in seconds. After that, the other thread continues to write while the process lives.
    /// - Returns: false if the time ran out.
    @discardableResult
    public func close(patience: Double = 2) -> Bool {
        guard !isClosed else { return true }
        isClosed = true
        let end = DispatchTime.now() + patience, done = DispatchSemaphore(value: 0)
        queue.async { [room] in
            room.close(makesCopy: DispatchTime.now() < end)
            done.signal()
        }
        return done.wait(timeout: end) == .success
    }

    private func ask(_ work: @escaping @Sendable (Room, Ticket) -> Void) -> Ticket {
        lastTicket += 1
        let ticket = Ticket(number: lastTicket)
        queue.async { [room, queue] in
            work(room, ticket)
            Self.plan(room, queue)
        }
        return ticket
    }

    /// Plans the chores of the other thread.
    private static func plan(_ room: Room, _ queue: DispatchQueue) {
        for (chore, wait) in room.newChores() {
            queue.asyncAfter(deadline: .now() + wait) { [weak room] in
                guard let room else { return }
                room.carryOut(chore)
                plan(room, queue)
            }
        }
    }
}

/// The state that the two threads share. The keeper's lock may be held while the disk is busy, the reports' lock never.
private final class Room: Sendable {
    private struct News: ~Copyable {
        var reports: [StoreReport] = []
        var isKeeping = false
        let event = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), owner: "reports of the store")
    }

    enum Chore: CaseIterable { case catchUp, copy }

    private let keeper: Mutex<Keeper>
    /// The chores that are due at some time.
    private let planned = Mutex<Set<Chore>>([])
    private let news = Mutex(News())

    init(_ keeper: consuming sending Keeper) { self.keeper = Mutex(keeper) }

    var descriptor: Int32 { news.withLock { $0.event.number } }
    var isKeeping: Bool { news.withLock { $0.isKeeping } }

    func takeReports() -> [StoreReport] {
        news.withLock { news in
            var count: UInt64 = 0
            _ = Glibc.read(news.event.number, &count, 8)
            defer { news.reports = [] }
            return news.reports
        }
    }

    func open() -> [StoreNotice] {
        keeper.withLock { keeper in
            keeper.open()
            defer { keeper.notices = [] }
            news.withLock { $0.isKeeping = keeper.isKeeping }
            return keeper.notices
        }
    }

    func commit(_ ticket: Ticket, _ changes: [Change]) {
        keeper.withLock { keeper in
            let wasBehind = keeper.isBehind
            do throws(StoreError) {
                try keeper.commit(changes)
                tell(.committed(ticket), &keeper)
            } catch {
                tell(.failed(ticket, error), &keeper)
            }
            if wasBehind { tellCaughtUp(&keeper) }
            if keeper.copyIsDue {
                keeper.makeCopy()
                tell(nil, &keeper)
            }
        }
    }

    /// Chores that are not planned yet, and in how many seconds they are due.
    func newChores() -> [(Chore, wait: Double)] {
        keeper.withLock { keeper in
            planned.withLock { planned in
                Chore.allCases.compactMap { chore in
                    guard !planned.contains(chore) else { return nil }
                    let wait =
                        switch chore {
                        case .catchUp: keeper.isBehind ? keeper.backOff.wait() : nil
                        case .copy: keeper.isKeeping ? keeper.copies.wait(at: Clocks.monotonicSeconds) : nil
                        }
                    guard let wait else { return nil }
                    planned.insert(chore)
                    return (chore, wait)
                }
            }
        }
    }

    func carryOut(_ chore: Chore) {
        _ = planned.withLock { $0.remove(chore) }
        keeper.withLock { keeper in
            switch chore {
            case .catchUp:
                guard keeper.isBehind else { return }
                keeper.catchUp()
                tell(nil, &keeper)
                tellCaughtUp(&keeper)
                if keeper.copyIsDue { keeper.makeCopy() }
            case .copy: if keeper.copies.isPrecious { keeper.makeCopy() }
            }
            tell(nil, &keeper)
        }
    }

    private func tellCaughtUp(_ keeper: inout Keeper) {
        guard !keeper.isBehind else { return }
        keeper.backOff.reset()
        tell(.caughtUp, &keeper)
    }

    func read(_ ticket: Ticket, _ place: Place, _ key: String) {
        keeper.withLock { keeper in
            do throws(StoreError) {
                let bytes = try keeper.bytes(place, key: key)
                tell(.read(ticket, bytes), &keeper)
            } catch {
                tell(.failed(ticket, error), &keeper)
            }
        }
    }

    func entries(_ place: Place) throws(StoreError) -> [Entry] {
        try keeper.withLock { keeper throws(StoreError) in
            defer { tell(nil, &keeper) }
            return try keeper.entries(place)
        }
    }

    func bytes(_ place: Place, _ key: String) throws(StoreError) -> [UInt8]? {
        try keeper.withLock { keeper throws(StoreError) in
            defer { tell(nil, &keeper) }
            return try keeper.bytes(place, key: key)
        }
    }

    func close(makesCopy: Bool) {
        keeper.withLock { keeper in
            keeper.close(makesCopy: makesCopy)
            tell(nil, &keeper)
        }
    }

    /// Adds notices before the report of the request that caused them.
    private func tell(_ report: StoreReport?, _ keeper: inout Keeper) {
        let reports = keeper.notices.map(StoreReport.notice) + (report.map { [$0] } ?? [])
        keeper.notices = []
        news.withLock { news in
            news.isKeeping = keeper.isKeeping
            guard !reports.isEmpty else { return }
            news.reports += reports
            var one: UInt64 = 1
            _ = Glibc.write(news.event.number, &one, 8)
        }
    }
}
