import Clocks
import Glibc

/// Reports which processes are called on a bus, and by which process.
///
/// A monitor of a bus must send nothing, so there are two connections: one sees the calls, the other asks for the
/// processes behind the names. Neither blocks. It does not reconnect: after `onEnd`, make another one.
package final class CallWatch {
    package struct Call {
        /// The process that owns the called name.
        package var callee: Int32
        /// The calling process; nil if it has left the bus.
        package var caller: Int32?
        /// With `Purpose.showing`: the ancestors of the caller when it came to the bus.
        package var ancestors: [Int32] = []
    }

    package enum End {
        /// The bus does not let this program monitor the calls of others.
        case refused(String)
        /// There is no such bus, or the connection ended.
        case lost
    }

    /// The calls that are seen.
    package enum Purpose {
        /// All calls, and signals that wake their receiver as a call does.
        case everything
        /// Calls that ask an app to show something, by a name whose program may still have to be started.
        case showing
    }

    /// Called once every call is seen.
    package var onReady: () -> Void = {}
    package var onCall: (Call) -> Void = { _ in }
    /// A notification was used. The notification service signals this to the whole bus, although it concerns one app.
    package var onNotificationUsed: () -> Void = {}
    /// The watch has ended. Called once.
    package var onEnd: (End) -> Void = { _ in }

    /// Returns the ancestors of a process. With `Purpose.showing`, called for each process that comes to the bus: a program may end as
    /// soon as it has sent its call, and has no ancestors then.
    package var ancestors: (Int32) -> [Int32] = { _ in [] }

    package private(set) var isReady = false
    private let monitor: Line, resolver: Line
    private var hasEnded = false
    private var processes = ProcessesOfNames()
    private let purpose: Purpose
    /// The callers of names that have no owner yet, as the bus starts it.
    private var awaited: [String: Comer] = [:]
    private static let mostAwaited = 16
    /// The processes that came to the bus last, by their names there.
    private var comers = Comers()

    private static let bus = "org.freedesktop.DBus"
    private static let path = "/org/freedesktop/DBus"
    private enum Token: UInt64 { case monitor = 1 }

    private static let notifications = "org.freedesktop.Notifications"

    /// The rules of the monitor: all calls, and the signals with which portals and notification services answer, because these wake
    /// their receiver as a call does. Many notification services broadcast them.
    private static let rules = [
        "type='method_call'",
        "type='signal',interface='org.freedesktop.portal.Request',member='Response'",
        "type='signal',interface='org.freedesktop.portal.GlobalShortcuts',member='Activated'",
        "type='signal',interface='org.freedesktop.portal.GlobalShortcuts',member='Deactivated'",
        // From the owner of the name only: any program may send such a signal.
        "type='signal',sender='\(notifications)',interface='\(notifications)',member='ActionInvoked'",
        "type='signal',sender='\(notifications)',interface='\(notifications)',member='NotificationReplied'",
    ]

    /// File managers, programs that the bus activates, second starts of GTK programs, and browsers of Mozilla's kind.
    private static let showingRules = [
        "type='method_call',interface='org.gtk.Application'",
        "type='method_call',interface='org.freedesktop.FileManager1'",
        "type='method_call',interface='org.freedesktop.Application',member='Activate'",
        "type='method_call',interface='org.freedesktop.Application',member='Open'",
        "type='method_call',interface='org.freedesktop.Application',member='ActivateAction'",
        "type='method_call',member='OpenURL'",
    ]

    /// The event loop has to follow both.
    package var lines: [any FollowedBus] { [monitor, resolver] }

    /// Starts connecting.
    package init(address: String, _ purpose: Purpose = .everything) {
        self.purpose = purpose
        monitor = Line(address: address, kind: .monitor)
        resolver = Line(address: address, kind: .plain)
        monitor.onReady = { [unowned self] in becomeMonitor() }
        monitor.onSeen = { [unowned self] in seen($0) }
        monitor.onAnswer = { [unowned self] _, answer in
            switch answer {
            case .success:
                isReady = true
                onReady()
            case .failure(let error): end(.refused(error.text.isEmpty ? error.name : error.text))
            }
        }
        resolver.onReady = { [unowned self] in
            // Subscribe on this connection, so that the signals arrive in order with the answers.
            resolver.connection?.match("type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged'")
        }
        resolver.onOwnerChanged = { [unowned self] name in
            processes.forget(name)
            if purpose == .showing, name.hasPrefix(":"), comers[name] == nil {
                resolve(name) { [unowned self] in
                    if let process = $0 { comers[name] = Comer(process: process, ancestors: ancestors(process)) }
                }
            }
            guard let caller = awaited.removeValue(forKey: name) else { return }
            resolve(name) { [unowned self] in report($0, caller) }
        }
        resolver.onAnswer = { [unowned self] token, answer in
            let process = try? answer.get()
            for then in processes.answered(token, process) { then(process) }
        }
        for line in [monitor, resolver] { line.onLost = { [unowned self] in end(.lost) } }
    }

    /// Do not call this from a callback of a bus.
    package func close() {
        hasEnded = true
        monitor.close()
        resolver.close()
    }

    private func end(_ end: End) {
        guard !hasEnded else { return }
        hasEnded = true
        isReady = false
        onEnd(end)
    }

    private func becomeMonitor() {
        monitor.connection?.call(
            Self.bus, Self.path, "\(Self.bus).Monitoring", "BecomeMonitor", token: Token.monitor.rawValue, timeout: 2_000_000
        ) {
            $0.texts(purpose == .showing ? Self.showingRules : Self.rules)
            $0.uint32(0)
        }
    }

    private func seen(_ message: Incoming) {
        let destination = message.destination, sender = message.sender
        // A call that names no destination looks the same.
        if isReady, destination.isEmpty, message.isSignal, message.interface == Self.notifications { return onNotificationUsed() }
        guard isReady, !destination.isEmpty, destination != Self.bus, sender != Self.bus else { return }
        if purpose == .showing { return asked(destination, by: sender) }
        resolve(destination) { [unowned self] callee in
            guard let callee else { return }
            resolve(sender) { [unowned self] in onCall(Call(callee: callee, caller: $0)) }
        }
    }

    /// The caller first: it may leave the bus as soon as it has its answer.
    private func asked(_ name: String, by sender: String) {
        if let caller = comers[sender] { return asked(name, by: caller) }
        resolve(sender) { [unowned self] in if let caller = $0 { asked(name, by: Comer(process: caller, ancestors: ancestors(caller))) } }
    }

    private func asked(_ name: String, by caller: Comer) {
        resolve(name) { [unowned self] callee in
            if callee != nil { return report(callee, caller) }
            if awaited.count >= Self.mostAwaited { awaited.removeAll() }
            awaited[name] = caller
        }
    }

    private func report(_ callee: Int32?, _ caller: Comer) {
        if let callee { onCall(Call(callee: callee, caller: caller.process, ancestors: caller.ancestors)) }
    }

    private func resolve(_ name: String, _ then: @escaping (Int32?) -> Void) {
        switch processes.look(up: name, then) {
        case .known(let process): then(process)
        case .asked: break
        case .ask(let token):
            let isSent = resolver.connection?.call(
                Self.bus, Self.path, Self.bus, "GetConnectionUnixProcessID", token: token, timeout: 2_000_000
            ) { $0.string(name) }
            if isSent != true { for then in processes.answered(token, nil) { then(nil) } }
        }
    }
}

/// A process that came to the bus, with its ancestors at that time, nearest first.
private struct Comer {
    var process: Int32
    var ancestors: [Int32]
}

/// The last ones, also when they have left.
private struct Comers {
    private var known: [String: Comer] = [:]
    private var names: [String] = []
    private static let most = 64

    subscript(name: String) -> Comer? {
        get { known[name] }
        set {
            if known[name] == nil {
                names.append(name)
                if names.count > Self.most { known[names.removeFirst()] = nil }
            }
            known[name] = newValue
        }
    }
}

/// The processes behind the names of a bus, as far as they were asked for.
struct ProcessesOfNames {
    typealias Then = (Int32?) -> Void

    enum Answer {
        case known(Int32)
        /// The question was sent.
        case asked
        /// Ask the bus, with this token.
        case ask(UInt64)
    }

    private var known: [String: Int32] = [:]
    private var asked: [UInt64: (name: String, waiting: [Then])] = [:]
    private var tokens: [String: UInt64] = [:]
    private var lastToken: UInt64 = 0

    /// A program that reconnects again and again must not fill the memory.
    static let most = 4096

    mutating func look(up name: String, _ then: @escaping Then) -> Answer {
        if let process = known[name] { return .known(process) }
        if let token = tokens[name] {
            asked[token]!.waiting.append(then)
            return .asked
        }
        lastToken += 1
        tokens[name] = lastToken
        asked[lastToken] = (name, [then])
        return .ask(lastToken)
    }

    /// Returns the calls that waited for this answer.
    mutating func answered(_ token: UInt64, _ process: Int32?) -> [Then] {
        guard let (name, waiting) = asked.removeValue(forKey: token) else { return [] }
        tokens[name] = nil
        if known.count >= Self.most { known.removeAll() }
        // A failed question is not an answer. A call to a name without an owner may start the owner.
        if let process { known[name] = process }
        return waiting
    }

    /// The name has another owner, or none any more.
    mutating func forget(_ name: String) { known[name] = nil }
}

/// One of the two connections.
private final class Line: FollowedBus, BusHandler {
    private(set) var connection: BusConnection?
    private var lastInterest = LoopInterest()
    private var isReady = false
    private var hasLost = false

    var onReady: () -> Void = {}
    var onLost: () -> Void = {}
    /// A message between others.
    var onSeen: (Incoming) -> Void = { _ in }
    var onAnswer: (UInt64, Result<Int32?, BusError>) -> Void = { _, _ in }
    var onOwnerChanged: (String) -> Void = { _ in }

    var onChange: (() -> Void)?
    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    /// Without a connection, `process` reports that.
    var deadline: Int64? { connection == nil ? (hasLost ? nil : 0) : connection?.deadline }

    /// The most messages per call, so that a flood of calls leaves the shell time for other work.
    private static let steps = 64

    init(address: String, kind: BusConnection.Kind) {
        connection = BusConnection(address: address, kind: kind, handler: self)
    }

    func process() {
        lastInterest.woke(at: Clocks.monotonicNanoseconds)
        let isThere = connection?.process(steps: Self.steps) ?? false
        if isThere, !isReady, connection?.isReady == true {
            isReady = true
            onReady()
        }
        if !isThere, !hasLost {
            close()
            onLost()
        }
        if lastInterest.update(self) { onChange?() }
    }

    /// The loop stops watching before the descriptor is closed, because its number may be reused at once.
    func close() {
        hasLost = true
        guard let old = connection else { return }
        connection = nil
        if lastInterest.update(self) { onChange?() }
        old.close()
    }

    // MARK: BusHandler

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        onAnswer(token, answer.map { answer in answer.uint32().flatMap { Int32(exactly: $0) } })
    }

    func signal(_ signal: Incoming) {
        if let name = signal.string() { onOwnerChanged(name) }
    }

    func seen(_ message: Incoming) { onSeen(message) }
}
