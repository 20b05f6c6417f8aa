import Geometry
import Notices
import Stage
import Windows

/// The banner of a notification, over whatever is in front.
extension Views {
    private static let padding = 14.0, gap = 8.0, icon = 36.0

    /// Its card and the words on it.
    private struct Plan {
        var card: Rect
        var titleLines: Int
        var bodyLines: Int
        var noteLines: Int
        var buttons: [NoticeBannerButton]
        var columns: Int
        var buttonHeight: Double
        /// The lines of the field for an answer; 0: there is none.
        var fieldLines = 0

        func fieldHeight(_ line: Double) -> Double { max(44, line * Double(fieldLines) + 16) }
    }

    private struct NoticeBannerButton {
        var id: String
        var text: Text
        var action: Action
        var isMain = false
    }

    private func plan(_ banner: NoticeBanner) -> Plan {
        let notice = banner.notice, content = notice.content
        let width = min(room.width - 16, scaled(440))
        let words = width - 2 * Views.padding - Views.icon - 12 - (content.image == nil ? 0 : Views.icon + 12)
        let most = banner.isExpanded ? (title: 3, body: 10) : (title: 1, body: 2)
        let body = summaryBody(content) ?? content.body
        var noteLines = noteLines(content, in: words, most: banner.isExpanded ? 6 : 2)
        var titleLines = min(most.title, Views.lines(content.title, .headline, line(.headline), in: words))
        var bodyLines = body.isEmpty ? 0 : min(most.body, Views.lines(body, .callout, line(.callout), in: words))
        var buttons: [NoticeBannerButton] = []
        let draft = draft(of: banner)
        var fieldLines =
            draft.map { min(3, max(1, Views.lines($0.text + "|", .body, line(.body), in: width - 2 * Views.padding - 116))) } ?? 0
        if banner.isExpanded, draft == nil {
            if content.unsent != nil {
                buttons.append(.init(id: "copy", text: .message(.fileCopy), action: .notice(.copyUnsent(notice.id)), isMain: true))
            }
            let labels = NameLabels(content.buttons.map(\.label))
            for (index, button) in content.buttons.prefix(6).enumerated() {
                buttons.append(
                    .init(
                        id: "button/\(index)", text: buttonText(button, of: content, labels),
                        action: .notice(.press(notice: notice.id, button: button.key)), isMain: buttons.isEmpty))
            }
            if !content.isTransient { buttons.append(.init(id: "later", text: .message(.later), action: .notice(.snooze(notice.id)))) }
            buttons.append(.init(id: "clear", text: .message(.clear), action: .notice(.dismiss(notice.id))))
        }
        let columns = buttons.count <= 3 && width >= Double(buttons.count) * scaled(96) ? max(1, buttons.count) : 2
        let buttonHeight = max(44, line(.callout) + 16)
        func height() -> Double {
            let rows = (buttons.count + columns - 1) / columns
            let field = fieldLines == 0 ? 0 : max(44, line(.body) * Double(fieldLines) + 16) + Views.gap
            return 2 * Views.padding - 4 + line(.caption) + line(.headline) * Double(titleLines) + line(.callout)
                * Double(bodyLines + noteLines)
                + Double(rows) * (buttonHeight + Views.gap) + field + (content.progress == nil ? 0 : 12) + (banner.isExpanded ? 0 : 8)
        }
        // On the smallest screens, gestures have to do for the last buttons.
        while height() > room.height - 24 {
            if bodyLines > 1 {
                bodyLines -= 1
            } else if noteLines > 1 {
                noteLines -= 1
            } else if titleLines > 1 {
                // A long title leaves room for the words below it.
                titleLines -= 1
            } else if fieldLines > 1 {
                fieldLines -= 1
            } else if bodyLines > 0 {
                bodyLines -= 1
            } else if !buttons.isEmpty {
                buttons.removeLast()
            } else {
                break
            }
        }
        let card = Rect((room.center.x - width / 2).rounded(), room.minY + 12, width, max(64, height()).rounded())
        return Plan(
            card: card, titleLines: titleLines, bodyLines: bodyLines, noteLines: noteLines, buttons: buttons, columns: columns,
            buttonHeight: buttonHeight, fieldLines: fieldLines)
    }

    private func draft(of banner: NoticeBanner) -> NoticeDraft? {
        guard banner.isExpanded, let draft = interface.notices.draft, draft.notice == banner.notice.id else { return nil }
        return draft
    }

    /// The place of the banner, and its way until it is out of sight.
    public var noticeCard: (frame: Rect, way: Double)? {
        guard let shown = interface.notices.banner, !shown.isGone(at: now) else { return nil }
        let card = plan(shown.content).card
        return (card, card.height + 24)
    }

    public func noticeBanner() -> Canvas {
        var canvas = self.canvas()
        guard let shown = interface.notices.banner, !shown.isGone(at: now) else { return canvas }
        let banner = shown.content, notice = banner.notice, content = notice.content, plan = plan(banner)
        let presence = max(0, shown.presence(at: now)), panel = plan.card
        let aside = interface.notices.way.value(at: now)
        canvas.opacity = min(1, presence) * max(0, 1 - abs(aside) / (panel.width * 1.2))
        canvas.isInert = !shown.isOpen
        canvas.shift = Vector(aside, (min(presence, 1) - 1) * (panel.height + 24) + max(0, presence - 1) * panel.height * 0.5)
        let title = titleText(of: notice), said = summaryBody(content) ?? content.body
        let name = content.summary == nil && !content.title.isEmpty ? spoken(notice) : title
        ground(&canvas, "notice", .panel, .message(.notifications), panel, radius: 20)
        // All of it, so that a tap anywhere opens it and a drag anywhere moves it. It alone says the words: a screen reader reads it as it
        // comes.
        canvas.press("notice/open", panel, radius: 20)
        canvas.control(
            "notice/open", .alert, name, panel, press: .notice(.open(notice.id)), menu: .notice(.expand(notice.id)),
            close: .notice(.dismiss(notice.id)), focusRadius: 20)
        let icon = Rect(panel.x + Views.padding, panel.y + Views.padding, Views.icon, Views.icon)
        addIcon(&canvas, "notice", notice, icon)
        var right = panel.maxX - Views.padding
        if let image = content.image {
            let picture = Rect(right - Views.icon, panel.y + Views.padding + line(.caption) + 2, Views.icon, Views.icon)
            canvas.add("notice/image", 5, .art(.picture(image, radius: 8), size: picture.size), picture)
            right = picture.x - 12
        }
        var y = panel.y + Views.padding - 2
        let left = icon.maxX + 12, width = right - left
        let age = ageText(of: notice), ageWidth = ageWidth(of: notice, in: width)
        canvas.text(
            "notice/app", sourceText(notice), .caption, .secondary,
            Rect(left, y, panel.maxX - Views.padding - left - ageWidth - 8, line(.caption)))
        canvas.text(
            "notice/age", age, .caption, .secondary, Rect(panel.maxX - Views.padding - ageWidth, y, ageWidth, line(.caption)), .trailing)
        y += line(.caption)
        let head = Rect(left, y, width, line(.headline) * Double(plan.titleLines))
        canvas.text("notice/title", title, .headline, .primary, head, lines: plan.titleLines)
        y = head.maxY
        if plan.bodyLines > 0 {
            let body = Rect(left, y, width, line(.callout) * Double(plan.bodyLines))
            canvas.text("notice/body", .verbatim(said), .callout, .primary, body, lines: plan.bodyLines)
            y = body.maxY
        }
        if plan.noteLines > 0, let note = noteText(content) {
            let rect = Rect(left, y, width, line(.callout) * Double(plan.noteLines))
            canvas.text("notice/note", note, .callout, .secondary, rect, lines: plan.noteLines)
            canvas.control("notice/note", .label, note, rect, focusable: false)
            y = rect.maxY
        }
        if let progress = content.progress {
            let track = Rect(left, y + 6, width, 4)
            canvas.fill("notice/progress", part: 1, .track, track, radius: 2)
            canvas.fill(
                "notice/progress", part: 2, .accent, Rect(track.x, track.y, max(4, track.width * Double(progress) / 100), 4), radius: 2)
            y += 12
        }
        guard banner.isExpanded else {
            canvas.fill("notice/handle", .pill, Rect(panel.center.x - 16, panel.maxY - 9, 32, 4), radius: 2)
            return canvas
        }
        y += Views.gap
        if let draft = draft(of: banner) {
            addReplyField(
                &canvas, draft, content, Rect(panel.x + Views.padding, y, panel.width - 2 * Views.padding, plan.fieldHeight(line(.body))),
                plan.fieldLines)
        }
        let columns = Double(plan.columns), cell = ((panel.width - 2 * Views.padding - (columns - 1) * Views.gap) / columns).rounded(.down)
        for (index, button) in plan.buttons.enumerated() {
            let rect = Rect(
                panel.x + Views.padding + Double(index % plan.columns) * (cell + Views.gap),
                y + Double(index / plan.columns) * (plan.buttonHeight + Views.gap), cell, plan.buttonHeight)
            let id = ControlID(.notice, button.id)
            canvas.fill(id, button.isMain ? .accent : .control, rect, radius: 12)
            canvas.press(id, rect, radius: 12)
            canvas.text(id, button.text, .callout, button.isMain ? .onAccent : .primary, rect.inset(by: 4), .center)
            canvas.control(id, .button, button.text, rect, press: button.action, focusRadius: 12)
        }
        return canvas
    }

    // MARK: Parts of both the banner and the list

    /// The title. A summary of the shell has the number of its notifications instead.
    func titleText(of notice: Notice) -> Text {
        if let summary = notice.content.summary { return .message(.noticeSummary, ["\(summary.count)"]) }
        guard notice.content.title.isEmpty else { return .verbatim(notice.content.title) }
        // A heading is never empty.
        let name = appName(of: notice)
        return name.isEmpty ? .message(.someProgram) : .verbatim(name)
    }

    /// The shell's own note: a missed call, a stopped job or an answer that was not delivered.
    func noteText(_ content: NoticeContent) -> Text? {
        if let unsent = content.unsent { return .message(.noticeUnsent, [unsent]) }
        if let drive = content.drive { return driveNote(drive) }
        switch content.lapse {
        case .missedCall: return .message(.noticeMissedCall)
        case .stopped: return .message(.noticeStopped)
        case nil: return nil
        }
    }

    /// How many lines that takes.
    func noteLines(_ content: NoticeContent, in width: Double, most: Int) -> Int {
        guard noteText(content) != nil else { return 0 }
        // The words of the shell before the answer are about as long in each language.
        let words =
            content.unsent.map { "Your answer was not sent: \($0)" }
            ?? (content.drive == nil ? "Missed call" : "Keep it connected: what is left is being written.")
        return min(most, Views.lines(words, .callout, line(.callout), in: width))
    }

    private func summaryBody(_ content: NoticeContent) -> String? {
        content.summary.map { summary in
            // A sandbox without a vouched name has no name to show.
            summary.groups.lazy.filter { $0 != NoticeContent.namelessGroup }.prefix(6).map { group in
                workspace.app(group)?.name ?? (group.hasPrefix("?") ? String(group.dropFirst()) : group)
            }.joined(separator: ", ")
        }
    }

    /// The app's name as the shell knows it, whatever a program in a sandbox says; "" for a sandbox without a vouched name (P-06).
    func appName(of notice: Notice) -> String {
        if notice.content.summary != nil || notice.content.drive != nil { return "Mullion" }
        let app = notice.content.app
        if let known = workspace.app(app) { return known.name }
        return notice.content.name.isEmpty ? app : notice.content.name
    }

    /// Its app, as alerts name theirs (`addAsker`).
    func appText(of notice: Notice) -> Text {
        let name = appName(of: notice)
        return name.isEmpty ? .message(.someProgram) : .verbatim(name)
    }

    /// A message about its app.
    func text(_ message: Message, about notice: Notice) -> Text {
        let name = appName(of: notice)
        return name.isEmpty ? .about(message, .someProgram) : .message(message, [name])
    }

    /// The app, and the web site or the account within it.
    func sourceText(_ notice: Notice) -> Text {
        guard let site = notice.content.site else { return appText(of: notice) }
        let name = appName(of: notice)
        return name.isEmpty ? .detailed(.someProgram, site) : .verbatim("\(name) · \(site)")
    }

    /// The words of a screen reader: the app, the title and the text.
    func spoken(_ notice: Notice, isTitleOnly: Bool = false) -> Text {
        let content = notice.content, name = appName(of: notice)
        let source = [name, content.site ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
        let words = [content.title, isTitleOnly ? "" : content.body].filter { !$0.isEmpty }
        return name.isEmpty
            ? .detailed(.someProgram, ([source] + words).filter { !$0.isEmpty }.joined(separator: ": "))
            : .verbatim(([source] + words).joined(separator: ": "))
    }

    /// Draws its app's icon, or the symbol of any program for a sandbox without a vouched name, as in alerts.
    func addIcon(_ canvas: inout Canvas, _ id: ControlID, _ notice: Notice, _ rect: Rect) {
        guard !notice.content.isNameless else {
            return canvas.symbol(id, .window, .secondary, in: rect, side: min(rect.width, rect.height) * 0.75)
        }
        guard notice.content.drive == nil else {
            return canvas.symbol(id, .drive, .primary, in: rect, side: min(rect.width, rect.height) * 0.8)
        }
        canvas.icon(id, noticeIcon(notice), rect)
    }

    private func noticeIcon(_ notice: Notice) -> AppIcon {
        let app = notice.content.app
        if workspace.app(app) != nil { return icon(of: app) }
        return AppIcon(name: notice.content.icon ?? (app.isEmpty ? nil : app.lowercased()), title: appName(of: notice))
    }

    func ageText(of notice: Notice) -> Text {
        guard !notice.isLate else { return .message(.noticeLate) }
        return ageText(seconds: notices.age(of: notice, at: now))
    }

    func ageText(seconds age: Int64) -> Text {
        switch age {
        case ..<60: return .message(.noticeNow)
        case ..<3600: return .message(.noticeMinutes, ["\(age / 60)"])
        case ..<86_400: return .message(.noticeHours, ["\(age / 3600)"])
        default: return .message(.noticeDays, ["\(age / 86_400)"])
        }
    }

    /// The room for the age at the end of a line, in points. The core does not measure text: a box that surely holds the words of each
    /// language, and no more.
    func ageWidth(of notice: Notice, in width: Double) -> Double {
        min(
            width / 2, (scaled(TextStyle.caption.size) * Views.ageEms(notices.age(of: notice, at: now), isLate: notice.isLate)).rounded(.up)
        )
    }

    /// The same in sizes of its font.
    public static func ageEms(_ age: Int64, isLate: Bool) -> Double {
        guard !isLate else { return 5.4 }
        return switch age {
        case ..<60: 2.4
        case ..<3600: 5.8
        case ..<86_400: 5.2
        default: 5.6
        }
    }

    // MARK: Unread

    /// The words for what is unread; nil: nothing is, or there is no list.
    private var unreadText: Text? {
        let count = notices.unreadCount
        return count > 0 && workspace.idiom.offers.contains(.notifications) ? .message(.noticesUnread, ["\(count)"]) : nil
    }

    /// A name of what opens the list, with what is unread there: a screen reader sees no dot.
    func withUnread(_ name: Text) -> Text { unreadText.map { .list([name, $0], ", ") } ?? name }

    /// A dot where the list is opened, while something in it is unread.
    func addUnreadDot(_ out: inout Canvas) {
        guard let text = unreadText, !interface.isPanelOpen, !interface.isPopoverOpen, !interface.isOverviewOpen,
            !interface.notices.isBannerOpen
        else { return }
        // Beside the name in a menu bar it would read as a part of it: there it is on the bell.
        let bell = workspace.menuBar.map(own).flatMap { barEnds($0).first { $0.id == "notifications" }?.frame }
        let place: Rect
        if let bell {
            place = Rect(bell.center.x + 4, bell.center.y - 10, 8, 8)
        } else if let bar = unreadPlaceInBar {
            place = bar
        } else {
            // An app begins here. It is at the very edge, where apps have no letters, and past the rounding of the corner.
            let top = screen.status > 0 ? screen.whole.minY : room.minY
            place = Rect(room.minX + max(10, (screen.cornerRadius * 0.6).rounded()), top, 5, 5)
            out.control("notifications/unread", .label, text, place, focusable: false, hittable: false)
        }
        let side = place.width
        out.fill("notifications/unread", part: 1, .rim, place.inset(by: -1), radius: side / 2 + 1)
        out.fill("notifications/unread", .badge, place, radius: side / 2)
    }

    /// How many things of an app wait for a person: windows (W-19) and notifications.
    func badge(of app: String) -> Int { workspace.waitingWindows(of: app).count + notices.badge(of: app) }
}
