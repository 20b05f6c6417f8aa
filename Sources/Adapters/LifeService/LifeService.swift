import Callers
import Lifecycle
import Windows

/// The shell, as seen by the services for apps: the Wayland protocol and the service on the session bus. It identifies the
/// app and keeps its state. Confined to the thread of the event loop.
public protocol LifeHost: AnyObject {
    /// Registers state that an app offers, under a name that passed `LifeLimits.check`.
    ///
    /// - Parameter isReady: called once, perhaps before this returns, with the kept state, or nil if none is kept. The client is asked for
    ///   state only after that.
    func offerState(
        _ name: String, by caller: LifeCaller, to client: any LifeClient, isReady: @escaping (StateID, [UInt8]?) -> Void
    ) throws(LifeError) -> StateID
    func withdrawState(_ id: StateID)
    /// Takes an answer. An answer to any request but the last one is ignored.
    func takeState(_ id: StateID, _ token: SaveToken, _ bytes: [UInt8])
    func takeNoState(_ id: StateID, _ token: SaveToken)
    /// Whether this token belongs to the last request, so that the answer is worth reading.
    func wantsState(_ id: StateID, _ token: SaveToken) -> Bool
    func stateChanged(_ id: StateID)

    func beginTask(_ name: String, by caller: LifeCaller, for client: any LifeClient) throws(LifeError) -> TaskID
    /// From 0 to 1.
    func advanceTask(_ id: TaskID, to progress: Double)
    func endTask(_ id: TaskID)
    /// Ends a task that its app marked as important, and notifies the person of its end (S-07).
    func finishTask(_ id: TaskID, text: String)

    /// Reports the app's life to this client from now on. Returns the phase; nil if the app has no window yet.
    @discardableResult
    func follow(_ caller: LifeCaller, _ client: any LifeClient) -> VisiblePhase?
    func unfollow(_ client: any LifeClient)

    /// The number of a new connection on the bus: for `LifeCaller`.
    func connection() -> UInt64
    /// The connection ended. Drops everything that only this connection could get back.
    func connectionEnded(_ caller: LifeCaller)
    /// Returns the owner whose quotas this caller uses (P-06). `app`: the app that it names, if it may speak for others.
    func owner(of caller: LifeCaller, naming app: String?) -> Owner
    /// Whether this caller may use a service on the bus.
    func allows(_ door: Identity.BusDoor, _ caller: LifeCaller) -> Bool
}

/// The messages from the shell to a client. Each function is called only for things that the client registered.
public protocol LifeClient: AnyObject {
    func saveState(_ id: StateID, _ token: SaveToken)
    func taskExpires(_ id: TaskID, in seconds: Double)
    func taskExpired(_ id: TaskID)
    func phaseChanged(_ phase: VisiblePhase)
    func resumed(after seconds: Double)
    func memoryIsLow()
}

extension LifeClient {
    public func saveState(_ id: StateID, _ token: SaveToken) {}
    public func taskExpires(_ id: TaskID, in seconds: Double) {}
    public func taskExpired(_ id: TaskID) {}
    public func phaseChanged(_ phase: VisiblePhase) {}
    public func resumed(after seconds: Double) {}
    public func memoryIsLow() {}
}

/// The caller, as far as the connection identifies it.
public struct LifeCaller: Hashable, Sendable {
    public var process: Int32
    /// The process and its ancestors, nearest first.
    public var lineage: [Int32]
    /// The Wayland client's identity; nil on the bus.
    public var client: UInt64?
    /// The app id that its window reports; "" if it has none.
    public var appID: String
    /// The number of the connection on the bus; 0 on Wayland.
    public var connection: UInt64

    public init(process: Int32, lineage: [Int32], client: UInt64? = nil, appID: String = "", connection: UInt64 = 0) {
        self.process = process
        self.lineage = lineage
        self.client = client
        self.appID = appID
        self.connection = connection
    }
}

/// The phase that apps are told.
public enum VisiblePhase: String, Hashable, Sendable, CaseIterable {
    case active, inactive, background

    public init(_ phase: AppPhase) {
        self =
            switch phase {
            case .active: .active
            case .inactive: .inactive
            case .background, .saving, .freezing, .frozen: .background
            }
    }
}

/// A refused request, with a message for the app's author.
public struct LifeError: Error, Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case badParameter, nameInUse, tooMany, noApp, tooLarge, badFile, unknown, denied
    }

    public var kind: Kind
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// The limits for one program.
public enum LifeLimits {
    /// The most bytes of one state.
    public static let state = 1 << 20
    /// The most bytes of a name.
    public static let name = 256
    /// The most bytes of the notification of a task's end.
    public static let text = 1024
    /// The most states that one process may offer.
    public static let statesOfOneProcess = 64

    /// Checks the name of a state or of a task.
    public static func check(name: String) throws(LifeError) {
        let count = name.utf8.count
        guard count > 0 else { throw LifeError(.badParameter, "the name is empty") }
        guard count <= Self.name else {
            throw LifeError(.badParameter, "the name has \(count) bytes, and may have \(Self.name)")
        }
    }

    public static func check(size: Int) throws(LifeError) {
        guard size <= state else {
            throw LifeError(.tooLarge, "the state has \(size) bytes, and at most \(state) are kept")
        }
    }

    public static func check(progress: Double) throws(LifeError) {
        guard (0...1).contains(progress) else {
            throw LifeError(.badParameter, "the progress is \(progress), and goes from 0 to 1")
        }
    }
}
