import Compositor
import Descriptors
import Geometry
import Glibc
import Greetd

/// A connection to greetd, which answers each request once, in their order.
final class GreetdLine {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private var file: Descriptor
    private var source: EventSource?
    private var reader = GreetdReader()
    /// Answers that have not come, and how many of the next ones nothing waits for.
    private var awaited = 0, ignored = 0
    private let heard: (GreetdReply) -> Void
    private let lost: (String) -> Void

    private let rested: () -> Void

    /// - Parameters:
    ///   - heard: an answer came that is waited for.
    ///   - rested: greetd has answered everything.
    ///   - lost: the connection is of no use any more, and why.
    init(
        _ path: String, _ compositor: Compositor, heard: @escaping (GreetdReply) -> Void, rested: @escaping () -> Void,
        lost: @escaping (String) -> Void
    ) throws(Failure) {
        (self.heard, self.rested, self.lost) = (heard, rested, lost)
        file = Descriptor(
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0), owner: "greetd")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard file.isOpen, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure(description: "its name is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let number = file.number
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard result == 0 else { throw Failure(description: String(cString: strerror(errno))) }
        source = compositor.watch(fd: number) { [unowned self] _ in read() }
    }

    var isQuiet: Bool { awaited == 0 }

    func send(_ request: GreetdRequest) {
        let bytes = request.bytes
        guard !bytes.isEmpty, file.isOpen else { return lost("the request cannot be written") }
        awaited += 1
        let number = file.number
        let count = bytes.withUnsafeBytes { Glibc.send(number, $0.baseAddress!, bytes.count, Int32(MSG_NOSIGNAL)) }
        if count != bytes.count { lost("greetd does not read") }
    }

    /// Ends the attempt. Nothing waits for the answers that are still to come.
    func cancel() {
        ignored = awaited + 1
        send(.cancelSession)
    }

    private func read() {
        var room = [UInt8](repeating: 0, count: 4096)
        while file.isOpen {
            let count = Glibc.read(file.number, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return lost("greetd closed the connection") }
            reader.add(room[..<count])
            while file.isOpen {
                switch reader.next() {
                case .nothing: break
                case .nonsense: return lost("greetd says something that means nothing")
                case .reply(let reply):
                    guard awaited > 0 else { return lost("greetd answers without a request") }
                    awaited -= 1
                    if ignored > 0 { ignored -= 1 } else { heard(reply) }
                    if awaited == 0 { rested() }
                    continue
                }
                break
            }
        }
    }

    func close() {
        source?.cancel()
        source = nil
        file.close()
    }
}
