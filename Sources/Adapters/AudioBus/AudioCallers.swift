import Callers
import MessageBus

/// The connections that asked for a sound, and the owner of each. A call is answered once the bus has named the calling process, because
/// the owner decides how much a caller may do (P-06).
final class AudioCallers {
    struct Caller {
        var process: Int32
        var owner: Owner
    }

    private struct Known {
        let watch: BusWatch?
        var caller: Caller?
        /// The calls that wait until the bus has named the caller. They get nil if it does not.
        var waiting: [(Caller?) -> Void] = []
    }

    /// Connections that are not identified yet, and calls of one of them.
    private static let strangerLimit = 64, waitingLimit = 64

    private unowned let bus: AudioBus
    private var known: [String: Known] = [:]

    init(_ bus: AudioBus) { self.bus = bus }

    /// Calls `body` as soon as the sender is known, perhaps at once; with nil if it is not, or has too many connections.
    func identify(_ sender: String, _ body: @escaping (Caller?) -> Void) {
        if let one = known[sender] {
            if let caller = one.caller { return body(caller) }
            guard one.waiting.count < Self.waitingLimit else { return body(nil) }
            known[sender]!.waiting.append(body)
            return
        }
        guard known.values.count(where: { $0.caller == nil }) < Self.strangerLimit else { return body(nil) }
        known[sender] = Known(watch: bus.connection?.watch(BusLink.ownerRule(sender)), waiting: [body])
        bus.callBus("GetConnectionUnixProcessID", sender) { [unowned self] answer in
            guard let waiting = known[sender]?.waiting else { return }
            known[sender]?.waiting = []
            guard let number = (try? answer.get())?.uint32() else {
                known[sender] = nil
                for body in waiting { body(nil) }
                return
            }
            let process = Int32(clamping: number), caller = Caller(process: process, owner: bus.owner(process))
            if bus.holdings.take(.audioConnections, for: caller.owner) {
                known[sender]?.caller = caller
                for body in waiting { body(caller) }
            } else {
                known[sender] = nil
                for body in waiting { body(nil) }
            }
        }
    }

    func gone(_ sender: String) {
        guard let one = known.removeValue(forKey: sender) else { return }
        if let caller = one.caller { bus.holdings.giveBack(.audioConnections, for: caller.owner) }
    }

    func forgetAll() {
        for sender in known.keys.sorted() { gone(sender) }
    }
}
