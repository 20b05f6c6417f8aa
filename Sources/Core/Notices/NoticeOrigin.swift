/// An action of an app: its name and its parameter.
public struct NoticeTarget: Hashable, Codable, Sendable {
    /// As the app exports it, with its prefix: "app.archive".
    public var action: String
    /// The parameter, in the form that the adapter keeps; nil: none.
    public var parameter: String?

    public init(action: String, parameter: String? = nil) {
        self.action = action
        self.parameter = parameter
    }

    /// Whether the app can be asked for it at any time, even if it has to be started.
    public var isExported: Bool { action.hasPrefix("app.") }
}

/// The field into which a person writes an answer.
public struct NoticeReply: Hashable, Codable, Sendable {
    /// The text of the empty field; empty: the shell's own words.
    public var placeholder: String
    /// The text of the button that sends the answer; empty: the shell's own word.
    public var submit: String

    public init(placeholder: String = "", submit: String = "") {
        self.placeholder = placeholder
        self.submit = submit
    }
}

/// Where a notification came from, if apps name theirs by text and hear of them by their actions: `org.gtk.Notifications` and the
/// portal. Such an app can be told after its end, because it is started for it.
public struct NoticeOrigin: Hashable, Codable, Sendable {
    public enum Service: String, Hashable, Codable, Sendable { case gtk, portal }

    public var service: Service
    /// The app's name on the bus, as the service has it.
    public var app: String
    /// The name that the app gave the notification.
    public var id: String
    /// The action of a tap; nil: it shows the app.
    public var tap: NoticeTarget?

    public init(_ service: Service, app: String, id: String, tap: NoticeTarget? = nil) {
        self.service = service
        self.app = app
        self.id = id
        self.tap = tap
    }

    /// Whether both name the same notification.
    public func names(_ other: NoticeOrigin) -> Bool { service == other.service && app == other.app && id == other.id }
}

extension NoticeContent {
    /// The button that takes an answer: the one with this key, or the first one.
    public func replyButton(_ key: String? = nil) -> NoticeButton? { buttons.first { $0.reply != nil && (key == nil || $0.key == key) } }

    /// Whether it is of the app with this name, or of the one with a window of this process.
    func isOf(_ app: String?, _ process: Int32?) -> Bool {
        !self.app.isEmpty && app == self.app || process != nil && process == self.process
    }

    /// Whether a button means something without its sender on the bus. The shell itself takes those of drives.
    func outlives(_ button: NoticeButton) -> Bool { drive != nil || origin != nil && button.target?.isExported ?? false }
}

extension Notices {
    /// The notification that an app gave this name.
    public func notice(named origin: NoticeOrigin) -> Notice? {
        var content = NoticeContent(title: "")
        content.origin = origin
        return index.hasName(content) ? all.values.last { $0.content.origin?.names(origin) ?? false } : nil
    }
}
