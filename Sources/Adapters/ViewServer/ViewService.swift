import Clocks
import Glibc
import LinuxLibrary

/// The process between browsers and the VNC server. Serves noVNC's page, and relays the screen over WebSockets to
/// clients that know the secret. It is a separate process, so that no remote client can block, fill or crash the
/// shell.
public enum ViewService {
    /// The program's first argument when it runs as this process. It is followed by the path of the VNC server's
    /// socket, the folder of the page, and the id of the parent process.
    public static let word = "serve-view"
    /// The environment variable with the secret. Arguments would be visible to every user.
    public static let variable = "MULLION_VIEW_SECRET"

    /// The most connections without and with the screen.
    private static let mostVisits = 64
    private static let mostScreens = 16

    /// Serves on standard input, a listening socket, until the parent process ends.
    public static func serve(_ arguments: ArraySlice<String>) -> Never {
        let words = Array(arguments)
        guard words.count == 3, let parent = Int32(words[2]), let secret = getenv(variable).map({ String(cString: $0) }), !secret.isEmpty
        else {
            exit(2)
        }
        unsetenv(variable)
        mullion_end_with_parent(SIGTERM)
        guard getppid() == parent else { exit(1) }
        serve(
            listener: STDIN_FILENO,
            service: Visit.Service(door: Door(secret: secret), pages: Pages(folder: words[1]), vnc: words[0]))
    }

    private static func serve(listener: Int32, service: Visit.Service) -> Never {
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        // Oldest first.
        var visits: [Visit] = []
        /// When to accept again after running out of descriptors.
        var pause: Int64 = 0
        while true {
            var entries = [pollfd(fd: now >= pause ? listener : -1, events: Int16(POLLIN), revents: 0)]
            var patience = pause > now ? pause - now : Int64.max
            for visit in visits {
                entries.append(pollfd(fd: visit.polledClient, events: Int16(visit.clientEvents), revents: 0))
                entries.append(pollfd(fd: visit.screen, events: Int16(visit.screenEvents), revents: 0))
                if let deadline = visit.deadline { patience = min(patience, max(0, deadline - now)) }
                if case .knocking = visit.phase { patience = min(patience, 100) }
            }
            poll(&entries, nfds_t(entries.count), patience == .max ? -1 : Int32(patience) + 1)
            let moment = now
            var kept: [Visit] = []
            for (index, visit) in visits.enumerated() {
                let client = Int32(entries[1 + 2 * index].revents), screen = Int32(entries[2 + 2 * index].revents)
                if visit.go(client: client, screen: screen, now: moment) { kept.append(visit) }
            }
            visits = kept
            guard entries[0].revents != 0 else { continue }
            for _ in 0..<16 {
                let client = accept(listener, nil, nil)
                guard client >= 0 else {
                    if errno != EAGAIN, errno != EINTR, errno != ECONNABORTED { pause = now + 1000 }
                    break
                }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                _ = fcntl(client, F_SETFL, O_NONBLOCK)
                var yes: Int32 = 1
                setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                setsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &yes, socklen_t(MemoryLayout<Int32>.size))
                guard makeRoom(in: &visits) else {
                    close(client)
                    continue
                }
                visits.append(Visit(client: client, service: service, now: now))
            }
        }
    }

    /// Makes room for a connection by dropping the oldest one that has not presented the secret.
    private static func makeRoom(in visits: inout [Visit]) -> Bool {
        let screens = visits.count { $0.screen >= 0 }
        guard screens < mostScreens else { return false }
        if visits.count - screens < mostVisits { return true }
        guard let oldest = visits.firstIndex(where: { !$0.isTrusted }) else { return false }
        visits.remove(at: oldest)
        return true
    }

    /// Milliseconds of the monotonic clock.
    private static var now: Int64 { Clocks.monotonicNanoseconds / 1_000_000 }
}

enum UnixStream {
    /// Returns nil if no server listens there now.
    static func connect(_ path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, type, 0)
        guard socket >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard result == 0 else {
            close(socket)
            return nil
        }
        return socket
    }
}
