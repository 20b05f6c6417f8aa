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

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let card = desk.viewCard(view, at: now) else { return }
        let presence = start - trace.translation.dy / card.way
        // Above its place, the card resists the finger.
        let held = presence > 1 ? 1 + (presence - 1) * desk.measures.cardResistance : presence
        desk.interface.modals[card.index].hold(held)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let card = desk.viewCard(view, at: now) else { return }
        let pulled = (1 - desk.interface.modals[card.index].presence(at: now)) * card.way
        desk.interface.modals[card.index].letGo(speed: -end.velocity.dy / card.way, at: now)
        desk.interface.modals[card.index].comeBack(at: now, spring: desk.spring)
        // A card that was only stopped on its way continues.
        guard end.trace.translation.dy > 0, pulled > 0,
            pulled + end.projected.dy > min(desk.measures.sheetDistance, card.frame.height * desk.measures.sheetShare)
        else { return }
        guard desk.modality.isLive(view), desk.modality[view]?.dismissal != .refused else { return }
        turn.ask(.dismissView(view.raw))
    }

    func cancelled(by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let index = desk.interface.modals.firstIndex(where: { $0.content.id == view && $0.isOpen }) else { return }
        desk.interface.modals[index].comeBack(at: now, spring: desk.spring)
    }
}

extension Desk {
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
    mutating func pullCard(_ view: ModalID, contact: Int32, _ desk: inout Desk, at now: Moment) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let card = desk.viewCard(view, at: now) else { return }
        // A finger that went sideways first pulls from where it is now.
        if abs(contacts[index].trace.translation.dx) > desk.workspace.idiom.slop { contacts[index].trace.restart() }
        let modal = desk.interface.modals[card.index], presence = modal.presence(at: now)
        desk.interface.modals[card.index].hold(presence)
        grab = .viewCard(ViewCardGesture(contact: contact, view: view, over: modal.content.window, start: presence))
    }

    /// A finger stops a card that is on its way.
    mutating func catchCard(_ view: ModalID?, contact: Int32, _ desk: inout Desk, at now: Moment) -> Bool {
        guard let view, let card = desk.viewCard(view, at: now) else { return false }
        let left = abs(1 - desk.interface.modals[card.index].presence(at: now)) * card.way
        guard left > Stage.stillMoving else { return false }
        pullCard(view, contact: contact, &desk, at: now)
        return true
    }
}
