import Geometry
import Interface
import Stage
import Windows

/// The one active gesture: how it begins, follows the finger and ends, whichever it is (laws 4 and 8).
extension Hands {
    func contact(_ id: Int32) -> Contact? { contacts.first { $0.id == id } }

    /// Begins the gesture for the item under a finger.
    mutating func begin(_ hit: Hit, contact: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let screen = screenful.workspace.screen else { return }
        let way = contacts[index].trace.translation
        // A carried thing catches up with the motion before the gesture was recognised; the divider starts from here.
        let late = way == .zero ? nil : screenful.catching
        if case .divider = hit { contacts[index].trace.restart() }
        let trace = contacts[index].trace
        switch hit {
        case .divider: beginDivider(contact, trace, on: screen, &screenful, at: now, &turn)
        case .cardTop(let window), .window(let window, .cardTop):
            guard let start = screenful.stage.take(window, at: now, catching: late) else { return }
            grab = .card(CardGesture(contact: contact, window: window, start: start))
        case .cardBottom(let window), .window(let window, .cardBottom):
            guard let start = screenful.stage.take(window, at: now, catching: late) else { return }
            grab = .flip(FlipGesture(contact: contact, window: window, start: start))
        case .slideOverHandle:
            guard let window = screenful.workspace.slideOver.front, let start = screenful.stage.take(window, at: now, catching: late) else {
                return
            }
            grab = .reveal(CardRevealGesture(contact: contact, window: window, start: start))
        case .picture(let window):
            guard let start = screenful.stage.take(window, at: now, catching: late) else { return }
            grab = .picture(PipGesture(contact: contact, window: window, start: start))
        case .pipTab:
            guard let window = screenful.workspace.pip?.window, let start = screenful.stage.take(window, at: now, catching: late) else {
                return
            }
            grab = .revealPip(PipRevealGesture(contact: contact, window: window, start: start))
        case .window(let window, .grip) where screenful.stage.isSheet(window) && screenful.workspace.modality == .sheets:
            beginSheet(window, contact: contact, &screenful, at: now, &turn)
        case .window(let window, .sheet):
            contacts[index].trace.restart()
            beginSheet(window, contact: contact, isDecided: true, &screenful, at: now, &turn)
        case .border(let window, let border): beginResize(window, border, contact: contact, &screenful, at: now, &turn)
        case .window(let window, .grip) where screenful.workspace.isFree(screenful.workspace.moved(by: window)):
            beginMove(window, contact: contact, trace, &screenful, at: now, &turn)
        case .window(let window, .grip): beginLift(window, contact: contact, trace: trace, screen, &screenful, at: now)
        case .window(_, .bottom): beginAtBottom(contact, way, &screenful, at: now, &turn)
        case .window(_, .top), .edge(.top):
            // The first pull from the edge of a window in full screen brings the menu bar, the next one the panels.
            if screenful.workspace.bringBar() { return turn.ask(.settle()) }
            let share = trace.start.x / max(1, screen.size.width)
            switch screenful.workspace.idiom.zones.top(at: screenful.preferences.appearance.isRightToLeft ? 1 - share : share) {
            case .nothing: break
            case .notifications: grab = .pull(PullGesture(contact: contact, panel: .notifications))
            case .controlCentre: grab = .pull(PullGesture(contact: contact, panel: .controlCentre))
            }
        case .inert(let window): screenful.touchedInert(window, at: now, &turn)
        case .window(_, nil), .background: break
        case .view, .home, .overview, .panel, .outside, .edge: beginOnInterface(hit, way, contact: contact, &screenful, at: now, &turn)
        }
    }

    /// Begins a gesture outside apps. `way`: how far the finger moved before the gesture was recognised.
    private mutating func beginOnInterface(
        _ hit: Hit, _ way: Vector, contact: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        if case .view(let id) = hit, beginMark(screenful.control(id, at: now)?.drag, contact: contact, screenful, &turn) {
            // The arrow keys move the mark.
            screenful.interface.focus = nil
            return
        }
        switch hit {
        case .panel where isOnList(contact, &screenful, at: now): break
        case _ where takePanel(for: hit, contact: contact, &screenful, at: now, &turn): break
        case .view(let id) where screenful.control(id, at: now)?.slide != nil: beginSlide(id, contact: contact, &screenful, at: now, &turn)
        case .view(let id) where catchMoving(id, contact: contact, &screenful, at: now): break
        case .view(let id):
            screenful.interface.pressed = id
            grab = .view(PressGesture(contact: contact, id: id))
            if screenful.control(id, at: now)?.menu != nil {
                turn.send(.startTimer(.hands(.longPress), at: now + screenful.measures.longPress))
            }
        case .home: catchPages(contact, &screenful, at: now)
        case .overview: catchScrolling(contact, &screenful, at: now)
        case .panel where screenful.isDock(at: self.contact(contact)?.trace.point, at: now): takeDock(contact, &screenful, at: now, &turn)
        case .panel:
            guard let point = self.contact(contact)?.trace.point, !screenful.interface.isModal,
                let view = screenful.cardView(at: point, at: now)
            else { break }
            pullCard(view, contact: contact, &screenful, at: now)
        case .edge(.bottom): beginAtBottom(contact, way, &screenful, at: now, &turn)
        // A slip of the finger cancels no question.
        case .outside where screenful.interface.isPromptOpen: break
        case .outside:
            try? screenful.dismiss(at: now, &turn)
            turn.ask(.settle())
        default: break
        }
    }

    /// A finger moved: the gesture follows. Returns whether the finger holds one.
    @discardableResult
    mutating func follow(_ id: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let gesture = grab?.gesture else { return false }
        let holding = gesture.contacts
        guard holding.contains(id) else { return false }
        guard let first = contacts.firstIndex(where: { $0.id == holding[0] }), let screen = screenful.workspace.screen else { return true }
        screenful.drawsAnew()
        gesture.moved(contacts[first].trace, on: screen, by: &self, on: &screenful, at: now, &turn)
        return true
    }

    /// Every gesture ends: the finger was lifted, or something took the finger away (law 4).
    mutating func endGrab(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let gesture = letGo(&screenful, at: now, &turn), let trace = contact(gesture.contacts[0])?.trace else { return }
        if let screen = screenful.workspace.screen {
            let end = GestureEnd(
                trace: trace, velocity: trace.velocity(at: now), screen: screen, isTap: trace.farthest <= screenful.workspace.idiom.slop)
            gesture.ended(end, by: &self, on: &screenful, at: now, &turn)
        } else {
            screenful.workspace.endDividerDrag()
        }
        screenful.stage.letGoOfSpaces(at: now)
        turn.ask(.settle(thrown: gesture.windows.first))
    }

    /// Cancels the gesture. The items that it held go back to their places; the caller settles afterwards.
    mutating func cancelGrab(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let gesture = letGo(&screenful, at: now, &turn) else { return }
        screenful.workspace.cancelDividerDrag()
        screenful.stage.endComing(at: now)
        screenful.stage.letGoOfSpaces(at: now)
        screenful.interface.pressed = nil
        screenful.interface.lifted = nil
        screenful.interface.sliding = nil
        turn.send(.stopTimer(.hands(.longPress)))
        turn.send(.stopTimer(.hands(.swipeHold)))
        if case .icon(let icon) = gesture.grab, icon.isAtEdge { turn.send(.stopTimer(.hands(.pageEdge))) }
        screenful.stage.releaseCards(at: now)
        gesture.cancelled(by: &self, on: &screenful, at: now, &turn)
    }

    /// Releases whatever is held.
    mutating func letGo(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> (any Gesture)? {
        guard let gesture = grab?.gesture else { return nil }
        if case .divider = grab, let split = screenful.workspace.currentSpace?.split {
            for window in [split.first, split.second] { screenful.stage.letGo(window, at: now) }
        }
        grab = nil
        for index in contacts.indices where gesture.contacts.contains(contacts[index].id) { contacts[index].owner = .nobody }
        for window in gesture.windows { screenful.stage.letGo(window, at: now) }
        screenful.stage.showPreview(nil, at: now, spring: screenful.spring)
        if screenful.workspace.dividerDrag?.sent != nil { turn.send(.stopTimer(.system(.dividerPatience))) }
        return gesture
    }
}
