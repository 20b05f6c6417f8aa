import Geometry
import Lifecycle
import Stage
import Status
import Windows

/// Alerts: something that a person has to know or decide.
extension Views {
    /// A button of an alert. Return presses the first one.
    struct AlertButton {
        var id: ControlID
        var text: Message
        var action: Action
        var isDestructive = false
    }

    var alertWidth: Double { min(room.width - 32, scaled(320)) }
    var alertButton: Double { max(44, line(.body) + 20) }

    /// Lines for the shell's own texts: more if large text has little room.
    func alertLines(_ lines: Double) -> Int { Int(clamping: (lines * scaled(320) / alertWidth).rounded(.up)) }

    /// One line for a title that fits on it: a second one that stays empty looks like a mistake.
    func titleLines(_ title: Text, atMost lines: Int) -> Int {
        guard let width = title.titleWidth else { return lines }
        return width * line(.headline) * TextStyle.headline.size / TextStyle.headline.lineHeight <= alertWidth - 40 ? 1 : lines
    }

    private func alertHeight(_ body: Double, titleLines: Int, buttons: Int) -> Double {
        24 + line(.headline) * Double(titleLines) + 8 + body + 16 + Double(buttons) * (alertButton + 8) - 8 + 12
    }

    func addAlert(_ canvas: inout Canvas, _ title: Text, _ message: Text) {
        let ok = AlertButton(id: "alert/ok", text: .ok, action: .dismiss)
        addQuestion(&canvas, .alert, title, titleLines: titleLines(title, atMost: 2), message, lines: messageLines(message), [ok])
    }

    /// Asks whether to restore the windows of the last session, after the shell crashed several times (W-20).
    func addWindowsAside(_ canvas: inout Canvas, _ count: Int) {
        let message = Text.message(.windowsAsideMessage, ["\(count)"]), title = Text.message(.windowsAsideTitle)
        addQuestion(
            &canvas, .windowsAside, title, titleLines: alertLines(1), message, lines: alertLines(2),
            [
                AlertButton(id: ControlID(.windowsAside, "back"), text: .bringWindowsBack, action: .bringWindowsBack),
                AlertButton(id: ControlID(.windowsAside, "clean"), text: .startClean, action: .startClean),
            ])
    }

    /// Asks whether to end an app that does not answer after a person closed its window (M-10).
    func addUnresponsive(_ canvas: inout Canvas, _ window: WindowID, _ name: String) {
        let message = Text.message(.notRespondingMessage), title = Text.message(.notResponding, [name])
        addQuestion(
            &canvas, .unresponsive, title, titleLines: titleLines(title, atMost: alertLines(2)), message, lines: alertLines(2),
            [
                AlertButton(id: ControlID(.unresponsive, "wait"), text: .wait, action: .dismiss),
                AlertButton(
                    id: ControlID(.unresponsive, "close"), text: .closeAnyway, action: .endApp(window: window), isDestructive: true),
            ])
    }

    /// Asks about an app that ends again and again on its own state (S-04).
    func addCrashing(_ canvas: inout Canvas, _ app: String, _ name: String) {
        let message = Text.message(.crashingMessage), title = Text.message(.crashing, [name])
        addQuestion(
            &canvas, .crashing, title, titleLines: titleLines(title, atMost: alertLines(2)), message, lines: alertLines(3),
            [
                AlertButton(id: ControlID(.crashing, "without"), text: .openWithoutState, action: .openWithoutState(app: app)),
                AlertButton(id: ControlID(.crashing, "again"), text: .tryAgain, action: .openApp(app: app)),
                AlertButton(id: ControlID(.crashing, "later"), text: .notNow, action: .dismiss),
            ])
    }

    /// Asks whether an app may know where the device is.
    func addLocation(_ canvas: inout Canvas, _ app: String) {
        let name = source(of: SensorUse.Program(id: app)).name
        let title = Text.message(.locationAsked, [name]), message = Text.message(.locationAskedMessage)
        addQuestion(
            &canvas, .location, title, titleLines: titleLines(title, atMost: alertLines(2)), message, lines: alertLines(2),
            [
                AlertButton(id: ControlID(.location, "allow"), text: .allow, action: .device(.location(.allow(app: app, true)))),
                AlertButton(id: ControlID(.location, "refuse"), text: .dontAllow, action: .device(.location(.allow(app: app, false)))),
            ])
    }

    /// Asks whether to delete what is kept for an app.
    func addForgetKept(_ canvas: inout Canvas, _ app: String) {
        let title = Text.message(.forgetKept, [source(of: SensorUse.Program(id: app)).name]), message = Text.message(.forgetKeptMessage)
        addQuestion(
            &canvas, .forgetKept, title, titleLines: titleLines(title, atMost: alertLines(2)), message, lines: alertLines(3),
            [
                AlertButton(id: ControlID(.forgetKept, "cancel"), text: .cancel, action: .dismiss),
                AlertButton(
                    id: ControlID(.forgetKept, "delete"), text: .deleteKept, action: .device(.kept(.delete(app: app))), isDestructive: true),
            ])
    }

    func addQuestion(
        _ canvas: inout Canvas, _ area: ControlID.Area, _ title: Text, titleLines: Int, _ message: Text, lines: Int,
        _ buttons: [AlertButton]
    ) {
        let height = line(.callout) * Double(lines)
        let body = addAlertGround(&canvas, area, title, titleLines: titleLines, body: height, buttons)
        let rect = Rect(body.x, body.y, body.width, height), id = ControlID(area, "message")
        canvas.text(id, message, .callout, .secondary, rect, .center, lines: lines)
        canvas.control(id, .label, message, rect, focusable: false)
    }

    /// Adds background, title and buttons. Returns the area for the body.
    private func addAlertGround(
        _ canvas: inout Canvas, _ area: ControlID.Area, _ title: Text, titleLines: Int, body: Double, _ buttons: [AlertButton]
    ) -> Rect {
        canvas.shift = .zero
        canvas.fill(ControlID(area, "scrim"), .scrim, screen.bounds)
        let width = alertWidth, height = alertHeight(body, titleLines: titleLines, buttons: buttons.count)
        let panel = Rect((room.center.x - width / 2).rounded(), (room.center.y - height / 2).rounded(), width, height)
        ground(&canvas, ControlID(area), .alert, title, panel, radius: 18)
        let head = Rect(panel.x + 20, panel.y + 20, width - 40, line(.headline) * Double(titleLines))
        canvas.text(ControlID(area, "title"), title, .headline, .primary, head, .center, lines: titleLines)
        for (index, button) in buttons.enumerated() {
            let above = Double(buttons.count - 1 - index) * (alertButton + 8)
            let rect = Rect(panel.x + 12, panel.maxY - 12 - alertButton - above, width - 24, alertButton)
            canvas.fill(button.id, index == 0 ? .accent : .control, rect, radius: 12)
            canvas.press(button.id, rect, radius: 12)
            let tone: Tone = index == 0 ? .onAccent : button.isDestructive ? .destructive : .primary
            canvas.text(button.id, .message(button.text), .headline, tone, rect, .center)
            canvas.control(button.id, .button, .message(button.text), rect, press: button.action)
        }
        return Rect(panel.x + 20, head.maxY + 8, width - 40, body)
    }

    /// The shell's own messages are short. Messages of programs or the system may be long.
    private func messageLines(_ text: Text) -> Int {
        switch text {
        case .verbatim(let words): max(1, min(5, (words.count + 37) / 38))
        case .message(.endedWithStatusSaying, let parts), .message(.endedBySignalSaying, let parts):
            max(2, min(6, ((parts.last?.count ?? 0) + 44 + 37) / 38))
        case .message(.notKeptFull, _), .message(.notKeptUnusable, _), .message(.notKeptNewer, _): alertLines(4)
        case .message(.fileLastGood, let parts), .message(.fileRest, let parts), .message(.fileStandard, let parts):
            // A line of its own for the version in effect, and 38 letters of the reason in each further one.
            alertLines(max(2, (1.1 + Double(parts.first?.count ?? 0) / 38).rounded(.up)))
        default: 2
        }
    }

    // MARK: Logging out

    /// Shows which apps object to the end of the session, and lets a person end it anyway.
    func addLogOut(_ canvas: inout Canvas, _ objections: [Interface.Objection], _ end: MachineEnd?) {
        addApps(
            &canvas, objections, .message(.logOutTitle), .message(.logOutMessage),
            [
                AlertButton(id: ControlID(.logOut, "cancel"), text: .cancel, action: .dismiss),
                AlertButton(id: ControlID(.logOut, "anyway"), text: end?.anyway ?? .logOutAnyway, action: .quitAnyway, isDestructive: true),
            ])
    }

    /// Shows which apps are still open while the session ends, and how long it takes.
    func addSessionEnds(_ canvas: inout Canvas, _ apps: [Interface.Objection], _ seconds: Int, turnsOff: Bool) {
        let message = Text.message(turnsOff ? .turnsOffMessage : .sessionEndsMessage, ["\(seconds)"])
        addApps(
            &canvas, apps, .message(turnsOff ? .turnsOffTitle : .sessionEndsTitle), message,
            [
                AlertButton(id: ControlID(.logOut, "ok"), text: .ok, action: .dismiss),
                AlertButton(id: ControlID(.logOut, "now"), text: .endNow, action: .quitAnyway, isDestructive: true),
            ])
    }

    /// An alert that names apps. A press on one goes to its window.
    private func addApps(
        _ canvas: inout Canvas, _ objections: [Interface.Objection], _ heading: Text, _ explanation: Text, _ buttons: [AlertButton]
    ) {
        let title = alertLines(1), lines = alertLines(1.6)
        let more = line(.callout) + 8, heights = objections.map(rowHeight)
        func free(_ message: Double) -> Double {
            room.height - 32 - alertHeight(message, titleLines: title, buttons: buttons.count) - (objections.count > 1 ? more : 0)
        }
        // If large text leaves too little room, the names of the apps take precedence over the explanation.
        var message = line(.callout) * Double(lines) + 8
        if free(message) < heights.first ?? 0 { message = 0 }
        var shown = 0, rows = 0.0
        while shown < min(4, objections.count), shown == 0 || rows + heights[shown] <= free(message) {
            rows += heights[shown]
            shown += 1
        }
        let others = objections.count - shown
        let body = addAlertGround(
            &canvas, .logOut, heading, titleLines: title, body: message + rows + (others > 0 ? more : 0), buttons)
        let left = body.x, width = body.width
        var y = body.y + message
        if message > 0 {
            let text = Rect(left, body.y, width, message - 8)
            canvas.text(ControlID(.logOut, "message"), explanation, .callout, .secondary, text, .center, lines: lines)
            canvas.control(ControlID(.logOut, "message"), .label, explanation, text, focusable: false)
        }
        for (index, objection) in objections.prefix(shown).enumerated() {
            let id = ControlID(.logOut, "app/\(index)"), row = heights[index], icon = Views.objectionIcon
            canvas.icon(id, objection.icon, Rect(left, y + ((row - icon) / 2).rounded(), icon, icon), size: icon)
            let lines = reasonLines(objection.reason), text = line(.body) + line(.callout) * Double(lines)
            let name = Rect(left + icon + 12, y + ((row - text) / 2).rounded(), width - icon - 12, line(.body))
            let reason = Rect(name.x, name.maxY, name.width, text - name.height)
            canvas.text(id, part: 2, .verbatim(objection.name), .body, .primary, name)
            canvas.text(id, part: 5, objection.reason, .callout, .secondary, reason, lines: lines)
            if let window = objection.window {
                let whole = Rect(left - 8, y + 2, width + 16, row - 4)
                canvas.press(id, whole, radius: 10)
                canvas.control(id, .button, .verbatim(objection.name), whole, press: .focus(window: window))
            } else {
                canvas.control(id, .label, .verbatim(objection.name), name, focusable: false)
            }
            canvas.control(id.part("reason"), .label, objection.reason, reason, focusable: false)
            y += row
        }
        guard others > 0 else { return }
        let rest = Rect(left, y + 4, width, line(.callout)), id = ControlID(.logOut, "others")
        canvas.text(id, .message(.logOutOthers, ["\(others)"]), .callout, .secondary, rest, .center)
        canvas.control(id, .label, .message(.logOutOthers, ["\(others)"]), rest, focusable: false)
    }

    private static let objectionIcon = 36.0

    private func rowHeight(_ objection: Interface.Objection) -> Double {
        max(Views.objectionIcon + 16, line(.body) + line(.callout) * Double(reasonLines(objection.reason)) + 16)
    }

    /// One line, or two for a long reason. East Asian characters are about twice as wide as letters.
    private func reasonLines(_ reason: Text) -> Int {
        guard case .verbatim(let words) = reason else { return 1 }
        let letters = words.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
        return Double(letters) * line(.callout) * 0.42 > alertWidth - 40 - Views.objectionIcon - 12 ? 2 : 1
    }
}
