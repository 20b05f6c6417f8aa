import Glibc

/// Calls on Unix sockets that both sides need.
enum UnixSocket {
    struct Failure: Error, CustomStringConvertible {
        var what: String
        var code: Int32
        var description: String { "\(what): \(String(cString: strerror(code)))" }
    }

    static func make() throws(Failure) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let fd = socket(AF_UNIX, type, 0)
        guard fd >= 0 else { throw Failure(what: "a socket could not be created", code: errno) }
        return fd
    }

    /// Runs `body` with the address of a path.
    static func withAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) throws(Failure) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else {
            throw Failure(what: "the path \(path) is longer than the maximum of \(room - 1) bytes for a socket", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    static func connect(_ path: String) throws(Failure) -> Int32 {
        let fd = try make()
        let result: Int32
        do throws(Failure) {
            // So many want to connect at once that the shell has not taken the first of them yet: at most a second.
            var tries = 0
            var answer = try withAddress(path) { Glibc.connect(fd, $0, $1) }
            while answer != 0, errno == EAGAIN, tries < 100 {
                usleep(10_000)
                tries += 1
                answer = try withAddress(path) { Glibc.connect(fd, $0, $1) }
            }
            result = answer
        } catch {
            close(fd)
            throw error
        }
        guard result == 0 else {
            let code = errno
            close(fd)
            throw Failure(what: "nobody answers at \(path)", code: code)
        }
        return fd
    }

    /// Connects if the server belongs to `user`. Otherwise throws an error that names the owner.
    static func connect(_ path: String, to user: uid_t) throws(Failure) -> Int32 {
        let fd = try connect(path)
        let owner = peer(of: fd)
        guard owner == user else {
            close(fd)
            let whose = owner.map { "user \($0)" } ?? "nobody knows whom"
            throw Failure(what: "the socket \(path) belongs to \(whose), not to user \(user)", code: EPERM)
        }
        return fd
    }

    /// The user at the other end (SO_PEERCRED); nil if unknown.
    static func peer(of fd: Int32) -> uid_t? { credentials(of: fd)?.user }

    /// The process that connected; 0 if unknown.
    static func process(of fd: Int32) -> Int32 { credentials(of: fd)?.process ?? 0 }

    private static func credentials(of fd: Int32) -> (process: Int32, user: uid_t)? {
        // struct ucred: pid, uid, gid.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return (credentials.0, credentials.1)
    }
}
