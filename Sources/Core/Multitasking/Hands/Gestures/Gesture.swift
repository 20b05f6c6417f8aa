import Geometry
import Stage
import Windows

/// A gesture that the shell owns, as a value: the held item and the beginning (law 8: one gesture, one owner).
///
/// The finger, or the pointer with a button down, begins it; afterwards `moved` is called for each motion and then either
/// `ended` or `cancelled`, once (law 4). A gesture that becomes another one puts that into `hands.grab`.
protocol Gesture: Hashable, Codable, Sendable {
    /// The fingers that hold it, or `Contact.pointer`. The first one leads.
    var contacts: [Int32] { get }
    /// Windows that follow the finger.
    var windows: [WindowID] { get }
    /// The window on whose content it is. The gesture ends with it.
    var over: WindowID? { get }
    /// Whether it moves windows of the space in front, and so has to end when another space comes to the front.
    var isOfSpace: Bool { get }
    /// Whether something moves with the finger.
    var isCarrying: Bool { get }
    /// The case of `Grab` that holds it.
    var grab: Grab { get }

    /// The leading finger has moved.
    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    /// The gesture ended normally. Its hold is already released; the caller settles everything afterwards.
    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    /// The gesture was cancelled. The items that it held go back to their places.
    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
}

extension Gesture {
    var windows: [WindowID] { [] }
    var over: WindowID? { nil }
    var isOfSpace: Bool { false }
    var isCarrying: Bool { true }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {}
    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {}
}

/// How a gesture ended.
struct GestureEnd {
    var trace: Trace
    /// The leading finger's velocity, in points per second.
    var velocity: Vector
    var screen: Screen
    /// Whether the finger stayed where it came down.
    var isTap: Bool

    /// How far the thrown thing travels after the release.
    var projected: Vector { Vector(projectedDistance(velocity: velocity.dx), projectedDistance(velocity: velocity.dy)) }
}

/// The gesture in progress. A new gesture is a type of its own, a case here and a line in `gesture`.
enum Grab: Hashable, Codable, Sendable {
    case divider(DividerDragGesture)
    case card(CardGesture)
    case flip(FlipGesture)
    case reveal(CardRevealGesture)
    case picture(PipGesture)
    case stretch(PipStretchGesture)
    case pinch(PipPinchGesture)
    case revealPip(PipRevealGesture)
    case lift(LiftGesture)
    case pan(SpacePanGesture)
    case view(PressGesture)
    case homePan(HomePanGesture)
    case overviewPan(RowPanGesture)
    case carry(CarryGesture)
    case icon(IconGesture)
    case swipe(SwipeGesture)
    case slide(SlideGesture)
    case pull(PullGesture)
    case sheet(SheetGesture)
    case pinchOpen(PinchOpenGesture)
    case viewCard(ViewCardGesture)
    case dock(DockGesture)
    case lens(LensGesture)
    case notice(NoticeGesture)
    case list(ListGesture)
    case move(MoveGesture)
    case resize(ResizeGesture)
    case mark(MarkGesture)

    var gesture: any Gesture {
        switch self {
        case .divider(let gesture): gesture
        case .card(let gesture): gesture
        case .flip(let gesture): gesture
        case .reveal(let gesture): gesture
        case .picture(let gesture): gesture
        case .stretch(let gesture): gesture
        case .pinch(let gesture): gesture
        case .revealPip(let gesture): gesture
        case .lift(let gesture): gesture
        case .pan(let gesture): gesture
        case .view(let gesture): gesture
        case .homePan(let gesture): gesture
        case .overviewPan(let gesture): gesture
        case .carry(let gesture): gesture
        case .icon(let gesture): gesture
        case .swipe(let gesture): gesture
        case .slide(let gesture): gesture
        case .pull(let gesture): gesture
        case .sheet(let gesture): gesture
        case .pinchOpen(let gesture): gesture
        case .viewCard(let gesture): gesture
        case .dock(let gesture): gesture
        case .lens(let gesture): gesture
        case .notice(let gesture): gesture
        case .list(let gesture): gesture
        case .move(let gesture): gesture
        case .resize(let gesture): gesture
        case .mark(let gesture): gesture
        }
    }

    var contacts: [Int32] { gesture.contacts }
    var windows: [WindowID] { gesture.windows }
    var isOfSpace: Bool { gesture.isOfSpace }
    var isCarrying: Bool { gesture.isCarrying }
}
