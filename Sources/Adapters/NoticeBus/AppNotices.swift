import Clocks
import MessageBus
import Notices

/// Notifications that apps name themselves, and of which they hear by their actions: `org.gtk.Notifications`, and the backend of the
/// portal's Notification, versions 1 and 2.
extension NoticeBus {
    static let gtk = "org.gtk.Notifications", gtkPath = "/org/gtk/Notifications"
    static let portal = "org.freedesktop.impl.portal.Notification", portalPath = "/org/freedesktop/portal/desktop"
    /// The name of the backend (packaging/mullion-notices.portal).
    static let backend = "org.freedesktop.impl.portal.desktop.mullion.Notices"
    static let replyPurpose = "im.reply-with-text"
    private static let application = "org.freedesktop.Application"
    /// Categories that have a meaning here (`NoticeClaims`).
    private static let categories = [
        "im.received", "alarm.ringing", "call.incoming", "call.ongoing", "call.missed", "os.battery.low", "browser.web-notification",
        "cellbroadcast.danger.extreme", "cellbroadcast.danger.severe",
    ]

    /// Calls for an app that is being started.
    struct Awaited {
        var calls: [() -> Void]
        /// The deadline for delivering an act of a person to the app, in nanoseconds.
        var end: Int64
        var watch: BusWatch?
    }

    /// The owner of an app's name on the bus.
    struct NameOwner {
        var process: Int32?
        var watch: BusWatch?
    }

    /// How long an app may take to come to the bus, in nanoseconds, and how many are waited for.
    private static let patience: Int64 = 60_000_000_000, mostAwaited = 16

    func exportForApps(on bus: BusConnection) {
        bus.export(
            Self.gtk, below: Self.gtkPath,
            [
                .method("AddNotification", takes: "ssa{sv}"), .method("RemoveNotification", takes: "ss"),
                .signal("ActionInvoked", "sssava{sv}"),
            ])
        bus.export(
            Self.portal, below: Self.portalPath,
            [
                .method("AddNotification", takes: "ssa{sv}"), .method("RemoveNotification", takes: "ss"), .signal("ActionInvoked", "sssav"),
                .property("SupportedOptions", "a{sv}"), .property("version", "u"),
            ])
    }

    func writeOptions(_ value: inout Outgoing) {
        value.table(["category": .texts(Self.categories), "button-purpose": .texts([Self.replyPurpose])])
    }

    func serveApps(_ call: Incoming, _ sender: NoticeSender, _ host: any NoticeHost) -> Int32 {
        let service: NoticeOrigin.Service = call.interface == Self.gtk ? .gtk : .portal
        guard let app = call.string(), let id = call.string() else { return call.refuse("InvalidArgs", "an app and a name are expected") }
        let isInTime = takesAllowance(host.owner(of: sender, naming: service == .portal ? app : nil))
        func refuseExcess() -> Int32 { call.refuse("LimitsExceeded", "more than 50 notifications in a second: slow down") }
        guard host.mayNotify(as: app, by: service, sender) else {
            return isInTime ? call.refuse("AccessDenied", "the caller is not \"\(app.prefix(64))\"") : refuseExcess()
        }
        switch call.member {
        case "AddNotification":
            guard let notice = NoticeCall(service, app: app, id: id, call) else {
                return call.refuse("InvalidArgs", "the notification is not understood: names are too long, or a value has another type")
            }
            var status: Int32 = 0
            var owned = notice
            owned.process = service == .gtk ? sender.process : owners[app]?.process
            guard isInTime else { return host.holdUpdate(owned, from: sender) == nil ? refuseExcess() : call.reply { _ in } }
            host.notify(owned, from: sender) { _ in status = call.reply { _ in } }
            if service == .portal { follow(app) }
            return status
        case "RemoveNotification":
            // An end is always in time: it costs no more than a refusal, and leaves less.
            host.withdraw(NoticeOrigin(service, app: app, id: id), from: sender)
            return call.reply { _ in }
        default: return -95
        }
    }

    // MARK: Acts of a person

    /// Calls an action of the app, or shows the app. One that is not on the bus is started by the bus, or by the shell.
    /// - Parameters:
    ///   - to: the portal, which passes on actions that the app does not export.
    ///   - isStarted: the bus starts nothing. The call waits until the app is on the bus.
    public func activate(
        _ origin: NoticeOrigin, _ target: NoticeTarget?, reply: String?, token: String?, to sender: String?, isStarted: Bool
    ) {
        defer { reportChange() }
        let parameters = [NoticeCall.tree(target?.parameter), reply.map { .text("s", $0) }].compactMap(\.self)
        guard let target, !target.isExported else {
            return callApp(
                origin.app, target.map { String($0.action.dropFirst(4)) }, parameters, token, startsNothing: isStarted, reply: reply)
        }
        if let sender {
            let isPortal = origin.service == .portal
            send(
                Outbox.Signal(
                    path: isPortal ? Self.portalPath : Self.gtkPath, interface: isPortal ? Self.portal : Self.gtk, member: "ActionInvoked",
                    write: { Self.write(&$0, origin, target, parameters, token, isPortal: isPortal) }), to: sender)
        }
        if reply == nil { callApp(origin.app, nil, [], token, startsNothing: isStarted) }
    }

    private static func write(
        _ out: inout Outgoing, _ origin: NoticeOrigin, _ target: NoticeTarget, _ parameters: [BusTree], _ token: String?, isPortal: Bool
    ) {
        for text in [origin.app, origin.id, target.action] { out.string(text) }
        out.container(.array, "v") { array in
            let data = BusTree.array("{sv}", platform(token))
            // The portal's order: the parameter, how to come forward, the answer.
            var all = parameters
            if isPortal { all.insert(data, at: target.parameter == nil ? 0 : min(1, all.count)) }
            for value in all { array.container(.variant, value.signature) { $0.tree(value) } }
        }
        if !isPortal { out.tree(.array("{sv}", platform(token))) }
    }

    /// The token with which the app may bring its window forward. GTK before 4.10 knows the second name.
    private static func platform(_ token: String?) -> [BusTree] {
        guard let token else { return [] }
        return ["activation-token", "desktop-startup-id"].map { .entry([.text("s", $0), .variant(.text("s", token))]) }
    }

    /// - Parameter action: nil: the app shows itself.
    private func callApp(
        _ app: String, _ action: String?, _ parameters: [BusTree], _ token: String?, startsNothing: Bool, isSecond: Bool = false,
        reply: String? = nil
    ) {
        guard Self.isBusName(app) else { return host?.isAbsent(app, reply: reply) ?? () }
        // An app that is frozen does not answer, and its windows may have another app id.
        if !isSecond { findOwner(of: app) { [weak self] process in if let process { self?.host?.owns(app, process: process) } } }
        let path = "/" + app.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
        link.call(
            app, path, Self.application, action == nil ? "Activate" : "ActivateAction", timeout: 7 * 24 * 3_600_000,
            {
                if startsNothing { $0.startNothing() }
                if let action {
                    $0.string(action)
                    $0.container(.array, "v") { array in
                        for value in parameters { array.container(.variant, value.signature) { $0.tree(value) } }
                    }
                }
                $0.tree(.array("{sv}", Self.platform(token)))
            }
        ) { [weak self] answer in
            guard let self, !isSecond, case .failure(let error) = answer else { return }
            if Self.absences.contains(error.name) || error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
                whenComes(app) { [weak self] in self?.callApp(app, action, parameters, token, startsNothing: true, isSecond: true) }
            }
            onNote("\(app) cannot be asked for what a person chose in its notification: \(error.text)")
            host?.isAbsent(app, reply: reply)
        }
    }

    private func findOwner(of app: String, done: @escaping (Int32?) -> Void) {
        link.callBus("GetConnectionUnixProcessID", { $0.string(app) }) { done((try? $0.get())?.uint32().map { Int32(clamping: $0) }) }
    }

    /// Learns which process owns the name, and when it leaves the bus: the portal reports neither.
    private func follow(_ app: String) {
        guard Self.isBusName(app), owners[app] == nil else { return }
        // Names without an owner are dropped first.
        if owners.count >= Self.mostOwners { owners = owners.filter { $0.value.process != nil } }
        guard owners.count < Self.mostOwners else { return }
        owners[app] = NameOwner(watch: connection?.watch(BusLink.ownerRule(app)))
        findOwner(of: app) { [weak self] process in
            guard let self, let process, owners[app] != nil else { return }
            owners[app]?.process = process
            host?.owns(app, process: process)
        }
        reportChange()
    }

    /// Apps of the portal whose names are watched.
    private static let mostOwners = 64

    func ownerChanged(_ name: String, isGone: Bool) {
        guard owners[name] != nil else { return }
        if isGone {
            owners[name]?.process = nil
            host?.owns(name, process: nil)
        } else {
            findOwner(of: name) { [weak self] process in
                guard let self, let process, owners[name] != nil else { return }
                owners[name]?.process = process
                host?.owns(name, process: process)
            }
            reportChange()
        }
    }

    private static let absences: Set<String> = ["org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"]

    /// By the D-Bus specification: two or more elements of letters, digits, `_` and `-`, none of which begins with a digit.
    static func isBusName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2 && text.utf8.count <= 255
            && parts.allSatisfy { part in
                guard let first = part.utf8.first, !(48...57).contains(first) else { return false }
                return part.utf8.allSatisfy {
                    (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 || $0 == 45
                }
            }
    }

    private func whenComes(_ app: String, _ body: @escaping () -> Void) {
        let now = Clocks.monotonicNanoseconds
        awaited = awaited.filter { $0.value.end > now }
        guard awaited.count < Self.mostAwaited else { return }
        if awaited[app] == nil {
            awaited[app] = Awaited(calls: [], end: now + Self.patience, watch: connection?.watch(BusLink.ownerRule(app)))
        }
        if awaited[app]!.calls.count < 8 { awaited[app]!.calls.append(body) }
    }

    /// An app that was waited for is on the bus.
    func hasCome(_ name: String) {
        guard let one = awaited.removeValue(forKey: name), one.end > Clocks.monotonicNanoseconds else { return }
        for body in one.calls { body() }
        reportChange()
    }
}
