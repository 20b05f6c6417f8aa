import Descriptors
import Processes

/// Looks for connections to frozen apps that wait. Belongs to one thread, whose event loop watches `descriptor` and calls `drain()`
/// when it is readable. Another thread asks the kernel and reads the lists of descriptors.
public final class ConnectionWatch {
    /// Readable when `drain()` has something to do.
    public var descriptor: Int32 { worker.descriptor }
    /// Whether any of the apps listens, so that looking makes sense.
    public var isNeeded: Bool { !listening.isEmpty }

    public struct Call: Equatable, Sendable {
        /// The head of the app.
        public var app: Int32
        /// The process that connects and its ancestors, nearest first; empty if it is none of the programs given to `look`.
        public var callers: [Int32]
    }

    enum Outcome: Sendable {
        case listens(Int32, ticket: Int, Set<UInt32>)
        case looked(seen: WaitingConnections, [Call])
    }

    private let worker = Worker<Outcome>(owner: "watch of connections that wait")
    /// The apps by their heads, each with the number of its freeze.
    private var apps: [Int32: Int] = [:]
    /// The sockets that they listen on.
    private var listening: [Int32: Set<UInt32>] = [:]
    /// Connections that woke an app once. If it leaves them waiting, they do not wake it again.
    private var seen = WaitingConnections()
    private var ticket = 0
    private var isLooking = false

    public init() {}

    /// The app is frozen. Its sockets are known after a later `drain()`.
    public func begin(_ app: Int32, processes: [Int32]) {
        ticket += 1
        apps[app] = ticket
        listening[app] = nil
        worker.add { [ticket] in
            guard let all = WaitingConnections.look(), !all.callers.isEmpty else { return nil }
            return .listens(app, ticket: ticket, WaitingConnections.sockets(of: processes).intersection(all.callers.keys))
        }
    }

    /// The app runs, or has ended.
    public func end(_ app: Int32) {
        apps[app] = nil
        listening[app] = nil
    }

    /// Looks once; a later `drain()` returns the calls.
    ///
    /// - Parameter programs: processes that are reported as callers, with those that they started.
    public func look(programs: [Int32]) {
        guard isNeeded, !isLooking else { return }
        isLooking = true
        worker.add { [listening, seen] in
            guard let now = WaitingConnections.look() else { return .looked(seen: seen, []) }
            let called = listening.sorted { $0.key < $1.key }.compactMap { app, sockets -> Call? in
                let asking = sockets.filter { now.isNew(on: $0, since: seen) }
                guard !asking.isEmpty else { return nil }
                return Call(app: app, callers: Self.caller(Set(asking.flatMap { now.callers[$0] ?? [] }), among: programs))
            }
            let watched = listening.values.reduce(into: Set()) { $0.formUnion($1) }
            return .looked(seen: now.remembered(on: watched, before: seen), called)
        }
    }

    /// Calls to apps that are frozen still. Each connection is reported once.
    public func drain() -> [Call] {
        worker.outcomes().flatMap { outcome -> [Call] in
            switch outcome {
            case .listens(let app, let ticket, let sockets):
                if apps[app] == ticket, !sockets.isEmpty { listening[app] = sockets }
                return []
            case .looked(let seen, let calls):
                isLooking = false
                self.seen = seen
                return calls.filter { listening[$0.app] != nil }
            }
        }
    }

    public func stop() {
        (apps, listening) = ([:], [:])
        worker.finish()
    }

    /// Returns the process that has one of the sockets, among these programs and their descendants, and its ancestors.
    private static func caller(_ sockets: Set<UInt32>, among programs: [Int32]) -> [Int32] {
        for program in programs {
            for each in [program] + ProcessTree.descendants(of: program)
            where !WaitingConnections.sockets(of: [each]).isDisjoint(with: sockets) {
                return [each] + ProcessTree.ancestors(of: each)
            }
        }
        return []
    }
}
