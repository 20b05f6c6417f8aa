/// An act of a person on notifications. `Action.notice` carries it.
public enum NoticeAct: Hashable, Codable, Sendable {
    /// Brings its app forward and tells it.
    case open(NoticeID)
    /// Presses a button of it. One that takes an answer opens its field.
    case press(notice: NoticeID, button: String)
    /// Sends an answer by the first button that takes one, or by the one whose field is open; nil: the text in the field.
    case reply(notice: NoticeID, text: String? = nil)
    /// Closes the field for an answer. The text in it comes back with the field.
    case leaveReply
    /// Copies the answer that was not delivered.
    case copyUnsent(NoticeID)
    /// Removes it.
    case dismiss(NoticeID)
    /// Shows it again in an hour.
    case snooze(NoticeID)
    /// Shows all of the banner, with its buttons, or less again.
    case expand(NoticeID)
    /// Removes all of an app.
    case clear(group: String)
    case clearAll
    /// Shows all of an app in the list, or only the newest one.
    case unfold(group: String)
    /// Do Not Disturb; nil: toggles.
    case quiet(Bool?)
    /// Begins a focus; nil: ends the one that holds.
    case focus(String?)
    /// Makes a focus, and shows it.
    case newFocus(FocusName)
    /// Deletes a focus that a person made.
    case deleteFocus(String)
    /// Sets the notifications that such a focus lets through, and its times.
    case setFocus(focus: String, what: FocusSetting)
    /// Shows it in the control centre, to change it.
    case editFocus(String)
    /// Shows the next part of a list that is too long for a page: focuses, their names, apps or people.
    case moreFocusApps
    /// Sets the permissions of an app.
    case choose(app: String, what: NoticeChoice)
    /// Shows the settings of an app, in the list; nil: the list again.
    case settings(group: String?)
}

/// A person's choice for the notifications of an app.
public enum NoticeChoice: Hashable, Codable, Sendable {
    case manner(NoticeManner)
    case sounds(Bool)
    case badge(Bool)
    case onLock(NoticeOnLock)
}

/// How an app may notify.
public enum NoticeManner: String, Hashable, Codable, Sendable, CaseIterable {
    case banners
    /// In the list only.
    case quietly
    /// In the list, and told with others at chosen times.
    case summary
    case off
}

/// How much of an app's notifications a locked screen shows.
public enum NoticeOnLock: String, Hashable, Codable, Sendable, CaseIterable {
    /// App and title.
    case content
    /// Only that there are some.
    case count
    case nothing
}
