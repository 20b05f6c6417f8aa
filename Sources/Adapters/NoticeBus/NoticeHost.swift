import Callers
import Notices

/// The shell, as programs that notify see it. Confined to the thread of the event loop. It answers from memory.
public protocol NoticeHost: AnyObject {
    /// A program notifies. `answer` gets the number of the notification before anything follows from it: the program waits for it.
    func notify(_ call: NoticeCall, from sender: NoticeSender, answer: (UInt32) -> Void)
    /// A program that notifies too fast renews a notification that is there. Only the last one of such calls follows, as soon as the pace of its
    /// owner allows. Returns the number of the notification; nil: there is none, or too many wait, and the call is refused.
    func holdUpdate(_ call: NoticeCall, from sender: NoticeSender) -> UInt32?
    /// Returns the owner whose quotas a sender uses. `app`: the app that it names, if it may speak for others.
    func owner(of sender: NoticeSender, naming app: String?) -> Owner
    /// A program withdraws a notification. False: it is another program's.
    func withdraw(_ id: UInt32, from sender: NoticeSender) -> Bool
    /// Whether a sender may notify as this app, by a service that names apps.
    func mayNotify(as app: String, by service: NoticeOrigin.Service, _ sender: NoticeSender) -> Bool
    /// An app withdraws a notification by the name that it gave it.
    func withdraw(_ origin: NoticeOrigin, from sender: NoticeSender)
    /// An app is not on the bus, and no service starts it. It is called once it is there.
    /// - Parameter reply: the answer of a person that it was to get.
    func isAbsent(_ app: String, reply: String?)
    /// Reports the process that owns an app's name on the bus; nil: it has left.
    func owns(_ app: String, process: Int32?)
    /// Whether notifications do not disturb now.
    var isQuiet: Bool { get }
    /// A sender has left the bus.
    func senderGone(_ name: String)

    /// `done` gets why it is refused, or nil once it is on the disk.
    func schedule(_ order: NoticeOrder, from sender: NoticeSender, done: @escaping (String?) -> Void)
    func cancel(_ name: String, app: String, from sender: NoticeSender) -> Bool
    func schedules(app: String, from sender: NoticeSender) -> [NoticeSchedule]
    /// The app's deliveries that a person tapped since the app asked last: names and payloads.
    func takeTaps(app: String, from sender: NoticeSender) -> [(name: String, payload: String)]
}

/// A connection that called.
public final class NoticeSender {
    public let name: String
    /// nil until the bus has said it.
    public internal(set) var process: Int32?
    /// The owner whose quotas it uses. Has no meaning until the connection is identified.
    public internal(set) var owner = Owner.user

    init(_ name: String) { self.name = name }
}

/// A notification for later (S-12).
public struct NoticeOrder: Sendable {
    public var name: String
    /// Seconds since 1970.
    public var time: Int64
    public var repeats: NoticeRepeat?
    public var payload: String
    public var call: NoticeCall
}
