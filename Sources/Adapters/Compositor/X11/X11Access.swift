import CWlroots
import CX11Guards
import Descriptors
import Glibc
import WaylandServer

/// Access control for X11. libxcb and wlroots have no API for this:
///
/// - wlroots also listens on an abstract address, which every process of the network namespace can reach, whatever a
///   sandbox hides. Only the socket with a path is kept.
/// - Xwayland admits every program of the same user, and root of a user namespace. With a cookie, it refuses every
///   program that cannot read the file in the runtime folder.
final class X11Access {
    /// The file with the cookie.
    let authority: String
    /// The same file, locked while this shell lives.
    private var held = Descriptor.none

    /// Creates the folder world-writable and sticky, as systemd-tmpfiles does. wlroots would create it with the
    /// shell's umask, and X servers of other users could not use it.
    static func prepareFolder() {
        if mkdir("/tmp/.X11-unix", 0o755) == 0 { chmod("/tmp/.X11-unix", 0o1777) }
    }

    /// Call before the first client is admitted. Returns nil if there is no place for the socket or the file.
    init?(_ server: UnsafeMutablePointer<wlr_xwayland_server>, _ loop: OpaquePointer) {
        guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }) else { return nil }
        authority = "\(folder)/mullion-x11-\(server.pointee.display).xauth"
        guard Self.leaveAbstractSocket(server, loop, folder), x11_guards_set_authority(authority) else { return nil }
        Self.removeDead(in: folder)
        held = Self.write(Self.entries(display: server.pointee.display), to: authority)
        guard held.isOpen else {
            finish()
            return nil
        }
    }

    /// Removes the files of killed shells, which no process locks any more.
    static func removeDead(in folder: String) {
        guard let open = opendir(folder) else { return }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        for name in names where name.hasPrefix("mullion-x11-") && name.hasSuffix(".xauth") {
            let path = "\(folder)/\(name)"
            let file = Descriptor(Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), owner: "X11: cookie of another shell")
            if file.isOpen, flock(file.number, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
        }
    }

    func finish() {
        unlink(authority)
        held.close()
        x11_guards_set_authority(nil)
    }

    // MARK: The socket

    /// A listening socket for Xwayland that no client can connect to, because its path is removed.
    private static func unreachableSocket(_ folder: String) -> Descriptor {
        let path = "\(folder)/mullion-x11-\(getpid())"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = Descriptor(fits ? socket(AF_UNIX, flags, 0) : -1, owner: "X11: no way in")
        guard descriptor.isOpen else { return .none }
        unlink(path)
        let isBound = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isBound && unlink(path) == 0 && listen(descriptor.number, 1) == 0 ? descriptor : .none
    }

    /// wlroots creates the abstract socket first, and watches a copy of its descriptor until the first client
    /// connects.
    private static func leaveAbstractSocket(
        _ server: UnsafeMutablePointer<wlr_xwayland_server>, _ loop: OpaquePointer, _ folder: String
    ) -> Bool {
        let other = unreachableSocket(folder)
        guard other.isOpen, dup2(other.number, server.pointee.x_fd.0) >= 0,
            fcntl(server.pointee.x_fd.0, F_SETFD, FD_CLOEXEC) == 0
        else { return false }
        if let watched = server.pointee.x_fd_read_event.0 { wl_event_source_remove(watched) }
        // wlroots removes this source when the first client connects.
        server.pointee.x_fd_read_event.0 = wl_event_loop_add_fd(
            loop, server.pointee.x_fd.0, UInt32(WL_EVENT_READABLE), { _, _, _ in 0 }, nil)
        return server.pointee.x_fd_read_event.0 != nil && chmod("/tmp/.X11-unix/X\(server.pointee.display)", 0o600) == 0
    }

    // MARK: The cookie

    private static let cookieBytes = 16
    private static let familyLocal: UInt16 = 256, familyWild: UInt16 = 65535

    /// Entries for the machine's host name, which every library looks up, and for any name, in case the host name
    /// changes.
    private static func entries(display: Int32) -> [UInt8] {
        var chance = SystemRandomNumberGenerator()
        let cookie = (0..<cookieBytes).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return entry(familyLocal, host, display, cookie) + entry(familyWild, [], display, cookie)
    }

    /// The format of Xauthority files: a family, then address, display, name and data, each preceded by its length.
    private static func entry(_ family: UInt16, _ address: [UInt8], _ display: Int32, _ cookie: [UInt8]) -> [UInt8] {
        func number(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
        let parts = [address, Array("\(display)".utf8), Array("MIT-MAGIC-COOKIE-1".utf8), cookie]
        return parts.reduce(number(family)) { $0 + number(UInt16($1.count)) + $1 }
    }

    /// Returns a descriptor that is not open if it failed.
    private static func write(_ bytes: [UInt8], to path: String) -> Descriptor {
        unlink(path)
        let file = Descriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), owner: "X11: cookie")
        // Lock the file before it has content: another shell removes files that are not locked.
        guard file.isOpen, flock(file.number, LOCK_EX | LOCK_NB) == 0, Glibc.write(file.number, bytes, bytes.count) == bytes.count else {
            return .none
        }
        return file
    }
}
