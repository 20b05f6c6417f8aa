import Geometry
import Interface
import Stage
import Windows

/// The one active gesture: how it begins, follows the finger and ends, whichever it is (laws 4 and 8).
extension Hands {
    func contact(_ id: Int32) -> Contact? { contacts.first { $0.id == id } }

    /// Begins the gesture for the item under a finger.
    mutating func begin(_ hit: Hit, contact: Int32, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let screen = desk.workspace.screen else { return }
        let way = contacts[index].trace.translation
        // A carried thing catches up with the motion before the gesture was recognised; the divider starts from here.
        let late = way == .zero ? nil : desk.catching
        if case .divider = hit { contacts[index].trace.restart() }
        let trace = contacts[index].trace
        switch hit {
        case .divider: beginDivider(contact, trace, on: screen, &desk, at: now, &turn)
        case .cardTop(let window), .window(let window, .cardTop):
            guard let start = desk.stage.take(window, at: now, catching: late) else { return }
            grab = .card(CardGesture(contact: contact, window: window, start: start))
        case .cardBottom(let window), .window(let window, .cardBottom):
            guard let start = desk.stage.take(window, at: now, catching: late) else { return }
            grab = .flip(FlipGesture(contact: contact, window: window, start: start))
        case .slideOverHandle:
            guard let window = desk.workspace.slideOver.front, let start = desk.stage.take(window, at: now, catching: late) else { return }
            grab = .reveal(CardRevealGesture(contact: contact, window: window, start: start))
        case .picture(let window):
            guard let start = desk.stage.take(window, at: now, catching: late) else { return }
            grab = .picture(PipGesture(contact: contact, window: window, start: start))
        case .pipTab:
            guard let window = desk.workspace.pip?.window, let start = desk.stage.take(window, at: now, catching: late) else { return }
            grab = .revealPip(PipRevealGesture(contact: contact, window: window, start: start))
        case .window(let window, .grip) where desk.stage.isSheet(window) && desk.workspace.modality == .sheets:
            beginSheet(window, contact: contact, &desk, at: now, &turn)
        case .window(let window, .sheet):
            contacts[index].trace.restart()
            beginSheet(window, contact: contact, isDecided: true, &desk, at: now, &turn)
        case .border(let window, let border): beginResize(window, border, contact: contact, &desk, at: now, &turn)
        case .window(let window, .grip) where desk.workspace.isFree(desk.workspace.moved(by: window)):
            beginMove(window, contact: contact, trace, &desk, at: now, &turn)
        case .window(let window, .grip): beginLift(window, contact: contact, trace: trace, screen, &desk, at: now)
        case .window(_, .bottom): beginAtBottom(contact, way, &desk, at: now, &turn)
        case .window(_, .top), .edge(.top):
            // The first pull from the edge of a window in full screen brings the menu bar, the next one the panels.
            if desk.workspace.bringBar() { return turn.ask(.settle()) }
            let share = trace.start.x / max(1, screen.size.width)
            switch desk.workspace.idiom.zones.top(at: desk.preferences.appearance.isRightToLeft ? 1 - share : share) {
            case .nothing: break
            case .notifications: grab = .pull(PullGesture(contact: contact, panel: .notifications))
            case .controlCentre: grab = .pull(PullGesture(contact: contact, panel: .controlCentre))
            }
        case .inert(let window): desk.touchedInert(window, at: now, &turn)
        case .window(_, nil), .background: break
        case .view, .home, .overview, .panel, .outside, .edge: beginOnInterface(hit, way, contact: contact, &desk, at: now, &turn)
        }
    }

    /// Begins a gesture outside apps. `way`: how far the finger moved before the gesture was recognised.
    private mutating func beginOnInterface(
        _ hit: Hit, _ way: Vector, contact: Int32, _ desk: inout Desk, at now: Moment, _ turn: inout Turn
    ) {
        switch hit {
        case .panel where isOnNotices(contact, &desk, at: now): break
        case _ where takePanel(for: hit, contact: contact, &desk, at: now, &turn): break
        case .view(let id) where desk.control(id, at: now)?.slide != nil: beginSlide(id, contact: contact, &desk, at: now, &turn)
        case .view(let id) where catchMoving(id, contact: contact, &desk, at: now): break
        case .view(let id):
            desk.interface.pressed = id
            grab = .view(PressGesture(contact: contact, id: id))
            if desk.control(id, at: now)?.menu != nil { turn.send(.startTimer(.hands(.longPress), at: now + desk.measures.longPress)) }
        case .home: catchPages(contact, &desk, at: now)
        case .overview: catchScrolling(contact, &desk, at: now)
        case .panel where desk.isDock(at: self.contact(contact)?.trace.point, at: now): takeDock(contact, &desk, at: now, &turn)
        case .panel:
            guard let point = self.contact(contact)?.trace.point, !desk.interface.isModal, let view = desk.cardView(at: point, at: now)
            else { break }
            pullCard(view, contact: contact, &desk, at: now)
        case .edge(.bottom): beginAtBottom(contact, way, &desk, at: now, &turn)
        case .outside:
            try? desk.dismiss(at: now, &turn)
            turn.ask(.settle())
        default: break
        }
    }

    /// A finger moved: the gesture follows. Returns whether the finger holds one.
    @discardableResult
    mutating func follow(_ id: Int32, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let gesture = grab?.gesture else { return false }
        let holding = gesture.contacts
        guard holding.contains(id) else { return false }
        guard let first = contacts.firstIndex(where: { $0.id == holding[0] }), let screen = desk.workspace.screen else { return true }
        desk.drawsAnew()
        gesture.moved(contacts[first].trace, on: screen, by: &self, on: &desk, at: now, &turn)
        return true
    }

    /// Every gesture ends: the finger was lifted, or something took the finger away (law 4).
    mutating func endGrab(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let gesture = letGo(&desk, at: now, &turn), let trace = contact(gesture.contacts[0])?.trace else { return }
        if let screen = desk.workspace.screen {
            let end = GestureEnd(
                trace: trace, velocity: trace.velocity(at: now), screen: screen, isTap: trace.farthest <= desk.workspace.idiom.slop)
            gesture.ended(end, by: &self, on: &desk, at: now, &turn)
        } else {
            desk.workspace.endDividerDrag()
        }
        desk.stage.letGoOfSpaces(at: now)
        turn.ask(.settle(thrown: gesture.windows.first))
    }

    /// Cancels the gesture. The items that it held go back to their places; the caller settles afterwards.
    mutating func cancelGrab(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let gesture = letGo(&desk, at: now, &turn) else { return }
        desk.workspace.cancelDividerDrag()
        desk.stage.endComing(at: now)
        desk.stage.letGoOfSpaces(at: now)
        desk.interface.pressed = nil
        desk.interface.lifted = nil
        desk.interface.sliding = nil
        turn.send(.stopTimer(.hands(.longPress)))
        turn.send(.stopTimer(.hands(.swipeHold)))
        desk.stage.releaseCards(at: now)
        gesture.cancelled(by: &self, on: &desk, at: now, &turn)
    }

    /// Releases whatever is held.
    mutating func letGo(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) -> (any Gesture)? {
        guard let gesture = grab?.gesture else { return nil }
        if case .divider = grab, let split = desk.workspace.currentSpace?.split {
            for window in [split.first, split.second] { desk.stage.letGo(window, at: now) }
        }
        grab = nil
        for index in contacts.indices where gesture.contacts.contains(contacts[index].id) { contacts[index].owner = .nobody }
        for window in gesture.windows { desk.stage.letGo(window, at: now) }
        desk.stage.showPreview(nil, at: now, spring: desk.spring)
        if desk.workspace.dividerDrag?.sent != nil { turn.send(.stopTimer(.system(.dividerPatience))) }
        return gesture
    }
}
