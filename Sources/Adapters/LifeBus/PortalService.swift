import Callers
import LifeService
import Lifecycle
import MessageBus
import Modality

/// The functions of the shell that the portal service needs in addition to views.
public protocol PortalHost: ViewHost {
    /// The title of an app, by the id of its desktop entry; the id itself if it is not installed.
    func appName(_ id: String) -> String
    /// A text of the shell in the person's language.
    func words(_ message: PortalMessage) -> String
    var person: (id: String, name: String) { get }
    /// The apps that have a window, and whether it is the active one.
    var appsWithWindows: [(id: String, isActive: Bool)] { get }
}

/// The shell's own words in portal views.
public enum PortalMessage: Hashable, Sendable {
    case allow, dontAllow, cancel, ok, openWith, noAppOpens
    /// An app asks for the person's name.
    case shareName(app: String)
}

/// Portal backends for touch (M-05): Access, AppChooser, Account and Background of `org.freedesktop.impl.portal`, which
/// xdg-desktop-portal calls for apps. They translate and enforce limits; the core decides.
final class PortalService {
    static let name = "org.freedesktop.impl.portal.desktop.mullion"
    static let path = "/org/freedesktop/portal/desktop"
    static let interfaces = ["Access", "AppChooser", "Account", "Background"].map { "org.freedesktop.impl.portal.\($0)" }
    static let request = "org.freedesktop.impl.portal.Request"

    /// A call that waits for a person.
    private struct Asked {
        let call: HeldCall
        /// The handle by which the portal withdraws the request.
        let handle: String
        /// The result of each choice; nil for a choice that means no.
        let results: [[String: BusValue]?]
        /// The owner whose quota it uses.
        let payer: Owner
    }

    private unowned let service: LifeBusService
    private var asked: [ModalID: Asked] = [:]

    init(_ service: LifeBusService) { self.service = service }

    private var host: (any PortalHost)? { service.bus.viewHost as? any PortalHost }

    func export(on bus: BusConnection) {
        bus.export(Self.interfaces[0], below: Self.path, [.method("AccessDialog", takes: "osssssa{sv}", gives: "ua{sv}")])
        bus.export(
            Self.interfaces[1], below: Self.path,
            [
                .method("ChooseApplication", takes: "ossasa{sv}", gives: "ua{sv}"), .method("UpdateChoices", takes: "oas"),
            ])
        bus.export(Self.interfaces[2], below: Self.path, [.method("GetUserInformation", takes: "ossa{sv}", gives: "ua{sv}")])
        bus.export(
            Self.interfaces[3], below: Self.path,
            [
                .method("GetAppState", gives: "a{sv}"), .method("NotifyBackground", takes: "oss", gives: "ua{sv}"),
                .method("EnableAutostart", takes: "sbasu", gives: "b"), .signal("RunningApplicationsChanged", ""),
            ])
        bus.export(Self.request, below: Self.path, [.method("Close")])
    }

    func start() {
        guard host != nil else { return }
        service.bus.link.own(Self.name, note: service.bus.onNote)
    }

    func has(_ path: String, _ interface: String) -> Bool {
        if interface == Self.request { return asked.values.contains { $0.handle == path } }
        return Self.interfaces.contains(interface) && path == Self.path
    }

    static func serves(_ interface: String) -> Bool { interface == request || interfaces.contains(interface) }

    func handle(_ call: Incoming, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard let host else { throw LifeError(.noApp, "the session ends") }
        if call.interface == Self.request {
            for (id, one) in asked where one.handle == call.path { end(id, host) }
            return call.reply { _ in }
        }
        if call.interface == Self.interfaces[3] { return background(call, host) }
        // A view shows as many choices as it has room for; the portal itself shortens a longer list.
        guard call.member != "UpdateChoices" else { return call.reply { _ in } }
        guard let handle = call.objectPath(), let app = call.string(), let parent = call.string() else {
            throw LifeError(.badParameter, "a handle, an app and a window are expected")
        }
        let payer = service.bus.host?.owner(of: caller, naming: app) ?? .user
        if let objection = service.holdings.objection(.portalViews, for: payer, "portal views") { throw LifeError(.tooMany, objection) }
        let id = host.nextView()
        var view = ModalView(id, .alert, over: nil, of: app, title: "?")
        let results: [[String: BusValue]?]
        switch call.member {
        case "AccessDialog": results = try access(call, &view, host)
        case "ChooseApplication": results = try choose(call, &view, host)
        case "GetUserInformation": results = try account(call, &view, app, host)
        default: return -95
        }
        asked[id] = Asked(call: call.keep(), handle: handle, results: results, payer: payer)
        _ = service.holdings.take(.portalViews, for: payer)
        host.showView(view, over: .exported(parent), by: caller)
        return 1
    }

    @discardableResult
    private func forget(_ id: ModalID) -> Asked? {
        guard let one = asked.removeValue(forKey: id) else { return nil }
        service.holdings.giveBack(.portalViews, for: one.payer)
        return one
    }

    /// The portal offers apps the request to run in the background only where a desktop has this backend. It asks the person
    /// through Access; the shell decides for all apps alike which of them may run out of sight (S-06).
    private func background(_ call: Incoming, _ host: any PortalHost) -> Int32 {
        switch call.member {
        case "GetAppState":
            // 1 has a window, 2 has the active one; apps without windows are left out.
            var states: [String: Int64] = [:]
            for app in host.appsWithWindows where !app.id.isEmpty { states[app.id] = max(states[app.id] ?? 0, app.isActive ? 2 : 1) }
            return call.reply { answer in
                answer.container(.array, "{sv}") { answer in
                    for (app, state) in states.sorted(by: { $0.key < $1.key }) {
                        answer.container(.entry, "sv") {
                            $0.string(app)
                            $0.container(.variant, "u") { $0.uint32(UInt32(clamping: state)) }
                        }
                    }
                }
            }
        case "NotifyBackground":
            // Allowed this time: the shell freezes apps out of sight itself, and shows why one runs.
            return call.reply {
                $0.uint32(0)
                $0.container(.array, "{sv}") {
                    $0.container(.entry, "sv") {
                        $0.string("result")
                        $0.container(.variant, "u") { $0.uint32(2) }
                    }
                }
            }
        // The shell starts no apps with the session.
        case "EnableAutostart": return call.reply { $0.bool(false) }
        default: return -95
        }
    }

    private func limited(_ text: String, _ most: Int) -> String {
        var text = text
        while text.utf8.count > most { text.removeLast() }
        return text
    }

    private func access(_ call: Incoming, _ view: inout ModalView, _ host: any PortalHost) throws(LifeError) -> [[String: BusValue]?] {
        guard let title = call.string(), let subtitle = call.string(), let body = call.string(), let options = call.table() else {
            throw LifeError(.badParameter, "a title, a subtitle, a body and options are expected")
        }
        view.isPermission = true
        view.title = limited(title.isEmpty ? subtitle : title, ModalRules.label)
        view.message = limited([title.isEmpty ? "" : subtitle, body].filter { !$0.isEmpty }.joined(separator: "\n"), ModalRules.message)
        view.choices = [
            .init(limited(options["grant_label"]?.text ?? host.words(.allow), ModalRules.label), .preferred),
            .init(limited(options["deny_label"]?.text ?? host.words(.dontAllow), ModalRules.label), .cancel),
        ]
        return [[:], nil]
    }

    private func choose(_ call: Incoming, _ view: inout ModalView, _ host: any PortalHost) throws(LifeError) -> [[String: BusValue]?] {
        guard case .texts(let all)? = call.value(.init(text: 256, entries: 256)), let options = call.table() else {
            throw LifeError(.badParameter, "choices and options are expected")
        }
        // The app used last comes first.
        let last = options["last_choice"]?.text
        let apps = (all.filter { $0 == last } + all.filter { $0 != last }).prefix(ModalRules.choices - 1)
        guard !apps.isEmpty else {
            view.title = host.words(.noAppOpens)
            view.message = limited(options["filename"]?.text ?? options["uri"]?.text ?? "", ModalRules.message)
            view.choices = [.init(host.words(.ok), .cancel)]
            return [nil]
        }
        view.kind = .actionSheet
        view.title = host.words(.openWith)
        view.message = limited(options["filename"]?.text ?? options["uri"]?.text ?? "", ModalRules.message)
        view.choices = apps.map { .init(limited(host.appName($0), ModalRules.label), opens: $0) } + [.init(host.words(.cancel), .cancel)]
        return apps.map { ["choice": .text($0)] } + [nil]
    }

    private func account(_ call: Incoming, _ view: inout ModalView, _ app: String, _ host: any PortalHost) throws(LifeError) -> [[String:
        BusValue]?]
    {
        guard let options = call.table() else { throw LifeError(.badParameter, "options are expected") }
        view.isPermission = true
        view.title = limited(host.words(.shareName(app: host.appName(app))), ModalRules.label)
        view.message = limited(
            [host.person.name, options["reason"]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"), ModalRules.message)
        view.choices = [.init(host.words(.allow), .preferred), .init(host.words(.dontAllow), .cancel)]
        return [["id": .text(host.person.id), "name": .text(host.person.name), "image": .text("")], nil]
    }

    // MARK: Answers

    /// Returns true if the view belongs to a portal.
    func answered(_ id: ModalID, _ answer: ModalAnswer) -> Bool {
        guard let one = forget(id) else { return false }
        // 0 is yes, 1 no, 2 anything else.
        var response: UInt32 = 2, results: [String: BusValue] = [:]
        switch answer {
        case .chose(let number):
            let given = one.results.indices.contains(number) ? one.results[number] : nil
            response = given == nil ? 1 : 0
            results = given ?? [:]
        case .dismissed: response = 1
        case .closed: break
        case .refused(let why): service.bus.onNote("a portal's view is not shown: \(why)")
        }
        _ = one.call.call.reply {
            $0.uint32(response)
            $0.table(results)
        }
        service.bus.reportChange()
        return true
    }

    private func end(_ id: ModalID, _ host: any PortalHost) {
        guard let one = forget(id) else { return }
        host.withdrawView(id)
        _ = one.call.call.reply {
            $0.uint32(2)
            $0.table([:])
        }
    }

    /// The portal has left the bus, so no answer is sent.
    func ownerGone(_ owner: String) {
        for (id, one) in asked where one.call.call.sender == owner {
            forget(id)
            host?.withdrawView(id)
        }
    }
}
