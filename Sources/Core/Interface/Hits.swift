import Geometry
import Idioms
import Stage
import Windows

/// The target of a finger or the pointer: the shell's own views before windows, windows before the home screen.
///
/// A locker comes before all of them. Then come surfaces of other programs above everything, which an adapter reports with the input.
/// Panels below the windows come last: they get the input on the background.
extension Views {
    /// How long a new banner takes no touch, in seconds: a person who was about to touch the app below means the app.
    public static let touchGuard = 0.5

    /// Whether a touch needs the views to find its target. Most input is over apps, a thousand times a second.
    public static func mayBeHit(_ point: Point, precise: Bool, _ interface: Interface, _ workspace: Workspace) -> Bool {
        interface.isModal || interface.isShelfOpen || interface.isDockOpen || interface.picking != nil || interface.isPipControlsOpen
            || interface.isBannerOpen || interface.isNoticeOpen || workspace.showsHome || !interface.modals.isEmpty
            || interface.panel != nil || interface.dock != nil || isOnIndicator(point, workspace, precise: precise)
            || workspace.mayRest(at: point) || workspace.statusBar?.contains(point) ?? false
    }

    /// - Parameter precise: whether a pointer points, which needs no enlarged targets.
    public func hit(_ point: Point, precise: Bool = false) -> Hit {
        guard let screen = workspace.screen else { return .background }
        let touch = Touch(
            point: point, precise: precise, edge: Stage.edge(at: point, screen, workspace.idiom, precise: precise),
            bar: workspace.mayRest(at: point) ? restingHit(point, precise: precise) : nil)
        for layer in ScreenLayer.allCases.reversed() { if let hit = hit(touch, on: layer) { return hit } }
        return .background
    }

    private struct Touch {
        var point: Point
        var precise: Bool
        /// The edge of the screen that is here.
        var edge: Side?
        /// The part of the menu bar or the standing dock that is here.
        var bar: Hit?
        /// The edge, if a finger is there: where a view takes no touch of its own, a swipe may begin.
        var swiped: Side? { precise || bar != nil ? nil : edge }
    }

    /// The target of a touch on a layer; nil: the layers below get it.
    private func hit(_ touch: Touch, on layer: ScreenLayer) -> Hit? {
        let point = touch.point, precise = touch.precise, edge = touch.edge
        switch layer {
        case .popover, .panel:
            if layer == .popover, interface.isPromptNew(at: now) { return .panel }
            if modalLayer == layer { return canvas(of: layer).reached(at: point, precise: precise) ?? .outside }
            return layer == .panel && isPanelMoving(at: point, isLeaving: true) ? .panel : nil
        case .banners:
            guard precise || edge == nil else { return nil }
            return bannerHit(point, precise: precise)
        case .status:
            guard let control = canvas(of: layer).hit(point, precise: precise), control.isOperable else { return nil }
            return .view(control.id)
        case .picking, .dock:
            // While the dock passes the lower edge, a swipe that begins there is the edge's.
            guard edge != .bottom || precise || interface.dock?.isSettled(at: now) ?? true else { return nil }
            if layer == .dock, isDock(at: point, isLeaving: true) { return .panel }
            guard layer == .dock ? interface.isDockOpen : interface.picking != nil else { return nil }
            return canvas(of: layer).reached(at: point, precise: precise)
        case .edges:
            // A gesture that begins at an edge belongs to the edge, even where Picture in Picture reaches into it.
            guard let edge = touch.swiped, workspace.showsHome || interface.isOverviewOpen, Views.isInRoom(point, workspace)
            else { return nil }
            return .edge(edge)
        case .pictureControls:
            guard interface.isPipControlsOpen, let control = canvas(of: layer).hit(point, precise: precise), control.isOperable,
                workspace.pip.flatMap({ stage.frame(of: $0.window, at: now) })?.contains(point) ?? false
            else { return nil }
            return .view(control.id)
        case .shelf:
            guard interface.isShelfOpen, precise || edge != .bottom else { return nil }
            return canvas(of: layer).reached(at: point, precise: precise)
        case .switcher:
            guard interface.isOverviewOpen else { return nil }
            if edge == .bottom { return .edge(.bottom) }
            if let control = canvas(of: layer).hit(point, precise: precise), control.isOperable { return .view(control.id) }
            return .overview
        case .views, .windowViews:
            guard interface.modals.contains(where: { $0.isOpen && self.layer(of: $0.content) == layer }) else { return nil }
            if let edge = touch.swiped { return .edge(edge) }
            let canvas = self.canvas(of: layer)
            guard let control = canvas.hit(point, precise: precise), !control.id.isPart(of: "modal") || control.isOperable else {
                return canvas.covers(point) || canvas.hit(point, precise: precise) != nil ? .panel : nil
            }
            // The words on a card are not what lies beside it: a tap on them leaves nothing (M-01).
            let isOnCard =
                control.role == .panel && canvas.controls.contains { $0.role == .panel && $0.press == nil && $0.frame.contains(point) }
            return isOnCard ? .panel : .view(control.id)
        case .marks:
            guard precise || Views.isOnIndicator(point, workspace, precise: false) else { return nil }
            // For a finger the line at the bottom only marks the edge, where there is one.
            guard let control = canvas(of: layer).hit(point, precise: precise), control.isOperable,
                precise || edge != .bottom || control.id != .indicator
            else { return nil }
            return .view(control.id)
        case .bars: return workspace.idiom.layers.bars == .above ? touch.bar : nil
        case .handles, .lifted, .picture, .lowPicture, .slideOver, .menus, .windows:
            let hit = stage.hit(point, workspace, on: layer, precise: precise, at: now)
            return hit == .background ? nil : hit
        case .home:
            if let bar = touch.bar { return bar }
            guard workspace.showsHome, let screen = workspace.screen else { return nil }
            let isInside = screen.usable.contains(point)
            if isInside, let edge { return .edge(edge) }
            // On a round screen icons stand around the square for apps.
            if Views.isInRoom(point, workspace), let control = canvas(of: layer).hit(point, precise: precise), control.isOperable {
                return .view(control.id)
            }
            return isInside ? .home : nil
        case .wallpaper, .switcherGround, .cards, .pinched, .launches, .preview, .unread, .carried, .overlay, .rest, .panels, .dragIcon,
            .aroundDisc:
            return nil
        }
    }

    /// The part of the banner in sight that is under a finger or the pointer.
    private func bannerHit(_ point: Point, precise: Bool) -> Hit? {
        guard interface.isNoticeOpen || interface.isBannerOpen else { return nil }
        let canvas = interface.isNoticeOpen ? noticeBanner() : banner()
        guard canvas.covers(point) else { return nil }
        let seenSince = interface.isNoticeOpen ? interface.notices.banner?.seenSince : interface.banner?.seenSince
        guard now - (seenSince ?? now) >= Views.touchGuard, let control = canvas.hit(point, precise: precise), control.isOperable
        else { return .panel }
        return .view(control.id)
    }

    /// The part of the menu bar or the standing dock at a point; nil: neither.
    private func restingHit(_ point: Point, precise: Bool) -> Hit? {
        guard !interface.isModal, interface.picking == nil, let screen = workspace.screen else { return nil }
        // An upward swipe begins below the dock.
        if !precise, Stage.edge(at: point, screen, workspace.idiom, precise: false) == .bottom { return nil }
        return resting().reached(at: point, precise: precise)
    }

    /// Whether the panel is drawn here, and visibly moves. `isLeaving`: only if it goes away.
    public func isPanelMoving(at point: Point, isLeaving: Bool = false) -> Bool {
        guard let shown = interface.panel, !shown.isGone(at: now), !(isLeaving && shown.isOpen), !interface.isPopoverOpen,
            let card = panelCard
        else { return false }
        let presence = shown.presence(at: now)
        guard abs((shown.isOpen ? 1 : 0) - presence) * card.way > Stage.stillMoving else { return false }
        return card.frame.offset(by: Vector(0, (presence - 1) * card.way)).contains(point)
    }

    /// Whether the dock over an app is drawn here. `isLeaving`: only if it visibly goes away.
    public func isDock(at point: Point, isLeaving: Bool = false) -> Bool {
        guard let shown = interface.dock, !shown.isGone(at: now), !workspace.showsHome, !interface.isModal,
            !(isLeaving && shown.isOpen),
            // One that leaves because another idiom began is not caught: that may offer none.
            workspace.idiom.offers.contains(.dock),
            let card = dockCard
        else { return false }
        let presence = shown.presence(at: now)
        guard !isLeaving || presence * card.way > Stage.stillMoving else { return false }
        return card.frame.offset(by: Vector(0, (1 - presence) * card.way)).contains(point)
    }

    /// Whether a point is outside the zones that panels reserve. Some devices report the very edge as a point beyond it.
    public static func isInRoom(_ point: Point, _ workspace: Workspace) -> Bool {
        guard let screen = workspace.screen else { return false }
        let size = screen.size
        return screen.unreserved.contains(Point(max(0, min(size.width - 0.01, point.x)), max(0, min(size.height - 0.01, point.y))))
    }

    /// Whether the line at the bottom is pressed here, or close enough to it: by the pointer, and by a finger where no swipe begins there.
    static func isOnIndicator(_ point: Point, _ workspace: Workspace, precise: Bool) -> Bool {
        guard let screen = workspace.screen else { return false }
        return (precise || Stage.edge(at: point, screen, workspace.idiom, precise: false) != .bottom) && point.y > screen.usable.maxY - 16
            && (workspace.idiom.homeLine?.frame(on: screen).inset(by: -4).contains(point) ?? false)
    }

    /// The edge gesture that a finger at this point may begin, whatever lies there: a title bar, the dots, a card, Picture
    /// in Picture. Over the shell's own views, `hit` itself reports edges.
    public static func edgeClaim(_ point: Point, _ hit: Hit, _ workspace: Workspace, _ stage: Stage, isModal: Bool) -> Side? {
        guard let screen = workspace.screen, workspace.idiom.edge > 0, !hit.isOfInterface || (isOnBar(hit) && !isModal),
            workspace.currentSpace != nil || isOnBar(hit), isInRoom(point, workspace)
        else { return nil }
        // M-03: the grip of a tall sheet stands at the upper edge, and a swipe down from there is the sheet's.
        if case .window(let id, .grip) = hit, stage.isSheet(id) { return nil }
        return Stage.edge(at: point, screen, workspace.idiom, precise: false)
    }

    /// Whether a point is in the strip along the lower edge of the screen itself, where a panel may stand.
    public static func isLowerEdge(_ point: Point, _ workspace: Workspace) -> Bool {
        guard let screen = workspace.screen, workspace.idiom.edge > 0, workspace.idiom.zones.bottom != .nothing else { return false }
        return point.y >= screen.size.height - workspace.idiom.edge
    }

    /// Whether a finger is on the menu bar or the status bar, where a tap opens a menu or a panel, and a pull down the panels.
    public static func isOnBar(_ hit: Hit) -> Bool {
        if case .view(let id) = hit { id.area == .menuBar || id.area == .status } else { false }
    }

    public func control(_ id: ControlID) -> ViewControl? {
        // The last match is in front.
        operable().last { $0.id == id } ?? everyControl.last { $0.id == id }
    }

    /// Whether a finger that rests at a point of the lower edge calls the on-screen keyboard: on the line there, or close to it.
    public func callsKeyboard(at point: Point) -> Bool {
        guard let screen = workspace.screen, let control = canvas(of: .marks).controls.first(where: { $0.id == .indicator }) else {
            return false
        }
        let line = control.frame.inset(by: -12)
        return (line.minX...line.maxX).contains(point.x) && point.y >= screen.usable.maxY - workspace.idiom.edge
    }
}
