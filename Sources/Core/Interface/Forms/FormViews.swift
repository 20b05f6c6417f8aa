import Geometry
import Stage
import Status
import Windows

/// How a page of rows looks, wherever it stands.
extension Views {
    private struct Placed {
        enum Part {
            case title(Text)
            case box
            case row(FormRow, isFirst: Bool)
            case note(Text, isAlarming: Bool)
        }

        var part: Part
        var y: Double
        var height: Double
        var key: String
    }

    private static let formInset = 16.0
    static let rowPad = 12.0

    /// All parts of a form from its top, and its length.
    private func placed(_ form: Form, in width: Double) -> (parts: [Placed], length: Double) {
        // The ring around a focused row has its room.
        var out: [Placed] = [], y = 8.0
        for (number, section) in form.sections.enumerated() {
            let key = section.rows.first?.id ?? "\(number)"
            if number > 0 { y += 12 }
            if let title = section.title {
                out.append(Placed(part: .title(title), y: y, height: line(.callout) + 8, key: key))
                y += line(.callout) + 8
            }
            let rows = section.rows.map { fitted($0, in: width) }, heights = rows.map { height(of: $0, in: width) }
            if !heights.isEmpty { out.append(Placed(part: .box, y: y, height: heights.reduce(0, +), key: key)) }
            for (index, row) in rows.enumerated() {
                out.append(Placed(part: .row(row, isFirst: index == 0), y: y, height: heights[index], key: row.id))
                y += heights[index]
            }
            if let note = section.note {
                let height = line(.caption) * Double(noteLines(note, in: width - 2 * Views.rowPad)) + 8
                out.append(Placed(part: .note(note, isAlarming: section.isAlarming), y: y, height: height, key: key))
                y += height
            }
        }
        return (out, y)
    }

    /// The core does not measure the shell's own texts: they are short, but a narrow panel or large text needs more lines.
    private func noteLines(_ note: Text, in width: Double) -> Int {
        if case .verbatim(let words) = note { return min(4, Views.lines(words, .caption, line(.caption), in: width)) }
        return width >= scaled(330) ? 2 : width >= scaled(220) ? 3 : 4
    }

    /// A fact stands below its name where there is no room beside it.
    private func fitted(_ row: FormRow, in width: Double) -> FormRow {
        guard case .label = row.kind, row.detail == nil, let value = row.value, valueRoom(row, in: width) == 0 else { return row }
        var row = row
        (row.detail, row.value) = (value, nil)
        return row
    }

    private func height(of row: FormRow, in width: Double) -> Double {
        var height = max(rowHeight, 2 * line(.body) + 8 <= rowHeight + 12 && isNarrow(row, in: width) ? 2 * line(.body) + 8 : 0)
        if row.detail != nil { height = max(height, line(.body) + line(.caption) * Double(detailLines(row, in: width)) + 16) }
        if case .slider = row.kind { height = max(rowHeight, line(.body) + 48 + sliderDetail(row, in: width)) }
        return height
    }

    /// The height of the words below a slider, with the gap below them.
    private func sliderDetail(_ row: FormRow, in width: Double) -> Double {
        row.detail == nil ? 0 : line(.caption) * Double(detailLines(row, in: width)) + 8
    }

    /// Whether the words may need two lines.
    private func isNarrow(_ row: FormRow, in width: Double) -> Bool { wordsWidth(row, in: width) < scaled(200) }

    /// The words about a line of the configuration file are long.
    private func detailLines(_ row: FormRow, in width: Double) -> Int {
        wordsWidth(row, in: width) < scaled(row.isFixed ? 420 : 220) ? 2 : 1
    }

    private func left(of row: FormRow) -> Double { row.icon != nil ? 52 : row.symbol != nil ? 48 : Views.rowPad }

    /// The room behind the words, without the value.
    private func end(of row: FormRow) -> Double {
        let own: Double =
            switch row.kind {
            case .label, .button, .slider: Views.rowPad
            case .page: 36
            case .toggle: Canvas.toggleSize.width * max(1, appearance.textScale * textGrowth) + 20
            case .choice: 44
            case .steps: 2 * touch + 12
            case .field: row.more == nil ? Views.rowPad : touch + 4
            }
        return own + (row.isFixed || row.mark != nil ? 24 : 0) + (row.more != nil && !row.isField ? touch : 0)
    }

    private func valueRoom(_ row: FormRow, in width: Double) -> Double {
        // On a watch the words need the room; a screen reader speaks the value.
        guard let value = row.value, width - left(of: row) - end(of: row) > scaled(200) else { return 0 }
        let ems = value.nameWidth ?? 5
        // A short word may be all wide letters.
        return min(max(0, width - left(of: row) - end(of: row)) * 0.55, (ems * 1.12 * scaled(TextStyle.body.size)).rounded(.up) + 12)
    }

    private func wordsWidth(_ row: FormRow, in width: Double) -> Double {
        width - left(of: row) - end(of: row) - valueRoom(row, in: width)
    }

    // MARK: On a panel

    /// Lays a form on a panel of its own height, with a head for the title and the way back.
    func formPlan(_ form: Form, width: Double) -> ListPlan {
        let inset = width < 300 ? 8.0 : Views.formInset, inner = width - 2 * inset
        let length = placed(form, in: inner).length + 12, most = room.height - 32, head = pageHead
        let panel = panelFrame(width, min(most, head + length + 4).rounded())
        return ListPlan(panel: panel, window: Rect(panel.x, panel.y + head, panel.width, panel.height - head - 4), length: length)
    }

    /// Adds the rows of a form into the window of a plan.
    func addRows(_ canvas: inout Canvas, _ form: Form, _ area: ControlID.Area, _ window: Rect, inset: Double) {
        let width = window.width - 2 * inset, (parts, _) = placed(form, in: width)
        let scroll = interface.form.scroll.value(at: now), isWhole = interface.form.isWhole
        let before = canvas.window
        if !isWhole { canvas.window = canvas.placed(window) }
        defer { canvas.window = before }
        for part in parts {
            let rect = Rect(window.x + inset, window.y + part.y - scroll, width, part.height)
            // A row out of sight costs nothing.
            guard isWhole || (rect.maxY > window.minY && rect.minY < window.maxY) else { continue }
            switch part.part {
            case .title(let title):
                let id = ControlID(area, "title/\(part.key)"), words = rect.inset(by: Insets(0, Views.rowPad, 4, Views.rowPad))
                canvas.text(id, title, .callout, .secondary, words, .leadingMiddle)
                canvas.control(id, .label, title, words, focusable: false)
            case .box: canvas.fill(ControlID(area, "box/\(part.key)"), .control, rect, radius: 14)
            case .row(let row, let isFirst): add(&canvas, row, area, rect, isFirst: isFirst)
            case .note(let note, let isAlarming):
                let id = ControlID(area, "note/\(part.key)"), words = rect.inset(by: Insets(6, Views.rowPad, 0, Views.rowPad))
                canvas.text(
                    id, note, .caption, isAlarming ? .destructive : .secondary, words,
                    lines: Int(clamping: ((words.height + 1) / line(.caption)).rounded(.down)))
                canvas.control(id, .label, note, words, focusable: false)
            }
        }
    }

    private func add(_ canvas: inout Canvas, _ row: FormRow, _ area: ControlID.Area, _ rect: Rect, isFirst: Bool) {
        let id = ControlID(area, row.id), left = left(of: row), end = end(of: row), value = valueRoom(row, in: rect.width)
        if !isFirst { canvas.fill(id, part: 9, .separator, Rect(rect.x + left, rect.y, rect.width - left, 1)) }
        let inner = rect.inset(by: Insets(1, 2, 1, 2))
        if row.action != nil { canvas.press(id, inner, radius: 12) }
        if let symbol = row.symbol {
            canvas.symbol(id, symbol, row.isChosen ? .accent : row.tone, in: Rect(rect.x + 6, rect.y, 36, rect.height), side: 22)
        }
        if let icon = row.icon { canvas.icon(id, icon, Rect(rect.x + 10, rect.center.y - 16, 32, 32)) }
        let words = Rect(rect.x + left, rect.y, wordsWidth(row, in: rect.width), rect.height)
        let tone: Tone = row.isFixed || row.isOff ? .secondary : row.tone
        switch row.kind {
        case .field(let field, let placeholder): return addField(&canvas, row, field, placeholder, id, rect)
        case .slider: return addSlider(&canvas, row, id, rect, tone)
        default: break
        }
        if let detail = row.detail {
            let lines = detailLines(row, in: rect.width), total = line(.body) + line(.caption) * Double(lines)
            let top = rect.center.y - total / 2
            canvas.text(id, row.text, .body, tone, Rect(words.x, top, words.width, line(.body)))
            canvas.text(
                id, part: 8, detail, .caption, .secondary, Rect(words.x, top + line(.body), words.width, line(.caption) * Double(lines)),
                lines: lines)
        } else {
            canvas.text(
                id, row.text, .body, tone, words, .leadingMiddle, lines: max(1, Int(clamping: (rect.height / line(.body)).rounded(.down))))
        }
        if let text = row.value, value > 0 {
            canvas.text(
                id, part: 5, text, .body, .secondary, Rect(rect.maxX - end - value, rect.center.y - line(.body) / 2, value, line(.body)),
                .trailing)
        }
        if let mark = row.isFixed ? .lock : row.mark {
            canvas.symbol(id, part: 6, mark, .secondary, in: Rect(rect.maxX - end, rect.y, 24, rect.height), side: 14)
        }
        let press = row.isFixed ? nil : row.action
        var target = inner
        if let more = row.more {
            let button = Rect(rect.maxX - touch, rect.center.y - touch / 2, touch, touch), part = id.part("more")
            target.width -= touch
            canvas.press(part, button.inset(by: 3), radius: 18)
            canvas.symbol(part, row.moreSymbol, .secondary, in: button, side: row.moreSymbol == .chevronForward ? 16 : 18)
            canvas.control(part, .button, more.name, button.inset(by: 2), press: more.action, focusRadius: 18)
        }
        switch row.kind {
        case .page:
            canvas.symbol(id, part: 7, .chevronForward, .secondary, in: Rect(rect.maxX - 34, rect.y, 28, rect.height), side: 16)
        case .toggle(let isOn, _):
            // The button at the end has its own place.
            let place = rect.width - 4 - (row.more == nil ? 0 : touch)
            canvas.toggle(id, isOn: isOn, isFixed: row.isFixed, in: Rect(rect.x, rect.y, place, rect.height))
        case .choice(let isChosen, _):
            if isChosen { canvas.symbol(id, part: 7, .check, .accent, in: Rect(rect.maxX - 42, rect.y, 36, rect.height), side: 18) }
        case .steps(let less, let more): addSteps(&canvas, row, id, less, more, rect)
        case .label, .button, .slider, .field: break
        }
        let role: ViewControl.Role =
            switch row.kind {
            case .label, .steps: .label
            case .toggle: .toggle
            case .choice: .menuItem
            default: .button
            }
        var spoken = row.spoken ?? row.text
        if row.spoken == nil, let value = row.value { spoken = .list([spoken, value], ", ") }
        if row.spoken == nil, let detail = row.detail { spoken = .list([spoken, detail], ", ") }
        canvas.control(
            id, role, spoken, target, press: press, menu: row.menu, chosen: row.isChosen, focusable: role != .label,
            hittable: role != .label)
    }

    /// A title and the amount above a slider. One that the configuration file fixes has no knob, but a lock, and says why.
    private func addSlider(_ canvas: inout Canvas, _ row: FormRow, _ id: ControlID, _ rect: Rect, _ tone: Tone) {
        guard case .slider(let value, let words, let name, let sets) = row.kind else { return }
        // The amount follows the knob under a finger, even if it takes effect only at the end.
        let here = level(of: id, value), text = words(here), left = left(of: row), lock = row.isFixed ? 24.0 : 0
        // On a watch the words need the room more than the amount.
        let amount = rect.width < 320 ? 72 : max(72, min(rect.width / 2, Text.width(of: text) * scaled(TextStyle.body.size)))
        canvas.text(id, row.text, .body, tone, Rect(rect.x + left, rect.y + 6, rect.width - left - amount - lock - 4, line(.body)))
        canvas.text(
            id, part: 5, onePiece(text), .body, .secondary,
            Rect(rect.maxX - amount - lock - Views.rowPad, rect.y + 6, amount, line(.body)), .trailing)
        if row.isFixed {
            canvas.symbol(id, part: 6, .lock, .secondary, in: Rect(rect.maxX - Views.rowPad - 20, rect.y + 6, 20, line(.body)), side: 14)
        }
        let track = Rect(rect.x + left, rect.y + line(.body) + 6, rect.width - left - Views.rowPad, 40)
        if let detail = row.detail {
            let lines = detailLines(row, in: rect.width)
            canvas.text(
                id, part: 8, detail, .caption, .secondary, Rect(track.x, track.maxY - 4, track.width, line(.caption) * Double(lines)),
                lines: lines)
        }
        let spoken: Text = row.isFixed ? .list([name, onePiece(text)] + [row.detail].compactMap(\.self), ", ") : name
        canvas.slider(id, spoken, here, text: text, row.isFixed ? nil : sets, track)
    }

    /// An amount such as "100%" or "+10%", whose signs stay at their side where the language runs from right to left.
    func onePiece(_ amount: String) -> Text { .verbatim(appearance.isRightToLeft ? "\u{200e}\(amount)" : amount) }

    private func addSteps(_ canvas: inout Canvas, _ row: FormRow, _ id: ControlID, _ less: Action?, _ more: Action?, _ rect: Rect) {
        for (name, symbol, message, action, x) in [
            ("less", Symbol.minimize, Message.less, less, rect.maxX - 2 * touch - 8), ("more", .add, .more, more, rect.maxX - touch - 4),
        ] {
            let part = id.part(name), button = Rect(x, rect.center.y - touch / 2, touch, touch)
            canvas.fill(part, .panel, button.inset(by: 4), radius: touch / 2 - 4)
            canvas.press(part, button.inset(by: 4), radius: touch / 2 - 4)
            canvas.symbol(part, symbol, action == nil ? .secondary : .primary, in: button, side: 18)
            canvas.control(
                part, .button, .list([row.text, .message(message)], ", "), button.inset(by: 2), press: row.isFixed ? nil : action,
                focusRadius: 18)
        }
    }

    func addField(
        _ canvas: inout Canvas, _ row: FormRow, _ field: FormField, _ placeholder: Text, _ id: ControlID, _ rect: Rect
    ) {
        let form = interface.form(of: field), secret = form.text(of: field), isWriting = form.writing == field
        let hidden = field.isSecret && !form.isRevealed, shown = hidden ? secret.dots : secret.text
        var x = rect.x + Views.rowPad
        if row.symbol != nil { x = rect.x + 48 }
        let button = field.isSecret || field == .settingsSearch && !secret.isEmpty
        let words = Rect(x, rect.center.y - line(.body) / 2, rect.maxX - x - (button ? touch + 4 : Views.rowPad), line(.body))
        let em = line(.body) * TextStyle.body.size / TextStyle.body.lineHeight
        let most = max(4, Int(clamping: (words.width / (em * 0.62)).rounded(.down)) - 1)
        // The end of a long text, where a person writes.
        let text = shown.count > most ? "…" + shown.suffix(most) : shown
        if secret.isEmpty {
            if isWriting { canvas.text(id, part: 8, .verbatim("|"), .body, .accent, Rect(words.x, words.y, em, words.height)) }
            canvas.text(id, placeholder, .body, .secondary, words.inset(by: Insets(0, 0, 0, isWriting ? em * 0.5 : 0)))
        } else {
            canvas.text(id, .verbatim(isWriting ? text + "|" : text), .body, .primary, words)
        }
        canvas.control(
            id, .field, secret.isEmpty || hidden ? row.text : .verbatim(secret.text),
            Rect(rect.x, rect.y, words.maxX - rect.x, rect.height).inset(by: 1),
            press: .form(.write(field)), menu: .form(.paste(field)), chosen: isWriting)
        guard button else { return }
        let place = Rect(rect.maxX - touch - 2, rect.center.y - touch / 2, touch, touch)
        if field.isSecret {
            let part = id.part("reveal"), isRevealed = form.isRevealed
            canvas.press(part, place.inset(by: 4), radius: 18)
            canvas.symbol(part, isRevealed ? .eye : .eyeClosed, .secondary, in: place, side: 20)
            canvas.control(
                part, .toggle, .message(.showPassword), place.inset(by: 2), press: .form(.reveal), chosen: isRevealed, focusRadius: 18)
        } else {
            let part = id.part("clear")
            canvas.press(part, place.inset(by: 4), radius: 18)
            canvas.symbol(part, .clear, .secondary, in: place, side: 18)
            canvas.control(part, .button, .message(.clear), place.inset(by: 2), press: .form(.clear(field)), focusRadius: 18)
        }
    }
}

extension FormRow {
    var isField: Bool { if case .field = kind { true } else { false } }

    var action: Action? {
        switch kind {
        case .label, .slider, .steps: nil
        case .button(let action), .toggle(_, let action), .choice(_, let action): action
        case .page(let action): action
        case .field(let field, _): .form(.write(field))
        }
    }

    var isChosen: Bool {
        switch kind {
        case .toggle(let isOn, _), .choice(let isOn, _): isOn
        default: false
        }
    }

    /// It could be pressed at another time.
    var isOff: Bool {
        switch kind {
        case .button(nil), .toggle(_, nil), .choice(_, nil): true
        default: false
        }
    }
}
