import Geometry
import Interface
import Stage
import Windows

/// A finger on a control of the shell: a press, a flick, a long press for its menu, or the beginning of a drag.
struct PressGesture: Gesture {
    var contact: Int32
    /// The control.
    var id: ControlID
    /// Its menu has opened under the finger.
    var isHeld = false

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .view(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard trace.farthest > screenful.workspace.idiom.slop else { return }
        if !isHeld { turn.send(.stopTimer(.hands(.longPress))) }
        becomeDrag(trace, by: &hands, on: &screenful, at: now, &turn)
    }

    /// Turns a press into a drag: of the icon, of the card, or of what lies behind them.
    private func becomeDrag(_ trace: Trace, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let t = trace.translation
        let isUpright = abs(t.dy) > abs(t.dx)
        screenful.interface.pressed = nil
        if hands.dragNotice(id, contact, trace, &screenful, at: now, &turn) { return _ = hands.follow(contact, &screenful, at: now, &turn) }
        switch screenful.control(id, at: now)?.drag ?? id.appOfIcon.map(ViewControl.Drag.app) {
        case .app
        where id.area == .dock && !isHeld && isUpright && t.dy > 0 && screenful.isDock(at: trace.start, at: now)
            && contact != Contact.pointer:
            hands.takeDock(contact, after: t, &screenful, at: now, &turn)
        case .app(let app) where isHeld || id.area == .dock || contact == Contact.pointer:
            if screenful.interface.isPopoverOpen {
                screenful.interface.close(.popover, at: now, spring: screenful.spring)
                turn.ask(.settle())
            }
            hands.grab = .icon(IconGesture(contact: contact, app: app, isFromDock: id.area == .dock))
        case .card(let card) where isUpright && t.dy < 0:
            guard let frame = screenful.stage.cardFrame(card, at: now) else { return }
            hands.grab = .carry(CarryGesture(contact: contact, card: card, start: frame))
        // The home screen may have gone away under the finger.
        case .app where id.area == .home && screenful.workspace.showsHome:
            hands.catchPages(contact, after: t, &screenful, at: now)
        case _ where id.area == .pipControls:
            // A drag that begins on its buttons moves the Picture in Picture window, too.
            guard let window = screenful.workspace.pip?.window else { return }
            hands.begin(.picture(window), contact: contact, &screenful, at: now, &turn)
        case _ where isUpright && t.dy > 0 && screenful.cardView(of: id, at: now) != nil:
            guard let view = screenful.cardView(of: id, at: now) else { return }
            hands.pullCard(view, contact: contact, &screenful, at: now)
        case _ where isUpright && t.dy < 0 && screenful.isPanelInFront:
            hands.takePanel(contact, after: t, &screenful, at: now, &turn)
        case _ where screenful.interface.isOverviewOpen:
            hands.catchScrolling(contact, after: t, &screenful, at: now)
        case _ where id == .indicator:
            hands.beginAtBottom(contact, t, &screenful, at: now, &turn)
        default:
            // A finger that has left the control presses nothing.
            if !isHeld, isInside(trace.point, screenful, at: now) { screenful.interface.pressed = id }
            return
        }
        hands.follow(contact, &screenful, at: now, &turn)
    }

    private func isInside(_ point: Point, _ screenful: borrowing Screenful, at now: Moment) -> Bool {
        guard let control = screenful.control(id, at: now) else { return false }
        return control.target.inset(by: -screenful.measures.pressSlack).contains(point)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        turn.send(.stopTimer(.hands(.longPress)))
        screenful.interface.pressed = nil
        let t = end.trace.translation
        if !isHeld, t.dy < -screenful.measures.closeFlick, abs(t.dy) > abs(t.dx), let close = screenful.control(id, at: now)?.close {
            // Flicked up, a window of the shelf closes, as a card of the app switcher does.
            return hands.attempt(close, &screenful, at: now, &turn)
        }
        guard !isHeld, isInside(end.trace.point, screenful, at: now), let press = screenful.control(id, at: now)?.press else { return }
        screenful.interface.focus = nil
        // The view that it opens grows out of the control.
        screenful.interface.pressed = id
        hands.attempt(press, &screenful, at: now, &turn)
        screenful.interface.pressed = nil
        screenful.usePipControl(id, &turn)
    }
}

/// An app's icon that a finger carries, from the dock or after a long press.
struct IconGesture: Gesture {
    var contact: Int32
    var app: String
    var target: DropTarget?
    /// Where it would go on the home screen.
    var place: HomeOrder.Place?
    /// The dock would take it, before the app of this name if it is one.
    var dock: DockPlace?

    /// It was taken from the dock.
    var isFromDock: Bool
    /// Let go here, the app leaves the dock.
    var leavesDock = false

    /// It rests at a side of the home screen, whose page turns.
    var isAtEdge = false

    struct DockPlace: Hashable, Codable, Sendable {
        var before: String?
    }

    init(contact: Int32, app: String, isFromDock: Bool = false) {
        self.contact = contact
        self.app = app
        self.isFromDock = isFromDock
    }

    var contacts: [Int32] { [contact] }
    var grab: Grab { .icon(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        var next = self
        let home = trace.translation.length > screenful.workspace.idiom.gestures.dropDistance ? screenful.views(at: now) : nil
        let spot = home?.homePlace(for: app, at: trace.point)
        next.place = spot?.place
        next.dock = home?.dockPlace(for: app, at: trace.point).map { DockPlace(before: $0.before) }
        next.leavesDock = isFromDock && home?.leavesDock(app, at: trace.point) ?? false
        screenful.interface.lifted = .init(
            app: app, center: trace.point, mark: spot?.mark ?? home?.dockPlace(for: app, at: trace.point)?.mark,
            wobbles: screenful.workspace.showsHome && home != nil && !screenful.preferences.reducedMotion, isFromDock: isFromDock)
        // An icon that is carried out of a folder goes to the page behind it.
        if let id = screenful.interface.openFolder, let plan = home?.folderPlan(id),
            home?.onScreen(plan.panel).contains(trace.point) == false
        {
            screenful.interface.close(.panel, at: now, spring: screenful.spring)
            turn.ask(.settle())
        }
        next.isAtEdge = isAtEdge(trace.point, on: screen, screenful)
        if next.isAtEdge != isAtEdge { turn.setTimer(.hands(.pageEdge), next.isAtEdge ? now + screenful.measures.longPress : nil) }
        let target = next.place == nil && next.dock == nil ? target(trace, on: screen, over: screenful.workspace) : nil
        next.target = target
        hands.grab = next.grab
        guard target != self.target else { return }
        screenful.stage.showPreview(target.flatMap { screenful.workspace.previewFrame($0, nil, screen) }, at: now, spring: screenful.spring)
    }

    private func isAtEdge(_ point: Point, on screen: Screen, _ screenful: Screenful) -> Bool {
        let edge = screenful.measures.iconEdge / 3
        return screenful.workspace.showsHome && !screenful.interface.isPanelOpen
            && (point.x < screen.usable.minX + edge || point.x > screen.usable.maxX - edge)
    }

    /// Drops at the edges make a Split View, in the middle Slide Over.
    private func target(_ trace: Trace, on screen: Screen, over workspace: Workspace) -> DropTarget? {
        let measures = workspace.idiom.gestures
        guard trace.translation.length > measures.dropDistance else { return nil }
        let room = screen.usable, p = trace.point
        if p.y > room.maxY - measures.iconBottom { return nil }
        // The home screen has no drop target: the icon goes back.
        guard workspace.currentSpace != nil else { return nil }
        let edge = max(measures.iconEdge, room.width * measures.iconEdgeShare)
        let open = workspace.windows(of: app).first
        let isAlone = workspace.currentSpace.map { space in open.map { space.windows == [$0] } ?? false } ?? false
        if workspace.admits(.splitView(.left)), !isAlone || !(workspace.app(app)?.isSingleWindow ?? true) {
            if p.x < room.minX + edge { return .split(.left) }
            if p.x > room.maxX - edge { return .split(.right) }
            // As for a window that is dragged there. At the bottom is the dock.
            if !screen.size.isLandscape, p.y < room.minY + edge { return .split(.top) }
        }
        guard workspace.admits(.slideOver) else { return .fullScreen }
        return .slideOver(p.x < room.center.x ? .left : .right)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.interface.lifted = nil
        if isAtEdge { turn.send(.stopTimer(.hands(.pageEdge))) }
        if leavesDock || dock != nil {
            do throws(Refusal) {
                try screenful.setDock(&turn) { apps in
                    apps.removeAll { $0 == app }
                    if let dock { apps.insert(app, at: dock.before.flatMap { apps.firstIndex(of: $0) } ?? apps.count) }
                }
            } catch { turn.send(.refuse(error)) }
        }
        if let place { return hands.attempt(.arrangeHome(.move(app: app, to: place)), &screenful, at: now, &turn) }
        guard let target else { return }
        let destination: Destination? =
            switch target {
            case .fullScreen: nil
            case .split(let side): .splitView(side)
            case .slideOver: .slideOver
            case .picture: .pictureInPicture
            }
        do {
            try screenful.openApp(app, to: destination, at: now, &turn)
            if case .slideOver(let side) = target, screenful.workspace.slideOver.front != nil {
                try screenful.workspace.setSlideOverSide(side)
            }
        } catch { turn.send(.refuse(error)) }
    }
}

extension Hands {
    mutating func longPressed(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if restsAtEdge(&turn) || restsOnLine(&screenful, at: now, &turn) { return }
        guard case .view(var press) = grab, let menu = screenful.control(press.id, at: now)?.menu else { return }
        press.isHeld = true
        grab = press.grab
        attempt(menu, &screenful, at: now, &turn)
        screenful.interface.pressed = nil
    }

    /// The way in which the page turns under an icon that has rested at a side of the home screen; nil: none is there any more.
    func pageStep(on screenful: Screenful) -> Int? {
        guard case .icon(let icon) = grab, let point = contact(icon.contact)?.trace.point, let screen = screenful.workspace.screen,
            screenful.workspace.showsHome
        else { return nil }
        return (point.x < screen.usable.center.x ? -1 : 1) * (screenful.readingWay > 0 ? 1 : -1)
    }
}
