import Geometry
import Lifecycle
import Stage
import Windows

/// Alerts: something happened that a person has to know, or to decide.
extension Views {
    /// A button of an alert. The first one is what Return presses.
    private struct AlertButton {
        var id: ControlID
        var text: Message
        var action: Action
        var isDestructive = false
    }

    private var alertWidth: Double { min(room.width - 32, scaled(320)) }
    private var alertButton: Double { max(44, line(.body) + 20) }

    private func alertHeight(_ body: Double, buttons: Int) -> Double {
        24 + line(.headline) * 2 + 8 + body + 16 + Double(buttons) * (alertButton + 8) - 8 + 12
    }

    func addAlert(_ canvas: inout Canvas, _ title: Text, _ message: Text) {
        let ok = AlertButton(id: "alert/ok", text: .ok, action: .dismiss)
        addQuestion(&canvas, .alert, title, message, [ok])
    }

    /// The shell failed several times: do the windows of the last session come back? (W-20)
    func addWindowsAside(_ canvas: inout Canvas, _ count: Int) {
        addQuestion(&canvas, .windowsAside, .message(.windowsAsideTitle), .message(.windowsAsideMessage, ["\(count)"]), [
            AlertButton(id: ControlID(.windowsAside, "back"), text: .bringWindowsBack, action: .bringWindowsBack),
            AlertButton(id: ControlID(.windowsAside, "clean"), text: .startClean, action: .dismiss),
        ])
    }

    private func addQuestion(_ canvas: inout Canvas, _ area: ControlID.Area, _ title: Text, _ message: Text, _ buttons: [AlertButton]) {
        let lines = Double(messageLines(message))
        let panel = addAlertGround(&canvas, area, title, body: line(.callout) * lines, buttons)
        let rect = Rect(panel.x + 20, panel.y + 28 + line(.headline) * 2, panel.width - 40, line(.callout) * lines)
        let id = ControlID(area, "message")
        canvas.text(id, message, .callout, .secondary, rect, .center, lines: Int(lines))
        canvas.control(id, .label, message, rect, focusable: false)
    }

    /// Ground, title and buttons. Returns the panel; the body begins below two lines of the title.
    private func addAlertGround(
        _ canvas: inout Canvas, _ area: ControlID.Area, _ title: Text, body: Double, _ buttons: [AlertButton]
    ) -> Rect {
        canvas.shift = .zero
        canvas.fill(ControlID(area, "scrim"), .scrim, screen.bounds)
        let width = alertWidth, height = alertHeight(body, buttons: buttons.count)
        let panel = Rect((room.center.x - width / 2).rounded(), (room.center.y - height / 2).rounded(), width, height)
        ground(&canvas, ControlID(area), .alert, title, panel, radius: 18)
        let head = Rect(panel.x + 20, panel.y + 20, width - 40, line(.headline) * 2)
        canvas.text(ControlID(area, "title"), title, .headline, .primary, head, .center, lines: 2)
        for (index, button) in buttons.enumerated() {
            let above = Double(buttons.count - 1 - index) * (alertButton + 8)
            let rect = Rect(panel.x + 12, panel.maxY - 12 - alertButton - above, width - 24, alertButton)
            canvas.fill(button.id, index == 0 ? .accent : .control, rect, radius: 12)
            canvas.press(button.id, rect, radius: 12)
            let tone: Tone = index == 0 ? .onAccent : button.isDestructive ? .destructive : .primary
            canvas.text(button.id, .message(button.text), .headline, tone, rect, .center)
            canvas.control(button.id, .button, .message(button.text), rect, press: button.action)
        }
        return panel
    }

    /// The shell's own messages are short. Messages of programs or the system may be long.
    private func messageLines(_ text: Text) -> Int {
        switch text {
        case .verbatim(let words): max(1, min(5, (words.count + 37) / 38))
        case .message(.endedWithStatusSaying, let parts), .message(.endedBySignalSaying, let parts):
            max(2, min(6, ((parts.last?.count ?? 0) + 44 + 37) / 38))
        case .message(.windowsAsideMessage, _): 3
        default: 2
        }
    }

    // MARK: Logging out

    /// Which apps keep the session from its end, and a way on.
    func addLogOut(_ canvas: inout Canvas, _ objections: [Interface.Objection]) {
        let buttons = [
            AlertButton(id: ControlID(.logOut, "cancel"), text: .cancel, action: .dismiss),
            AlertButton(id: ControlID(.logOut, "anyway"), text: .logOutAnyway, action: .quitAnyway, isDestructive: true),
        ]
        let message = line(.callout) * 2
        let row = max(52, line(.body) + line(.callout) * 2 + 16), more = line(.callout) + 8
        let free = room.height - 32 - alertHeight(message + 8, buttons: buttons.count)
        var shown = max(1, min(4, objections.count, Int(free / row)))
        if shown < objections.count { shown = max(1, min(shown, Int((free - more) / row))) }
        let others = objections.count - shown
        let body = message + 8 + Double(shown) * row + (others > 0 ? more : 0)
        let panel = addAlertGround(&canvas, .logOut, .message(.logOutTitle), body: body, buttons)
        let left = panel.x + 20, width = panel.width - 40
        var y = panel.y + 28 + line(.headline) * 2
        let text = Rect(left, y, width, message)
        canvas.text(ControlID(.logOut, "message"), .message(.logOutMessage), .callout, .secondary, text, .center, lines: 2)
        canvas.control(ControlID(.logOut, "message"), .label, .message(.logOutMessage), text, focusable: false)
        y += message + 8
        for (index, objection) in objections.prefix(shown).enumerated() {
            let id = ControlID(.logOut, "app/\(index)"), icon = min(36, row - 16)
            canvas.icon(id, objection.icon, Rect(left, y + ((row - icon) / 2).rounded(), icon, icon), size: icon)
            let name = Rect(left + icon + 12, y + 8, width - icon - 12, line(.body))
            let reason = Rect(name.x, name.maxY, name.width, line(.callout) * 2)
            canvas.text(id, part: 2, .verbatim(objection.name), .body, .primary, name)
            canvas.text(id, part: 5, objection.reason, .callout, .secondary, reason, lines: 2)
            canvas.control(id, .label, .verbatim(objection.name), name, focusable: false)
            canvas.control(id.part("reason"), .label, objection.reason, reason, focusable: false)
            y += row
        }
        guard others > 0 else { return }
        let rest = Rect(left, y, width, line(.callout)), id = ControlID(.logOut, "others")
        canvas.text(id, .message(.logOutOthers, ["\(others)"]), .callout, .secondary, rest, .center)
        canvas.control(id, .label, .message(.logOutOthers, ["\(others)"]), rest, focusable: false)
    }
}
