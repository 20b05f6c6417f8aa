import Geometry
import Interface
import Stage

/// Why nothing is kept of a session.
public enum StoreTrouble: String, Hashable, Codable, Sendable, CaseIterable {
    /// A newer version of the shell wrote what is there.
    case newer
    case diskFull = "disk-full"
    /// The folder cannot be written, or whatever else the log says.
    case unusable

    var message: Message {
        switch self {
        case .newer: .notKeptNewer
        case .diskFull: .notKeptFull
        case .unusable: .notKeptUnusable
        }
    }
}

extension Desk {
    /// A person has to know it before they rely on it.
    mutating func nothingIsKept(_ trouble: StoreTrouble) { notKept = trouble }

    private func alert(_ trouble: StoreTrouble) -> Interface.Popover {
        .alert(title: .message(.notKeptTitle), message: .message(trouble.message))
    }

    /// Programs that start and a locker close views: the alert comes back until a person has closed it.
    mutating func sayWhatIsNotKept(at now: Moment) {
        guard let notKept, !isLocked, !interface.isPopoverOpen else { return }
        present(alert(notKept), at: now)
    }

    /// A person closes whatever alert is open.
    mutating func alertIsRead() {
        if let notKept, interface.isPopoverOpen, interface.popover?.content == alert(notKept) { self.notKept = nil }
    }
}
