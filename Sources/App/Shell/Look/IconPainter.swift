import Chrome
import Compositor
import Descriptors
import Geometry
import Glibc
import Logging
import Processes

/// Paints icons and artwork in a separate process (`IconService`). The process starts when there is something to
/// paint, and ends soon after. A file counts as broken if the process crashes on it, or takes too long twice. On a
/// machine that has just started, even the first good file may take too long once.
final class IconPainter {
    enum Answer {
        case later
        case picture(Picture)
        /// The file cannot be painted.
        case nothing
    }

    /// Seconds until an idle process is ended.
    private static let rest = 0.5
    /// The most finished pictures that are kept until someone fetches them.
    private static let mostDrawn = 256

    private let command: [String]
    private let launcher: Launcher
    private let compositor: Compositor
    private let environment: [String: String]
    private var log: Logger
    private let drawnSomething: () -> Void
    private var line = PaintLine()
    private var drawn: [IconFile: Picture?] = [:]
    private var process: Int32?
    private var channel = Descriptor.none
    private var source: EventSource?
    private var timer: EventSource?
    private var bytes: [UInt8] = []
    /// The unsent part of the current request.
    private var unsent: ArraySlice<UInt8> = []
    private var room = [UInt8](repeating: 0, count: 65536)

    /// - Parameters:
    ///   - command: runs `IconService.serve`.
    ///   - drawn: called when a new picture is ready.
    init(
        command: [String], launcher: Launcher, compositor: Compositor, environment: [String: String], log: Logger,
        drawn: @escaping () -> Void
    ) {
        self.command = command
        self.launcher = launcher
        self.compositor = compositor
        self.environment = environment
        self.log = log
        drawnSomething = drawn
        timer = compositor.timer { [unowned self] in timeIsUp() }
    }

    /// Returns the picture if it is ready, and forgets it. Otherwise requests it.
    func picture(of file: IconFile) -> Answer {
        if let picture = drawn.removeValue(forKey: file) { return picture.map(Answer.picture) ?? .nothing }
        if line.add(file) { end() }
        work()
        return .later
    }

    /// The files may have changed.
    func forget() {
        drawn.removeAll()
        // The request in progress used the old file.
        if line.isAtWork { end() }
        line.forget()
    }

    /// The process exited. Returns false if it was another process.
    func ended(_ exit: ProcessExit) -> Bool {
        guard exit.command == command else { return false }
        if case .signalled(let number) = exit.reason, number != SIGKILL {
            log.notice("the process that paints icons was killed by signal \(number)")
        }
        return true
    }

    func close() {
        end()
        timer?.cancel()
        timer = nil
        line.forget()
    }

    // MARK: The process

    private func work() {
        guard !line.isAtWork, let file = line.first else { return }
        guard channel.isOpen || start() else { return failed() }
        line.isAtWork = true
        bytes.removeAll(keepingCapacity: true)
        timer?.arm(Compositor.now() + line.patience)
        unsent = file.request[...]
        write()
    }

    /// A data URL may be longer than the socket buffer.
    private func write() {
        while !unsent.isEmpty {
            let number = channel.number
            let count = unsent.withUnsafeBytes { send(number, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else { return failed() }
            unsent = unsent.dropFirst(count)
        }
        source?.watch(read: true, write: !unsent.isEmpty)
    }

    private func start() -> Bool {
        do {
            process = try HelperProcess.start(
                command, by: launcher, environment: environment, channel: &channel, owner: "process that draws icons")
        } catch {
            log.error("icons cannot be painted: \(error.message)")
            return false
        }
        source = compositor.watch(fd: channel.number) { [unowned self] _ in
            if !unsent.isEmpty { write() }
            if channel.isOpen { read() }
        }
        return true
    }

    private func end() {
        if let process, line.isAtWork { launcher.signal(process, SIGKILL) }
        process = nil
        line.isAtWork = false
        source?.cancel()
        source = nil
        channel.close()
        bytes.removeAll()
        unsent = []
    }

    /// The current file cannot be painted. Continues with the others.
    private func failed() {
        end()
        if line.first != nil { finish(nil) }
    }

    private func read() {
        while true {
            let count = Glibc.read(channel.number, &room, room.count)
            if count < 0, errno == EAGAIN { return }
            guard count > 0, line.isAtWork, let file = line.first else { return failed() }
            bytes += room[..<count]
            switch file.answer(bytes) {
            case nil: continue
            case .failure: return failed()
            case .success(.picture(let picture)): finish(picture)
            case .success(.nothing): finish(nil)
            case .success(.refused(let reason)):
                log.notice("\(file.name) is not drawn: \(reason)")
                finish(nil)
            }
        }
    }

    private func finish(_ picture: Picture?) {
        if drawn.count >= Self.mostDrawn { drawn.removeAll() }
        let file = line.end()
        if file.kind == .artwork { drawn = drawn.filter { $0.key.kind != .artwork } }
        drawn[file] = .some(picture)
        timer?.arm(Compositor.now() + Self.rest)
        // A receiver may ask for the next one at once.
        drawnSomething()
        work()
    }

    private func timeIsUp() {
        guard line.isAtWork, let file = line.first else { return end() }
        log.notice("\(file.name) takes too long to be drawn")
        guard line.isTooLong() else { return failed() }
        end()
        work()
    }
}
