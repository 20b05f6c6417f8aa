/// The kind of a notification, as far as a locked screen tells it apart.
public enum NoticeKind: String, Hashable, Codable, Sendable, CaseIterable {
    case call, alarm, danger, reminder, other
}

extension NoticeContent {
    /// Whether it is of a category of the desktop notifications, or of a part of it.
    func isOf(_ category: String) -> Bool { self.category == category || self.category.hasPrefix(category + ".") }
}

extension Notice {
    public var kind: NoticeKind {
        if content.isOf("call") { return .call }
        if content.isOf("alarm") { return .alarm }
        if content.level == .critical { return .danger }
        return schedule == nil ? .other : .reminder
    }

    /// Whether its card over a locker stays until it is answered.
    public var staysOnLock: Bool { content.stays || content.level == .critical }

    /// Whether it cannot wait until a person looks at the locked screen: it stands over the locker by itself.
    var cannotWait: Bool { kind != .other || content.level >= .timeSensitive }
}

/// The words of a card over a locker.
public enum LockWords: Hashable, Codable, Sendable {
    /// Its app, and the kind of thing.
    case app
    /// Its app and its title.
    case title
}

extension Notices {
    /// The words of a card over a locker; nil: the notification has no card. A person decides for each app, and the app may say less. The
    /// text is never shown.
    public func saysOnLock(_ id: NoticeID) -> LockWords? {
        guard let notice = all[id], notice.cannotWait, notice.snoozed == nil, !notice.isRead, !notice.content.hidesOnLock else {
            return nil
        }
        switch choices.onLock(of: notice.group) {
        case .nothing: return nil
        case .count: return .app
        case .content: return notice.content.hidesContentOnLock ?? false ? .app : .title
        }
    }
}
