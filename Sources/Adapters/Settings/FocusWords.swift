import Notices

/// Times as the configuration file has them: "mon-fri 09:00-17:00", "sat,sun 22:00-07:00", or "22:00-07:00" for every day.
public enum FocusWords {
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    public static func time(_ text: String) -> FocusTime? {
        let words = text.split(separator: " ")
        guard let last = words.last, words.count <= 2 else { return nil }
        let ends = last.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = minute(ends[0]), let to = minute(ends[1]), from != to else { return nil }
        guard words.count == 2 else { return FocusTime(from: from, to: to) }
        var chosen: [Int] = []
        for part in words[0].lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let span = part.split(separator: "-", omittingEmptySubsequences: false).map { days.firstIndex(of: String($0)) }
            guard let first = span.first ?? nil, span.count <= 2, let end = span.last ?? nil else { return nil }
            chosen += (0...(end - first + 7) % 7).map { (first + $0) % 7 }
        }
        return FocusTime(days: Set(chosen).sorted(), from: from, to: to)
    }

    /// Minutes since midnight.
    static func minute(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isWholeNumber) }), let hour = Int(parts[0]),
            let minute = Int(parts[1]),
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
