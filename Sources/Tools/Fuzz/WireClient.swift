import Glibc

/// An object of a connection.
struct WireObject {
    var number: UInt32
    var interface: WireInterface
    var version: UInt32
}

/// A raw connection. It never blocks longer than requested.
final class WireClient {
    private(set) var fd: Int32
    private let known: ProtocolDescriptions
    private(set) var objects: [UInt32: WireObject] = [:]
    private(set) var next: UInt32 = 3
    /// The name and version of each global.
    private(set) var globals: [(name: UInt32, interface: String, version: UInt32)] = []
    /// The protocol error that the shell sent, if any.
    private(set) var error: String?
    private(set) var ended = false
    /// Serials of the last events, newest last.
    private(set) var serials: [UInt32] = []
    private var lastSerial: [UInt64: UInt32] = [:]
    private(set) var outgoing: [UInt8] = []
    private var outgoingFiles: [Int32] = []
    /// Passed memory, in the order of sending.
    private var memories: [Int32] = []
    private var incoming: [UInt8] = []
    private var incomingFiles: [Int32] = []
    /// wl_callback objects that are done.
    private(set) var done: Set<UInt32> = []
    /// Events received, each as its object shifted by 16 bits plus its opcode.
    private(set) var heard: Set<UInt64> = []
    /// Bytes received in total.
    private(set) var received = 0
    static let registry: UInt32 = 2
    static let firstSync: UInt32 = 3

    init?(path: String, known: ProtocolDescriptions) {
        self.known = known
        fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard connected == 0 else {
            Glibc.close(fd)
            fd = -1
            return nil
        }
        _ = fcntl(fd, F_SETFL, O_NONBLOCK)
        objects[1] = WireObject(number: 1, interface: known["wl_display"]!, version: 1)
        objects[2] = WireObject(number: 2, interface: known["wl_registry"]!, version: 1)
    }

    deinit { close() }

    /// The process at the other end.
    var peer: Int32 {
        var who: [Int32] = [-1, -1, -1] // process, user, group
        var size = socklen_t(12)
        return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 ? who[0] : -1
    }

    func close() {
        guard fd >= 0 else { return }
        Glibc.close(fd)
        fd = -1
        for file in outgoingFiles + memories + incomingFiles { Glibc.close(file) }
        (outgoingFiles, memories, incomingFiles) = ([], [], [])
        ended = true
    }

    func serial(of object: UInt32, event: UInt16) -> UInt32? { lastSerial[UInt64(object) << 16 | UInt64(event)] }

    /// The newest serial of any event.
    func newestReference() -> SerialReference? {
        guard let key = newestKey else { return nil }
        return SerialReference(offset: 0, object: UInt32(key >> 16), event: UInt16(key & 0xffff))
    }

    private var newestKey: UInt64?

    // MARK: Out

    /// Queues a message, and tracks the objects that it creates and destroys.
    func queue(_ bytes: [UInt8], files: [PassedFile], raw: Bool) {
        outgoing += bytes
        for kind in files {
            let file = kind.open()
            guard file >= 0 else { continue }
            outgoingFiles.append(file)
            if case .memory = kind {
                let kept = dup(file)
                if kept >= 0 { memories.append(kept) }
            }
        }
        if !raw { remember(bytes) }
    }

    func expect(callback: UInt32) { make(callback, known["wl_callback"]!, 1) }

    func resize(file: Int, size: Int) {
        if file < memories.count { ftruncate(memories[file], size) }
    }

    var memoryCount: Int { memories.count }

    private func remember(_ bytes: [UInt8]) {
        var reader = WireReader(bytes)
        guard let target = objects[reader.word()], let head = Optional(reader.word()),
            let request = target.interface.requests[safe: Int(head & 0xffff)]
        else { return }
        if target.number == Self.registry {
            _ = reader.word()
            let interface = reader.string()
            let version = reader.word(), number = reader.word()
            if let interface = known[interface] { make(number, interface, version) }
            return
        }
        for argument in request.arguments {
            switch argument.kind {
            case .fd: continue
            case .string, .array: reader.skip()
            case .newID:
                let number = reader.word()
                if let name = argument.interface, let interface = known[name] { make(number, interface, target.version) }
            default: _ = reader.word()
            }
        }
        if request.isDestructor { objects[target.number] = nil }
    }

    private func make(_ number: UInt32, _ interface: WireInterface, _ version: UInt32) {
        objects[number] = WireObject(number: number, interface: interface, version: version)
        if number < 0xff00_0000 { next = max(next, number &+ 1) }
    }

    /// Sends the queue, or this many bytes of it. Returns false if the shell does not read it within `patience`, in
    /// ms.
    @discardableResult
    func flush(_ most: Int? = nil, patience: Int32 = 2000, reads: Bool) -> Bool {
        var left = min(most ?? outgoing.count, outgoing.count)
        var patience = patience
        while left > 0, fd >= 0, !ended {
            let sent = sendSome(min(left, 4096))
            if sent > 0 {
                outgoing.removeFirst(sent)
                left -= sent
                continue
            }
            guard errno == EAGAIN || errno == EINTR || errno == ETOOMANYREFS else {
                receive()
                ended = true
                break
            }
            if reads { receive() }
            guard patience > 0, !ended else { return ended }
            var entry = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, 20)
            patience -= 20
        }
        if reads { receive() }
        return true
    }

    /// At most 28 descriptors are sent with one piece, as libwayland does. More are a flood of their own.
    private func sendSome(_ count: Int) -> Int {
        let files = Array(outgoingFiles.prefix(250))
        var control = [UInt8](repeating: 0, count: files.isEmpty ? 0 : (16 + files.count * 4 + 7) & ~7)
        if !files.isEmpty {
            control.withUnsafeMutableBytes { room in
                room.storeBytes(of: 16 + files.count * 4, as: Int.self)
                room.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
                room.storeBytes(of: 1 /* SCM_RIGHTS */, toByteOffset: 12, as: Int32.self)
                for (i, file) in files.enumerated() { room.storeBytes(of: file, toByteOffset: 16 + i * 4, as: Int32.self) }
            }
        }
        let sent = outgoing.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var piece = iovec(iov_base: bytes.baseAddress, iov_len: count)
                return withUnsafeMutablePointer(to: &piece) { piece in
                    var message = msghdr()
                    message.msg_iov = piece
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(fd, &message, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
            }
        }
        if sent > 0 {
            for file in files { Glibc.close(file) }
            outgoingFiles.removeFirst(files.count)
        }
        return sent
    }

    // MARK: In

    /// Reads everything that has arrived.
    func receive() {
        var chunk = [UInt8](repeating: 0, count: 16384)
        var control = [UInt8](repeating: 0, count: 16 + 4 * 256)
        while fd >= 0, !ended {
            var length = 0
            let count = chunk.withUnsafeMutableBytes { bytes in
                control.withUnsafeMutableBytes { control in
                    var piece = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return withUnsafeMutablePointer(to: &piece) { piece in
                        var message = msghdr()
                        message.msg_iov = piece
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                        let count = recvmsg(fd, &message, Int32(MSG_DONTWAIT) | Int32(MSG_CMSG_CLOEXEC))
                        length = message.msg_controllen
                        return count
                    }
                }
            }
            if count > 0, length > 16 {
                control.withUnsafeBytes { room in
                    let size = room.load(as: Int.self)
                    for at in stride(from: 16, to: min(size, length) - 3, by: 4) {
                        incomingFiles.append(room.load(fromByteOffset: at, as: Int32.self))
                    }
                }
            }
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { ended = true }
            guard count > 0 else { return }
            received += count
            incoming += chunk[..<count]
            var at = 0
            while incoming.count - at >= 8 {
                let number = word(at), head = word(at + 4)
                let size = Int(head >> 16)
                guard size >= 8, incoming.count - at >= size else { break }
                event(number, UInt16(head & 0xffff), Array(incoming[at + 8..<at + size]))
                at += size
            }
            incoming.removeFirst(at)
        }
    }

    /// Waits at most this many milliseconds for data, and reads it.
    func receive(within milliseconds: Int32) {
        var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard fd >= 0, poll(&entry, 1, milliseconds) > 0 else { return }
        receive()
    }

    private func word(_ at: Int) -> UInt32 {
        UInt32(incoming[at]) | UInt32(incoming[at + 1]) << 8 | UInt32(incoming[at + 2]) << 16 | UInt32(incoming[at + 3]) << 24
    }

    private func event(_ number: UInt32, _ opcode: UInt16, _ body: [UInt8]) {
        guard let target = objects[number], let event = target.interface.events[safe: Int(opcode)] else { return }
        heard.insert(UInt64(number) << 16 | UInt64(opcode))
        var reader = WireReader(body)
        var words: [UInt32] = []
        var text = ""
        for argument in event.arguments {
            switch argument.kind {
            case .fd:
                if !incomingFiles.isEmpty { Glibc.close(incomingFiles.removeFirst()) }
            case .string: text = reader.string()
            case .array: reader.skip()
            case .newID:
                let made = reader.word()
                if let name = argument.interface, let interface = known[name] { make(made, interface, target.version) }
            default:
                let value = reader.word()
                words.append(value)
                guard argument.name == "serial" else { continue }
                let key = UInt64(number) << 16 | UInt64(opcode)
                lastSerial[key] = value
                newestKey = key
                serials.append(value)
                if serials.count > 64 { serials.removeFirst(32) }
            }
        }
        switch (target.interface.name, event.name) {
        case ("wl_display", "error"): error = "\(objects[words[0]]?.interface.name ?? "?")@\(words[0]) \(words[1]): \(text)"
        case ("wl_display", "delete_id"): objects[words[0]] = nil
        case ("wl_registry", "global"): globals.append((words[0], text, words[1]))
        case ("wl_callback", "done"): done.insert(number)
        default: break
        }
    }
}

/// Reads words and strings from a message.
struct WireReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func word() -> UInt32 {
        guard at + 4 <= bytes.count else {
            at = bytes.count
            return 0
        }
        defer { at += 4 }
        return UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
    }

    mutating func string() -> String {
        let length = Int(word()), from = at
        at = min(bytes.count, at + (length + 3) & ~3)
        return String(decoding: bytes[from..<min(bytes.count, max(from, from + length - 1))], as: UTF8.self)
    }

    mutating func skip() { _ = string() }
}

/// A message under construction.
struct WireWriter {
    private(set) var bytes: [UInt8]

    init(_ object: UInt32, _ opcode: UInt16) {
        bytes = []
        word(object)
        word(UInt32(opcode))
    }

    mutating func word(_ value: UInt32) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func array(_ data: [UInt8]) {
        word(UInt32(data.count))
        bytes += data
        while bytes.count % 4 != 0 { bytes.append(0) }
    }

    mutating func string(_ text: String) { array(Array(text.utf8) + [0]) }

    /// Completes the header with its length.
    func finished(length: Int? = nil) -> [UInt8] {
        var all = bytes
        let length = length ?? all.count
        all[6] = UInt8(truncatingIfNeeded: length)
        all[7] = UInt8(truncatingIfNeeded: length >> 8)
        return all
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
