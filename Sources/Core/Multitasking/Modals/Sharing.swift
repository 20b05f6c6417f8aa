import Geometry
import Interface
import Modality
import Stage
import Windows

/// The content that a person sent to an app from an activity view, ready to be opened.
public struct HandedOver: Hashable, Codable, Sendable {
    public var target: Sharing.Target
    /// Absolute paths, or one address.
    public var items: [String]
    /// The text of a mail with files.
    public var text: String
    /// The app that mail goes to.
    public var mailer: String?
    /// The mail that a program began.
    public var mail: Mail?

    public init(_ target: Sharing.Target, _ items: [String], text: String = "", mailer: String? = nil) {
        self.target = target
        self.items = items
        self.text = text
        self.mailer = mailer
    }

    /// A mail that a program began, for this app.
    public init(_ mail: Mail, in app: String) {
        self.init(.mail, [mail.address], mailer: app)
        self.mail = mail
    }
}

extension System {
    mutating func open(_ handed: HandedOver, at now: Moment, _ turn: inout Turn) {
        let app: App?
        let commands: [[String]]
        switch handed.target {
        case .app(let id):
            app = workspace.app(id)
            commands = app?.commands(opening: handed.items) ?? []
        case .mail:
            app = Sharing(files: [], mailer: handed.mailer).mailApp(among: workspace.apps)
            if let mail = handed.mail, !mail.files.isEmpty {
                commands = [mail.command]
            } else if handed.items.contains(where: { $0.hasPrefix("/") }) {
                // It knows how each mail program takes files.
                let body = handed.text.isEmpty ? [] : ["--body", handed.text]
                commands = [["xdg-email"] + body + handed.items.flatMap { ["--attach", $0] }]
            } else {
                commands = app?.commands(opening: handed.items) ?? []
            }
        case .copy, .save: return
        }
        guard let app, let first = commands.first else { return sharingFailed(handed.target, .failed, at: now) }
        do throws(Refusal) {
            try screenful.workspace.requireOffer(.opening)
            try screenful.start(app, first, to: nil, at: now, &turn)
        } catch {
            return
        }
        for command in commands.dropFirst() {
            turn.send(
                .launch(screenful.workspace.beginLaunch(of: app.id, command, to: nil, at: now), command: command, directory: app.directory))
        }
    }

    mutating func sharingFailed(_ target: Sharing.Target, _ trouble: SharingTrouble, at now: Moment) {
        let title: Text =
            switch target {
            case .app(let id): .message(.couldNotOpen, [workspace.app(id)?.name ?? id])
            case .copy: .message(.couldNotCopy)
            case .save: .message(.couldNotSave)
            case .mail: .message(.couldNotMail)
            }
        let reason: Message =
            switch trouble {
            case .full: .sharingFull
            case .forbidden: .sharingForbidden
            case .unreadable: .fileUnreadable
            case .tooLarge: .sharingTooLarge
            case .failed: .sharingFailed
            }
        alert(.alert(title: title, message: .message(reason)), at: now)
    }
}
