import Geometry
import Interface
import Notices
import Windows

/// The answer that a person writes in the banner of a notification. While its field is open, the shell has the keys and the input method.
extension Desk {
    var isReplying: Bool { isNoticeOpen && interface.notices.draft != nil }

    /// A press on a button that takes an answer: the banner comes, if it is not there, and shows the field.
    mutating func beginReply(_ id: NoticeID, by button: NoticeButton, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard let notice = notices.room[id] else { throw Refusal("there is no \(id)") }
        guard !isLocked else { throw Refusal("the screen is locked") }
        if !isNoticeOpen || interface.notices.banner?.content.notice.id != id {
            closeViews(at: now)
            clearBannerPlace(at: now, &turn)
            presentNotice(notice, at: now)
        }
        interface.notices.banner!.content.isExpanded = true
        interface.notices.beginReply(to: id, by: button.key)
        interface.focus = nil
    }

    mutating func leaveReply() {
        guard interface.notices.draft != nil else { return }
        interface.notices.leaveReply()
        if interface.focus?.area == .notice { interface.focus = nil }
    }

    /// Sends the text in the field, or the given text.
    mutating func sendReply(_ id: NoticeID, _ text: String?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let draft = interface.notices.draft.flatMap { $0.notice == id ? $0 : nil }
        guard notices.room[id]?.content.replyButton(draft?.button) != nil else { throw Refusal("\(id) takes no answer") }
        guard let text = text ?? draft?.text, !text.isEmpty else { throw Refusal("the answer to \(id) is empty") }
        guard text.utf8.count <= NoticeDraft.longest else { throw Refusal("an answer has at most \(NoticeDraft.longest) bytes") }
        interface.notices.draft = nil
        interface.notices.drafts[id] = nil
        interface.focus = nil
        take(notices.room.answer(id, text, by: draft?.button), at: now, &turn)
    }

    // MARK: Answers without a receiver

    /// An answer that a person has written, before an event that may remove its receiver.
    struct Written {
        var notice: Notice
        var button: String?
        var text: String
    }

    var writtenAnswers: [Written] {
        let open = interface.notices.draft.map { [($0.notice, $0.button as String?, $0.text)] } ?? []
        let left = interface.notices.drafts.map { ($0.key, nil as String?, $0.value) }
        return (open + left).compactMap { id, button, text in
            guard !text.isEmpty, let notice = notices.room[id], notice.content.replyButton(button) != nil else { return nil }
            return Written(notice: notice, button: button, text: text)
        }
    }

    /// Tells the person about answers that have no receiver any more, because the sender left or withdrew its question. The person can
    /// copy the text.
    mutating func keepUnsent(_ before: [Written], at now: Moment, _ turn: inout Turn) {
        for written in before {
            let id = written.notice.id
            guard notices.room[id]?.content.replyButton(written.button) == nil else { continue }
            if interface.notices.draft?.notice == id {
                interface.notices.draft = nil
                if interface.focus?.area == .notice { interface.focus = nil }
            }
            interface.notices.drafts[id] = nil
            if notices.room[id] != nil {
                take(notices.room.keepUnsent(id, written.text), at: now, &turn)
                renewBanner(id, at: now)
            } else {
                keepUnsent(written.text, to: written.notice.content, at: now, &turn)
            }
        }
    }

    /// The same, if the notification is gone.
    mutating func keepUnsent(_ text: String, to content: NoticeContent, at now: Moment, _ turn: inout Turn) {
        var told = NoticeContent(app: content.app, name: content.name, title: content.title, level: .active)
        (told.unsent, told.thread, told.hidesContentOnLock) = (text, content.thread, true)
        take(notices.room.tell(told, in: noticeSurroundings, at: now), at: now, &turn)
    }

    mutating func writeReply(_ text: String) {
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        guard let draft = interface.notices.draft, !clean.isEmpty, draft.text.utf8.count + clean.utf8.count <= NoticeDraft.longest else {
            return
        }
        interface.notices.draft!.text += clean
        interface.focus = nil
    }

    mutating func eraseReply(_ count: Int) {
        guard let draft = interface.notices.draft, !draft.text.isEmpty else { return }
        interface.notices.draft!.text = String(draft.text.dropLast(max(1, count)))
        interface.focus = nil
    }
}
