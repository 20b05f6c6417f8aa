import Compositor
import Geometry
import Locking
import MessageBus
import Multitasking

/// Asks fprintd for a finger of the person while the session is locked.
final class Fingerprints: Adapter {
    private unowned let shell: Shell
    private var reader: FingerReader?
    private var follower: BusFollower?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.finger]

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .finger(let effect) = effect else { return }
        switch effect {
        case .read: start()?.read()
        case .stop: reader?.stop()
        case .log(let reason): shell.log.notice("the fingerprint reader: \(reason)")
        }
    }

    private func start() -> FingerReader? {
        if let reader { return reader }
        guard let address = BusAddress.system(shell.environment) else { return nil }
        let new = FingerReader(address: address)
        new.onEvent = { [unowned self] in shell.receive(.finger($0)) }
        reader = new
        follower = BusFollower(new, shell.compositor)
        return new
    }

    func stop() {
        follower?.end()
        follower = nil
        reader?.close()
        reader = nil
    }
}
