import Geometry
import Notices
import Stage
import Windows

/// The card over a locker for a notification that cannot wait: a call, an alarm, a danger, a reminder (S-07).
///
/// It opens nothing. It shows the app and a word for the kind of thing, or the title if a person chose that for the app.
extension Views {
    private static let padding = 14.0, gap = 8.0, side = 36.0

    private struct Button {
        var name: String, text: Message, action: Action, isMain = false
    }

    /// The part of the screen that the card takes; nil: there is none.
    public var lockCardFrame: Rect? { lockCardPlan?.card }

    private var lockCardPlan: (card: Rect, notice: Notice, words: LockWords, buttons: [Button], columns: Int)? {
        guard let id = interface.lockCards.front, let notice = notices[id], let words = notices.saysOnLock(id) else { return nil }
        let width = min(room.width - 16, scaled(420)), head = 2 * Views.padding + max(Views.side, line(.caption) + line(.headline))
        var buttons = lockButtons(of: notice), columns = 1, height = 0.0
        repeat {
            columns = max(1, min(buttons.count, Int(clamping: ((width - 2 * Views.padding) / scaled(96)).rounded(.down))))
            height = (head + Double((buttons.count + columns - 1) / columns) * (lockButtonHeight + Views.gap)).rounded()
            // On the smallest screens it can only be silenced, or put away.
            guard height > room.height - 24, buttons.count > 1 else { break }
            buttons.remove(at: buttons.firstIndex { $0.name == "later" } ?? buttons.count - 1)
        } while true
        return (Rect((room.center.x - width / 2).rounded(), room.minY + 12, width, height), notice, words, buttons, columns)
    }

    private var lockButtonHeight: Double { max(44, line(.callout) + 16) }

    private func lockButtons(of notice: Notice) -> [Button] {
        var out: [Button] = []
        if audio.isRinging { out.append(Button(name: "silence", text: .silenceRinging, action: .audio(.silenceRinging), isMain: true)) }
        // A call is not there any more in an hour, and what is shown once cannot come again.
        if notice.kind != .call, !notice.content.isTransient {
            out.append(Button(name: "later", text: .later, action: .notice(.snooze(notice.id))))
        }
        out.append(
            Button(
                name: "dismiss", text: notice.kind == .alarm ? .stopAlarm : .dismissCard, action: .notice(.dismiss(notice.id)),
                isMain: out.isEmpty))
        return out
    }

    public func lockCard() -> Canvas {
        var out = canvas()
        guard let (card, notice, words, buttons, columns) = lockCardPlan else { return out }
        // Glass would show the windows behind the lock.
        out.glass = nil
        let app = words == .title ? sourceText(notice) : appText(of: notice)
        let head: Text =
            words == .title && !notice.content.title.isEmpty ? .verbatim(notice.content.title) : .message(Views.word(for: notice.kind))
        out.shadow("lock/card", card, radius: 20)
        out.fill("lock/card", .panel, card, radius: 20)
        out.control("lock/card", .panel, head, card, focusable: false)
        let icon = Rect(card.x + Views.padding, card.y + Views.padding, Views.side, Views.side), left = icon.maxX + 12
        addLockIcon(&out, notice, words, icon)
        let width = card.maxX - Views.padding - left, place = Rect(left, card.y + Views.padding, width, line(.caption) + line(.headline))
        let named = ControlID(.lock, "card/app"), said = ControlID(.lock, "card/words")
        out.text(named, app, .caption, .secondary, Rect(left, place.y, width, line(.caption)))
        out.control(named, .label, app, Rect(left, place.y, width, line(.caption)), focusable: false)
        out.text(said, head, .headline, .primary, Rect(left, place.y + line(.caption), width, line(.headline)))
        out.control(said, .label, head, Rect(left, place.y + line(.caption), width, line(.headline)), focusable: false)
        let top = max(icon.maxY, place.maxY) + Views.gap
        let cell = ((card.width - 2 * Views.padding - Double(columns - 1) * Views.gap) / Double(columns)).rounded(.down)
        for (index, button) in buttons.enumerated() {
            let rect = Rect(
                card.x + Views.padding + Double(index % columns) * (cell + Views.gap),
                top + Double(index / columns) * (lockButtonHeight + Views.gap), cell,
                lockButtonHeight)
            let id = ControlID(.lock, "card/\(button.name)")
            out.fill(id, button.isMain ? .accent : .control, rect, radius: 12)
            out.text(id, .message(button.text), .callout, button.isMain ? .onAccent : .primary, rect.inset(by: 4), .center)
            out.control(id, .button, .message(button.text), rect, press: button.action, focusRadius: 12)
        }
        return out
    }

    private static func word(for kind: NoticeKind) -> Message {
        switch kind {
        case .call: .lockCall
        case .alarm: .lockAlarm
        case .danger: .lockDanger
        case .reminder: .lockReminder
        case .other: .lockOther
        }
    }

    /// The sender's picture may reveal the subject, so it appears only together with the title.
    private func addLockIcon(_ out: inout Canvas, _ notice: Notice, _ words: LockWords, _ rect: Rect) {
        if words == .title || workspace.app(notice.content.app) != nil || notice.content.isNameless {
            return addIcon(&out, "lock/card", notice, rect)
        }
        out.icon("lock/card", AppIcon(name: nil, title: appName(of: notice)), rect)
    }
}
