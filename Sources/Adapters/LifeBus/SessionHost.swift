import LifeService
import Lifecycle

/// The shell, as the session manager on the bus sees it. Confined to the thread of the event loop.
public protocol SessionHost: AnyObject {
    /// A process of an app starts. The host answers at once, because the toolkit waits.
    func beginInstance(of app: String, by caller: LifeCaller) -> StartedInstance
    /// The process announces that it ends normally.
    func finishInstance(_ id: String, of app: String)
    /// The process is gone, and did not announce its end.
    func instanceGone(_ id: String, of app: String)
    /// The app deleted the state that it kept for these instances.
    func deletedInstances(_ ids: [String], of app: String)

    /// Whether the caller may ask for instances of this app.
    func mayRestore(_ app: String, _ caller: LifeCaller) -> Bool

    func inhibit(_ kinds: Inhibitor.Kinds, app: String, reason: String, by caller: LifeCaller) -> InhibitorID
    func uninhibit(_ id: InhibitorID)

    /// Sets all apps that a person allowed, by a portal, to run in the background.
    func allowedInBackground(_ apps: [String])

    func registerClient(app: String, by caller: LifeCaller) -> SessionClientID
    func unregisterClient(_ id: SessionClientID)
    /// `objection`: the reason of a client against the end of the session; nil: it has none.
    func clientAnswered(_ id: SessionClientID, objection: String?)

    /// Handles a program's request to end the session. Throws if that is not possible.
    func logOut(isForced: Bool, by caller: LifeCaller) throws(LifeError)
    /// False once the session ends.
    var isSessionRunning: Bool { get }
}

public struct StartedInstance: Hashable, Sendable {
    public var reason: RestoreReason
    public var id: String
    /// Instances whose kept state the app deletes.
    public var discarded: [String]

    public init(reason: RestoreReason, id: String, discarded: [String]) {
        self.reason = reason
        self.id = id
        self.discarded = discarded
    }
}

/// The limits of one program's requests to the session manager.
enum SessionLimits {
    /// Bytes of an app's id.
    static let app = 256
    /// Bytes of a reason.
    static let reason = 512
    /// Ids in one message.
    static let ids = 64
}
