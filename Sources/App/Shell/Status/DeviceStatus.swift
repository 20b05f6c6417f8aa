import Compositor
import Geometry
import Glibc
import Logging
import MessageBus
import Multitasking
import Processes
import Status
import StatusBus

/// The state of the device: the services of the system bus, and the clock of the status bar, which wakes the processor once a minute.
final class DeviceStatus: Adapter {
    private unowned let shell: Shell
    private var bus: StatusBus?
    private var follower: BusFollower?
    private var clock: MinuteClock?
    private var sensor: SensorProxy?
    private var sensorFollower: BusFollower?
    private var light: Backlight?
    private var flash: FlashLight?
    private lazy var recorder = ScreenRecorder(shell)
    /// The value that the login manager sets now, and the one that a person wants after it.
    private var isSetting = false
    private var wanted: Double?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.status]

    func start() {
        guard let address = BusAddress.system(shell.environment) else { return note("the address of the system bus is of no use") }
        let bus = StatusBus(address: address)
        self.bus = bus
        bus.onBattery = { [unowned self] in tell(.status(.battery($0))) }
        bus.onNetwork = { [unowned self] in tell(.status(.network($0))) }
        bus.onBluetooth = { [unowned self] in tell(.status(.bluetooth($0))) }
        bus.onProfiles = { [unowned self] in tell(.status(.profiles($0))) }
        bus.onEnds = { [unowned self] in tell(.status(.ends($0, challenged: $1))) }
        bus.onBlockers = { [unowned self] in tell(.status(.blockers($0))) }
        bus.onNetworks = { [unowned self] in tell(.wireless(.facts($0))) }
        bus.onJoined = { [unowned self] in tell(.wireless(.ended(attempt: $0, $1))) }
        bus.onSecretAsked = { [unowned self] in
            tell(.wireless(.asked($0, ssid: $1, security: $2, isNew: $3, mayAsk: $4)))
        }
        bus.onSecretWithdrawn = { [unowned self] in tell(.wireless(.withdrawn($0))) }
        bus.onDevices = { [unowned self] in tell(.pairing(.devices($0))) }
        bus.onDeviceDone = { [unowned self] in tell(.pairing(.done(path: $0, failure: $1))) }
        bus.onPairingAsked = { [unowned self] in
            tell(.pairing(.asked($0, path: $1, name: $2, $3, isPaired: $4)))
        }
        bus.onPairingWithdrawn = { [unowned self] in tell(.pairing(.withdrawn($0))) }
        bus.onVolumes = { [unowned self] in tell(.drives($0.map { .volumes($0) } ?? .absent)) }
        bus.onDriveStep = { [unowned self] in tell(.drives(.ended(step: $0, $1))) }
        bus.onLocation = { [unowned self] in tell(.locating(.inUse($0))) }
        bus.onLocationAsked = { [unowned self] in tell(.locating(.asked($0, app: $1))) }
        bus.onLocationWithdrawn = { [unowned self] in tell(.locating(.withdrawn($0))) }
        bus.onHang = { [unowned self] services in
            shell.log.warning("a service of the machine does not answer: \(services.inWords)")
            switch services {
            // They stay where they are while UDisks hangs, and a person's wish hears that it does not answer.
            case .drives: break
            case .location: tell(.locating(.inUse(nil)))
            default: tell(.status(.hangs(services)))
            }
        }
        bus.onRefusal = { [unowned self] service, reason in tell(.status(.refused(service, reason))) }
        bus.onNote = { [unowned self] in note($0) }
        follower = BusFollower(bus, shell.compositor)
        light = Backlight(in: shell.environment["MULLION_BACKLIGHTS"] ?? "/sys/class/backlight")
        tellLight()
        flash = FlashLight(in: shell.environment["MULLION_LEDS"] ?? "/sys/class/leds")
        if let flash { tell(.status(.flashLight(flash.isOn))) }
        recorder.tell()
        tellUpdates()
        if let seat = shell.environment["XDG_SEAT_PATH"], seat.hasPrefix("/org/freedesktop/DisplayManager/") {
            bus.findGreeter(seat) { [unowned self] in tell(.status(.userSwitching($0))) }
        }
        // How the device is held.
        let sensor = SensorProxy(address: address, claims: false)
        self.sensor = sensor
        sensor.onSensor = { [unowned self] in tell(.turning(.sensor($0))) }
        sensor.onHeld = { [unowned self] in tell(.turning(.held($0))) }
        sensorFollower = BusFollower(sensor, shell.compositor)
    }

    /// A connection that is closed at the end tells of losses that are none.
    private func tell(_ event: Event) { if bus != nil { shell.receive(event) } }

    /// Another program or a key of the firmware may have changed it.
    private func tellLight() { if let share = light?.share { shell.receive(.status(.brightness(share))) } }

    /// Whether PackageKit has prepared updates for the next restart.
    private func tellUpdates() {
        let folder = shell.environment["MULLION_UPDATES"] ?? "/var/lib/PackageKit"
        tell(.status(.updates(access("\(folder)/prepared-update", F_OK) == 0)))
    }

    private func setFlash(_ isOn: Bool) {
        guard let flash, let bus else { return }
        bus.setBacklight(flash.name, of: "leds", to: isOn ? flash.largest : 0) { [unowned self] reason in
            if let reason { shell.receive(.status(.refused(.lamp, reason))) }
            shell.receive(.status(.flashLight(flash.isOn)))
        }
    }

    func ended(_ exit: ProcessExit) -> Bool { recorder.ended(exit) }

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
        case .set(.flashLight(let isOn)): setFlash(isOn)
        case .set(.record(let isOn)): recorder.record(isOn)
        case .set(.wireless(let isOn)): bus?.setWireless(isOn)
        case .set(.bluetooth(let isOn)): bus?.setBluetooth(isOn)
        case .set(.cellular(let isOn)): bus?.setCellular(isOn)
        case .set(.powerProfile(let name)): bus?.setProfile(name)
        case .set(.end(let how)): bus?.end(how, anyway: false)
        case .set(.endAnyway(let how)): bus?.end(how, anyway: true)
        case .set(.switchUser): bus?.showGreeter()
        case .watchNetworks(let isOn): bus?.watchNetworks(isOn)
        case .join(let number, let join): bus?.join(number, join)
        case .keepNetwork(let number): bus?.keepNetwork(number)
        case .forgetNetworks(let profiles): bus?.forgetNetworks(profiles)
        case .leaveNetwork: bus?.leaveNetwork()
        case .answerNetwork(let request, let secret): bus?.answer(network: request, secret)
        case .watchDevices(let isOn): bus?.watchDevices(isOn)
        case .device(let path, let deed): bus?.carryOut(deed, on: path)
        case .answerDevice(let request, let answer): bus?.answer(device: request, answer)
        case .drive(let number, let step): bus?.take(number, step)
        case .answerLocation(let request, let isAllowed): bus?.answer(location: request, isAllowed)
        case .sense(let isOn): sensor?.claims = isOn
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
            tellUpdates()
        }
        tellTime()
    }

    private func tellTime() { shell.adapter(Look.self).tellTime() }

    func stop() {
        clock?.cancel()
        clock = nil
        follower?.end()
        follower = nil
        let last = bus
        bus = nil
        last?.close()
        sensorFollower?.end()
        sensorFollower = nil
        sensor?.close()
        sensor = nil
    }
}

extension StatusBus {
    fileprivate func carryOut(_ deed: DeviceDeed, on path: String) {
        switch deed {
        case .pair: pair(path)
        case .trust: trust(path)
        case .connect: connect(path)
        case .disconnect: disconnect(path)
        case .forget: forget(path)
        case .cancel: cancel(path)
        }
    }
}

extension StatusServices {
    fileprivate var inWords: String {
        [
            (StatusServices.battery, "UPower"), (.network, "NetworkManager"), (.bluetooth, "BlueZ"), (.profiles, "power-profiles-daemon"),
            (.login, "logind"), (.drives, "UDisks"), (.location, "GeoClue"),
        ].filter { contains($0.0) }.map(\.1)
            .joined(separator: ", ")
    }
}
