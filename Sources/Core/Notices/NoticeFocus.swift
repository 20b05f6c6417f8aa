import Geometry

/// A time for something: which apps and people may disturb then (S-07). Defined in the configuration file, or by a person (`FocusName`).
public struct NoticeFocus: Hashable, Codable, Sendable {
    /// As a person calls it. Unique.
    public var name: String
    /// Apps whose notifications come through.
    public var apps: [String] = []
    /// People whose notifications come through: their titles contain one of these names.
    public var people: [String] = []
    /// When it begins and ends by itself.
    public var times: [FocusTime] = []
    /// Whether calls, alarms and time-sensitive notifications come through.
    public var letsUrgentThrough = true

    public init(name: String) { self.name = name }

    /// Whether a notification may disturb.
    func lets(_ content: NoticeContent) -> Bool {
        // A sandbox without a vouched name may put any person's name into its title.
        guard !content.isNameless else { return false }
        if content.level == .critical || (letsUrgentThrough && content.level == .timeSensitive) { return true }
        if apps.contains(content.app) { return true }
        let title = content.title.lowercased()
        return people.contains { NoticeFocus.names($0.lowercased(), title) }
    }

    /// Whether a title has a name in it as whole words: "Anna" is not "Johanna". Chinese, Japanese and Korean write a name and what
    /// follows it as one word.
    private static func names(_ name: String, _ title: String) -> Bool {
        guard !name.isEmpty else { return false }
        var rest = title[...]
        while let found = rest.firstRange(of: name) {
            let before = title[..<found.lowerBound].last, after = title[found.upperBound...].first
            if !(before.map(isInWord) ?? false && isInWord(name.first!)), !(after.map(isInWord) ?? false && isInWord(name.last!)) {
                return true
            }
            rest = rest[rest.index(after: found.lowerBound)...]
        }
        return false
    }

    private static func isInWord(_ character: Character) -> Bool {
        guard character.isLetter || character.isNumber, let value = character.unicodeScalars.first?.value else { return false }
        switch value {
        case 0x1100...0x11ff, 0x2e80...0x9fff, 0xa960...0xa97f, 0xac00...0xd7ff, 0xf900...0xfaff, 0x20000...0x3ffff: return false
        default: return true
        }
    }

    /// Whether this person was chosen.
    public func lets(person name: String) -> Bool {
        let name = name.lowercased()
        return people.contains { $0.lowercased() == name }
    }
}

/// A time of the day, on some days of the week.
public struct FocusTime: Hashable, Codable, Sendable {
    /// The days on which it begins, Monday first; empty: every day.
    public var days: [Int]
    /// Minutes since midnight. An end before the beginning is on the next day.
    public var from: Int, to: Int

    public init(days: [Int] = [], from: Int, to: Int) {
        self.days = days
        self.from = from
        self.to = to
    }

    /// Beginnings and ends in minutes since Monday, midnight. An end may lie in the next week.
    fileprivate var spans: [(from: Int, to: Int)] {
        (days.isEmpty ? Array(0..<7) : days).map { day in
            let start = day * WallWeek.day + from
            return (start, day * WallWeek.day + to + (to <= from ? WallWeek.day : 0))
        }
    }

    func contains(_ minute: Int) -> Bool {
        spans.contains { ($0.from..<$0.to).contains(minute) || ($0.from..<$0.to).contains(minute + WallWeek.week) }
    }

    var edges: [Int] { spans.flatMap { [$0.from, $0.to] } }
    var ends: [Int] { spans.map(\.to) }
}

/// The week by the clock on the wall.
enum WallWeek {
    static let day = 1440, week = 7 * 1440

    /// Minutes since Monday, midnight. The first of January 1970 was a Thursday.
    static func minute(of time: Int64, _ zone: NoticeZone) -> Int {
        let minutes = (time + zone.offset(at: time)) / 60 + Int64(3 * day)
        return Int(clamping: (minutes % Int64(week) + Int64(week)) % Int64(week))
    }

    /// The first of these minutes of the week after a time, in seconds since 1970.
    static func next(_ minutes: [Int], after time: Int64, _ zone: NoticeZone) -> Int64? {
        let here = minute(of: time, zone), begun = time - (time + zone.offset(at: time)) % 60
        return minutes.map { begun + Int64((($0 - here - 1) % week + week) % week + 1) * 60 }.min()
    }
}

/// The focus that a person chose in place of the scheduled one.
public struct FocusChoice: Hashable, Codable, Sendable {
    /// nil: none.
    public var name: String?
    /// Until then, in seconds since 1970; nil: until the person chooses again.
    public var until: Int64?
}

extension NoticeChoices {
    /// The focus that holds at a time, if any.
    func focus(at time: Int64, _ zone: NoticeZone) -> NoticeFocus? {
        if let choice = chosen.focus, choice.until.map({ time < $0 }) ?? true {
            guard let name = choice.name else { return nil }
            if let known = focuses.first(where: { $0.name == name }) { return known }
        }
        return scheduledFocus(at: time, zone)
    }

    private func scheduledFocus(at time: Int64, _ zone: NoticeZone) -> NoticeFocus? {
        guard !focuses.isEmpty else { return nil }
        let minute = WallWeek.minute(of: time, zone)
        return focuses.first { $0.times.contains { $0.contains(minute) } }
    }

    /// A person begins one, or ends the one that holds. A focus that the times begin later holds again.
    mutating func setFocus(_ name: String?, at time: Int64, _ zone: NoticeZone) {
        let scheduled = scheduledFocus(at: time, zone)
        if name == scheduled?.name {
            chosen.focus = nil
        } else if let name {
            chosen.focus = FocusChoice(name: name, until: nil)
        } else {
            let minute = WallWeek.minute(of: time, zone)
            let ends = scheduled?.times.filter { $0.contains(minute) }.flatMap(\.ends) ?? []
            chosen.focus = WallWeek.next(ends.map { $0 % WallWeek.week }, after: time, zone).map { FocusChoice(name: nil, until: $0) }
        }
    }

    /// Times were changed while a person had ended what they had begun: it begins at its next time, by the new ones.
    mutating func timesChanged(at time: Int64, _ zone: NoticeZone) {
        guard let choice = chosen.focus, choice.name == nil, choice.until.map({ time < $0 }) ?? true else { return }
        chosen.focus = nil
        if scheduledFocus(at: time, zone) != nil { setFocus(nil, at: time, zone) }
    }

    /// When the one that holds may change next by itself.
    func nextFocusEdge(after time: Int64, _ zone: NoticeZone) -> Int64? {
        WallWeek.next(focuses.flatMap { $0.times.flatMap { $0.edges.map { $0 % WallWeek.week } } }, after: time, zone)
    }

    // MARK: The summary

    /// The minutes of a day at which a summary tells of waiting notifications.
    public var summaryTimes: [Int] { fixed.summary ?? [8 * 60, 18 * 60] }

    /// Whether any app waits for one.
    var hasSummaries: Bool { chosen.apps.values.contains { $0.manner == .summary } || fixed.apps.values.contains { $0.manner == .summary } }

    func nextSummary(after time: Int64, _ zone: NoticeZone) -> Int64? {
        WallWeek.next((0..<7).flatMap { day in summaryTimes.map { day * WallWeek.day + $0 } }, after: time, zone)
    }
}

extension Notices {
    /// The focus that holds now.
    public func focus(at now: Moment) -> NoticeFocus? { choices.focus(at: clock(at: now), zone) }

    /// Whether notifications disturb less than usual now, because a person or a time wants it.
    public func isQuiet(at now: Moment) -> Bool { choices.isQuiet || focus(at: now) != nil }
}
