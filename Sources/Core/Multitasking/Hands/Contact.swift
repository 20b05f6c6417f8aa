import Geometry
import Interface
import OrderedCollections
import Seat
import Stage
import Windows

/// A finger on the screen, or the pointer while the shell holds its button.
struct Contact: Hashable, Codable, Sendable {
    var id: Int32
    var trace: Trace
    var hit: Hit
    var owner: Owner
    /// The edge of the screen at which it came down, until the finger shows whether it is an edge gesture. Until then
    /// nothing else gets the finger.
    var edge: Side?
    /// The finger came down on something in motion: it stops that, and a tap presses nothing.
    var hasCaught = false

    /// The panel at the lower edge that gets the finger if the edge does not.
    var over: Overlay?

    /// The finger came down on the line at the bottom. If it rests there, it calls the on-screen keyboard.
    var isOnLine = false

    /// The window whose app asked, while the edge had the finger, to be moved with it.
    var wantsMove: WindowID?

    enum Owner: Hashable, Codable, Sendable {
        /// The client of this window gets the finger; a drag may still make it the shell's.
        case client(WindowID)
        case background
        /// An overlay gets the finger, and keeps it: no gesture begins there.
        case overlay(Overlay)
        /// The finger is on the shell's own views, and waits until the edge has released it.
        case edge
        case shell
        /// A gesture elsewhere took the finger, or its target is gone.
        case nobody

        var isOverlay: Bool { if case .overlay = self { true } else { false } }
    }

    init(id: Int32, trace: Trace, hit: Hit, owner: Owner) {
        self.id = id
        self.trace = trace
        self.hit = hit
        self.owner = owner
    }

    /// The pointer's place among the fingers.
    static let pointer: Int32 = -1
    /// The number of the finger by which a person presses where the eyes rest (V-02).
    static let gaze: Int32 = 0x6a7e
}

/// The pointer as clients know it.
struct PointerState: Hashable, Codable, Sendable {
    var point = Point.zero
    var over = Over.nothing
    /// The overlay at that point, as last reported.
    var overlay: Overlay?
    /// The position in the window under the pointer, as last sent.
    var local: Point?
    /// Whether the pointer has moved since the shell started; until then there may be no pointer.
    var wasOver = false
    /// Where it was when it last said where the person looks.
    var lookedFrom: Point?
    /// Whether a finger came down after the pointer was last used. The cursor is hidden then, and nothing hovers where it was.
    var isAway = false
    /// The window that gets all pointer events until the last button is released.
    var grabbed: WindowID?
    /// The buttons that are down, delivered or not.
    var buttons: OrderedSet<UInt32> = []
    /// The buttons among them that a client or a panel got.
    var delivered: OrderedSet<UInt32> = []
    /// The button whose release ends the shell's gesture.
    var shellButton: UInt32?
    /// A press that goes to the shell if it becomes a drag, and to the client if it stays a click.
    var deferred: Deferred?
    var modifiers: Modifiers = []
    /// Whether it is in the hot corner.
    var isInCorner = false

    enum Over: Hashable, Codable, Sendable {
        case nothing
        case window(WindowID)
        case background
        case overlay(Overlay)
        case shell(Cursor)
    }

    struct Deferred: Hashable, Codable, Sendable {
        var button: UInt32
        var window: WindowID
    }
}
