import Clocks
import MessageBus
import Status

/// UDisks: the filesystems on drives, and what a person does with one.
final class DriveService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.drives, name = "org.freedesktop.UDisks2"
    /// The machine starts it when a program asks.
    let starts = true

    static let root = "/org/freedesktop/UDisks2"
    private static let block = "org.freedesktop.UDisks2.Block", filesystem = "org.freedesktop.UDisks2.Filesystem"
    private static let drive = "org.freedesktop.UDisks2.Drive"
    private static let shown: [String: Set<String>] = [
        block: ["IdLabel", "HintIgnore", "HintSystem", "HintAuto", "Size", "Drive"], filesystem: ["MountPoints"],
        drive: ["Ejectable", "CanPowerOff", "Removable", "MediaRemovable"],
    ]
    private static let most = 2048

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] {
        ["interface='\(BluetoothService.objects)'"]
            + Self.shown.keys.sorted().map { "interface='\(StatusBus.properties)',member='PropertiesChanged',arg0='\($0)'" }
    }

    func concerns(_ signal: Incoming) -> Bool {
        guard signal.path == Self.root || signal.path.hasPrefix(Self.root + "/") else { return false }
        if signal.interface == BluetoothService.objects { return true }
        return changes(signal, Self.shown)
    }

    func read() {
        bus.call(self, Self.root, BluetoothService.objects, "GetManagedObjects") { [unowned self] answer in
            schedule.succeed()
            var blocks: [(path: String, tables: [String: [String: BusValue]])] = [], drives: [String: [String: BusValue]] = [:]
            answer.objects([Self.block, Self.filesystem, Self.drive], most: Self.most, entries: 128) { path, tables in
                if let drive = tables[Self.drive] { drives[path] = drive }
                if tables[Self.block] != nil, tables[Self.filesystem] != nil { blocks.append((path, tables)) }
            }
            bus.onVolumes(blocks.map { facts($0.path, $0.tables, drives) })
        }
    }

    private func facts(_ path: String, _ tables: [String: [String: BusValue]], _ drives: [String: [String: BusValue]]) -> VolumeFacts {
        let block = tables[Self.block] ?? [:], drive = drives[block["Drive"]?.text ?? "/"] ?? [:]
        func flag(_ table: [String: BusValue], _ key: String) -> Bool { table[key]?.flag ?? false }
        var facts = VolumeFacts(path: path)
        facts.drive = block["Drive"]?.text ?? "/"
        facts.label = block["IdLabel"]?.text ?? ""
        facts.driveName = ["Vendor", "Model"].compactMap { drive[$0]?.text }.filter { !$0.isEmpty }.joined(separator: " ")
        facts.bytes = UInt64(clamping: block["Size"]?.integer ?? 0)
        // Bytes that end with a zero.
        facts.mountPoints = (tables[Self.filesystem]?["MountPoints"]?.blobs ?? []).prefix(8)
            .compactMap { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
        facts.isRemovable = flag(drive, "Removable") || flag(drive, "MediaRemovable")
        (facts.isAuto, facts.isSystem, facts.isIgnored) = (flag(block, "HintAuto"), flag(block, "HintSystem"), flag(block, "HintIgnore"))
        facts.canEject = flag(drive, "Ejectable")
        // A slot for cards stays on for the next card.
        let media = drive["MediaCompatibility"]?.texts ?? []
        facts.canPowerOff = flag(drive, "CanPowerOff") && media.allSatisfy { $0 == "thumb" }
        return facts
    }

    func tellAbsent() { bus.onVolumes(nil) }

    func take(_ number: UInt64, _ step: Drives.Step) {
        guard bus.link.isReady else { return bus.onDriveStep(number, .failed("", "there is no system bus")) }
        let (path, interface, member) = step.call
        bus.link.call(
            name, path, interface, member, timeout: step.patience * 1000, starts: false,
            // UDisks refuses at once where it would ask for an administrator's password.
            { $0.table(["auth.no_user_interaction": .flag(true)]) }
        ) { [unowned self] answer in
            switch answer {
            case .success(let message):
                if case .mount = step { bus.onDriveStep(number, .done(message.string() ?? "")) } else { bus.onDriveStep(number, .done("")) }
            case .failure(let error):
                bus.onDriveStep(number, error.isSilence ? .silent : .failed(error.name, error.text.isEmpty ? error.name : error.text))
            }
            schedule.ask(at: Clocks.monotonicNanoseconds)
            bus.link.changed()
        }
        bus.link.changed()
    }
}

extension Drives.Step {
    fileprivate var call: (path: String, interface: String, member: String) {
        switch self {
        case .mount(let path): (path, "org.freedesktop.UDisks2.Filesystem", "Mount")
        case .unmount(let path): (path, "org.freedesktop.UDisks2.Filesystem", "Unmount")
        case .eject(let drive): (drive, "org.freedesktop.UDisks2.Drive", "Eject")
        case .powerOff(let drive): (drive, "org.freedesktop.UDisks2.Drive", "PowerOff")
        }
    }

    /// Seconds. UDisks answers when it is done: a large filesystem is looked through first, and what is left for a slow drive is written.
    fileprivate var patience: UInt64 {
        switch self {
        case .mount, .eject, .powerOff: 60
        case .unmount: 600
        }
    }
}
