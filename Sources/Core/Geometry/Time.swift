/// A moment on the monotonic clock, in nanoseconds. The core never reads a clock. It is given every moment.
public struct Moment: Hashable, Comparable, Sendable, Codable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static let zero = Moment(nanoseconds: 0)

    public static func milliseconds(_ ms: Double) -> Moment { Moment(nanoseconds: Int64(clamping: ms * 1e6)) }

    public static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }

    /// `seconds` later; the last moment that there is if the sum lies beyond it.
    public static func + (a: Moment, seconds: Double) -> Moment {
        let nanoseconds = seconds * 1e9
        // The first way is the usual one, and quick without optimization, too.
        let whole = Int64(exactly: nanoseconds.rounded(.towardZero)) ?? Int64(clamping: nanoseconds)
        let (sum, overflows) = a.nanoseconds.addingReportingOverflow(whole)
        return Moment(nanoseconds: overflows ? (whole < 0 ? .min : .max) : sum)
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
