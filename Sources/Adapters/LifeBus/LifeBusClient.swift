import Callers
import LifeService
import Lifecycle
import MessageBus
import Processes

/// One connection on the bus, with its state and its tasks, which end with it.
final class LifeBusClient: LifeClient {
    /// Its name on the bus.
    let name: String
    private unowned let service: LifeBusService
    private var watch: BusWatch?
    private(set) var process: Int32 = 0
    private(set) var caller: LifeCaller?
    /// Calls that wait until the client is identified.
    var waiting: [(LifeBusClient?) -> Void] = []
    /// The owner whose quotas it uses. Has no meaning until the connection is identified.
    private(set) var owner = Owner.user
    var outbox = Outbox()
    private var states: Set<StateID> = []
    private var tasks: Set<TaskID> = []
    private var follows = false

    init(_ name: String, _ service: LifeBusService, _ watch: BusWatch?) {
        self.name = name
        self.service = service
        self.watch = watch
    }

    var isIdentified: Bool { caller != nil }

    func identify(_ process: Int32) {
        self.process = process
        caller = LifeCaller(
            process: process, lineage: AppIdentity.of(process: process).lineage, connection: service.bus.host?.connection() ?? 0)
        if let host = service.bus.host, let caller { owner = host.owner(of: caller, naming: nil) }
    }

    /// The connection has left the bus.
    func end() {
        watch = nil
        waiting = []
        guard let host = service.bus.host else { return }
        for id in states.sorted() { host.withdrawState(id) }
        for id in tasks.sorted() { host.endTask(id) }
        states = []
        tasks = []
        if follows { host.unfollow(self) }
        follows = false
        if let caller { host.connectionEnded(caller) }
    }

    // MARK: Calls

    func handle(_ call: Incoming, _ host: any LifeHost) throws(LifeError) -> Int32 {
        guard let caller else { return -95 }
        switch call.member {
        case "BeginTask":
            let name = try name(call)
            let id = try host.beginTask(name, by: caller, for: self)
            tasks.insert(id)
            return call.reply { $0.uint64(id.raw) }
        case "SetProgress":
            let id = try task(call)
            guard let progress = call.double() else { throw LifeError(.badParameter, "a number is expected") }
            try LifeLimits.check(progress: progress)
            host.advanceTask(id, to: progress)
        case "EndTask":
            let id = try task(call)
            tasks.remove(id)
            host.endTask(id)
        case "FinishTask":
            let id = try task(call)
            guard let text = call.string(), text.utf8.count <= LifeLimits.text else {
                throw LifeError(.badParameter, "a text of at most \(LifeLimits.text) bytes is expected")
            }
            tasks.remove(id)
            host.finishTask(id, text: String(text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" }.map(Character.init)))
        case "OfferState":
            let name = try name(call), held = call.keep()
            let id = try host.offerState(name, by: caller, to: self) { id, kept in
                _ = held.call.reply {
                    $0.uint64(id.raw)
                    $0.bytes(kept ?? [])
                }
            }
            states.insert(id)
            return 1
        case "WithdrawState":
            let id = try state(call)
            states.remove(id)
            host.withdrawState(id)
        case "SubmitState":
            let id = try state(call), token = try token(call)
            guard let bytes = call.bytes() else { throw LifeError(.badParameter, "an array of bytes is expected") }
            try LifeLimits.check(size: bytes.count)
            host.takeState(id, token, [UInt8](bytes))
        case "NoState":
            let id = try state(call)
            host.takeNoState(id, try token(call))
        case "StateChanged": host.stateChanged(try state(call))
        case "Watch":
            follows = true
            let phase = host.follow(caller, self)
            return call.reply { $0.string(phase?.rawValue ?? "") }
        default: return -95
        }
        return call.reply { _ in }
    }

    private func name(_ call: Incoming) throws(LifeError) -> String {
        guard let name = call.string() else { throw LifeError(.badParameter, "a name is expected") }
        try LifeLimits.check(name: name)
        return name
    }

    private func task(_ call: Incoming) throws(LifeError) -> TaskID {
        let id = TaskID(call.uint64() ?? 0)
        guard tasks.contains(id) else { throw LifeError(.unknown, "this program has no \(id)") }
        return id
    }

    private func state(_ call: Incoming) throws(LifeError) -> StateID {
        let id = StateID(call.uint64() ?? 0)
        guard states.contains(id) else { throw LifeError(.unknown, "this program has no \(id)") }
        return id
    }

    private func token(_ call: Incoming) throws(LifeError) -> SaveToken {
        guard let raw = call.uint32() else { throw LifeError(.badParameter, "a serial is expected") }
        return SaveToken(raw)
    }

    // MARK: Signals

    func saveState(_ id: StateID, _ token: SaveToken) {
        service.emit(self, "SaveState") {
            $0.uint64(id.raw)
            $0.uint32(token.raw)
        }
    }

    func taskExpires(_ id: TaskID, in seconds: Double) {
        service.emit(self, "TaskExpires") {
            $0.uint64(id.raw)
            $0.uint32(Self.milliseconds(seconds))
        }
    }

    func taskExpired(_ id: TaskID) { service.emit(self, "TaskExpired") { $0.uint64(id.raw) } }
    func phaseChanged(_ phase: VisiblePhase) { service.emit(self, "PhaseChanged") { $0.string(phase.rawValue) } }
    func resumed(after seconds: Double) { service.emit(self, "Resumed") { $0.uint32(Self.milliseconds(seconds)) } }
    func memoryIsLow() { service.emit(self, "MemoryLow") }

    private static func milliseconds(_ seconds: Double) -> UInt32 { UInt32(clamping: Int64(max(0, min(seconds, 4e6)) * 1000)) }
}
