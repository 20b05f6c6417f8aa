import Geometry
import Notices
import Stage
import Windows

/// The list of notifications behind the swipe down (X-03).
extension Views {
    private static let margin = 16.0, inset = 12.0

    /// One thing in the list.
    private enum Entry {
        case head(String)
        case card(Notice)
        /// The number of further ones of a group or a thread.
        case more(String, Int)
        /// The focus that holds.
        case focus(NoticeFocus)
    }

    private struct Row {
        var entry: Entry
        var y: Double
        var height: Double
        /// How far it stands behind the others of its group: a thread's.
        var indent = 0.0
    }

    private var listWidth: Double { min(room.width - 32, scaled(440)) }
    /// Beside it stands the button for Do Not Disturb.
    private var clearAllWidth: Double { max(min(scaled(88), listWidth - 92), 72.0) }
    /// A narrow list has its title above the buttons, so that it is seen whole, if there is room for a notification below.
    private var stacksHead: Bool {
        interface.notices.settings == nil && room.height > 100 + 6 * line(.title) && listWidth - 48 - clearAllWidth - 60 < scaled(148)
    }
    private var headHeight: Double { 20 + max(44, line(.title)) + 4 + (stacksHead ? line(.title) : 0) }

    private func rows() -> (rows: [Row], length: Double) {
        var out: [Row] = [], y = 0.0
        func add(_ entry: Entry, _ height: Double, _ gap: Double, indent: Double = 0) {
            out.append(Row(entry: entry, y: y, height: height, indent: indent))
            y += height + gap
        }
        if let focus = notices.focus(at: now) { add(.focus(focus), max(44, line(.callout) + 12), 8) }
        let groups = notices.groups, most = interface.notices.most(of: "")
        for (group, ids) in groups.prefix(most) {
            add(.head(group), max(44, line(.callout) + 12), 0)
            let shown = ids.suffix(max(1, interface.notices.most(of: group))).reversed().compactMap { notices[$0] }
            let threads = Views.threads(of: shown)
            for thread in threads {
                add(.card(thread[0]), cardHeight(thread[0]), 8)
                guard thread.count > 1 else { continue }
                let key = NoticeThread.key(group, thread[0].content.thread),
                    isOpen = threads.count == 1 || interface.notices.unfolded[key] != nil
                if isOpen {
                    for notice in thread.dropFirst() { add(.card(notice), cardHeight(notice), 8, indent: threads.count == 1 ? 0 : 20) }
                }
                if threads.count > 1 { add(.more(key, isOpen ? 0 : thread.count - 1), max(36, line(.callout) + 12), 4, indent: 20) }
            }
            if ids.count > 1 { add(.more(group, ids.count - shown.count), max(36, line(.callout) + 12), 4) }
            y += 4
        }
        if groups.count > NoticeViews.page { add(.more("", max(0, groups.count - most)), max(36, line(.callout) + 12), 4) }
        return (out, max(0, y))
    }

    /// The threads of an app, the newest first, each with its notifications, the newest first. A notification without a thread stands
    /// alone.
    private static func threads(of all: [Notice]) -> [[Notice]] {
        var out: [[Notice]] = [], places: [String: Int] = [:]
        for notice in all {
            let thread = notice.content.thread
            if !thread.isEmpty, let place = places[thread] {
                out[place].append(notice)
            } else {
                if !thread.isEmpty { places[thread] = out.count }
                out.append([notice])
            }
        }
        return out
    }

    private func bodyLines(_ notice: Notice) -> Int {
        guard !notice.content.body.isEmpty else { return 0 }
        let width = listWidth - 2 * Views.margin - 2 * Views.inset - (notice.content.image == nil ? 0 : 52)
        return min(3, Views.lines(notice.content.body, .callout, line(.callout), in: width))
    }

    /// Whether the age stands below the title. Large text leaves a title beside it no room for more than a word.
    private func isAgeBelow(_ notice: Notice, in width: Double) -> Bool { ageWidth(of: notice, in: width) > width * 0.3 }

    /// The width of the title beside the age, after the dot of an unread notification.
    private func titleWidth(_ notice: Notice, in width: Double) -> Double {
        width - dotWidth(notice) - (isAgeBelow(notice, in: width) ? 0 : ageWidth(of: notice, in: width) + 8)
    }

    private func dotWidth(_ notice: Notice) -> Double { notice.isRead ? 0 : 14 }

    /// A title that is cut after a word or two says nothing.
    private func titleLines(_ notice: Notice, in width: Double) -> Int {
        guard notice.content.summary == nil, !notice.content.title.isEmpty else { return 1 }
        return max(1, min(2, Views.lines(notice.content.title, .headline, line(.headline), in: titleWidth(notice, in: width))))
    }

    private func noteLines(_ notice: Notice) -> Int {
        let width = listWidth - 2 * Views.margin - 2 * Views.inset - (notice.content.image == nil ? 0 : 52)
        return noteLines(notice.content, in: width, most: 3)
    }

    private func cardButtons(_ notice: Notice) -> [(text: Text, act: NoticeAct)] {
        let copy: [(text: Text, act: NoticeAct)] = notice.content.unsent == nil ? [] : [(.message(.fileCopy), .copyUnsent(notice.id))]
        let labels = NameLabels(notice.content.buttons.map(\.label))
        return Array(
            (copy + notice.content.buttons.map { (buttonText($0, of: notice.content, labels), .press(notice: notice.id, button: $0.key)) })
                .prefix(3))
    }

    private func cardHeight(_ notice: Notice) -> Double {
        let width = listWidth - 2 * Views.margin - 2 * Views.inset - (notice.content.image == nil ? 0 : 52)
        let words =
            line(.headline) * Double(titleLines(notice, in: width)) + (notice.content.site == nil ? 0 : line(.caption))
            + (isAgeBelow(notice, in: width) ? line(.caption) : 0) + line(.callout) * Double(bodyLines(notice) + noteLines(notice))
            + (notice.content.progress == nil ? 0 : 12)
        return max(notice.content.image == nil ? 44 : 64, words + 2 * Views.inset - 4)
            + (cardButtons(notice).isEmpty ? 0 : max(44, line(.callout) + 16) + 8)
    }

    public var noticeListPlan: ListPlan { plan(interface.notices.settings.map(settingsLength) ?? rows().length) }

    private func plan(_ length: Double) -> ListPlan {
        let most = room.height - 32
        let height = min(most, headHeight + length + Views.margin)
        let panel = Rect((room.center.x - listWidth / 2).rounded(), room.y + 16, listWidth, height.rounded())
        return ListPlan(
            panel: panel, window: Rect(panel.x, panel.y + headHeight, panel.width, panel.height - headHeight - 12), length: length)
    }

    /// The list with something in it.
    func addNoticeList(_ canvas: inout Canvas, _ presence: Double) {
        if let group = interface.notices.settings { return addNoticeSettings(&canvas, group, presence) }
        let (rows, length) = rows(), plan = plan(length), panel = plan.panel
        let down = (presence - 1) * panelWay(panel.height)
        canvas.shift = Vector(0, down)
        ground(&canvas, "notifications", .panel, .message(.notifications), panel, radius: 24)
        let clear = clearAllWidth, isStacked = stacksHead
        let head = Rect(panel.x + 24, panel.y + 16 + (isStacked ? line(.title) : 0), panel.width - 48, max(44, line(.title)))
        let title =
            isStacked
            ? Rect(head.x, panel.y + 16, head.width, line(.title))
            : Rect(head.x, head.center.y - line(.title) / 2, head.width - clear - 60, line(.title))
        // On a small round screen the buttons take all of it.
        if title.width >= 44 { canvas.text("notifications/title", .message(.notifications), .title, .primary, title) }
        addQuietButton(&canvas, Rect(isStacked ? head.x - 8 : head.maxX - clear - 52, head.center.y - 22, 44, 44))
        let all = Rect(head.maxX - clear + 8, head.center.y - 18, clear, 36)
        canvas.fill("notifications/clear-all", .control, all, radius: 18)
        canvas.press("notifications/clear-all", all, radius: 18)
        canvas.text("notifications/clear-all", .message(.clearAll), .callout, .primary, all, .center)
        canvas.control("notifications/clear-all", .button, .message(.clearAll), all, press: .notice(.clearAll), focusRadius: 18)
        let scroll = interface.notices.scroll.value(at: now)
        let window = canvas.placed(plan.window)
        let isWhole = interface.notices.isWhole
        if !isWhole { canvas.window = window }
        let labels = rowLabels(rows)
        for row in rows {
            let rect = Rect(
                panel.x + Views.margin + row.indent, plan.window.y + row.y - scroll, panel.width - 2 * Views.margin - row.indent, row.height
            )
            // A row out of sight costs nothing.
            guard isWhole || (rect.maxY > plan.window.minY && rect.minY < plan.window.maxY) else { continue }
            switch row.entry {
            case .head(let group): addHead(&canvas, group, labels, rect)
            case .card(let notice):
                var row = canvas
                if let moved = interface.notices.row, moved.id == notice.id {
                    row.shift = Vector(canvas.shift.dx + moved.way.value(at: now), canvas.shift.dy)
                    row.opacity = max(0, 1 - abs(moved.way.value(at: now)) / (rect.width * 1.1))
                }
                addCard(&row, notice, labels, rect)
                row.shift = canvas.shift
                row.opacity = canvas.opacity
                canvas = row
            case .more(let group, let count): addMore(&canvas, group, count, rect)
            case .focus(let focus): addFocusRow(&canvas, focus, rect)
            }
        }
        canvas.window = nil
    }

    /// Do Not Disturb, in the head of the list.
    func addQuietButton(_ canvas: inout Canvas, _ rect: Rect) {
        let isQuiet = notices.choices.isQuiet, id = ControlID(.notifications, "quiet")
        canvas.fill(id, isQuiet ? .accent : .control, rect, radius: 22)
        canvas.press(id, rect, radius: 22)
        canvas.symbol(id, .moon, isQuiet ? .onAccent : .primary, in: rect, side: 20)
        canvas.control(
            id, .toggle, .message(.doNotDisturb), rect, press: notices.choices.isQuietFixed ? nil : .notice(.quiet(nil)), chosen: isQuiet,
            focusRadius: 22)
    }

    /// The titles and headings that stand in the list together (P-07).
    private func rowLabels(_ rows: [Row]) -> NameLabels {
        NameLabels(
            rows.compactMap { row in
                switch row.entry {
                case .head(let group): notices.newest(of: group).map(appName)
                case .card(let notice): notice.content.title
                case .more, .focus: nil
                }
            })
    }

    private func addHead(_ canvas: inout Canvas, _ group: String, _ labels: NameLabels, _ rect: Rect) {
        guard let notice = notices.newest(of: group) else { return }
        let id = ControlID(.notifications, "group/\(group)")
        let icon = Rect(rect.x + 4, rect.center.y - 12, 24, 24)
        addIcon(&canvas, id, notice, icon)
        canvas.text(
            id, labels.text(appText(of: notice)), .callout, .secondary,
            Rect(icon.maxX + 8, rect.center.y - line(.callout) / 2, rect.width - 44 - 88, line(.callout)))
        for (index, part) in [
            (name: "settings", symbol: Symbol.gear, text: Message.noticeSettings, act: NoticeAct.settings(group: group)),
            (name: "clear", symbol: .clear, text: .clearNotices, act: .clear(group: group)),
        ].enumerated() {
            let button = Rect(rect.maxX - 88 + Double(index) * 44, rect.center.y - 22, 44, 44), key = id.part(part.name)
            canvas.press(key, button.inset(by: 4), radius: 18)
            canvas.symbol(key, part.symbol, .secondary, in: button, side: 18)
            canvas.control(key, .button, text(part.text, about: notice), button.inset(by: 4), press: .notice(part.act), focusRadius: 18)
        }
    }

    private func addCard(_ canvas: inout Canvas, _ notice: Notice, _ labels: NameLabels, _ rect: Rect) {
        let id = ControlID(.notifications, "item/\(notice.id.raw)"), content = notice.content
        canvas.fill(id, .control, rect, radius: 14)
        canvas.press(id, rect, radius: 14)
        canvas.control(
            id, .card, spoken(notice), rect, press: .notice(.open(notice.id)),
            close: .notice(.dismiss(notice.id)), focusRadius: 14)
        let inner = rect.inset(by: Views.inset)
        var width = inner.width
        if let image = content.image {
            let picture = Rect(inner.maxX - 40, inner.y, 40, 40)
            canvas.add(id, 5, .art(.picture(image, radius: 8), size: picture.size), picture)
            width -= 52
        }
        var y = rect.y + Views.inset - 2
        let unread = dotWidth(notice), titleLines = titleLines(notice, in: width)
        if !notice.isRead { canvas.fill(id, part: 6, .badge, Rect(inner.x, y + line(.headline) / 2 - 4, 8, 8), radius: 4) }
        canvas.text(
            id, part: 2, labels.text(titleText(of: notice)), .headline, .primary,
            Rect(inner.x + unread, y, titleWidth(notice, in: width), line(.headline) * Double(titleLines)), lines: titleLines)
        let isAgeBelow = isAgeBelow(notice, in: width), age = isAgeBelow ? width : ageWidth(of: notice, in: width)
        let head = y
        y += line(.headline) * Double(titleLines)
        canvas.text(
            id, part: 7, ageText(of: notice), .caption, .secondary,
            Rect(inner.x + width - age, isAgeBelow ? y : head + 2, age, line(.caption)),
            isAgeBelow ? .leading : .trailing)
        if isAgeBelow { y += line(.caption) }
        if let site = content.site {
            canvas.text(id, part: 8, .verbatim(site), .caption, .secondary, Rect(inner.x, y, width, line(.caption)))
            y += line(.caption)
        }
        let lines = bodyLines(notice)
        if lines > 0 {
            let body = Rect(inner.x, y, width, line(.callout) * Double(lines))
            canvas.text(id, part: 9, .verbatim(content.body), .callout, .secondary, body, lines: lines)
            y = body.maxY
        }
        let noteLines = noteLines(notice)
        if noteLines > 0, let note = noteText(content) {
            let rect = Rect(inner.x, y, width, line(.callout) * Double(noteLines))
            canvas.text(id, part: 12, note, .callout, .secondary, rect, lines: noteLines)
            canvas.control(id.part("note"), .label, note, rect, focusable: false)
            y = rect.maxY
        }
        if let progress = content.progress {
            let track = Rect(inner.x, y + 6, width, 4)
            canvas.fill(id, part: 10, .track, track, radius: 2)
            canvas.fill(id, part: 11, .accent, Rect(track.x, track.y, max(4, track.width * Double(progress) / 100), 4), radius: 2)
        }
        let buttons = cardButtons(notice)
        guard !buttons.isEmpty else { return }
        let height = max(44, line(.callout) + 16),
            cell = ((inner.width - Double(buttons.count - 1) * 8) / Double(buttons.count)).rounded(.down)
        for (index, button) in buttons.enumerated() {
            let place = Rect(inner.x + Double(index) * (cell + 8), rect.maxY - Views.inset - height, cell, height),
                key = id.part("button/\(index)")
            canvas.fill(key, .card, place, radius: 12)
            canvas.press(key, place, radius: 12)
            canvas.text(key, button.text, .callout, .primary, place.inset(by: 4), .center)
            canvas.control(key, .button, button.text, place, press: .notice(button.act), focusRadius: 12)
        }
    }

    private func addMore(_ canvas: inout Canvas, _ group: String, _ count: Int, _ rect: Rect) {
        let id = ControlID(.notifications, "group/\(group.replacing("\n", with: "/"))/more")
        let text: Text = count == 0 ? .message(.showLess) : .message(.noticesMore, ["\(count)"])
        let button = Rect(rect.center.x - scaled(80), rect.y, scaled(160), rect.height)
        canvas.press(id, button, radius: 14)
        canvas.text(id, text, .callout, .accent, button, .center)
        canvas.control(id, .button, text, button, press: .notice(.unfold(group: group)), focusRadius: 14)
    }

    // MARK: Settings of an app

    private struct SettingRow {
        var id: String
        var text: Message
        var choice: NoticeChoice
        var isOn: Bool
        /// One of several, or a switch.
        var isChoice: Bool
    }

    private var settingHeight: Double { max(touch, line(.body) + 16) }

    private func settingsLength(_ group: String) -> Double {
        settingSections(group).reduce(0) { $0 + ($1.title == nil ? 0 : line(.caption) + 8) + Double($1.rows.count) * settingHeight + 8 }
    }

    private func settingSections(_ group: String) -> [(title: Message?, rows: [SettingRow])] {
        let choices = notices.choices
        return [
            (
                nil,
                [
                    .init(
                        id: "banners", text: .mannerBanners, choice: .manner(.banners), isOn: choices.manner(of: group) == .banners,
                        isChoice: true),
                    .init(
                        id: "quietly", text: .mannerQuietly, choice: .manner(.quietly), isOn: choices.manner(of: group) == .quietly,
                        isChoice: true),
                    .init(
                        id: "summary", text: .mannerSummary, choice: .manner(.summary), isOn: choices.manner(of: group) == .summary,
                        isChoice: true),
                    .init(id: "off", text: .mannerOff, choice: .manner(.off), isOn: choices.manner(of: group) == .off, isChoice: true),
                ]
            ),
            (
                nil,
                [
                    .init(
                        id: "sounds", text: .noticeSounds, choice: .sounds(!choices.sounds(of: group)), isOn: choices.sounds(of: group),
                        isChoice: false),
                    .init(
                        id: "badge", text: .noticeBadges, choice: .badge(!choices.badge(of: group)), isOn: choices.badge(of: group),
                        isChoice: false),
                ]
            ),
            (
                .noticeOnLock,
                NoticeOnLock.allCases.map {
                    let text: Message =
                        switch $0 {
                        case .content: .lockContent
                        case .count: .lockCount
                        case .nothing: .lockNothing
                        }
                    return .init(
                        id: "lock-\($0.rawValue)", text: text, choice: .onLock($0), isOn: choices.onLock(of: group) == $0, isChoice: true)
                }
            ),
        ]
    }

    private func addNoticeSettings(_ canvas: inout Canvas, _ group: String, _ presence: Double) {
        let choices = notices.choices, sections = settingSections(group), plan = plan(settingsLength(group)), panel = plan.panel,
            row = settingHeight
        canvas.shift = Vector(0, (presence - 1) * panelWay(panel.height))
        ground(&canvas, "notifications", .panel, settingsText(group, .noticeSettings), panel, radius: 24)
        let back = Rect(panel.x + 12, panel.y + 16, touch, touch)
        canvas.press("notifications/back", back, radius: 22)
        canvas.symbol("notifications/back", .chevronBack, .primary, in: back, side: 20)
        canvas.control(
            "notifications/back", .button, .message(.notifications), back, press: .notice(.settings(group: nil)), focusRadius: 22)
        canvas.text(
            "notifications/title", settingsText(group, nil), .title, .primary,
            Rect(back.maxX + 8, back.center.y - line(.title) / 2, panel.maxX - back.maxX - 32, line(.title)))
        var y = plan.window.y - interface.notices.scroll.value(at: now)
        if !interface.notices.isWhole { canvas.window = canvas.placed(plan.window) }
        for section in sections {
            if let title = section.title {
                canvas.text(
                    ControlID(.notifications, "setting/\(title.rawValue)"), .message(title), .caption, .secondary,
                    Rect(panel.x + 28, y + 4, panel.width - 56, line(.caption)))
                y += line(.caption) + 8
            }
            let box = Rect(panel.x + Views.margin, y, panel.width - 2 * Views.margin, Double(section.rows.count) * row)
            canvas.fill(ControlID(.notifications, "setting/box/\(section.rows[0].id)"), .control, box, radius: 14)
            for (index, setting) in section.rows.enumerated() {
                let rect = Rect(box.x, y, box.width, row), id = ControlID(.notifications, "setting/\(setting.id)")
                let isFixed = choices.isFixed(setting.choice, of: group)
                if index > 0 { canvas.fill(id, part: 9, .separator, Rect(rect.x + 16, rect.y, rect.width - 16, 1)) }
                canvas.press(id, rect, radius: 14)
                canvas.text(
                    id, .message(setting.text), .body, isFixed ? .secondary : .primary,
                    Rect(rect.x + 16, rect.y, rect.width - (setting.isChoice ? 64 : canvas.toggleRoom + 20), row), .leadingMiddle)
                if !setting.isChoice {
                    canvas.toggle(id, isOn: setting.isOn, isFixed: isFixed, in: Rect(rect.x, rect.y, rect.width - 4, row))
                }
                if setting.isChoice, setting.isOn {
                    canvas.symbol(id, .check, isFixed ? .secondary : .accent, in: Rect(rect.maxX - 44, rect.y, 28, row), side: 20)
                }
                canvas.control(
                    id, setting.isChoice ? .button : .toggle, .message(setting.text), rect,
                    press: isFixed ? nil : .notice(.choose(app: group, what: setting.choice)), chosen: setting.isOn, focusRadius: 14)
                y += row
            }
            y += 8
        }
        canvas.window = nil
    }

    /// The name of a group, or a message about it.
    private func settingsText(_ group: String, _ message: Message?) -> Text {
        if let newest = notices.newest(of: group) { return message.map { text($0, about: newest) } ?? appText(of: newest) }
        if group == NoticeContent.namelessGroup { return message.map { .about($0, .someProgram) } ?? .message(.someProgram) }
        let name = workspace.app(group)?.name ?? (group.hasPrefix("?") ? String(group.dropFirst()) : group)
        return message.map { .message($0, [name]) } ?? .verbatim(name)
    }
}

extension Views {
    /// Whether a control of the notifications scrolls with the list.
    func isRowOfNotices(_ id: ControlID) -> Bool { ["item/", "group/", "setting/"].contains(where: id.path.hasPrefix) }
}
