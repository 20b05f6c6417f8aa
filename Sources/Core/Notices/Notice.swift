import Callers

/// The number of a notification, as its sender knows it. Never 0.
public struct NoticeID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: NoticeID, b: NoticeID) -> Bool { a.raw < b.raw }
    public var description: String { "notification \(raw)" }

    public init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(UInt32.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }
}

/// How much a notification may disturb (S-07).
public enum NoticeLevel: Int, Hashable, Codable, Sendable, Comparable, CaseIterable {
    /// It waits in the list.
    case passive
    /// It shows a banner, except while a person does not want any.
    case active
    /// It shows a banner in full screen and in a call, too.
    case timeSensitive
    /// It always shows a banner, which stays.
    case critical

    public static func < (a: NoticeLevel, b: NoticeLevel) -> Bool { a.rawValue < b.rawValue }

    /// As the hint of a program names it.
    public init?(name: String) {
        switch name {
        case "passive": self = .passive
        case "active": self = .active
        case "time-sensitive": self = .timeSensitive
        case "critical": self = .critical
        default: return nil
        }
    }

    public var name: String {
        switch self {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "time-sensitive"
        case .critical: "critical"
        }
    }
}

/// A button of a notification.
public struct NoticeButton: Hashable, Codable, Sendable {
    /// The key that the sender gets when a person presses the button.
    public var key: String
    public var label: String
    /// The action in the app, if the app exports its actions.
    public var target: NoticeTarget?
    /// A person writes an answer, which the sender is told with it.
    public var reply: NoticeReply?

    public init(key: String, label: String, target: NoticeTarget? = nil, reply: NoticeReply? = nil) {
        self.key = key
        self.label = label
        self.target = target
        self.reply = reply
    }
}

/// The content of a notification, from any sender and by any way. Texts are plain and have been cut by the adapter.
public struct NoticeContent: Hashable, Codable, Sendable {
    /// The app, by the name of its desktop entry or the app id of its windows; empty if it is not known.
    public var app: String
    /// The name that the sender gives itself.
    public var name: String
    public var title: String
    public var body: String
    /// An icon of the theme, or the path of an image; nil: that of the app.
    public var icon: String?
    /// A small picture for the notification: the path of a file that the shell keeps.
    public var image: String?
    public var buttons: [NoticeButton] = []
    /// Whether a tap means something to the sender.
    public var hasDefault = false
    public var level = NoticeLevel.active
    /// The subject, as the specification has it: "im.received".
    public var category = ""
    /// A key for notifications that belong together within an app, such as those of a chat.
    public var thread = ""
    /// A newer one with the same key replaces it.
    public var key = ""
    /// From 0 to 100: how far a job is.
    public var progress: Int?
    /// It is shown once and not kept.
    public var isTransient = false
    /// It stays when a person used a button of it.
    public var isResident = false
    /// It confirms an act that a person has just done.
    public var isFeedback = false
    public var isSilent = false
    /// The sound, by its freedesktop name.
    public var sound: String?
    /// On the lock screen it is not even counted.
    public var hidesOnLock = false
    /// It stays on the screen until a person answers it, such as a call.
    public var stays = false
    /// The shell's own: so many wait, of these apps.
    public var summary: NoticeSummary?
    /// The shell's own: it tells of a removable drive.
    public var drive: NoticeDrive?
    /// The service that it came by; nil: `org.freedesktop.Notifications`.
    public var origin: NoticeOrigin?
    /// It shows no banner, because its app wants it in the list only.
    public var waitsInList: Bool?
    /// The web site or the account within the app that it comes from, as the app says.
    public var site: String?
    /// On the lock screen only its app is named, whatever a person chose for the app.
    public var hidesContentOnLock: Bool?
    /// The process that sent it, or that owns the name on the bus by which it was sent; nil: not known, or it is gone. Its windows
    /// are the app's, whatever they call themselves.
    public var process: Int32?
    /// The outcome of the notification when its sender left.
    public var lapse: NoticeLapse?
    /// An answer that a person wrote and that was not delivered.
    public var unsent: String?
    /// It means nothing after the machine has started anew, as its sender says.
    public var isOfThisBoot: Bool?
    /// The sender's owner, as the shell found it; nil in notifications that an older shell kept (`payer`).
    public var owner: Owner?
    /// The number that its sender wanted to replace. From then on its sender knows it by this number, even if another sender chose it.
    public var claimed: UInt32?
    /// Seconds after which its sender counts it as over; nil: the sender leaves that to a person.
    public var timeout: Int?

    public init(app: String = "", name: String = "", title: String, body: String = "", level: NoticeLevel = .active) {
        self.app = app
        self.name = name
        self.title = title
        self.body = body
        self.level = level
    }

    /// The key by which the list groups notifications.
    public var group: String { isNameless ? Self.namelessGroup : app.isEmpty ? "?" + name : app }
}

/// The removable drive that a notification of the shell tells of. The shell finds the drives anew at each start, so that such a notification
/// is kept on no disk.
public struct NoticeDrive: Hashable, Codable, Sendable {
    /// The id of its volume.
    public var id: String
    /// It is ejected, and may be taken out.
    public var isFreed: Bool

    public init(id: String, isFreed: Bool = false) {
        self.id = id
        self.isFreed = isFreed
    }
}

/// The notifications that a summary tells of.
public struct NoticeSummary: Hashable, Codable, Sendable {
    public var count: Int
    /// The groups, the one with the newest notification first.
    public var groups: [String]
}

/// A notification in the list.
public struct Notice: Hashable, Codable, Sendable {
    public let id: NoticeID
    /// The connection on the bus that hears how it ends; nil once it is gone.
    public var sender: String?
    public var content: NoticeContent
    /// When it came, in seconds since 1970.
    public var arrived: Int64
    public var isRead = false
    /// It was scheduled, and its time passed while the shell did not run or the machine was off or asleep (S-12).
    public var isLate = false
    /// A summary told of it.
    public var isSummarised: Bool?
    /// Out of sight until then, because a person put it off.
    public var snoozed: Int64?
    /// The schedule that it came from, and the data that its app gets back.
    public var schedule: String?
    public var payload: String?
    /// When its bar goes, unless it is renewed until then, because its sender is gone.
    public var lapses: Int64?
    /// When its sender hears that its time is over.
    public var expires: Int64?

    public init(id: NoticeID, sender: String?, content: NoticeContent, arrived: Int64) {
        self.id = id
        self.sender = sender
        self.content = content
        self.arrived = arrived
    }

    public var group: String { content.group }

    /// The number by which its sender knows it.
    public var number: NoticeID { content.claimed.map { NoticeID($0) } ?? id }
}

/// Why a notification ended. The numbers are those of the specification.
public enum NoticeEnd: UInt32, Hashable, Codable, Sendable {
    case expired = 1
    case dismissed = 2
    case closed = 3
    case other = 4
}
