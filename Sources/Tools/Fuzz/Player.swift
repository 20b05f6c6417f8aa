import Clocks
import Control
import Glibc

/// Carries out steps on a socket, from a generator or from a file.
public final class Player {
    private let socket: String
    let known: ProtocolDescriptions
    private(set) var clients: [Int: WireClient] = [:]
    /// Clients that never read events.
    private(set) var deaf: Set<Int> = []
    /// Sends requests for unused objects in place of ids that a shortened trace leaves out, so that later ids stay
    /// valid.
    private let fillsGaps: Bool
    private let record: ((Step) -> Void)?
    private let isLocked: (() -> Bool?)?
    /// Makes input in the shell.
    let hands: ((InputRequest) -> Void)?
    /// The first expectation of a step that was not met.
    private(set) var broken: String?
    /// The requests and events of clients about the lock since the last session began.
    var lock = LockKnowledge()
    /// Messages sent.
    public private(set) var messages = 0
    /// Protocol errors by text.
    public private(set) var errors: [String: Int] = [:]

    /// - Parameters:
    ///   - socket: path of the Wayland socket.
    ///   - isLocked: asks the shell whether the screen is locked; returns nil without an answer.
    ///   - hands: makes input; nil leaves input out.
    ///   - record: gets each step before it is carried out.
    public init(
        socket: String, known: ProtocolDescriptions, fillsGaps: Bool = false, isLocked: (() -> Bool?)? = nil,
        hands: ((InputRequest) -> Void)? = nil, record: ((Step) -> Void)? = nil
    ) {
        self.isLocked = isLocked
        self.hands = hands
        self.socket = socket
        self.known = known
        self.fillsGaps = fillsGaps
        self.record = record
    }

    public func play(_ steps: [Step]) {
        for step in steps { play(step) }
        finish()
    }

    /// Closes all connections.
    public func finish() {
        for client in clients.keys.sorted() { play(.close(client)) }
    }

    public func play(_ step: Step) {
        record?(step)
        switch step {
        case .connect(let n):
            greet(n)
        case .message(let n, var bytes, let files, let serials, let raw):
            guard let client = clients[n], !client.ended else { return }
            for reference in serials { put(reference, into: &bytes, of: client) }
            if !raw { adapt(&bytes, of: client) }
            lock.sent(bytes, by: client)
            client.queue(bytes, files: files, raw: raw)
            messages += 1
        case .flush(let n, let count):
            clients[n]?.flush(count, reads: !deaf.contains(n))
        case .read(let n):
            if !deaf.contains(n) { clients[n]?.receive() }
        case .wait(let n, let callback):
            guard let client = clients[n], !deaf.contains(n) else { return }
            wait(client, for: callback)
        case .resize(let n, let file, let size):
            clients[n]?.resize(file: file, size: size)
        case .close(let n):
            guard let client = clients.removeValue(forKey: n) else { return }
            if !deaf.contains(n) { client.receive() }
            if let error = client.error { errors[error, default: 0] += 1 }
            lock.gone(client)
            client.close()
            deaf.remove(n)
        case .deafen(let n): deaf.insert(n)
        case .pause(let milliseconds):
            usleep(UInt32(milliseconds) * 1000)
        case .session: break
        case .await(let n, let object, let event):
            guard let client = clients[n], !deaf.contains(n) else { return }
            client.flush(reads: true)
            let deadline = Clocks.monotonicSeconds + 5
            while !client.ended, !client.heard.contains(UInt64(object) << 16 | UInt64(event)), Clocks.monotonicSeconds < deadline {
                client.receive(within: 50)
            }
        case .locked(let wanted): expect(locked: wanted)
        case .input(let input): hands?(input)
        }
    }

    /// The shell notices the end of a client asynchronously, so wait; on a busy machine one question may get no answer.
    private func expect(locked wanted: Bool) {
        guard let isLocked, broken == nil else { return }
        let deadline = Clocks.monotonicSeconds + 5
        var answer = isLocked()
        while answer != wanted, Clocks.monotonicSeconds < deadline {
            usleep(20_000)
            answer = isLocked() ?? answer
        }
        guard let answer, answer != wanted else { return }
        broken = wanted ? "is not locked though nobody unlocked it" : "is locked though nobody locks it"
    }

    /// A connection starts by asking for the globals, like every client.
    private func greet(_ n: Int) {
        guard let client = WireClient(path: socket, known: known) else { return }
        clients[n] = client
        var registry = WireWriter(1, 1)
        registry.word(WireClient.registry)
        var sync = WireWriter(1, 0)
        sync.word(WireClient.firstSync)
        client.queue(registry.finished() + sync.finished(), files: [], raw: true)
        client.expect(callback: WireClient.firstSync)
        client.flush(reads: true)
        wait(client, for: WireClient.firstSync)
    }

    private func wait(_ client: WireClient, for callback: UInt32) {
        client.flush(reads: true)
        let deadline = Clocks.monotonicSeconds + 5
        while !client.ended, !client.done.contains(callback), client.objects[callback] != nil, Clocks.monotonicSeconds < deadline {
            client.receive(within: 50)
        }
    }

    private func put(_ reference: SerialReference, into bytes: inout [UInt8], of client: WireClient) {
        guard let value = client.serial(of: reference.object, event: reference.event), reference.offset + 4 <= bytes.count else { return }
        for i in 0..<4 { bytes[reference.offset + i] = UInt8(truncatingIfNeeded: value >> (UInt32(i) * 8)) }
    }

    /// Adapts a bind request: globals have other names in another run, and other versions.
    private func adapt(_ bytes: inout [UInt8], of client: WireClient) {
        var reader = WireReader(bytes)
        guard let target = client.objects[reader.word()],
            let request = target.interface.requests[safe: Int(reader.word() & 0xffff)]
        else { return }
        if target.number == WireClient.registry {
            _ = reader.word()
            let interface = reader.string()
            let version = reader.word(), number = reader.word()
            guard let global = client.globals.first(where: { $0.interface == interface }) else { return }
            if fillsGaps { fill(client, upTo: number) }
            bytes = Player.bind(global.name, interface, min(version, global.version), number)
            return
        }
        guard fillsGaps else { return }
        for argument in request.arguments {
            switch argument.kind {
            case .fd: continue
            case .string, .array: reader.skip()
            case .newID: fill(client, upTo: reader.word())
            default: _ = reader.word()
            }
        }
    }

    private func fill(_ client: WireClient, upTo number: UInt32) {
        guard number < client.next + 100_000 else { return }
        while client.next < number {
            var sync = WireWriter(1, 0)
            sync.word(client.next)
            client.queue(sync.finished(), files: [], raw: false)
        }
    }

    static func bind(_ name: UInt32, _ interface: String, _ version: UInt32, _ number: UInt32) -> [UInt8] {
        var message = WireWriter(WireClient.registry, 0)
        message.word(name)
        message.string(interface)
        message.word(version)
        message.word(number)
        return message.finished()
    }
}
