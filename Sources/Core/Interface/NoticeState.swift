import Geometry
import Notices
import OrderedCollections

/// The visible views of notifications, and how far a finger has moved them.
public struct NoticeViews: Hashable, Codable, Sendable {
    /// The one in front. It shares its place with the banners of windows that wait.
    public var banner: Presented<NoticeBanner>?
    /// The answer that a person writes in the banner.
    public var draft: NoticeDraft?
    /// Answers that were not sent, by their notification. They come back with the field.
    public var drafts: OrderedDictionary<NoticeID, String> = [:]
    /// How far the banner is to the side.
    public var way = Animated(0)
    /// How far the list is scrolled, in points.
    public var scroll = Animated(0)
    /// Groups and threads of which the list shows more than the newest one, and how many pages of it; by an empty key, pages of groups.
    public var unfolded: OrderedDictionary<String, Int> = [:]
    /// Notifications of a page.
    public static let page = 100
    /// The app whose choices are shown instead of the list.
    public var settings: String?
    /// A row of the list that a finger moves to the side, or let go.
    public var row: Row?

    /// Whether controls that are scrolled out of sight count, too: the keyboard reaches all of them.
    public var isWhole = false

    public init() {}

    public struct Row: Hashable, Codable, Sendable {
        public var id: NoticeID
        public var way = Animated(0)

        public init(_ id: NoticeID) { self.id = id }
    }

    /// How many of a group the list shows at most.
    func most(of group: String) -> Int { Self.page * ((unfolded[group] ?? 0) + (group.isEmpty ? 1 : 0)) }

    /// Shows one more page of a group, and after the last one only the newest one.
    public mutating func unfold(_ key: String, of count: Int) {
        let pages = unfolded[key] ?? 0
        let isWhole = key.contains("\n") ? pages > 0 : most(of: key) >= count && pages > 0
        unfolded[key] = isWhole ? nil : pages + 1
    }

    public var isBannerOpen: Bool { banner?.isOpen ?? false }

    /// Opens the field for an answer, with its earlier text.
    public mutating func beginReply(to id: NoticeID, by button: String) {
        leaveReply()
        draft = NoticeDraft(notice: id, button: button, text: drafts.removeValue(forKey: id) ?? "")
    }

    /// Closes the field. The text is kept, for the newest few.
    public mutating func leaveReply() {
        guard let left = draft else { return }
        draft = nil
        drafts[left.notice] = nil
        guard !left.text.isEmpty else { return }
        drafts[left.notice] = left.text
        if drafts.count > NoticeDraft.kept { drafts.removeFirst() }
    }

    public func isMoving(at now: Moment) -> Bool {
        banner.map { !$0.isSettled(at: now) } ?? false || !way.isSettled(at: now) || !scroll.isSettled(at: now)
            || row.map { !$0.way.isSettled(at: now) } ?? false
    }

    public mutating func forgetFinished(at now: Moment) {
        if banner?.isGone(at: now) ?? false {
            banner = nil
            way.set(0)
        }
        way.stopIfSettled(at: now)
        scroll.stopIfSettled(at: now)
        if let row, row.way.target == 0, row.way.isSettled(at: now) { self.row = nil }
    }
}

/// The key by which the list finds the notifications of one thread.
public enum NoticeThread {
    public static func key(_ group: String, _ thread: String) -> String { "\(group)\n\(thread)" }
}

/// An answer that a person writes.
public struct NoticeDraft: Hashable, Codable, Sendable {
    public var notice: NoticeID
    /// The key of the button that takes it.
    public var button: String
    public var text: String

    /// The longest answer in bytes, and how many that were not sent are kept.
    public static let longest = 4096, kept = 16
}

/// The banner of a notification.
public struct NoticeBanner: Hashable, Codable, Sendable {
    /// As it was when it came: it is drawn while it goes, too.
    public var notice: Notice
    /// Whether all of its text and its buttons are shown.
    public var isExpanded = false

    public init(_ notice: Notice) { self.notice = notice }
}
