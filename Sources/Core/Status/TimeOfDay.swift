/// The time of day, in the person's time zone.
public struct TimeOfDay: Hashable, Codable, Sendable {
    public var hour: Int
    public var minute: Int

    public init(hour: Int, minute: Int) {
        self.hour = hour
        self.minute = minute
    }

    /// As a person reads it: "9:05".
    public var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(max(0, min(23, hour))):\(two(max(0, min(59, minute))))"
    }
}
