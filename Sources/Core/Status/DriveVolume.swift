import Geometry

/// An act of a person on a volume of a removable drive, by its id.
public enum DriveAct: Hashable, Codable, Sendable {
    /// Mounts it, and opens its folder.
    case open(String)
    /// Unmounts everything on its drive, so that the person can take that out.
    case eject(String)

    public var volume: String {
        switch self {
        case .open(let id), .eject(let id): id
        }
    }
}

/// A block device with a filesystem, as UDisks tells of it. None of its words is trusted.
public struct VolumeFacts: Hashable, Codable, Sendable {
    /// The block device, and its drive ("/": it has none).
    public var path: String
    public var drive = "/"
    public var label = ""
    /// The maker and the model of the drive.
    public var driveName = ""
    public var bytes: UInt64 = 0
    public var mountPoints: [String] = []
    public var isRemovable = false
    /// Desktops may mount it by themselves, as they may any drive that comes and goes.
    public var isAuto = false
    /// A part of the machine, or hidden from people.
    public var isSystem = false, isIgnored = false
    public var canEject = false, canPowerOff = false

    public init(path: String) { self.path = path }

    /// Whether it is a thing that a person connected.
    var isOfPerson: Bool { (isRemovable || isAuto) && !isSystem && !isIgnored }
}

/// A volume of a removable drive, as a person knows it.
public struct DriveVolume: Hashable, Codable, Sendable {
    /// The last part of its path: "sdb1".
    public var id: String
    /// The paths of its block device and of its drive. A volume without a drive is one of its own.
    public var path: String, place: String
    public var name: String
    public var bytes: UInt64
    public var mountPoint: String?
    public var canEject: Bool, canPowerOff: Bool

    /// Characters of a name.
    public static let longestName = 60

    init(_ facts: VolumeFacts) {
        path = facts.path
        id = facts.path.split(separator: "/").last.map(String.init) ?? facts.path
        let hasDrive = facts.drive != "/" && !facts.drive.isEmpty
        place = hasDrive ? facts.drive : facts.path
        let names = [facts.label.oneLine(DriveVolume.longestName), facts.driveName.oneLine(DriveVolume.longestName)]
        name = names.first { !$0.isEmpty } ?? id
        bytes = facts.bytes
        mountPoint = facts.mountPoints.first { $0.hasPrefix("/") && $0 != "/" }
        canEject = hasDrive && facts.canEject
        canPowerOff = hasDrive && facts.canPowerOff
    }

    func isSame(as other: DriveVolume) -> Bool { id == other.id && name == other.name && bytes == other.bytes && place == other.place }

    /// Its size, as it stands on the drive: "16 GB".
    public var size: String {
        let steps: [(unit: String, bytes: UInt64)] = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]
        guard let step = steps.first(where: { bytes >= $0.bytes }) else { return "\(bytes) B" }
        let tenths = bytes / (step.bytes / 10)
        return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10) \(step.unit)" : "\((tenths + 5) / 10) \(step.unit)"
    }
}
