import AudioSessions
import Geometry
import Lifecycle
import Notices
import Stage
import Status
import Windows

/// The user's choices for the look of the shell.
public struct Appearance: Hashable, Codable, Sendable {
    public var isDark: Bool
    public var increasedContrast: Bool
    /// Makes the backgrounds of the shell's own views opaque.
    public var reducesTransparency: Bool
    /// 1 is the default size; at most 2.
    public var textScale: Double
    /// Whether the language is written from right to left.
    public var isRightToLeft: Bool
    public var accent = Accent.blue
    /// The choices of a person in place of the configuration file; empty: none.
    public var wallpaper = "", language = "", direction = ""
    /// The wallpaper while the look is dark; empty: the same.
    public var darkWallpaper = ""
    /// Apps in the dock, by the names of their desktop entries; empty for a default choice.
    public var dock: [String]

    public init(
        isDark: Bool = false, increasedContrast: Bool = false, reducesTransparency: Bool = false, textScale: Double = 1,
        isRightToLeft: Bool = false, dock: [String] = []
    ) {
        self.isDark = isDark
        self.increasedContrast = increasedContrast
        self.reducesTransparency = reducesTransparency
        self.textScale = textScale
        self.isRightToLeft = isRightToLeft
        self.dock = dock
    }

    public static let textScales = 1.0...2.0

    /// Whether backgrounds are glass. Text on opaque backgrounds has the most contrast.
    public var hasGlass: Bool { !increasedContrast && !reducesTransparency }
}

/// Lays out every view of the shell from the state: items to draw and controls to hit, on a 4-point grid.
public struct Views {
    let interface: Interface
    let workspace: Workspace
    let stage: Stage
    let appearance: Appearance
    /// Why windows in the background run (S-06).
    let awake: [WindowID: [AwakeReason]]
    /// Apps that the user lets run in the background.
    let kept: [String]
    /// The audio state.
    let audio: AudioSummary
    let notices: Notices
    /// The state of the device, and the clients that share the screen.
    let device: DeviceSight
    let facts: SettingFacts
    let lock: LockSight
    let sharers: [UInt64]
    /// Whether animations are off. The control centre shows this.
    let reducedMotion: Bool
    /// The settings that the configuration file fixes, so that a person cannot choose them here, and the apps that it lets run.
    let fixed: FixedSettings
    let fixedApps: [String]
    /// The idioms that a person can choose.
    let idioms: [Idiom]
    /// Whether the surroundings of windows in the Shared Space are dark.
    public let isDim: Bool
    /// Keys and their actions, for the list of keys.
    let keys: [KeyLine]
    let now: Moment
    /// The screen in points of the views (`ViewMeasures`).
    let screen: Screen
    /// Points of the screen for each point of a view, and how much larger text is than that.
    let growth: Double
    let textGrowth: Double
    /// The safe area: the room that is kept clear at the edges, in points of the views.
    let margins: Insets

    /// nil if there is no screen.
    public init?(
        _ interface: Interface, _ workspace: Workspace, _ stage: Stage, _ appearance: Appearance, audio: AudioSummary = AudioSummary(),
        notices: Notices = Notices(), device: DeviceSight = DeviceSight(),
        facts: SettingFacts = SettingFacts(), lock: LockSight = LockSight(), sharers: [UInt64] = [], awake: [WindowID: [AwakeReason]] = [:],
        kept: [String] = [], reducedMotion: Bool,
        fixed: FixedSettings = [], fixedApps: [String] = [], idioms: [Idiom] = [], isDim: Bool = false, keys: [KeyLine] = [],
        at now: Moment
    ) {
        guard let screen = workspace.screen else { return nil }
        self.notices = notices
        self.device = device
        self.facts = facts
        self.lock = lock
        self.sharers = sharers
        self.isDim = isDim
        self.awake = awake
        self.kept = kept
        self.interface = interface
        self.workspace = workspace
        self.stage = stage
        self.appearance = appearance
        self.audio = audio
        self.reducedMotion = reducedMotion
        self.fixed = fixed
        self.fixedApps = fixedApps
        self.idioms = idioms
        self.keys = keys
        self.now = now
        let measures = workspace.idiom.views
        growth = measures.growth
        // The person's own text size takes precedence.
        textGrowth = measures.text == 1 ? 1 : max(1, min(measures.text, Appearance.textScales.upperBound / max(1, appearance.textScale)))
        margins = measures.margins(on: screen.size) * (1 / measures.growth)
        self.screen = measures.growth == 1 ? screen : screen.seen(by: measures.growth)
    }

    var status: Status { device.status }
    /// The area of the screen for views. The lock screen has the strip of the status bar too.
    var room: Rect { (lock.screen.isUp ? screen.whole : screen.usable).inset(by: margins) }
    /// A length that grows with the text size.
    func scaled(_ length: Double) -> Double { (length * appearance.textScale * textGrowth).rounded() }
    /// A rectangle of the screen in points of the views, and back.
    func own(_ rect: Rect) -> Rect { growth == 1 ? rect : rect.times(1 / growth) }
    public func onScreen(_ rect: Rect) -> Rect { growth == 1 ? rect : rect.times(growth) }
    /// The minimum side of a touch target, in points of the views.
    var touch: Double { max(44, workspace.idiom.target / growth) }
    func line(_ style: TextStyle) -> Double { scaled(style.lineHeight) }

    func canvas() -> Canvas {
        let measures = workspace.idiom.views
        var canvas = Canvas(
            target: workspace.idiom.target, growth: growth, textGrowth: textGrowth, focusRing: measures.focusRing, focus: interface.focus,
            pressed: lock.screen.isUp && lock.isPictured ? nil : interface.pressed)
        canvas.symbolGrowth = max(1, appearance.textScale * textGrowth)
        if appearance.isRightToLeft { canvas.mirror = room }
        if appearance.hasGlass {
            // The app switcher stands on the wallpaper alone.
            let isOverApps = interface.overview?.isGone(at: now) ?? true
            canvas.glass = workspace.screen.map { Canvas.Glass(screen: $0, opening: isOverApps ? interface.glassGround.opening : nil) }
        }
        return canvas
    }

    // MARK: Layers

    private func home() -> Canvas {
        var out = homeScreen()
        addStartNote(&out)
        guard workspace.idiom.layers.bars == .below else { return out }
        out.append(resting())
        return out
    }

    private func homeScreen() -> Canvas {
        guard isHomeSeen, !isPairAlone, !isDeskAlone, !isScrubbed else { return canvas() }
        var out = canvas()
        out.glass?.opening = nil
        // The app switcher stands on the wallpaper alone.
        out.opacity = 1 - overviewPresence
        guard out.opacity > 0.01 else { return out }
        addHome(&out)
        if workspace.showsHome, !workspace.hasStandingDock { addDock(&out, presence: 1, isHome: true) }
        return out
    }

    /// Behind a window that is dragged out of a pair, only the wallpaper shows, and nothing there can be pressed.
    private var isPairAlone: Bool {
        workspace.currentSpace?.split != nil && !workspace.showsHome && stage.cards.isEmpty
            && (interface.overview?.isGone(at: now) ?? true) && interface.launches.isEmpty
    }

    /// Between apps that are swiped along the lower edge of a phone lies the wallpaper alone.
    private var isScrubbed: Bool {
        guard workspace.idiom.arrangement == .single, !workspace.showsHome, stage.cards.isEmpty else { return false }
        return stage.isPushing || stage.isPanning(workspace, at: now)
    }

    /// Between freely stacked windows only the wallpaper shows, whatever moves, until a person goes home.
    private var isDeskAlone: Bool {
        workspace.isFreelyStacked && !workspace.showsHome && stage.cards.isEmpty && (interface.overview?.isGone(at: now) ?? true)
    }

    var isHomeSeen: Bool {
        workspace.showsHome || stage.isMoving(at: now) || interface.isMoving(at: now) || stage.hasHeldCard
            || stage.preview != nil || !stage.held.isEmpty || stage.isPushing || interface.isOverviewOpen
            || interface.launches.values.contains { !$0.isLeaving }
    }

    /// The shell's own content of a layer: the items that are drawn, and the controls that a touch meets there.
    public func canvas(of layer: ScreenLayer) -> Canvas {
        var out: Canvas
        switch layer {
        case .home: return home()
        case .bars: return workspace.idiom.layers.bars == .above ? resting() : canvas()
        case .windowViews: return modals(isLow: true)
        case .views: return modals(isLow: false)
        case .pictureControls: return pipControls()
        case .overlay: return overlay()
        case .wallpaper, .windows, .menus, .cards, .slideOver, .pinched, .lowPicture, .picture, .handles, .preview, .lifted, .edges,
            .panels,
            .dragIcon, .aroundDisc:
            return canvas()
        case .rest: return interface.rest == nil ? canvas() : restView()
        case .banners:
            out = banner()
            out.append(noticeBanner())
        case .switcherGround:
            out = canvas()
            addScrim(&out)
        case .launches:
            out = canvas()
            addLaunches(&out)
        case .marks:
            out = canvas()
            guard interface.overview?.isGone(at: now) ?? true else { break }
            if !workspace.showsHome { addIndicator(&out) }
            addDots(&out)
        case .switcher:
            out = canvas()
            addOverview(&out)
        case .shelf:
            out = canvas()
            addShelf(&out)
        case .dock:
            out = canvas()
            guard let dock = interface.dock, !dock.isGone(at: now), !workspace.showsHome, !workspace.hasStandingDock else { break }
            out.isInert = !dock.isOpen
            addDock(&out, presence: dock.presence(at: now), isHome: false)
        case .picking:
            out = canvas()
            addPicking(&out)
        case .status:
            out = canvas()
            addStatusBar(&out)
        case .unread:
            out = canvas()
            addUnreadDot(&out)
        case .panel:
            out = canvas()
            addPanel(&out)
        case .popover:
            out = canvas()
            addPopover(&out)
        case .carried:
            out = canvas()
            addLifted(&out)
        }
        return out
    }

    /// The controls of these layers, back to front.
    private func controls(_ first: ScreenLayer, to last: ScreenLayer) -> [ViewControl] {
        let all = ScreenLayer.allCases
        return all[all.firstIndex(of: first)!...all.firstIndex(of: last)!].flatMap { canvas(of: $0).controls }
    }

    /// All controls, also those that a view above them keeps from input now, back to front.
    public var everyControl: [ViewControl] { controls(.home, to: .rest) }

    /// The views that are always visible: menu bar and dock (W-25).
    public func resting() -> Canvas {
        var out = canvas()
        guard !interface.isOverviewOpen else { return out }
        if let bar = workspace.menuBar { addMenuBar(&out, bar) }
        if workspace.hasStandingDock { addDock(&out, presence: 1, isHome: false) }
        return out
    }

    /// The layer that takes all touches and keys: a menu before the panel below it.
    public var modalLayer: ScreenLayer? { interface.isPopoverOpen ? .popover : interface.isPanelOpen ? .panel : nil }

    /// All controls that can be used now, back to front, for keyboard and screen reader, in the order of drawing.
    ///
    /// - Parameter covered: whether those count, too, that a banner or another panel covers for now.
    public func operable(covered: Bool = true) -> [ViewControl] {
        if let modalLayer { return canvas(of: modalLayer).controls }
        let front = controls(.pictureControls, to: .rest)
        let isWhole = interface.isOverviewOpen || interface.modals.contains { $0.isOpen && $0.content.window == nil }
        let lower: [ViewControl]
        if interface.isOverviewOpen {
            lower = controls(.launches, to: .shelf) + canvas(of: .status).controls
        } else if isWhole {
            lower = canvas(of: .windowViews).controls + canvas(of: .views).controls
        } else {
            var below =
                workspace.showsHome || interface.startNote != nil
                ? home().controls : workspace.idiom.layers.bars == .below ? resting().controls : []
            if !covered, workspace.showsHome {
                let windows = workspace.shownWindows.compactMap { stage.frame(of: $0, at: now) }
                below.removeAll { control in
                    // A card's menu reaches past it.
                    windows.contains { $0.contains(control.frame.center) } || isCovered(control, by: .menus)
                        || isCovered(control, by: .slideOver)
                }
            }
            var low = canvas(of: .windowViews).controls
            if !covered { low.removeAll { isCovered($0, by: .slideOver) } }
            lower = below + canvas(of: .bars).controls + low + controls(.launches, to: .shelf)
        }
        if covered { return isWhole ? lower : lower + front }
        let picture: ScreenLayer = workspace.idiom.layers.picture == .above ? .picture : .lowPicture
        // The shelf stands above a view for the whole screen.
        let above = isWhole && !interface.isOverviewOpen ? canvas(of: .shelf).controls + front : front
        // Only a card near the picture is looked at as a whole.
        let near = workspace.pip.flatMap { stage.frame(of: $0.window, at: now) }?.inset(by: -64)
        var seen = Views.seen(of: lower, below: above)
        // A card whose own buttons are covered is touched in the middle of the whole card, which may be covered, too.
        while true {
            let next = seen.filter { control in
                let parts = near?.intersects(onScreen(control.frame)) ?? false ? seen : []
                return control.id.isPart(of: "picture")
                    || !isCovered(control, by: picture, among: parts) && !isCovered(control, by: .lifted)
            }
            guard next.count < seen.count, near != nil else {
                seen = next
                break
            }
            seen = next
        }
        return isWhole ? seen : seen + Views.seen(of: front)
    }

    /// P-01: whether a finger at the centre of a control meets a window on this layer: also the strips of a card, or the dots of a dialog
    /// on it, which reach past its edge.
    private func isCovered(_ control: ViewControl, by layer: ScreenLayer, among all: [ViewControl] = []) -> Bool {
        control.role != .panel
            && stage.hit(onScreen(Views.ownPart(of: control, among: all)).center, workspace, on: layer, at: now) != .background
    }

    /// The part of a card above its own buttons, which stand at its lower end; the whole frame of another control.
    public static func ownPart(of control: ViewControl, among all: [ViewControl]) -> Rect {
        var own = control.frame
        if control.role == .card,
            let top = all.filter({ $0.id != control.id && $0.isOperable && $0.id.isPart(of: control.id) }).map(\.frame.minY).min()
        {
            own.height = max(0, min(own.height, top - own.minY))
        }
        return own
    }

    /// P-01: the controls whose centre no later panel covers. A control that a finger cannot reach is not spoken.
    private static func seen(of controls: [ViewControl], below front: [ViewControl] = []) -> [ViewControl] {
        let panels = (controls + front).enumerated().filter { $0.element.role == .panel }
        return controls.enumerated().filter { index, control in
            control.role == .panel || !panels.contains { $0.offset > index && $0.element.frame.contains(control.frame.center) }
        }.map(\.element)
    }

    /// App Exposé takes the place of all windows: those that are none of its cards would show through (W-09).
    public var hidesWindows: Bool {
        guard let overview = interface.overview, overview.isOpen, case .expose = overview.content else { return false }
        return true
    }

    // MARK: Dim

    private func addScrim(_ out: inout Canvas) {
        guard overviewPresence > 0 else { return }
        out.fill("scrim", .scrim, screen.bounds, opacity: overviewPresence)
    }

    /// The opacity of the app switcher's background. Over an app it appears at once, because the app's own card hides
    /// it. Fading the whole screen would take the time that moving cards needs.
    public var overviewPresence: Double {
        guard let overview = interface.overview, !overview.isGone(at: now) else { return 0 }
        return workspace.showsHome ? max(0, min(1, overview.presence(at: now))) : 1
    }

    private func addIndicator(_ out: inout Canvas) {
        // In a shared space a full window leaves the edge free, and one behind others has no say (P-04).
        guard let line = workspace.idiom.homeLine, let whole = workspace.screen, let space = workspace.currentSpace,
            workspace.isFreelyStacked || !space.windows.contains(where: { workspace[$0]?.commit.wantsFullscreen ?? false })
        else { return }
        let bar = own(line.frame(on: whole))
        out.fill("indicator", .indicator, bar, radius: bar.height / 2)
        out.control(
            "indicator", .button, .message(.homeIndicator), bar.inset(by: -3).intersection(whole.bounds), press: .home,
            menu: interface.screenKeyboard == nil ? nil : .screenKeyboard(),
            target: Rect(center: bar.center, size: .zero), focusable: false)
    }

    /// Exposes controls that the stage draws and hit-tests to screen readers: the dots of each window, and the
    /// handles of windows that were pushed past an edge.
    private func addDots(_ out: inout Canvas) {
        let names = WindowNames(workspace)
        // Windows are not mirrored for right-to-left languages.
        let mirror = out.mirror
        out.mirror = nil
        defer { out.mirror = mirror }
        for handle in workspace.handles {
            switch handle.kind {
            case .slideOver:
                out.control(
                    "slide-over/show", .button, .message(.showSlideOver), own(handle.frame), press: .slideOverShow, focusable: false,
                    hittable: false)
            case .picture:
                out.control(
                    "picture/show", .button, .message(.showPip), own(handle.frame), press: .pipShow, focusable: false, hittable: false)
            }
        }
        if let pip = workspace.pip, pip.stashed == nil, !interface.isPipControlsOpen, let frame = stage.frame(of: pip.window, at: now) {
            out.control(
                "picture/controls", .button, .message(.pipControls, [names.of(pip.window)]), own(frame),
                press: .pipControls, focusable: workspace.idiom.views.alwaysFocuses, hittable: false)
        }
        let roots = workspace.shownRoots, rootFrames = roots.map { stage.frame(of: $0, at: now) ?? .zero }
        for window in workspace.shownWindows where workspace.pip?.window != window {
            guard workspace.idiom.dressing != .bare || workspace.root(of: window) != window else { continue }
            guard let frame = stage.frame(of: window, at: now) else { continue }
            // The controls of a bar that another window covers are not there (P-01).
            let index = workspace.isFree(workspace.root(of: window)) ? roots.firstIndex(of: workspace.root(of: window)) : nil
            func isSeen(_ place: Rect) -> Bool { index.map { !rootFrames[($0 + 1)...].contains { $0.contains(place) } } ?? true }
            var pill = Stage.gripPill(of: stage.sheetCard(of: window, frame, workspace), isSheet: stage.isPulled(window), workspace)
            for (control, place) in stage.barControls(of: window, workspace, at: now) where control != .close && isSeen(place) {
                let close = own(place)
                out.control(
                    ControlID(.sheet, "\(window.raw)/\(control.rawValue)"), .button,
                    .detailed(control == .zoom ? .fullScreen : .minimize, names.of(window)), close,
                    press: control == .minimize ? .minimize(window: window) : .toggleTile(window: window, to: .whole),
                    focusable: false, hittable: false)
            }
            if let close = stage.barControls(of: window, workspace, at: now).first(where: { $0.control == .close })?.frame, isSeen(close) {
                out.control(
                    ControlID(.sheet, "\(window.raw)/close"), .button, .message(.closeNamed, [names.of(window)]), own(close),
                    press: .close(window: window),
                    focusable: false, hittable: false)
            }
            if workspace.slideOver.stack.contains(window) {
                let card = workspace.cardAround(frame)
                pill = Rect(center: Point(card.center.x, card.minY + workspace.idiom.slideOver.topStrip / 2), size: pill.size)
            }
            guard stage.hasGrip(window, workspace), !workspace.isFree(window) else { continue }
            out.control(
                ControlID(.dots, window.raw), .button, .message(.windowControls, [names.of(window)]), own(pill),
                press: .controls(window: window), focusable: false, hittable: false)
        }
    }

    // MARK: Apps

    func icon(of app: String) -> AppIcon {
        if let app = workspace.app(app) { return AppIcon(name: app.icon, title: app.name) }
        let window = workspace.windows(of: app).first
        return AppIcon(name: app.lowercased(), title: window.map(workspace.appName) ?? app)
    }

    func name(of app: String) -> Text { .verbatim(plainName(of: app)) }

    /// The name with the number of waiting windows, which the icon shows as a badge (W-19).
    func spokenName(of app: String) -> Text {
        let waiting = workspace.waitingWindows(of: app).count, unread = notices.badge(of: app)
        if waiting == 0, unread > 0 { return .message(.appWithNotices, [plainName(of: app), "\(unread)"]) }
        return waiting > 0 ? .message(.appWithBadge, [plainName(of: app), "\(waiting)"]) : name(of: app)
    }

    func plainName(of app: String) -> String {
        workspace.app(app)?.name ?? workspace.windows(of: app).first.map(workspace.appName) ?? app
    }
}
