import MessageBus

/// A notification that the shell delivers at its time (S-12).
public struct ScheduledNotice: Hashable, Sendable {
    /// Unique within the app: another one of the same name replaces it. 1 to 128 bytes.
    public var name: String
    /// Seconds since 1970.
    public var time: Int64
    /// "daily", "weekly", a number of seconds, or "" for once.
    public var repeats: String
    public var title: String
    public var body: String
    /// "passive", "active" or "time-sensitive"; nil: active.
    public var level: String?
    /// The text that the app gets back when a person taps it; at most 4096 bytes.
    public var payload: String

    public init(name: String, time: Int64, repeats: String = "", title: String, body: String = "", level: String? = nil, payload: String = "") {
        self.name = name
        self.time = time
        self.repeats = repeats
        self.title = title
        self.body = body
        self.level = level
        self.payload = payload
    }
}

public struct ScheduledNoticesError: Error, Hashable, Sendable {
    /// For a person.
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// Notifications for later: delivered whether the app is suspended, gone, or the machine was off (S-12).
///
/// ```swift
/// let notices = ScheduledNotices(app: "org.example.Tea")
/// try notices.schedule(ScheduledNotice(name: "tea", time: now + 300, title: "The tea is ready", payload: "green"))
/// // After a person tapped it, and the shell has started the app:
/// for tap in try notices.takeTaps() { show(tap.payload) }
/// ```
///
/// It talks to the shell over the session bus (`org.mullion.Notices1`, docs/notifications.md). Each call waits for the answer,
/// which comes when the schedule is on the disk.
public struct ScheduledNotices {
    /// The name of the app's desktop entry. A program in a sandbox speaks for its own app only.
    public var app: String
    public var busAddress: String?

    public init(app: String, busAddress: String? = nil) {
        self.app = app
        self.busAddress = busAddress
    }

    /// Returns once it is kept.
    public func schedule(_ notice: ScheduledNotice) throws(ScheduledNoticesError) {
        var fields: [String: BusValue] = ["title": .text(notice.title), "body": .text(notice.body), "app": .text(app)]
        if let level = notice.level { fields["level"] = .text(level) }
        try call("Schedule", {
            $0.string(notice.name)
            $0.int64(notice.time)
            $0.string(notice.repeats)
            $0.string(notice.payload)
            $0.table(fields)
        }) { _ in }
    }

    /// False: there is none of this name.
    public func cancel(_ name: String) throws(ScheduledNoticesError) -> Bool {
        try call("Cancel", {
            $0.string(name)
            $0.string(app)
        }) { $0.bool() ?? false }
    }

    /// Returns the scheduled notifications of the app, the next one first.
    public func list() throws(ScheduledNoticesError) -> [(name: String, time: Int64, title: String)] {
        try call("List", { $0.string(app) }) { answer in
            answer.array(of: "(sxs)", limit: 1024) {
                answer.structure("sxs") {
                    guard let name = answer.string(), let time = answer.int64(), let title = answer.string() else { return nil }
                    return (name, time, title)
                }
            } ?? []
        }
    }

    /// The deliveries that a person tapped since the last call, in their order.
    public func takeTaps() throws(ScheduledNoticesError) -> [(name: String, payload: String)] {
        try call("TakeTaps", { $0.string(app) }) { answer in
            answer.array(of: "(ss)", limit: 1024) {
                answer.structure("ss") {
                    guard let name = answer.string(), let payload = answer.string() else { return nil }
                    return (name, payload)
                }
            } ?? []
        }
    }

    private func call<Value>(
        _ member: String, _ arguments: (inout Outgoing) -> Void, _ read: @escaping (Incoming) -> Value
    ) throws(ScheduledNoticesError) -> Value {
        let call: ServiceCall
        do throws(ShellViewError) {
            call = try ServiceCall(
                "org.mullion.Notices1", "/org/mullion/Notices1", member, timeout: 25_000_000, takesFiles: false, busAddress: busAddress, arguments)
        } catch {
            throw ScheduledNoticesError(error.text)
        }
        var result: Result<Value, ScheduledNoticesError>?
        call.onAnswer = { answer in
            switch answer {
            case .success(let message): result = .success(read(message))
            case .failure(let error): result = .failure(ScheduledNoticesError(ServiceCall.words(error, "delivers notifications")))
            }
        }
        call.wait()
        guard let result else { throw ScheduledNoticesError("nothing was answered") }
        return try result.get()
    }
}
