import Geometry
import Interface
import Stage

/// Troubles of the store that a person has to know: why the shell keeps nothing of a session, or that the last one is lost.
public enum StoreTrouble: String, Hashable, Codable, Sendable, CaseIterable {
    /// A newer version of the shell wrote the store.
    case newer
    case diskFull = "disk-full"
    /// The folder cannot be written, or whatever else the log says.
    case unusable
    /// The store and its copy are damaged. The shell keeps this session.
    case lost
    /// The same of the windows alone.
    case windowsLost = "windows-lost"
    /// The store is damaged, and its last good copy is in effect.
    case older

    /// It concerns the last session. This one is kept.
    public var isPast: Bool { self == .lost || self == .windowsLost || self == .older }

    /// The alerts that end by themselves when the disk takes everything.
    static let passing: [Interface.Popover] = [diskFull, .unusable].map(\.alert)

    var alert: Interface.Popover { .alert(title: .message(title), message: .message(message)) }

    var title: Message { isPast ? .sessionLostTitle : .notKeptTitle }

    var message: Message {
        switch self {
        case .newer: .notKeptNewer
        case .diskFull: .notKeptFull
        case .unusable: .notKeptUnusable
        case .lost: .sessionLostWhole
        case .windowsLost: .sessionLost
        case .older: .sessionOlder
        }
    }
}
