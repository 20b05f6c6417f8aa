/// Identifies a request. Tickets are ordered as the requests were made.
public struct Ticket: Hashable, Comparable, Sendable {
    var number: UInt64

    public static func < (one: Ticket, other: Ticket) -> Bool { one.number < other.number }
}

/// The outcome of a request, or a notice.
public enum StoreReport: Hashable, Sendable {
    /// All changes of that commit are on the disk.
    case committed(Ticket)
    /// None of the commit's changes are on the disk, or the entry could not be read. Changes that break no limit are held back.
    case failed(Ticket, StoreError)
    /// nil: there is no such entry.
    case read(Ticket, [UInt8]?)
    /// Everything that was held back is on the disk.
    case caughtUp
    /// Something for a person to know.
    case notice(StoreNotice)
}

/// The reason why the store did not carry out a request. Everything kept before is still kept.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case keyTooLong(Place, key: String, bytes: Int, limit: Int)
    case tooLarge(Place, key: String, bytes: Int, limit: Int)
    /// The store cannot be used at the moment, or ever.
    case keepsNothing(String)
    case diskFull(file: String)
    case readOnly(file: String)
    case other(file: String, reason: String)

    var isFull: Bool { if case .diskFull = self { true } else { false } }

    public var description: String {
        switch self {
        case .keyTooLong(let place, let key, let bytes, let limit):
            "the key \"\(key.prefix(40))…\" of \(place.rawValue) has \(bytes) bytes; at most \(limit) are kept"
        case .tooLarge(let place, let key, let bytes, let limit):
            "\(place.rawValue) \"\(key)\" has \(bytes) bytes; at most \(limit) are kept"
        case .keepsNothing(let reason): "nothing is kept: \(reason)"
        case .diskFull(let file): "\(file) cannot be written: the disk is full"
        case .readOnly(let file): "\(file) cannot be written: it is read-only"
        case .other(let file, let reason): "\(file): \(reason)"
        }
    }
}

/// An event of the kept session, for a person to read.
public enum StoreNotice: Hashable, Sendable, CustomStringConvertible {
    /// `movedTo`: where the damaged file is now.
    case damaged(file: String, reason: String, movedTo: String)
    /// The session file is gone although its copy exists.
    case missing(file: String)
    /// The session is the one from the last good copy.
    case restored(from: String)
    /// Nothing was left of an earlier session.
    case startsEmpty
    /// A later version wrote the file. The store leaves it alone and keeps nothing.
    case newer(file: String, version: Int, own: Int)
    /// Another shell keeps its session there, so this one keeps nothing. `process` is nil if its number is unknown.
    case inUse(folder: String, process: Int32?)
    /// The store keeps nothing until this changes. Every commit tries again.
    case unusable(reason: String, isFull: Bool = false)
    /// A store that was unusable works again.
    case keepsAgain(folder: String)
    /// The session is kept, but the last good copy could not be renewed.
    case copyFailed(reason: String)
    /// The store was closed while the disk did not take these.
    case leftUnsaved(entries: Int)

    public var description: String {
        switch self {
        case .damaged(let file, let reason, let movedTo): "\(file) is damaged (\(reason)); it is now \(movedTo)"
        case .missing(let file): "\(file) is gone, but its copy is there"
        case .restored(let copy): "the session is that of the last good copy, \(copy)"
        case .startsEmpty: "nothing is left of the last session; it starts empty"
        case .newer(let file, let version, let own):
            "\(file) has version \(version), but this program knows versions up to \(own): the file stays as it is, "
                + "and this session is not kept"
        case .inUse(let folder, let process):
            "\(process.map { "process \($0)" } ?? "another process") keeps its session in \(folder): this session is not kept"
        case .unusable(let reason, _): "this session is not kept: \(reason)"
        case .keepsAgain(let folder): "this session is kept in \(folder) from now on"
        case .copyFailed(let reason): "the copy of the session was not renewed: \(reason)"
        case .leftUnsaved(let entries): "the session ended before the disk took the last changes: \(entries) entries are not kept"
        }
    }
}
