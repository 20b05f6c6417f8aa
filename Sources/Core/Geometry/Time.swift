/// A moment on the monotonic clock, in nanoseconds. The core never reads a clock. It is given every moment.
public struct Moment: Hashable, Comparable, Sendable, Codable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static let zero = Moment(nanoseconds: 0)

    public static func milliseconds(_ ms: Double) -> Moment { Moment(nanoseconds: Int64(ms * 1e6)) }

    public static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }

    /// `seconds` later.
    public static func + (a: Moment, seconds: Double) -> Moment {
        Moment(nanoseconds: a.nanoseconds &+ Int64(seconds * 1e9))
    }

    /// Seconds from `b` to `a`.
    public static func - (a: Moment, b: Moment) -> Double { Double(a.nanoseconds &- b.nanoseconds) / 1e9 }

    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
