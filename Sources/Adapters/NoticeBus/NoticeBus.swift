import Callers
import Clocks
import Geometry
import MessageBus
import Notices

/// The notification service on the session bus: `org.freedesktop.Notifications`, and `org.mullion.Notices1` for scheduled ones
/// (docs/notifications.md). It translates and enforces limits; `NoticeHost` decides. It never blocks.
public final class NoticeBus {
    /// Receives notes for troubleshooting.
    public var onNote: (String) -> Void = { _ in }
    public weak var host: (any NoticeHost)?
    /// Called when the shell owns its names on the bus, or cannot get them.
    public var onServing: () -> Void = {}
    public private(set) var isServing = false
    public var isConnecting: Bool { link.isConnecting }

    private struct Client {
        let sender: NoticeSender
        var watch: BusWatch?
        var outbox = Outbox()
        /// Calls that wait until the bus has said whose process it is: that decides the app.
        var waiting: [HeldCall] = []
        /// Items of the tray that the last shell knew, and that wait for the same.
        var recalled: [String] = []
    }

    static let name = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications"
    static let own = "org.mullion.Notices1", ownPath = "/org/mullion/Notices1"
    private static let bus = BusLink.bus
    /// Connections whose owner the bus has not named yet.
    private static let strangerLimit = 256
    /// Calls of a connection that is not identified yet, and of all of them: each may bring a picture of megabytes.
    private static let waitingLimit = 64, allWaitingLimit = 256

    package private(set) lazy var link = BusLink(self, kind: .takesFiles, firstPause: firstPause) { [environment] in
        BusAddress.session(environment)
    }
    var connection: BusConnection? { link.connection }
    private var clients: [String: Client] = [:]
    private let environment: [String: String]
    private let firstPause: Int64
    private var namesLeft = 0
    /// The things that each owner holds, counted against its quotas (P-06).
    var holdings = Holdings()
    private var rates = Rates()
    /// Items of trays, by the connections that registered them.
    var trayItems: [String: [String]] = [:]
    /// Called with an item of the tray that came, by its object, or that went with its connection.
    public var onTrayItem: (NoticeSender, _ path: String, _ isThere: Bool) -> Void = { _, _, _ in }
    /// The items of the last shell on the bus with this id, each a connection and an object: ":1.42/StatusNotifierItem".
    public var recallTray: (String) -> [String] = { _ in [] }
    /// The id of the bus; nil until it is known.
    public internal(set) var busID: String?
    /// The owners of the names of apps that notify by the portal.
    var owners: [String: NameOwner] = [:]
    /// Calls that wait until an app that was started is on the bus, by its name there.
    var awaited: [String: Awaited] = [:]

    /// Starts connecting. `environment` locates the bus; `firstPause`: nanoseconds before the second attempt.
    public init(environment: [String: String], firstPause: Int64 = 3_000_000_000) {
        self.environment = environment
        self.firstPause = firstPause
        link.connect()
    }

    public func close() { link.close() }

    package func begins(_ bus: BusConnection) {
        bus.export(
            Self.name, below: Self.path,
            [
                .method("Notify", takes: "susssasa{sv}i", gives: "u"), .method("CloseNotification", takes: "u"),
                .method("GetCapabilities", gives: "as"), .method("GetServerInformation", gives: "ssss"),
                .signal("NotificationClosed", "uu"), .signal("ActionInvoked", "us"), .signal("ActivationToken", "us"),
                .signal("NotificationReplied", "us"),
                .property("Inhibited", "b"),
            ])
        bus.export(
            Self.own, below: Self.ownPath,
            [
                .method("Schedule", takes: "sxssa{sv}"), .method("Cancel", takes: "ss", gives: "b"),
                .method("List", takes: "s", gives: "a(sxs)"), .method("TakeTaps", takes: "s", gives: "a(ss)"),
                .signal("Tapped", "s"), .property("Version", "u"),
            ])
        exportForApps(on: bus)
        exportTray(on: bus)
    }

    /// Owns the names if they are free: in another desktop, programs use that desktop's service.
    private func requestNames() {
        let names = [Self.name, Self.own, Self.gtk, Self.backend, Self.watcher]
        namesLeft = names.count
        for name in names {
            link.own(name, note: onNote) { [unowned self] isOwn in
                if isOwn == false { onNote("another program serves \(name) on this session bus") }
                if isOwn == true, name == Self.watcher { findTrayItems() }
                namesLeft -= 1
                guard namesLeft == 0 else { return }
                isServing = true
                onServing()
            }
        }
    }

    func reportChange() { link.changed() }

    // MARK: Senders

    /// nil: there are too many.
    func client(_ name: String) -> NoticeSender? {
        if let known = clients[name] { return known.sender }
        guard clients.values.count(where: { $0.sender.process == nil }) < Self.strangerLimit else { return nil }
        let sender = NoticeSender(name)
        let watch = connection?.watch(BusLink.ownerRule(name))
        clients[name] = Client(sender: sender, watch: watch)
        link.callBus("GetConnectionUnixProcessID", { $0.string(name) }) { [weak self] answer in
            guard let self else { return }
            guard let process = (try? answer.get())?.uint32() else { return gone(name) }
            let waiting = clients[name]?.waiting ?? [], recalled = clients[name]?.recalled ?? []
            guard let host, clients[name]?.sender === sender else { return }
            sender.process = Int32(clamping: process)
            sender.owner = host.owner(of: sender, naming: nil)
            guard holdings.take(.noticeConnections, for: sender.owner) else {
                for held in waiting { _ = held.call.refuse("LimitsExceeded", "\(sender.owner) has too many connections to this service") }
                sender.process = nil
                gone(name)
                return reportChange()
            }
            clients[name]?.waiting = []
            clients[name]?.recalled = []
            for path in recalled { _ = takeTrayItem(path, of: sender) }
            for held in waiting { _ = serve(held.call, sender, host) }
            reportChange()
        }
        return sender
    }

    func waitForIdentity(_ name: String, trayItem path: String) {
        guard let own = clients[name]?.recalled, own.count < Self.waitingLimit, !own.contains(path) else { return }
        clients[name]!.recalled.append(path)
    }

    private func gone(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        if client.sender.process != nil { holdings.giveBack(.noticeConnections, for: client.sender.owner) }
        trayOwnerGone(client.sender)
        host?.senderGone(name)
    }

    // MARK: Messages to programs

    public func invoked(_ id: NoticeID, _ button: String, token: String?, to name: String) {
        used("ActionInvoked", id, button, token, name)
    }

    /// A person wrote an answer (KDE's extension).
    public func replied(_ id: NoticeID, _ text: String, token: String?, to name: String) {
        used("NotificationReplied", id, text, token, name)
    }

    /// To the sender alone, in the order that toolkits need: token, button or answer, end.
    private func used(_ signal: String, _ id: NoticeID, _ text: String, _ token: String?, _ name: String) {
        if let token {
            emit("ActivationToken", to: name) {
                $0.uint32(id.raw)
                $0.string(token)
            }
        }
        emit(signal, to: name) {
            $0.uint32(id.raw)
            $0.string(text)
        }
        reportChange()
    }

    public func closed(_ id: NoticeID, _ reason: NoticeEnd, to name: String) {
        emit("NotificationClosed", to: name) {
            $0.uint32(id.raw)
            $0.uint32(reason.rawValue)
        }
        reportChange()
    }

    /// A person tapped a delivery of this app; `TakeTaps` says which.
    public func tapped(app: String) {
        connection?.emit(Self.ownPath, Self.own, "Tapped") { $0.string(app) }
        reportChange()
    }

    private func emit(_ member: String, to name: String, _ write: @escaping (inout Outgoing) -> Void) {
        send(Outbox.Signal(path: Self.path, interface: Self.name, member: member, write: write), to: name)
    }

    func send(_ signal: Outbox.Signal, to name: String) {
        guard var client = clients[name] else { return }
        let step = client.outbox.add(signal)
        clients[name] = client
        switch step {
        case .send(let signal): put(signal, to: name)
        case .sendAndAsk(let signal):
            put(signal, to: name)
            // The reply may take as long as the program is frozen.
            link.call(name, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: 7 * 24 * 3_600_000) { [weak self] _ in
                guard let self, clients[name] != nil else { return }
                for signal in clients[name]!.outbox.answered() { send(signal, to: name) }
            }
        // It does not read, and will not miss more than the end of what it has forgotten.
        case .wait, .giveUp: break
        }
    }

    private func put(_ signal: Outbox.Signal, to name: String) {
        connection?.emit(signal.path, signal.interface, signal.member, to: name, signal.write)
    }
}

extension NoticeBus: LinkedBus {
    package func joined() { requestNames() }

    package func lost() {
        isServing = false
        let names = clients.keys.sorted()
        busID = nil
        for client in clients.values.sorted(by: { $0.sender.name < $1.sender.name }) { trayOwnerGone(client.sender) }
        clients = [:]
        awaited = [:]
        owners = [:]
        trayItems = [:]
        holdings.removeAll()
        for name in names { host?.senderGone(name) }
    }

    package func has(_ path: String, _ interface: String) -> Bool {
        switch interface {
        case Self.name: path == Self.path
        case Self.own: path == Self.ownPath
        case Self.gtk: path == Self.gtkPath
        case Self.portal: path == Self.portalPath
        case Self.watcher: path == Self.watcherPath
        default: false
        }
    }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        if interface == Self.watcher { return getTray(property, &value) }
        switch property {
        case "Inhibited": value.bool(host?.isQuiet ?? false)
        case "SupportedOptions": writeOptions(&value)
        case "version": value.uint32(2)
        default: value.uint32(1)
        }
    }

    package func signal(_ signal: Incoming) {
        guard let (name, owner) = BusLink.ownerChange(signal) else { return }
        ownerChanged(name, isGone: owner.isEmpty)
        if owner.isEmpty { gone(name) } else { hasCome(name) }
    }

    package func method(_ call: Incoming) -> Int32 {
        guard let host else { return call.refuse("Failed", "the session ends") }
        // Toolkits ask these two before anything else, and nothing depends on who asks.
        if call.member != "GetCapabilities", call.member != "GetServerInformation" {
            guard let sender = client(call.sender) else {
                return call.refuse("LimitsExceeded", "too many programs begin to use this service at once")
            }
            guard sender.process != nil else { return hold(call) }
            return serve(call, sender, host)
        }
        return serve(call, NoticeSender(call.sender), host)
    }

    private func hold(_ call: Incoming) -> Int32 {
        let own = clients[call.sender]!.waiting.count
        // The limit over all connections does not apply to the first call of a connection.
        guard own < Self.waitingLimit, own == 0 || clients.values.reduce(0, { $0 + $1.waiting.count }) < Self.allWaitingLimit else {
            return call.refuse("LimitsExceeded", "too many calls at once")
        }
        clients[call.sender]!.waiting.append(call.keep())
        return 1
    }

    private func serve(_ call: Incoming, _ sender: NoticeSender, _ host: any NoticeHost) -> Int32 {
        if call.interface == Self.own { return serveOwn(call, sender, host) }
        if call.interface == Self.watcher { return serveTray(call, sender) }
        if call.interface == Self.gtk || call.interface == Self.portal { return serveApps(call, sender, host) }
        switch call.member {
        case "GetCapabilities":
            return call.reply { $0.container(.array, "s") { for name in Self.capabilities { $0.string(name) } } }
        case "GetServerInformation":
            return call.reply {
                for text in ["Mullion", "Mullion", "1", "1.3"] { $0.string(text) }
            }
        case "Notify":
            let isInTime = takesAllowance(sender.owner)
            guard var notice = NoticeCall(freedesktop: call, takesPixels: isInTime) else {
                return call.refuse("InvalidArgs", "the arguments are (susssasa{sv}i)")
            }
            notice.process = sender.process
            guard isInTime else {
                if let number = host.holdUpdate(notice, from: sender) { return call.reply { $0.uint32(number) } }
                return call.refuse(
                    BusError(
                        name: "\(Self.name).Error.ExcessNotificationGeneration", text: "more than 50 notifications in a second: slow down"))
            }
            var status: Int32 = 0
            host.notify(notice, from: sender) { id in status = call.reply { $0.uint32(id) } }
            return status
        case "CloseNotification":
            guard let id = call.uint32() else { return call.refuse("InvalidArgs", "a number is expected") }
            guard host.withdraw(id, from: sender) else {
                return call.refuse("InvalidArgs", "notification \(id) is another program's")
            }
            return call.reply { _ in }
        default: return -95
        }
    }

    /// The capabilities of the specification that toolkits may expect. Chromium shows its own windows without `body` and `actions`. A link of a
    /// body is no control, so `body-hyperlinks` is not one of them.
    static let capabilities = [
        "actions", "body", "body-markup", "icon-static", "persistence", "sound", "inline-reply", "x-kde-reply-placeholder-text",
        "x-kde-origin-name",
        "x-kde-reply-submit-button-text", "x-canonical-private-synchronous", "x-mullion-level",
    ]

    /// Whether this call may be served now, by the limit of calls of one owner in a second.
    public func takesAllowance(_ owner: Owner) -> Bool {
        rates.take(.noticeCalls, for: owner, at: Moment(nanoseconds: Clocks.monotonicNanoseconds))
    }
}

// MARK: Scheduled notifications (S-12)

extension NoticeBus {
    private func serveOwn(_ call: Incoming, _ sender: NoticeSender, _ host: any NoticeHost) -> Int32 {
        guard takesAllowance(sender.owner) else { return call.refuse("LimitsExceeded", "too many calls in a second") }
        switch call.member {
        case "Schedule":
            guard let name = call.string(), let time = call.int64(), let repeats = call.string(), let payload = call.string(),
                let fields = call.table(.init(text: 4096))
            else {
                return call.refuse("InvalidArgs", "the arguments are (sxssa{sv})")
            }
            guard !name.isEmpty, name.utf8.count <= 128 else { return call.refuse("InvalidArgs", "a name has 1 to 128 bytes") }
            guard payload.utf8.count <= 4096 else { return call.refuse("InvalidArgs", "a payload has at most 4096 bytes") }
            guard let rule = Self.rule(repeats) else {
                return call.refuse("InvalidArgs", "\"\(repeats.prefix(32))\" is no repetition: empty, daily, weekly or a number of seconds")
            }
            let order = NoticeOrder(
                name: NoticeText.clean(name), time: time, repeats: rule, payload: payload, call: NoticeCall(fields: fields))
            guard !order.call.title.isEmpty else { return call.refuse("InvalidArgs", "a title is missing") }
            let held = call.keep()
            host.schedule(order, from: sender) { [weak self] objection in
                if let objection {
                    held.call.refuse(BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", text: objection))
                } else {
                    _ = held.call.reply { _ in }
                }
                self?.reportChange()
            }
            return 1
        case "Cancel":
            guard let name = call.string(), let app = call.string() else {
                return call.refuse("InvalidArgs", "a name and an app are expected")
            }
            let isCancelled = host.cancel(name, app: app, from: sender)
            return call.reply { $0.bool(isCancelled) }
        case "List":
            let all = host.schedules(app: call.string() ?? "", from: sender)
            return call.reply {
                $0.container(.array, "(sxs)") { array in
                    for schedule in all {
                        array.container(.structure, "sxs") {
                            $0.string(schedule.name)
                            $0.int64(schedule.due)
                            $0.string(schedule.content.title)
                        }
                    }
                }
            }
        case "TakeTaps":
            let taps = host.takeTaps(app: call.string() ?? "", from: sender)
            return call.reply {
                $0.container(.array, "(ss)") { array in
                    for tap in taps {
                        array.container(.structure, "ss") {
                            $0.string(tap.name)
                            $0.string(tap.payload)
                        }
                    }
                }
            }
        default: return -95
        }
    }

    /// nil: the text is none.
    private static func rule(_ text: String) -> NoticeRepeat?? {
        switch text {
        case "": .some(nil)
        case "daily": .some(.daily)
        case "weekly": .some(.weekly)
        default: Int64(text).map { .some(.every(seconds: $0)) } ?? nil
        }
    }
}

extension NoticeCall {
    /// The fields of a scheduled one: title, body, app, icon, category, urgency, level, sound, thread.
    init(fields: [String: BusValue]) {
        func text(_ key: String, _ limit: Int) -> String { NoticeText.line(fields[key]?.text ?? "", limit) }
        title = text("title", NoticeCallLimits.title)
        body = NoticeText.plain(fields["body"]?.text ?? "", NoticeCallLimits.body)
        entry = text("app", NoticeCallLimits.key)
        name = entry
        icon = NoticeText.path(fields["icon"]?.text ?? "")
        category = text("category", NoticeCallLimits.key)
        urgency = fields["urgency"]?.integer.map { Int(clamping: $0) }
        level = fields["level"]?.text
        sound = fields["sound"]?.text
        thread = text("thread", NoticeCallLimits.key)
    }
}
