import Descriptors
import Geometry
import Glibc
import Journal
import Multitasking

/// A client of the control socket. Reads its requests and writes answers, within limits.
final class ControlConnection {
    /// Bytes per read, of which at most one line is handled at a time. So a client that floods the shell, or asks for
    /// a hundred screenshots at once, does not block others.
    private static let chunk = 8192
    /// Bytes of queued answers above which nothing more is read from the client.
    private static let busy = 256 << 10
    /// The most questions of one client at a time.
    private static let mostAsked = 4

    private var socket: Descriptor
    var fd: Int32 { socket.number }
    private(set) var topics: Set<ControlRequest.Topic> = []
    private var incoming = LineBuffer()
    private var outgoing: [UInt8] = []
    private var written = 0
    private var source: (any LoopFile)?
    /// The state that was last sent.
    private var lastState: StateReport?
    /// Replies to questions of this client that a person has not answered.
    private var asked: [ControlReply] = []
    private unowned let server: ControlServer

    init(fd: Int32, server: ControlServer) {
        socket = Descriptor(fd, owner: "client of the control socket")
        self.server = server
        source = server.sources.watch(fd: fd, read: true, write: false) { [weak self] in self?.ready() }
    }

    func close() {
        guard let source else { return }
        source.remove()
        self.source = nil
        socket.close()
        let left = asked
        asked = []
        for reply in left { reply.whenGone?() }
    }

    private var isOpen: Bool { source != nil }
    private var backlog: Int { outgoing.count - written }

    // MARK: Input

    private func ready() {
        flush()
        guard isOpen, backlog < ControlConnection.busy else { return }
        let lines: [LineBuffer.Line]? = withUnsafeTemporaryAllocation(byteCount: ControlConnection.chunk, alignment: 1) { room in
            var count = recv(fd, room.baseAddress!, room.count, Int32(MSG_PEEK))
            if count > 0 {
                let newline = UInt8(ascii: "\n")
                let first = room[..<count].firstIndex { $0 != newline } ?? count
                let end = room[first..<count].firstIndex(of: newline).map { $0 + 1 }
                count = read(fd, room.baseAddress!, end ?? count)
            }
            if count > 0 { return incoming.append(UnsafeRawBufferPointer(rebasing: room[..<count])) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
        }
        guard let lines else { return server.drop(self, because: nil) }
        for line in lines where isOpen { take(line) }
    }

    private func take(_ line: LineBuffer.Line) {
        switch line {
        case .tooLong:
            send(ControlLine.Failure(id: nil, error: ControlError("the line is longer than \(incoming.limit) bytes")))
        case .line(let bytes):
            let message = ReadMessage(line: bytes)
            let reply = ControlReply { [weak self] result in self?.answer(message.id, result) }
            reply.isAwaited = { [weak self] in self?.isOpen ?? false }
            switch message.request {
            case .success(.follow(let topics)): follow(topics, reply: reply)
            case .success(.ask(let question)):
                asked.removeAll { $0.whenGone == nil }
                guard asked.count < Self.mostAsked else { return reply.refuse("too many questions wait") }
                asked.append(reply)
                reply.process = UnixSocket.process(of: fd)
                server.handle(.ask(question), reply: reply)
            case .success(let request): server.handle(request, reply: reply)
            case .failure(let error): reply.refuse(error)
            }
        }
    }

    private func answer(_ id: Int64?, _ result: Result<any Encodable, ControlError>) {
        switch result {
        case .success(let value): send(id: id, value)
        case .failure(let error): send(ControlLine.Failure(id: id, error: error))
        }
    }

    private func send<T: Encodable>(id: Int64?, _ value: T) { send(ControlLine.Answer(id: id, ok: value)) }

    // MARK: Following

    private func follow(_ topics: [ControlRequest.Topic], reply: ControlReply) {
        self.topics = Set(topics)
        lastState = nil
        reply.answer()
        server.tell(self)
    }

    func tell(_ state: StateReport, atRest: StateReport) {
        guard topics.contains(.state), atRest != lastState else { return }
        lastState = atRest
        send(ControlLine.Followed(event: ControlLine.StateEvent(state: state)))
    }

    // MARK: Output

    private func send(_ value: some Encodable) {
        guard isOpen else { return }
        do {
            send(line: try JSON.bytes(value))
        } catch {
            server.logger.error("an answer could not be written as JSON: \(error)")
        }
    }

    func send(line: [UInt8]) {
        guard isOpen else { return }
        outgoing += line
        outgoing.append(UInt8(ascii: "\n"))
        flush()
        guard isOpen, backlog > server.patience else { return }
        server.drop(self, because: "it does not read what it is told (\(backlog) bytes wait)")
    }

    private func flush() {
        while backlog > 0 {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(fd, $0.baseAddress! + written, backlog, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { break }
                return server.drop(self, because: nil)
            }
            written += count
        }
        if backlog == 0 {
            outgoing.removeAll(keepingCapacity: outgoing.capacity <= 64 << 10)
            written = 0
        } else if written > 1 << 20 {
            outgoing.removeFirst(written)
            written = 0
        }
        source?.update(read: backlog < ControlConnection.busy, write: backlog > 0)
    }
}
