import Geometry

/// When a schedule delivers again (S-12).
public enum NoticeRepeat: Hashable, Codable, Sendable {
    /// After so many seconds, whatever clocks say.
    case every(seconds: Int64)
    /// At the same time of the day, by the clock on the wall.
    case daily
    /// At the same time of the same day of the week.
    case weekly
}

/// A notification that is delivered at its time, whether its app runs or not (S-12).
public struct NoticeSchedule: Hashable, Codable, Sendable {
    /// Chosen by the app, unique within it.
    public var name: String
    public var content: NoticeContent
    /// The next delivery, in seconds since 1970.
    public var due: Int64
    public var repeats: NoticeRepeat?
    /// The data that the app gets back when a person taps it.
    public var payload: String
    /// The connection with which it ends, because the sandbox that made it has no vouched name; nil: it outlives its program.
    public var holder: String?

    public init(
        name: String, content: NoticeContent, due: Int64, repeats: NoticeRepeat? = nil, payload: String = "", holder: String? = nil
    ) {
        self.holder = holder
        self.name = name
        self.content = content
        self.due = due
        self.repeats = repeats
        self.payload = payload
    }

    /// The key under which it is kept.
    public var key: String { Self.key(place, name) }

    /// The app within which its name is unique. Nameless sandboxes are one owner, but do not share names.
    public var place: String { holder.map { "\(content.group) \($0)" } ?? content.group }

    public static func key(_ group: String, _ name: String) -> String { "\(group)\n\(name)" }
}

/// How far the clock on the wall is ahead of UTC, and when that changes next.
public struct NoticeZone: Hashable, Codable, Sendable {
    public var offset: Int64
    /// The next changes, in their order.
    public var changes: [Change] = []

    public struct Change: Hashable, Codable, Sendable {
        public var at: Int64
        public var offset: Int64

        public init(at: Int64, offset: Int64) {
            self.at = at
            self.offset = offset
        }
    }

    public init(offset: Int64 = 0, changes: [Change] = []) {
        self.offset = offset
        self.changes = changes
    }

    func offset(at time: Int64) -> Int64 { changes.last { $0.at <= time }?.offset ?? offset }

    /// The first moment after `time` that is `days` later on the wall.
    func after(_ time: Int64, days: Int64) -> Int64 {
        let plain = time + days * 86_400
        return plain + offset(at: time) - offset(at: plain)
    }
}

extension NoticeSchedule {
    /// The next delivery after `now`; nil if there is none. Those that were missed come once.
    func next(after now: Int64, _ zone: NoticeZone) -> Int64? {
        switch repeats {
        case nil: return nil
        case .every(let seconds):
            let step = max(NoticeLimits.shortestRepeat, seconds)
            guard due <= now else { return due }
            let passed = (now - due) / step + 1
            let way = passed.multipliedReportingOverflow(by: step), next = due.addingReportingOverflow(way.partialValue)
            return way.overflow || next.overflow ? nil : within(next.partialValue)
        case .daily, .weekly:
            let days: Int64 = repeats == .daily ? 1 : 7
            // First over most of the time that passed, then step by step.
            let whole = max(0, (now - due) / 86_400 / days - 1) * days
            var next = whole > 0 ? zone.after(due, days: whole) : due
            while next <= now { next = zone.after(next, days: days) }
            return within(next)
        }
    }

    private func within(_ time: Int64) -> Int64? { time <= NoticeLimits.latestTime ? time : nil }
}

extension Notices {
    /// The time of the day, in minutes, of the next alarm that an app scheduled; nil: none comes within a day.
    public func nextAlarm(at now: Moment) -> Int? {
        let time = clock(at: now)
        return schedules.values.filter { $0.content.isOf("alarm") && $0.due >= time && $0.due < time + 86_400 }.map(\.due).min()
            .map { WallWeek.minute(of: $0, zone) % 1440 }
    }
}
