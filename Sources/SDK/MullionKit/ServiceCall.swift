import Glibc
import MessageBus

/// One call of a service of the shell over a connection of its own, until its answer. Confined to one thread.
final class ServiceCall {
    /// Called once.
    var onAnswer: (Result<Incoming, BusError>) -> Void = { _ in }
    private(set) var isDone = false

    private var connection: BusConnection?
    private var isProcessing = false
    /// Files in the call. Most buses end the connection of who sends more than 16 in a message.
    private var fileCount = 0

    /// - Parameter takesFiles: whether the call brings files.
    /// - Throws: if there is no session bus, or it takes no message.
    init(
        _ service: String, _ path: String, _ member: String, timeout: UInt64, takesFiles: Bool, busAddress: String?,
        _ arguments: (inout Outgoing) -> Void
    ) throws(MullionError) {
        let address = try SessionBus.address(busAddress)
        guard let bus = BusConnection(address: address, kind: takesFiles ? .takesFiles : .plain, handler: self) else {
            throw .unreachable(address)
        }
        // Whether files can be sent is known only once the bus has accepted the connection.
        let limit = monotonicNow() + 5_000_000_000
        while takesFiles, !bus.isReady {
            guard bus.process(steps: 64), monotonicNow() < limit else { throw MullionError(.timedOut, "the session bus does not answer") }
            if bus.isReady { break }
            ServiceCall.wait(for: bus, at: limit)
        }
        connection = bus
        guard bus.call(service, path, service, member, token: 1, timeout: timeout, {
            $0.startNothing()
            arguments(&$0)
        }) else { throw MullionError(.failed, "the session bus takes no message") }
    }

    deinit { connection?.close() }

    func close() {
        onAnswer = { _ in }
        guard !isProcessing else { return }
        connection?.close()
        connection = nil
    }

    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }

    func process() {
        guard let connection, !isProcessing else { return }
        isProcessing = true
        let isThere = connection.process(steps: 64)
        isProcessing = false
        if !isThere { finish(.failure(BusError(name: "org.freedesktop.DBus.Error.Disconnected", text: lossText))) }
        if isDone {
            self.connection = nil
            connection.close()
        }
    }

    private var lossText: String {
        fileCount > 16 ? "the session bus does not take \(fileCount) files in one message; most take 16" : "the session bus is lost"
    }

    func wait() {
        while !isDone, let connection {
            ServiceCall.wait(for: connection, at: connection.deadline)
            process()
        }
    }

    /// - Parameter deadline: nanoseconds of CLOCK_MONOTONIC.
    private static func wait(for connection: BusConnection, at deadline: Int64?) {
        var ready = pollfd(fd: connection.descriptor, events: Int16(POLLIN) | (connection.events.write ? Int16(POLLOUT) : 0), revents: 0)
        _ = poll(&ready, 1, deadline.map { Int32(clamping: max(0, ($0 - monotonicNow() + 999_999) / 1_000_000)) } ?? -1)
    }

    private func finish(_ answer: Result<Incoming, BusError>) {
        guard !isDone else { return }
        isDone = true
        onAnswer(answer)
    }
}

extension ServiceCall {
    /// A call of the shell's views (docs/views-api.md).
    static func ofViews(
        _ member: String, timeout: UInt64, busAddress: String?, takesFiles: Bool = false, _ arguments: (inout Outgoing) -> Void
    ) throws(MullionError) -> ServiceCall {
        try ServiceCall("org.mullion.Views1", "/org/mullion/Views1", member, timeout: timeout, takesFiles: takesFiles, busAddress: busAddress, arguments)
    }

    /// The same with open files first.
    static func ofViews(
        _ member: String, _ files: [QuickLookView.File], timeout: UInt64, busAddress: String?, _ more: (inout Outgoing) -> Void = { _ in }
    ) throws(MullionError) -> ServiceCall {
        let most = ShareView.mostFiles
        guard files.count <= most else { throw MullionError(.tooMany, "there are \(files.count) files, and may be \(most)") }
        let call = try ofViews(member, timeout: timeout, busAddress: busAddress, takesFiles: true) {
            $0.container(.array, "(hs)") {
                for file in files {
                    $0.container(.structure, "hs") {
                        $0.file(file.number)
                        $0.string(file.name)
                    }
                }
            }
            more(&$0)
            $0.table([:])
        }
        call.fileCount = files.count
        return call
    }

    /// Opens files for reading; `close` closes them.
    /// - Throws: if one cannot be opened; the text names it.
    static func open(_ paths: [String]) throws(MullionError) -> [QuickLookView.File] {
        var files: [QuickLookView.File] = []
        for path in paths {
            let number = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            guard number >= 0 else {
                let why = String(cString: strerror(errno))
                close(files)
                throw MullionError(.cannotOpen, "\(path): \(why)")
            }
            files.append(.init(number, name: path.split(separator: "/").last.map(String.init) ?? path))
        }
        return files
    }

    static func close(_ files: [QuickLookView.File]) { for file in files { Glibc.close(file.number) } }
}

extension ServiceCall: BusHandler {
    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) { finish(answer) }
}
