import Geometry
import Interface
import Modality
import Stage
import Windows

/// Drags the card of an action sheet or an activity view (M-05): down dismisses it, and until the finger lets go it can go
/// back (M-14).
struct ViewCardGesture: Gesture {
    var contact: Int32
    var view: ModalID
    /// The window on which the view stands.
    var over: WindowID?
    /// How much of the card was in sight when the finger took it.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { over != nil }
    var grab: Grab { .viewCard(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let card = screenful.viewCard(view, at: now) else { return }
        let presence = start - trace.translation.dy / card.way
        // Above its place, the card resists the finger.
        let held = presence > 1 ? 1 + (presence - 1) * screenful.measures.cardResistance : presence
        screenful.interface.modals[card.index].hold(held)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let card = screenful.viewCard(view, at: now) else { return }
        let pulled = (1 - screenful.interface.modals[card.index].presence(at: now)) * card.way
        screenful.interface.modals[card.index].letGo(speed: -end.velocity.dy / card.way, at: now)
        screenful.interface.modals[card.index].comeBack(at: now, spring: screenful.spring)
        // A card that was only stopped on its way continues.
        guard end.trace.translation.dy > 0, pulled > 0,
            pulled + end.projected.dy > min(screenful.measures.sheetDistance, card.frame.height * screenful.measures.sheetShare)
        else { return }
        guard screenful.modality.isLive(view), screenful.modality[view]?.dismissal != .refused else { return }
        turn.ask(.dismissView(view.raw))
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let index = screenful.interface.modals.firstIndex(where: { $0.content.id == view && $0.isOpen }) else { return }
        screenful.interface.modals[index].comeBack(at: now, spring: screenful.spring)
    }
}

extension Screenful {
    /// The card of an open view that a finger can pull: its index among the views, its place, and its way out of sight.
    func viewCard(_ view: ModalID, at now: Moment) -> (index: Int, frame: Rect, way: Double)? {
        guard let index = interface.modals.firstIndex(where: { $0.content.id == view && $0.isOpen }),
            let card = views(at: now)?.slidingCard(of: interface.modals[index].content), card.way > 0
        else { return nil }
        return (index, card.frame, card.way)
    }

    /// The view on whose card this control is.
    func cardView(of control: ControlID, at now: Moment) -> ModalID? {
        guard control.area == .modal,
            let view = interface.modals.last(where: { $0.isOpen && control.isPart(of: ControlID(.modal, $0.content.id.raw)) })?.content.id,
            control != ControlID(.modal, view.raw).part("behind")
        else { return nil }
        return viewCard(view, at: now) == nil ? nil : view
    }

    /// The view whose card is drawn here.
    func cardView(at point: Point, at now: Moment) -> ModalID? {
        interface.modals.last { modal in
            guard let card = viewCard(modal.content.id, at: now) else { return false }
            return card.frame.offset(by: Vector(0, (1 - modal.presence(at: now)) * card.way)).contains(point)
        }?.content.id
    }
}

extension Hands {
    mutating func pullCard(_ view: ModalID, contact: Int32, _ screenful: inout Screenful, at now: Moment) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let card = screenful.viewCard(view, at: now) else { return }
        // A finger that went sideways first pulls from where it is now.
        if abs(contacts[index].trace.translation.dx) > screenful.workspace.idiom.slop { contacts[index].trace.restart() }
        let modal = screenful.interface.modals[card.index], presence = modal.presence(at: now)
        screenful.interface.modals[card.index].hold(presence)
        grab = .viewCard(ViewCardGesture(contact: contact, view: view, over: modal.content.window, start: presence))
    }

    /// A finger stops a card that is on its way.
    mutating func catchCard(_ view: ModalID?, contact: Int32, _ screenful: inout Screenful, at now: Moment) -> Bool {
        guard let view, let card = screenful.viewCard(view, at: now) else { return false }
        let left = abs(1 - screenful.interface.modals[card.index].presence(at: now)) * card.way
        guard left > Stage.stillMoving else { return false }
        pullCard(view, contact: contact, &screenful, at: now)
        return true
    }
}
