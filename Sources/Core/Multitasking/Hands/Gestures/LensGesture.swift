import Geometry
import Stage
import Windows

/// Two fingers move the parts of an app into sight that its place does not show, and make it larger or smaller (W-11). One finger
/// belongs to the app.
struct LensGesture: Gesture {
    var first: Int32
    var second: Int32
    var window: WindowID
    /// The fingers when the second one came down.
    var pinch: Pinch
    /// The lens at the start.
    var start: Lens?
    /// The share at which it was drawn then.
    var scale: Double
    /// The point of the window between the fingers.
    var held: Point

    var contacts: [Int32] { [first, second] }
    var over: WindowID? { window }
    var isOfSpace: Bool { true }
    var grab: Grab { .lens(self) }

    private func points(in hands: Hands) -> (Point, Point)? {
        guard let a = hands.contact(first), let b = hands.contact(second) else { return nil }
        return (a.trace.point, b.trace.point)
    }

    /// Whether the fingers have moved far enough to mean more than a touch with two fingers.
    func isMeant(in hands: Hands, _ screenful: borrowing Screenful) -> Bool {
        guard let (a, b) = points(in: hands) else { return false }
        let slop = screenful.workspace.idiom.slop, spread = screenful.measures.pinchSlop
        return pinch.center(a, b).distance(to: pinch.startCenter) > slop || abs(a.distance(to: b) - pinch.startDistance) > spread
    }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let (a, b) = points(in: hands), let place = screenful.stage.place(of: window) else { return }
        let content = screenful.workspace.content(of: window)
        let wanted = max(content?.fit(in: place.size) ?? 0, min(Lens.largest, scale * pinch.scale(a, b)))
        let center = pinch.center(a, b)
        let origin = Point(held.x - (center.x - place.x) / wanted, held.y - (center.y - place.y) / wanted)
        screenful.workspace.setLens(window, scale: wanted, origin: origin, in: place.size)
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let place = screenful.stage.place(of: window) else { return }
        screenful.workspace.setLens(window, scale: start?.scale, origin: start?.origin ?? .zero, in: place.size)
    }
}

extension Hands {
    /// A finger comes down on a client's window. If it is the second one there, and the window is shown in part, the two may move it.
    mutating func noteLens(_ contact: Contact, in window: WindowID, _ screenful: borrowing Screenful, at now: Moment) {
        mayMagnify = nil
        guard mayPinch == nil, let place = screenful.stage.place(of: window), screenful.workspace.isMagnifiable(window, in: place.size)
        else {
            return
        }
        let others = contacts.filter { $0.id != Contact.pointer && $0.owner != .nobody }
        guard others.count == 1, let other = others.first, other.owner == .client(window), other.edge == nil, contact.edge == nil,
            let content = screenful.workspace.content(of: window), let scale = content.scale(in: place.size)
        else { return }
        let pinch = Pinch(other.trace.point, contact.trace.point)
        guard let held = screenful.stage.local(pinch.startCenter, in: window, screenful.workspace, at: now) else { return }
        mayMagnify = LensGesture(
            first: other.id, second: contact.id, window: window, pinch: pinch, start: content.lens,
            scale: scale, held: held)
    }

    /// The two fingers have moved, and are still the client's: the gesture begins.
    mutating func beginLens(_ id: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard grab == nil, let gesture = mayMagnify, gesture.contacts.contains(id),
            gesture.contacts.allSatisfy({ contact($0)?.owner == .client(gesture.window) }), gesture.isMeant(in: self, screenful)
        else { return false }
        mayMagnify = nil
        takeFromClients(&turn)
        for index in contacts.indices where gesture.contacts.contains(contacts[index].id) { contacts[index].owner = .shell }
        grab = gesture.grab
        return true
    }

    /// With Super held, the wheel moves the visible part of the window under the pointer; with Ctrl too, it makes it larger or smaller.
    ///
    /// - Returns: whether it did.
    mutating func scrollLens(_ axis: PointerAxis, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard pointer.modifiers.contains(.super), case .window(let window) = pointer.over, axis.value != 0,
            let place = screenful.stage.place(of: window), screenful.workspace.isMagnifiable(window, in: place.size)
        else { return false }
        useSuper(&turn)
        if pointer.modifiers.contains(.control) {
            let notches = axis.value / screenful.measures.wheelNotch
            screenful.scaleLens(of: window, by: notches < 0 ? Lens.step : 1 / Lens.step, around: pointer.point)
        } else {
            let isSideways = axis.isHorizontal || pointer.modifiers.contains(.shift)
            screenful.moveLens(of: window, by: isSideways ? Vector(axis.value * 3, 0) : Vector(0, axis.value * 3))
        }
        turn.ask(.settle())
        return true
    }
}

/// The visible part of a window, by keys, pointer and script.
extension Screenful {
    /// Whether a part of the window with the focus is out of sight.
    var showsPartOfFront: Bool {
        guard let window = workspace.focus, let place = stage.place(of: window) else { return false }
        return workspace.isMagnifiable(window, in: place.size)
    }

    /// - Parameter way: in points of the screen.
    mutating func moveLens(of window: WindowID, by way: Vector) {
        guard let place = stage.place(of: window), let content = workspace.content(of: window), let scale = content.scale(in: place.size)
        else { return }
        let shown = content.magnified(in: place) ?? place
        let origin = Point((place.x - shown.x + way.dx) / scale, (place.y - shown.y + way.dy) / scale)
        workspace.setLens(window, scale: content.lens?.scale, origin: origin, in: place.size)
        drawsAnew()
    }

    /// - Parameter point: stays where it is on the screen; the middle of the window if nil.
    mutating func scaleLens(of window: WindowID, by factor: Double, around point: Point? = nil) {
        guard let place = stage.place(of: window), let scale = workspace.content(of: window)?.scale(in: place.size) else { return }
        setLens(of: window, to: scale * factor, around: point)
    }

    private mutating func setLens(of window: WindowID, to scale: Double?, around point: Point? = nil) {
        guard let place = stage.place(of: window), let content = workspace.content(of: window) else { return }
        let shown = content.magnified(in: place) ?? place.fitting(content.size), point = point ?? place.center
        let held = Rect(origin: .zero, size: content.size).map(point, from: shown)
        let wanted = content.share(scale, in: place.size)
        let origin = Point(held.x - (point.x - place.x) / wanted, held.y - (point.y - place.y) / wanted)
        workspace.setLens(window, scale: scale, origin: origin, in: place.size)
        drawsAnew()
    }

    /// Carries out the actions for it.
    mutating func magnify(_ window: WindowID, _ change: LensChange) throws(Refusal) {
        guard let place = stage.place(of: window), workspace.isShown(window) else { throw Refusal("\(window) is not shown") }
        guard workspace.isMagnifiable(window, in: place.size) else { throw Refusal("all of \(window) is in sight") }
        switch change {
        case .larger: scaleLens(of: window, by: Lens.step)
        case .smaller: scaleLens(of: window, by: 1 / Lens.step)
        case .scale(let scale):
            guard scale.isFinite, scale > 0 else { throw Refusal("a scale is a number above 0") }
            setLens(of: window, to: scale)
        case .automatic: setLens(of: window, to: nil)
        case .left: moveLens(of: window, by: Vector(-place.width / 2, 0))
        case .right: moveLens(of: window, by: Vector(place.width / 2, 0))
        case .up: moveLens(of: window, by: Vector(0, -place.height / 2))
        case .down: moveLens(of: window, by: Vector(0, place.height / 2))
        }
    }
}
