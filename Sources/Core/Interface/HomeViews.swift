import Geometry
import Stage
import Windows

/// The home screen: search, pages of apps, the dock.
extension Views {
    // MARK: Grid

    struct Grid {
        var search: Rect
        var columns: Int
        var rows: Int
        var cell: Size
        var origin: Point
        var dots: Rect

        var perPage: Int { columns * rows }
        func pages(_ count: Int) -> Int { max(1, (count + perPage - 1) / perPage) }
    }

    /// Points from one page to the next.
    public var pageStep: Double { ownPageStep * growth }
    private var ownPageStep: Double { max(1, room.width) }

    var grid: Grid {
        let home = workspace.idiom.home, margin = home.margin
        let top = room.minY + workspace.menuBarHeight + margin
        let searchHeight = max(40, line(.body) + 20)
        let width = min(420, room.width - 2 * margin).rounded()
        let search = Rect((room.center.x - width / 2).rounded(), top, width, searchHeight)
        let isTight = home.margin < 24
        let dotsY = dockFrame(count: 1, separators: 0).minY - (isTight ? 20 : 28)
        let gridTop = showsSearch ? search.maxY + (isTight ? 8 : 28) : top
        let columns = max(2, min(home.columns(on: screen.size), Int(clamping: (room.width - 2 * margin) / scaled(home.columnWidth))))
        let minimum = iconSide + 8 + line(.caption) + (isTight ? 8 : 20)
        let available = max(minimum, dotsY - 8 - gridTop)
        let rows = max(1, min(6, Int(clamping: available / minimum)))
        let cell = Size(
            ((room.width - 2 * margin) / Double(columns)).rounded(.down), min(164 * iconGrowth, available / Double(rows)).rounded(.down))
        let left = room.minX + ((room.width - cell.width * Double(columns)) / 2).rounded()
        return Grid(
            search: search, columns: columns, rows: rows, cell: cell, origin: Point(left, gridTop),
            dots: Rect(room.center.x - 60, dotsY, 120, 16))
    }

    /// Icons grow half as much as the text, where the screen is large enough for all of them.
    private var iconGrowth: Double { max(1, min(1 + (appearance.textScale * textGrowth - 1) / 2, min(room.width, room.height) / 600)) }
    var iconSide: Double { (workspace.idiom.home.icon * iconGrowth).rounded() }
    private var showsSearch: Bool { workspace.idiom.home.hasSearch || interface.home.search != nil }

    public var pageCount: Int { grid.pages(homeItems.count) }

    /// The frame of an app's icon on the current page or in the dock.
    public func iconFrame(of app: String) -> Rect? {
        var dock = canvas()
        addDock(&dock, presence: 1, isHome: true)
        if let icon = dock.controls.first(where: { $0.id == ControlID(.dock, app) }) { return icon.frame }
        var home = canvas()
        addHome(&home)
        let folder = homeItems.lazy.compactMap { if case .folder(let folder) = $0 { folder } else { nil } }.first { $0.apps.contains(app) }
        let id = folder.map(Views.id(of:)) ?? ControlID(.home, app)
        return home.controls.first { $0.id == id && $0.frame.intersects(onScreen(room)) }?.frame
    }

    func addHome(_ out: inout Canvas) {
        let grid = grid
        // While the user picks a second window, the prompt is shown here.
        if interface.picking == nil, showsSearch { addSearch(&out, grid) }
        let shown = homeShown, items = shown.entries, labels = shown.labels
        if items.isEmpty {
            let query = interface.home.search ?? ""
            let text: Text =
                query.isEmpty ? .message(workspace.apps.isEmpty ? .noApps : .allAppsHidden) : .message(.nothingFound, [query])
            let rect = Rect(room.minX + 24, grid.origin.y + 24, room.width - 48, line(.title) * 2)
            out.text("home/empty", text, .title, .onWallpaper, rect, .center, lines: 2)
            out.control("home/empty", .label, text, rect, focusable: false)
        }
        let scroll = interface.home.scroll.value(at: now) / growth
        // On a round screen the next page is seen at the edge, small.
        let pages = screen.round == nil ? room : screen.bounds
        for (index, item) in items.enumerated() {
            let page = index / grid.perPage, slot = index % grid.perPage
            let x = grid.origin.x + Double(slot % grid.columns) * grid.cell.width + Double(page) * ownPageStep - scroll
            guard x + grid.cell.width > pages.minX, x < pages.maxX else { continue }
            let y = grid.origin.y + Double(slot / grid.columns) * grid.cell.height
            let cell = Rect(x, y, grid.cell.width, grid.cell.height)
            switch item {
            case .app(let app): addIcon(&out, ControlID(.home, app), app, labels.text(plainName(of: app)), cell)
            case .folder(let folder): addFolder(&out, folder, cell)
            }
        }
        addPageDots(&out, grid, count: grid.pages(items.count), scroll: scroll)
    }

    private func iconRect(in cell: Rect) -> Rect {
        Rect((cell.center.x - iconSide / 2).rounded(), cell.y + 4, iconSide, iconSide)
    }

    /// Where an icon is drawn while another one is carried: each on its own little path. Fingers find it where it was.
    private func wobbling(_ icon: Rect) -> Rect {
        guard interface.lifted?.wobbles ?? false else { return icon }
        let seconds = Double(now.nanoseconds % 60_000_000_000) / 1e9, own = icon.x * 0.037 + icon.y * 0.091
        /// Close to a sine, from -1 to 1.
        func wave(_ turns: Double) -> Double {
            let x = 2 * (turns - turns.rounded(.down)) - 1
            return 4 * x * (1 - abs(x))
        }
        return Rect(icon.x + wave(seconds * 2.2 + own), icon.y + wave(seconds * 2.9 + own * 1.7), icon.width, icon.height)
    }

    private func addFolder(_ out: inout Canvas, _ folder: HomeOrder.Folder, _ cell: Rect) {
        let id = Views.id(of: folder), icon = iconRect(in: cell), label = Rect(cell.x + 6, icon.maxY + 8, cell.width - 12, line(.caption))
        addFolderIcon(
            &out, id, folder, interface.pressed == id ? Rect(center: icon.center, size: icon.size * 0.92) : wobbling(icon), size: icon.width
        )
        out.text(id, name(of: folder), .caption, .onWallpaper, label, .center)
        out.badge(id, folder.apps.reduce(0) { $0 + badge(of: $1) }, on: icon)
        let both = Rect(icon.x - 12, icon.y - 4, icon.width + 24, label.maxY - icon.y + 4)
        out.control(
            id, .icon, name(of: folder), icon, press: .arrangeHome(.folder(folder.id)), target: both, focusRadius: 16)
    }

    func addIcon(_ out: inout Canvas, _ id: ControlID, _ app: String, _ name: Text, _ cell: Rect, _ tone: Tone = .onWallpaper) {
        let side = iconSide, icon = iconRect(in: cell)
        let label = Rect(cell.x + 6, icon.maxY + 8, cell.width - 12, line(.caption))
        let isPressed = interface.pressed == id
        var shown = isPressed ? Rect(center: icon.center, size: icon.size * 0.92) : wobbling(icon)
        let before = out.opacity
        defer { out.opacity = before }
        if let round = workspace.idiom.round {
            let share = icon.center.distance(to: screen.bounds.center) / max(1, screen.shorterSide / 2)
            shown = Rect(center: shown.center, size: shown.size * round.scale(at: share))
            out.opacity *= round.opacity(at: share)
        }
        // Where it was taken from, a carried icon leaves nothing.
        if interface.lifted.map({ $0.app != app || $0.isFromDock }) ?? true {
            out.icon(id, self.icon(of: app), shown, size: side)
            out.text(id, name, .caption, tone, label, .center)
            out.badge(id, badge(of: app), on: icon)
        }
        let both = Rect(icon.x - 12, icon.y - 4, icon.width + 24, label.maxY - icon.y + 4)
        out.control(
            id, .icon, spokenName(of: app), Rect(icon.x, icon.y, icon.width, icon.height), press: .openApp(app: app),
            menu: .appMenu(app: app),
            drag: .app(app), target: both, focusRadius: 16)
    }

    private func addSearch(_ out: inout Canvas, _ grid: Grid) {
        let rect = grid.search
        out.fill("search", .dock, rect, radius: rect.height / 2)
        let glyph = Rect(rect.x + 14, rect.y, max(20, min(scaled(20), rect.height - 16)), rect.height)
        // On the wallpaper, whatever it shows, only the strongest tone has enough contrast.
        out.symbol("search", .search, .primary, in: glyph, side: 18)
        let query = interface.home.search
        let field = Rect(glyph.maxX + 8, rect.y, rect.maxX - 48 - glyph.maxX - 8, rect.height)
        if let query, !query.isEmpty {
            out.text("search", .verbatim(query + "|"), .body, .primary, field)
        } else {
            out.text("search", query == nil ? .message(.search) : .verbatim("|"), .body, .primary, field)
        }
        out.control(
            "search", .field, query.map { $0.isEmpty ? .message(.search) : .verbatim($0) } ?? .message(.search), rect,
            press: .search(text: query ?? ""), focusRadius: rect.height / 2)
        if query != nil {
            let clear = Rect(rect.maxX - 44, rect.y, 44, rect.height)
            out.symbol("search/clear", .clear, .primary, in: clear, side: 18)
            out.control("search/clear", .button, .message(.cancel), Rect(center: clear.center, size: Size(28, 28)), press: .dismiss)
        }
    }

    private func addPageDots(_ out: inout Canvas, _ grid: Grid, count: Int, scroll: Double) {
        guard count > 1 else { return }
        let pitch = min(16, (room.width - 16) / Double(count)), size = min(8, pitch / 2)
        let here = Int(clamping: (scroll / ownPageStep).rounded())
        let left = grid.dots.center.x - Double(count - 1) * pitch / 2
        for page in 0..<count {
            let dot = Rect(center: Point(left + Double(page) * pitch, grid.dots.center.y), size: Size(size, size))
            out.fill(ControlID(.pages, page), .pill, dot, radius: size / 2, opacity: page == here ? 1 : 0.4)
        }
        let all = Rect(center: grid.dots.center, size: Size(Double(count) * pitch, 16))
        out.control("pages", .tab, .message(.page, ["\(here + 1)", "\(count)"]), all, press: .scroll(here + 1 < count ? 1 : -(count - 1)))
    }

    // MARK: Dock

    var dockIcon: Double { (workspace.idiom.home.dockIcon * iconGrowth).rounded() }
    public static let dockPadding = 12.0

    func dockFrame(count: Int, separators: Int, icon: Double? = nil) -> Rect {
        let icon = icon ?? dockIcon, padding = dockPadding(icon)
        let width = Double(count) * (icon + padding) + padding + Double(separators) * 13
        let height = icon + 2 * (workspace.idiom.home.margin < 24 ? Views.dockPadding * 2 / 3 : Views.dockPadding)
        return Rect((room.center.x - width / 2).rounded(), room.maxY - min(12, max(4, workspace.idiom.home.margin)) - height, width, height)
    }

    /// The distance between icons of this side.
    private func dockPadding(_ icon: Double) -> Double {
        max(4, min(Views.dockPadding, (Views.dockPadding * icon / max(1, dockIcon)).rounded(.down)))
    }

    /// The least side of an icon: a finger touches it with the space around it. A dock that stands is a pointer's, too.
    private var leastDockIcon: Double { min(dockIcon, workspace.idiom.home.dockStands ? 24 : touch - Views.dockPadding) }

    private var dockWidth: Double { room.width - 24 - 26 }

    /// How many icons of the least side there is room for.
    private var mostInDock: Int {
        let icon = leastDockIcon, padding = workspace.idiom.home.dockStands ? dockPadding(icon) : Views.dockPadding
        return max(1, Int(clamping: (dockWidth - padding) / (icon + padding)))
    }

    /// The side of the icons of so many things: a full dock is smaller, and leaves nothing out.
    func dockIcon(count: Int) -> Double {
        var icon = dockIcon
        while icon > leastDockIcon, Double(count) * (icon + dockPadding(icon)) + dockPadding(icon) > dockWidth { icon -= 1 }
        return icon
    }

    /// The dock's own apps, and up to three recent ones; in a dock that stands, all that run or start.
    var dockApps: (own: [String], recent: [String]) {
        let fitting = max(1, mostInDock - (minimized.isEmpty ? 0 : 1))
        let most = min(fitting, workspace.idiom.home.dockPlaces ?? fitting)
        let own = Array(Dock.apps(chosen: interface.dockApps, appearance.dock, installed: workspace.apps).prefix(most))
        var others = workspace.runningApps.filter { !own.contains($0) }
        if workspace.idiom.home.dockStands { others += startingApps.filter { !own.contains($0) && !others.contains($0) } }
        let recent = others.prefix(min(workspace.idiom.home.dockStands ? most : 3, max(0, most - own.count)))
        return (own, Array(recent))
    }

    /// Apps that start and have no window yet.
    var startingApps: [String] { interface.launches.values.filter { !$0.isLeaving }.map(\.app) }

    private var iconsTellStarts: Bool { workspace.idiom.home.iconsTellStarts }

    /// Minimized windows, of which the idiom's standing dock shows the latest.
    private var minimized: [WindowID] { workspace.idiom.home.dockStands ? workspace.minimizedWindows : [] }

    /// The minimized windows in the dock, as many as there is room for beside the apps.
    var dockWindows: [WindowID] {
        guard !minimized.isEmpty else { return [] }
        let apps = dockApps
        let fitting = mostInDock - apps.own.count - apps.recent.count
        return Array(minimized.suffix(max(1, fitting)))
    }

    /// The area of the dock while it is visible, or where it stands at other times; nil otherwise.
    public var dockArea: Rect? { workspace.idiom.home.dockStands || interface.showsDock(over: workspace) ? dockCard?.frame : nil }

    /// The place of the dock, and how far it slides until it is out of sight; nil if there is nothing in it.
    public var dockCard: (frame: Rect, way: Double)? { ownDockCard.map { (onScreen($0.frame), $0.way * growth) } }

    private var ownDockCard: (frame: Rect, way: Double)? {
        let (own, recent) = dockApps, small = dockWindows
        guard !own.isEmpty || !recent.isEmpty || !small.isEmpty else { return nil }
        let parts = [own.count, recent.count, small.count].count { $0 > 0 }
        let count = own.count + recent.count + small.count
        let frame = dockFrame(count: count, separators: parts - 1, icon: dockIcon(count: count))
        return (frame, screen.bounds.maxY - frame.minY + 24)
    }

    /// - Parameter presence: 1 in its place, 0 below the edge.
    func addDock(_ out: inout Canvas, presence: Double, isHome: Bool) {
        let (own, recent) = dockApps
        guard let (frame, way) = ownDockCard else { return }
        let hasLine = !own.isEmpty && !recent.isEmpty
        let before = out.shift
        out.shift = out.shift + Vector(0, (1 - presence) * way)
        defer { out.shift = before }
        if !isHome { out.shadow("dock", frame, radius: 24, blur: 24, opacity: 0.12) }
        out.ground("dock", .dock, frame, radius: 24)
        out.control("dock", .panel, .message(.dock), frame, focusable: false)
        let dockIcon = dockIcon(count: own.count + recent.count + dockWindows.count), padding = dockPadding(dockIcon)
        var x = frame.x + padding
        for (index, app) in (own + recent).enumerated() {
            if hasLine, index == own.count {
                out.fill("dock/line", .separator, Rect(x, frame.y + 16, 1, frame.height - 32))
                x += 13
            }
            addDockIcon(&out, app, Rect(x, (frame.center.y - dockIcon / 2).rounded(), dockIcon, dockIcon))
            x += dockIcon + padding
        }
        let small = dockWindows
        guard !small.isEmpty else { return }
        if !own.isEmpty || !recent.isEmpty {
            out.fill("dock/windows-line", .separator, Rect(x, frame.y + 16, 1, frame.height - 32))
            x += 13
        }
        for window in small {
            addDockWindow(&out, window, Rect(x, (frame.center.y - dockIcon / 2).rounded(), dockIcon, dockIcon))
            x += dockIcon + padding
        }
    }

    /// A minimized window: its picture with the icon of its app.
    private func addDockWindow(_ out: inout Canvas, _ window: WindowID, _ rect: Rect) {
        let id = ControlID(.dock, "window/\(window.raw)")
        let shown = dockPicture(of: window, in: rect)
        addThumbnail(
            &out, id, window, Rect(origin: .zero, size: workspace[window]?.contentSize ?? shown.size), out.placed(shown), radius: 4)
        let small = (rect.width * 0.42).rounded()
        out.icon(id, part: 24, icon(of: workspace[window]?.app ?? ""), Rect(rect.maxX - small + 4, rect.maxY - small + 4, small, small))
        out.press(id, rect, radius: 8)
        out.control(
            id, .icon, .verbatim(WindowNames(workspace).title(of: window)), rect, press: .focus(window: window),
            close: .close(window: window), target: rect.inset(by: -6), focusRadius: 8)
    }

    private func dockPicture(of window: WindowID, in rect: Rect) -> Rect {
        let size = workspace[window]?.contentSize ?? rect.size
        return size.isEmpty ? rect : rect.fitting(size)
    }

    /// Where minimized windows are shown in the dock, in points of the screen.
    public var dockSlots: [(window: WindowID, frame: Rect)] {
        guard !minimized.isEmpty else { return [] }
        var out = canvas()
        addDock(&out, presence: 1, isHome: false)
        let frames = Dictionary(out.controls.map { ($0.id, $0.frame) }, uniquingKeysWith: { first, _ in first })
        return minimized.compactMap { window in
            frames[ControlID(.dock, "window/\(window.raw)")].map { (window, dockPicture(of: window, in: $0)) }
        }
    }

    private func addDockIcon(_ out: inout Canvas, _ app: String, _ rect: Rect) {
        let id = ControlID(.dock, app)
        let isPressed = interface.pressed == id
        let shown = isPressed ? Rect(center: rect.center, size: rect.size * 0.92) : rect
        let isStarting = iconsTellStarts && startingApps.contains(app)
        if interface.lifted.map({ $0.app != app || !$0.isFromDock }) ?? true {
            out.icon(id, icon(of: app), shown, size: rect.width, opacity: isStarting ? 0.5 : 1)
        }
        let windows = workspace.windows(of: app).count
        if windows > 0 || isStarting {
            let mark = Rect(center: Point(rect.center.x, rect.maxY + 6), size: Size(5, 5))
            out.fill(id, part: 7, isStarting ? .accent : .mark, mark, radius: 2.5)
        }
        let waiting = badge(of: app)
        out.badge(id, waiting, on: rect)
        out.control(
            id, .icon, isStarting ? .message(.opening, [plainName(of: app)]) : spokenName(of: app), rect,
            press: .openApp(app: app), menu: .appMenu(app: app), drag: .app(app), target: rect.inset(by: -6), focusRadius: 14)
    }

    // MARK: Lifted icons and launches

    func addLifted(_ out: inout Canvas) {
        guard let lifted = interface.lifted else { return }
        let center = own(Rect(center: lifted.center, size: .zero)).center, rect = Rect(center: center, size: Size(76, 76))
        var canvas = Canvas(target: out.target, growth: growth, textGrowth: textGrowth, focus: nil, pressed: nil)
        if let mark = lifted.mark.map(own) { canvas.fill("lifted/mark", .preview, mark, radius: min(16, mark.width / 2)) }
        canvas.shadow("lifted", Rect(center: center, size: Size(60, 60)), radius: 14, blur: 20)
        canvas.icon("lifted", icon(of: lifted.app), rect)
        out.append(canvas)
    }

    /// The card of a starting app, between its icon and the place of its window.
    func addLaunches(_ out: inout Canvas) {
        guard !iconsTellStarts else { return }
        for (id, card) in interface.launches.cards {
            let frame = own(card.frame.value(at: now)), opacity = max(0, min(1, card.opacity.value(at: now)))
            let key = ControlID(.launch, id.raw)
            var canvas = Canvas(target: out.target, growth: growth, textGrowth: textGrowth, focus: nil, pressed: nil)
            canvas.opacity = opacity
            let radius = max(0, min(24, (room.width - frame.width) * 0.2))
            canvas.fill(key, .launching, frame, radius: radius)
            let side = max(24, min(112, min(frame.width, frame.height) * 0.5))
            canvas.icon(key, card.icon, Rect(center: frame.center, size: Size(side, side)), size: 112)
            if !card.isLeaving {
                canvas.control(key, .label, .message(.opening, [card.icon.title]), frame, focusable: false)
            }
            out.append(canvas)
        }
    }
}

/// Chooses the apps in the dock.
public enum Dock {
    /// Kinds of apps that users want at hand. The first installed one of each kind is taken.
    private static let kinds: [[String]] = [
        ["firefox", "firefox-esr", "chromium", "org.gnome.Epiphany", "google-chrome"],
        ["org.gnome.Nautilus", "org.kde.dolphin", "thunar", "pcmanfm", "nemo"],
        ["foot", "org.gnome.Console", "org.gnome.Terminal", "org.kde.konsole", "debian-xterm"],
        ["org.gnome.TextEditor", "org.gnome.gedit", "featherpad", "org.kde.kate", "mousepad"],
        ["mpv", "vlc", "org.gnome.Totem", "org.gnome.Music"],
        ["org.gnome.Evince", "org.gnome.Calendar", "thunderbird", "org.gtk.Demo4", "libreoffice-writer"],
    ]

    /// - Parameter chosen: by the user, possibly empty; nil if the user changed nothing yet.
    public static func apps(chosen: [String]?, _ wanted: [String], installed: [App]) -> [String] {
        guard let chosen else { return apps(wanted, installed: installed) }
        return chosen.isEmpty ? [] : apps(chosen, installed: installed)
    }

    /// The installed apps among `wanted`; if `wanted` is empty, a default choice.
    public static func apps(_ wanted: [String], installed: [App]) -> [String] {
        let known = Set(installed.map(\.id))
        if !wanted.isEmpty {
            var seen: Set<String> = []
            return wanted.filter { known.contains($0) && seen.insert($0).inserted }
        }
        var picked = kinds.compactMap { $0.first(where: known.contains) }
        for app in installed where picked.count < min(4, installed.count) && !picked.contains(app.id) { picked.append(app.id) }
        return picked
    }
}

extension Views {
    /// The icon from which a space opens and into which it closes; the middle of the screen if no icon is in sight.
    public func iconRect(of space: Space) -> Rect {
        let bounds = workspace.screen?.bounds ?? .zero
        let app = space.windows.compactMap { workspace[$0]?.app }.first ?? ""
        return iconFrame(of: app) ?? Rect(center: bounds.center, size: bounds.size * 0.3)
    }
}
