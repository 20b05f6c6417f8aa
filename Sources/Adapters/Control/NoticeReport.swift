import Geometry
import Multitasking
import Notices

/// Answer to `get notifications`: the list, the schedule, and the person's preferences.
public struct NoticeReport: Hashable, Codable, Sendable {
    /// Whether notifications do not disturb.
    public var quiet: Bool
    /// Whether a film, a call, a recording or a shared screen keeps them quiet.
    public var busy: Bool
    /// The focus that holds.
    public var focus: String?
    public var focuses: [String]
    /// The rules of each focus, by its name.
    public var focusModes: [String: Focus]
    /// Newest first.
    public var notifications: [Item]
    /// By their time.
    public var scheduled: [Scheduled]
    /// The choices that may differ from the default.
    public var apps: [String: App]

    public struct Item: Hashable, Codable, Sendable {
        public var id: UInt32
        public var app: String
        /// The name that its sender gives itself.
        public var name: String
        public var title: String
        public var body: String
        public var level: String
        /// Seconds since 1970.
        public var arrived: Int64
        public var read: Bool
        public var late: Bool
        /// A person put it off until then.
        public var snoozed: Int64?
        public var buttons: [String]
        /// The key of the button that takes an answer.
        public var reply: String?
        public var thread: String
        public var progress: Int?
        /// The state of a call or an activity whose sender has left: "missedCall" or "stopped".
        public var lapse: String?
        /// An answer of the person that did not reach the sender of the notification.
        public var unsent: String?
        /// The path of its picture.
        public var image: String?
    }

    public struct Scheduled: Hashable, Codable, Sendable {
        public var name: String
        public var app: String
        public var title: String
        public var at: Int64
        public var repeats: Bool
    }

    public struct Focus: Hashable, Codable, Sendable {
        public var apps: [String]
        public var people: [String]
        public var times: [Time]
        public var urgent: Bool
        /// The configuration file defines it.
        public var fixed: Bool
    }

    public struct Time: Hashable, Codable, Sendable {
        /// Monday is 0; empty: every day.
        public var days: [Int]
        /// Minutes since midnight.
        public var from: Int
        public var to: Int
    }

    public struct App: Hashable, Codable, Sendable {
        public var show: String
        public var sounds: Bool
        public var badge: Bool
        public var onLockScreen: String
    }

    public init(_ notices: Notices, isBusy: Bool = false, at now: Moment) {
        quiet = notices.choices.isQuiet
        busy = isBusy
        focus = notices.focus(at: now)?.name
        focuses = notices.choices.focuses.map(\.name)
        focusModes = [:]
        for focus in notices.choices.focuses {
            focusModes[focus.name] = Focus(
                apps: focus.apps, people: focus.people, times: focus.times.map { Time(days: $0.days, from: $0.from, to: $0.to) },
                urgent: focus.letsUrgentThrough, fixed: notices.choices.isFixed(focus: focus.name))
        }
        notifications = notices.all.values.reversed().map { notice in
            let content = notice.content
            return Item(
                id: notice.id.raw, app: content.app, name: content.name, title: content.title, body: content.body,
                level: content.level.name,
                arrived: notice.arrived, read: notice.isRead, late: notice.isLate, snoozed: notice.snoozed,
                buttons: content.buttons.map(\.key),
                reply: content.replyButton()?.key, thread: content.thread, progress: content.progress, lapse: content.lapse?.rawValue,
                unsent: content.unsent, image: content.image)
        }
        scheduled = notices.schedules.values.sorted { $0.due < $1.due }.map {
            Scheduled(name: $0.name, app: $0.content.app, title: $0.content.title, at: $0.due, repeats: $0.repeats != nil)
        }
        let choices = notices.choices
        apps = [:]
        for app in Array(choices.chosen.apps.keys) + Array(choices.fixed.apps.keys) {
            apps[app] = App(
                show: choices.manner(of: app).rawValue, sounds: choices.sounds(of: app), badge: choices.badge(of: app),
                onLockScreen: choices.onLock(of: app).rawValue)
        }
    }
}
