/// The pace of the primary selection. Toolkits set it with each motion of a finger or the pointer that selects text, and every client that
/// may paste is told of each. Only the last one matters, so at most one in `pause` becomes the seat's.
public struct SelectionPace: Hashable, Sendable {
    /// In nanoseconds.
    public static let pause: Int64 = 50_000_000

    private var last: Int64?
    private var counted: UInt32 = 0

    public init() {}

    /// The time in nanoseconds until another selection may become the seat's; 0: it may now.
    public func wait(at now: Int64) -> Int64 { last.map { max(0, Self.pause - (now - $0)) } ?? 0 }

    /// A selection becomes the seat's.
    public mutating func set(at now: Int64) { last = now }

    /// Counts a request of one client, and returns the bytes to add to its limit: of the selections in one pause, only the largest can
    /// reach other clients.
    public mutating func count(_ bytes: UInt32, at now: Int64) -> UInt32 {
        if wait(at: now) == 0 {
            set(at: now)
            counted = bytes
            return bytes
        }
        defer { counted = max(counted, bytes) }
        return bytes > counted ? bytes - counted : 0
    }
}
