import Clocks
import MessageBus

/// The user's service manager (systemd), which makes scopes. No call waits: the outcome of a request arrives later.
final class UserManager: BusHandler {
    enum Outcome: Equatable {
        case done
        /// The manager refused, or the shell cannot reach it.
        case refused(String)
        /// The manager did not answer in time. It may still carry out the request.
        case silent
    }

    typealias Done = (Outcome) -> Void

    /// Called before the connection closes.
    var willClose: () -> Void = {}

    private let address: String
    private(set) var connection: BusConnection?
    private var watch: BusWatch?
    private var calls: [UInt64: Done] = [:]
    private var lastToken: UInt64 = 0
    /// Units whose job has not finished.
    private var units: [String: (done: Done, deadline: Int64)] = [:]
    /// Nanoseconds of CLOCK_MONOTONIC.
    private var nextAttempt: Int64 = 0

    private static let name = "org.freedesktop.systemd1"
    private static let path = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"
    /// How long the manager may take to make a scope, in nanoseconds.
    private static let patience: Int64 = 2_000_000_000
    private static let pause: Int64 = 3_000_000_000

    init(address: String) { self.address = address }

    var deadline: Int64? {
        ([connection?.deadline] + units.values.map(\.deadline)).compactMap(\.self).min()
    }

    /// Puts the processes into a scope of their own in `app.slice`. systemd removes the scope after its last process.
    func makeScope(_ unit: String, app: String, processes: [Int32], done: @escaping Done) {
        guard units[unit] == nil, connect() else { return done(.refused("the session bus cannot be reached")) }
        watchJobs()
        units[unit] = (done, Clocks.monotonicNanoseconds + Self.patience)
        call(
            "StartTransientUnit",
            { call in
                call.string(unit)
                call.string("fail")
                call.container(.array, "(sv)") { properties in
                    func property(_ name: String, _ type: String, _ value: (inout Outgoing) -> Void) {
                        properties.container(.structure, "sv") {
                            $0.string(name)
                            $0.container(.variant, type, value)
                        }
                    }
                    property("Description", "s") { $0.string("\(app), an app in Mullion") }
                    property("Slice", "s") { $0.string("app.slice") }
                    property("CollectMode", "s") { $0.string("inactive-or-failed") }
                    property("PIDs", "au") { $0.container(.array, "u") { list in processes.forEach { list.uint32(UInt32($0)) } } }
                }
                call.container(.array, "(sa(sv))") { _ in }
            },
            done: { [weak self] outcome in
                // The reply only says that the job was queued; JobRemoved says when it has finished.
                if outcome != .done { self?.finish(unit, outcome) }
            })
    }

    /// Freezes or thaws a unit through the manager, for groups whose files the shell may not write.
    func freeze(_ unit: String, _ isFrozen: Bool, done: @escaping Done) {
        guard connect() else { return done(.refused("the session bus cannot be reached")) }
        call(isFrozen ? "FreezeUnit" : "ThawUnit", { $0.string(unit) }, done: done)
    }

    /// Handles the messages that have arrived.
    func process() {
        guard let connection else { return }
        let isLost = !connection.process(steps: 64)
        let now = Clocks.monotonicNanoseconds
        for (unit, pending) in units where pending.deadline <= now { finish(unit, .silent) }
        if isLost { close() }
    }

    /// Closes the connection and reports failure to every pending request. Do not call this from a handler.
    func close() {
        nextAttempt = Clocks.monotonicNanoseconds + Self.pause
        watch = nil
        willClose()
        connection?.close()
        connection = nil
        let (oldCalls, oldUnits) = (calls, units)
        (calls, units) = ([:], [:])
        let lost = Outcome.refused("the session bus went away")
        oldCalls.values.forEach { $0(lost) }
        oldUnits.values.forEach { $0.done(lost) }
    }

    private func connect() -> Bool {
        if connection != nil { return true }
        guard nextAttempt <= Clocks.monotonicNanoseconds else { return false }
        nextAttempt = Clocks.monotonicNanoseconds + Self.pause
        connection = BusConnection(address: address, handler: self)
        return connection != nil
    }

    /// Watches jobs only while a scope is being made: the manager reports many jobs that do not concern the shell.
    private func watchJobs() {
        guard watch == nil else { return }
        watch = connection?.watch(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)',member='JobRemoved'")
    }

    private func finish(_ unit: String, _ outcome: Outcome) {
        guard let pending = units.removeValue(forKey: unit) else { return }
        if units.isEmpty { watch = nil }
        pending.done(outcome)
    }

    private func call(_ member: String, _ arguments: (inout Outgoing) -> Void, done: @escaping Done) {
        lastToken += 1
        calls[lastToken] = done
        let isSent =
            connection?.call(
                Self.name, Self.path, Self.interface, member, token: lastToken, timeout: UInt64(Self.patience / 1000),
                { call in
                    call.startNothing()
                    arguments(&call)
                }) ?? false
        if !isSent, let done = calls.removeValue(forKey: lastToken) { done(.refused("the session bus takes no call")) }
    }

    // MARK: BusHandler

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        guard let done = calls.removeValue(forKey: token) else { return }
        switch answer {
        case .success: done(.done)
        case .failure(let error) where Self.timeouts.contains(error.name): done(.silent)
        case .failure(let error): done(.refused(error.text.isEmpty ? error.name : error.text))
        }
    }

    private static let timeouts: Set = ["org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout"]

    func signal(_ signal: Incoming) {
        guard signal.member == "JobRemoved", signal.uint32() != nil, signal.objectPath() != nil,
            let unit = signal.string(), let result = signal.string()
        else { return }
        finish(unit, result == "done" ? .done : .refused("its job ended with \"\(result)\""))
    }
}
