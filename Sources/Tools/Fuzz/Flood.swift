import Clocks

/// Measures how long a client waits for its frame callbacks while another one floods the shell.
public struct Flood {
    /// The load that the flooding client makes in a loop.
    public enum Kind: String, CaseIterable, Sendable {
        /// Nothing, for comparison.
        case none
        /// Commits without changes.
        case commits
        /// A full screen of new pixels in each commit, visible.
        case screens
        /// A new title each time.
        case titles
        /// Requests that the shell must answer with a configure.
        case wishes
        /// A window that is mapped and unmapped.
        case maps
        /// Subsurfaces that change their stacking order.
        case orders
        /// Syncs.
        case syncs
    }

    /// Milliseconds from commits to their frame callbacks, sorted; and the number of messages in the flood.
    public struct Figures: Sendable {
        public var waits: [Double]
        public var messages: Int
        public var median: Double { waits.isEmpty ? .infinity : waits[waits.count / 2] }
        public var worst: Double { waits.last ?? .infinity }
    }

    struct Failure: Error, CustomStringConvertible { var description: String }

    private let player: Player
    private let words: Generator
    private let flooding = 0, patient = 1

    /// Measures on a separate shell.
    public static func measure(_ kind: Kind, seconds: Double, spawn program: String, known: ProtocolDescriptions) throws -> Figures {
        let target = try Target(spawn: program, beside: [], known: known)
        let figures = try Flood(socket: target.socket, known: known).measure(kind, seconds: seconds)
        guard target.isAlive, target.answers() else { throw Failure(description: "the shell \(target.ending ?? "does not answer")") }
        return figures
    }

    private init(socket: String, known: ProtocolDescriptions) {
        player = Player(socket: socket, known: known)
        words = Generator(seed: 1, player: player)
    }

    private struct World {
        var compositor: UInt32, shm: UInt32, shell: UInt32, surface: UInt32, role: UInt32, toplevel: UInt32, buffer: UInt32
    }

    private func window(_ n: Int, _ width: Int, _ height: Int) throws -> World {
        player.play(.connect(n))
        guard player.clients[n] != nil else { throw Failure(description: "cannot connect") }
        let compositor = words.bind(n, "wl_compositor"), shm = words.bind(n, "wl_shm"), shell = words.bind(n, "xdg_wm_base")
        let surface = words.ask(n, compositor, "create_surface")
        let role = words.ask(n, shell, "get_xdg_surface", [Int(surface)])
        let toplevel = words.ask(n, role, "get_toplevel")
        words.ask(n, surface, "commit")
        words.sync(n)
        words.ask(n, role, "ack_configure", serial: SerialReference(offset: 0, object: role, event: 0))
        let size = width * height * 4
        let pool = words.ask(n, shm, "create_pool", [size], file: .memory(size))
        let buffer = words.ask(n, pool, "create_buffer", [0, width, height, width * 4, 1])
        words.ask(n, surface, "attach", [Int(buffer), 0, 0])
        words.ask(n, surface, "commit")
        words.sync(n)
        return World(
            compositor: compositor, shm: shm, shell: shell, surface: surface, role: role, toplevel: toplevel, buffer: buffer)
    }

    private func measure(_ kind: Kind, seconds: Double) throws -> Figures {
        let flood = try window(flooding, 1180, 820)
        var target = flood.surface
        var others: [UInt32] = []
        if kind == .screens {
            // A layer surface is visible whatever window is in front.
            target = words.ask(flooding, flood.compositor, "create_surface")
            let layer = words.ask(
                flooding, words.bind(flooding, "zwlr_layer_shell_v1"), "get_layer_surface", [Int(target), 0, 1], text: "flood")
            words.ask(flooding, layer, "set_size", [1180, 820])
            words.ask(flooding, target, "commit")
            words.sync(flooding)
            words.ask(flooding, layer, "ack_configure", serial: SerialReference(offset: 0, object: layer, event: 0))
            words.ask(flooding, target, "attach", [Int(flood.buffer), 0, 0])
            words.ask(flooding, target, "commit")
        }
        if kind == .orders {
            let subcompositor = words.bind(flooding, "wl_subcompositor")
            var surfaces: [UInt32] = []
            for _ in 0..<40 {
                let surface = words.ask(flooding, flood.compositor, "create_surface")
                others.append(words.ask(flooding, subcompositor, "get_subsurface", [Int(surface), Int(flood.surface)]))
                surfaces.append(surface)
            }
            others += surfaces
        }
        player.play(.flush(flooding, nil))
        let patient = try window(self.patient, 400, 300)
        guard let flooder = player.clients[flooding], let client = player.clients[self.patient] else {
            throw Failure(description: "no clients")
        }

        var waits: [Double] = []
        var asked = 0.0
        var callback: UInt32 = 0
        func ask() {
            words.ask(self.patient, patient.surface, "attach", [Int(patient.buffer), 0, 0])
            words.ask(self.patient, patient.surface, "damage", [0, 0, 20, 20])
            callback = words.ask(self.patient, patient.surface, "frame")
            words.ask(self.patient, patient.surface, "commit")
            asked = Clocks.monotonicSeconds
            client.flush(patience: 0, reads: true)
        }
        let before = player.messages
        let end = Clocks.monotonicSeconds + seconds
        var turn = 0
        ask()
        // A busy machine gets more time to produce a few figures.
        while Clocks.monotonicSeconds < end || (waits.count < 5 && Clocks.monotonicSeconds < end + 20) {
            if client.ended { throw Failure(description: "the patient client was ended: \(client.error ?? "")") }
            if flooder.ended { throw Failure(description: "the flooding client was ended: \(flooder.error ?? "")") }
            for _ in 0..<50 where flooder.outgoing.count < 16384 {
                turn += 1
                one(kind, turn, flood, target, others)
            }
            flooder.flush(patience: 0, reads: true)
            if kind == .none || !flooder.outgoing.isEmpty { client.receive(within: 1) } else { client.receive() }
            client.flush(patience: 0, reads: true)
            if client.done.contains(callback) {
                waits.append((Clocks.monotonicSeconds - asked) * 1000)
                ask()
            }
        }
        waits.append((Clocks.monotonicSeconds - asked) * 1000)
        player.finish()
        return Figures(waits: waits.sorted(), messages: player.messages - before)
    }

    private func one(_ kind: Kind, _ turn: Int, _ flood: World, _ surface: UInt32, _ others: [UInt32]) {
        switch kind {
        case .none: break
        case .commits: words.ask(flooding, flood.surface, "commit")
        case .screens:
            words.ask(flooding, surface, "attach", [Int(flood.buffer), 0, 0])
            words.ask(flooding, surface, "damage_buffer", [0, 0, 1180, 820])
            words.ask(flooding, surface, "commit")
        case .titles: words.ask(flooding, flood.toplevel, "set_title", text: "title \(turn)")
        case .wishes: words.ask(flooding, flood.toplevel, turn % 2 == 0 ? "set_fullscreen" : "unset_fullscreen", [0])
        case .maps:
            if turn % 2 == 0 {
                words.ask(flooding, flood.surface, "attach", [0, 0, 0])
                words.ask(flooding, flood.surface, "commit")
                words.ask(flooding, flood.surface, "commit")
                words.sync(flooding)
                words.ask(flooding, flood.role, "ack_configure", serial: SerialReference(offset: 0, object: flood.role, event: 0))
            } else {
                words.ask(flooding, flood.surface, "attach", [Int(flood.buffer), 0, 0])
                words.ask(flooding, flood.surface, "commit")
            }
        case .orders:
            let half = others.count / 2
            words.ask(flooding, others[turn % half], "place_above", [Int(others[half + (turn + 7) % half])])
            if turn % 10 == 0 { words.ask(flooding, flood.surface, "commit") }
        case .syncs: words.ask(flooding, 1, "sync")
        }
    }
}
