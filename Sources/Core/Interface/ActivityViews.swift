import Geometry
import Modality
import Stage
import Windows

/// The activity view (M-05): the shared content, the apps that open it, and its other actions.
extension Views {
    private struct ActivityLayout {
        var panel: Rect
        var title: Rect
        var detail: Rect
        /// How much of the apps is shown at once.
        var columns: Int
        var rows: Int
        var cell: Size
        var side: Double
        var labelLines: Int
        var apps: Rect
        /// The buttons below the apps; the last one cancels.
        var buttons: [Rect]
    }

    private static let activityPadding = 16.0

    func addActivity(_ canvas: inout Canvas, _ view: ModalView, _ sharing: Sharing, over host: Rect, presence: Double) {
        let id = ControlID(.modal, view.id.raw), mirror = canvas.mirror
        addBehind(&canvas, view, over: host, presence: presence)
        let title = activityTitle(of: sharing), detail = activityDetail(of: sharing)
        let layout = layout(sharing, detail, below: askerHeight(of: view), in: host)
        slide(&canvas, layout.panel, over: host, presence: presence)
        canvas.mirror = mirror == nil ? nil : layout.panel
        ground(&canvas, id, .panel, title, layout.panel, radius: 18)
        addAsker(&canvas, view, in: layout.panel)
        let height = line(.headline)
        canvas.text(id.part("title"), title, .headline, .primary, layout.title, lines: max(1, Int(clamping: layout.title.height / height)))
        canvas.control(id.part("title"), .label, title, layout.title, focusable: false)
        if !layout.detail.isEmpty {
            canvas.text(
                id.part("detail"), .verbatim(detail), .callout, .secondary, layout.detail,
                lines: max(1, Int(clamping: layout.detail.height / line(.callout))))
            canvas.control(id.part("detail"), .label, .verbatim(detail), layout.detail, focusable: false)
        }
        addApps(&canvas, id, view, sharing, layout)
        let actions = sharing.targets.enumerated().filter { if case .app = $0.element { false } else { true } }
        for (place, (index, target)) in actions.enumerated() {
            let (symbol, text): (Symbol, Message) =
                switch target {
                case .copy: (.copy, .fileCopy)
                case .save: (.save, .saveToDownloads)
                case .mail, .app: (.mail, .mail)
                }
            addAction(
                &canvas, id.part("choice/\(index)"), symbol, .message(text), layout.buttons[place], press: .chooseView(view.id.raw, index))
        }
        // A view has a button that leaves it (M-09).
        addAction(&canvas, id.part("cancel"), .close, .message(.cancel), layout.buttons[actions.count], press: .dismissView(view.id.raw))
        canvas.mirror = mirror
    }

    private func addAction(
        _ canvas: inout Canvas, _ id: ControlID, _ symbol: Symbol, _ text: Text, _ rect: Rect, press: Action
    ) {
        canvas.fill(id, .control, rect, radius: 12)
        canvas.press(id, rect, radius: 12)
        let side = scaled(22)
        canvas.symbol(id, symbol, .primary, in: Rect(rect.x + 12, rect.y, side + 2, rect.height), side: side)
        let label = Rect(rect.x + side + 24, rect.y, rect.width - side - 32, rect.height)
        canvas.text(id, text, .body, .primary, label)
        canvas.control(id, .button, text, rect, press: press)
    }

    private func addApps(_ canvas: inout Canvas, _ id: ControlID, _ view: ModalView, _ sharing: Sharing, _ layout: ActivityLayout) {
        let apps = sharing.apps, most = layout.columns * layout.rows
        guard !apps.isEmpty else { return }
        let isWhole = apps.count <= most
        let perPage = isWhole ? most : max(1, most - 1)
        let pages = (apps.count + perPage - 1) / perPage
        let first = (interface.appPages[view.id] ?? 0) % pages * perPage
        func cell(_ slot: Int) -> Rect {
            Rect(
                layout.apps.x + Double(slot % layout.columns) * layout.cell.width,
                layout.apps.y + Double(slot / layout.columns) * layout.cell.height, layout.cell.width, layout.cell.height)
        }
        for index in first..<min(first + perPage, apps.count) {
            let part = id.part("choice/\(index)"), cell = cell(index - first)
            let icon = Rect((cell.center.x - layout.side / 2).rounded(), cell.y + 4, layout.side, layout.side)
            let shown = interface.pressed == part ? Rect(center: icon.center, size: icon.size * 0.92) : icon
            canvas.icon(part, self.icon(of: apps[index]), shown, size: layout.side)
            addLabel(&canvas, part, name(of: apps[index]), below: icon, in: cell, layout)
            canvas.control(part, .icon, name(of: apps[index]), icon, press: .chooseView(view.id.raw, index), target: cell, focusRadius: 14)
        }
        if !isWhole {
            let part = id.part("more"), cell = cell(perPage)
            let icon = Rect((cell.center.x - layout.side / 2).rounded(), cell.y + 4, layout.side, layout.side)
            canvas.fill(part, .control, icon, radius: layout.side / 4)
            canvas.press(part, icon, radius: layout.side / 4)
            canvas.symbol(part, .controls, .primary, in: icon, side: layout.side / 2)
            addLabel(&canvas, part, .message(.moreApps), below: icon, in: cell, layout)
            canvas.control(part, .button, .message(.moreApps), icon, press: .moreApps(view.id.raw), target: cell, focusRadius: 14)
        }
    }

    private func addLabel(_ canvas: inout Canvas, _ id: ControlID, _ text: Text, below icon: Rect, in cell: Rect, _ layout: ActivityLayout)
    {
        let label = Rect(cell.x + 3, icon.maxY + 6, cell.width - 6, line(.caption) * Double(layout.labelLines))
        canvas.text(id, text, .caption, .primary, label, .center, lines: layout.labelLines)
    }

    // MARK: Words

    private func activityTitle(of sharing: Sharing) -> Text {
        switch sharing.files.count {
        case 0: .message(sharing.address == nil ? .sharedText : .sharedLink)
        case 1: .verbatim(sharing.files[0].name)
        case let count: .message(.sharedFiles, ["\(count)"])
        }
    }

    /// The names of several files, and the start of the text.
    private func activityDetail(of sharing: Sharing) -> String {
        let names = sharing.files.count > 1 ? sharing.files.prefix(8).map(\.name).joined(separator: ", ") : ""
        return [names, sharing.text].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    // MARK: Layout

    /// - Parameter above: the height of the asker's name.
    func activityPanel(of sharing: Sharing, below above: Double, in host: Rect) -> Rect {
        layout(sharing, activityDetail(of: sharing), below: above, in: host).panel
    }

    /// A card at the bottom of its window. In little room there is one row of apps, and the buttons stand side by side.
    private func layout(_ sharing: Sharing, _ detail: String, below above: Double, in host: Rect) -> ActivityLayout {
        let place = host.intersection(room), padding = Views.activityPadding
        let width = max(min(place.width - 16, scaled(480)), 160).rounded(), inner = width - 2 * padding
        let columns = max(2, Int(clamping: inner / max(76, scaled(84)))), count = sharing.apps.count
        let buttonCount = sharing.targets.count - count + 1, button = max(44, line(.body) + 20)
        let titleLines: Int
        if case .verbatim(let name) = activityTitle(of: sharing) {
            titleLines = min(2, Views.lines(name, .headline, line(.headline), in: inner))
        } else {
            titleLines = 1
        }
        let cellWidth = (inner / Double(columns)).rounded(.down)
        let names = sharing.apps.map { Views.lines(plainName(of: $0), .caption, line(.caption), in: cellWidth - 6) }
        let nameLines = min(2, names.max() ?? 1)
        let wanted = detail.isEmpty ? 0 : min(3, Views.lines(detail, .callout, line(.callout), in: inner))

        /// From roomy to tight: rows of apps, columns of buttons, lines of the details, lines of a name, side of an icon.
        let attempts: [(rows: Int, columns: Int, detail: Int, label: Int, side: Double)] = [
            (2, 1, wanted, nameLines, 56), (1, 1, wanted, nameLines, 56), (1, 2, wanted, nameLines, 56), (1, 2, min(1, wanted), 1, 48),
            (1, 2, 0, 1, 40),
            (1, buttonCount, 0, 1, 40),
        ]
        func rows(_ attempt: Int) -> Int { min(attempts[attempt].rows, (count + columns - 1) / columns) }
        func cellHeight(_ attempt: Int) -> Double {
            let (_, _, _, label, side) = attempts[attempt]
            return 4 + side + 6 + line(.caption) * Double(label) + 6
        }
        func buttonRows(_ attempt: Int) -> Int { (buttonCount + attempts[attempt].columns - 1) / attempts[attempt].columns }
        func headHeight(_ attempt: Int) -> Double {
            let lines = attempts[attempt].detail
            return above + padding + line(.headline) * Double(titleLines) + (lines > 0 ? 4 + line(.callout) * Double(lines) : 0) + 12
        }
        func height(_ attempt: Int) -> Double {
            headHeight(attempt) + Double(rows(attempt)) * cellHeight(attempt) + (count > 0 ? 8 : 0)
                + Double(buttonRows(attempt)) * (button + 8) - 8 + padding
        }
        let attempt = attempts.indices.first { height($0) <= place.height - 16 } ?? attempts.count - 1
        let chosen = attempts[attempt]

        let panel = Rect(
            (place.center.x - width / 2).rounded(), max(place.minY, place.maxY - height(attempt) - 8), width, height(attempt))
        let title = Rect(panel.x + padding, panel.y + above + padding, inner, line(.headline) * Double(titleLines))
        let lines = line(.callout) * Double(chosen.detail)
        let details = chosen.detail > 0 ? Rect(title.x, title.maxY + 4, inner, lines) : Rect(title.x, title.maxY, 0, 0)
        let cell = Size(cellWidth, cellHeight(attempt))
        let apps = Rect(title.x, panel.y + headHeight(attempt), inner, Double(rows(attempt)) * cell.height)
        let top = apps.maxY + (count > 0 ? 8 : 0), across = chosen.columns
        let buttonWidth = (inner - Double(across - 1) * 8) / Double(across)
        let buttons = (0..<buttonCount).map {
            Rect(title.x + Double($0 % across) * (buttonWidth + 8), top + Double($0 / across) * (button + 8), buttonWidth, button)
        }
        return ActivityLayout(
            panel: panel, title: title, detail: details, columns: columns, rows: max(1, rows(attempt)), cell: cell, side: chosen.side,
            labelLines: chosen.label, apps: apps, buttons: buttons)
    }
}
