import Clocks
import Compositor
import Geometry
import Glibc
import Logging
import MessageBus
import Processes

/// Watches a bus for calls: all of them while apps are frozen, so that a called app can be thawed to answer, or at any time those that
/// ask an app to show something.
///
/// While no app is frozen there is no connection for the former, because each call on the bus would wake the shell.
final class FrozenCalls {
    /// Called with the process that is called and the caller, if known.
    var onCall: (CallWatch.Call) -> Void = { _ in }

    /// A notification is used, of a program that is not known.
    var onNotificationUsed: () -> Void = {}

    private unowned let shell: Shell
    private let name: String
    private let purpose: CallWatch.Purpose
    private let address: () -> String?
    private var watch: CallWatch?
    private var followers: [BusFollower] = []
    /// Callbacks to run once calls are seen.
    private var waiting: [() -> Void] = []
    /// Connects, gives up waiting, or disconnects; never within a callback of the bus.
    private var timer: EventSource?
    private var isWanted = false
    private var isRefused = false
    private var pauses = Pauses()
    private var retryAt: Int64?
    private var giveUpAt: Int64?

    /// How long a freeze waits for the bus, in nanoseconds.
    private static let patience: Int64 = 300_000_000

    /// - Parameters:
    ///   - name: the bus's name in messages.
    ///   - purpose: the calls to watch.
    ///   - address: the bus's address; nil while there is no bus.
    init(_ shell: Shell, _ name: String, _ purpose: CallWatch.Purpose = .everything, address: @escaping () -> String?) {
        self.shell = shell
        self.name = name
        self.purpose = purpose
        self.address = address
        timer = shell.compositor.timer { [unowned self] in look() }
    }

    /// Calls `then` as soon as no call can be missed, or when calls cannot be watched at all.
    func begin(_ then: @escaping () -> Void) {
        isWanted = true
        guard !isRefused, watch?.isReady != true, let address = address() else { return then() }
        waiting.append(then)
        if giveUpAt == nil { giveUpAt = Clocks.monotonicNanoseconds + Self.patience }
        if watch == nil, retryAt == nil { connect(address) }
        arm()
    }

    /// No app is frozen any more.
    func end() {
        guard isWanted else { return }
        isWanted = false
        arm()
    }

    func stop() {
        timer?.cancel()
        timer = nil
        waiting.removeAll()
        disconnect()
    }

    private func look() {
        let now = Clocks.monotonicNanoseconds
        guard isWanted else {
            (retryAt, giveUpAt) = (nil, nil)
            waiting.removeAll()
            return disconnect()
        }
        if let retry = retryAt, retry <= now {
            retryAt = nil
            disconnect()
            if !isRefused, let address = address() { connect(address) }
        }
        if let giveUp = giveUpAt, giveUp <= now { goOn() }
        arm()
    }

    private func arm() {
        let due = isWanted ? [retryAt, giveUpAt].compactMap(\.self).min() : 0
        timer?.arm(due.map(Moment.init(nanoseconds:)))
    }

    private func connect(_ address: String) {
        let watch = CallWatch(address: address, purpose)
        self.watch = watch
        watch.onReady = { [unowned self] in
            pauses.reset()
            goOn()
            arm()
        }
        watch.onCall = { [unowned self] in onCall($0) }
        watch.ancestors = ProcessTree.ancestors(of:)
        watch.onNotificationUsed = { [unowned self] in onNotificationUsed() }
        watch.onEnd = { [unowned self] in ended($0) }
        followers = watch.lines.map { BusFollower($0, shell.compositor) }
    }

    private func ended(_ end: CallWatch.End) {
        switch end {
        case .refused(let reason):
            isRefused = true
            retryAt = 0
            switch purpose {
            case .everything: shell.log.info("the \(name) does not show calls to frozen apps (\(reason)): they answer when they are opened")
            case .showing: shell.log.info("the \(name) does not show who asks apps to open something (\(reason)): they wait with a banner")
            }
        case .lost: retryAt = Clocks.monotonicNanoseconds + pauses.take()
        }
        goOn()
        arm()
    }

    private func goOn() {
        giveUpAt = nil
        let ready = waiting
        waiting.removeAll()
        for then in ready { then() }
    }

    private func disconnect() {
        for follower in followers { follower.end() }
        followers.removeAll()
        watch?.close()
        watch = nil
    }
}
