import Geometry
import Stage
import Status
import Windows

/// The alert of a question of a service or a program: who asks, what for, a field or two, and the buttons.
extension Views {
    /// The action of Return; nil: nothing can be sent yet.
    var promptSubmit: Action? {
        guard let prompt = device.prompts.live, !device.prompts.isWorking else { return nil }
        let form = interface.prompt.form
        switch prompt.kind {
        case .waiting: return nil
        case .confirm: return .prompt(.answer)
        case .words: return form.text(of: .promptWords).isEmpty ? nil : .prompt(.answer)
        case .secret(let isNew):
            guard !form.text(of: .promptSecret).isEmpty else { return nil }
            guard isNew, form.text(of: .promptRepeated).isEmpty else { return .prompt(.answer) }
            return form.writing == .promptSecret ? .form(.write(.promptRepeated)) : nil
        }
    }

    /// Whether the answer can be sent as it stands.
    private var canAnswer: Bool { promptSubmit == .prompt(.answer) }

    /// The lines of each part. On a small screen the parts give way in turn.
    private struct PromptPlan {
        var title: Int
        var asker: Int
        var message: Int
        var warning: Int
        var fields: Int
        var rows: Int
        var buttons: Int
        var isSideBySide = false
        var gap = 8.0
    }

    func addPrompt(_ canvas: inout Canvas) {
        guard let prompt = device.prompts.live, case .prompt(device.prompts.liveID)? = interface.popover?.content else { return }
        let title = promptTitle(prompt), warning = promptWarning(prompt), asker = askerText(prompt)
        let width = alertWidth, inner = width - 40
        var plan = PromptPlan(
            title: prompt.title.isEmpty
                ? titleLines(title, atMost: 2) : min(2, Views.lines(prompt.title, .headline, line(.headline), in: inner)),
            asker: lines(ems: askerEms(prompt), .caption, in: inner),
            message: prompt.message.isEmpty ? 0 : min(6, Views.lines(prompt.message, .callout, line(.callout), in: inner)),
            warning: warning.map { warningLines($0.text, in: inner) } ?? 0, fields: prompt.kind.fields.count,
            rows: (prompt.box == nil ? 0 : 1) + (prompt.identities.isEmpty ? 0 : 1), buttons: promptButtons(prompt).count)
        let most = room.height - 16
        let wanted = plan
        func shrink(_ change: (inout PromptPlan) -> Void) { if height(of: plan) > most { change(&plan) } }
        shrink { $0.message = min($0.message, 3) }
        shrink { $0.isSideBySide = $0.buttons == 2 }
        shrink { $0.gap = 4 }
        shrink { $0.message = min($0.message, 2) }
        shrink { $0.asker = min($0.asker, 1) }
        shrink { if prompt.title.isEmpty, $0.message > 0 { $0.title = 0 } }
        shrink { $0.warning = min($0.warning, 1) }
        shrink { $0.message = min($0.message, 1) }
        shrink { if $0.title > 0 { $0.message = 0 } }

        canvas.shift = .zero
        canvas.fill(ControlID(.prompt, "scrim"), .scrim, screen.bounds)
        let tall = height(of: plan)
        let panel = Rect((room.center.x - width / 2).rounded(), max(room.minY, (room.center.y - tall / 2).rounded()), width, tall)
        ground(&canvas, ControlID(.prompt), .alert, title, panel, radius: 18)
        var y = panel.y + 2 * plan.gap + 4
        // Words that got fewer lines than they need are smaller, as far as that can be read.
        func words(_ name: String, _ text: Text, _ style: TextStyle, _ tone: Tone, lines: Int, of needed: Int) {
            guard lines > 0 else { return }
            let shrunk = lines < needed ? max(0.6, Double(lines) / Double(needed)) : 1
            let rect = Rect(panel.x + 20, y, inner, line(style) * Double(lines)), id = ControlID(.prompt, name)
            canvas.text(id, text, style, tone, rect, .center, lines: lines, shrunk: shrunk)
            if name != "title" { canvas.control(id, .label, text, rect, focusable: false) }
            y = rect.maxY + plan.gap / 2
        }
        words("title", title, .headline, .primary, lines: plan.title, of: plan.title)
        words("message", .verbatim(prompt.message), .callout, .secondary, lines: plan.message, of: plan.message)
        words("asker", asker, .caption, .secondary, lines: plan.asker, of: wanted.asker)
        if let warning {
            words(
                "warning", warning.text, .caption, warning.isAlarming ? .destructive : .secondary, lines: plan.warning, of: wanted.warning)
        }
        y += plan.gap / 2
        let left = panel.x + 12, wide = width - 24
        for field in prompt.kind.fields {
            let rect = Rect(left, y, wide, promptRow), id = ControlID(.prompt, field.rawValue)
            canvas.fill(id, part: 12, .control, rect, radius: 12)
            canvas.press(id, rect, radius: 12)
            let name = fieldName(field, prompt)
            addField(&canvas, FormRow(id: field.rawValue, text: name, kind: .field(field, placeholder: name)), field, name, id, rect)
            y = rect.maxY + plan.gap
        }
        addPromptRows(&canvas, prompt, left, wide, &y, plan.gap)
        addPromptButtons(&canvas, promptButtons(prompt), plan, Rect(left, y, wide, panel.maxY - 12 - y))
    }

    private var promptRow: Double { max(44, line(.body) + 16) }

    private func height(of plan: PromptPlan) -> Double {
        func words(_ lines: Int, _ style: TextStyle) -> Double { lines == 0 ? 0 : line(style) * Double(lines) + plan.gap / 2 }
        let buttons = plan.isSideBySide ? min(1, plan.buttons) : plan.buttons
        return 2 * plan.gap + 4 + words(plan.title, .headline) + words(plan.message, .callout) + words(plan.asker, .caption)
            + words(plan.warning, .caption) + plan.gap / 2 + Double(plan.fields + plan.rows) * (promptRow + plan.gap)
            + Double(buttons) * (alertButton + plan.gap) - plan.gap + 12
    }

    // MARK: Words

    private func promptTitle(_ prompt: AgentPrompt) -> Text {
        guard prompt.title.isEmpty else { return .verbatim(prompt.title) }
        switch prompt.source {
        case .authority: return .message(.promptAuthority)
        case .keyring: return .message(.promptKeyring)
        case .program: return .message(.promptProgram)
        }
    }

    private func askerText(_ prompt: AgentPrompt) -> Text {
        switch prompt.asker {
        case .program(let name): .message(.askedBy, [name])
        case .unknown: .message(.askedByUnknown)
        }
    }

    /// How wide the shell's words and the name are, at the most.
    private func askerEms(_ prompt: AgentPrompt) -> Double {
        if case .program(let name) = prompt.asker { 9 + Text.width(of: name) } else { 25 }
    }

    private func lines(ems: Double, _ style: TextStyle, in width: Double) -> Int {
        let em = line(style) * style.size / style.lineHeight
        return min(3, max(1, Int(clamping: (ems * em / width).rounded(.up))))
    }

    private func promptWarning(_ prompt: AgentPrompt) -> (text: Text, isAlarming: Bool)? {
        if device.prompts.differs { return (.message(.promptDiffers), true) }
        if !prompt.warning.isEmpty { return (.verbatim(prompt.warning), prompt.kind != .waiting) }
        if device.prompts.isWorking { return (.message(.promptWorking), false) }
        return prompt.wasWrong ? (.message(.wrongPassword), true) : nil
    }

    private func warningLines(_ text: Text, in width: Double) -> Int {
        if case .verbatim(let words) = text { return min(3, Views.lines(words, .caption, line(.caption), in: width)) }
        return lines(ems: 22, .caption, in: width)
    }

    private func fieldName(_ field: FormField, _ prompt: AgentPrompt) -> Text {
        if field == .promptRepeated { return .message(.promptRepeat) }
        if prompt.label.isEmpty { return .message(.password) }
        // The colon belongs to a prompt in a terminal.
        return .similar(prompt.label.hasSuffix(":") ? String(prompt.label.dropLast()) : prompt.label)
    }

    // MARK: Rows and buttons

    private func addPromptRows(
        _ canvas: inout Canvas, _ prompt: AgentPrompt, _ left: Double, _ width: Double, _ y: inout Double, _ gap: Double
    ) {
        func row(_ name: String, _ role: ViewControl.Role, _ text: Text, press: Action?, isOn: Bool? = nil) {
            let rect = Rect(left, y, width, promptRow), id = ControlID(.prompt, name)
            canvas.fill(id, .control, rect, radius: 12)
            if press != nil { canvas.press(id, rect, radius: 12) }
            let end: Double = isOn != nil ? Canvas.toggleSize.width * max(1, appearance.textScale * textGrowth) + 20 : 36
            canvas.text(
                id, text, .body, .primary, Rect(rect.x + Views.rowPad, rect.y, rect.width - Views.rowPad - end, rect.height), .leadingMiddle
            )
            if let isOn {
                canvas.toggle(id, isOn: isOn, in: Rect(rect.x, rect.y, rect.width - 4, rect.height))
            } else if press != nil {
                canvas.symbol(id, part: 7, .chevronForward, .secondary, in: Rect(rect.maxX - 34, rect.y, 28, rect.height), side: 16)
            }
            canvas.control(id, role, text, rect, press: press, chosen: isOn ?? false, focusable: press != nil)
            y = rect.maxY + gap
        }
        if let box = prompt.box {
            row("box", .toggle, .similar(box.label), press: .prompt(.tick(!box.isTicked)), isOn: box.isTicked)
        }
        if let name = prompt.identities.indices.contains(prompt.identity) ? prompt.identities[prompt.identity] : nil {
            let next = (prompt.identity + 1) % prompt.identities.count
            row(
                "identity", next == prompt.identity ? .label : .button, .message(.promptAs, [name]),
                press: next == prompt.identity ? nil : .prompt(.identity(next)))
        }
    }

    private struct PromptButton {
        var name: String
        var text: Text
        var action: Action?
        var isFirst = false
    }

    private func promptButtons(_ prompt: AgentPrompt) -> [PromptButton] {
        // A label without a sign that can be seen says nothing.
        func text(_ words: String, _ own: Message) -> Text {
            let isSeen = words.unicodeScalars.contains {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.properties.isEmoji
            }
            return isSeen ? .similar(words) : .message(own)
        }
        let isWorking = device.prompts.isWorking
        var out: [PromptButton] = []
        if prompt.kind != .waiting {
            out.append(
                PromptButton(name: "ok", text: text(prompt.buttons.yes, .ok), action: canAnswer ? .prompt(.answer) : nil, isFirst: true))
        }
        if let no = prompt.buttons.no {
            out.append(PromptButton(name: "no", text: .similar(no), action: isWorking ? nil : .prompt(.refuse)))
        }
        if prompt.buttons.hasCancel {
            out.append(PromptButton(name: "cancel", text: text(prompt.buttons.cancel, .cancel), action: .prompt(.cancel)))
        }
        return out
    }

    private func addPromptButtons(_ canvas: inout Canvas, _ buttons: [PromptButton], _ plan: PromptPlan, _ place: Rect) {
        for (index, button) in buttons.enumerated() {
            var rect = Rect(place.x, place.y + Double(index) * (alertButton + plan.gap), place.width, alertButton)
            if plan.isSideBySide {
                // The one that Return presses is at the end of the line, where a thumb is.
                let half = (place.width - plan.gap) / 2
                rect = Rect(index == 0 ? place.x + half + plan.gap : place.x, place.y, half, alertButton)
            }
            let id = ControlID(.prompt, button.name), isOn = button.action != nil
            canvas.fill(id, button.isFirst && isOn ? .accent : .control, rect, radius: 12)
            if isOn { canvas.press(id, rect, radius: 12) }
            let tone: Tone = !isOn ? .secondary : button.isFirst ? .onAccent : .primary
            canvas.text(id, button.text, .headline, tone, rect.inset(by: Insets(0, 6, 0, 6)), .center)
            canvas.control(id, .button, button.text, rect, press: button.action)
        }
    }
}

extension AgentPrompt.Kind {
    /// The fields of a question, in their order.
    fileprivate var fields: [FormField] {
        switch self {
        case .secret(isNew: true): [.promptSecret, .promptRepeated]
        case .secret: [.promptSecret]
        case .words: [.promptWords]
        case .confirm, .waiting: []
        }
    }
}
