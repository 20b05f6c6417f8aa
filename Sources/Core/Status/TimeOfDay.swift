/// The time of day, in the person's time zone.
public struct TimeOfDay: Hashable, Codable, Sendable {
    public var hour: Int
    public var minute: Int
    /// nil: it is not known, and nothing shows it.
    public var day: CalendarDay?

    public init(hour: Int, minute: Int, day: CalendarDay? = nil) {
        self.hour = hour
        self.minute = minute
        self.day = day
    }

    /// As a person reads it: "9:05".
    public var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(max(0, min(23, hour))):\(two(max(0, min(59, minute))))"
    }
}

/// A day of the calendar, without its year.
public struct CalendarDay: Hashable, Codable, Sendable {
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    /// 0, Sunday, to 6.
    public var weekday: Int

    public init(month: Int, day: Int, weekday: Int) {
        self.month = max(1, min(12, month))
        self.day = max(1, min(31, day))
        self.weekday = max(0, min(6, weekday))
    }
}
