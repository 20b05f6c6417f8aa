import Clocks
import Descriptors
import Geometry
import Glibc
import LinuxLibrary
import Processes

/// A helper as the window's process sees it: one request at a time, answers that are checked, and its end.
public final class DecodingHelper {
    public enum Answer {
        case ready
        case pages([Size], note: String)
        /// The pixels are in `memory` until the next request.
        case drawn(columns: Int, rows: Int)
        case failed(Trouble)
        /// It is gone.
        case ended(Trouble)
    }

    private var process: pid_t
    private var socket: Descriptor
    private let shared: UnsafeMutableRawPointer
    private let wasIsolated: Bool
    public private(set) var isReady = false
    /// The size in pixels of the picture that was asked for and has not arrived.
    private var asked: (columns: Int, rows: Int)?
    private var isOpening = false
    /// When the last request was sent, in nanoseconds.
    private var since: Int64

    /// Nanoseconds for an answer. Pages of maps and posters take seconds.
    private static let patience: Int64 = 20_000_000_000

    /// The pixels of the last picture, row by row without padding.
    public var memory: UnsafeRawPointer { UnsafeRawPointer(shared) }
    /// Becomes readable with an answer, and at the end.
    public var number: Int32 { socket.number }
    public var isBusy: Bool { !isReady || asked != nil || isOpening }
    /// It ended before it began, and may be tried without bubblewrap.
    public var mayGoWithoutIsolation: Bool { wasIsolated && !isReady }

    /// - Parameter isolated: by bubblewrap, too.
    /// - Returns: nil if there is no memory, no process, or no bubblewrap.
    public init?(_ file: FileToShow, isolated: Bool) {
        let program = OwnProgram.path
        var words = [program, QuickLookHelper.word]
        if isolated {
            guard let bubblewrap = Sandbox.program else { return nil }
            words = [bubblewrap] + Sandbox.options(for: program) + ["--"] + words
        }
        // The helper can change the pixels and nothing else. With another size of the memory, its readers would crash.
        let memory = Descriptor(memfd_create("quick look", UInt32(MFD_CLOEXEC) | 2), owner: "pictures of a file") // MFD_ALLOW_SEALING
        guard memory.isOpen, ftruncate(memory.number, off_t(QuickLookHelper.memoryBytes)) == 0,
            fcntl(memory.number, 1033, 1 | 2 | 4) == 0, // F_ADD_SEALS: SEAL, SHRINK, GROW
            let shared = mmap(nil, QuickLookHelper.memoryBytes, PROT_READ, MAP_SHARED, memory.number, 0), shared != MAP_FAILED
        else { return nil }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            munmap(shared, QuickLookHelper.memoryBytes)
            return nil
        }
        let socket = Descriptor(ends[0], owner: "helper of quick look"), theirs = Descriptor(ends[1], owner: "helper of quick look")
        let environment = ["LANG=C.UTF-8", "HOME=/tmp", "PATH=/usr/bin:/bin"]
        guard
            let process = Sandbox.spawn(
                words, environment, [(file.file.number, 0), (theirs.number, 1), (memory.number, QuickLookHelper.memoryNumber)])
        else {
            munmap(shared, QuickLookHelper.memoryBytes)
            return nil
        }
        self.process = process
        self.socket = socket
        self.shared = shared
        wasIsolated = isolated
        since = Clocks.monotonicNanoseconds
    }

    deinit {
        end()
        munmap(shared, QuickLookHelper.memoryBytes)
    }

    // MARK: Requests

    public func open(_ kind: FileToShow.Kind, width: Double) {
        isOpening = true
        send("open \(kind.rawValue) \(Int(clamping: width))")
    }

    /// Asks for a part of a page, drawn `width` by `height` pixels large.
    public func draw(page: Int, width: Int, height: Int, x: Int, y: Int, columns: Int, rows: Int) {
        asked = (columns, rows)
        send("draw \(page) \(width) \(height) \(x) \(y) \(columns) \(rows)")
    }

    /// The most pixels of a picture.
    public static let mostPixels = QuickLookHelper.memoryBytes / 4

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        since = Clocks.monotonicNanoseconds
        // A helper that is gone is noticed by the answer.
        _ = Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    // MARK: Answers

    /// Nanoseconds until a caller must look after it although nothing is readable; nil while it owes no answer.
    public var timeLeft: Int64? { isBusy ? max(0, since + Self.patience - Clocks.monotonicNanoseconds) : nil }

    /// The next answer, if there is one.
    public func receive() -> Answer? {
        guard socket.isOpen else { return nil }
        var room = [UInt8](repeating: 0, count: 512)
        let count = recv(socket.number, &room, room.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR {
            guard timeLeft == 0 else { return nil }
            return finished(Trouble(.costly, "takes too long"))
        }
        guard count > 0 else { return finished(nil) }
        let text = String(decoding: room[..<count], as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "ready" where !isReady:
            isReady = true
            return .ready
        case "pages" where isOpening && words.count >= 2:
            isOpening = false
            guard let count = Int(words[1]), (1...QuickLookHelper.mostPages).contains(count) else {
                return finished(Trouble(.broken, "has no pages"))
            }
            let sizes = (0..<count).map { index in
                Size(
                    side(shared.load(fromByteOffset: index * 16, as: Double.self)),
                    side(shared.load(fromByteOffset: index * 16 + 8, as: Double.self)))
            }
            return .pages(sizes, note: words.count > 2 ? Self.plain(words[2]) : "")
        case "drawn" where asked != nil:
            let (columns, rows) = asked!
            asked = nil
            return .drawn(columns: columns, rows: rows)
        case "error" where isOpening || asked != nil:
            (isOpening, asked) = (false, nil)
            guard words.count == 3, let kind = Trouble.Kind(rawValue: words[1]) else { return finished(Self.nonsense) }
            return .failed(Trouble(kind, Self.plain(words[2])))
        default:
            return finished(Self.nonsense)
        }
    }

    /// A number from a process that may be hostile.
    private func side(_ value: Double) -> Double { value.isFinite ? min(max(value, 1), 10_000_000) : 1 }

    /// One line for a person, and for a terminal.
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(300).map { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) ? " " : $0 })
        )
    }

    private static let nonsense = Trouble(.broken, "is broken: what its helper answered makes no sense")

    private func finished(_ trouble: Trouble?) -> Answer {
        let status = end()
        if let trouble { return .ended(trouble) }
        // bubblewrap passes a signal on as 128 and its number.
        let ending = status & 0x7f, signal = ending != 0 ? ending : (status >> 8 & 0xff) > 128 ? (status >> 8 & 0xff) - 128 : 0
        switch signal {
        case SIGXCPU: return .ended(Trouble(.costly, "takes too long"))
        case SIGKILL: return .ended(Trouble(.costly, "takes too long or too much memory"))
        case SIGABRT, SIGTRAP: return .ended(Trouble(.costly, "needs too much memory, or is broken"))
        case SIGBUS, SIGSEGV, SIGILL, SIGFPE: return .ended(Trouble(.broken, "is broken, and ended the program that reads it"))
        default: break
        }
        switch status >> 8 & 0xff {
        case Confinement.failure: return .ended(Trouble(.unconfined, "is not read: this kernel does not filter system calls (seccomp)"))
        case 0: return .ended(Trouble(.unreadable, "cannot be read: the program that reads it ended"))
        case let status: return .ended(Trouble(.unreadable, "cannot be read: the program that reads it ended with status \(status)"))
        }
    }

    /// Ends the process and returns its wait status.
    @discardableResult
    private func end() -> Int32 {
        guard process > 0 else { return 0 }
        socket.close()
        var status: Int32 = 0
        // One that closed its socket is about to end by itself, with a status that says why.
        for _ in 0..<(isBusy ? 40 : 0) where waitpid(process, &status, WNOHANG) == 0 { usleep(5000) }
        if kill(process, 0) == 0, waitpid(process, &status, WNOHANG) == 0 {
            kill(process, SIGKILL)
            waitpid(process, &status, 0)
        }
        process = 0
        return status
    }
}
