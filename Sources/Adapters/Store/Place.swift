/// The kind of an entry. The raw value is stored on the disk, so it never changes.
public enum Place: String, CaseIterable, Sendable {
    case arrangement, app, window, state, picture
    case toolkitSession = "toolkit-session"
    case appInstances = "app-instances"
    case notice
    case noticeSchedule = "notice-schedule"
    /// The choices of a person.
    case choice

    /// The most bytes that one entry may have.
    public var limit: Int {
        switch self {
        case .picture: 16 << 20
        // An app may hand over a mebibyte, and the shell adds its age.
        case .state: (1 << 20) + 8
        default: 1 << 20
        }
    }

    /// The most bytes of UTF-8 that a key may have.
    public static let keyLimit = 512
}

/// One change to the entries. Keys are compared byte by byte; an empty key is valid.
public enum Change: Hashable, Sendable {
    case put(Place, key: String, [UInt8])
    case remove(Place, key: String)
    case removeAll(Place)

    /// The reason why the store cannot make this change; nil if it can.
    var violation: StoreError? {
        switch self {
        case .put(let place, let key, let bytes):
            if let violation = Self.violation(place, key) { return violation }
            return bytes.count > place.limit ? .tooLarge(place, key: key, bytes: bytes.count, limit: place.limit) : nil
        case .remove(let place, let key): return Self.violation(place, key)
        case .removeAll: return nil
        }
    }

    private static func violation(_ place: Place, _ key: String) -> StoreError? {
        let count = key.utf8.count
        return count > Place.keyLimit ? .keyTooLong(place, key: key, bytes: count, limit: Place.keyLimit) : nil
    }
}

/// A stored entry.
public struct Entry: Hashable, Sendable {
    public var key: String
    public var bytes: [UInt8]

    public init(key: String, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}
