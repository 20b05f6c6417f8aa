import FoundationEssentials
import MessageBus
import Notices

extension NoticeCall {
    /// Reads the dictionary of `org.gtk.Notifications` or of the portal, versions 1 and 2; nil: it is none.
    init?(_ service: NoticeOrigin.Service, app: String, id: String, _ call: Incoming) {
        guard Self.isName(app, 255, isEmptyAllowed: service == .portal), Self.isName(id, 512, isEmptyAllowed: false) else { return nil }
        var origin = NoticeOrigin(service, app: app, id: id), target: String?, action: String?, urgency = 1, hints: [String] = []
        let isRead = call.fields { key in
            switch key {
            case "title":
                guard let text = call.value(.init(text: 4096)) else { return false }
                title = NoticeText.line(text.text ?? "", NoticeCallLimits.title)
            case "body", "markup-body":
                guard let text = call.value(.init(text: 16_384)) else { return false }
                guard key == "markup-body" || body.isEmpty else { return true }
                body =
                    key == "body"
                    ? NoticeText.words(text.text ?? "", NoticeCallLimits.body) : NoticeText.plain(text.text ?? "", NoticeCallLimits.body)
            case "icon":
                guard let read = call.icon(most: NoticeCallLimits.picture) else { return false }
                switch read {
                case .names(let names): icon = NoticeText.path(names.first ?? "")
                case .bytes(let bytes): image = .encoded(bytes)
                case .file(let name): image = NoticeText.file(name).map(NoticeImage.file)
                case .other: break
                }
            case "sound":
                guard let read = call.icon(most: 0) else { return false }
                if case .names(["silent"]) = read { isSilent = true }
            case "priority":
                guard let text = call.value() else { return false }
                urgency =
                    switch text.text {
                    case "low": 0
                    case "urgent": 2
                    default: 1
                    }
            case "urgent":
                guard let flag = call.value() else { return false }
                if flag.flag ?? false { urgency = 2 }
            case "category":
                guard let text = call.value() else { return false }
                category = NoticeText.line(text.text ?? "", NoticeCallLimits.key)
            case "display-hint":
                guard let texts = call.value() else { return false }
                hints = texts.texts ?? []
            case "default-action":
                guard let text = call.value() else { return false }
                action = text.text
            case "default-action-target":
                guard let kept = Self.parameter(call) else { return false }
                target = kept
            case "buttons":
                guard call.dictionaries(limit: NoticeCallLimits.buttons, { readButton(call) }) else { return false }
            // Of Mullion, for apps that know it.
            case "x-mullion-thread":
                guard let text = call.value() else { return false }
                thread = NoticeText.line(text.text ?? "", NoticeCallLimits.key)
            default: break
            }
            return true
        }
        guard isRead else { return nil }
        origin.tap = action.flatMap { $0.isEmpty ? nil : NoticeTarget(action: String($0.prefix(NoticeCallLimits.key)), parameter: target) }
        self.origin = origin
        self.urgency = urgency
        entry = app
        name = app
        hasDefault = true
        isTransient = hints.contains("transient")
        waitsInList = hints.contains("tray")
        hidesOnLock = hints.contains("hide-on-lockscreen")
        hidesContentOnLock = hints.contains("hide-content-on-lockscreen")
    }

    private mutating func readButton(_ call: Incoming) -> Bool {
        var label = "", action = "", target: String?, purpose = ""
        let isRead = call.fields(limit: 16) { key in
            switch key {
            case "label", "action", "purpose":
                guard let value = call.value() else { return false }
                let text = value.text ?? ""
                if key == "label" { label = NoticeText.line(text, NoticeCallLimits.label) }
                if key == "action" { action = text }
                if key == "purpose" { purpose = text }
            case "target":
                guard let kept = Self.parameter(call) else { return false }
                target = kept
            default: break
            }
            return true
        }
        guard isRead else { return false }
        guard !label.isEmpty, !action.isEmpty, action.utf8.count <= NoticeCallLimits.key else { return true }
        // Two buttons may call one action with different parameters.
        let same = buttons.count { $0.target?.action == action }
        buttons.append(
            NoticeButton(
                key: same == 0 ? action : "\(action)#\(same + 1)", label: label, target: NoticeTarget(action: action, parameter: target),
                reply: purpose == NoticeBus.replyPurpose ? NoticeReply() : nil))
        return true
    }

    /// A parameter in the form in which the core keeps it; empty if it is too great to be kept. nil: the message is broken.
    private static func parameter(_ call: Incoming) -> String? {
        var budget = BusTree.Budget()
        guard let tree = call.tree(&budget), case .variant(let inner) = tree, let data = try? JSONEncoder().encode(inner) else {
            return nil
        }
        return String(decoding: data, as: UTF8.self)
    }

    static func tree(_ parameter: String?) -> BusTree? {
        parameter.flatMap { try? JSONDecoder().decode(BusTree.self, from: Data($0.utf8)) }
    }

    private static func isName(_ text: String, _ most: Int, isEmptyAllowed: Bool) -> Bool {
        (isEmptyAllowed || !text.isEmpty) && text.utf8.count <= most
            && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    }
}
