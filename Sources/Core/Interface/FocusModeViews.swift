import Geometry
import Notices
import Stage
import Windows

/// The focus that a person looks at in the control centre.
public struct EditedFocus: Hashable, Codable, Sendable {
    public var name: String
    /// The names that its page of people offers.
    public var people: [String] = []

    public init(_ name: String) { self.name = name }
}

/// The pages of the control centre on which a person makes and changes a focus (S-07).
extension Views {
    private struct Row {
        var id: String
        var text: Text
        var value: Text?
        /// nil: it is no switch.
        var isOn: Bool?
        var action: Action?
        var tone = Tone.primary
        /// It leads to another page.
        var leads = false
        var icon: AppIcon?
    }

    /// How a focus is called: those of the file by their own names, those of a person in the person's language.
    func name(of focus: NoticeFocus) -> Text {
        guard !notices.choices.isFixed(focus: focus.name), let name = FocusName(rawValue: focus.name) else { return .verbatim(focus.name) }
        return .message(message(of: name))
    }

    /// "Work Is On".
    func isOnText(_ focus: NoticeFocus) -> Text {
        if case .message(let name, _) = name(of: focus) { .about(.focusOn, name) } else { .message(.focusOn, [focus.name]) }
    }

    private func message(of name: FocusName) -> Message {
        switch name {
        case .work: .focusWork
        case .personal: .focusPersonal
        case .sleep: .focusSleep
        case .reading: .focusReading
        case .study: .focusStudy
        case .fitness: .focusFitness
        case .driving: .focusDriving
        case .gaming: .focusGaming
        }
    }

    private static let days: [Message] = [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday]

    private static func clock(minute: Int) -> String { (minute < 600 ? "0" : "") + clock(Double(minute)) }

    private func text(of time: FocusTime) -> Text { .verbatim("\(Views.clock(minute: time.from))–\(Views.clock(minute: time.to))") }

    private var editedFocus: NoticeFocus? {
        interface.editedFocus.flatMap { edited in notices.choices.focuses.first { $0.name == edited.name } }.flatMap {
            notices.choices.isFixed(focus: $0.name) ? nil : $0
        }
    }

    /// The pages below that of all focuses. That one comes in place of a page about a focus that is gone.
    func addFocusPages(_ canvas: inout Canvas, _ page: ControlPage, _ presence: Double) {
        guard page != .focus else { return addFocusPage(&canvas, presence) }
        if page == .newFocus { return addNewFocusPage(&canvas, presence) }
        guard let focus = editedFocus else { return addFocusPage(&canvas, presence) }
        switch page {
        case .focusApps: addFocusApps(&canvas, focus, presence)
        case .focusPeople: addFocusPeople(&canvas, focus, presence)
        case .focusTimes: addFocusTimes(&canvas, focus, presence)
        default: addFocusMode(&canvas, focus, presence)
        }
    }

    private func addNewFocusPage(_ canvas: inout Canvas, _ presence: Double) {
        let names = notices.choices.freeFocusNames
        add(
            &canvas, .message(.newFocus),
            names.map { name in
                Row(id: "new-focus/\(name.rawValue)", text: .message(message(of: name)), action: .notice(.newFocus(name)))
            }, presence)
    }

    private func addFocusMode(_ canvas: inout Canvas, _ focus: NoticeFocus, _ presence: Double) {
        let isOn = notices.focus(at: now)?.name == focus.name, time = focus.times.first
        add(
            &canvas, name(of: focus),
            [
                Row(id: "focus/on", text: .message(.focusIsOn), isOn: isOn, action: .notice(.focus(isOn ? nil : focus.name))),
                Row(
                    id: "focus/apps", text: .message(.focusApps), value: .verbatim("\(focus.apps.count)"), action: .controlPage(.focusApps),
                    leads: true),
                Row(
                    id: "focus/people", text: .message(.focusPeople), value: .verbatim("\(focus.people.count)"),
                    action: .controlPage(.focusPeople), leads: true),
                Row(
                    id: "focus/times", text: .message(.focusTimes), value: time.map(text(of:)) ?? .message(.mannerOff),
                    action: .controlPage(.focusTimes),
                    leads: true),
                Row(
                    id: "focus/urgent", text: .message(.focusUrgent), isOn: focus.letsUrgentThrough,
                    action: .notice(.setFocus(focus: focus.name, what: .urgent(!focus.letsUrgentThrough)))),
                Row(id: "focus/delete", text: .message(.focusDelete), action: .notice(.deleteFocus(focus.name)), tone: .destructive),
            ], presence)
    }

    private func addFocusApps(_ canvas: inout Canvas, _ focus: NoticeFocus, _ presence: Double) {
        // By their names, so that nothing moves under the finger.
        add(
            &canvas, .message(.focusApps),
            workspace.apps.map { app in
                let comes = focus.apps.contains(app.id)
                return Row(
                    id: "focus-app/\(app.id)", text: .verbatim(app.name), isOn: comes,
                    action: .notice(.setFocus(focus: focus.name, what: .app(id: app.id, comes: !comes))),
                    icon: AppIcon(name: app.icon, title: app.name))
            }, presence)
    }

    private func addFocusPeople(_ canvas: inout Canvas, _ focus: NoticeFocus, _ presence: Double) {
        let offered = interface.editedFocus?.people ?? [], known = Set(offered.map { $0.lowercased() })
        let people = offered + focus.people.filter { !known.contains($0.lowercased()) }
        guard !people.isEmpty else {
            let height = max(rowHeight, 2 * line(.callout) + 16), place = addPage(&canvas, .message(.focusPeople), rows: height, presence)
            let rect = Rect(place.x + 8, place.y, place.width - 16, height)
            canvas.text("control-centre/nobody", .message(.focusNobody), .callout, .secondary, rect, .center, lines: 2)
            return canvas.control("control-centre/nobody", .label, .message(.focusNobody), rect, focusable: false)
        }
        add(
            &canvas, .message(.focusPeople),
            people.map { name in
                let comes = focus.lets(person: name)
                return Row(
                    id: "focus-person/\(name)", text: .verbatim(name), isOn: comes,
                    action: .notice(.setFocus(focus: focus.name, what: .person(name: name, comes: !comes))))
            }, presence)
    }

    private func addFocusTimes(_ canvas: inout Canvas, _ focus: NoticeFocus, _ presence: Double) {
        let time = focus.times.first
        func sets(_ time: FocusTime?) -> Action { .notice(.setFocus(focus: focus.name, what: .time(time))) }
        let usual = FocusName(rawValue: focus.name)?.usualTime ?? FocusName.personal.usualTime
        let toggle = Row(id: "focus/at-times", text: .message(.focusTimes), isOn: time != nil, action: sets(time == nil ? usual : nil))
        guard let time else { return add(&canvas, .message(.focusTimes), [toggle], presence) }
        let row = rowOnPage(of: 4), place = addPage(&canvas, .message(.focusTimes), rows: 4 * row, presence)
        add(&canvas, toggle, Rect(place.x, place.y, place.width, row))
        let ends: [(id: String, text: Message, minute: Int, move: (Int) -> FocusTime)] = [
            ("focus/from", .focusFrom, time.from, { time.moved(from: $0) }), ("focus/to", .focusTo, time.to, { time.moved(to: $0) }),
        ]
        for (index, end) in ends.enumerated() {
            let rect = Rect(place.x, place.y + Double(index + 1) * row, place.width, row), id = ControlID(.controlCentre, end.id)
            let value = Views.clock(minute: end.minute), width = min(scaled(64), 92)
            canvas.text(
                id, .message(end.text), .body, .primary, Rect(rect.x + 8, rect.y, rect.width - 2 * touch - 24 - width, row), .leadingMiddle)
            canvas.text(id, part: 5, .verbatim(value), .body, .secondary, Rect(rect.maxX - touch - 4 - width, rect.y, width, row), .center)
            canvas.control(
                id, .label, .detailed(end.text, value), Rect(rect.x + 8, rect.y, rect.width - 2 * touch - 24 - width, row), focusable: false
            )
            for (step, symbol, name, x) in [
                (-30, Symbol.minimize, Message.timeEarlier, rect.maxX - 2 * touch - 8 - width),
                (30, .add, .timeLater, rect.maxX - touch - 4),
            ] {
                let part = id.part(step < 0 ? "earlier" : "later"), button = Rect(x, rect.center.y - touch / 2, touch, touch)
                canvas.fill(part, .control, button.inset(by: 4), radius: touch / 2 - 4)
                canvas.press(part, button.inset(by: 4), radius: touch / 2 - 4)
                canvas.symbol(part, symbol, .primary, in: button, side: 18)
                canvas.control(part, .button, .detailed(name, value), button, press: sets(end.move(step)), focusRadius: 18)
            }
        }
        let days = Rect(place.x, place.y + 3 * row, place.width, row), cell = (days.width / 7).rounded(.down)
        for (day, message) in Views.days.enumerated() {
            let id = ControlID(.controlCentre, "focus/day/\(day)"), isOn = time.allDays.contains(day)
            let rect = Rect(days.x + Double(day) * cell, days.center.y - touch / 2, cell, touch),
                circle = Rect(center: rect.center, size: Size(min(cell, 44) - 2, 40))
            canvas.fill(id, isOn ? .accent : .control, circle, radius: 14)
            canvas.press(id, circle, radius: 14)
            canvas.text(id, .message(message), .caption, isOn ? .onAccent : .primary, circle, .center)
            canvas.control(id, .toggle, .message(message), rect, press: time.toggling(day).map { sets($0) }, chosen: isOn, focusRadius: 14)
        }
    }

    // MARK: Rows

    /// Rows that fit on a page.
    private var mostRows: Int { max(2, Int(clamping: (room.height - 32 - pageHead - 12) / touch)) }

    func rowOnPage(of count: Int) -> Double {
        max(touch, min(rowHeight, ((room.height - 32 - pageHead - 12) / Double(max(1, count))).rounded(.down)))
    }

    /// The part of so many rows that a page shows; all parts have one length. `hasMore`: a row below them leads to the next part.
    func partOfPage(_ count: Int, most: Int) -> (rows: Range<Int>, hasMore: Bool) {
        guard count > most else { return (0..<count, false) }
        let length = max(1, most - 1), first = interface.controlPart % ((count + length - 1) / length) * length
        return (first..<min(count, first + length), true)
    }

    private func add(_ canvas: inout Canvas, _ title: Text, _ rows: [Row], _ presence: Double) {
        let part = partOfPage(rows.count, most: mostRows)
        var shown = Array(rows[part.rows])
        if part.hasMore {
            shown.append(Row(id: "focus/more-apps", text: .message(.moreApps), action: .notice(.moreFocusApps), tone: .accent))
        }
        let height = rowOnPage(of: min(rows.count, mostRows))
        let place = addPage(&canvas, title, rows: Double(shown.count) * height, presence)
        for (index, row) in shown.enumerated() { add(&canvas, row, Rect(place.x, place.y + Double(index) * height, place.width, height)) }
    }

    /// A box that surely holds the value of a row: a short one leaves the room to the words beside it.
    private func valueWidth(_ text: Text) -> Double {
        let ems = text.nameWidth ?? 4
        return (ems * scaled(TextStyle.body.size)).rounded(.up) + 8
    }

    private func add(_ canvas: inout Canvas, _ row: Row, _ rect: Rect) {
        let id = ControlID(.controlCentre, row.id), left = row.icon == nil ? 8.0 : 52
        let value = row.value.map { min(scaled(120), rect.width * 0.4, valueWidth($0)) } ?? 0
        let end = row.isOn == nil ? (row.leads ? 40.0 : 8) : canvas.toggleRoom
        canvas.press(id, rect, radius: 12)
        if let icon = row.icon { canvas.icon(id, icon, Rect(rect.x + 6, rect.center.y - 16, 32, 32)) }
        canvas.text(
            id, row.text, .body, row.tone, Rect(rect.x + left, rect.y, rect.width - left - end - value, rect.height), .leadingMiddle,
            lines: 2)
        if let text = row.value {
            canvas.text(id, part: 5, text, .body, .secondary, Rect(rect.maxX - 40 - value, rect.y, value, rect.height), .trailing)
        }
        if let isOn = row.isOn { canvas.toggle(id, isOn: isOn, in: rect) }
        if row.leads {
            canvas.symbol(id, part: 6, .chevronForward, .secondary, in: Rect(rect.maxX - 36, rect.y, 28, rect.height), side: 16)
        }
        canvas.control(
            id, row.isOn == nil ? .button : .toggle, row.text, rect.inset(by: 1), press: row.action, target: rect,
            chosen: row.isOn ?? false, focusRadius: 12)
    }
}
