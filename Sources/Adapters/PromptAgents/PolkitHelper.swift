import Descriptors
import Glibc
import Status

/// polkit's own program that checks a password by PAM and tells polkitd. The password goes to it alone.
///
/// polkit up to 126 has a setuid program; from 127 on a socket of systemd starts it.
final class PolkitHelper {
    enum Line: Hashable {
        /// It asks for a line; `isSecret`: whose signs are dots.
        case asks(String, isSecret: Bool)
        case says(String, isError: Bool)
        case succeeded, failed
    }

    private unowned let desk: any PromptDesk
    private var channel: Descriptor
    private let process: Int32?
    private var cancelWatch: (() -> Void)?
    private var incoming: [UInt8] = []
    private var take: ((Line) -> Void)?

    /// The first of these that is there. Tests name another one.
    private static let programs = ["/usr/lib/polkit-1/polkit-agent-helper-1", "/usr/libexec/polkit-agent-helper-1"]
    private static let socket = "/run/polkit/agent-helper.socket"
    private static let longest = 4096

    /// - Parameters:
    ///   - own: the path of a stand-in for tests.
    ///   - take: gets each line, and at last `succeeded` or `failed`, once.
    init?(_ desk: any PromptDesk, user: String, cookie: String, own: String?, take: @escaping (Line) -> Void) {
        self.desk = desk
        var channel = Descriptor.none
        var words = cookie + "\n"
        if own == nil, let connected = Self.connect() {
            channel = Descriptor(connected, owner: "polkit's helper")
            process = nil
            words = user + "\n" + words
        } else {
            guard let program = own ?? Self.programs.first(where: { access($0, X_OK) == 0 }),
                let started = desk.start([program, user], channel: &channel)
            else { return nil }
            process = started
        }
        self.channel = channel
        self.take = take
        write(words)
        cancelWatch = desk.watch(self.channel.number) { [weak self] in self?.ready() }
    }

    deinit { end() }

    /// Ends it, whatever it does. Nothing follows.
    func end() {
        take = nil
        cancelWatch?()
        cancelWatch = nil
        channel.close()
        if let process { desk.kill(process) }
    }

    func answer(_ text: String) { write(text + "\n") }

    private static func connect() -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(socket.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        if result == 0 { return number }
        Glibc.close(number)
        return nil
    }

    /// The lines are short, and the socket has room for them.
    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { send(channel.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func ready() {
        var room = [UInt8](repeating: 0, count: 1024)
        let count = recv(channel.number, &room, room.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return finish(.failed) }
        incoming += room[..<count]
        while let end = incoming.firstIndex(of: 0x0a) {
            let line = Self.line(Array(incoming[..<end]))
            incoming.removeFirst(end + 1)
            switch line {
            case .succeeded?, .failed?: return finish(line!)
            case let line?: take?(line)
            case nil: break
            }
            guard take != nil else { return }
        }
        if incoming.count > Self.longest { finish(.failed) }
    }

    private func finish(_ line: Line) {
        let take = take
        end()
        take?(line)
    }

    /// Reads a line of the helper; nil: one that says nothing.
    static func line(_ bytes: [UInt8]) -> Line? {
        func rest(of word: String) -> String? {
            guard bytes.starts(with: word.utf8) else { return nil }
            return unescaped(bytes.dropFirst(word.utf8.count)).trimmed
        }
        if bytes.starts(with: "SUCCESS".utf8) { return .succeeded }
        if bytes.starts(with: "FAILURE".utf8) { return .failed }
        if let text = rest(of: "PAM_PROMPT_ECHO_OFF") { return .asks(text, isSecret: true) }
        if let text = rest(of: "PAM_PROMPT_ECHO_ON") { return .asks(text, isSecret: false) }
        if let text = rest(of: "PAM_ERROR_MSG") { return .says(text, isError: true) }
        if let text = rest(of: "PAM_TEXT_INFO") { return .says(text, isError: false) }
        return nil
    }

    /// The escapes of C, in which the helper writes everything but ASCII.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var out: [UInt8] = [], rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                out.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "0")...UInt8(ascii: "7"):
                var value = Int(next - UInt8(ascii: "0")), digits = 1
                while digits < 3, let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) {
                    value = value * 8 + Int(digit - UInt8(ascii: "0"))
                    rest.removeFirst()
                    digits += 1
                }
                out.append(UInt8(truncatingIfNeeded: value))
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "f"), UInt8(ascii: "v"): out.append(0x0a)
            case UInt8(ascii: "t"), UInt8(ascii: "b"): out.append(0x20)
            default: out.append(next)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
