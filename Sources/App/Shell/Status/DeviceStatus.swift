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
    private var light: Backlight?
    /// The value that the login manager sets now, and the one that a person wants after it.
    private var isSetting = false
    private var wanted: Double?

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
        bus.onRefusal = { [unowned shell] service, reason in shell.receive(.status(.refused(service, reason))) }
        bus.onNote = { [unowned self] in note($0) }
        follower = BusFollower(bus, shell.compositor)
        light = Backlight(in: shell.environment["MULLION_BACKLIGHTS"] ?? "/sys/class/backlight")
        tellLight()
    }

    /// Another program or a key of the firmware may have changed it.
    private func tellLight() { if let share = light?.share { shell.receive(.status(.brightness(share))) } }

    private func setLight(_ share: Double) {
        guard let light, let bus else { return }
        guard !isSetting else { return wanted = share }
        isSetting = true
        bus.setBacklight(light.name, to: light.value(for: share)) { [unowned self] reason in
            isSetting = false
            if let reason {
                wanted = nil
                shell.receive(.status(.refused([], reason)))
                tellLight()
            } else if let next = wanted {
                wanted = nil
                setLight(next)
            }
        }
    }

    private func note(_ reason: String) { shell.log.debug("the state of the device: \(reason)") }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .status(let effect) = effect else { return }
        switch effect {
        case .clock(let isOn): tick(isOn)
        case .set(.brightness(let share)): setLight(share)
        case .set(.wireless(let isOn)): bus?.setWireless(isOn)
        case .set(.bluetooth(let isOn)): bus?.setBluetooth(isOn)
        }
    }

    private func tick(_ isOn: Bool) {
        clock?.cancel()
        clock = nil
        guard isOn else { return }
        clock = MinuteClock(shell.compositor) { [unowned self] in
            tellTime()
            if !isSetting { tellLight() }
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
