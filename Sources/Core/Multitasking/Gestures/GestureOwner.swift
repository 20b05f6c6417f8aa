import Geometry
import Interface
import Stage
import Windows

/// The one gesture that goes on: how it begins, follows the finger and ends, whichever it is (laws 4 and 8).
extension System {
    var measures: GestureMeasures { workspace.idiom.gestures }

    func contact(_ id: Int32) -> Contact? { contacts.first { $0.id == id } }

    /// What lies under a finger decides which gesture begins.
    mutating func begin(_ hit: Hit, contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let screen = workspace.screen else { return }
        let way = contacts[index].trace.translation
        // What comes under the finger later catches up the way that it took to know; the divider goes on from here.
        let late = way == .zero ? nil : catching
        if case .divider = hit { contacts[index].trace.restart() }
        let trace = contacts[index].trace
        switch hit {
        case .divider: beginDivider(contact, trace, on: screen, at: now, &effects)
        case .cardTop(let window), .window(let window, .cardTop):
            guard let start = stage.take(window, at: now, catching: late) else { return }
            grab = .card(CardGesture(contact: contact, window: window, start: start))
        case .cardBottom(let window), .window(let window, .cardBottom):
            guard let start = stage.take(window, at: now, catching: late) else { return }
            grab = .flip(FlipGesture(contact: contact, window: window, start: start))
        case .slideOverHandle:
            guard let window = workspace.slideOver.front, let start = stage.take(window, at: now, catching: late) else { return }
            grab = .reveal(CardRevealGesture(contact: contact, window: window, start: start))
        case .picture(let window):
            guard let start = stage.take(window, at: now, catching: late) else { return }
            grab = .picture(PipGesture(contact: contact, window: window, start: start))
        case .pipTab:
            guard let window = workspace.pip?.window, let start = stage.take(window, at: now, catching: late) else { return }
            grab = .revealPip(PipRevealGesture(contact: contact, window: window, start: start))
        case .window(let window, .grip): beginLift(window, contact: contact, trace: trace, screen, at: now)
        case .window(_, .bottom): beginAtBottom(contact, way, at: now, &effects)
        case .window(_, .top), .edge(.top):
            let isTrailing = preferences.appearance.isRightToLeft
                ? trace.start.x < screen.size.width / 3 : trace.start.x > screen.size.width * 2 / 3
            grab = .pull(PullGesture(contact: contact, panel: isTrailing ? .controlCentre : .notifications))
        case .window(_, nil), .background: break
        case .view, .home, .overview, .panel, .outside, .edge: beginOnInterface(hit, way, contact: contact, at: now, &effects)
        }
        revision &+= 1
    }

    /// A finger or the left button comes down where no app is. `way`: what it went before that was known.
    private mutating func beginOnInterface(_ hit: Hit, _ way: Vector, contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        switch hit {
        case .view(let id) where control(id, at: now)?.slide != nil: beginSlide(id, contact: contact, at: now, &effects)
        case .view(let id) where catchMoving(id, contact: contact, at: now): break
        case .view(let id):
            interface.pressed = id
            grab = .view(PressGesture(contact: contact, id: id))
            if control(id, at: now)?.menu != nil { effects.append(.startTimer(.longPress, at: now + measures.longPress)) }
        case .home: catchPages(contact, at: now)
        case .overview: catchScrolling(contact, at: now)
        case .edge(.bottom): beginAtBottom(contact, way, at: now, &effects)
        case .outside:
            try? dismiss(at: now)
            reconcile(at: now, &effects)
        default: break
        }
        revision &+= 1
    }

    /// What a finger would take here is still on its way: then it takes it at once, where it is drawn.
    func isInFlight(_ hit: Hit, at now: Moment) -> Bool {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split else { return false }
            return stage.isInFlight(split.first, at: now) || stage.isInFlight(split.second, at: now)
        case .picture(let id), .window(let id, .cardTop), .window(let id, .cardBottom), .cardTop(let id), .cardBottom(let id):
            return stage.isInFlight(id, at: now)
        default: return false
        }
    }

    /// By it comes under the finger what was taken later than the finger came down.
    var catching: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: measures.catchResponse / preferences.animationSpeed, damping: 1)
    }

    /// By it a window becomes small in the hand.
    var lifting: Spring { preferences.reducedMotion ? .instant : Spring(response: measures.liftResponse, damping: 1) }

    mutating func follow(_ grab: Grab, at now: Moment, _ effects: inout [Effect]) {
        let gesture = grab.gesture
        guard let trace = contact(gesture.contacts[0])?.trace, let screen = workspace.screen else { return }
        revision &+= 1
        gesture.moved(trace, on: screen, in: &self, at: now, &effects)
    }

    /// Every grab has its end: the finger went up, or something took it away (law 4).
    mutating func endGrab(at now: Moment, _ effects: inout [Effect]) {
        guard let gesture = letGo(at: now, &effects), let trace = contact(gesture.contacts[0])?.trace else { return }
        if let screen = workspace.screen {
            let end = GestureEnd(
                trace: trace, velocity: trace.velocity(at: now), screen: screen, isTap: trace.farthest <= workspace.idiom.slop)
            gesture.ended(end, in: &self, at: now, &effects)
        } else {
            workspace.endDividerDrag()
        }
        stage.letGoOfSpaces(at: now)
        reconcile(at: now, &effects, thrown: gesture.windows.first)
    }

    /// Whatever was held goes back to where it belongs; the caller settles it there.
    mutating func cancelGrab(at now: Moment, _ effects: inout [Effect]) {
        guard let gesture = letGo(at: now, &effects) else { return }
        workspace.cancelDividerDrag()
        stage.endComing(at: now)
        stage.letGoOfSpaces(at: now)
        interface.pressed = nil
        interface.lifted = nil
        interface.sliding = nil
        effects.append(.stopTimer(.longPress))
        effects.append(.stopTimer(.swipeHold))
        stage.releaseCards(at: now)
        gesture.cancelled(in: &self, at: now, &effects)
    }

    /// Nobody holds anything any more.
    mutating func letGo(at now: Moment, _ effects: inout [Effect]) -> (any Gesture)? {
        guard let gesture = grab?.gesture else { return nil }
        if case .divider = grab, let split = workspace.currentSpace?.split {
            for window in [split.first, split.second] { stage.letGo(window, at: now) }
        }
        grab = nil
        for index in contacts.indices where gesture.contacts.contains(contacts[index].id) { contacts[index].owner = .nobody }
        for window in gesture.windows { stage.letGo(window, at: now) }
        stage.showPreview(nil, at: now, spring: spring)
        if workspace.dividerDrag?.sent != nil { effects.append(.stopTimer(.dividerPatience)) }
        return gesture
    }
}
