import Geometry
import Interface
import Notices
import Windows

/// Answers that a person writes in the banner of a notification.
extension System {
    /// A press on a button that takes an answer: the banner comes, if it is not there, and shows the field.
    mutating func beginReply(_ id: NoticeID, by button: NoticeButton, at now: Moment, _ turn: inout Turn) {
        guard let notice = notices[id] else { return }
        if screenful.interface.noticeInSight != id {
            screenful.closeViews(at: now)
            banners(.leaves, at: now, &turn)
            screenful.interface.presentNotice(notice, at: now, spring: screenful.spring)
        }
        screenful.interface.beginReply(to: id, by: button.key)
    }

    /// Sends the text in the field, or the given text.
    mutating func sendReply(_ id: NoticeID, _ text: String?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let draft = screenful.interface.notices.draft.flatMap { $0.notice == id ? $0 : nil }
        guard notices[id]?.content.replyButton(draft?.button) != nil else { throw Refusal("\(id) takes no answer") }
        guard let text = text ?? draft?.text, !text.isEmpty else { throw Refusal("the answer to \(id) is empty") }
        guard text.utf8.count <= NoticeDraft.longest else { throw Refusal("an answer has at most \(NoticeDraft.longest) bytes") }
        screenful.interface.sentReply(to: id)
        notices(.answered(id, text, by: draft?.button), at: now, &turn)
    }

    /// An answer that a person has written, before an event that may remove its receiver.
    struct Written {
        var notice: Notice
        var button: String?
        var text: String
    }

    var writtenAnswers: [Written] {
        screenful.interface.writtenAnswers.compactMap { id, button, text in
            guard !text.isEmpty, let notice = notices[id], notice.content.replyButton(button) != nil else { return nil }
            return Written(notice: notice, button: button, text: text)
        }
    }

    /// Tells the person about answers that have no receiver any more, because the sender left or withdrew its question. The person can
    /// copy the text.
    mutating func keepUnsent(_ before: [Written], at now: Moment, _ turn: inout Turn) {
        for written in before {
            let id = written.notice.id
            guard notices[id]?.content.replyButton(written.button) == nil else { continue }
            screenful.interface.forgetDraft(of: id)
            if notices[id] != nil {
                notices(.unsent(id, written.text), at: now, &turn)
                renewBanner(id, at: now, &turn)
            } else {
                keepUnsent(written.text, to: written.notice.content, at: now, &turn)
            }
        }
    }

    /// The same, if the notification is gone.
    mutating func keepUnsent(_ text: String, to content: NoticeContent, at now: Moment, _ turn: inout Turn) {
        var told = NoticeContent(app: content.app, name: content.name, title: content.title, level: .active)
        (told.unsent, told.thread, told.hidesContentOnLock) = (text, content.thread, true)
        notices(.told(told), at: now, &turn)
    }
}
