import Geometry
import Interface
import Notices
import Windows

/// The field for an answer in the banner of a notification. While it is open, the shell has the keys and the input method.
extension Screenful {
    var isReplying: Bool { isNoticeOpen && interface.notices.draft != nil }

    mutating func leaveReply() {
        guard interface.notices.draft != nil else { return }
        interface.notices.leaveReply()
        if interface.focus?.area == .notice { interface.focus = nil }
    }

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
            guard !text.isEmpty, let notice = notices[id], notice.content.replyButton(button) != nil else { return nil }
            return Written(notice: notice, button: button, text: text)
        }
    }

    /// Its receiver is gone.
    mutating func forgetDraft(of id: NoticeID) {
        if interface.notices.draft?.notice == id {
            interface.notices.draft = nil
            if interface.focus?.area == .notice { interface.focus = nil }
        }
        interface.notices.drafts[id] = nil
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
