import Glibc
import MullionTesting

/// A raw connection to a Unix socket, for bytes that no client library would send.
final class RawSocket {
    private let fd: Int32
    private var incoming: [UInt8] = []

    init(path: String) throws {
        fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard result == 0 else { throw ShellUnderTest.Failure("\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(fd) }

    /// Returns false if the other end does not read all of it within a few seconds.
    @discardableResult
    func send(_ bytes: [UInt8], patience: Int32 = 5000) -> Bool {
        var done = 0
        while done < bytes.count {
            var entry = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, patience) > 0 else { return false }
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    fd, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno != EAGAIN { return false }
            done += max(0, count)
        }
        return true
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// The next line; nil on timeout or hang-up.
    func line(patience: Int32 = 5000) -> String? {
        while true {
            if let end = incoming.firstIndex(of: UInt8(ascii: "\n")) {
                defer { incoming.removeFirst(end + 1) }
                return String(decoding: incoming[..<end], as: UTF8.self)
            }
            var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, patience) > 0 else { return nil }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = read(fd, &chunk, chunk.count)
            guard count > 0 else { return nil }
            incoming += chunk[..<count]
        }
    }
}
