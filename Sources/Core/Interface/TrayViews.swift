import Geometry
import Stage
import Status
import Tray
import Windows

/// The items that apps keep in the tray: a page of the control centre, the menus of items as further pages, and icons in the menu bar.
extension Views {
    // MARK: The pages

    var trayForm: Form {
        let items = device.tray.shown
        var sections = [
            FormSection(items.map(row(of:)), note: items.isEmpty ? .message(.trayEmpty) : nil)
        ]
        if let trouble = device.tray.trouble, let item = device.tray[trouble.item] {
            let words: Text =
                switch trouble {
                case .silent: text(.trayItemSilent, item)
                case .opensNothing: text(.trayItemOpensNothing, item)
                }
            sections.insert(FormSection([], note: words, isAlarming: true), at: 0)
        }
        return Form(.message(.tray), sections)
    }

    private func row(of item: TrayItem) -> FormRow {
        var row = FormRow(
            id: "tray/\(item.id)", text: name(of: item), kind: .button(.tray(.open(item.id))), icon: icon(of: item))
        var words: [Text] = []
        if item.facts.state == .attention { words.append(.message(.trayAttention)) }
        if isWithoutWindow(item) { words.append(.message(.runsWithoutWindow)) }
        if words.isEmpty, !item.facts.tooltip.isEmpty, item.facts.tooltip != item.title { words.append(.verbatim(item.facts.tooltip)) }
        if !words.isEmpty { row.detail = .list(words, ", ") }
        if item.facts.state == .attention { row.mark = .warning }
        if item.facts.hasMenu, !item.facts.isMenu {
            row.more = (text(.trayMenuOf, item), .tray(.menu(item.id)))
            row.menu = .tray(.menu(item.id))
        }
        return row
    }

    /// The name of an item as a person knows it.
    private func name(of item: TrayItem) -> Text {
        let title = title(of: item)
        return title.isEmpty ? .message(.someProgram) : .similar(title)
    }

    private func title(of item: TrayItem) -> String {
        item.title.isEmpty ? workspace.app(item.facts.app)?.name ?? item.facts.app : item.title
    }

    private func text(_ message: Message, _ item: TrayItem) -> Text {
        let title = title(of: item)
        return title.isEmpty ? .about(message, .someProgram) : .message(message, [title])
    }

    private func icon(of item: TrayItem) -> AppIcon {
        AppIcon(name: item.facts.icon ?? workspace.app(item.facts.app)?.icon, title: title(of: item))
    }

    /// Whether its app runs without a window, so that a person reaches it only here.
    private func isWithoutWindow(_ item: TrayItem) -> Bool {
        if !item.facts.app.isEmpty, !workspace.windows(of: item.facts.app).isEmpty { return false }
        guard let process = item.facts.process else { return false }
        return !workspace.windows.values.contains { $0.isMapped && $0.facts.lineage.contains(process) }
    }

    var trayMenuForm: Form? {
        let tray = device.tray
        guard let menu = tray.menu, let item = tray[menu.item] else { return nil }
        switch menu.content {
        case .reading: return Form(name(of: item), [FormSection([], note: .message(.trayMenuReading))])
        case .none: return Form(name(of: item), [FormSection([], note: text(.trayMenuEmpty, item))])
        case .silent:
            return Form(
                name(of: item),
                [
                    FormSection([], note: text(.trayItemSilent, item), isAlarming: true),
                    FormSection([
                        FormRow(id: "tray-menu/again", text: .message(.tryAgain), kind: .button(.tray(.menu(item.id))), tone: .accent)
                    ]),
                ])
        case .rows:
            let path = interface.trayPath
            guard let (title, rows) = menu.rows(at: path) ?? menu.rows(at: []) else { return nil }
            return Form(title.map { .similar($0) } ?? name(of: item), sections(of: rows, item.id, at: path))
        }
    }

    private func sections(of rows: [ExportedMenu.Row], _ item: UInt32, at path: [Int]) -> [FormSection] {
        var groups: [[FormRow]] = [[]]
        for (place, row) in rows.enumerated() {
            if row.isSeparator {
                groups.append([])
                continue
            }
            let press: Action? = row.isEnabled ? .tray(.press(item, entry: Int32(bitPattern: row.number))) : nil
            let kind: FormRow.Kind =
                !row.rows.isEmpty && row.isEnabled
                ? .page(.tray(.submenu(item, path: path + [place])))
                : row.mark == .check
                    ? .toggle(row.isChecked, press) : row.mark == .radio ? .choice(row.isChecked, press) : .button(press)
            var out = FormRow(
                id: "tray-menu/\((path + [place]).map(String.init).joined(separator: "-"))", text: .similar(row.label), kind: kind)
            if !row.shortcut.isEmpty { out.value = .verbatim(row.shortcut) }
            groups[groups.count - 1].append(out)
        }
        return groups.map { FormSection($0) }
    }

    // MARK: The tile

    var trayTiles: [ControlTile] {
        let items = device.tray.shown
        guard !items.isEmpty else { return [] }
        let wanting = items.filter { $0.facts.state == .attention }
        return [
            ControlTile(
                id: "tray", symbol: .tray, text: .message(.tray),
                spoken: wanting.first.map { .list([.message(.tray), name(of: $0), .message(.trayAttention)], ", ") },
                action: .controlPage(.tray), isOn: !wanting.isEmpty, isButton: true, paint: .badge)
        ]
    }

    // MARK: The menu bar

    /// The icons before the symbols at the end of the bar. Items that have no room are reached in the control centre.
    ///
    /// - Parameter end: where those symbols begin.
    /// - Returns: where the icons begin.
    func addTrayIcons(_ out: inout Canvas, _ bar: Rect, until end: Double) -> Double {
        guard workspace.idiom.status.place == .menuBar else { return end }
        let side = max(36, bar.height), most = Int(clamping: (bar.width / 4 / side).rounded(.down))
        let items = device.tray.shown.prefix(max(0, most)), size = min(18, bar.height - 6)
        var x = end
        for item in items {
            x -= side
            let id = ControlID(.menuBar, "tray/\(item.id)"), place = Rect(x, bar.y, side, bar.height)
            out.press(id, place.inset(by: 2), radius: 6)
            out.icon(id, icon(of: item), Rect(place.center.x - size / 2, place.center.y - size / 2, size, size))
            let isWanting = item.facts.state == .attention
            if isWanting {
                out.fill(id, part: 8, .badge, Rect(place.center.x + size / 2 - 3, place.center.y - size / 2 - 1, 6, 6), radius: 3)
            }
            out.control(
                id, .button, isWanting ? .list([name(of: item), .message(.trayAttention)], ", ") : name(of: item), place,
                press: .tray(.open(item.id)), menu: .tray(.menu(item.id)), target: place, focusRadius: 6)
        }
        return x
    }
}
