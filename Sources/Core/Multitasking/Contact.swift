import Geometry
import Interface
import OrderedCollections
import Stage
import Windows

/// A finger on the screen, or the pointer while the shell holds its button.
struct Contact: Hashable, Codable, Sendable {
    var id: Int32
    var trace: Trace
    var hit: Hit
    var owner: Owner
    /// The edge of the screen that it came down at, until it shows whether it comes from there. So long nobody else takes
    /// the finger, whatever lies under it.
    var edge: Side?
    /// What it came down on was on its way: it stops that, and a tap presses nothing.
    var hasCaught: Bool {
        get { caught ?? false }
        set { caught = newValue ? true : nil }
    }

    /// Recordings made before there was such a thing say nothing of it.
    private var caught: Bool?

    /// The window whose app asked meanwhile to be moved with this finger.
    var wantsMove: WindowID?

    enum Owner: Hashable, Codable, Sendable {
        /// The client of this window gets it; a drag may still make it the shell's.
        case client(WindowID)
        case background
        /// What it is on is the shell's own, and waits until the edge has let go of the finger.
        case edge
        case shell
        /// A gesture elsewhere took it, or what it was on is gone.
        case nobody
    }

    init(id: Int32, trace: Trace, hit: Hit, owner: Owner) {
        self.id = id
        self.trace = trace
        self.hit = hit
        self.owner = owner
    }

    /// The pointer's place among the fingers.
    static let pointer: Int32 = -1
}

/// What a gesture that the shell owns is doing (law 8: one gesture, one owner).
enum Grab: Hashable, Codable, Sendable {
    /// `offset`: from the finger to the divider's middle.
    case divider(contact: Int32, offset: Vector)
    case card(contact: Int32, window: WindowID, start: Rect)
    case flip(contact: Int32, window: WindowID, start: Rect)
    /// Pulls a hidden card back in.
    case reveal(contact: Int32, window: WindowID, start: Rect)
    case picture(contact: Int32, window: WindowID, start: Rect)
    /// From a corner of it, `fixed` being the other one, both as shares of its size; `way`: from there to the finger.
    case stretch(contact: Int32, window: WindowID, start: Rect, fixed: Point, way: Vector)
    case pinch(first: Int32, second: Int32, window: WindowID, start: Rect, Pinch)
    case revealPip(contact: Int32, window: WindowID, start: Rect)
    /// `anchor`: where in the window the finger is, as a share of its size.
    case lift(contact: Int32, window: WindowID, size: Size, anchor: Point, target: DropTarget?)
    /// `start`: how far the space was from its place already.
    case pan(contact: Int32, start: Double)
    /// On a control of the shell. `isHeld`: its menu has opened under the finger.
    case view(contact: Int32, id: String, isHeld: Bool)
    /// `start`: how far it was scrolled.
    case homePan(contact: Int32, start: Double)
    /// `isCaught`: it was still scrolling.
    case overviewPan(contact: Int32, start: Double, isCaught: Bool)
    /// A card of the app switcher, upwards to close it. `caught`: the control that it is, while the finger that caught it in
    /// flight has not moved.
    case carry(contact: Int32, card: CardID, start: Rect, caught: String?)
    /// An app's icon.
    case icon(contact: Int32, app: String, target: DropTarget?)
    /// Up from the bottom edge: the dock, the app switcher, home.
    case swipe(contact: Int32, SwipedCard?)
    /// The knob of a slider. `start`: how far it was; a finger moves it from there, the pointer takes it along.
    case slide(contact: Int32, id: String, start: Double)
    /// Down from the top edge.
    case pull(contact: Int32, panel: Interface.Panel)

    var contacts: [Int32] {
        switch self {
        case .divider(let c, _), .card(let c, _, _), .flip(let c, _, _), .reveal(let c, _, _), .picture(let c, _, _),
            .stretch(let c, _, _, _, _), .revealPip(let c, _, _), .lift(let c, _, _, _, _), .pan(let c, _), .view(let c, _, _),
            .homePan(let c, _), .overviewPan(let c, _, _), .carry(let c, _, _, _), .icon(let c, _, _), .swipe(let c, _), .slide(let c, _, _),
            .pull(let c, _):
            [c]
        case .pinch(let a, let b, _, _, _): [a, b]
        }
    }

    /// It moves what the space in front holds, and makes no sense over another.
    var isOfSpace: Bool {
        switch self {
        case .divider, .pan, .swipe: true
        case .card, .flip, .reveal, .picture, .stretch, .pinch, .revealPip, .lift, .view, .homePan, .overviewPan, .carry, .icon,
            .slide, .pull:
            false
        }
    }

    /// Windows that follow the finger.
    var windows: [WindowID] {
        switch self {
        case .card(_, let w, _), .flip(_, let w, _), .reveal(_, let w, _), .picture(_, let w, _),
            .stretch(_, let w, _, _, _), .pinch(_, _, let w, _, _), .revealPip(_, let w, _), .lift(_, let w, _, _, _):
            [w]
        case .divider, .pan, .view, .homePan, .overviewPan, .carry, .icon, .swipe, .slide, .pull: []
        }
    }
}

/// A space in the hand that is swiped up from the bottom edge.
struct SwipedCard: Hashable, Codable, Sendable {
    var space: SpaceID
    /// As it was taken: its size, and where in it the finger is, as a share of that.
    var size: Size
    var anchor: Point
    /// The finger rested, and the app switcher has opened around it.
    var isInSwitcher = false
}

/// Where a lifted window goes if it is let go.
enum DropTarget: Hashable, Codable, Sendable {
    case fullScreen
    case split(Side)
    case slideOver(Side)
    case picture(Corner)
}

/// The pointer as clients know it.
struct PointerState: Hashable, Codable, Sendable {
    var point = Point.zero
    var over = Over.nothing
    /// Where in the window under it, as that was last told.
    var local: Point?
    /// It has moved since the shell began; until then there may be no pointer at all.
    var wasOver = false
    /// The window that gets everything until the last button is released.
    var grabbed: WindowID?
    /// Down, whoever got them.
    var buttons: OrderedSet<UInt32> = []
    /// Those of them that a client or a panel got.
    var delivered: OrderedSet<UInt32> = []
    /// The one whose release ends what the shell does.
    var shellButton: UInt32?
    /// A press that is the shell's if it becomes a drag, and the client's if it stays a click.
    var deferred: Deferred?
    var modifiers: Modifiers = []

    enum Over: Hashable, Codable, Sendable {
        case nothing
        case window(WindowID)
        case background
        case shell(Cursor)
    }

    struct Deferred: Hashable, Codable, Sendable {
        var button: UInt32
        var window: WindowID
    }
}
