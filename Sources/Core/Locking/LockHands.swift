import Geometry
import Rooms
import Windows

/// Input for the lock screen of the shell. It reaches no gesture and no view of the session.
public enum LockInput: Hashable, Codable, Sendable {
    /// A finger, or -1 for the button of the pointer. In points of the screen.
    case down(Int32, at: Point)
    case moved(Int32, to: Point)
    case up(Int32)
    case cancelled(Int32)
    /// By this many points.
    case scrolled(Double)
    /// `text`: it types this, without Control, Alt or Super.
    case key(KeySymbol, text: String?)
    /// A key with Control, Alt or Super: its meanings in a shortcut, best first, and the modifiers, as bits of xkbcommon.
    case chord([KeySymbol], modifiers: UInt32)
}

/// An event for the lock screen of the shell.
public enum LockScreenEvent: Hashable, Codable, Sendable {
    case input(LockInput)
    /// The helper that speaks with PAM, in the attempt of this number.
    case talk(UInt64, TalkEvent)
    /// The shell before this one counted so many wrong tries.
    case triedBefore(Int)
    /// The login manager asks to lock the session, or to unlock it.
    case lockAsked, unlockAsked
    case greeter(GreeterEvent)
}

/// The fingers and the pointer's button on the lock screen of the shell: taps on its controls, swipes, and its list that scrolls.
public struct LockHands: Room {
    private var held: Held?
    /// How far the list is scrolled, in points.
    public private(set) var scroll = 0.0

    private struct Held: Hashable, Codable, Sendable {
        var id: Int32
        var from: Point, at: Point
        var control: ControlID?
        var scroll: Double
        /// It moved too far for a tap.
        var isDrag = false
        /// It began on the list.
        var isOnList: Bool
    }

    /// How far a finger that taps may move, and how far one that swipes has to, in points.
    static let slop = 12.0, swipe = 48.0

    public init() {}

    /// Where a finger is; nil: it presses nothing here.
    public func place(of id: Int32) -> Point? { held?.id == id ? held?.at : nil }

    public enum Event: Hashable, Sendable {
        /// `control`: the control there.
        case down(Int32, at: Point, control: ControlID?)
        case moved(Int32, to: Point)
        /// `control`: the control where it is lifted.
        case up(Int32, control: ControlID?)
        case cancelled(Int32)
        case scrolled(Double)
        /// The lock screen is new, or shows something else.
        case dropped
    }

    public struct Context: Hashable, Sendable {
        /// Where the list is, and how far it can be scrolled.
        public var list: Rect?
        public var length: Double

        public init(list: Rect?, length: Double) {
            self.list = list
            self.length = length
        }
    }

    public enum Outcome: Hashable, Sendable {
        /// This control is pressed down; nil: none.
        case marks(ControlID?)
        case presses(ControlID)
        case swipes(up: Bool)
        case scrolls
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .down(let id, let point, let control):
            // One finger at a time: a second one would press what the first did not mean. On keys, the next finger takes over.
            guard held == nil || held?.control != nil && control != nil else { return [] }
            var out: [Outcome] = []
            if let before = held?.control { out.append(.presses(before)) }
            held = Held(
                id: id, from: point, at: point, control: control, scroll: scroll, isOnList: context.list?.contains(point) ?? false)
            return out + [.marks(control)]
        case .moved(let id, let point):
            guard var held, held.id == id else { return [] }
            held.at = point
            let way = point - held.from, wasDrag = held.isDrag
            if max(abs(way.dx), abs(way.dy)) > Self.slop { held.isDrag = true }
            self.held = held
            var out: [Outcome] = held.isDrag && !wasDrag ? [.marks(nil)] : []
            if held.isDrag, held.isOnList { out += scrolled(to: held.scroll - way.dy, context) }
            return out
        case .up(let id, let control):
            guard let held, held.id == id else { return [] }
            self.held = nil
            if held.isDrag {
                let way = held.at - held.from
                guard abs(way.dy) > Self.swipe, abs(way.dy) > abs(way.dx), !held.isOnList || context.length <= 0 else { return [] }
                return [.swipes(up: way.dy < 0)]
            }
            guard let pressed = held.control, pressed == control else { return [.marks(nil)] }
            return [.marks(nil), .presses(pressed)]
        case .cancelled(let id):
            guard held?.id == id else { return [] }
            held = nil
            return [.marks(nil)]
        case .scrolled(let way): return scrolled(to: scroll + way, context)
        case .dropped:
            (held, scroll) = (nil, 0)
            return [.marks(nil)]
        }
    }

    private mutating func scrolled(to place: Double, _ context: Context) -> [Outcome] {
        let place = max(0, min(context.length, place))
        guard place != scroll else { return [] }
        scroll = place
        return [.scrolls]
    }

    public func violations(in context: Context) -> [String] {
        scroll.isFinite && scroll >= 0 ? [] : ["the list of the lock screen is scrolled by \(scroll)"]
    }
}
