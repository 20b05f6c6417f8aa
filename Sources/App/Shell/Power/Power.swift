import Geometry
import Lifecycle
import Logging
import MessageBus
import Multitasking

/// Sleep and shutdown of the machine: the login manager waits until apps have handed over their state (S-04, S-13), and it
/// tells other programs whether the session is locked.
final class Power: Adapter {
    private unowned let shell: Shell
    private var manager: LoginManager?
    private var follower: BusFollower?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.power]

    func start() {
        guard let address = BusAddress.system(shell.environment) else { return note("the address of the system bus is of no use") }
        let manager = LoginManager(address: address)
        self.manager = manager
        manager.onEvent = { [unowned shell] event in
            shell.log.info("\(event.inWords)")
            shell.receive(.power(event))
        }
        manager.onLockAsked = { [unowned shell] isLock in
            shell.log.info("the login manager asks to \(isLock ? "lock" : "unlock") the session")
            shell.receive(.lockScreen(isLock ? .lockAsked : .unlockAsked))
        }
        manager.onActive = { [unowned shell] in shell.receive(.sessionActive($0)) }
        manager.onNote = { [unowned self] in note($0) }
        follower = BusFollower(manager, shell.compositor)
    }

    private func note(_ reason: String) { shell.log.debug("sleep and shutdown of the machine are not noticed: \(reason)") }

    private func tellLocked(_ isLocked: Bool) {
        manager?.setLocked(isLocked)
        shell.adapter(LifeOnBus.self).screenLocked(isLocked)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .power(let effect) = effect else { return }
        switch effect {
        case .ready: manager?.release()
        case .locked: tellLocked(true)
        case .unlocked: tellLocked(false)
        // In a window, or without a screen, another program has the button of the device.
        case .holdButton(let isOurs): manager?.setButton(isOurs && shell.compositor.ownsConsole)
        }
    }

    func stop() {
        follower?.end()
        follower = nil
        manager?.close()
        manager = nil
    }
}

extension PowerEvent {
    fileprivate var inWords: String {
        switch self {
        case .sleeps: "the machine goes to sleep"
        case .woke: "the machine is awake again"
        case .shutsDown: "the machine is switched off"
        case .staysOn: "the machine stays on"
        }
    }
}
