import Glibc

/// Generates sessions: several clients that each set up a small world and then act at random.
final class Generator {
    var dice: Dice
    let player: Player
    private let known: ProtocolDescriptions
    /// Probabilities of extreme arguments and of malformed messages.
    private let edge: Double, malformed: Double
    /// Whether some of the clients lock the screen.
    let locks: Bool
    /// Whether fingers, a pen and a mouse act during this session, so that the surfaces that they hold may be destroyed under them.
    private(set) var hands = false
    private var memoriesSent: [Int: Int] = [:]
    /// Clients that send in pieces.
    private var slow: Set<Int> = []

    init(seed: UInt64, player: Player, edge: Double = 0.01, malformed: Double = 0.001, locks: Bool = false) {
        self.locks = locks
        dice = Dice(seed: seed)
        self.player = player
        known = player.known
        self.edge = edge
        self.malformed = malformed
    }

    // MARK: A session

    /// Plays a session of at most this many requests.
    func session(_ name: String, requests: Int) {
        player.play(.session(name))
        slow = []
        hands = player.hands != nil && !locks && dice.chance(0.5)
        let count = dice.pick([1, 1, 2, 2, 3, 4])!
        for n in 0..<count {
            player.play(.connect(n))
            guard let client = player.clients[n], !client.ended else { continue }
            begin(n, person: n == 0)
            switch dice.number(0..<12) {
            case 0: player.play(.deafen(n))
            case 1, 2: slow.insert(n)
            default: break
            }
        }
        var left = requests
        while left > 0 {
            let alive = player.clients.filter { !$0.value.ended }.keys.sorted()
            guard let n = dice.pick(alive) else { break }
            let burst = dice.pick([1, 2, 5, 16])!
            for _ in 0..<burst { step(n) }
            left -= burst
            send(n)
            // Replace a client while the others go on. It may take over a lock.
            if locks, dice.chance(0.01) {
                player.play(.close(n))
                player.play(.connect(n))
                begin(n, person: false)
            }
            if dice.chance(0.02), !player.deaf.contains(n) { sync(n) }
            if hands, dice.chance(0.05) { moveHands() }
        }
        if hands, dice.chance(0.5) { liftHands() }
        end()
        if hands { liftHands() }
    }

    private func send(_ n: Int) {
        guard let client = player.clients[n] else { return }
        if slow.contains(n) {
            player.play(.flush(n, dice.number(1..<max(2, client.outgoing.count + 1))))
        } else {
            player.play(.flush(n, nil))
        }
        if !player.deaf.contains(n) { player.play(.read(n)) }
    }

    /// Disconnects the clients in any order, some in the middle of a message, some silently, most after the last
    /// answer.
    private func end() {
        for n in player.clients.keys.sorted().shuffled(using: &dice) {
            switch dice.number(0..<10) {
            case 0: player.play(.flush(n, (player.clients[n]?.outgoing.count ?? 0) / 2))
            case 1: break
            default:
                if !player.deaf.contains(n) { sync(n) }
            }
            player.play(.close(n))
        }
        memoriesSent = [:]
    }

    // MARK: One request

    private func step(_ n: Int) {
        guard let client = player.clients[n], !client.ended else { return }
        if dice.chance(malformed) { return nonsense(n, client) }
        if dice.chance(0.004), client.memoryCount > 0 {
            return player.play(.resize(n, file: dice.number(0..<client.memoryCount), size: dice.pick([0, 1, 4096, 65536, 1 << 20])!))
        }
        if dice.chance(0.02), let shm = any("wl_shm", of: client) { return pool(n, client, shm) }
        if dice.chance(0.0005) { return flood(n, client) }
        guard let target = pickTarget(client), let request = dice.pick(target.interface.requests),
            request.since <= target.version || dice.chance(0.001)
        else { return }
        if request.isDestructor {
            let precious = ["wl_surface", "xdg_wm_base", "wl_compositor", "xdg_surface", "wl_shm"].contains(target.interface.name)
            if dice.chance(precious ? 0.95 : 0.6) { return }
        }
        if target.number <= 2, dice.chance(0.95) { return }
        if target.number == WireClient.registry { return bindSomething(n, client) }
        // A request whose object is missing can only fail and would end the session at once.
        let wants = request.arguments.filter { $0.kind == .object && !$0.nullable }.compactMap(\.interface)
        if wants.contains(where: { name in any(name, of: client) == nil }), dice.chance(0.99) { return }
        play(n, client, target, request)
    }

    private func pickTarget(_ client: WireClient) -> WireObject? {
        let all = client.objects.keys.sorted()
        guard dice.chance(0.6) else { return all.randomElement(using: &dice).flatMap { client.objects[$0] } }
        // Choose by kind first, because there are many regions but few seats.
        let kinds = Set(client.objects.values.map(\.interface.name)).sorted()
        guard let kind = dice.pick(kinds) else { return nil }
        return any(kind, of: client)
    }

    func any(_ interface: String, of client: WireClient) -> WireObject? {
        let fitting = client.objects.values.filter { $0.interface.name == interface }.sorted { $0.number < $1.number }
        return dice.pick(fitting)
    }

    private func play(_ n: Int, _ client: WireClient, _ target: WireObject, _ request: WireMessage) {
        var message = WireWriter(target.number, request.opcode)
        var files: [PassedFile] = []
        var serials: [SerialReference] = []
        for argument in request.arguments {
            switch argument.kind {
            case .newID: message.word(client.next)
            case .fd: files.append(file(for: target, request))
            case .object: message.word(object(argument, client))
            case .string: message.string(text())
            case .array: message.array((0..<dice.pick([0, 4, 8, 64])!).map { _ in UInt8.random(in: 0...255, using: &dice) })
            case .int, .uint, .fixed:
                let offset = message.bytes.count
                let (value, reference) = number(argument, target, request, client)
                message.word(value)
                if var reference {
                    reference.offset = offset
                    serials.append(reference)
                }
            }
        }
        guard message.bytes.count < 4096 else { return }
        player.play(.message(n, message.finished(), files: files, serials: serials, raw: false))
    }

    private func file(for target: WireObject, _ request: WireMessage) -> PassedFile {
        if request.name == "keymap", dice.chance(0.7) { return .keymap }
        if request.name == "receive", dice.chance(0.8) { return .pipeToWrite }
        let size = dice.pick([0, 1, 4096, 65536, 400 * 300 * 4])!
        return dice.pick([.memory(size), .memory(size), .pipeToWrite, .pipeToRead, .null, .folder, .socket, .keymap])!
    }

    private func object(_ argument: WireArgument, _ client: WireClient) -> UInt32 {
        if argument.nullable, dice.chance(0.15) { return 0 }
        if dice.chance(edge / 4) { return dice.pick([0, 1, 2, client.next, 0xff00_0000, 0xffff_ffff, client.next + 1000])! }
        if let name = argument.interface { return any(name, of: client)?.number ?? 0 }
        return dice.pick(client.objects.keys.sorted()) ?? 0
    }

    private func text() -> String {
        switch dice.number(0..<12) {
        case 0: ""
        case 1: String(repeating: "가", count: dice.number(1..<1300))
        case 2: "\u{1b}]0;x\u{7}\n\"{}%s%n"
        case 3: String(repeating: "x", count: dice.number(1..<3900))
        case 4...6: "text/plain"
        default: dice.pick(["foot", "UTF8_STRING", "a", "text/uri-list", "org.example.App"])!
        }
    }

    private static let extremes: [UInt32] = [
        0, 1, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 65535, 65536, 0xffff_fffe, 32768, 1 << 24, 255,
    ]

    private func number(
        _ argument: WireArgument, _ target: WireObject, _ request: WireMessage, _ client: WireClient
    ) -> (UInt32, SerialReference?) {
        if argument.name == "serial" {
            if request.name == "ack_configure" {
                let value = client.serial(of: target.number, event: 0) ?? 0
                return dice.chance(0.97) ? (value, SerialReference(offset: 0, object: target.number, event: 0)) : (value &+ 1, nil)
            }
            guard dice.chance(0.95), let reference = client.newestReference(), let newest = client.serials.last else {
                return (dice.pick(Generator.extremes)!, nil)
            }
            if dice.chance(0.6) { return (newest, reference) }
            return (dice.pick(client.serials)!, nil)
        }
        if dice.chance(edge) { return (dice.pick(Generator.extremes)!, nil) }
        if let values = argument.values, dice.chance(0.97) {
            let parts = values.split(separator: ".")
            let interface = parts.count == 2 ? known[String(parts[0])] : target.interface
            if let value = dice.pick(interface?.enums[String(parts.last!)] ?? []) { return (value, nil) }
        }
        var value: Int
        switch argument.name {
        case "width", "height", "x_extent", "y_extent", "max_size": value = dice.number(1..<500)
        case "x", "y", "dx", "dy", "x_offset", "y_offset", "hotspot_x", "hotspot_y": value = dice.number(-60..<600)
        case "stride": value = dice.number(1..<500) * 4
        case "key": value = dice.number(1..<120)
        case "button": value = dice.pick([0x110, 0x111, 0x112])!
        case "scale": value = dice.number(1..<4)
        case "transform": value = dice.number(0..<8)
        default: value = dice.number(0..<64)
        }
        if argument.kind == .fixed { value *= 256 }
        return (UInt32(truncatingIfNeeded: value), nil)
    }

    private func bindSomething(_ n: Int, _ client: WireClient) {
        guard let global = dice.pick(client.globals) else { return }
        bind(n, global.interface, version: UInt32(dice.number(1..<Int(global.version) + 1)))
    }

    // MARK: Malformed messages

    /// A message with a wrong length, object or opcode.
    private func nonsense(_ n: Int, _ client: WireClient) {
        let object = dice.chance(0.7) ? dice.pick(client.objects.keys.sorted())! : dice.pick([0, client.next, 0xff00_0000, 0xffff_ffff])!
        var message = WireWriter(object, UInt16(dice.number(0..<16)))
        for _ in 0..<dice.number(0..<8) { message.word(dice.chance(0.5) ? dice.pick(Generator.extremes)! : UInt32(dice.number(0..<64))) }
        let length = dice.chance(0.7) ? nil : dice.pick([0, 4, 7, 8, 9, 12, 4096, 4100, 65535])
        player.play(.message(n, message.finished(length: length), files: [], serials: [], raw: true))
    }

    /// A pool with a buffer that may be larger than it, or that becomes too large when the pool shrinks.
    private func pool(_ n: Int, _ client: WireClient, _ shm: WireObject) {
        let width = dice.pick([1, 3, 32, 200, 400])!, height = dice.pick([1, 2, 32, 150, 300])!
        let size = width * height * 4
        let real = dice.chance(0.8) ? size : dice.pick([0, 1, 4096, size / 2])!
        let pool = client.next
        var create = WireWriter(shm.number, 0)
        create.word(pool)
        create.word(UInt32(dice.chance(edge) ? Int(dice.pick(Generator.extremes)!) : size))
        let kind: PassedFile = dice.chance(0.97) ? .memory(real) : dice.pick([.pipeToRead, .null, .folder, .socket])!
        player.play(.message(n, create.finished(), files: [kind], serials: [], raw: false))
        var buffer = WireWriter(pool, 0)
        buffer.word(pool + 1)
        let wrong = dice.chance(edge * 4)
        for value in [0, width, height, width * 4, 1] {
            buffer.word(wrong && dice.chance(0.3) ? dice.pick(Generator.extremes)! : UInt32(value))
        }
        player.play(.message(n, buffer.finished(), files: [], serials: [], raw: false))
    }

    /// A large amount of one thing.
    private func flood(_ n: Int, _ client: WireClient) {
        let count = dice.pick([50, 500, 3000])!
        switch dice.number(0..<4) {
        case 0:
            guard let shm = any("wl_shm", of: client) else { return }
            for _ in 0..<min(count, 300) {
                var create = WireWriter(shm.number, 0)
                create.word(player.clients[n]!.next)
                create.word(4096)
                player.play(.message(n, create.finished(), files: [.memory(4096)], serials: [], raw: false))
            }
        case 1:
            guard let surface = any("wl_surface", of: client), let frame = surface.interface.request("frame") else { return }
            for _ in 0..<count { play(n, client, surface, frame) }
        case 2:
            guard let compositor = any("wl_compositor", of: client), let request = dice.pick(compositor.interface.requests) else { return }
            for _ in 0..<count { play(n, client, compositor, request) }
        default:
            // Descriptors that belong to no message.
            player.play(.message(n, [], files: Array(repeating: .null, count: min(count, 240)), serials: [], raw: true))
            if let target = pickTarget(client), let request = target.interface.requests.first(where: { $0.arguments.isEmpty }) {
                play(n, client, target, request)
            }
        }
        player.play(.flush(n, nil))
    }

    // MARK: Requests by name

    /// Sends a request by name. Takes objects and numbers in order; adds new objects and files. Returns the new
    /// object.
    @discardableResult
    func ask(
        _ n: Int, _ target: UInt32, _ name: String, _ values: [Int] = [], text: String? = nil, file: PassedFile? = nil,
        serial: SerialReference? = nil
    ) -> UInt32 {
        guard let client = player.clients[n], !client.ended, let object = client.objects[target],
            let request = object.interface.request(name), request.since <= object.version
        else { return 0 }
        var message = WireWriter(target, request.opcode)
        var left = values[...]
        var made: UInt32 = 0
        var files: [PassedFile] = []
        var serials: [SerialReference] = []
        for argument in request.arguments {
            switch argument.kind {
            case .newID:
                made = client.next
                message.word(made)
            case .fd: files.append(file ?? .null)
            case .string: message.string(text ?? "")
            case .array: message.array([])
            default:
                if argument.name == "serial", var serial {
                    serial.offset = message.bytes.count
                    serials.append(serial)
                    message.word(client.serial(of: serial.object, event: serial.event) ?? 0)
                } else {
                    message.word(UInt32(truncatingIfNeeded: left.popFirst() ?? 0))
                }
            }
        }
        player.play(.message(n, message.finished(), files: files, serials: serials, raw: false))
        return made
    }

    /// Returns 0 if the shell has no such global.
    @discardableResult
    func bind(_ n: Int, _ interface: String, version: UInt32? = nil) -> UInt32 {
        guard let client = player.clients[n], let described = known[interface],
            let global = client.globals.first(where: { $0.interface == interface })
        else { return 0 }
        let number = client.next
        let version = min(version ?? global.version, min(global.version, described.version))
        player.play(.message(n, Player.bind(global.name, interface, version, number), files: [], serials: [], raw: false))
        return number
    }

    func sync(_ n: Int) {
        let callback = ask(n, 1, "sync")
        if callback != 0 { player.play(.wait(n, callback)) }
    }
}
