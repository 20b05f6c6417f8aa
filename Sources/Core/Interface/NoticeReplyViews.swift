import Geometry
import Notices
import Stage
import Windows

/// The field in which a person answers a notification, in its banner: a cross, the text, and the button that sends it.
extension Views {
    func addReplyField(_ canvas: inout Canvas, _ draft: NoticeDraft, _ content: NoticeContent, _ rect: Rect, _ lines: Int) {
        let reply = content.replyButton(draft.button)?.reply ?? NoticeReply()
        let leave = Rect(rect.x - 6, rect.maxY - 44, 44, 44)
        canvas.press("notice/leave-reply", leave, radius: 22)
        canvas.symbol("notice/leave-reply", .clear, .secondary, in: leave, side: 20)
        canvas.control("notice/leave-reply", .button, .message(.cancel), leave, press: .notice(.leaveReply), focusRadius: 22)
        let side = 44.0, send = Rect(rect.maxX - side, rect.maxY - side, side, side)
        let field = Rect(leave.maxX + 2, rect.y, send.x - leave.maxX - 10, rect.height)
        canvas.fill("notice/reply", .control, field, radius: min(22, rect.height / 2))
        let words = Rect(field.x + 14, field.y + 8, field.width - 28, field.height - 16)
        let placeholder: Text = reply.placeholder.isEmpty ? .message(.noticeReply) : .verbatim(reply.placeholder)
        if draft.text.isEmpty {
            canvas.text("notice/reply", .verbatim("|"), .body, .primary, Rect(words.x, words.y, 8, words.height))
            canvas.text("notice/reply", part: 5, placeholder, .body, .secondary, Rect(words.x + 8, words.y, words.width - 8, words.height))
        } else {
            canvas.text(
                "notice/reply", .verbatim(end(of: draft.text, lines: lines, in: words.width) + "|"), .body, .primary, words, lines: lines)
        }
        canvas.control(
            "notice/reply", .field, draft.text.isEmpty ? placeholder : .verbatim(draft.text), field, focusRadius: min(22, rect.height / 2))
        let isReady = !draft.text.isEmpty
        canvas.fill("notice/send", isReady ? .accent : .control, send, radius: side / 2)
        canvas.press("notice/send", send, radius: side / 2)
        canvas.symbol("notice/send", .send, isReady ? .onAccent : .secondary, in: send, side: 22)
        canvas.control(
            "notice/send", .button, reply.submit.isEmpty ? .message(.noticeSend) : .verbatim(reply.submit), send,
            press: isReady ? .notice(.reply(notice: draft.notice, text: nil)) : nil, focusRadius: side / 2)
    }

    /// The end of a text, which a person is writing, as far as it fits.
    private func end(of text: String, lines: Int, in width: Double) -> String {
        var rest = Substring(text)
        while rest.count > 8, Views.lines("…\(rest)|", .body, line(.body), in: width) > lines { rest = rest.dropFirst(4) }
        return rest.count == text.count ? text : "…" + rest
    }
}
