import Geometry
import Lifecycle
import Stage
import Windows

/// The layout of the app switcher (S-02) and App Exposé (W-09).
public struct OverviewLayout: Hashable, Sendable {
    public struct Place: Hashable, Sendable {
        public var card: CardID
        /// Before scrolling.
        public var frame: Rect
        public var isScrolled: Bool
        /// The room for its header, in points: at most up to the neighbouring cards.
        public var header: Double
    }

    public var places: [Place] = []
    /// The tile that opens another window (W-09).
    public var add: Rect?
    /// How far it can be scrolled.
    public var reach = 0.0
    /// Points from one column to the next.
    public var pitch = 1.0
}

extension Views {
    static let cardGap = 28.0
    /// A header in a single row of cards has a close button from this width on, in points.
    static let widthWithClose = 200.0

    /// The height of the header above a card: icon, name, close button.
    var cardHeader: Double { max(36, line(.callout) + 16) }

    /// In points of the screen.
    public func overviewLayout(_ overview: Interface.Overview) -> OverviewLayout {
        var layout = ownLayout(overview)
        guard growth != 1 else { return layout }
        for index in layout.places.indices {
            layout.places[index].frame = onScreen(layout.places[index].frame).rounded
            layout.places[index].header *= growth
        }
        layout.add = layout.add.map(onScreen)
        layout.reach *= growth
        layout.pitch *= growth
        return layout
    }

    private func ownLayout(_ overview: Interface.Overview) -> OverviewLayout {
        switch overview {
        case .switcher: switcherLayout()
        case .expose(let app): exposeLayout(app)
        }
    }

    /// Whether the row of cards begins at the right.
    public var isFromEnd: Bool { appearance.isRightToLeft || workspace.idiom.switcher.lastUsedLast }

    private func isOut(_ windows: [WindowID]) -> Bool { windows.allSatisfy(workspace.isCardOut) }

    private func switcherLayout() -> OverviewLayout {
        let spaces = workspace.spaces.filter { !isOut($0.windows) }.sorted { ($0.lastUse, $0.id) > ($1.lastUse, $1.id) }
        let stack = workspace.slideOver.stack.filter { !workspace.isCardOut($0) }
        // A small screen has no room to spare around its cards.
        let margin = room.height < 260 ? 0.0 : 24
        var area = room.inset(by: Insets(margin, 0, margin, 0))
        var out = OverviewLayout()
        area = area.inset(by: Insets(spaceRowHeight + switcherStatusHeight, 0, 0, 0))
        if let windows = workspace.switchedWindows?.filter({ !workspace.isCardOut($0) && !workspace.isInOtherSpace($0) }) {
            lay(
                windows.map { .window($0) }, aspect: screen.size.width / max(1, screen.size.height),
                rows: windows.count <= 3 || area.height < 520 ? 1 : 2,
                in: area, &out, add: false, shrinks: true)
            return out
        }
        if !stack.isEmpty {
            let height = spaces.isEmpty ? area.height : max(150, (area.height * 0.34).rounded())
            layStack(stack, in: Rect(area.x, area.maxY - height, area.width, height), &out)
            area.height -= height + 8
        }
        let rows = spaces.count <= 2 || area.height < 520 ? 1 : min(2, workspace.idiom.switcher.rows)
        lay(spaces.map { .space($0.id) }, aspect: screen.size.width / max(1, screen.size.height), rows: rows, in: area, &out, add: false)
        return out
    }

    /// The height of the line with the time, where an idiom shows it here.
    var switcherStatusHeight: Double { workspace.idiom.status.place == .switcher && status.time != nil ? line(.headline) + 4 : 0 }

    private func exposeLayout(_ app: String) -> OverviewLayout {
        let windows = workspace.windows(of: app).filter { !workspace.isCardOut($0) }
        var out = OverviewLayout()
        let title = line(.title) + 24
        let area = room.inset(by: Insets(24 + title, 0, 24, 0))
        let isSingle = workspace.app(app)?.isSingleWindow ?? (workspace.app(app) == nil)
        let count = windows.count + (isSingle ? 0 : 1)
        lay(
            windows.map { .window($0) }, aspect: screen.size.width / max(1, screen.size.height),
            rows: count <= 2 || area.height < 520 ? 1 : 2, in: area, &out, add: !isSingle, shrinks: workspace.isFreelyStacked)
        return out
    }

    /// Lays out columns of `rows` cards, filled downwards. The first column is the most recently used.
    ///
    /// - Parameter shrinks: whether up to five columns become so small that all are in sight.
    private func lay(
        _ cards: [CardID], aspect: Double, rows: Int, in area: Rect, _ out: inout OverviewLayout, add: Bool, shrinks: Bool = false
    ) {
        let count = cards.count + (add ? 1 : 0)
        guard count > 0, area.height > cardHeader + 24 else { return }
        let rowHeight = (area.height / Double(rows)).rounded(.down)
        var height = min(rowHeight - cardHeader - 20, screen.size.height * 0.58).rounded(.down)
        var width = (height * aspect).rounded(.down)
        let columns = (count + rows - 1) / rows
        // In a row that ends with the card that was used last, the others lie beside it, out of sight.
        let isRow = isFromEnd && workspace.idiom.switcher.rows == 1
        var widest = count == 1 ? room.width * 0.7 : count == 2 && !isRow ? (room.width - 80 - Views.cardGap) / 2 : room.width * 0.62
        if shrinks, columns <= 5 { widest = min(widest, (room.width - 80 + Views.cardGap) / Double(columns) - Views.cardGap) }
        if width > widest {
            width = widest.rounded(.down)
            height = (width / aspect).rounded(.down)
        }
        let pitch = width + Views.cardGap
        let whole = Double(columns) * pitch - Views.cardGap
        // The card that was used last stands in the middle, as its app did.
        let margin = isRow ? max(40, ((area.width - width) / 2).rounded()) : 40.0
        out.pitch = pitch
        out.reach = max(0, whole + 2 * margin - area.width)
        let left = out.reach > 0 ? area.x + margin : area.x + ((area.width - whole) / 2).rounded()
        let places = workspace.frames(), isFree = workspace.isFreelyStacked
        /// The largest card of a free window.
        var largest = Size.zero
        for index in 0..<count {
            let column = index / rows, row = index % rows
            // Centre an incomplete last column.
            let missing = column == columns - 1 ? Double(columns * rows - count) * rowHeight / 2 : 0
            // A single row of cards stands in the middle of the screen, with its headers above the middle.
            let inMiddle = max(0, min(area.height - height, 2 * (room.center.y - area.y) - height) / 2)
            let above = rows == 1 ? inMiddle : (rowHeight - cardHeader - height) / 2 + cardHeader
            let y = area.y + Double(row) * rowHeight + (missing + max(cardHeader, above)).rounded()
            var frame = Rect(left + Double(column) * pitch, y, width, height)
            // A card of a window has the shape of that window's place.
            if index < cards.count, case .window(let window) = cards[index], let place = places[window], !place.isEmpty {
                // A small window stays smaller than it is: enlarged it would be coarse, and would look like no card.
                let scale = min(0.9, width / place.width, height / place.height)
                let size = Size(place.width * scale, place.height * scale).rounded
                // A free window may be much lower than its cell.
                let drop = isFree ? ((height - size.height) / 2).rounded() : 0
                frame = Rect(frame.x + ((width - size.width) / 2).rounded(), frame.y + drop, size.width, size.height)
                largest = Size(max(largest.width, size.width), max(largest.height, size.height))
            }
            if index == cards.count, isFree, !largest.isEmpty { frame = Rect(center: frame.center, size: largest).rounded }
            // When scrolled to its end, the first column is visible on the right.
            if isFromEnd { frame.x = area.minX + area.maxX - frame.maxX + out.reach }
            if index < cards.count {
                out.places.append(.init(card: cards[index], frame: frame, isScrolled: true, header: pitch - 4))
            } else {
                out.add = frame
            }
        }
    }

    /// The windows of Slide Over in their own row, front first.
    private func layStack(_ stack: [WindowID], in area: Rect, _ out: inout OverviewLayout) {
        let card = workspace.cardContent(
            workspace.slideOverCard(on: workspace.screen ?? screen, side: workspace.slideOver.side, isHidden: false))
        guard !card.isEmpty else { return }
        let height = max(40, area.height - cardHeader - 8)
        let width = (height * card.width / card.height).rounded(.down)
        let cell = max(width, min(scaled(168), (area.width - 48) / Double(stack.count) - 8))
        let gap = min(20, max(8, (area.width - 80 - cell * Double(stack.count)) / Double(max(1, stack.count))))
        let whole = Double(stack.count) * (cell + gap) - gap
        var x = area.x + ((area.width - whole) / 2).rounded()
        for window in stack {
            let frame = Rect(x + ((cell - width) / 2).rounded(), area.maxY - height, width, height)
            out.places.append(.init(card: .window(window), frame: frame, isScrolled: false, header: cell + gap - 4))
            x += cell + gap
        }
    }

    // MARK: Card headers

    func addOverview(_ out: inout Canvas) {
        guard let overview = interface.overview, !overview.isGone(at: now) else { return }
        var canvas = self.canvas()
        // The positions of cards are already mirrored.
        canvas.mirror = nil
        canvas.opacity = max(0, min(1, overview.presence(at: now)))
        canvas.isInert = !overview.isOpen
        let layout = ownLayout(overview.content)
        switch overview.content {
        case .switcher:
            canvas.control("switcher", .panel, .message(.appSwitcher), screen.bounds, focusable: false)
            if switcherStatusHeight > 0 {
                addStatusLine(&canvas, Rect(room.x + 8, room.y + 2, room.width - 16, line(.headline)), .onWallpaper)
            }
            if layout.places.isEmpty { addNothing(&canvas) }
            addSpaceRow(&canvas)
        case .expose(let app):
            canvas.control("expose", .panel, windowsOf(app), screen.bounds, focusable: false)
            let title = Rect(room.x + 40, room.y + 20, room.width - 80, line(.title))
            canvas.text("expose/title", windowsOf(app), .title, .onWallpaper, title, .center)
            if let add = layout.add {
                addTile(&canvas, "expose/add", app, add.offset(by: Vector(-stage.scroll.value(at: now) / growth, 0)))
            }
        }
        for place in layout.places {
            guard let frame = stage.cardFrame(place.card, at: now).map(own) else { continue }
            let isInSight = frame.maxX > room.minX - 60 && frame.minX < room.maxX + 60
            addCardHeader(&canvas, place.card, frame, place, isInSight: isInSight)
        }
        out.append(canvas)
    }

    func windowsOf(_ app: String) -> Text {
        if case .verbatim(let name) = name(of: app) { return .message(.windowsOf, [name]) }
        return name(of: app)
    }

    private func addNothing(_ canvas: inout Canvas) {
        let rect = Rect(room.minX + 24, room.center.y - 40, room.width - 48, line(.title) * 2)
        canvas.text("switcher/empty", .message(.noWindows), .title, .onWallpaper, rect, .center)
        canvas.control("switcher/empty", .label, .message(.noWindows), rect, focusable: false)
    }

    /// - Parameter place: at rest. The header fades while the card moves.
    private func addCardHeader(
        _ canvas: inout Canvas, _ card: CardID, _ frame: Rect, _ place: OverviewLayout.Place, isInSight: Bool
    ) {
        let full = place.frame.width
        let windows: [WindowID]
        let id: ControlID
        let press: Action, closeAll: Action
        switch card {
        case .space(let space):
            guard let space = workspace.space(space), !space.windows.isEmpty else { return }
            windows = space.windows
            id = ControlID(.switcher, "space/\(space.id.raw)")
            press = .showSpace(space.id)
            closeAll = .closeSpace(space.id)
        case .window(let window):
            windows = [window]
            id = ControlID(.switcher, "window/\(window.raw)")
            press = .focus(window: window)
            closeAll = .close(window: window)
        }
        let names = windows.map(WindowNames(workspace).of)
        var spoken: Text = .verbatim(names[0])
        if names.count > 1 { spoken = .message(.pair, [names[0], names[1]]) }
        let isCurrent = card.isIn(workspace)
        canvas.control(
            id, .card, spoken, frame, press: press, close: closeAll, drag: .card(card), chosen: isCurrent,
            focusRadius: Stage.miniatureRadius)

        let nearness = 1 - min(1, abs(frame.width - full) / max(1, full) * 2)
        // Headers outside the screen still need a name and can be selected.
        guard nearness > 0.02, isInSight else { return }
        let before = canvas.opacity
        canvas.opacity *= nearness
        defer { canvas.opacity = before }
        // As wide as at rest: texts of another width in each frame would be painted in each frame.
        let share = full / Double(windows.count)
        let height = cardHeader
        for (index, window) in windows.enumerated() {
            // Larger text makes a header wider than its card, but never lets it reach over another one.
            let width = max(share, min(scaled(156), place.header / Double(windows.count)))
            let x = frame.center.x + (Double(index) - Double(windows.count) / 2) * width
            addHeader(&canvas, window, Rect(x, frame.y - height, width, height), isCurrent: isCurrent)
        }
    }

    private func addHeader(_ canvas: inout Canvas, _ window: WindowID, _ part: Rect, isCurrent: Bool) {
        let id = ControlID(.switcher, "close/\(window.raw)")
        let isRTL = appearance.isRightToLeft
        func side(_ rect: Rect) -> Rect {
            isRTL ? Rect(part.minX + part.maxX - rect.maxX, rect.y, rect.width, rect.height) : rect
        }
        let icon = side(Rect(part.x + 4, part.y + (part.height - 24) / 2 - 2, 24, 24))
        let close = side(Rect(part.maxX - 28, part.y + (part.height - 28) / 2 - 2, 28, 28))
        // A remote control carries no card into a corner: a button does it.
        let hasPicture = workspace.idiom.views.alwaysFocuses && workspace.admits(.pictureInPicture) && workspace.pip?.window != window
        // Where there is little room the name needs it, and the card is swiped away (S-02).
        let hasClose = part.width >= Views.widthWithClose || workspace.idiom.switcher.rows > 1
        let label = side(Rect(part.x + 36, part.y - 2, max(0, part.width - 36 - (hasPicture ? 80 : hasClose ? 36 : 0)), part.height))
        canvas.icon(id, self.icon(of: workspace[window]?.app ?? ""), icon, size: 24)
        // Windows of the same app are distinguished by their titles (P-07).
        let names = WindowNames(workspace)
        var showsTitle = names.isOneOfSeveral(window)
        if case .expose = interface.overview?.content { showsTitle = true }
        let words: Text = showsTitle ? names.label(of: window) : .verbatim(workspace.appName(of: window))
        // The header may be cut, and its buttons still name one window.
        let name = names.of(window)
        let state = stateText(window, isCurrent: isCurrent)
        if let state, label.width > 200 {
            // Why an app runs takes more words than its name.
            let half = (label.width * (awake[window] == nil ? 0.56 : 0.4)).rounded()
            let lead = side(Rect(part.x + 36, label.y, half, label.height))
            let trail = side(Rect(part.x + 36 + half + 8, label.y, label.width - half - 8, label.height))
            canvas.text(id, part: 2, words, .callout, .onWallpaper, lead)
            canvas.text(id, part: 6, state, .caption, .onWallpaperSecondary, trail, .trailing)
        } else {
            canvas.text(id, part: 2, words, .callout, .onWallpaper, label)
        }
        let picture = side(Rect(part.maxX - 68, close.y, 28, 28)), pictureID = ControlID(.switcher, "picture/\(window.raw)")
        if hasPicture {
            canvas.symbol(pictureID, .pictureInPicture, .onWallpaper, in: picture, side: 18)
            canvas.control(
                pictureID, .button, .detailed(.pictureInPicture, name), picture, press: .pictureInPicture(window: window), focusRadius: 14)
        }
        guard hasClose else { return }
        canvas.symbol(id, .close, .onWallpaper, in: close, side: 16)
        canvas.control(
            id, .button, .message(.closeNamed, [name]), close, press: .close(window: window),
            target: Rect(center: close.center, size: Size(touch, touch)), focusRadius: 14)
    }

    /// The state of a window that the user cannot see.
    private func stateText(_ window: WindowID, isCurrent: Bool) -> Text? {
        guard let w = workspace[window] else { return nil }
        if w.isLate { return .message(.notAnswering) }
        if workspace.place(of: window) == .waiting { return .message(.waiting) }
        // The space in front is out of sight behind the home screen.
        return awake[window]?.lazy.compactMap(Views.text(of:)).first ?? (isCurrent ? .message(.inFront) : nil)
    }

    /// Why an app runs in the background, in a few words; nil for reasons that last only a moment (S-06).
    static func text(of reason: AwakeReason) -> Text? {
        switch reason {
        case .sound: .message(.playingAudio)
        case .recording: .message(.recordingAudio)
        case .call: .message(.inCall)
        case .pictureInPicture: .message(.pictureInPicture)
        case .task(_, let name, nil): .message(.finishing, [name])
        case .task(_, let name, let progress?): .message(.finishingPart, [name, "\(Int(clamping: (progress * 100).rounded(.down)))%"])
        case .kept, .allowed, .failed: .message(.runsInBackground)
        case .inhibits(_, let reason): reason.isEmpty ? .message(.busy) : .verbatim(reason)
        case .called: nil
        }
    }

    func addTile(_ canvas: inout Canvas, _ id: ControlID, _ app: String, _ rect: Rect, isOnPanel: Bool = false) {
        canvas.fill(id, isOnPanel ? .control : .dock, rect, radius: Stage.miniatureRadius)
        canvas.symbol(id, .add, .primary, in: rect, side: min(48, rect.height * 0.4))
        canvas.press(id, rect, radius: Stage.miniatureRadius)
        canvas.control(
            id, .button, .message(.newWindow), rect, press: .newWindow(app: app), target: rect, focusRadius: Stage.miniatureRadius)
    }

    // MARK: App shelf

    static let shelfThumb = 132.0

    /// As wide as its cards are together, but not narrower than its title wants, and not wider than the screen.
    func shelfFrame(cards: Double) -> Rect {
        let height = 16 + line(.headline) + 12 + Views.shelfThumb + 8 + line(.caption) + 16
        let width = min(room.width - 24, max(cards + 40, scaled(360))).rounded()
        return Rect((room.center.x - width / 2).rounded(), room.maxY - 12 - height, width, height)
    }

    func addShelf(_ out: inout Canvas) {
        guard let shelf = interface.shelf, !shelf.isGone(at: now) else { return }
        var canvas = self.canvas()
        canvas.isInert = !shelf.isOpen
        let app = shelf.content
        let windows = workspace.windows(of: app).filter { !workspace.isCardOut($0) }
        let isSingle = workspace.app(app)?.isSingleWindow ?? (workspace.app(app) == nil)
        let aspect = screen.size.width / max(1, screen.size.height), gap = 16.0
        let whole = (Views.shelfThumb * aspect).rounded()
        let frame = shelfFrame(cards: Double(windows.count) * (whole + gap) + (isSingle ? -gap : min(whole, Views.shelfThumb)))
        canvas.shift = Vector(0, (1 - shelf.presence(at: now)) * (screen.bounds.maxY - frame.y + 24))
        canvas.shadow("shelf", frame, radius: 24, blur: 28, opacity: 0.12)
        canvas.ground("shelf", .panel, frame, radius: 24)
        canvas.control("shelf", .panel, windowsOf(app), frame, focusable: false)
        let title = Rect(frame.x + 20, frame.y + 16, frame.width - 100, line(.headline))
        canvas.text("shelf/title", windowsOf(app), .headline, .primary, title)
        let close = Rect(frame.maxX - 52, frame.y + 8, 36, 36)
        canvas.symbol("shelf/close", .close, .secondary, in: close, side: 18)
        canvas.control("shelf/close", .button, .message(.done), close, press: .dismiss)

        let room = frame.width - 40 - (isSingle ? 0 : min(whole, Views.shelfThumb) + gap)
        let width = max(1, min(whole, ((room + gap) / Double(max(1, windows.count)) - gap).rounded(.down)))
        let y = title.maxY + 12
        let frames = workspace.frames(), names = WindowNames(workspace)
        var x = frame.x + 20
        for window in windows {
            let id = ControlID(.shelf, "window/\(window.raw)")
            let thumb = Rect(x, y, width, Views.shelfThumb)
            x += width + gap
            let isWaiting = workspace.waiting.contains(window)
            var shape = thumb
            if let place = frames[window], !place.isEmpty {
                // Keep its aspect ratio, centred in the thumbnail.
                let scale = min(thumb.width / place.width, thumb.height / place.height)
                shape = Rect(center: thumb.center, size: place.size * scale)
                addThumbnail(&canvas, id, window, place, canvas.placed(shape))
            }
            let caption = Rect(thumb.x, thumb.maxY + 8, thumb.width, line(.caption))
            canvas.text(id, part: 2, names.label(of: window), .caption, .secondary, caption, .center)
            if isWaiting { canvas.badge(id, 1, on: thumb) }
            canvas.press(id, thumb, radius: 10)
            canvas.control(
                id, .card, .verbatim(names.title(of: window)), thumb,
                press: isWaiting ? .openWaiting(window: window) : .focus(window: window), close: .close(window: window),
                chosen: workspace.isShown(window), focusRadius: 10)
            let cross = Rect(max(thumb.x, shape.x) + 6, max(thumb.y, shape.y) + 6, 24, 24)
            canvas.fill(id, part: 22, .controls, cross, radius: 12)
            canvas.symbol(id, part: 23, .close, .onAccent, in: cross, side: 12)
            canvas.control(
                ControlID(.shelf, "close/\(window.raw)"), .button, .message(.closeNamed, [names.title(of: window)]), cross,
                press: .close(window: window), focusRadius: 12)
        }
        if !isSingle {
            addTile(&canvas, "shelf/add", app, Rect(x, y, min(max(touch, width), Views.shelfThumb), Views.shelfThumb), isOnPanel: true)
        }
        out.append(canvas)
    }

    /// Adds a live picture of a window. `frame` is already in points of the screen.
    func addThumbnail(_ canvas: inout Canvas, _ id: ControlID, _ window: WindowID, _ place: Rect, _ frame: Rect, radius: Double = 10) {
        guard let w = workspace[window] else { return }
        let content = stage.contentRect(of: w, in: frame, place: place)
        // Add a thin shade all around, so that a white window on a white panel has a visible edge.
        canvas.append([
            Item(view: Canvas.number(id, 19), .fill(.separator), frame.inset(by: -1), radius: radius + 1),
            Item(view: Canvas.number(id, 20), .fill(.letterbox), frame, radius: radius),
            Item(view: Canvas.number(id, 21), .window(window), content, clip: frame, radius: radius),
        ])
    }
}

extension CardID {
    func isIn(_ workspace: Workspace) -> Bool {
        switch self {
        case .space(let space): space == workspace.current
        // Of windows that lie on each other one is in front (W-25).
        case .window(let window): workspace.isShown(window) && workspace.currentSpace?.free?.last ?? window == window
        }
    }
}
