import Callers
import Descriptors
import Glibc
import LifeService
import MessageBus
import Modality

/// How an activity view ended for the program that asked for it.
public enum ShareAnswer: Hashable, Sendable {
    /// This app got it.
    case shared(app: String)
    case copied, saved, mailed
    case dismissed
    /// Its window is gone.
    case closed
    case refused(String)
}

/// The shell, as the service for sharing sees it. Confined to the thread of the event loop.
public protocol ShareHost: AnyObject {
    /// Shows an activity view (M-05). `done` is called once, unless the view is withdrawn.
    func share(_ files: [HandedFile], text: String, by caller: LifeCaller, done: @escaping (ShareAnswer) -> Void) -> ModalID
    /// The program is gone. A choice that a person already made still takes effect.
    func withdrawShare(_ id: ModalID)
}

/// `Share` of `org.mullion.Views1`: a person sends files or a text of a program to an app, the clipboard or a folder (M-05;
/// docs/views-api.md). It translates and enforces limits.
final class ShareService {
    static let member = BusConnection.Member.method("Share", takes: "a(hs)sa{sv}", gives: "ss")

    /// Bytes. As an address, it has to fit into a word of a command.
    static let longestText = 32_768

    private struct Asked {
        weak var owner: LifeBusClient?
        /// The owner whose quota it uses.
        let payer: Owner
        let id: ModalID
    }

    private unowned let service: LifeBusService
    private var asked: [UInt64: Asked] = [:]
    private var last: UInt64 = 0

    init(_ service: LifeBusService) { self.service = service }

    func handle(_ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard let host = service.bus.shareHost else { throw LifeError(.noApp, "the session ends") }
        guard let files = try FileService.files(in: call), let text = call.string(), let options = call.table() else {
            throw LifeError(.badParameter, "files, a text and options are expected")
        }
        if let name = options.keys.sorted().first { throw LifeError(.badParameter, "there is no option \"\(name.prefix(64))\"") }
        guard !files.isEmpty || !text.isEmpty else { throw LifeError(.badParameter, "there is nothing to share") }
        guard text.utf8.count <= Self.longestText else {
            throw LifeError(.tooLarge, "the text has \(text.utf8.count) bytes, and may have \(Self.longestText)")
        }
        try FileService.check(files, "shared")
        let payer = client.owner
        if let objection = service.holdings.objection(.activityViews, for: payer, "activity views") { throw LifeError(.tooMany, objection) }
        _ = service.holdings.take(.activityViews, for: payer)
        last += 1
        let number = last, held = call.keep()
        var isAnswered = false, isNoted = false
        let id = host.share(files, text: text, by: caller) { [weak self] answer in
            // A client that went has given it back.
            if !isAnswered, self?.asked.removeValue(forKey: number) != nil || !isNoted {
                self?.service.holdings.giveBack(.activityViews, for: payer)
            }
            isAnswered = true
            Self.reply(answer, to: held)
            self?.service.bus.reportChange()
        }
        isNoted = true
        if !isAnswered { asked[number] = Asked(owner: client, payer: payer, id: id) }
        return 1
    }

    private static func reply(_ answer: ShareAnswer, to held: HeldCall) {
        let outcome: String
        var app = ""
        switch answer {
        case .shared(let id): (outcome, app) = ("shared", id)
        case .copied: outcome = "copied"
        case .saved: outcome = "saved"
        case .mailed: outcome = "mailed"
        case .dismissed: outcome = "dismissed"
        case .closed: outcome = "closed"
        case .refused(let why):
            held.call.refuse(BusError(name: "\(ViewService.name).Error.Refused", text: why))
            return
        }
        _ = held.call.reply {
            $0.string(outcome)
            $0.string(app)
        }
    }

    func clientGone(_ client: LifeBusClient) {
        for (number, one) in asked where one.owner == nil || one.owner === client {
            asked[number] = nil
            service.holdings.giveBack(.activityViews, for: one.payer)
            service.bus.shareHost?.withdrawShare(one.id)
        }
    }
}
