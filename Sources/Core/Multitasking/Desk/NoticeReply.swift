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

    /// Sends what stands in the field, or the text that is given.
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

    mutating func writeReply(_ text: String) {
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        guard let draft = interface.notices.draft, !clean.isEmpty, draft.text.utf8.count + clean.utf8.count <= NoticeDraft.longest else { return }
        interface.notices.draft!.text += clean
        interface.focus = nil
    }

    mutating func eraseReply(_ count: Int) {
        guard let draft = interface.notices.draft, !draft.text.isEmpty else { return }
        interface.notices.draft!.text = String(draft.text.dropLast(max(1, count)))
        interface.focus = nil
    }
}
