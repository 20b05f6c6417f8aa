import Descriptors
import Glibc
import Processes

/// Sees programs that a process starts and that pass their task to a running app: a second start of Chromium connects to the first, says
/// what to open, and ends within a quarter of a second.
///
/// The kernel tells when the program of an app is started once more (`inotify` of its file). Another thread then looks for the new
/// process, and for connections of it to the app. Belongs to one thread, whose event loop watches both descriptors.
public final class HandoverWatch {
    /// An app that may take something over.
    public struct App: Hashable, Sendable {
        /// The client of its windows.
        public var process: Int32
        /// The file of its program; empty if it is not known.
        public var program: String

        public init(process: Int32) {
            self.process = process
            var room = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/\(process)/exe", &room, room.count)
            program = count > 0 ? String(decoding: room[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
        }
    }

    /// A process that the starter, or a program of it, started.
    public struct Started: Hashable, Sendable {
        public var process: Int32
        /// Nearest first; the starter is one of them.
        public var ancestors: [Int32]
        public var program: String
        /// The app that it is connected to.
        public var app: Int32?
    }

    /// Readable when the program of an app was opened: call `opened()`.
    public var opens: Int32 { notices.number }
    /// Readable when `drain()` has something to do.
    public var descriptor: Int32 { worker.descriptor }
    /// Whether a look is under way.
    public private(set) var isLooking = false

    private let notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of the programs of apps")
    private let worker = Worker<[Started]>(owner: "watch of programs that hand over")
    private var programs: [String: Int32] = [:]

    public init() {}

    /// Sets the programs to notice, by their files.
    public func follow(_ files: Set<String>) {
        guard notices.isOpen else { return }
        for (file, watch) in programs where !files.contains(file) {
            // Two files may be one.
            if !programs.contains(where: { $0.value == watch && files.contains($0.key) }) { inotify_rm_watch(notices.number, watch) }
            programs[file] = nil
        }
        for file in files where programs[file] == nil {
            let watch = inotify_add_watch(notices.number, file, UInt32(IN_OPEN))
            if watch >= 0 { programs[file] = watch }
        }
    }

    /// Empties the list of opened programs. Starting a program opens its file; so does reading it.
    public func opened() {
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while read(notices.number, buffer.baseAddress!, buffer.count) > 0 {}
        }
    }

    /// Looks once at the processes that `starter` started. A later `drain()` returns those that run the program of one of the apps, and
    /// those that are connected to one of them.
    ///
    /// - Parameters:
    ///   - members: the processes in the scope of the starter's app. A program that detached itself is still there.
    ///   - apps: all apps with windows. `look` ignores these apps and the programs that they started.
    public func look(from starter: Int32, members: [Int32], to apps: [App]) {
        guard !isLooking else { return }
        isLooking = true
        worker.add { Self.started(by: starter, Set(members), apps) }
    }

    /// Returns the processes that the last look found; nil: nothing new.
    public func drain() -> [Started]? {
        guard let found = worker.outcomes().last else { return nil }
        isLooking = false
        return found
    }

    public func stop() { worker.finish() }

    private static func started(by starter: Int32, _ members: Set<Int32>, _ apps: [App]) -> [Started] {
        let clients = Set(apps.map(\.process)), others = apps.filter { $0.process != starter }
        let programs = Set(others.map(\.program).filter { !$0.isEmpty })
        let own = Set(ProcessTree.descendants(of: starter, passesOver: clients.contains)).union(members)
        let candidates = own.union(running(programs)).subtracting(clients)
        // A program that was started in the background has lost its parent.
        let lines = candidates.sorted().compactMap { process in
            line(process, to: starter, isMember: members.contains(process), clients).map { (process, $0) }
        }
        guard !lines.isEmpty, !others.isEmpty else { return [] }
        let peers = WaitingConnections.connected() ?? [:], waiting = WaitingConnections.look()?.callers ?? [:]
        /// The sockets of each app to which a process may be connected, read when they are needed.
        var known: [Int32: Set<UInt32>] = [:]
        func sockets(_ app: App) -> Set<UInt32> {
            if let all = known[app.process] { return all }
            let all = WaitingConnections.sockets(
                of: [app.process] + ProcessTree.descendants(of: app.process, passesOver: { clients.contains($0) || $0 == starter }))
            known[app.process] = all
            return all
        }
        return lines.compactMap { process, ancestors in
            let program = App(process: process).program
            let own = WaitingConnections.sockets(of: [process])
            // One end of a pair, or a connection that its app has not accepted yet.
            let ends = Set(own.compactMap { peers[$0] }).subtracting([0]),
                asked = Set(waiting.filter { $0.value.contains(where: own.contains) }.keys)
            let far = ends.union(asked).subtracting(own)
            let app = far.isEmpty ? nil : others.first { !sockets($0).isDisjoint(with: far) }
            guard app != nil || programs.contains(program) else { return nil }
            return Started(process: process, ancestors: ancestors, program: program, app: app?.process)
        }
    }

    /// The ancestors of a process that the starter started, nearest first; nil if it did not, or if another app is between them.
    private static func line(_ process: Int32, to starter: Int32, isMember: Bool, _ clients: Set<Int32>) -> [Int32]? {
        var ancestors = ProcessTree.ancestors(of: process)
        if !ancestors.contains(starter) {
            guard isMember else { return nil }
            ancestors.append(starter)
        }
        return ancestors.prefix { $0 != starter }.contains(where: clients.contains) ? nil : ancestors
    }

    /// All processes that run one of these programs.
    private static func running(_ programs: Set<String>) -> [Int32] {
        guard !programs.isEmpty, let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var found: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = Int32(name), programs.contains(App(process: process).program) else { continue }
            found.append(process)
        }
        return found
    }
}
