import Callers
import Geometry
import LifeService
import Lifecycle
import MessageBus
import Modality
import Windows

/// The functions of the shell that the portal service needs in addition to views.
public protocol PortalHost: ViewHost {
    /// The title of an app, by the id of its desktop entry; the id itself if it is not installed.
    func appName(_ id: String) -> String
    /// A text of the shell in the person's language.
    func words(_ message: PortalMessage) -> String
    var person: (id: String, name: String) { get }
    /// The apps that have a window, and whether it is the active one.
    var appsWithWindows: [(id: String, isActive: Bool)] { get }
    /// The app of a window that it exported, named as portals do; "" if it is unknown.
    func app(ofWindow name: String) -> String

    /// Copies a picture to where it outlives its app. `done` gets it, or nil if no wallpaper can be made of it.
    func takePicture(_ path: String, done: @escaping (OfferedPicture?) -> Void)
    /// The picture is the person's choice, or the person did not want it. `done` hears whether it is the wallpaper now.
    func settle(_ picture: OfferedPicture, isChosen: Bool, done: @escaping (Bool) -> Void)
    /// The screen, in its points; nil: there is none, or it is locked.
    var screen: Rect? { get }
    /// Windows that have a picture, those in sight first, and their titles.
    var openWindows: [(id: WindowID, title: String)] { get }
    /// Keeps a picture of the screen as a file of the person. `done` gets its address; nil: there is none.
    func capture(_ part: ScreenPart, done: @escaping (String?) -> Void)
    /// The colour at a point of the screen; each part from 0 to 1.
    func colour(at point: Point) -> SIMD3<Double>?
    /// The app in which the person writes this mail.
    func findMailer(for mail: Mail, done: @escaping (Result<String, MailTrouble>) -> Void)
    /// The person writes a mail in this app.
    func write(_ mail: Mail, with app: String)
    /// The shortcuts that an app would get. `isAnew`: also those that a person refused or gave before are in question.
    func plan(_ wished: [WishedShortcut], of app: String, session: UInt32, isAnew: Bool) -> [OfferedShortcut]
    /// A person answered. `GlobalShortcutPortal.bound` follows.
    func bind(_ session: UInt32, of app: String, _ given: [OfferedShortcut], refused: [String])
    func endShortcuts(_ session: UInt32)
    /// The line of the configuration that says the wallpaper; nil: a person chooses it.
    var wallpaperRefusal: String? { get }
}

/// A copy of a picture that an app offers as the wallpaper.
public struct OfferedPicture: Hashable, Sendable {
    public var path: String
    /// A small picture of it.
    public var preview: String

    public init(path: String, preview: String) {
        self.path = path
        self.preview = preview
    }
}

/// The shell's own words in portal views.
public enum PortalMessage: Hashable, Sendable {
    case allow, dontAllow, cancel, ok, openWith, noAppOpens
    /// An app asks for the person's name.
    case shareName(app: String)
    case useAsWallpaper, usePicture
    /// An app wants a picture of the screen, at any time.
    case takePictures(app: String)
    /// An app begins a mail, which the person writes in this app.
    case writeMail(app: String), write
    /// An app wants keys wherever the person is.
    case useKeys(app: String)
    case takePicture, wholeScreen, oneWindow, partOfScreen, chooseWindow, markPart, takeIt, pickColour, useColour
}

/// Portal backends for touch (M-05): those of `org.freedesktop.impl.portal` that the shell serves, which xdg-desktop-portal calls for
/// apps. They translate and enforce limits; the core decides. This one has Access, AppChooser, Account and Background, and the questions
/// and requests of all.
final class PortalService {
    static let name = "org.freedesktop.impl.portal.desktop.mullion"
    static let path = "/org/freedesktop/portal/desktop"
    static let interfaces = ["Access", "AppChooser", "Account", "Background"].map { "org.freedesktop.impl.portal.\($0)" }
    /// Those with a file of their own.
    private static let others = [
        InhibitPortal.interface, WallpaperPortal.interface, ScreenshotPortal.interface, EmailPortal.interface,
        GlobalShortcutPortal.interface,
    ]
    static let request = "org.freedesktop.impl.portal.Request"
    static let session = "org.freedesktop.impl.portal.Session"

    /// An answer of the portals, as apps get it.
    enum Answer {
        static let yes: UInt32 = 0, no: UInt32 = 1, failed: UInt32 = 2
    }

    /// A question that waits for a person.
    private struct Asked {
        let sender: String
        /// The handle by which the portal withdraws the request.
        let handle: String
        /// The owner whose quota it uses.
        let payer: Owner
        /// Answers the portal.
        let then: (_ answer: UInt32, _ how: ModalAnswer) -> Void
    }

    /// A request that is no question, and that the portal ends by its handle.
    private struct Held {
        let sender: String
        let end: () -> Void
    }

    private unowned let service: LifeBusService
    private var asked: [ModalID: Asked] = [:]
    private var held: [String: Held] = [:]
    private(set) lazy var inhibit = InhibitPortal(service, self)
    private(set) lazy var wallpaper = WallpaperPortal(service, self)
    private(set) lazy var screenshots = ScreenshotPortal(service, self)
    private(set) lazy var email = EmailPortal(service, self)
    private(set) lazy var shortcuts = GlobalShortcutPortal(service, self)

    init(_ service: LifeBusService) { self.service = service }

    var host: (any PortalHost)? { service.bus.viewHost as? any PortalHost }

    func export(on bus: BusConnection) {
        inhibit.export(on: bus)
        wallpaper.export(on: bus)
        screenshots.export(on: bus)
        email.export(on: bus)
        shortcuts.export(on: bus)
        bus.export(Self.session, below: Self.path, [.method("Close"), .signal("Closed", ""), .property("version", "u")])
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
        switch interface {
        case Self.request: held[path] != nil || asked.values.contains { $0.handle == path }
        case Self.session: hasSession(path)
        default: Self.serves(interface) && path == Self.path
        }
    }

    static func serves(_ interface: String) -> Bool {
        ([request, session] + interfaces + others).contains(interface)
    }

    func handle(_ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard let host else { throw LifeError(.noApp, "the session ends") }
        switch call.interface {
        case Self.request:
            for (id, one) in asked where one.handle == call.path { end(id, host) }
            release(call.path)
            return call.reply { _ in }
        case Self.session:
            inhibit.close(session: call.path)
            shortcuts.close(session: call.path)
            return call.reply { _ in }
        case Self.interfaces[3]: return background(call, host)
        case InhibitPortal.interface: return try inhibit.handle(call, client, caller, host)
        case WallpaperPortal.interface: return try wallpaper.handle(call, caller, host)
        case ScreenshotPortal.interface: return try screenshots.handle(call, caller, host)
        case EmailPortal.interface: return try email.handle(call, caller, host)
        case GlobalShortcutPortal.interface: return try shortcuts.handle(call, caller, host)
        default: break
        }
        // A view shows as many choices as it has room for; the portal itself shortens a longer list.
        guard call.member != "UpdateChoices" else { return call.reply { _ in } }
        let request = try begin(call, caller)
        var view = ModalView(host.nextView(), .alert, over: nil, of: request.app, title: "?")
        let results: [[String: BusValue]?]
        switch call.member {
        case "AccessDialog": results = try access(call, &view, host)
        case "ChooseApplication": results = try choose(call, &view, host)
        case "GetUserInformation": results = try account(call, &view, request.app, host)
        default: return -95
        }
        let held = call.keep()
        ask(view, request, by: caller, host) { answer, choice in
            // 0 is yes, 1 no, 2 anything else.
            let given = choice.flatMap { results.indices.contains($0) ? results[$0] : nil }
            _ = held.call.reply {
                $0.uint32(answer == Answer.yes && given == nil ? Answer.no : answer)
                $0.table(given ?? [:])
            }
        }
        return 1
    }

    // MARK: Requests

    /// The beginning of most calls of portals.
    struct Request {
        var sender: String
        var handle: String
        var app: String
        /// Named as portals do.
        var window: String
        var payer: Owner
    }

    /// Reads the handle, the app and the window of a call. Throws if the app has too many questions already.
    func begin(_ call: Incoming, _ caller: LifeCaller) throws(LifeError) -> Request {
        guard let handle = call.objectPath(), let app = call.string(), let window = call.string() else {
            throw LifeError(.badParameter, "a handle, an app and a window are expected")
        }
        return try self.request(handle, app, window, call, caller)
    }

    func request(
        _ handle: String, _ app: String, _ window: String, _ call: Incoming, _ caller: LifeCaller
    ) throws(LifeError) -> Request {
        guard held[handle] == nil else { throw LifeError(.nameInUse, "there is a request \(handle) already") }
        let payer = service.bus.host?.owner(of: caller, naming: app) ?? .user
        if let objection = service.holdings.objection(.portalViews, for: payer, "portal views") { throw LifeError(.tooMany, objection) }
        return Request(sender: call.sender, handle: handle, app: app, window: window, payer: payer)
    }

    /// A session of an app begins. Returns the owner to whom its quota is given back. Throws if the app has too many already.
    func takeSession(of app: String, _ caller: LifeCaller) throws(LifeError) -> Owner {
        let payer = service.bus.host?.owner(of: caller, naming: app) ?? .user
        if let objection = service.holdings.objection(.portalSessions, for: payer, "sessions of portals") {
            throw LifeError(.tooMany, objection)
        }
        _ = service.holdings.take(.portalSessions, for: payer)
        return payer
    }

    func hasSession(_ path: String) -> Bool { inhibit.has(session: path) || shortcuts.has(session: path) }

    /// Asks a person. Without a choice, the person said no, or something else ended the question.
    func ask(
        _ view: ModalView, _ request: Request, by caller: LifeCaller, _ host: any PortalHost, then: @escaping (UInt32, Int?) -> Void
    ) {
        ask(view, request, by: caller, host) { (answer: UInt32, how: ModalAnswer) in
            if case .chose(let choice) = how { then(answer, choice) } else { then(answer, nil) }
        }
    }

    /// The same for a part of the screen that the person marks, and for switches.
    func ask(
        _ view: ModalView, _ request: Request, by caller: LifeCaller, _ host: any PortalHost,
        then: @escaping (_ answer: UInt32, _ how: ModalAnswer) -> Void
    ) {
        asked[view.id] = Asked(sender: request.sender, handle: request.handle, payer: request.payer, then: then)
        _ = service.holdings.take(.portalViews, for: request.payer)
        host.showView(view, over: .exported(request.window), by: caller)
    }

    /// Keeps a request until the portal ends it or is gone, or `release`. It counts against the quota of portal views if it `counts`.
    func hold(_ request: Request, counts: Bool = true, end: @escaping () -> Void) {
        if counts { _ = service.holdings.take(.portalViews, for: request.payer) }
        held[request.handle] = Held(sender: request.sender) { [unowned self] in
            if counts { service.holdings.giveBack(.portalViews, for: request.payer) }
            end()
        }
    }

    /// Ends a request that is held. Returns whether there was one.
    @discardableResult
    func release(_ handle: String) -> Bool {
        guard let one = held.removeValue(forKey: handle) else { return false }
        one.end()
        return true
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

    static func limited(_ text: String, _ most: Int) -> String {
        var text = text
        while text.utf8.count > most { text.removeLast() }
        return text
    }

    private func access(_ call: Incoming, _ view: inout ModalView, _ host: any PortalHost) throws(LifeError) -> [[String: BusValue]?] {
        guard let title = call.string(), let subtitle = call.string(), let body = call.string(), let options = call.table() else {
            throw LifeError(.badParameter, "a title, a subtitle, a body and options are expected")
        }
        view.isPermission = true
        view.title = Self.limited(title.isEmpty ? subtitle : title, ModalRules.label)
        view.message = Self.limited(
            [title.isEmpty ? "" : subtitle, body].filter { !$0.isEmpty }.joined(separator: "\n"), ModalRules.message)
        view.choices = [
            .init(Self.limited(options["grant_label"]?.text ?? host.words(.allow), ModalRules.label), .preferred),
            .init(Self.limited(options["deny_label"]?.text ?? host.words(.dontAllow), ModalRules.label), .cancel),
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
            view.message = Self.limited(options["filename"]?.text ?? options["uri"]?.text ?? "", ModalRules.message)
            view.choices = [.init(host.words(.ok), .cancel)]
            return [nil]
        }
        view.kind = .actionSheet
        view.title = host.words(.openWith)
        view.message = Self.limited(options["filename"]?.text ?? options["uri"]?.text ?? "", ModalRules.message)
        view.choices =
            apps.map { .init(Self.limited(host.appName($0), ModalRules.label), opens: $0) } + [.init(host.words(.cancel), .cancel)]
        return apps.map { ["choice": .text($0)] } + [nil]
    }

    private func account(_ call: Incoming, _ view: inout ModalView, _ app: String, _ host: any PortalHost) throws(LifeError) -> [[String:
        BusValue]?]
    {
        guard let options = call.table() else { throw LifeError(.badParameter, "options are expected") }
        view.isPermission = true
        view.title = Self.limited(host.words(.shareName(app: host.appName(app))), ModalRules.label)
        view.message = Self.limited(
            [host.person.name, options["reason"]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"), ModalRules.message)
        view.choices = [.init(host.words(.allow), .preferred), .init(host.words(.dontAllow), .cancel)]
        return [["id": .text(host.person.id), "name": .text(host.person.name), "image": .text("")], nil]
    }

    // MARK: Answers

    /// Returns true if the view belongs to a portal.
    func answered(_ id: ModalID, _ answer: ModalAnswer) -> Bool {
        guard let one = forget(id) else { return false }
        switch answer {
        case .chose, .marked, .picked: one.then(Answer.yes, answer)
        case .dismissed: one.then(Answer.no, answer)
        case .closed: one.then(Answer.failed, answer)
        case .refused(let why):
            service.bus.onNote("a portal's view is not shown: \(why)")
            one.then(Answer.failed, answer)
        }
        service.bus.reportChange()
        return true
    }

    private func end(_ id: ModalID, _ host: (any PortalHost)?) {
        guard let one = forget(id) else { return }
        host?.withdrawView(id)
        one.then(Answer.failed, .closed)
    }

    /// The portal has left the bus, and would not hear an answer.
    func ownerGone(_ owner: String) {
        for (id, one) in asked where one.sender == owner { end(id, host) }
        for (handle, one) in held where one.sender == owner { release(handle) }
        inhibit.ownerGone(owner)
        shortcuts.ownerGone(owner)
    }
}
