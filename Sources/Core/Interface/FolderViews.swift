import Geometry
import Stage
import Windows

/// Folders of the home screen, and where an icon that a person carries would go.
extension Views {
    func name(of folder: HomeOrder.Folder) -> Text { folder.name.isEmpty ? .message(.folder) : .verbatim(folder.name) }

    static func id(of folder: HomeOrder.Folder) -> ControlID { ControlID(.home, "folder/\(folder.id)") }

    /// The sign of a folder: its first apps, small, on a plate.
    func addFolderIcon(_ out: inout Canvas, _ id: ControlID, _ folder: HomeOrder.Folder, _ icon: Rect, size: Double) {
        out.fill(id, .dock, icon, radius: icon.width * 0.24)
        let pad = icon.width * 0.12, gap = icon.width * 0.05, side = ((icon.width - 2 * pad - 2 * gap) / 3).rounded(.down)
        for (index, app) in folder.apps.prefix(9).enumerated() {
            let rect = Rect(
                icon.x + pad + Double(index % 3) * (side + gap), icon.y + pad + Double(index / 3) * (side + gap), side, side)
            out.icon(id, part: 10 + UInt8(index), self.icon(of: app), rect, size: side)
        }
    }

    // MARK: An open folder

    private var folderColumns: Int { max(2, min(4, Int(clamping: (room.width - 64) / grid.cell.width))) }

    private func folder(_ id: Int) -> HomeOrder.Folder? {
        for case .folder(let folder) in homeItems where folder.id == id { return folder }
        return nil
    }

    private var folderCell: Size {
        Size(min(grid.cell.width, (room.width - 64) / Double(folderColumns)), iconSide + 8 + line(.caption) + 20)
    }

    public func folderPlan(_ id: Int) -> ListPlan? {
        guard let folder = folder(id) else { return nil }
        let columns = min(folderColumns, max(2, folder.apps.count)), cell = folderCell
        let rows = (folder.apps.count + columns - 1) / columns, head = pageHead + 4
        let width = Double(columns) * cell.width + 32, length = Double(rows) * cell.height + 12
        let height = min(room.height - 32, head + length).rounded()
        let panel = Rect((room.center.x - width / 2).rounded(), (room.center.y - height / 2).rounded(), width.rounded(), height)
        return ListPlan(panel: panel, window: Rect(panel.x, panel.y + head, panel.width, height - head), length: length)
    }

    func addFolder(_ canvas: inout Canvas, _ id: Int, _ presence: Double) {
        guard let folder = folder(id), let plan = folderPlan(id) else { return }
        let panel = plan.panel, columns = min(folderColumns, max(2, folder.apps.count)), cell = folderCell
        canvas.shift = Vector(0, (1 - min(1, presence)) * 24)
        canvas.opacity = min(1, presence)
        ground(&canvas, "folder", .panel, name(of: folder), panel, radius: 28)
        addFolderTitle(&canvas, folder, Rect(panel.x + 16, panel.y + 8, panel.width - 32, pageHead - 8))
        let scroll = interface.form.scroll.value(at: now), isWhole = interface.form.isWhole
        if !isWhole { canvas.window = canvas.placed(plan.window) }
        let labels = NameLabels(folder.apps.map(plainName(of:)))
        for (index, app) in folder.apps.enumerated() {
            let rect = Rect(
                panel.x + 16 + Double(index % columns) * cell.width, plan.window.y + Double(index / columns) * cell.height - scroll,
                cell.width, cell.height)
            guard isWhole || (rect.maxY > plan.window.minY && rect.minY < plan.window.maxY) else { continue }
            addIcon(&canvas, ControlID(.folder, app), app, labels.text(plainName(of: app)), rect, .primary)
        }
        canvas.window = nil
    }

    private func addFolderTitle(_ canvas: inout Canvas, _ folder: HomeOrder.Folder, _ rect: Rect) {
        let isWriting = interface.form.writing == .folderName, text = interface.form.text(of: .folderName).text
        let shown: Text = isWriting ? .verbatim(text + "|") : name(of: folder)
        if isWriting { canvas.fill("folder/name", .control, rect.inset(by: 4), radius: 12) }
        canvas.press("folder/name", rect.inset(by: 4), radius: 12)
        canvas.text("folder/name", shown, .headline, .primary, Rect(rect.x + 12, rect.y, rect.width - 24, rect.height), .center)
        canvas.control(
            "folder/name", .field, isWriting ? .verbatim(text) : name(of: folder), rect.inset(by: 4), press: .form(.write(.folderName)))
    }

    // MARK: Where a carried icon goes

    /// The place for an app whose icon is let go at a point of the screen; nil: nothing is there. `mark`: shows a person that place.
    public func homePlace(for app: String, at point: Point) -> (place: HomeOrder.Place, mark: Rect)? {
        if let id = interface.openFolder {
            guard let plan = folderPlan(id), onScreen(plan.panel).contains(point), let folder = folder(id) else { return nil }
            var out = canvas()
            addFolder(&out, id, 1)
            return place(for: app, at: point, among: out.controls.filter { $0.id.area == .folder && $0.role == .icon }, in: folder.apps)
        }
        guard workspace.showsHome, interface.home.search == nil else { return nil }
        var out = canvas()
        addHome(&out)
        let icons = out.controls.filter { $0.id.area == .home && $0.role == .icon && onScreen(room).contains($0.frame.center) }
        let grid = onScreen(Rect(room.x, self.grid.origin.y - 20, room.width, self.grid.dots.y - self.grid.origin.y + 20))
        guard grid.contains(point) else { return nil }
        return place(for: app, at: point, among: icons, in: nil)
    }

    /// The place in the dock for an app whose icon is let go at a point of the screen.
    public func dockPlace(for app: String, at point: Point) -> (before: String?, mark: Rect)? {
        guard interface.openFolder == nil, !fixed.contains(.dock), workspace.app(app) != nil, let area = dockArea, area.contains(point)
        else { return nil }
        var out = canvas()
        addDock(&out, presence: 1, isHome: true)
        let own = dockApps.own, icons = out.controls.filter { $0.id.appOfIcon.map(own.contains) ?? false }
        guard let near = icons.min(by: { abs($0.frame.center.x - point.x) < abs($1.frame.center.x - point.x) }),
            let other = near.id.appOfIcon, let index = own.firstIndex(of: other)
        else { return (nil, Rect(area.center.x - 2, area.y + 12, 4, area.height - 24)) }
        let isAfter = point.x > near.frame.center.x
        let mark = Rect(
            isAfter ? near.frame.maxX + 4 * growth : near.frame.minX - 8 * growth, near.frame.minY, 4 * growth, near.frame.height)
        if other == app { return (index + 1 < own.count ? own[index + 1] : nil, mark) }
        return (isAfter ? (index + 1 < own.count ? own[index + 1] : nil) : other, mark)
    }

    /// Whether an app of the dock whose icon is let go at a point of the home screen is in the dock no longer.
    public func leavesDock(_ app: String, at point: Point) -> Bool {
        workspace.showsHome && !fixed.contains(.dock) && dockApps.own.contains(app) && dockArea?.contains(point) == false
    }

    private func place(
        for app: String, at point: Point, among icons: [ViewControl], in folder: [String]?
    ) -> (place: HomeOrder.Place, mark: Rect)? {
        guard let near = icons.min(by: { $0.frame.center.distance(to: point) < $1.frame.center.distance(to: point) }) else { return nil }
        let items = folder?.map { HomeOrder.Entry.app($0) } ?? homeItems
        guard let index = items.firstIndex(where: { id(of: $0, isInFolder: folder != nil) == near.id }) else { return nil }
        let entry = items[index], frame = near.frame
        let isOwn = entry.apps.contains(app)
        // In the middle of another icon: with it in a folder. Folders have no folders.
        if folder == nil, !isOwn, frame.center.distance(to: point) < frame.width * 0.34 {
            return (.with(entry.apps[0]), frame.inset(by: -8 * growth))
        }
        let isAfter = (point.x > frame.center.x) != appearance.isRightToLeft
        let bar = Rect(
            (point.x > frame.center.x ? frame.maxX + 8 * growth : frame.minX - 12 * growth), frame.minY, 4 * growth, frame.height)
        if isOwn { return nil }
        guard isAfter else { return (.before(entry.apps[0]), bar) }
        return (index + 1 < items.count ? .before(items[index + 1].apps[0]) : .atEnd, bar)
    }

    private func id(of entry: HomeOrder.Entry, isInFolder: Bool) -> ControlID {
        switch entry {
        case .app(let app): ControlID(isInFolder ? .folder : .home, app)
        case .folder(let folder): Views.id(of: folder)
        }
    }
}
