import Geometry
import Stage
import Windows

/// Two fingers spread on an item that its app declared: its picture follows them, and far enough apart it opens in a window
/// of its own (W-21).
struct PinchOpenGesture: Gesture {
    var first: Int32
    var second: Int32
    var window: WindowID
    var item: Pinchable
    /// The fingers when the second one came down.
    var pinch: Pinch

    var contacts: [Int32] { [first, second] }
    var over: WindowID? { window }
    var isOfSpace: Bool { true }
    var grab: Grab { .pinchOpen(self) }

    private func points(in hands: Hands) -> (Point, Point)? {
        guard let a = hands.contact(first), let b = hands.contact(second) else { return nil }
        return (a.trace.point, b.trace.point)
    }

    /// How far the fingers have spread since the second one came down, in points.
    func spread(in hands: Hands) -> Double? { points(in: hands).map { $0.distance(to: $1) - pinch.startDistance } }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let (a, b) = points(in: hands), let start = screenful.stage.pinched?.start else { return }
        let room = screen.usable, measures = screenful.measures
        let largest = max(1, min(room.width / start.width, room.height / start.height) * measures.pinchLargest)
        let scale = rubberBand(pinch.scale(a, b), low: 1, high: largest, give: measures.pinchGive)
        let anchor = Rect(0, 0, 1, 1).map(pinch.startCenter, from: start), center = pinch.center(a, b)
        let size = start.size * scale
        let frame = Rect(center.x - anchor.x * size.width, center.y - anchor.y * size.height, size.width, size.height)
        screenful.stage.holdPinched(
            at: frame, progress: max(0, min(1, (a.distance(to: b) - pinch.startDistance) / measures.pinchOpens)), now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let (a, b) = points(in: hands), let spread = spread(in: hands),
            spread >= screenful.measures.pinchOpens, pinch.scale(a, b) >= screenful.measures.pinchOpensScale
        else { return screenful.returnPinched(at: now) }
        screenful.openPinched(item.id, in: window, at: now, &turn)
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.returnPinched(at: now)
    }
}

extension Hands {
    /// A finger comes down on a client's window. If it is the second one there, and an item lies between the two, they may
    /// pinch it open. Any other number of fingers is for the client.
    mutating func notePinch(_ contact: Contact, in window: WindowID, _ screenful: borrowing Screenful, at now: Moment) {
        mayPinch = nil
        let others = contacts.filter { $0.id != Contact.pointer && $0.owner != .nobody }
        guard others.count == 1, let other = others.first, other.owner == .client(window), other.edge == nil, contact.edge == nil else {
            return
        }
        let pinch = Pinch(other.trace.point, contact.trace.point)
        guard let local = screenful.stage.local(pinch.startCenter, in: window, screenful.workspace, at: now),
            let item = screenful.workspace.pinchable(at: local, in: window)
        else { return }
        mayPinch = PinchOpenGesture(first: other.id, second: contact.id, window: window, item: item, pinch: pinch)
    }

    /// Whether the two fingers have spread, and are still the client's.
    func begins(_ gesture: PinchOpenGesture, _ screenful: borrowing Screenful) -> Bool {
        guard grab == nil, gesture.contacts.allSatisfy({ contact($0)?.owner == .client(gesture.window) }),
            let spread = gesture.spread(in: self)
        else { return false }
        return spread > screenful.measures.pinchSlop
    }

    /// Whether a finger is one of two that spread on an item, but not yet far enough. Until then it drags nothing.
    func isSpreading(_ id: Int32, _ screenful: borrowing Screenful) -> Bool {
        guard let mayPinch, mayPinch.contacts.contains(id), let spread = mayPinch.spread(in: self) else { return false }
        return spread > screenful.measures.pinchSlop / 2
    }

    mutating func beginPinchOpen(_ gesture: PinchOpenGesture, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        mayPinch = nil
        guard screenful.stage.pinch(gesture.item, in: gesture.window, screenful.workspace, at: now) else { return }
        takeFromClients(&turn)
        for index in contacts.indices where gesture.contacts.contains(contacts[index].id) { contacts[index].owner = .shell }
        grab = gesture.grab
    }

    /// An app says what can be pinched open. A gesture on an item that is none any more ends.
    mutating func pinchablesChanged(_ items: [Pinchable], of id: WindowID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        screenful.workspace.setPinchables(items, of: id)
        func isLost(_ gesture: PinchOpenGesture) -> Bool { gesture.window == id && !items.contains { $0.id == gesture.item.id } }
        if let pinch = mayPinch, isLost(pinch) { mayPinch = nil }
        guard case .pinchOpen(let gesture) = grab, isLost(gesture) else { return }
        cancelGrab(&screenful, at: now, &turn)
        turn.ask(.settle())
    }
}
