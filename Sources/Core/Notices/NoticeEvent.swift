/// An event that concerns notifications. Times are seconds since 1970.
public enum NoticeEvent: Hashable, Codable, Sendable {
    /// A program notifies. The adapter numbers it: by `Notices.target`, or by a new number.
    indirect case notify(NoticeID, NoticeContent, sender: String?, at: Int64)
    /// Its picture is ready, as the path of a file.
    case pictured(NoticeID, image: String?)
    /// Its sender withdraws it.
    case close(NoticeID)
    /// A connection has left the bus: nothing more can be told there.
    case senderGone(String)
    /// The notifications and schedules of the last session, oldest first, and the person's choices then.
    /// - Parameter endedRuns: those that were kept before the machine started anew.
    indirect case restored([Notice], [NoticeSchedule], NoticeChoices.Wishes?, at: Int64, endedRuns: [NoticeID]? = nil)
    /// An app that a person wants to reach is not on the bus, and no service starts it.
    /// - Parameter reply: the answer that it was to get.
    case absent(app: String, reply: String? = nil)
    /// Which process owns the name of an app on the bus, as its notifications have it; nil: it has left the bus.
    case owner(app: String, process: Int32?)
    /// The settings of the configuration file.
    case fixed(NoticeChoices.Wishes)
    /// An app asks for a delivery at a time. One of the same name is replaced.
    indirect case schedule(NoticeSchedule, at: Int64)
    case cancel(group: String, name: String)
    /// The clock on the wall: at the start, at the time that was asked for, and when it was set.
    case clock(Int64, NoticeZone)
}

/// The work of the adapter. An effect for a sender has the number by which that sender knows the notification (`Notice.number`).
public enum NoticeEffect: Hashable, Codable, Sendable {
    /// Tells the sender, and no other program.
    case closed(NoticeID, to: String, NoticeEnd)
    /// A person used it. First the activation token, then this.
    case invoked(NoticeID, to: String, button: String)
    /// A person wrote an answer. First the activation token, then this.
    case replied(NoticeID, to: String, text: String)
    /// Calls an action of the app, and starts the app if it is gone; nil: shows the app. `to`: the connection that passes on actions that
    /// the app does not export. `isStarted`: it has windows, so it runs or the shell starts it, and the bus must not start it a second
    /// time.
    indirect case activate(NoticeOrigin, NoticeTarget?, reply: String?, to: String?, isStarted: Bool = false)
    /// A delivery of a schedule was tapped.
    case tapped(app: String, name: String, payload: String)
    /// Puts a text on the clipboard.
    case copy(String)
    /// Keep it for the next session as it is now, or forget it.
    case keep(NoticeID)
    case forget(NoticeID)
    case keepSchedule(String)
    case forgetSchedule(String)
    /// Only its read mark is new. It may be written later than everything else.
    case keepRead(NoticeID)
    case keepChoices
    /// `NoticeEvent.clock` is wanted then; nil: no more.
    case wake(at: Int64?)
}
