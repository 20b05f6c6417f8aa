import Compositor
import Geometry
import Glibc
import Logging
import MessageBus
import Multitasking
import Status
import StatusBus

/// The state of the device: the services of the system bus, and the clock of the status bar, which wakes the processor once a minute.
final class DeviceStatus: Adapter {
    private unowned let shell: Shell
    private var bus: StatusBus?
    private var follower: BusFollower?
    private var clock: MinuteClock?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.status]

    func start() {
        guard let address = BusAddress.system(shell.environment) else { return note("the address of the system bus is of no use") }
        let bus = StatusBus(address: address)
        self.bus = bus
        bus.onBattery = { [unowned shell] in shell.receive(.status(.battery($0))) }
        bus.onNetwork = { [unowned shell] in shell.receive(.status(.network($0))) }
        bus.onBluetooth = { [unowned shell] in shell.receive(.status(.bluetooth($0))) }
        bus.onHang = { [unowned shell] services in
            shell.log.warning("a service of the machine does not answer: \(services.inWords)")
            shell.receive(.status(.hangs(services)))
        }
        bus.onNote = { [unowned self] in note($0) }
        follower = BusFollower(bus, shell.compositor)
    }

    private func note(_ reason: String) { shell.log.debug("the state of the device: \(reason)") }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .status(.clock(let isOn)) = effect else { return }
        clock?.cancel()
        clock = nil
        guard isOn else { return }
        clock = MinuteClock(shell.compositor) { [unowned self] in
            tellTime()
            bus?.minutePassed()
        }
        tellTime()
    }

    private func tellTime() { shell.adapter(Look.self).tellTime() }

    func stop() {
        clock?.cancel()
        clock = nil
        follower?.end()
        follower = nil
        bus?.close()
        bus = nil
    }
}

extension StatusServices {
    fileprivate var inWords: String {
        [(StatusServices.battery, "UPower"), (.network, "NetworkManager"), (.bluetooth, "BlueZ")].filter { contains($0.0) }.map(\.1)
            .joined(separator: ", ")
    }
}
