import Geometry
import Windows

/// The target of a finger or the pointer.
public enum Hit: Hashable, Codable, Sendable {
    /// An app's window. With `grip`, a drag that starts here may become the shell's.
    case window(WindowID, Edge?)
    /// The bar between two windows. A finger near it hits it too; then `over` is the window there.
    case divider(over: WindowID?)
    case cardTop(WindowID)
    case cardBottom(WindowID)
    /// The band outside of a freely stacked window, where a drag resizes it (W-25).
    case border(WindowID, Border)
    case slideOverHandle
    case picture(WindowID)
    case pipTab
    case background
    /// One of the shell's own controls, by id.
    case view(ControlID)
    /// The home screen between its icons, and the app switcher between its cards.
    case home, overview
    /// A panel's own background.
    case panel
    /// Outside a modal view. A tap closes the view.
    case outside
    /// A screen edge without a window.
    case edge(Side)
    /// A window that a modal view keeps from input (M-02).
    case inert(WindowID)

    /// Parts of an app's window where a drag belongs to the shell.
    public enum Edge: String, Hashable, Codable, Sendable {
        /// The dots at the top centre (W-07): a tap opens the controls, a drag lifts the window.
        case grip
        /// The bottom edge of the screen: swipes between spaces, and up to the dock, the app switcher and home.
        case bottom
        /// The top edge: pulls down notifications and the control centre.
        case top
        /// Just below a card's top strip, or just above its bottom strip.
        case cardTop, cardBottom
        /// The content of a sheet that is scrolled to its top: a drag down pulls the sheet (M-03).
        case sheet
    }

    /// The window that would get a tap here.
    public var window: WindowID? {
        switch self {
        case .window(let id, _), .picture(let id): id
        case .divider(let over): over
        case .border, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .background, .view, .home, .overview, .panel,
            .outside, .edge, .inert:
            nil
        }
    }

    /// The window here that a modal view keeps from input.
    public var inertWindow: WindowID? { if case .inert(let id) = self { id } else { nil } }

    /// The shell's own views.
    public var isOfInterface: Bool {
        switch self {
        case .view, .home, .overview, .panel, .outside, .edge: true
        default: false
        }
    }
}

extension Stage {
    /// - Parameters:
    ///   - layer: the layer that counts alone; nil: all of them, front to back.
    ///   - precise: for a pointer, which needs no enlarged targets.
    public func hit(_ point: Point, _ workspace: Workspace, on layer: ScreenLayer? = nil, precise: Bool = false, at now: Moment) -> Hit {
        let hit = hitAnything(point, workspace, on: layer, precise: precise, at: now)
        // Most of the time there is no dialog.
        guard workspace.hasChildren else { return hit }
        switch hit {
        case .window(let id, nil) where workspace.blocker(of: id) != nil: return .inert(id)
        case .window(let id, let edge?) where workspace.blocker(of: id) != nil:
            switch edge {
            case .grip: return hit
            case .top: return .edge(.top)
            case .bottom: return .edge(.bottom)
            case .cardTop: return .cardTop(id)
            case .cardBottom: return .cardBottom(id)
            case .sheet: return .inert(id)
            }
        case .divider(let id?) where workspace.blocker(of: id) != nil: return .divider(over: nil)
        default: return hit
        }
    }

    private func hitAnything(_ point: Point, _ workspace: Workspace, on wanted: ScreenLayer?, precise: Bool, at now: Moment) -> Hit {
        guard let screen = workspace.screen else { return .background }
        let target = precise ? 0 : workspace.idiom.target
        if wanted == .menus { return popupHit(point, workspace, at: now).map { .window($0, nil) } ?? .background }
        if wanted == .handles { return handleHit(point, workspace, target: target) ?? .background }
        var checkedHandles = wanted != nil, checkedDivider = false, wide: Hit?
        for id in order.reversed() {
            guard let (level, frame) = read(id, { ($0.level, $0.frame.value(at: now)) }), level != .leaving else { continue }
            if let wanted, ScreenLayer(level, workspace) != wanted { continue }
            if level < .lifted, !checkedHandles {
                checkedHandles = true
                if let handle = handleHit(point, workspace, target: target) { return handle }
            }
            if level <= .dialog, !checkedDivider {
                checkedDivider = true
                // Popups of both windows lie over the divider.
                if wanted == nil, let popup = popupHit(point, workspace, at: now) { return .window(popup, nil) }
                let isCovered = order.contains { id in
                    read(id) { $0.frame.value(at: now).contains(point) && isOverDivider($0, $0.frame.value(at: now), workspace, at: now) }
                        ?? false
                }
                // A finger at the screen's edge starts an edge gesture, even where the divider meets the edge.
                if !isCovered, !precise, let side = Stage.edge(at: point, screen, workspace.idiom, precise: false),
                    let bar = dividerBar(workspace, at: now), bar.grown(toAtLeast: target).contains(point),
                    let window = spaceWindow(at: point, workspace, now) ?? workspace.currentSpace?.split?.first
                {
                    return .window(window, side == .top ? .top : .bottom)
                }
                if !isCovered, !workspace.idiom.split.fixed, let bar = dividerBar(workspace, at: now) {
                    if bar.contains(point) { return .divider(over: nil) }
                    if bar.grown(toAtLeast: target).contains(point) {
                        // The dots of the lower window of a vertical pair lie within the divider's touch target. They are
                        // visible, so they win.
                        if !precise, let window = spaceWindow(at: point, workspace, now), let place = self.frame(of: window, at: now),
                            edge(at: point, window, place, place, screen, workspace, precise: false) == .grip
                        {
                            return .window(window, .grip)
                        }
                        return .divider(over: spaceWindow(at: point, workspace, now))
                    }
                }
            }
            let layer = workspace.layer(of: id)
            if layer == .slideOver {
                if hasPopup(id, frame, at: point, workspace) { return .window(id, nil) }
                let card = workspace.cardAround(frame)
                let idiom = workspace.idiom
                let topTarget = Rect(card.x, card.y, card.width, idiom.slideOver.topStrip)
                let bottomTarget = Rect(card.x, card.maxY - idiom.slideOver.bottomStrip, card.width, idiom.slideOver.bottomStrip)
                if topTarget.contains(point) { return .cardTop(id) }
                if bottomTarget.contains(point) { return .cardBottom(id) }
                if frame.contains(point) {
                    guard !precise else { return .window(id, nil) }
                    // The strips are thin, so their touch targets extend into the app, which still gets taps there.
                    let middle = abs(point.x - card.center.x) < 80
                    if middle, point.y < card.y + target { return .window(id, .cardTop) }
                    if middle, point.y > card.maxY - target { return .window(id, .cardBottom) }
                    return .window(id, nil)
                }
                if !precise, card.inset(by: -10).contains(point), abs(point.x - card.center.x) < 80 {
                    return point.y < card.center.y ? .cardTop(id) : .cardBottom(id)
                }
                continue
            }
            if layer == .picture {
                if frame.contains(point) { return .picture(id) }
                continue
            }
            if level > .dialog, hasPopup(id, frame, at: point, workspace) { return .window(id, nil) }
            let card = isSheet(id) ? sheetCard(of: id, frame, workspace) : frame
            if Stage.hasGripAbove(card, isSheet: isPulled(id), workspace), hasGrip(id, workspace) {
                // The touch target takes little of the dialog itself.
                let pill = Stage.gripPill(of: card, isAbove: true)
                let reach =
                    precise
                    ? pill.inset(by: -3)
                    : Rect(pill.center.x - Stage.gripReach, card.minY + 8 - target, 2 * Stage.gripReach, target)
                if reach.contains(point) { return .window(id, .grip) }
            }
            if let hit = barHit(point, id, frame, workspace) ?? spaceBarHit(point, id, frame, workspace, precise: precise) { return hit }
            if wide == nil, let border = border(at: point, of: id, frame, workspace, precise: precise) {
                // The wide band of a finger leaves the title bars of windows behind alone.
                if precise { return .border(id, border) }
                wide = .border(id, border)
            }
            if let wide { if frame.contains(point) { return wide } else { continue } }
            guard (read(id, { $0.reach }) == .input ? reach(of: id, frame, workspace) : frame).contains(point) else { continue }
            let edge = edge(at: point, id, frame, card, screen, workspace, precise: precise)
            let isAtTop =
                !precise && isSheet(id) && read(id, { $0.presentation })??.isSwipedAway != false
                && workspace.read(id, { $0.facts.hints?.isAtTop }) == true
            return .window(id, edge ?? (isAtTop ? .sheet : nil))
        }
        if !checkedHandles, let handle = handleHit(point, workspace, target: target) { return handle }
        return wide ?? .background
    }

    private func handleHit(_ point: Point, _ workspace: Workspace, target: Double) -> Hit? {
        for handle in workspace.handles.reversed() {
            switch handle.kind {
            case .picture: if handle.frame.grown(toAtLeast: target).contains(point) { return .pipTab }
            case .slideOver: if handle.frame.grown(toAtLeast: max(target, 20)).contains(point) { return .slideOverHandle }
            }
        }
        return nil
    }

    private func edge(
        at point: Point, _ id: WindowID, _ frame: Rect, _ card: Rect, _ screen: Screen, _ workspace: Workspace, precise: Bool
    ) -> Hit.Edge? {
        guard let (level, isSheet) = read(id, { ($0.level, $0.base != nil) }), level == .space || isSheet else { return nil }
        let pill = Stage.gripPill(of: frame)
        let hasGrip =
            isSheet
            ? self.hasGrip(id, workspace) && !(isPulled(id) && Stage.hasGripAbove(frame, isSheet: true, workspace)) && card == frame
            : workspace.idiom.dressing == .dots
        if precise {
            if hasGrip, pill.inset(by: -3).contains(point) { return .grip }
        } else if hasGrip, Rect(pill.center.x - Stage.gripReach, frame.minY, 2 * Stage.gripReach, workspace.idiom.target).contains(point) {
            return .grip
        }
        // A dialog as wide as the screen stands on the edge, and the pointer leaves the app from there, too (P-04).
        guard let side = Stage.edge(at: point, screen, workspace.idiom, precise: precise),
            level == .space || (precise && side == .bottom)
        else { return nil }
        return side == .top ? .top : .bottom
    }

    /// The top or bottom edge of the area for windows, if an edge gesture may begin at this point. A pointer needs
    /// only a few points, and fewer at the top, where apps have their menus.
    public static func edge(at point: Point, _ screen: Screen, _ idiom: Idiom, precise: Bool) -> Side? {
        // Where the edges belong to the apps, they do for the pointer, too.
        if idiom.edge == 0 { return nil }
        if point.y >= screen.usable.maxY - (precise ? 5 : idiom.edge), idiom.zones.bottom != .nothing { return .bottom }
        // The status bar is high enough for a finger.
        let top = screen.status > 0 ? screen.usable.minY : screen.usable.minY + (precise ? 3 : idiom.edge)
        if point.y < (precise && screen.status > 0 ? screen.reserved.top + 3 : top), idiom.zones.hasTop { return .top }
        return nil
    }

    /// The borders of a freely stacked window at a point outside of it. Nothing is taken from its content.
    private func border(at point: Point, of id: WindowID, _ frame: Rect, _ workspace: Workspace, precise: Bool) -> Border? {
        guard workspace.isFree(id), workspace.tile(of: id) == nil, workspace.read(id, { !$0.commit.wantsFullscreen }) ?? false else {
            return nil
        }
        let measures = workspace.idiom.free, band = precise ? measures.pointerBand : measures.fingerBand
        let card = sheetCard(of: id, frame, workspace)
        guard band > 0, card.inset(by: -band).contains(point), !card.contains(point) else { return nil }
        // Near a corner both borders are meant.
        let corner = min(measures.corner, card.width / 3, card.height / 3)
        let x = point.x < card.minX + corner ? -1 : point.x >= card.maxX - corner ? 1 : 0
        let y = point.y < card.minY + corner ? -1 : point.y >= card.maxY - corner ? 1 : 0
        return Border(x: x, y: y)
    }

    /// The area in which a free window takes input. Input outside of it reaches the window below.
    private func reach(of id: WindowID, _ frame: Rect, _ workspace: Workspace) -> Rect {
        guard let window = workspace[id], let input = window.commit.input, !window.contentSize.isEmpty, let place = read(id, { $0.place })
        else { return frame }
        return contentRect(of: window, in: frame, place: place).map(input, from: Rect(origin: .zero, size: window.contentSize))
    }

    private func spaceWindow(at point: Point, _ workspace: Workspace, _ now: Moment) -> WindowID? {
        workspace.currentSpace?.windows.first { frame(of: $0, at: now)?.contains(point) ?? false }
    }

    private func hasPopup(_ id: WindowID, _ frame: Rect, at point: Point, _ workspace: Workspace) -> Bool {
        guard workspace.popupOwners.contains(id), let window = workspace[id], !window.contentSize.isEmpty,
            let place = read(id, { $0.place })
        else { return false }
        let content = contentRect(of: window, in: frame, place: place)
        let local = Rect(origin: .zero, size: window.contentSize).map(point, from: content)
        return window.popups.contains { $0.contains(local) }
    }

    private func popupHit(_ point: Point, _ workspace: Workspace, at now: Moment) -> WindowID? {
        guard !workspace.popupOwners.isEmpty else { return nil }
        for id in order.reversed() {
            guard let (level, frame) = read(id, { ($0.level, $0.frame.value(at: now)) }), level == .space || level == .dialog else {
                continue
            }
            if hasPopup(id, frame, at: point, workspace) { return id }
        }
        return nil
    }
}
