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
