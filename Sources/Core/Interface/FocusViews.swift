import Geometry
import Notices
import Stage
import Windows

/// Do Not Disturb and the focuses, in the control centre and at the head of the list (S-07).
extension Views {
    private var hasFocuses: Bool { !notices.choices.focuses.isEmpty }

    /// Opens the page with Do Not Disturb and the focuses.
    var focusTile: ControlTile {
        let focus = notices.focus(at: now), isQuiet = notices.choices.isQuiet
        let text: Text = isQuiet ? .message(.doNotDisturb) : focus.map(name(of:)) ?? .message(hasFocuses ? .focus : .doNotDisturb)
        return ControlTile(
            id: "do-not-disturb", symbol: .moon, text: text, spoken: focus.map(isOnText), action: .controlPage(.focus),
            isOn: isQuiet || focus != nil,
            isButton: true)
    }

    func addFocusPage(_ canvas: inout Canvas, _ presence: Double) {
        let focus = notices.focus(at: now), choices = notices.choices, all = choices.focuses
        let canAdd = !choices.freeFocusNames.isEmpty, own = canAdd ? 2 : 1
        // The file's are not changed here, and the page says so.
        let note = all.contains { choices.isFixed(focus: $0.name) } ? line(.caption) + 10 : 0
        let most = max(own + 2, Int(clamping: (room.height - 32 - pageHead - 12 - note) / touch))
        let part = partOfPage(all.count, most: most - own), shown = all[part.rows],
            rows = Double(shown.count + own + (part.hasMore ? 1 : 0))
        let row = max(
            touch, min(rowHeight, ((room.height - 32 - pageHead - 12 - note) / Double(min(most, all.count + own))).rounded(.down)))
        let place = addPage(&canvas, .focus, rows: rows * row + note, presence)
        func rect(_ index: Int, _ width: Double) -> Rect { Rect(place.x, place.y + Double(index) * row, width, row) }
        addChoice(
            &canvas, ControlID(.controlCentre, "focus"),
            SoundChoice(
                id: "focus", symbol: .moon, text: .message(.doNotDisturb), action: .notice(.quiet(nil)), isChosen: choices.isQuiet),
            rect(0, place.width - touch - 4))
        for (index, one) in shown.enumerated() {
            let isOn = one.name == focus?.name, id = ControlID(.controlCentre, "focus/\(one.name)"), rect = rect(index + 1, place.width)
            addChoice(
                &canvas, id,
                SoundChoice(
                    id: "focus/\(one.name)", symbol: .bellMuted, text: name(of: one), action: .notice(.focus(isOn ? nil : one.name)),
                    isChosen: isOn),
                Rect(rect.x, rect.y, rect.width - touch - 4, row))
            let edit = Rect(rect.maxX - touch, rect.center.y - touch / 2, touch, touch), part = id.part("edit")
            guard !choices.isFixed(focus: one.name) else {
                canvas.symbol(part, .lock, .secondary, in: edit, side: 16)
                continue
            }
            canvas.press(part, edit, radius: 12)
            canvas.symbol(part, .chevronForward, .secondary, in: edit, side: 16)
            canvas.control(part, .button, .message(.focusSettings), edit, press: .notice(.editFocus(one.name)))
        }
        if part.hasMore {
            let id: ControlID = "control-centre/focus/more-apps", rect = rect(shown.count + 1, place.width)
            canvas.press(id, rect, radius: 12)
            canvas.text(id, .message(.moreApps), .body, .accent, Rect(rect.x + 52, rect.y, rect.width - 60, row))
            canvas.control(id, .button, .message(.moreApps), rect.inset(by: 1), press: .notice(.moreFocusApps), target: rect)
        }
        if canAdd {
            let id = ControlID(.controlCentre, "new-focus"), rect = rect(shown.count + (part.hasMore ? 2 : 1), place.width)
            canvas.press(id, rect, radius: 12)
            canvas.symbol(id, .add, .accent, in: Rect(rect.x + 6, rect.y, 36, row), side: 20)
            canvas.text(id, .message(.newFocus), .body, .accent, Rect(rect.x + 52, rect.y, rect.width - 60, row))
            canvas.control(id, .button, .message(.newFocus), rect.inset(by: 1), press: .controlPage(.newFocus), target: rect)
        }
        guard note > 0 else { return }
        let text = Rect(place.x, place.maxY - note, place.width, note)
        canvas.text("control-centre/fixed", .message(.setInFile), .caption, .secondary, text, .center)
        canvas.control("control-centre/fixed", .label, .message(.setInFile), text, focusable: false)
    }

    /// In the list: which focus holds, and a button that ends it.
    func addFocusRow(_ canvas: inout Canvas, _ focus: NoticeFocus, _ rect: Rect) {
        let id: ControlID = "notifications/focus", text = isOnText(focus)
        canvas.fill(id, .control, rect, radius: 14)
        canvas.press(id, rect, radius: 14)
        canvas.symbol(id, .moon, .accent, in: Rect(rect.x + 8, rect.y, 36, rect.height), side: 18)
        canvas.text(id, text, .callout, .primary, Rect(rect.x + 48, rect.y, rect.width - 96, rect.height), .leadingMiddle)
        canvas.symbol(id, part: 5, .clear, .secondary, in: Rect(rect.maxX - 44, rect.y, 36, rect.height), side: 18)
        canvas.control(id, .toggle, text, rect, press: .notice(.focus(nil)), chosen: true, focusRadius: 14)
    }
}
