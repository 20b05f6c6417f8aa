import Clocks
import Compositor
import Glibc
import MessageBus

/// Passes environment variables to a session bus, and to the user's service manager if there is one, so that programs
/// that they start find the session's sockets. These are portals, notification daemons and agents.
///
/// Afterwards it watches for the portal of wlroots compositors (xdg-desktop-portal-wlr), which needs a wake-up: it
/// reads requests that arrive while it acquires its name, but handles them only when something else arrives (at least
/// in 0.7). xdg-desktop-portal waits 25 seconds for it, and so do GTK 4 apps that start in the meantime.
final class ActivationEnvironment: FollowedBus, BusHandler {
    private enum Token: UInt64 { case bus = 1, manager, managed, wake }

    private enum Phase: Equatable {
        /// Waiting for the next attempt.
        case waiting(until: Int64)
        case connecting
        case saying
        /// All variables have been sent.
        case listening
        case closed
    }

    private static let bus = "org.freedesktop.DBus"
    private static let manager = "org.freedesktop.systemd1"

    static let portal = "org.freedesktop.impl.portal.desktop.wlr"
    /// When to wake it, in nanoseconds after it has its name.
    private static let wakings: [Int64] = [50_000_000, 500_000_000]

    private let address: String
    private let variables: [String: String]
    private let onFailure: (String) -> Void
    private var connection: BusConnection?
    private var phase = Phase.closed
    private var answers = 0
    private var wakings: [Int64] = []
    private var lastInterest = LoopInterest()
    /// A bus that was just started is ready in a moment. One that is not ready after a minute will not come.
    private var pauses = Pauses(first: 50_000_000)
    private let end = Clocks.monotonicNanoseconds + 60_000_000_000

    var onChange: (() -> Void)?
    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    var deadline: Int64? {
        if case .waiting(let moment) = phase { return moment }
        return [connection?.deadline, wakings.first].compactMap { $0 }.min()
    }

    /// - Parameter onFailure: gets a message for troubleshooting.
    init(address: String, variables: [String: String], onFailure: @escaping (String) -> Void) {
        self.address = address
        self.variables = variables
        self.onFailure = onFailure
        begin()
    }

    private func begin() {
        connection = BusConnection(address: address, handler: self)
        phase = .connecting
        if connection == nil { retry() }
    }

    func process() {
        lastInterest.woke(at: Clocks.monotonicNanoseconds)
        if case .waiting(let moment) = phase, moment <= Clocks.monotonicNanoseconds { begin() }
        if let connection {
            let isThere = connection.process(steps: 16)
            if phase == .connecting, connection.isReady { say() }
            if answers == 2, phase == .saying { phase = .listening }
            wake()
            if !isThere { retry() }
        }
        if lastInterest.update(self) { onChange?() }
    }

    private func say() {
        phase = .saying
        connection?.match(
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.portal)'")
        connection?.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "UpdateActivationEnvironment", token: Token.bus.rawValue) {
            $0.container(.array, "{ss}") { array in
                for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
                    array.container(.entry, "ss") {
                        $0.string(name)
                        $0.string(value)
                    }
                }
            }
        }
        // Ask first: a call would start a replacement where there is none.
        connection?.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "NameHasOwner", token: Token.manager.rawValue) {
            $0.string(Self.manager)
        }
    }

    private func wake() {
        while let moment = wakings.first, moment <= Clocks.monotonicNanoseconds {
            wakings.removeFirst()
            connection?.call(Self.portal, "/", "org.freedesktop.DBus.Peer", "Ping", token: Token.wake.rawValue) {
                $0.startNothing()
            }
        }
    }

    private func retry() {
        drop()
        guard phase != .listening else { return phase = .closed }
        guard phase == .connecting, Clocks.monotonicNanoseconds < end else {
            if phase != .closed { onFailure("the session bus cannot be reached, or ended") }
            return phase = .closed
        }
        phase = .waiting(until: Clocks.monotonicNanoseconds + pauses.take())
    }

    /// The loop stops watching before the descriptor is closed, because its number may be reused at once.
    private func drop() {
        guard let old = connection else { return }
        connection = nil
        if lastInterest.update(self) { onChange?() }
        old.close()
    }

    func close() {
        phase = .closed
        drop()
    }

    // MARK: BusHandler

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        guard token != Token.wake.rawValue else { return }
        answers += 1
        switch (Token(rawValue: token), answer) {
        case (.manager, .success(let answer)) where answer.value()?.flag == true:
            answers -= 1
            connection?.call(
                Self.manager, "/org/freedesktop/systemd1", "\(Self.manager).Manager", "SetEnvironment", token: Token.managed.rawValue
            ) { message in
                message.texts(variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            }
        case (.bus, .failure(let error)), (.managed, .failure(let error)): onFailure(error.text)
        default: break
        }
    }

    func signal(_ signal: Incoming) {
        guard signal.sender == Self.bus, signal.string() == Self.portal, signal.string() != nil, let owner = signal.string() else { return }
        wakings = owner.isEmpty ? [] : Self.wakings.map { Clocks.monotonicNanoseconds + $0 }
    }
}
