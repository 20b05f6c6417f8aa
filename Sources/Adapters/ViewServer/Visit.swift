import Glibc

/// One remote connection: a request, then its response or the screen. Never blocks.
final class Visit {
    enum Phase: Equatable {
        case request
        /// Waiting for the VNC server's socket; the key for the handshake's response.
        case knocking(key: String, isNamed: Bool)
        case screen
        /// Sending the rest before closing.
        case ending
        /// The client is gone. The VNC server gets the releases of the client's held keys and buttons, and closes when it has read them.
        case leaving
    }

    /// Bytes that may be queued for one side. Above it, nothing more is read from the other.
    private static let busy = 256 << 10
    /// Milliseconds for a request, and for its response.
    static let requestPatience: Int64 = 5000
    static let answerPatience: Int64 = 20_000
    /// Milliseconds for the VNC server to read the last releases.
    static let leavingPatience: Int64 = 5000

    let client: Int32
    private(set) var screen: Int32 = -1
    private(set) var phase = Phase.request
    /// Whether it presented the secret.
    private(set) var isTrusted = false
    /// When it is closed in any case; nil: never.
    private(set) var deadline: Int64?
    private let service: Service
    private var head: [UInt8] = []
    private var toClient = Outgoing(), toScreen = Outgoing()
    private var frames = WebSocket.Reader()
    private var held = HeldInput()
    private var hasShutDown = false

    /// The values that all connections share.
    struct Service {
        var door: Door
        var pages: Pages
        /// The VNC server's socket.
        var vnc: String
    }

    init(client: Int32, service: Service, now: Int64) {
        self.client = client
        self.service = service
        deadline = now + Visit.requestPatience
    }

    deinit {
        close(client)
        if screen >= 0 { close(screen) }
    }

    // MARK: Polling

    /// The client's descriptor for `poll`, which would report one that is gone all the time; -1 then.
    var polledClient: Int32 { phase == .leaving ? -1 : client }

    var clientEvents: Int32 {
        var events: Int32 = toClient.isEmpty ? 0 : POLLOUT
        if phase == .request || (phase == .screen && toScreen.count < Visit.busy && toClient.count < Visit.busy) { events |= POLLIN }
        return events
    }

    var screenEvents: Int32 {
        (toScreen.isEmpty ? 0 : POLLOUT) | (phase == .leaving || phase == .screen && toClient.count < Visit.busy ? POLLIN : 0)
    }

    /// Continues without blocking, given the result of `poll` for both sides. Returns false when it is over.
    func go(client clientFound: Int32, screen screenFound: Int32, now: Int64) -> Bool {
        if case .knocking(let key, let isNamed) = phase { knock(key, isNamed, now) }
        if let deadline, now >= deadline {
            guard case .knocking = phase else { return false }
            refuse("503 Service Unavailable", "The screen cannot be read now.", now)
        }
        if phase == .leaving { return leave() }
        if clientFound & (POLLHUP | POLLERR | POLLNVAL) != 0 { return lose(now) }
        if clientFound & POLLIN != 0, !readClient(now) { return lose(now) }
        if screenFound & (POLLIN | POLLHUP | POLLERR) != 0 { readScreen(now) }
        guard screen < 0 || toScreen.send(to: screen) else { return false }
        guard toClient.send(to: client) else { return lose(now) }
        return phase != .ending || !toClient.isEmpty
    }

    // MARK: The client is gone

    /// The client is gone without a good-bye. Returns false if it is over.
    private func lose(_ now: Int64) -> Bool {
        guard phase == .screen, releaseHeld() else { return false }
        phase = .leaving
        deadline = now + Visit.leavingPatience
        return leave()
    }

    /// Releases the keys and buttons that the client holds down. Returns false if it holds nothing.
    private func releaseHeld() -> Bool {
        let releases = held.release()
        toScreen.append(releases)
        return !releases.isEmpty
    }

    /// Closing at once could discard bytes that the VNC server has not read, so this waits until the server closes.
    private func leave() -> Bool {
        guard toScreen.send(to: screen) else { return false }
        if toScreen.isEmpty, !hasShutDown {
            hasShutDown = true
            shutdown(screen, Int32(SHUT_WR))
        }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(screen, &room, room.count, 0)
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    private func readClient(_ now: Int64) -> Bool {
        var room = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(client, &room, room.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        guard count > 0 else { return false }
        switch phase {
        case .request:
            head += room[..<count]
            readRequest(now)
        case .screen: readFrames(room[..<count], now)
        case .knocking, .ending, .leaving: break
        }
        return true
    }

    private func readScreen(_ now: Int64) {
        guard phase == .screen else { return }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(screen, &room, room.count, 0)
        if count > 0 {
            toClient.append(WebSocket.data(room[..<count]))
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            end(with: WebSocket.close(1001), now)
        }
    }

    // MARK: The request

    private func readRequest(_ now: Int64) {
        let length = RequestHead.length(in: head.prefix(RequestHead.longest))
        guard let length else {
            if head.count >= RequestHead.longest { refuse("431 Request Header Fields Too Large", "The request head is too large.", now) }
            return
        }
        guard let request = RequestHead(head[..<length]) else { return refuse("400 Bad Request", "This is not an HTTP/1.1 request.", now) }
        let answer = service.door.answer(to: request)
        if case .refusal(let status, let why) = answer { return refuse(status, why, now) }
        isTrusted = true
        switch answer {
        case .refusal: break
        case .entrance(let place): end(with: Visit.answer("302 Found", "text/plain", [], more: ["Location: \(place)"]), now)
        case .screenPage: end(with: Visit.answer("200 OK", "text/html; charset=utf-8", Array(ScreenPage.text.utf8)), now)
        case .page(let path):
            guard let file = service.pages.file(path) else { return refuse("404 Not Found", "There is no such file.", now) }
            end(with: Visit.answer("200 OK", file.type, file.bytes), now)
        case .screen(let key, let isNamed):
            // A browser sends nothing more before it gets the response.
            guard length == head.count else { return refuse("400 Bad Request", "Data arrived before the handshake was done.", now) }
            phase = .knocking(key: key, isNamed: isNamed)
            knock(key, isNamed, now)
        }
        head = []
    }

    private func knock(_ key: String, _ isNamed: Bool, _ now: Int64) {
        guard let socket = UnixStream.connect(service.vnc) else { return }
        screen = socket
        phase = .screen
        deadline = nil
        var lines = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(WebSocket.accept(key))",
        ]
        if isNamed { lines.append("Sec-WebSocket-Protocol: binary") }
        toClient.append(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    private func readFrames(_ bytes: ArraySlice<UInt8>, _ now: Int64) {
        do throws(WebSocket.Reader.Fault) {
            for piece in try frames.take(bytes) {
                switch piece {
                case .data(let data): toScreen.append(held.take(data))
                case .ping(let data): toClient.append(WebSocket.pong(data))
                case .close: return end(with: WebSocket.close(1000), now)
                }
            }
        } catch {
            end(with: WebSocket.close(1002), now)
        }
    }

    // MARK: Responses

    private func refuse(_ status: String, _ why: String, _ now: Int64) {
        end(with: Visit.answer(status, "text/plain; charset=utf-8", Array((why + "\n").utf8)), now)
    }

    private func end(with bytes: [UInt8], _ now: Int64) {
        toClient.append(bytes)
        deadline = now + Visit.answerPatience
        if phase == .screen, releaseHeld() {
            // The good-bye goes out at once as far as possible, because nothing waits for it.
            _ = toClient.send(to: client)
            phase = .leaving
            deadline = now + Visit.leavingPatience
            return
        }
        phase = .ending
        if screen >= 0 { close(screen) }
        screen = -1
    }

    private static func answer(_ status: String, _ type: String, _ body: [UInt8], more: [String] = []) -> [UInt8] {
        let lines =
            ["HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.count)"] + more + [
                "Connection: close", "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
            ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// Bytes that wait to be sent.
struct Outgoing {
    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Sends as much as possible without blocking. Returns false if the other end is gone.
    mutating func send(to socket: Int32) -> Bool {
        while !isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL)) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN
            }
            sent += count
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= 512 << 10)
        sent = 0
        return true
    }
}
