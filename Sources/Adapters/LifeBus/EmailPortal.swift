import LifeService
import MessageBus
import Modality

/// The backend of the Email portal (`org.freedesktop.impl.portal.Email`): an app begins a mail, and a person writes it in the mail program
/// that they chose. The person is asked first, because the window of that program comes in front.
final class EmailPortal {
    static let interface = "org.freedesktop.impl.portal.Email"

    private unowned let service: LifeBusService
    private unowned let portals: PortalService

    init(_ service: LifeBusService, _ portals: PortalService) {
        self.service = service
        self.portals = portals
    }

    func export(on bus: BusConnection) {
        bus.export(Self.interface, below: PortalService.path, [.method("ComposeEmail", takes: "ossa{sv}", gives: "ua{sv}")])
    }

    func handle(_ call: Incoming, _ caller: LifeCaller, _ host: any PortalHost) throws(LifeError) -> Int32 {
        guard call.member == "ComposeEmail" else { return -95 }
        let request = try portals.begin(call, caller)
        guard let options = call.table(.init(text: Mail.mostBody, entries: Mail.mostAddresses + 1)) else {
            throw LifeError(.badParameter, "options are expected")
        }
        let mail = try Self.mail(options)
        let held = call.keep()
        func answer(_ number: UInt32) {
            _ = held.call.reply {
                $0.uint32(number)
                $0.table([:])
            }
            service.bus.reportChange()
        }
        func fails(_ why: String) {
            service.bus.onNote("a mail of \(request.app.isEmpty ? "an app" : request.app) is not begun: \(why)")
            answer(PortalService.Answer.failed)
        }
        var isWithdrawn = false
        portals.hold(request) { isWithdrawn = true }
        host.findMailer(for: mail) { [weak self] mailer in
            guard let self, !isWithdrawn, portals.release(request.handle) else { return answer(PortalService.Answer.failed) }
            switch mailer {
            case .failure(let trouble): fails(trouble.why)
            case .success(let mailer):
                var view = ModalView(
                    host.nextView(), .alert, over: nil, of: request.app,
                    title: PortalService.limited(host.words(.writeMail(app: host.appName(mailer))), ModalRules.label),
                    message: PortalService.limited(mail.summary, ModalRules.message))
                view.isPermission = true
                view.choices = [.init(host.words(.write), .preferred), .init(host.words(.cancel), .cancel)]
                portals.ask(view, request, by: caller, host) { number, choice in
                    guard number == PortalService.Answer.yes, choice == 0 else { return answer(max(number, PortalService.Answer.no)) }
                    host.write(mail, with: mailer)
                    answer(PortalService.Answer.yes)
                }
            }
        }
        return 1
    }

    private static func mail(_ options: [String: BusValue]) throws(LifeError) -> Mail {
        for (name, value) in options {
            if case .other = value { throw LifeError(.badParameter, "\"\(name)\" is too long, or of a wrong type") }
        }
        func list(_ name: String) -> [String] { options[name]?.texts ?? [] }
        var files: [String] = []
        // The portal sends paths, and its description says addresses.
        for file in list("attachments") {
            guard let path = file.hasPrefix("/") ? file : FileAddress.path(of: file) else {
                throw LifeError(.badParameter, "an attachment is no file of this machine")
            }
            files.append(path)
        }
        let mail = Mail(
            to: (options["address"]?.text.map { [$0] } ?? []) + list("addresses"), cc: list("cc"), bcc: list("bcc"),
            subject: options["subject"]?.text ?? "", body: options["body"]?.text ?? "", files: files)
        if let flaw = mail.flaw { throw LifeError(.badParameter, flaw) }
        return mail
    }
}

/// Why no mail can be begun.
public struct MailTrouble: Error {
    public var why: String

    public init(_ why: String) { self.why = why }
}
