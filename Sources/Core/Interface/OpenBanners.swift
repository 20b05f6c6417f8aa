import Geometry
import Notices
import Windows

/// The banner in sight, and the answer that a person writes in it.
extension Interface {
    public var isBannerOpen: Bool { banner?.isOpen ?? false }
    public var isNoticeOpen: Bool { notices.isBannerOpen }

    /// The notification of the banner in sight.
    public var noticeInSight: NoticeID? { isNoticeOpen ? notices.banner?.content.notice.id : nil }

    public mutating func presentBanner(_ banner: Banner, at now: Moment, spring: Spring) {
        self.banner.present(banner, at: now, spring: spring)
        self.banner?.see(true, at: now)
    }

    public mutating func presentNotice(_ notice: Notice, at now: Moment, spring: Spring) {
        notices.way.set(0)
        notices.banner.present(NoticeBanner(notice), at: now, spring: spring)
        notices.banner?.see(true, at: now)
    }

    /// Hides the banner of a window, which still waits.
    public mutating func closeBanner(at now: Moment, spring: Spring) {
        banner?.close(at: now, spring: spring)
        if focus?.area == .banner { focus = nil }
    }

    /// Hides the banner of a notification, which stays in the list.
    public mutating func closeNotice(at now: Moment, spring: Spring) {
        guard isNoticeOpen else { return }
        leaveReply()
        notices.banner?.close(at: now, spring: spring)
        if focus?.area == .notice { focus = nil }
    }

    /// Shows all of the banner in sight, or less again.
    public mutating func expandNotice() {
        notices.banner?.content.isExpanded.toggle()
        leaveReply()
    }

    /// A remote control has no long press: a notification shows its buttons while the focus is on it.
    public mutating func unfoldBanner(from last: ControlID?, to next: ControlID?) {
        let isThere = next?.area == .notice
        guard isNoticeOpen, (last?.area == .notice) != isThere, !isReplying else { return }
        notices.banner!.content.isExpanded = isThere
    }

    // MARK: The field for an answer

    /// While it is open, the shell has the keys and the input method.
    public var isReplying: Bool { isNoticeOpen && notices.draft != nil }

    public mutating func beginReply(to id: NoticeID, by button: String) {
        notices.banner?.content.isExpanded = true
        notices.beginReply(to: id, by: button)
        focus = nil
    }

    public mutating func leaveReply() {
        guard notices.draft != nil else { return }
        notices.leaveReply()
        if focus?.area == .notice { focus = nil }
    }

    /// The answer was sent.
    public mutating func sentReply(to id: NoticeID) {
        notices.draft = nil
        notices.drafts[id] = nil
        focus = nil
    }

    /// Its receiver is gone.
    public mutating func forgetDraft(of id: NoticeID) {
        if notices.draft?.notice == id {
            notices.draft = nil
            if focus?.area == .notice { focus = nil }
        }
        notices.drafts[id] = nil
    }

    public mutating func writeReply(_ text: String) {
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        guard let draft = notices.draft, !clean.isEmpty, draft.text.utf8.count + clean.utf8.count <= NoticeDraft.longest else { return }
        notices.draft!.text += clean
        focus = nil
    }

    public mutating func eraseReply(_ count: Int) {
        guard let draft = notices.draft, !draft.text.isEmpty else { return }
        notices.draft!.text = String(draft.text.dropLast(max(1, count)))
        focus = nil
    }

    /// The answers that a person has written, open or not, with the keys of their buttons.
    public var writtenAnswers: [(id: NoticeID, button: String?, text: String)] {
        (notices.draft.map { [($0.notice, $0.button as String?, $0.text)] } ?? []) + notices.drafts.map { ($0.key, nil, $0.value) }
    }
}
