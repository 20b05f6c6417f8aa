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

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard trace.farthest > system.workspace.idiom.slop else { return }
        if !isHeld { effects.append(.stopTimer(.longPress)) }
        becomeDrag(trace, in: &system, at: now, &effects)
    }

    /// A press became a drag: of the icon, of the card, or of what is behind them.
    private func becomeDrag(_ trace: Trace, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let t = trace.translation
        let isUpright = abs(t.dy) > abs(t.dx)
        system.interface.pressed = nil
        switch system.control(id, at: now)?.drag ?? id.appOfIcon.map(ViewControl.Drag.app) {
        case .app(let app) where isHeld || id.area == .dock || contact == Contact.pointer:
            system.interface.close(.popover, at: now, spring: system.spring)
            system.grab = .icon(IconGesture(contact: contact, app: app))
        case .card(let card) where isUpright && t.dy < 0:
            guard let frame = system.stage.cardFrame(card, at: now) else { return }
            system.grab = .carry(CarryGesture(contact: contact, card: card, start: frame))
        case .app where id.area == .home:
            system.catchPages(contact, after: t, at: now)
        case _ where id.area == .pipControls:
            // The picture is moved by its buttons, too.
            guard let window = system.workspace.pip?.window else { return }
            system.begin(.picture(window), contact: contact, at: now, &effects)
        case _ where system.interface.isOverviewOpen:
            system.catchScrolling(contact, after: t, at: now)
        case _ where id == .indicator:
            system.beginAtBottom(contact, t, at: now, &effects)
        default:
            // Once it has left the control nothing is pressed.
            if !isHeld, isInside(trace.point, of: system, at: now) { system.interface.pressed = id }
            return
        }
        if let grab = system.grab { system.follow(grab, at: now, &effects) }
    }

    private func isInside(_ point: Point, of system: System, at now: Moment) -> Bool {
        guard let control = system.control(id, at: now) else { return false }
        return control.target.inset(by: -system.measures.pressSlack).contains(point)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        effects.append(.stopTimer(.longPress))
        system.interface.pressed = nil
        let t = end.trace.translation
        if !isHeld, t.dy < -system.measures.closeFlick, abs(t.dy) > abs(t.dx), let close = system.control(id, at: now)?.close {
            // Flicked up: a window of the shelf closes, as a card of the app switcher does.
            return system.attempt(close, at: now, &effects)
        }
        guard !isHeld, isInside(end.trace.point, of: system, at: now), let press = system.control(id, at: now)?.press else { return }
        system.interface.focus = nil
        // What it opens comes out of it.
        system.interface.pressed = id
        system.attempt(press, at: now, &effects)
        system.interface.pressed = nil
        system.usePipControl(id)
    }
}

/// An app's icon in the hand, from the dock or after a long press (W-08).
struct IconGesture: Gesture {
    var contact: Int32
    var app: String
    var target: DropTarget?

    init(contact: Int32, app: String) {
        self.contact = contact
        self.app = app
    }

    var contacts: [Int32] { [contact] }
    var grab: Grab { .icon(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.interface.lifted = .init(app: app, center: trace.point)
        let target = target(trace, on: screen, in: system)
        guard target != self.target else { return }
        var next = self
        next.target = target
        system.grab = next.grab
        system.stage.showPreview(target.flatMap { system.previewFrame($0, nil, screen) }, at: now, spring: system.spring)
    }

    /// Edges make a split, the middle Slide Over.
    private func target(_ trace: Trace, on screen: Screen, in system: System) -> DropTarget? {
        let measures = system.measures, workspace = system.workspace
        guard trace.translation.length > measures.dropDistance else { return nil }
        let room = screen.usable, p = trace.point
        if p.y > room.maxY - measures.iconBottom { return nil }
        // Over the home screen there is no place to drop it: it goes back.
        guard workspace.currentSpace != nil else { return nil }
        let edge = max(measures.iconEdge, room.width * measures.iconEdgeShare)
        let open = workspace.windows(of: app).first
        let isAlone = workspace.currentSpace.map { space in open.map { space.windows == [$0] } ?? false } ?? false
        if workspace.idiom.hasSplitView, !isAlone || !(workspace.app(app)?.isSingleWindow ?? true) {
            if p.x < room.minX + edge { return .split(.left) }
            if p.x > room.maxX - edge { return .split(.right) }
        }
        guard workspace.idiom.hasSlideOver else { return .fullScreen }
        return .slideOver(p.x < room.center.x ? .left : .right)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.interface.lifted = nil
        guard let target else { return }
        let destination: Destination? = switch target {
        case .fullScreen: nil
        case .split(let side): .splitView(side)
        case .slideOver: .slideOver
        case .picture: .pictureInPicture
        }
        do {
            try system.openApp(app, to: destination, at: now, &effects)
            if case .slideOver(let side) = target, system.workspace.slideOver.front != nil { try system.workspace.setSlideOverSide(side) }
        } catch { effects.append(.refuse(error)) }
    }
}

/// Down from the top edge: the control centre or the list of notifications.
struct PullGesture: Gesture {
    var contact: Int32
    var panel: Interface.Panel

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .pull(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard trace.translation.dy > system.workspace.idiom.pullDistance, !system.interface.isPanelOpen else { return }
        system.togglePanel(panel, at: now)
        system.reconcile(at: now, &effects)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {}
}

extension System {
    mutating func longPressed(at now: Moment, _ effects: inout [Effect]) {
        guard case .view(var press) = grab, let menu = control(press.id, at: now)?.menu else { return }
        press.isHeld = true
        grab = press.grab
        attempt(menu, at: now, &effects)
        interface.pressed = nil
    }

    /// Does what a control stands for; says why if it cannot be done.
    mutating func attempt(_ action: Action, at now: Moment, _ effects: inout [Effect]) {
        do { try perform(action, at: now, &effects) } catch { effects.append(.refuse(error)) }
    }
}
