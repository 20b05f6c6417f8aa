import MessageBus

/// A notification that the shell delivers at its time (S-12).
public struct ScheduledNotice: Hashable, Sendable {
    /// When the notification comes again.
    public enum Repetition: Hashable, Sendable {
        /// Each day, at the same wall time.
        case daily
        /// Each week, on the same day at the same wall time.
        case weekly
        /// After so many seconds, at least 60.
        case every(seconds: Int64)

        var word: String {
            switch self {
            case .daily: "daily"
            case .weekly: "weekly"
            case .every(let seconds): String(seconds)
            }
        }
    }

    /// How much a notification interrupts a person.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// It waits in the list, without a banner.
        case passive
        /// It shows a banner, except while a person wants none.
        case active
        /// It shows a banner in full screen and in a call, too.
        case timeSensitive = "time-sensitive"
    }

    /// A scheduled notification, as `ScheduledNotices.list()` returns it.
    public struct Entry: Hashable, Sendable {
        /// Unique within the app.
        public var name: String
        /// The next delivery, in seconds since 1970.
        public var time: Int64
        /// The text that people read.
        public var title: String

        /// An entry of these values, such as for an app's own tests.
        public init(name: String, time: Int64, title: String) {
            self.name = name
            self.time = time
            self.title = title
        }
    }

    /// A delivery that a person tapped.
    public struct Tap: Hashable, Sendable {
        /// The name of the notification.
        public var name: String
        /// The text that the app gave with it.
        public var payload: String

        /// A tap of these values, such as for an app's own tests.
        public init(name: String, payload: String) {
            self.name = name
            self.payload = payload
        }
    }

    /// Unique within the app: another one of the same name replaces it. 1 to 128 bytes.
    public var name: String
    /// The delivery, in seconds since 1970. If the time has passed, it comes at once.
    public var time: Int64
    /// nil: it comes once.
    public var repeats: Repetition?
    /// The text that people read; not empty.
    public var title: String
    /// More words below the title.
    public var body: String
    /// How much it interrupts.
    public var level: Level
    /// The text that the app gets back when a person taps it; at most 4096 bytes.
    public var payload: String

    /// A notification for a time, in seconds since 1970.
    public init(
        name: String, time: Int64, repeats: Repetition? = nil, title: String, body: String = "", level: Level = .active,
        payload: String = ""
    ) {
        self.name = name
        self.time = time
        self.repeats = repeats
        self.title = title
        self.body = body
        self.level = level
        self.payload = payload
    }
}

/// Notifications for later: delivered whether the app is suspended, gone, or the machine was off (S-12).
///
/// ```swift
/// let notices = try ScheduledNotices(app: "org.example.Tea")
/// notices.schedule(ScheduledNotice(name: "tea", time: now + 300, title: "The tea is ready", payload: "green")).whenDone { result in
///     if case .failure(let error) = result { status.text = error.text }
/// }
/// // After a person tapped it, and the shell has started the app:
/// for tap in try notices.takeTaps().wait() { show(tap.payload) }
/// ```
///
/// It talks to the shell over the session bus (`org.mullion.Notices1`, docs/notifications.md). It has no thread and no event loop: watch
/// `descriptor` for `events`, call `process()` when it is ready or `timeout` has passed, and read all three again when `onLoopChange` is
/// called. Confined to one thread. Keep this object until its requests are answered: its release ends the connection.
///
/// Requests are sent at once and answered later: no method blocks but `wait(seconds:)`, here and of a `Reply`. A request without an answer
/// fails with `.timedOut` after 25 seconds, and without a shell with `.unavailable`.
public final class ScheduledNotices {
    /// The name of the app's desktop entry. A program in a sandbox speaks for its own app only.
    public let app: String
    /// Called when `descriptor`, `events` or `timeout` may have changed. Do not call `process()` from here.
    public var onLoopChange: () -> Void = {}

    private let link: NoticesLink

    /// Starts connecting, without waiting for the shell.
    /// - Parameters:
    ///   - app: the name of the app's desktop entry.
    ///   - busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(app: String, busAddress: String? = nil) throws(MullionError) {
        self.app = app
        link = try NoticesLink(address: busAddress)
        link.owner = self
    }

    /// Schedules a notification. The answer comes when it is on the disk. Fails with `.badParameter` for an empty title, a name, payload or
    /// repetition outside its limits, for a time after the year 9999, and where the app has 64 schedules.
    @discardableResult
    public func schedule(_ notice: ScheduledNotice) -> Reply<Void> {
        var fields: [String: BusValue] = ["title": .text(notice.title), "body": .text(notice.body), "app": .text(app)]
        if notice.level != .active { fields["level"] = .text(notice.level.rawValue) }
        return link.send(
            "Schedule",
            {
                $0.string(notice.name)
                $0.int64(notice.time)
                $0.string(notice.repeats?.word ?? "")
                $0.string(notice.payload)
                $0.table(fields)
            }
        ) { _ in }
    }

    /// Cancels a notification. The answer is false if there is none of this name.
    @discardableResult
    public func cancel(_ name: String) -> Reply<Bool> {
        link.send(
            "Cancel",
            {
                $0.string(name)
                $0.string(app)
            }
        ) { $0.bool() ?? false }
    }

    /// The scheduled notifications of the app, the next one first.
    public func list() -> Reply<[ScheduledNotice.Entry]> {
        link.send("List", { $0.string(app) }) { answer in
            answer.array(of: "(sxs)", limit: 1024) {
                answer.structure("sxs") {
                    guard let name = answer.string(), let time = answer.int64(), let title = answer.string() else { return nil }
                    return ScheduledNotice.Entry(name: name, time: time, title: title)
                }
            } ?? []
        }
    }

    /// The deliveries that a person tapped since the last call, in their order.
    public func takeTaps() -> Reply<[ScheduledNotice.Tap]> {
        link.send("TakeTaps", { $0.string(app) }) { answer in
            answer.array(of: "(ss)", limit: 1024) {
                answer.structure("ss") {
                    guard let name = answer.string(), let payload = answer.string() else { return nil }
                    return ScheduledNotice.Tap(name: name, payload: payload)
                }
            } ?? []
        }
    }

    /// Leaves the bus. Requests without an answer fail with `.expiredSession`. Releasing the last reference does the same.
    public func close() { link.close() }

    deinit { link.close() }

    // MARK: Event loop

    /// The descriptor to watch; -1 after `close()` and when the bus was lost.
    public var descriptor: Int32 { link.connection?.descriptor ?? -1 }
    /// The events to watch `descriptor` for.
    public var events: (read: Bool, write: Bool) { link.connection?.events ?? (false, false) }
    /// Milliseconds until the next required call of `process()`; -1: only when the descriptor is ready. As for poll(2).
    public var timeout: Int32 { link.timeout }

    /// Processes pending messages, and calls back. Never blocks.
    public func process() { link.process() }

    /// Waits until something happens or the time is over, and processes it. For programs without a loop.
    public func wait(seconds: Double = .infinity) { link.wait(seconds: seconds) }
}

/// The connection of `ScheduledNotices`: requests of `org.mullion.Notices1` and their answers.
final class NoticesLink: ReplyLoop {
    private static let service = "org.mullion.Notices1"
    private static let purpose = "delivers notifications"
    private static let patience: UInt64 = 25_000_000

    weak var owner: ScheduledNotices?
    private(set) var connection: BusConnection?
    private var pending: [UInt64: (Result<Incoming, MullionError>) -> Void] = [:]
    private var lastToken: UInt64 = 0
    /// Answers that are read, to be delivered outside of the connection's handlers.
    private var news: [() -> Void] = []
    private var isProcessing = false
    private var isClosing = false

    init(address: String?) throws(MullionError) {
        let address = try SessionBus.address(address)
        connection = BusConnection(address: address, handler: self)
        guard connection != nil else { throw .unreachable(address) }
    }

    func send<Value: Sendable>(
        _ member: String, _ arguments: (inout Outgoing) -> Void, _ read: @escaping (Incoming) -> Value
    ) -> Reply<Value> {
        guard let connection, !isClosing else {
            return Reply(failed: MullionError(.expiredSession, "the connection is closed, or the bus was lost"))
        }
        let reply = Reply<Value>(self)
        lastToken += 1
        pending[lastToken] = { [unowned self] answer in
            // The message is read while it is there; the app hears of it later.
            let result = answer.map(read)
            news.append { reply.finish(result) }
        }
        let isSent = connection.call(
            Self.service, "/org/mullion/Notices1", Self.service, member, token: lastToken, timeout: Self.patience
        ) {
            $0.startNothing()
            arguments(&$0)
        }
        if !isSent {
            pending[lastToken] = nil
            return Reply(failed: MullionError(.failed, "\(member) could not be sent"))
        }
        owner?.onLoopChange()
        return reply
    }

    func close() { close(MullionError(.expiredSession, "the connection was closed")) }

    private func close(_ error: MullionError) {
        // The connection cannot be closed from a handler.
        guard !isProcessing else { return isClosing = true }
        guard let old = connection else { return }
        connection = nil
        let unanswered = pending.values
        pending = [:]
        for done in unanswered { done(.failure(error)) }
        while !news.isEmpty { news.removeFirst()() }
        owner?.onLoopChange()
        old.close()
    }

    var timeout: Int32 { BusConnection.milliseconds(until: connection?.deadline) }

    func process() {
        guard !isProcessing, let connection else { return }
        // The app may release the object inside a callback.
        let me = self
        defer { withExtendedLifetime(me) {} }
        isProcessing = true
        let lives = connection.process(steps: 64)
        while !news.isEmpty { news.removeFirst()() }
        isProcessing = false
        if isClosing { close() } else if !lives { close(MullionError(.unavailable, "the session bus is lost")) }
        owner?.onLoopChange()
    }

    func wait(seconds: Double) {
        guard let connection else { return }
        connection.wait(milliseconds: timeout, seconds: seconds)
        process()
    }
}

extension NoticesLink: BusHandler {
    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        pending.removeValue(forKey: token)?(answer.mapError { MullionError($0, Self.purpose) })
    }
}
