import Clocks
import Glibc
import MessageBus

/// One call of the shell's views (docs/views-api.md) over a connection of its own, until its answer. Never blocks but in `wait()`. Confined
/// to one thread.
final class ServiceCall {
    private static let service = "org.mullion.Views1"
    /// A bus that accepts the connection does so at once. Nanoseconds.
    private static let patience: Int64 = 5_000_000_000

    /// Called once.
    var onAnswer: (Result<Incoming, BusError>) -> Void = { _ in }
    private(set) var isDone = false

    private var connection: BusConnection?
    private var isProcessing = false
    /// Sends the call; nil once that is done. Whether files can be sent is known only when the bus has accepted the connection.
    private var unsent: ((BusConnection) -> Bool)?
    /// CLOCK_MONOTONIC nanoseconds: the bus has to accept the connection before.
    private var acceptedBy: Int64
    /// Own copies of the files, until they are sent.
    private var files: [QuickLookView.File]
    /// Files in the call. Most buses end the connection of who sends more than 16 in a message.
    private let fileCount: Int

    /// - Parameters:
    ///   - timeout: microseconds.
    ///   - files: come first in the call; nil: the call brings none. They stay the caller's.
    /// - Throws: if there is no session bus, it takes no message, or a file is not open.
    init(
        _ member: String, _ files: [QuickLookView.File]? = nil, timeout: UInt64, busAddress: String?,
        _ arguments: @escaping (inout Outgoing) -> Void
    ) throws(MullionError) {
        let most = ShareView.mostFiles
        if let files, files.count > most { throw MullionError(.tooMany, "there are \(files.count) files, and may be \(most)") }
        let address = try SessionBus.address(busAddress)
        let own = try ServiceCall.copies(files ?? [])
        self.files = own
        fileCount = own.count
        acceptedBy = Clocks.monotonicNanoseconds + Self.patience
        connection = BusConnection(address: address, kind: files == nil ? .plain : .takesFiles, handler: self)
        guard let connection else {
            close()
            throw .unreachable(address)
        }
        unsent = { bus in
            bus.call(Self.service, "/org/mullion/Views1", Self.service, member, token: 1, timeout: timeout) {
                $0.startNothing()
                if files != nil {
                    $0.container(.array, "(hs)") {
                        for file in own {
                            $0.container(.structure, "hs") {
                                $0.file(file.number)
                                $0.string(file.name)
                            }
                        }
                    }
                }
                arguments(&$0)
            }
        }
        guard files == nil || connection.isReady else { return }
        guard send(connection) else { throw MullionError(.failed, "the session bus takes no message") }
    }

    deinit { close() }

    func close() {
        onAnswer = { _ in }
        dropFiles()
        guard !isProcessing else { return }
        connection?.close()
        connection = nil
    }

    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }

    /// Milliseconds until the next required call of `process()`, as for poll(2).
    var timeout: Int32 {
        connection.map { BusConnection.milliseconds(until: [$0.deadline, unsent == nil ? nil : acceptedBy].compactMap { $0 }.min()) } ?? -1
    }

    func process() {
        guard let connection, !isProcessing else { return }
        isProcessing = true
        let isThere = connection.process(steps: 64)
        if !isThere {
            finish(.failure(BusError(name: "org.freedesktop.DBus.Error.Disconnected", text: lossText)))
        } else if unsent != nil {
            sendWhenAccepted(connection)
        }
        isProcessing = false
        if isDone {
            self.connection = nil
            connection.close()
        }
    }

    func wait() {
        while !isDone, let connection {
            connection.wait(milliseconds: timeout)
            process()
        }
    }

    private func sendWhenAccepted(_ connection: BusConnection) {
        if connection.isReady {
            if !send(connection) {
                finish(.failure(BusError(name: "org.freedesktop.DBus.Error.Failed", text: "the session bus takes no message")))
            }
        } else if Clocks.monotonicNanoseconds >= acceptedBy {
            finish(.failure(BusError(name: "org.freedesktop.DBus.Error.Timeout", text: "the session bus does not answer")))
        }
    }

    private func send(_ connection: BusConnection) -> Bool {
        defer {
            unsent = nil
            // The message has copies of its own.
            dropFiles()
        }
        return unsent?(connection) ?? false
    }

    private func dropFiles() {
        ServiceCall.close(files)
        files = []
    }

    private var lossText: String {
        fileCount > 16 ? "the session bus does not take \(fileCount) files in one message; most take 16" : "the session bus is lost"
    }

    private func finish(_ answer: Result<Incoming, BusError>) {
        guard !isDone else { return }
        isDone = true
        dropFiles()
        onAnswer(answer)
    }
}

extension ServiceCall {
    /// Files of the call's own, because the caller may close its ones at once.
    private static func copies(_ files: [QuickLookView.File]) throws(MullionError) -> [QuickLookView.File] {
        var copies: [QuickLookView.File] = []
        for file in files {
            let number = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else {
                let why = String(cString: strerror(errno))
                close(copies)
                throw MullionError(.cannotOpen, "\(file.name): \(why)")
            }
            copies.append(.init(number, name: file.name))
        }
        return copies
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
