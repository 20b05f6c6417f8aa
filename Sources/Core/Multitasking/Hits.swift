import Geometry
import Interface
import Stage
import Windows

/// What is under a finger or the pointer: the shell's own views before windows, windows before the home screen.
extension System {
    /// `precise`: a pointer, which needs no larger targets than what it sees.
    func hit(_ point: Point, precise: Bool = false, at now: Moment) -> Hit {
        guard let screen = workspace.screen else { return .background }
        guard interface.isModal || interface.isShelfOpen || interface.isDockOpen || interface.picking != nil || interface.isPipControlsOpen
            || workspace.showsHome || (precise && isOnIndicator(point, screen))
        else {
            // Most input is over apps, a thousand times a second.
            return stage.hit(point, workspace, precise: precise, at: now)
        }
        guard let views = views(at: now) else { return .background }
        if interface.isPopoverOpen || interface.isPanelOpen {
            let canvas = views.modal()
            if let control = canvas.hit(point, precise: precise), control.isOperable { return .view(control.id) }
            return canvas.covers(point) ? .panel : .outside
        }
        if interface.isDockOpen || interface.picking != nil {
            let canvas = views.front()
            if let control = canvas.hit(point, precise: precise), control.isOperable { return .view(control.id) }
            if canvas.covers(point) { return .panel }
        }
        let edge = Stage.edge(at: point, screen, workspace.idiom, precise: precise)
        // What a finger begins at an edge is the edge's, also where a picture reaches into it.
        if !precise, let edge, workspace.showsHome || interface.isOverviewOpen, isInRoom(point, screen) { return .edge(edge) }
        let below = stage.hit(point, workspace, precise: precise, at: now)
        switch below {
        case .picture:
            if interface.isPipControlsOpen, let control = views.pipControls().hit(point, precise: precise), control.isOperable {
                return .view(control.id)
            }
            return below
        case .pipTab: return below
        default: break
        }
        if interface.isOverviewOpen {
            if edge == .bottom { return .edge(.bottom) }
            let canvas = views.middle()
            if let control = canvas.hit(point, precise: precise), control.isOperable { return .view(control.id) }
            return .overview
        }
        if interface.isShelfOpen || precise {
            let canvas = views.middle()
            // The line at the bottom is a button for the pointer; for a finger it marks the edge.
            if let control = canvas.hit(point, precise: precise), control.isOperable, precise || control.id != .indicator {
                return .view(control.id)
            }
            if canvas.covers(point), precise || edge != .bottom { return .panel }
        }
        guard below == .background, workspace.showsHome, screen.usable.contains(point) else { return below }
        if let edge { return .edge(edge) }
        if let control = views.home().hit(point, precise: precise), control.isOperable { return .view(control.id) }
        return .home
    }

    /// The edge that a finger comes from, if it comes from one, whatever lies there: a title bar, the dots, a card, a picture.
    /// Where the shell's own views are, `hit` says so by itself.
    func edgeClaim(_ point: Point, _ hit: Hit) -> Side? {
        guard let screen = workspace.screen, workspace.idiom.edge > 0, !hit.isOfInterface, workspace.currentSpace != nil,
            isInRoom(point, screen)
        else { return nil }
        return Stage.edge(at: point, screen, workspace.idiom, precise: false)
    }

    /// Not on a panel that keeps a part of the screen for itself. Some devices report the very edge as a point beyond it.
    private func isInRoom(_ point: Point, _ screen: Screen) -> Bool {
        let size = screen.size
        return screen.usable.contains(Point(max(0, min(size.width - 0.01, point.x)), max(0, min(size.height - 0.01, point.y))))
    }

    /// On the line at the bottom, or so near to it that the pointer is.
    private func isOnIndicator(_ point: Point, _ screen: Screen) -> Bool {
        point.y > screen.usable.maxY - 16 && Views.indicator(on: screen).inset(by: -4).contains(point)
    }

    func control(_ id: ControlID, at now: Moment) -> ViewControl? {
        guard let views = views(at: now) else { return nil }
        // The last one lies in front.
        return views.operable().last { $0.id == id } ?? views.front().controls.last { $0.id == id }
            ?? views.middle().controls.last { $0.id == id }
    }
}
