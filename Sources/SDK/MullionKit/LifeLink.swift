import Clocks
import MessageBus

/// Connects an app to `org.mullion.Life1`: finds the service, and sends it everything again when the shell restarts.
final class LifeLink {
    static let service = "org.mullion.Life1"
    private static let path = "/org/mullion/Life1"
    private static let purpose = "serves background tasks"
    private static let bus = "org.freedesktop.DBus"

    weak var life: AppLife?
    private(set) var connection: BusConnection?
    /// The unique name of the shell; "" if there is none; nil if not known yet.
    private var owner: String?
    private var tasks: [ObjectIdentifier: Weak<BackgroundTask>] = [:]
    private var states: [ObjectIdentifier: Weak<WindowState>] = [:]
    private let pending = PendingCalls()
    private var news: [() -> Void] = []
    private var isProcessing = false
    private var isClosing = false

    private struct Weak<Object: AnyObject> {
        weak var object: Object?
    }

    init(address: String?) throws(MullionError) {
        let address = try SessionBus.address(address)
        connection = BusConnection(address: address, handler: self)
        guard connection != nil else { throw .unreachable(address) }
    }

    var isServed: Bool { !(owner ?? "").isEmpty }

    func begin() {
        connection?.match(
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.service)'")
        connection?.match("type='signal',interface='\(Self.service)'")
        call(Self.bus, "/org/freedesktop/DBus", Self.bus, "GetNameOwner", { $0.string(Self.service) }) { [unowned self] in
            // A signal may have reported it earlier.
            guard owner == nil else { return }
            found((try? $0.get())?.string() ?? "")
        }
    }

    func close() {
        // The connection cannot be closed from a handler.
        guard !isProcessing else { return isClosing = true }
        guard let old = connection else { return }
        connection = nil
        pending.removeAll()
        found("")
        while !news.isEmpty { news.removeFirst()() }
        life?.onLoopChange()
        old.close()
    }

    // MARK: Tasks

    func add(_ task: BackgroundTask) {
        tasks[ObjectIdentifier(task)] = Weak(object: task)
        if isServed { begin(task) } else if owner == "" { refuseLater(task) }
    }

    private func begin(_ task: BackgroundTask) {
        request("BeginTask", { $0.string(task.name) }) { [weak task, unowned self] (answer: Result<Incoming, BusError>) in
            switch answer {
            case .success(let message):
                guard let id = message.uint64() else { return }
                guard let task, task.state != .ended else { return endTask(id) }
                task.id = id
                task.state = .running
                tellProgress(of: task)
            case .failure(let error):
                guard let task, task.state == .beginning else { return }
                task.state = .refused(MullionError(error, Self.purpose))
                news.append { task.onRefused(MullionError(error, Self.purpose)) }
            }
        }
    }

    private func refuseLater(_ task: BackgroundTask) {
        news.append { [weak task] in
            guard let task, task.state == .beginning else { return }
            let error = MullionError.absent(Self.purpose)
            task.state = .refused(error)
            task.onRefused(error)
        }
    }

    func tellProgress(of task: BackgroundTask) {
        guard let id = task.id, let progress = task.progress, (0...1).contains(progress), isServed else { return }
        request(
            "SetProgress",
            {
                $0.uint64(id)
                $0.double(progress)
            })
    }

    func end(_ task: BackgroundTask, telling text: String? = nil) {
        tasks[ObjectIdentifier(task)] = nil
        if let id = task.id, isServed, let text {
            request(
                "FinishTask",
                {
                    $0.uint64(id)
                    $0.string(text)
                }
            ) { [weak self] (answer: Result<Incoming, BusError>) in
                // An older shell does not know it.
                if case .failure = answer { self?.endTask(id) }
            }
        } else if let id = task.id {
            endTask(id)
        }
        task.id = nil
    }

    func endTask(_ id: UInt64) { if isServed { request("EndTask", { $0.uint64(id) }) } }

    // MARK: State

    func add(_ state: WindowState) {
        states[ObjectIdentifier(state)] = Weak(object: state)
        if isServed { offer(state) } else if owner == "" { settle(state, nil) }
    }

    private func offer(_ state: WindowState) {
        request("OfferState", { $0.string(state.name) }) { [weak state, unowned self] (answer: Result<Incoming, BusError>) in
            switch answer {
            case .success(let message):
                guard let id = message.uint64() else { return }
                guard let state, state.link != nil else { return withdraw(id) }
                state.id = id
                let bytes = message.bytes().map { [UInt8]($0) } ?? []
                settle(state, bytes.isEmpty ? nil : bytes)
            case .failure(let error):
                guard let state else { return }
                settle(state, nil)
                news.append { state.onRefused(MullionError(error, Self.purpose)) }
            }
        }
    }

    /// The shell reported the kept state. After a restart of the shell, the app's own state is newer.
    private func settle(_ state: WindowState, _ bytes: [UInt8]?) {
        guard !state.isReady else { return }
        state.isReady = true
        state.restored = bytes
        news.append { state.onReady() }
    }

    func tellChanged(_ id: UInt64) { if isServed { request("StateChanged", { $0.uint64(id) }) } }

    func withdraw(_ id: UInt64) { if isServed { request("WithdrawState", { $0.uint64(id) }) } }

    func forget(_ state: WindowState) { states[ObjectIdentifier(state)] = nil }

    private func save(_ id: UInt64, _ serial: UInt32) {
        guard let state = states.values.lazy.compactMap(\.object).first(where: { $0.id == id }) else { return }
        let bytes = state.onSave()
        request(
            bytes == nil ? "NoState" : "SubmitState",
            {
                $0.uint64(id)
                $0.uint32(serial)
                if let bytes { $0.bytes(bytes) }
            }
        ) { [weak state, unowned self] answer in
            guard case .failure(let error) = answer else { return }
            news.append { state?.onRefused(MullionError(error, Self.purpose)) }
        }
    }

    func wait(for state: WindowState, seconds: Double) {
        let end = Clocks.monotonicNanoseconds + Int64(max(0, min(seconds, 1e6)) * 1e9)
        while !state.isReady, connection != nil {
            let left = end - Clocks.monotonicNanoseconds
            guard left > 0 else { return }
            wait(seconds: Double(left) / 1e9)
        }
    }

    // MARK: The service

    private func request(
        _ member: String, _ write: @escaping (inout Outgoing) -> Void = { _ in },
        done: @escaping (Result<Incoming, BusError>) -> Void = { _ in }
    ) {
        guard let owner, !owner.isEmpty else { return }
        call(owner, Self.path, Self.service, member, write, done: done)
        life?.onLoopChange()
    }

    private func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ write: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        pending.call(connection, destination, path, interface, member, write, done: done)
    }

    private func found(_ name: String) {
        guard owner != name else { return }
        owner = name
        for task in tasks.values.compactMap(\.object) where task.waitsForShell {
            task.id = nil
            if name.isEmpty { refuseLater(task) } else { begin(task) }
        }
        for state in states.values.compactMap(\.object) {
            state.id = nil
            if name.isEmpty { settle(state, nil) } else { offer(state) }
        }
        guard !name.isEmpty else { return }
        request(
            "Watch",
            done: { [unowned self] in
                if let phase = (try? $0.get())?.string() { enter(phase) }
            })
    }

    private func enter(_ name: String) {
        guard let phase = AppLife.Phase(rawValue: name), phase != life?.phase else { return }
        life?.phase = phase
        news.append { [weak self] in self?.life?.onPhase(phase) }
    }

    // MARK: Event loop

    var timeout: Int32 {
        news.isEmpty ? BusConnection.milliseconds(until: connection?.deadline) : 0
    }

    func process() {
        guard !isProcessing, let connection else { return }
        // The app may release the object inside a callback.
        let me = self
        defer { withExtendedLifetime(me) {} }
        isProcessing = true
        let lives = connection.process(steps: 64)
        // Callbacks may cause further callbacks.
        while !news.isEmpty { news.removeFirst()() }
        isProcessing = false
        if !lives || isClosing { close() }
        life?.onLoopChange()
    }

    func wait(seconds: Double) {
        guard let connection else { return }
        connection.wait(milliseconds: timeout, seconds: seconds)
        process()
    }
}

extension LifeLink: BusHandler {
    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        pending.answer(token, answer)
    }

    package func signal(_ signal: Incoming) {
        if signal.interface == Self.bus, signal.sender == Self.bus {
            guard signal.string() == Self.service, signal.string() != nil, let new = signal.string() else { return }
            return found(new)
        }
        guard signal.sender == owner, signal.path == Self.path else { return }
        switch signal.member {
        case "SaveState":
            guard let id = signal.uint64(), let serial = signal.uint32() else { return }
            news.append { [unowned self] in save(id, serial) }
        case "TaskExpires":
            guard let task = task(signal), let left = signal.uint32() else { return }
            news.append { task.onExpiring(Double(left) / 1000) }
        case "TaskExpired":
            guard let task = task(signal) else { return }
            task.state = .expired
            news.append { task.onExpired() }
        case "PhaseChanged": if let name = signal.string() { enter(name) }
        case "Resumed":
            guard let time = signal.uint32() else { return }
            news.append { [weak self] in self?.life?.onResumed(Double(time) / 1000) }
        case "MemoryLow": news.append { [weak self] in self?.life?.onMemoryLow() }
        default: break
        }
    }

    private func task(_ signal: Incoming) -> BackgroundTask? {
        guard let id = signal.uint64() else { return nil }
        return tasks.values.lazy.compactMap(\.object).first { $0.id == id && $0.state == .running }
    }
}
