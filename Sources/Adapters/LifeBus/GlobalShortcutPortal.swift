import Callers
import Clocks
import LifeService
import MessageBus
import Modality

/// A shortcut that an app wants, as its portal describes it.
public struct WishedShortcut: Hashable, Sendable {
    public var id: String
    public var meaning: String
    /// The keys that the app proposes: "CTRL+SHIFT+a".
    public var trigger: String
}

/// A shortcut that an app may have.
public struct OfferedShortcut: Hashable, Sendable {
    public var id: String
    public var meaning: String
    /// As in the configuration: "Super+y".
    public var keys: String
    /// For a person: "Super + Y".
    public var spoken: String
    /// A person gave it to the app before.
    public var isKnown: Bool
    /// A person did not refuse it before.
    public var isOn: Bool

    public init(id: String, meaning: String, keys: String, spoken: String, isKnown: Bool = true, isOn: Bool = true) {
        self.id = id
        self.meaning = meaning
        self.keys = keys
        self.spoken = spoken
        self.isKnown = isKnown
        self.isOn = isOn
    }
}

/// The backend of the GlobalShortcuts portal (`org.freedesktop.impl.portal.GlobalShortcuts`): an app gets keys that it hears wherever the
/// person is. The core says which keys are free, and a person says which of them the app gets.
final class GlobalShortcutPortal {
    static let interface = "org.freedesktop.impl.portal.GlobalShortcuts"
    /// With `ConfigureShortcuts`.
    static let version: UInt32 = 2

    private struct Session {
        let sender: String
        let payer: Owner
        let app: String
        /// In the core.
        let number: UInt32
        var wished: [WishedShortcut] = []
        var has: [OfferedShortcut] = []
        /// A person is asked, or was asked just now.
        var isAsking = false
    }

    private unowned let service: LifeBusService
    private unowned let portals: PortalService
    /// By their path.
    private var sessions: [String: Session] = [:]
    private var last: UInt32 = 0
    /// Calls that are answered once the core has bound the shortcuts, by the path of their session.
    private var binding: [String: HeldCall] = [:]

    /// Shortcuts of a session, and choices of one question.
    private static let most = 32, page = ModalRules.choices - 2
    /// Bytes.
    private static let mostID = 256, mostMeaning = 128, mostTrigger = 64

    init(_ service: LifeBusService, _ portals: PortalService) {
        self.service = service
        self.portals = portals
    }

    func export(on bus: BusConnection) {
        bus.export(
            Self.interface, below: PortalService.path,
            [
                .method("CreateSession", takes: "oosa{sv}", gives: "ua{sv}"),
                .method("BindShortcuts", takes: "ooa(sa{sv})sa{sv}", gives: "ua{sv}"),
                .method("ListShortcuts", takes: "oo", gives: "ua{sv}"),
                .method("ConfigureShortcuts", takes: "osa{sv}"), .signal("Activated", "osta{sv}"), .signal("Deactivated", "osta{sv}"),
                .signal("ShortcutsChanged", "oa(sa{sv})"), .property("version", "u"),
            ])
    }

    func has(session: String) -> Bool { sessions[session] != nil }

    func handle(_ call: Incoming, _ caller: LifeCaller, _ host: any PortalHost) throws(LifeError) -> Int32 {
        switch call.member {
        case "CreateSession": return try create(call, caller)
        case "BindShortcuts": return try bind(call, caller, host)
        case "ListShortcuts":
            guard call.objectPath() != nil, let path = call.objectPath() else {
                throw LifeError(.badParameter, "a handle and a session are expected")
            }
            let has = try session(path).has
            return call.reply { Self.answer(PortalService.Answer.yes, has, &$0) }
        case "ConfigureShortcuts":
            guard let path = call.objectPath(), let window = call.string() else {
                throw LifeError(.badParameter, "a session and a window are expected")
            }
            let session = try session(path)
            let request = try portals.request("", session.app, window, call, caller)
            guard !session.isAsking else { throw LifeError(.nameInUse, "a person is asked about \(path) already") }
            ask(host.plan(session.wished, of: session.app, session: session.number, isAnew: true), request, path, caller, host) { _ in }
            return call.reply { _ in }
        default: return -95
        }
    }

    private func session(_ path: String) throws(LifeError) -> Session {
        guard let session = sessions[path] else { throw LifeError(.badParameter, "there is no session \(path)") }
        return session
    }

    private func create(_ call: Incoming, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard call.objectPath() != nil, let path = call.objectPath(), let app = call.string() else {
            throw LifeError(.badParameter, "a handle, a session and an app are expected")
        }
        guard !portals.hasSession(path) else { throw LifeError(.nameInUse, "there is a session \(path) already") }
        guard app.utf8.count <= Self.mostID else { throw LifeError(.badParameter, "the app's id is too long") }
        let payer = try portals.takeSession(of: app, caller)
        last &+= 1
        sessions[path] = Session(sender: call.sender, payer: payer, app: app, number: last)
        return call.reply { Self.answer(PortalService.Answer.yes, nil, &$0) }
    }

    private func bind(_ call: Incoming, _ caller: LifeCaller, _ host: any PortalHost) throws(LifeError) -> Int32 {
        guard let handle = call.objectPath(), let path = call.objectPath(), let wished = Self.wishes(call), let window = call.string()
        else {
            throw LifeError(.badParameter, "a handle, a session, shortcuts and a window are expected")
        }
        let session = try session(path)
        guard wished.count <= Self.most else { throw LifeError(.tooMany, "a session can have \(Self.most) shortcuts") }
        if let wrong = wished.first(where: { $0.id.isEmpty || $0.id.utf8.count > Self.mostID }) {
            throw LifeError(.badParameter, "the name of a shortcut has \(wrong.id.utf8.count) bytes, and may have \(Self.mostID)")
        }
        guard !session.isAsking else { throw LifeError(.nameInUse, "a person is asked about \(path) already") }
        let request = try portals.request(handle, session.app, window, call, caller)
        sessions[path]?.wished = wished
        let held = call.keep(), plan = host.plan(wished, of: session.app, session: session.number, isAnew: false)
        let left = Set(wished.map(\.id)).subtracting(plan.map(\.id))
        if !left.isEmpty { service.bus.onNote("shortcuts without keys: \(left.sorted().joined(separator: ", "))") }
        ask(plan, request, path, caller, host) { [weak self] number in
            if let number {
                _ = held.call.reply { Self.answer(number, nil, &$0) }
                self?.service.bus.reportChange()
            } else {
                self?.binding[path] = held
            }
        }
        return 1
    }

    private static func wishes(_ call: Incoming) -> [WishedShortcut]? {
        call.whole(.array, "(sa{sv})") {
            var all: [WishedShortcut] = []
            while all.count <= most,
                let one = call.whole(
                    .structure, "sa{sv}",
                    { () -> WishedShortcut? in
                        guard let id = call.string(), let options = call.table() else { return nil }
                        let trigger = options["preferred_trigger"]?.text ?? ""
                        return WishedShortcut(
                            id: id, meaning: PortalService.limited(options["description"]?.text ?? id, mostMeaning),
                            trigger: trigger.utf8.count <= mostTrigger ? trigger : "")
                    })
            { all.append(one) }
            return all
        }
    }

    // MARK: Questions

    /// Asks a person about shortcuts that are new. `then` hears that they are about to be bound (nil), or the answer.
    private func ask(
        _ plan: [OfferedShortcut], _ request: PortalService.Request, _ path: String, _ caller: LifeCaller, _ host: any PortalHost,
        then: @escaping (UInt32?) -> Void
    ) {
        sessions[path]?.isAsking = true
        askMore(plan.filter { !$0.isKnown }[...], given: plan.filter(\.isKnown), refused: [], request, path, caller, host, then: then)
    }

    private func askMore(
        _ rest: ArraySlice<OfferedShortcut>, given: [OfferedShortcut], refused: [String], _ request: PortalService.Request, _ path: String,
        _ caller: LifeCaller, _ host: any PortalHost, then: @escaping (UInt32?) -> Void
    ) {
        guard let session = sessions[path] else { return then(PortalService.Answer.failed) }
        guard !rest.isEmpty else {
            sessions[path]?.isAsking = false
            then(nil)
            return host.bind(session.number, of: session.app, given, refused: refused)
        }
        let asked = Array(rest.prefix(Self.page)), app = session.app
        var view = ModalView(
            host.nextView(), .actionSheet, over: nil, of: app,
            title: PortalService.limited(host.words(.useKeys(app: app.isEmpty ? "" : host.appName(app))), ModalRules.label))
        view.isPermission = true
        view.choices = asked.map { .init(PortalService.limited("\($0.spoken): \($0.meaning)", ModalRules.label)) }
        view.switches = asked.map(\.isOn)
        view.choices += [.init(host.words(.allow), .preferred), .init(host.words(.dontAllow), .cancel)]
        portals.ask(view, request, by: caller, host) { [weak self] (number: UInt32, how: ModalAnswer) in
            guard let self else { return }
            guard case .picked(let picked) = how else {
                sessions[path]?.isAsking = false
                return then(max(number, PortalService.Answer.no))
            }
            let chosen = picked.compactMap { asked.indices.contains($0) ? asked[$0] : nil }
            askMore(
                rest.dropFirst(Self.page), given: given + chosen,
                refused: refused + asked.map(\.id).filter { id in !chosen.contains { $0.id == id } }, request, path, caller, host,
                then: then)
        }
    }

    // MARK: From the core

    /// These are the shortcuts of a session now.
    func bound(_ number: UInt32, _ shortcuts: [OfferedShortcut]) {
        guard let path = sessions.first(where: { $0.value.number == number })?.key, let session = sessions[path] else { return }
        sessions[path]?.has = shortcuts
        if let held = binding.removeValue(forKey: path) {
            _ = held.call.reply { Self.answer(PortalService.Answer.yes, shortcuts, &$0) }
        } else {
            service.bus.connection?.emit(PortalService.path, Self.interface, "ShortcutsChanged", to: session.sender) {
                $0.path(path)
                Self.list(shortcuts, &$0)
            }
        }
        service.bus.reportChange()
    }

    func isPressed(_ number: UInt32, _ id: String, _ isDown: Bool) {
        guard let path = sessions.first(where: { $0.value.number == number })?.key, let session = sessions[path] else { return }
        let time = UInt64(clamping: Clocks.monotonicNanoseconds / 1_000_000)
        service.bus.connection?.emit(PortalService.path, Self.interface, isDown ? "Activated" : "Deactivated", to: session.sender) {
            $0.path(path)
            $0.string(id)
            $0.uint64(time)
            $0.table([:])
        }
        service.bus.reportChange()
    }

    private static func answer(_ number: UInt32, _ shortcuts: [OfferedShortcut]?, _ out: inout Outgoing) {
        out.uint32(number)
        out.container(.array, "{sv}") {
            guard let shortcuts else { return }
            $0.container(.entry, "sv") {
                $0.string("shortcuts")
                $0.container(.variant, "a(sa{sv})") { list(shortcuts, &$0) }
            }
        }
    }

    private static func list(_ shortcuts: [OfferedShortcut], _ out: inout Outgoing) {
        out.container(.array, "(sa{sv})") {
            for one in shortcuts {
                $0.container(.structure, "sa{sv}") {
                    $0.string(one.id)
                    $0.table(["description": .text(one.meaning), "trigger_description": .text(one.spoken)])
                }
            }
        }
    }

    // MARK: Ends

    func close(session path: String) {
        guard let session = sessions.removeValue(forKey: path) else { return }
        service.holdings.giveBack(.portalSessions, for: session.payer)
        if let held = binding.removeValue(forKey: path) { _ = held.call.reply { Self.answer(PortalService.Answer.failed, nil, &$0) } }
        portals.host?.endShortcuts(session.number)
    }

    func ownerGone(_ owner: String) {
        for (path, session) in sessions where session.sender == owner { close(session: path) }
    }
}
