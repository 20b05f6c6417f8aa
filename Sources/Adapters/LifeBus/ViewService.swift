import Callers
import LifeService
import Lifecycle
import MessageBus
import Modality

/// The shell, as the service for views sees it. Confined to the thread of the event loop.
public protocol ViewHost: AnyObject {
    func nextView() -> ModalID
    /// The answer arrives through `LifeBus.viewAnswered`.
    func showView(_ view: ModalView, over parent: ViewParent, by caller: LifeCaller)
    func withdrawView(_ id: ModalID)
}

/// The window or the screen that a view covers.
public enum ViewParent: Hashable, Sendable {
    /// The window of the caller, or the screen if it has none.
    case caller
    case screen
    /// A window that its app exported (xdg-foreign), named as portals do: "wayland:HANDLE". The screen if it is unknown.
    case exported(String)
}

/// `org.mullion.Views1` on the session bus: views that the shell shows for programs (M-05; docs/views-api.md). It
/// translates and enforces limits; the core decides.
final class ViewService {
    static let name = "org.mullion.Views1"
    static let path = "/org/mullion/Views1"

    /// A view that is shown or waits.
    private struct Asked {
        weak var owner: LifeBusClient?
        /// The owner whose quota it uses.
        let payer: Owner
        /// The call to answer; nil: the program gets a signal instead.
        let call: HeldCall?
    }

    private unowned let service: LifeBusService
    private var asked: [ModalID: Asked] = [:]

    init(_ service: LifeBusService) { self.service = service }

    private var host: (any ViewHost)? { service.bus.viewHost }

    func export(on bus: BusConnection) {
        bus.export(
            Self.name, below: Self.path,
            [
                .method("Ask", takes: "sssa{sv}a(ss)", gives: "si"), .method("Show", takes: "sssa{sv}a(ss)", gives: "u"),
                FileService.member, ShareService.member, .method("Withdraw", takes: "u"), .signal("Answered", "usi"),
                .property("Version", "u"),
            ])
    }

    func start() {
        service.bus.link.own(Self.name, .inTurn, note: service.bus.onNote)
    }

    func handle(_ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard let host else { throw LifeError(.noApp, "the session ends") }
        switch call.member {
        case "Ask", "Show":
            // A kept call also keeps files that the caller attached unasked.
            if let objection = service.holdings.objection(.views, for: client.owner, "views") { throw LifeError(.tooMany, objection) }
            let id = host.nextView(), isAsk = call.member == "Ask"
            let (view, isOverScreen) = try read(call, id, caller)
            _ = service.holdings.take(.views, for: client.owner)
            asked[id] = Asked(owner: client, payer: client.owner, call: isAsk ? call.keep() : nil)
            let status = isAsk ? 1 : call.reply { $0.uint32(id.raw) }
            host.showView(view, over: isOverScreen ? .screen : .caller, by: caller)
            return status
        case "Withdraw":
            let id = ModalID(call.uint32() ?? 0)
            guard asked[id]?.owner === client else { throw LifeError(.unknown, "this program has no \(id)") }
            forget(id)
            host.withdrawView(id)
            return call.reply { _ in }
        default: return -95
        }
    }

    private func read(_ call: Incoming, _ id: ModalID, _ caller: LifeCaller) throws(LifeError) -> (ModalView, Bool) {
        let kinds: [ModalKind] = [.alert, .actionSheet]
        let word = call.string() ?? ""
        guard let kind = ModalKind(rawValue: word), kinds.contains(kind) else {
            throw LifeError(.badParameter, "there is no kind \"\(word.prefix(64))\": alert or action-sheet")
        }
        guard let title = call.string(), let message = call.string(), let options = call.table() else {
            throw LifeError(.badParameter, "a title, a message and options are expected")
        }
        for name in options.keys.sorted() where name != "screen" {
            throw LifeError(.badParameter, "there is no option \"\(name.prefix(64))\"")
        }
        var isOverScreen = false
        if let value = options["screen"] {
            guard case .flag(let flag) = value else { throw LifeError(.badParameter, "the option \"screen\" is a truth value") }
            isOverScreen = flag
        }
        var choices: [ModalView.Choice] = [], flaw: String?
        let pairs = call.array(of: "(ss)", limit: ModalRules.choices + 1) {
            call.structure("ss") { () -> (String, String)? in
                guard let label = call.string(), let role = call.string() else { return nil }
                return (label, role)
            }
        }
        for (label, word) in pairs ?? [] {
            guard let role = ModalView.Choice.Role(rawValue: word.isEmpty ? "normal" : word) else {
                let known = ModalView.Choice.Role.allCases.map(\.rawValue).joined(separator: ", ")
                flaw = "there is no role \"\(word.prefix(64))\": \(known)"
                break
            }
            choices.append(.init(label, role))
        }
        if let flaw { throw LifeError(.badParameter, flaw) }
        let program = caller.appID.isEmpty ? "\(caller.lineage.first ?? caller.process)" : caller.appID
        return (ModalView(id, kind, over: nil, of: program, title: title, message: message, choices: choices), isOverScreen)
    }

    // MARK: Answers

    func answered(_ id: ModalID, _ answer: ModalAnswer) {
        guard let one = asked[id] else { return }
        forget(id)
        let outcome: String, choice: Int32
        switch answer {
        case .chose(let number): (outcome, choice) = ("chosen", Int32(number))
        // No view of a program asks for a part of the screen, or has switches.
        case .dismissed, .marked, .picked: (outcome, choice) = ("dismissed", -1)
        case .closed: (outcome, choice) = ("closed", -1)
        case .refused(let why):
            if let call = one.call?.call {
                _ = call.refuse(BusError(name: "\(Self.name).Error.Refused", text: why))
                return service.bus.reportChange()
            }
            (outcome, choice) = ("refused", -1)
        }
        if let call = one.call?.call {
            _ = call.reply {
                $0.string(outcome)
                $0.int32(choice)
            }
            return service.bus.reportChange()
        }
        guard let owner = one.owner else { return }
        service.emit(owner, Self.path, Self.name, "Answered") {
            $0.uint32(id.raw)
            $0.string(outcome)
            $0.int32(choice)
        }
    }

    /// The connection ended: its views close.
    func clientGone(_ client: LifeBusClient) {
        for id in asked.filter({ $0.value.owner == nil || $0.value.owner === client }).keys.sorted() {
            forget(id)
            host?.withdrawView(id)
        }
    }

    private func forget(_ id: ModalID) {
        if let one = asked.removeValue(forKey: id) { service.holdings.giveBack(.views, for: one.payer) }
    }
}
