import Geometry
import Notices
import Stage
import Windows

/// What disturbs less for a while, in the control centre and at the head of the list: Do Not Disturb, and the focuses that the
/// configuration defines (S-07).
extension Views {
    private var hasFocuses: Bool { !notices.choices.focuses.isEmpty }

    /// Switches Do Not Disturb, or opens the page that offers the focuses, too.
    var focusTile: ControlTile {
        let focus = notices.focus(at: now), isQuiet = notices.choices.isQuiet
        let text: Text = isQuiet ? .message(.doNotDisturb) : focus.map { .verbatim($0.name) } ?? .message(hasFocuses ? .focus : .doNotDisturb)
        return ControlTile(
            id: "do-not-disturb", symbol: .moon, text: text,
            spoken: focus.map { .message(.focusOn, [$0.name]) },
            action: hasFocuses ? .controlPage(.focus) : .notice(.quiet(nil)), isOn: isQuiet || focus != nil, isButton: hasFocuses)
    }

    func addFocusPage(_ canvas: inout Canvas, _ presence: Double) {
        let focus = notices.focus(at: now)
        var choices = [SoundChoice(
            id: "focus", symbol: .moon, text: .message(.doNotDisturb), action: .notice(.quiet(nil)), isChosen: notices.choices.isQuiet)]
        for one in notices.choices.focuses {
            let isOn = one.name == focus?.name
            choices.append(SoundChoice(
                id: "focus/\(one.name)", symbol: .bellMuted, text: .verbatim(one.name), action: .notice(.focus(isOn ? nil : one.name)), isChosen: isOn))
        }
        let most = max(1, Int(clamping: (room.height - 32 - pageHead - 12) / 44)), shown = choices.prefix(most)
        let row = max(44, min(rowHeight, ((room.height - 32 - pageHead - 12) / Double(shown.count)).rounded(.down)))
        let place = addPage(&canvas, .focus, rows: Double(shown.count) * row, presence)
        for (index, choice) in shown.enumerated() {
            addChoice(&canvas, ControlID(.controlCentre, choice.id), choice, Rect(place.x, place.y + Double(index) * row, place.width, row))
        }
    }

    /// In the list: which focus holds, and a button that ends it.
    func addFocusRow(_ canvas: inout Canvas, _ focus: NoticeFocus, _ rect: Rect) {
        let id: ControlID = "notifications/focus", text: Text = .message(.focusOn, [focus.name])
        canvas.fill(id, .control, rect, radius: 14)
        canvas.press(id, rect, radius: 14)
        canvas.symbol(id, .moon, .accent, in: Rect(rect.x + 8, rect.y, 36, rect.height), side: 18)
        canvas.text(id, text, .callout, .primary, Rect(rect.x + 48, rect.y, rect.width - 96, rect.height), .leadingMiddle)
        canvas.symbol(id, part: 5, .clear, .secondary, in: Rect(rect.maxX - 44, rect.y, 36, rect.height), side: 18)
        canvas.control(id, .toggle, text, rect, press: .notice(.focus(nil)), chosen: true, focusRadius: 14)
    }
}
