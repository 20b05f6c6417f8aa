import Descriptors
import Glibc
import LinuxLibrary

/// Connections that wait on listening Unix sockets, as the kernel reports them (`sock_diag`): of sockets with a name in the file
/// system and abstract ones alike. A program may call another one by such a socket, and waits for ever if that one is frozen.
public struct WaitingConnections: Equatable, Sendable {
    /// For each listening socket, by its number: the sockets at the other ends of the connections that wait. 0 is one that was closed
    /// in the meantime; its data still waits.
    public var callers: [UInt32: [UInt32]] = [:]

    /// Whether a connection waits on the socket that did not wait there before.
    func isNew(on socket: UInt32, since before: WaitingConnections) -> Bool {
        let now = callers[socket] ?? [], then = before.callers[socket] ?? []
        func closed(_ all: [UInt32]) -> Int { all.count { $0 == 0 } }
        return now.contains { $0 != 0 && !then.contains($0) } || closed(now) > closed(then)
    }

    /// Returns the connections to remember: all on these sockets, and on others the connections that were remembered before.
    func remembered(on sockets: Set<UInt32>, before: WaitingConnections) -> WaitingConnections {
        var kept = self
        for (socket, waiting) in callers where !sockets.contains(socket) {
            kept.callers[socket] = before.callers[socket].map { old in waiting.filter(old.contains) }
        }
        return kept
    }

    /// nil if the kernel does not say. Takes less than a millisecond for hundreds of sockets.
    public static func look() -> WaitingConnections? { ask(.waiting) }

    /// For each connected Unix socket, the one at the other end.
    public static func connected() -> [UInt32: UInt32]? {
        ask(.connected).map { $0.callers.compactMapValues { $0.first } }
    }

    private static func ask(_ question: Netlink.Question) -> WaitingConnections? {
        let file = Descriptor(
            socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), Netlink.sockDiag),
            owner: "question for waiting connections")
        guard file.isOpen else { return nil }
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(file.number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let request = Netlink.request(question)
        guard send(file.number, request, request.count, 0) == request.count else { return nil }
        var found = WaitingConnections()
        var room = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = recv(file.number, &room, room.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            switch room[..<count].withUnsafeBytes({ found.take($0) }) {
            case .more: continue
            case .done: return found
            case .failed: return nil
            }
        }
    }

    /// The numbers of the sockets that the processes have open. Reads one link for each descriptor, at up to 30 µs: too slow for an
    /// event loop where an app has thousands.
    public static func sockets(of processes: [Int32]) -> Set<UInt32> {
        var found: Set<UInt32> = []
        var room = [CChar](repeating: 0, count: 64)
        for process in processes {
            guard let folder = opendir("/proc/\(process)/fd") else { continue }
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                let count = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { readlinkat(dirfd(folder), $0, &room, room.count) }
                }
                guard count > 9 else { continue }
                let text = String(decoding: room[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if text.hasPrefix("socket:["), let number = UInt32(text.dropFirst(8).dropLast()) { found.insert(number) }
            }
        }
        return found
    }

    enum Step { case more, done, failed }

    /// Takes one datagram of the answer.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Step {
        var at = 0
        while at + Netlink.header <= bytes.count {
            let length = Int(clamping: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            let kind = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt16.self)
            if kind == Netlink.done { return .done }
            guard kind != Netlink.error, length >= Netlink.header, at + length <= bytes.count else { return .failed }
            if length >= Netlink.header + Netlink.message { note(bytes, from: at + Netlink.header, to: at + length) }
            at += (length + 3) & ~3
        }
        return .more
    }

    private mutating func note(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        let socket = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
        callers[socket] = []
        var at = start + Netlink.message
        while at + 4 <= end {
            let length = Int(bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self))
            let kind = bytes.loadUnaligned(fromByteOffset: at + 2, as: UInt16.self)
            guard length >= 4, at + length <= end else { return }
            if kind == Netlink.callers || kind == Netlink.peer {
                callers[socket] = stride(from: at + 4, to: at + length - 3, by: 4).map {
                    bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
                }
            }
            at += (length + 3) & ~3
        }
    }

    /// Constants of linux/netlink.h, linux/sock_diag.h and linux/unix_diag.h.
    private enum Netlink {
        static let sockDiag: Int32 = 4
        static let header = 16, message = 16
        static let error: UInt16 = 2, done: UInt16 = 3
        static let callers: UInt16 = 3, peer: UInt16 = 2

        enum Question {
            /// All listening Unix sockets, with the connections that wait.
            case waiting
            /// All connected ones, with the other ends.
            case connected

            /// Bits of states as of TCP.
            var states: UInt32 { self == .waiting ? 1 << 10 : 1 << 1 }
            /// The attributes to report of each connection.
            var show: UInt32 { self == .waiting ? 0x08 : 0x04 }
        }

        static func request(_ question: Question) -> [UInt8] {
            var bytes: [UInt8] = []
            func add<Number: FixedWidthInteger>(_ number: Number) { withUnsafeBytes(of: number) { bytes += $0 } }
            add(UInt32(40))
            add(UInt16(20))
            add(UInt16(0x301))
            add(UInt32(1))
            add(UInt32(0))
            add(UInt8(clamping: AF_UNIX))
            add(UInt8(0))
            add(UInt16(0))
            add(question.states)
            add(UInt32(0))
            add(question.show)
            add(UInt32.max)
            add(UInt32.max)
            return bytes
        }
    }
}
