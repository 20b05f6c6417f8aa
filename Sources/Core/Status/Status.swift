import Geometry
import Rooms

/// The facts of the device that a person reads at a glance: the time, the battery, the network, Bluetooth.
///
/// A service that is not there has no fact, and one that goes leaves none behind. A service that does not answer hangs, and its
/// last words do not count.
public struct Status: Room {
    public private(set) var time: TimeOfDay?
    public private(set) var battery: Battery?
    public private(set) var network: Network?
    public private(set) var bluetooth: Bluetooth?
    /// The light of the screen, from 0 to 1; nil: it cannot be set.
    public private(set) var brightness: Double?
    /// Whether the lamp of the camera is on; nil: there is none.
    public private(set) var flashLight: Bool?
    /// Whether the screen is being recorded; nil: no program for it is installed.
    public private(set) var isRecording: Bool?
    /// nil: the machine has no such service.
    public private(set) var profiles: PowerProfiles?
    /// How the machine can end its work.
    public var ends: [MachineEnd] {
        MachineEnd.allCases.filter { $0 == .update ? hasUpdates && isPossible(.restart) : isPossible($0) }
    }
    private var possible: [MachineEnd] = [], challenged: [MachineEnd] = []
    /// Whether updates are prepared that a restart installs.
    public private(set) var hasUpdates = false
    /// Whether the display manager can show its greeter beside the session.
    public private(set) var canSwitchUser = false
    /// The programs that keep the machine from ending its work.
    public private(set) var blockers: [PowerBlocker] = []
    /// The radios that were on before aeroplane mode.
    private var grounded: Radios?
    /// The services that do not answer.
    public private(set) var hanging: StatusServices = []
    /// Whether the clock ticks. Otherwise the time is the last one that was shown.
    public private(set) var hasClock = false

    public init() {}

    /// The radios of the device that are on.
    private struct Radios: Hashable, Codable, Sendable {
        var wireless: Bool, bluetooth: Bool, cellular: Bool
    }

    /// Whether every radio of the device is off; nil: it has fewer than two, so that a switch for all is of no use.
    public var isAeroplane: Bool? {
        let radios = [
            network.flatMap { $0.hasWireless ? $0.isWirelessOn : nil }, network.flatMap { $0.hasCellular ? $0.isCellularOn : nil },
            bluetooth?.isOn,
        ].compactMap(\.self)
        return radios.count > 1 ? !radios.contains(true) : nil
    }

    public enum Event: Hashable, Codable, Sendable {
        case time(TimeOfDay)
        /// nil: there is no such service, or it has nothing of the kind.
        case battery(BatteryFacts?)
        case network(NetworkFacts?)
        case bluetooth(Bluetooth?)
        /// nil: the screen has no light that can be set.
        case brightness(Double?)
        /// nil: there is no lamp.
        case flashLight(Bool?)
        /// nil: nothing records screens.
        case recording(Bool?)
        case profiles(PowerProfiles?)
        /// `challenged`: those for which an administrator would be asked.
        case ends([MachineEnd], challenged: [MachineEnd] = [])
        case blockers([PowerBlocker])
        case updates(Bool)
        case userSwitching(Bool)
        /// A person sets something.
        case wish(DeviceAction)
        /// A service does not do what a person set, for this reason.
        case refused(StatusServices, String)
        /// The service has not answered for `patience`.
        case hangs(StatusServices)
        /// Whether the time is needed: a view shows it, or night light goes by it.
        case clockSeen(Bool)
    }

    public enum Outcome: Hashable, Sendable {
        /// Something that is shown changed.
        case changed
        case set(DeviceSetting)
        /// A person ends the work of the machine: apps end first.
        case end(MachineEnd, isForced: Bool)
        /// Programs hold it up. A person says whether it is to be.
        case asks(MachineEnd)
        /// Updates are prepared now.
        case tellsOfUpdates
        /// The wish of a person cannot be, for this reason.
        case refuse(String)
        /// Tell a person that a service did not do it.
        case tells(StatusServices, String)
        /// Tell the time, now and with every minute; false: no more.
        case clock(Bool)
    }

    /// For views that do without the bar.
    public mutating func hideTime() { time = nil }

    /// Seconds that a service may take to answer.
    public static let patience = 5.0

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        let before = self
        switch event {
        case .time(let time): self.time = time
        case .battery(let facts):
            battery = facts?.battery
            hanging.remove(.battery)
        case .network(let facts):
            network = facts?.network
            hanging.remove(.network)
        case .bluetooth(let state):
            bluetooth = state
            hanging.remove(.bluetooth)
        case .brightness(let share): brightness = share.flatMap { $0.isFinite ? max(0, min(1, $0)) : nil }
        case .flashLight(let isOn): flashLight = isOn
        case .recording(let isRecording): self.isRecording = isRecording
        case .profiles(let profiles):
            self.profiles = profiles.flatMap { $0.all.count > 1 ? $0 : nil }
            hanging.remove(.profiles)
        case .ends(let ends, let challenged):
            (possible, self.challenged) = (ends, challenged)
            hanging.remove(.login)
        case .blockers(let blockers): self.blockers = Array(blockers.prefix(Status.mostBlockers))
        case .userSwitching(let isPossible): canSwitchUser = isPossible
        case .updates(let areReady):
            let areNew = areReady && !hasUpdates
            hasUpdates = areReady
            if areNew { return [.changed, .tellsOfUpdates] }
        case .wish(let wish): return carryOut(wish)
        case .refused(let service, let reason): return [.tells(service, reason)]
        case .hangs(let services):
            hanging.formUnion(services)
            if services.contains(.battery) { battery = nil }
            if services.contains(.network) { network = nil }
            if services.contains(.bluetooth) { bluetooth = nil }
            if services.contains(.profiles) { profiles = nil }
            if services.contains(.login) { (possible, challenged, blockers) = ([], [], []) }
        case .clockSeen(let isSeen):
            guard isSeen != hasClock else { return [] }
            hasClock = isSeen
            return [.clock(isSeen)]
        }
        return self == before ? [] : [.changed]
    }

    private mutating func carryOut(_ wish: DeviceAction) -> [Outcome] {
        switch wish {
        case .wireless(let wanted):
            guard let network, network.hasWireless else { return [.refuse("there is no wireless network device")] }
            return [.set(.wireless(wanted ?? !network.isWirelessOn))]
        case .bluetooth(let wanted):
            guard let bluetooth else { return [.refuse("there is no Bluetooth adapter")] }
            return [.set(.bluetooth(wanted ?? !bluetooth.isOn))]
        case .brightness(let share):
            guard share.isFinite, (0...1).contains(share) else { return [.refuse("a brightness is from 0 to 1, not \(share)")] }
            guard let brightness else { return [.refuse("the light of this screen cannot be set")] }
            guard share != brightness else { return [] }
            self.brightness = share
            return [.changed, .set(.brightness(share))]
        case .brightnessStep(let step):
            guard (-20...20).contains(step) else { return [.refuse("a step is a small number, not \(step)")] }
            let here = ((brightness ?? 0) * 20).rounded()
            return carryOut(.brightness(max(0, min(20, here + Double(step))) / 20))
        case .aeroplane(let wanted):
            guard let isAeroplane else { return [.refuse("there are not two radios to switch")] }
            let isOn = wanted ?? !isAeroplane
            guard isOn != isAeroplane else { return [] }
            return ground(isOn)
        case .flashLight(let wanted):
            guard let flashLight else { return [.refuse("there is no flash light")] }
            return [.set(.flashLight(wanted ?? !flashLight))]
        case .record(let wanted):
            guard let isRecording else { return [.refuse("no program that records the screen is installed (wf-recorder)")] }
            let isWanted = wanted ?? !isRecording
            return isWanted == isRecording ? [] : [.set(.record(isWanted))]
        case .powerProfile(let name):
            guard let profiles, profiles.all.contains(name) else {
                return [
                    .refuse("no power profile \"\(name)\" is there" + (profiles.map { ", but \($0.all.joined(separator: ", "))" } ?? ""))
                ]
            }
            return profiles.active == name ? [] : [.set(.powerProfile(name))]
        case .end(let end):
            guard ends.contains(end) else { return [.refuse("the machine cannot do that now")] }
            guard blockers(of: end).isEmpty else { return [.asks(end)] }
            return [end == .suspend ? .set(.end(end)) : .end(end, isForced: false)]
        case .switchUser:
            return [canSwitchUser ? .set(.switchUser) : .refuse("the display manager shows no greeter beside the session")]
        case .endAnyway(let end):
            guard ends.contains(end) else { return [.refuse("the machine cannot do that now")] }
            return [end == .suspend ? .set(.endAnyway(end)) : .end(end, isForced: true)]
        // Other rooms have them.
        case .powerButton, .rotationLock, .nightLight, .network, .pairing, .drive, .location, .kept: return []
        }
    }

    /// An end that needs an administrator is not offered, unless a program holds it up: logind asks for an administrator then, too.
    private func isPossible(_ end: MachineEnd) -> Bool { possible.contains(end) || challenged.contains(end) && !blockers(of: end).isEmpty }

    public func blockers(of end: MachineEnd) -> [PowerBlocker] { blockers.filter { $0.stops(end) } }

    private static let mostBlockers = 16

    private mutating func ground(_ isOn: Bool) -> [Outcome] {
        let now = Radios(
            wireless: network?.isWirelessOn ?? false, bluetooth: bluetooth?.isOn ?? false, cellular: network?.isCellularOn ?? false)
        // Nothing was on when the shell began: all of them come on.
        let wanted =
            isOn
            ? Radios(wireless: false, bluetooth: false, cellular: false)
            : grounded ?? Radios(wireless: true, bluetooth: true, cellular: true)
        grounded = isOn ? now : nil
        var out: [Outcome] = []
        if let network, network.hasWireless, network.isWirelessOn != wanted.wireless { out.append(.set(.wireless(wanted.wireless))) }
        if let network, network.hasCellular, network.isCellularOn != wanted.cellular { out.append(.set(.cellular(wanted.cellular))) }
        if let bluetooth, bluetooth.isOn != wanted.bluetooth { out.append(.set(.bluetooth(wanted.bluetooth))) }
        return out
    }

    public func violations(in context: Void) -> [String] {
        var found: [String] = []
        if let battery, !(0...1).contains(battery.level) { found.append("the battery has \(battery.level)") }
        if let battery, battery.remaining.map({ $0 <= 0 }) ?? false { found.append("the battery lasts no time") }
        if let brightness, !(0...1).contains(brightness) { found.append("the screen has the light \(brightness)") }
        if let network, !(0...3).contains(network.strength) { found.append("the network has the strength \(network.strength)") }
        if hanging.contains(.battery), battery != nil { found.append("a battery of a service that hangs") }
        if hanging.contains(.network), network != nil { found.append("a network of a service that hangs") }
        if hanging.contains(.bluetooth), bluetooth != nil { found.append("Bluetooth of a service that hangs") }
        return found
    }
}

/// The services of the machine that tell of its state.
public struct StatusServices: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// UPower, NetworkManager, BlueZ.
    public static let battery = StatusServices(rawValue: 1), network = StatusServices(rawValue: 2), bluetooth = StatusServices(rawValue: 4)
    /// power-profiles-daemon, logind.
    public static let profiles = StatusServices(rawValue: 8), login = StatusServices(rawValue: 16)
    /// UDisks.
    public static let drives = StatusServices(rawValue: 32)
    /// The lamp of the camera, and the program that records the screen.
    public static let lamp = StatusServices(rawValue: 64), recorder = StatusServices(rawValue: 128)
    /// GeoClue.
    public static let location = StatusServices(rawValue: 256)
}
