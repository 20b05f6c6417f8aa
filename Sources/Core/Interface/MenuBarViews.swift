import Geometry
import Stage
import Windows

/// The bar along the upper edge of a desk with free windows: the app in front, its menus, its windows (W-25).
extension Views {
    struct BarRow {
        var id: String
        var text: Text
        /// For screen readers, if it differs.
        var said: Text?
        /// nil: it cannot be chosen now.
        var action: Action?
        var isChecked = false
        /// A line above it.
        var isGrouped = false
        var tone = Tone.primary
        /// Whether it opens a menu.
        var opens = false
        var isHeading = false
        var shortcut = ""
    }

    struct BarMenu {
        var id: String
        var title: Text
        var rows: [BarRow]
        var isApp = false
    }

    /// The app in front, whose menus the bar shows; nil: there is none.
    public var barApp: String? {
        workspace.focus.flatMap { workspace[workspace.root(of: $0)]?.app }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The menus of the bar in reading order.
    var barMenus: [BarMenu] {
        if let focus = workspace.focus.map(workspace.root(of:)), workspace.hidesMenus(of: focus) { return hiddenMenus(of: focus) }
        guard let app = barApp, let focus = workspace.focus.map(workspace.root(of:)) else {
            return [BarMenu(id: "app", title: .message(.home), rows: shellRows, isApp: true)]
        }
        let name = plainName(of: app)
        var menus = [BarMenu(id: "app", title: .verbatim(name), rows: appRows(app, name), isApp: true)]
        for (index, menu) in workspace.exportedMenus(of: focus).enumerated() {
            menus.append(BarMenu(id: "own/\(index)", title: .verbatim(menu.title), rows: rows(of: menu.rows, focus, at: "own/\(index)")))
        }
        menus.append(BarMenu(id: "windows", title: .message(.windowsMenu), rows: windowRows(app, focus)))
        return menus
    }

    /// The menus of an app that shows them nowhere itself, where there is no bar: one that lists them, and each of them.
    private func hiddenMenus(of window: WindowID) -> [BarMenu] {
        let exported = workspace.exportedMenus(of: window), name = workspace.appName(of: window)
        let list = BarMenu(
            id: "own", title: .verbatim(name),
            rows: exported.enumerated().map { index, menu in
                BarRow(id: "\(index)", text: .verbatim(menu.title), action: .barMenu("own/\(index)"), opens: true)
            })
        return [list]
            + exported.enumerated().map { index, menu in
                var rows = rows(of: menu.rows, window, at: "own/\(index)")
                if !rows.isEmpty { rows[0].isGrouped = true }
                return BarMenu(
                    id: "own/\(index)", title: .verbatim(menu.title),
                    rows: [BarRow(id: "back", text: .verbatim(menu.title), action: .barMenu("own"), isHeading: true)] + rows)
            }
    }

    private var shellRows: [BarRow] {
        [
            BarRow(id: "search", text: .message(.search), action: .search()),
            BarRow(id: "keys", text: .message(.keyboardShortcuts), action: .keyHelp),
        ]
    }

    private func appRows(_ app: String, _ name: String) -> [BarRow] {
        var rows: [BarRow] = []
        if let info = workspace.app(app), !info.isSingleWindow {
            rows.append(BarRow(id: "new", text: .message(.newWindow), action: .newWindow(app: app)))
        }
        rows.append(BarRow(id: "hide", text: .message(.hideApp, [name]), action: .hideApp(app: app), isGrouped: !rows.isEmpty))
        rows.append(BarRow(id: "quit", text: .message(.quitApp, [name]), action: .quitApp(app: app), isGrouped: true, tone: .destructive))
        return rows
    }

    private func windowRows(_ app: String, _ focus: WindowID) -> [BarRow] {
        let isFree = workspace.isFree(focus), tile = workspace.tile(of: focus)
        func tiled(_ id: String, _ text: Message, _ wanted: Tile) -> BarRow {
            BarRow(id: id, text: .message(text), action: isFree ? .toggleTile(window: focus, to: wanted) : nil, isChecked: tile == wanted)
        }
        var rows = [
            BarRow(id: "minimize", text: .message(.minimize), action: isFree ? .minimize(window: focus) : nil),
            tiled("zoom", .zoom, .whole), tiled("left", .tileLeft, .left), tiled("right", .tileRight, .right),
            tiled("full", .fullScreen, .full),
            BarRow(id: "close", text: .message(.close), action: .close(window: focus)),
        ]
        let names = WindowNames(workspace)
        for (index, window) in workspace.windows(of: app).prefix(12).enumerated() {
            rows.append(
                BarRow(
                    id: "window/\(window.raw)", text: names.label(of: window), said: .verbatim(names.title(of: window)),
                    action: .focus(window: window), isChecked: window == focus, isGrouped: index == 0))
        }
        return rows
    }

    private func rows(of exported: [ExportedMenu.Row], _ window: WindowID, at path: String) -> [BarRow] {
        var isGrouped = false, rows: [BarRow] = []
        for (index, row) in exported.enumerated() {
            if row.isSeparator {
                isGrouped = !rows.isEmpty
                continue
            }
            let id = "\(path)/\(index)", opens = !row.rows.isEmpty
            rows.append(
                BarRow(
                    id: id.split(separator: "/").dropFirst(2).joined(separator: "/"), text: .verbatim(row.label),
                    action: !row.isEnabled ? nil : opens ? .barMenu(id) : .chooseMenuItem(window: window, item: row.number),
                    isChecked: row.isChecked, isGrouped: isGrouped, opens: opens, shortcut: row.shortcut))
            isGrouped = false
        }
        return rows
    }

    /// The rows of a menu by its name, and of a menu in it; nil if there is no such menu now.
    func barRows(_ name: String) -> (menu: BarMenu, rows: [BarRow])? {
        let menus = barMenus
        if let menu = menus.first(where: { $0.id == name }) { return (menu, menu.rows) }
        let parts = name.split(separator: "/")
        guard parts.count > 2, parts[0] == "own", let menu = menus.first(where: { $0.id == "own/\(parts[1])" }),
            let focus = workspace.focus.map(workspace.root(of:)),
            let first = Int(parts[1]), workspace.exportedMenus(of: focus).indices.contains(first)
        else { return nil }
        var rows = workspace.exportedMenus(of: focus)[first].rows, title = ""
        for part in parts.dropFirst(2) {
            guard let index = Int(part), rows.indices.contains(index), !rows[index].rows.isEmpty else { return nil }
            title = rows[index].label
            rows = rows[index].rows
        }
        let back = BarRow(id: "back", text: .verbatim(title), action: .barMenu(parts.dropLast().joined(separator: "/")), isHeading: true)
        var inner = self.rows(of: rows, focus, at: name)
        if !inner.isEmpty { inner[0].isGrouped = true }
        return (menu, [back] + inner)
    }

    /// The name of the menu beside an open one.
    public func barMenu(beside name: String, _ step: Int) -> String? {
        let menus = barMenus.map(\.id)
        guard let open = barRows(name)?.menu.id, let index = menus.firstIndex(of: open) else { return menus.first }
        return menus[((index + step) % menus.count + menus.count) % menus.count]
    }

    public var barMenuNames: [String] { barMenus.map(\.id) }

    public func barMenuExists(_ name: String) -> Bool { barRows(name) != nil }

    // MARK: Drawing

    private func titleWidth(_ text: Text, isBold: Bool) -> Double {
        // The core does not measure text: a box that surely holds it. Wide signs take more than letters.
        let ems = text.nameWidth ?? 5.2
        return (scaled(TextStyle.body.size) * max(1.5, ems) * (isBold ? 1 : 0.92) + 20).rounded()
    }

    /// - Parameter isAgain: above itself, while one of its menus takes all input.
    func addMenuBar(_ out: inout Canvas, _ bar: Rect, isAgain: Bool = false) {
        if !isAgain {
            // An app's picture in full screen would shine through the names.
            out.fill("menu-bar", .panel, bar, opacity: appearance.hasGlass && workspace.windowBelowBar == nil ? 0.82 : 1)
            out.fill("menu-bar", part: 9, .separator, Rect(bar.x, bar.maxY - 1, bar.width, 1))
        }
        out.control("menu-bar", .panel, .message(.menuBar), bar, focusable: false)
        let ends = barEnds(bar)
        for end in ends {
            let id = ControlID(.menuBar, end.id)
            out.press(id, end.frame.inset(by: 2), radius: 6)
            out.symbol(id, end.symbol, .primary, in: end.frame, side: 16)
            let name = Text.message(end.name)
            out.control(
                id, .button, end.id == "notifications" ? withUnread(name) : name, end.frame, press: end.action, target: end.frame,
                focusRadius: 6)
        }
        addBarStatus(&out, bar)
        addBarTitles(&out, bar, until: addTrayIcons(&out, bar, until: ends.map(\.frame.minX).min() ?? bar.maxX))
    }

    /// The height of the bar, in points of the screen: it grows with the text, so that no name in it is cut.
    public var menuBarHeight: Double { workspace.idiom.free.menuBar + (line(.headline) - TextStyle.headline.lineHeight) * growth }

    func barEnds(_ bar: Rect) -> [(id: String, symbol: Symbol, name: Message, action: Action, frame: Rect)] {
        var ends: [(String, Symbol, Message, Action)] = [
            ("notifications", .bell, .notifications, .notifications), ("control-centre", .levels, .controlCentre, .controlCentre),
            ("search", .search, .search, .search()),
        ]
        if let window = workspace.windowBelowBar {
            ends = [("leave", .leaveFullScreen, .leaveFullScreen, .toggleTile(window: window, to: .full))] + ends
        }
        let side = max(36, bar.height), right = bar.maxX - statusWidth - 8
        return ends.enumerated().map { index, end in
            (end.0, end.1, end.2, end.3, Rect(right - Double(index + 1) * side, bar.y, side, bar.height))
        }
    }

    /// - Parameter end: where the symbols at the end begin.
    private func addBarTitles(_ out: inout Canvas, _ bar: Rect, until end: Double) {
        var x = bar.x + 8
        let open =
            interface.isPopoverOpen
            ? interface.popover.flatMap { if case .barMenu(let name) = $0.content { barRows(name)?.menu.id } else { nil } } : nil
        for menu in barMenus {
            // A long name of an app leaves the menus their room, and is cut with an ellipsis.
            let width = min(titleWidth(menu.title, isBold: menu.isApp), menu.isApp ? max(80, ((end - bar.x) / 3).rounded()) : .infinity)
            // Titles that have no room are reached by keys, and by the neighbours of the last one.
            guard x + width <= end - 4 else { break }
            let rect = Rect(x, bar.y, width, bar.height), id = ControlID(.menuBar, menu.id)
            if open == menu.id { out.fill(id, part: 10, .control, rect.inset(by: 2), radius: 6) }
            out.press(id, rect.inset(by: 2), radius: 6)
            let style: TextStyle = menu.isApp ? .headline : .body
            out.text(
                id, menu.title, style, .primary,
                Rect(rect.x + 10, rect.y + ((rect.height - line(style)) / 2).rounded(), rect.width - 10, line(style)))
            out.control(id, .menu, menu.title, rect, press: .barMenu(menu.id), target: rect, chosen: open == menu.id, focusRadius: 6)
            x += width
        }
    }

    func addBarMenu(_ canvas: inout Canvas, _ name: String) {
        guard let (menu, rows) = barRows(name), !rows.isEmpty else { return }
        canvas.shift = .zero
        var anchor = Rect(room.x + 8, room.y, 60, workspace.menuBarHeight)
        if let bar = workspace.menuBar {
            // The titles stay in reach while a menu is open.
            var titles = self.canvas()
            addMenuBar(&titles, bar, isAgain: true)
            canvas.append(titles)
            anchor = titles.controls.first { $0.id == ControlID(.menuBar, menu.id) }?.frame ?? anchor
        }
        let most = Int(clamping: (room.height - anchor.height - 24) / 24)
        let shown = Array(rows.prefix(max(1, most)))
        let height = max(24, min(max(44, line(.body) + 16), ((room.height - anchor.height - 24) / Double(shown.count)).rounded(.down)))
        // Keys stand behind the longest label.
        let keys = shown.map { Text.width(of: $0.shortcut) }.max() ?? 0, em = scaled(TextStyle.body.size)
        let words = shown.map { $0.text.nameWidth ?? 0 }.max() ?? 0
        let widest = keys > 0 ? (min(20, words) * 0.92 + keys * 0.8) * em + 84 : 260
        let width = min(room.width - 16, max(260, scaled(260), widest.rounded()))
        let keysWidth = keys > 0 ? (keys * 0.8 * em).rounded() : 0
        let panel = kept(Rect(anchor.x, anchor.maxY + 4, width, Double(shown.count) * height + 8))
        let before = canvas.mirror
        canvas.mirror = nil
        ground(&canvas, ControlID(.menuBar, "panel"), .panel, menu.title, panel, radius: 12, shadow: 0.2, isGlass: false)
        for (index, row) in shown.enumerated() {
            let rect = Rect(panel.x + 4, panel.y + 4 + Double(index) * height, panel.width - 8, height)
            let id = ControlID(.menuBar, "\(menu.id)/\(row.id)")
            if row.isGrouped { canvas.fill(id, part: 9, .separator, Rect(rect.x + 8, rect.y, rect.width - 16, 1)) }
            canvas.press(id, rect, radius: 8)
            if row.isChecked { canvas.symbol(id, .check, .accent, in: Rect(rect.x + 4, rect.y, 24, rect.height), side: 14) }
            if row.isHeading { canvas.symbol(id, .chevronBack, .secondary, in: Rect(rect.x + 4, rect.y, 24, rect.height), side: 14) }
            let tone: Tone = row.action == nil ? .secondary : row.tone
            canvas.text(
                id, row.text, row.isHeading ? .headline : .body, tone,
                Rect(
                    rect.x + 30, rect.y + ((rect.height - line(.body)) / 2).rounded(), rect.width - 30 - max(30, keysWidth + 12),
                    line(.body)))
            if !row.shortcut.isEmpty {
                canvas.text(
                    id, part: 6, .verbatim(row.shortcut), .callout, .secondary,
                    Rect(rect.maxX - 10 - keysWidth, rect.y + ((rect.height - line(.callout)) / 2).rounded(), keysWidth, line(.callout)),
                    .trailing)
            }
            if row.opens {
                canvas.symbol(id, part: 5, .chevronForward, .secondary, in: Rect(rect.maxX - 28, rect.y, 24, rect.height), side: 12)
            }
            canvas.control(
                id, .menuItem, row.said ?? row.text, rect, press: row.action, target: rect, chosen: row.isChecked,
                focusable: row.action != nil, focusRadius: 8)
        }
        canvas.mirror = before
    }
}
