import Geometry
import Lifecycle
import Stage
import Windows

/// Views over everything else that take all touches: multitasking controls, menus, alerts, the list of keys.
extension Views {
    func addPopover(_ out: inout Canvas) {
        guard let popover = interface.popover, !popover.isGone(at: now) else { return }
        let presence = max(0, min(1, popover.presence(at: now)))
        var canvas = self.canvas()
        canvas.opacity = presence
        canvas.isInert = !popover.isOpen
        canvas.shift = Vector(0, (1 - presence) * -8)
        switch popover.content {
        case .controls(let window): addControls(&canvas, window)
        case .appMenu(let app, let anchor): addMenu(&canvas, app, own(anchor))
        case .alert(let title, let message): addAlert(&canvas, title, message)
        case .keyHelp: addKeyHelp(&canvas, presence)
        case .sensors: addSensorList(&canvas)
        case .volume(let window): addVolumeView(&canvas, window)
        case .logOut(let objections, let end): addLogOut(&canvas, objections, end)
        case .sessionEnds(let apps, let seconds, let turnsOff): addSessionEnds(&canvas, apps, seconds, turnsOff: turnsOff)
        case .windowsAside(let count): addWindowsAside(&canvas, count)
        case .unresponsive(let window, let name): addUnresponsive(&canvas, window, name)
        case .crashing(let app, let name): addCrashing(&canvas, app, name)
        case .location(let app): addLocation(&canvas, app)
        case .forgetKept(let app): addForgetKept(&canvas, app)
        case .power(let alert): addPowerAlert(&canvas, alert)
        case .prompt: addPrompt(&canvas)
        case .switcher(let switcher): addSwitcher(&canvas, switcher)
        case .barMenu(let name): addBarMenu(&canvas, name)
        }
        out.append(canvas)
    }

    /// A panel's background. Everything on it is mirrored within it for right-to-left languages.
    func ground(
        _ canvas: inout Canvas, _ id: ControlID, _ role: ViewControl.Role, _ name: Text, _ frame: Rect, radius: Double = 16,
        shadow: Double = 0.12, isGlass: Bool = true
    ) {
        canvas.mirror = nil
        canvas.shadow(id, frame, radius: radius, blur: 28, opacity: shadow)
        if isGlass { canvas.ground(id, .panel, frame, radius: radius) } else { canvas.fill(id, .panel, frame, radius: radius) }
        canvas.control(id, .panel, name, frame, focusable: false)
        if role == .alert { canvas.control(id.part("text"), .alert, name, frame.inset(by: 20), focusable: false) }
        if appearance.isRightToLeft { canvas.mirror = frame }
    }

    func kept(_ rect: Rect, within margin: Double = 8) -> Rect { rect.clamped(to: room.inset(by: margin)) }

    // MARK: Multitasking controls (W-07)

    struct Choice {
        var id: String
        var symbol: Symbol
        var text: Message
        var action: Action
        var isChosen = false
        var isDestructive = false
    }

    /// The options in a window's controls. An auxiliary window can only be closed (W-13).
    func choices(for window: WindowID) -> [Choice] {
        let close = Choice(id: "close", symbol: .close, text: .close, action: .close(window: window), isDestructive: true)
        guard workspace.moved(by: window) == window, let w = workspace[window], w.facts.hints?.role != .auxiliary else { return [close] }
        let place = workspace.place(of: window)
        var out: [Choice] = []
        func isAt(_ side: Side) -> Bool { if case .split(_, side) = place { true } else { false } }
        var isFull = false
        if case .full = place { isFull = true }
        var isCard = false
        if case .slideOver = place { isCard = true }
        out.append(Choice(id: "full", symbol: .fullScreen, text: .fullScreen, action: .fullScreen(window: window), isChosen: isFull))
        if workspace.admits(.splitView(.left)) {
            // Split left stays left of split right in right-to-left languages.
            let first = out.count
            defer { if appearance.isRightToLeft { out.swapAt(first, first + 1) } }
            out.append(
                Choice(
                    id: "split-left", symbol: .splitLeft, text: .splitLeft, action: .splitView(window: window, side: .left),
                    isChosen: isAt(.left)))
            out.append(
                Choice(
                    id: "split-right", symbol: .splitRight, text: .splitRight, action: .splitView(window: window, side: .right),
                    isChosen: isAt(.right)))
            if !screen.size.isLandscape {
                out.append(
                    Choice(
                        id: "split-top", symbol: .splitTop, text: .splitTop, action: .splitView(window: window, side: .top),
                        isChosen: isAt(.top)))
                out.append(
                    Choice(
                        id: "split-bottom", symbol: .splitBottom, text: .splitBottom, action: .splitView(window: window, side: .bottom),
                        isChosen: isAt(.bottom)))
            }
        }
        if workspace.admits(.slideOver) {
            out.append(Choice(id: "slide-over", symbol: .slideOver, text: .slideOver, action: .slideOver(window: window), isChosen: isCard))
        }
        if workspace.admits(.pictureInPicture) {
            out.append(
                Choice(
                    id: "picture", symbol: .pictureInPicture, text: .pictureInPicture, action: .pictureInPicture(window: window),
                    isChosen: place == .pictureInPicture))
        }
        if let app = workspace.app(w.app), !app.isSingleWindow {
            out.append(Choice(id: "new", symbol: .newWindow, text: .newWindow, action: .newWindow(app: app.id)))
        }
        if !w.app.isEmpty {
            out.append(Choice(id: "all", symbol: .allWindows, text: .allWindows, action: .appShelf(app: w.app)))
        }
        if workspace.hidesMenus(of: window), workspace.focus.map(workspace.root(of:)) == window {
            out.append(Choice(id: "menus", symbol: .list, text: .menus, action: .barMenu("own")))
        }
        return out + [close]
    }

    private func addControls(_ canvas: inout Canvas, _ window: WindowID) {
        guard let frame = (stage.frame(of: window, at: now) ?? workspace.frames()[window]).map(own) else { return }
        let choices = choices(for: window)
        let glyph = max(36, min(60, scaled(36)))
        var cell = Size(max(96, touch, scaled(96)), max(touch, glyph + 8 + line(.caption) * 2 + 8))
        let columns = min(
            choices.count, Views.evenColumns(choices.count, most: max(2, min(4, Int(clamping: (room.width - 32) / cell.width)))))
        let rows = (choices.count + columns - 1) / columns
        // On a small screen with large text, everything must stay visible and reachable.
        cell.width = max(52, min(cell.width, ((room.width - 32) / Double(columns)).rounded(.down)))
        cell.height = max(52, min(cell.height, ((room.height - 32) / Double(rows)).rounded(.down)))
        let size = Size(cell.width * Double(columns) + 16, cell.height * Double(rows) + 16)
        // It covers the strip of the dots, in whose place it stands, and with it the title of the app: half a title would be left below
        // them.
        var top = frame.minY + 4
        if workspace.slideOver.stack.contains(window) { top = workspace.cardAround(frame).minY + 4 }
        let panel = kept(Rect((frame.center.x - size.width / 2).rounded(), top, size.width, size.height))
        ground(&canvas, "controls", .panel, .message(.windowControls, [WindowNames(workspace).of(window)]), panel)
        for (index, choice) in choices.enumerated() {
            let rect = Rect(
                panel.x + 8 + Double(index % columns) * cell.width, panel.y + 8 + Double(index / columns) * cell.height,
                cell.width, cell.height)
            let id = ControlID(.controls, choice.id)
            let tone: Tone = choice.isDestructive ? .destructive : choice.isChosen ? .accent : .primary
            let key = rect.inset(by: 4)
            if choice.isChosen { canvas.fill(id, .control, key, radius: 10) }
            canvas.press(id, key, radius: 10)
            canvas.symbol(id, choice.symbol, tone, in: Rect(rect.x, rect.y + 8, rect.width, min(glyph, rect.height - 16)), side: 28)
            let label = Rect(rect.x + 4, rect.y + glyph + 10, rect.width - 8, line(.caption) * 2)
            canvas.text(id, .message(choice.text), .caption, tone, label, .center, lines: 2)
            canvas.control(
                id, .button, .message(choice.text), key, press: choice.action, target: rect, chosen: choice.isChosen, focusRadius: 10)
        }
    }

    // MARK: App menu

    typealias MenuRow = (id: String, text: Text, symbol: Symbol?, action: Action?, tone: Tone)

    /// The entries of an app's menu.
    func menuRows(of app: String) -> [MenuRow] {
        let info = workspace.app(app)
        let windows = workspace.windows(of: app)
        var rows: [MenuRow] = []
        rows.append(("open", .message(.open), .fullScreen, .openApp(app: app), .primary))
        let hasSeveral = workspace.idiom.windowsOfApp == .several
        if let info, !info.isSingleWindow, !windows.isEmpty, hasSeveral {
            rows.append(("new", .message(.openNewWindow), .newWindow, .newWindow(app: app), .primary))
        }
        if !windows.isEmpty, hasSeveral { rows.append(("all", .message(.showAllWindows), .allWindows, .appExpose(app: app), .primary)) }
        if workspace.admits(.splitView(.left)), workspace.current != nil {
            rows.append(("split", .message(.openInSplitView), .splitRight, .openApp(app: app, to: .splitView(.right)), .primary))
        }
        if workspace.admits(.slideOver) {
            rows.append(("slide", .message(.openInSlideOver), .slideOver, .openApp(app: app, to: .slideOver), .primary))
        }
        let hasNew = rows.contains { $0.id == "new" }
        // Many apps have an action of their own with the effect of the row above.
        for action in (info?.actions ?? []).filter({ !(hasNew && $0.opensWindow) }).prefix(6) {
            rows.append(("action/\(action.id)", .verbatim(action.name), nil, .appAction(app: app, action: action.id), .primary))
        }
        if !windows.isEmpty {
            for reason in awake[windows[0]] ?? [] {
                switch reason {
                case .sound: rows.append(("stop", .message(.stopAudio), .stop, .stopInBackground(app: app), .destructive))
                case .recording: rows.append(("stop-recording", .message(.stopRecording), .stop, .stopInBackground(app: app), .destructive))
                case .call: rows.append(("end-call", .message(.endCall), .stop, .audio(.endCall), .destructive))
                case .pictureInPicture:
                    let pip = workspace.pip?.window ?? windows[0]
                    rows.append(("close-pip", .message(.closePip), .clear, .close(window: pip), .destructive))
                case .task(let task, let name, _):
                    rows.append(("task/\(task.raw)", .message(.endTask, [name]), .stop, .endTask(task.raw), .destructive))
                case .inhibits(let id, let name):
                    let text: Text = name.isEmpty ? .message(.endWork) : .message(.endTask, [name])
                    rows.append(("inhibitor/\(id.raw)", text, .stop, .endInhibitor(id.raw), .destructive))
                case .allowed:
                    rows.append(("forbid", .message(.stopInBackground), .stop, .stopInBackground(app: app), .destructive))
                case .called, .kept, .failed: break
                }
            }
            let isFixed = fixedApps.contains(app)
            rows.append(
                (
                    "keep", .message(.runInBackground), isFixed ? .lock : kept.contains(app) ? .check : nil,
                    isFixed ? nil : .keepRunning(app: app), isFixed ? .secondary : .primary
                ))
        }
        let isFixed = fixed.contains(.dock)
        if dockApps.own.contains(app) {
            rows.append(
                (
                    "undock", .message(.removeFromDock), isFixed ? .lock : .clear, isFixed ? nil : .removeFromDock(app: app),
                    isFixed ? .secondary : .destructive
                ))
        } else if info != nil {
            rows.append(
                (
                    "dock", .message(.addToDock), isFixed ? .lock : .add, isFixed ? nil : .addToDock(app: app),
                    isFixed ? .secondary : .primary
                ))
        }
        // Where there are pages of apps, a person arranges them.
        if info != nil, workspace.idiom.offers.contains(.home) {
            let isHidden = interface.homeOrder?.hidden.contains(app) ?? false
            rows.append(
                isHidden
                    ? ("show-on-home", .message(.showOnHome), .add, .arrangeHome(.show(app: app)), .primary)
                    : ("hide-from-home", .message(.hideFromHome), .minimize, .arrangeHome(.hide(app: app)), .primary))
        }
        return rows
    }

    private func addMenu(_ canvas: inout Canvas, _ app: String, _ anchor: Rect) {
        let rows = menuRows(of: app)
        let height = max(48, touch, min(line(.body) + 24, ((room.height - 16) / Double(max(1, rows.count))).rounded(.down)))
        let width = min(room.width - 16, max(260, scaled(260)))
        let size = Size(width, Double(rows.count) * height)
        let above = Rect((anchor.center.x - width / 2).rounded(), anchor.minY - 12 - size.height, width, size.height)
        let below = Rect(above.x, anchor.maxY + 12, width, size.height)
        let panel = kept(below.maxY <= room.maxY - 8 ? below : above)
        ground(&canvas, "menu", .panel, name(of: app), panel, radius: 14, shadow: 0.16)
        for (index, row) in rows.enumerated() {
            let rect = Rect(panel.x, panel.y + Double(index) * height, width, height)
            let id = ControlID(.menu, row.id)
            if index > 0 { canvas.fill(id, part: 9, .separator, Rect(rect.x + 16, rect.y, rect.width - 16, 1)) }
            canvas.press(id, rect.inset(by: 2), radius: 12)
            let glyph = max(28, min(48, scaled(28)))
            canvas.text(id, row.text, .body, row.tone, Rect(rect.x + 16, rect.y, rect.width - 16 - 24 - glyph, rect.height))
            if let symbol = row.symbol {
                canvas.symbol(id, symbol, row.tone, in: Rect(rect.maxX - 16 - glyph, rect.y, glyph, rect.height), side: 20)
            }
            canvas.control(id, .menuItem, row.text, rect.inset(by: 2), press: row.action, target: rect)
        }
    }

    // MARK: Notifications

    func addPanel(_ out: inout Canvas) {
        guard let shown = interface.panel, !shown.isGone(at: now) else { return }
        var canvas = self.canvas()
        let presence = max(0, shown.presence(at: now))
        canvas.isInert = !shown.isOpen
        canvas.fill("panel/scrim", .scrim, screen.bounds, opacity: min(1, presence))
        add(shown.content, to: &canvas, presence)
        out.append(canvas)
    }

    private func add(_ panel: Interface.Panel, to canvas: inout Canvas, _ presence: Double) {
        switch panel {
        case .notifications: addNotifications(&canvas, presence)
        case .controlCentre: addControlCentre(&canvas, presence)
        case .folder(let id): addFolder(&canvas, id, presence)
        }
    }

    /// The place of the panel that is in sight, and how far it slides until it is out of sight.
    public var panelCard: (frame: Rect, way: Double)? {
        guard let shown = interface.panel, !shown.isGone(at: now) else { return nil }
        var canvas = self.canvas()
        add(shown.content, to: &canvas, 1)
        guard let frame = canvas.controls.first(where: { $0.role == .panel })?.frame else { return nil }
        return (frame, panelWay(frame.height / growth) * growth)
    }

    func panelWay(_ height: Double) -> Double { height + 40 + margins.top }

    private func addNotifications(_ canvas: inout Canvas, _ presence: Double) {
        // A person who wants quiet, and has nothing in the list, still has to see that it is quiet.
        if interface.notices.settings != nil || notices.focus(at: now) != nil || !notices.isListEmpty {
            return addNoticeList(&canvas, presence)
        }
        let width = min(room.width - 32, scaled(440))
        let height = 20 + line(.title) + 20 + 96 + 16
        let panel = Rect((room.center.x - width / 2).rounded(), room.y + 16, width, height)
        canvas.shift = Vector(0, (presence - 1) * panelWay(height))
        ground(&canvas, "notifications", .panel, .message(.notifications), panel, radius: 24)
        canvas.text(
            "notifications/title", .message(.notifications), .title, .primary, Rect(panel.x + 24, panel.y + 20, width - 48, line(.title)))
        if notices.choices.isQuiet { addQuietButton(&canvas, Rect(panel.maxX - 24 - 44, panel.y + 20 + line(.title) / 2 - 22, 44, 44)) }
        let empty = Rect(panel.x + 24, panel.maxY - 112, width - 48, 96)
        canvas.symbol("notifications/empty", .bell, .secondary, in: Rect(empty.x, empty.y + 4, empty.width, 36), side: 28)
        canvas.text(
            "notifications/empty", .message(.noNotifications), .callout, .secondary,
            Rect(empty.x, empty.y + 48, empty.width, line(.callout)), .center)
        canvas.control("notifications/empty", .label, .message(.noNotifications), empty, focusable: false)
    }

    // MARK: The second window of a pair

    func addPicking(_ out: inout Canvas) {
        guard interface.picking != nil else { return }
        let width = min(room.width - 48, scaled(440)), height = max(44, line(.body) + 24)
        let rect = Rect((room.center.x - width / 2).rounded(), room.y + 12, width, height)
        out.shadow("picking", rect, radius: height / 2, opacity: 0.12)
        out.ground("picking", .panel, rect, radius: height / 2)
        out.control("picking", .panel, .message(.chooseSecond), rect, focusable: false)
        out.text("picking", .message(.chooseSecond), .body, .primary, Rect(rect.x + 24, rect.y, rect.width - 24 - 56, height))
        let close = Rect(rect.maxX - 48, rect.y, 36, height)
        out.symbol("picking/cancel", .close, .secondary, in: close, side: 18)
        out.control("picking/cancel", .button, .message(.cancel), Rect(center: close.center, size: Size(32, 32)), press: .dismiss)
    }
}
