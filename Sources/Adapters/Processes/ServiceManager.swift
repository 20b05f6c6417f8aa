import Glibc

/// The service manager that started this program and waits for its readiness, such as systemd (sd_notify(3)).
public enum ServiceManager {
    /// The variable with its address. Not passed to launched programs, which must not notify in the shell's name.
    public static let variable = "NOTIFY_SOCKET"

    /// Reports that the sockets are open. Never blocks. Returns false if no service manager listens.
    @discardableResult
    public static func ready(environment: [String: String]) -> Bool {
        guard let path = environment[variable], let first = path.utf8.first, first == 0x2F || first == 0x40 else {
            return false
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // @ stands for the zero byte at the start of an abstract address.
        let bytes = first == 0x40 ? [0] + path.utf8.dropFirst() : Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + bytes.count)
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        let message = Array("READY=1".utf8)
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, message, message.count, Int32(MSG_NOSIGNAL), $0, length) == message.count
            }
        }
    }
}
