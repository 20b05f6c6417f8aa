import Logging
import MessageBus
import Multitasking

/// How the device is held, while the idiom wants to know: on a watch, whether the wrist is raised.
final class PostureSensor: Adapter {
    private unowned let shell: Shell
    private var proxy: SensorProxy?
    private var follower: BusFollower?

    init(_ shell: Shell) { self.shell = shell }

    func setOn(_ isOn: Bool) { if isOn { begin() } else { stop() } }

    private func begin() {
        guard proxy == nil else { return }
        guard let address = BusAddress.system(shell.environment) else { return note("the address of the system bus is of no use") }
        let proxy = SensorProxy(address: address)
        self.proxy = proxy
        proxy.onPosture = { [unowned shell] in shell.receive(.hardware(.held($0))) }
        proxy.onNote = { [unowned self] in note($0) }
        follower = BusFollower(proxy, shell.compositor)
    }

    private func note(_ reason: String) { shell.log.debug("no sensor says how the device is held: \(reason)") }

    func stop() {
        follower?.end()
        follower = nil
        proxy?.close()
        proxy = nil
    }
}
