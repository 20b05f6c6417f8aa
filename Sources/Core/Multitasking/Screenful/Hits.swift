import Geometry
import Interface
import Stage
import Windows

/// The target of a finger or the pointer: the shell's own views before windows, windows before the home screen.
///
/// A locker comes before all of them (`WhileLocked`). Then come surfaces of other programs above everything (`Overlay`), which an
/// adapter reports with the input. Panels below the windows come last: they get the input on the background.
extension Screenful {
    /// `precise`: whether a pointer points, which needs no enlarged targets.
    func hit(_ point: Point, precise: Bool = false, at now: Moment) -> Hit {
        guard let screen = workspace.screen else { return .background }
        guard
            interface.isModal || interface.isShelfOpen || interface.isDockOpen || interface.picking != nil || interface.isPipControlsOpen
                || interface.isBannerOpen || interface.isNoticeOpen || workspace.showsHome || !interface.modals.isEmpty
                || interface.panel != nil
                || interface.dock != nil || isOnIndicator(point, screen, precise: precise) || workspace.mayRest(at: point)
        else {
            // Most input is over apps, a thousand times a second.
            return stage.hit(point, workspace, precise: precise, at: now)
        }
        guard let views = views(at: now) else { return .background }
        let touch = Touch(
            point: point, precise: precise, edge: Stage.edge(at: point, screen, workspace.idiom, precise: precise),
            bar: workspace.mayRest(at: point) ? restingHit(point, precise: precise, views, at: now) : nil)
        for layer in ScreenLayer.allCases.reversed() { if let hit = hit(touch, on: layer, views, at: now) { return hit } }
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
    private func hit(_ touch: Touch, on layer: ScreenLayer, _ views: Views, at now: Moment) -> Hit? {
        let point = touch.point, precise = touch.precise, edge = touch.edge
        switch layer {
        case .popover, .panel:
            if views.modalLayer == layer { return views.canvas(of: layer).reached(at: point, precise: precise) ?? .outside }
            return layer == .panel && isPanelMoving(at: point, isLeaving: true, at: now) ? .panel : nil
        case .banners:
            guard precise || edge == nil else { return nil }
            return bannerHit(point, precise: precise, views, at: now)
        case .picking, .dock:
            // While the dock passes the lower edge, a swipe that begins there is the edge's.
            guard edge != .bottom || precise || interface.dock?.isSettled(at: now) ?? true else { return nil }
            if layer == .dock, isDock(at: point, isLeaving: true, at: now) { return .panel }
            guard layer == .dock ? interface.isDockOpen : interface.picking != nil else { return nil }
            return views.canvas(of: layer).reached(at: point, precise: precise)
        case .edges:
            // A gesture that begins at an edge belongs to the edge, even where Picture in Picture reaches into it.
            guard let edge = touch.swiped, workspace.showsHome || interface.isOverviewOpen, let screen = workspace.screen,
                isInRoom(point, screen)
            else { return nil }
            return .edge(edge)
        case .pictureControls:
            guard interface.isPipControlsOpen, let control = views.canvas(of: layer).hit(point, precise: precise), control.isOperable,
                workspace.pip.flatMap({ stage.frame(of: $0.window, at: now) })?.contains(point) ?? false
            else { return nil }
            return .view(control.id)
        case .shelf:
            guard interface.isShelfOpen, precise || edge != .bottom else { return nil }
            return views.canvas(of: layer).reached(at: point, precise: precise)
        case .switcher:
            guard interface.isOverviewOpen else { return nil }
            if edge == .bottom { return .edge(.bottom) }
            if let control = views.canvas(of: layer).hit(point, precise: precise), control.isOperable { return .view(control.id) }
            return .overview
        case .views, .windowViews:
            guard interface.modals.contains(where: { $0.isOpen && views.layer(of: $0.content) == layer }) else { return nil }
            if let edge = touch.swiped { return .edge(edge) }
            let canvas = views.canvas(of: layer)
            guard let control = canvas.hit(point, precise: precise), !control.id.isPart(of: "modal") || control.isOperable else {
                return canvas.covers(point) || canvas.hit(point, precise: precise) != nil ? .panel : nil
            }
            // The words on a card are not what lies beside it: a tap on them leaves nothing (M-01).
            let isOnCard =
                control.role == .panel && canvas.controls.contains { $0.role == .panel && $0.press == nil && $0.frame.contains(point) }
            return isOnCard ? .panel : .view(control.id)
        case .marks:
            guard let screen = workspace.screen, precise || isOnIndicator(point, screen, precise: false) else { return nil }
            // For a finger the line at the bottom only marks the edge, where there is one.
            guard let control = views.canvas(of: layer).hit(point, precise: precise), control.isOperable,
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
            if isInRoom(point, screen), let control = views.canvas(of: layer).hit(point, precise: precise), control.isOperable {
                return .view(control.id)
            }
            return isInside ? .home : nil
        case .wallpaper, .switcherGround, .cards, .pinched, .launches, .preview, .unread, .carried, .overlay, .rest, .panels, .dragIcon,
            .aroundDisc:
            return nil
        }
    }

    /// The edge gesture that a finger at this point may begin, whatever lies there: a title bar, the dots, a card, Picture
    /// in Picture. Over the shell's own views, `hit` itself reports edges.
    func edgeClaim(_ point: Point, _ hit: Hit) -> Side? {
        guard let screen = workspace.screen, workspace.idiom.edge > 0, !hit.isOfInterface || isOnMenuBar(hit),
            workspace.currentSpace != nil,
            isInRoom(point, screen)
        else { return nil }
        // M-03: the grip of a tall sheet stands at the upper edge, and a swipe down from there is the sheet's.
        if case .window(let id, .grip) = hit, stage.isSheet(id) { return nil }
        return Stage.edge(at: point, screen, workspace.idiom, precise: false)
    }

    /// Whether a point is in the strip along the lower edge of the screen itself, where a panel may stand.
    func isLowerEdge(_ point: Point) -> Bool {
        guard let screen = workspace.screen, workspace.idiom.edge > 0, workspace.idiom.zones.bottom != .nothing else { return false }
        return point.y >= screen.size.height - workspace.idiom.edge
    }

    /// Whether a point is outside the zones that panels reserve. Some devices report the very edge as a point beyond it.
    private func isInRoom(_ point: Point, _ screen: Screen) -> Bool {
        let size = screen.size
        return screen.unreserved.contains(Point(max(0, min(size.width - 0.01, point.x)), max(0, min(size.height - 0.01, point.y))))
    }

    /// Whether the line at the bottom is pressed here, or close enough to it: by the pointer, and by a finger where no swipe begins there.
    private func isOnIndicator(_ point: Point, _ screen: Screen, precise: Bool) -> Bool {
        (precise || Stage.edge(at: point, screen, workspace.idiom, precise: false) != .bottom) && point.y > screen.usable.maxY - 16
            && (workspace.idiom.homeLine?.frame(on: screen).inset(by: -4).contains(point) ?? false)
    }

    func control(_ id: ControlID, at now: Moment) -> ViewControl? {
        guard let views = views(at: now) else { return nil }
        // The last match is in front.
        return views.operable().last { $0.id == id } ?? views.everyControl.last { $0.id == id }
    }

    // MARK: Meaning of a press

    /// Whether a finger here belongs to the shell from the beginning.
    func isOfShell(_ hit: Hit) -> Bool {
        switch hit {
        case .divider(let over): over == nil
        case .border, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .window(_, .grip): true
        // A tap shows its controls. An app that made its own Picture in Picture window has its own handles (xx-pip).
        case .picture(let window): !(workspace[window]?.facts.isPip ?? false)
        case .window, .background: false
        case .view, .home, .overview, .panel, .outside, .edge, .inert: true
        }
    }

    /// The axis along which a drag that begins here is the shell's; nil if it never is.
    func dragAxis(of hit: Hit) -> Trace.DragAxis? {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split, let screen = workspace.screen else { return nil }
            return split.axis(on: screen.size) == .horizontal ? .horizontal : .vertical
        case .picture: return .any
        case .window(_, .grip), .window(_, .cardTop): return .any
        case .window(_, .bottom): return .any
        case .window(_, .cardBottom): return .horizontal
        case .window(let id, .sheet): return workspace.blocker(of: id) == nil && !workspace.sinking.contains(id) ? .down : nil
        case .window(_, .top): return .vertical
        case .window(_, nil), .border, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .background, .view, .home, .overview,
            .panel, .outside, .edge, .inert:
            return nil
        }
    }

    /// Whether the item that a finger would hold here is still in motion: then the finger catches it at once, where it is drawn.
    func isInFlight(_ hit: Hit, at now: Moment) -> Bool {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split else { return false }
            return stage.isInFlight(split.first, at: now) || stage.isInFlight(split.second, at: now)
        case .picture(let id), .window(let id, .cardTop), .window(let id, .cardBottom), .cardTop(let id), .cardBottom(let id),
            .window(let id, .sheet):
            return stage.isInFlight(id, at: now)
        default: return false
        }
    }

    func cursor(for hit: Hit) -> Cursor? {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split, let screen = workspace.screen else { return .arrow }
            return split.axis(on: screen.size) == .horizontal ? .resizeHorizontally : .resizeVertically
        case .border(_, let border):
            return border.y == 0
                ? .resizeHorizontally : border.x == 0 ? .resizeVertically : border.x == border.y ? .resizeDiagonally : .resizeUpwards
        case .window(let id, .grip) where workspace.isFree(id): return .arrow
        case .cardTop, .cardBottom, .slideOverHandle, .pipTab, .window(_, .grip), .view: return .hand
        case .overview, .panel, .outside, .edge, .inert: return .arrow
        case .home: return interface.isModal ? .arrow : nil
        case .window, .picture, .background: return nil
        }
    }

    /// A press outside closes the menus that hold the input.
    mutating func dismissPopups(outside hit: Hit, at now: Moment, _ turn: inout Turn) {
        // A view of the shell over a popover leaves it alone (M-11).
        if workspace.hasChildren, !hit.isOfInterface {
            for popover in workspace.popovers(outside: hit.window) { turn.ask(.dismissSheet(popover)) }
        }
        for id in workspace.popupOwners where hit.window != id && stage.shown[id] != nil && workspace[id]!.popupGrab {
            dismissPopups(of: id, &turn)
        }
    }

    /// Views that lie over an app go away when the app is touched (W-08).
    mutating func leaveViews(for hit: Hit, at now: Moment, _ turn: inout Turn) {
        if interface.focus?.area == .dock, workspace.hasStandingDock, !hit.isOfInterface {
            interface.focus = nil
            turn.ask(.settle())
        }
        guard interface.isShelfOpen || interface.isDockOpen, !hit.isOfInterface else { return }
        interface.close(.shelf, at: now, spring: spring)
        interface.close(.dock, at: now, spring: spring)
        turn.ask(.settle())
    }
}
