import Geometry
import Idioms
import Rooms
import Windows

/// How long the controls on Picture in Picture stay (W-06).
public struct PictureControls: Room {
    private var isTimed = false

    public init() {}

    public enum Event: Hashable, Sendable {
        /// A change settled.
        case settled
        /// A button of the controls was pressed.
        case used
        case timeIsUp
    }

    public struct Context: Hashable, Sendable {
        public var isOpen = false
        /// The window that the controls are for.
        public var shown: WindowID?
        /// The window in Picture in Picture; nil if it is stashed.
        public var picture: WindowID?
        public var isLocked = false
        /// Whether the keys are on a control.
        public var hasFocus = false
        /// Whether a finger is on one.
        public var isPressed = false
        /// In seconds.
        public var patience = 0.0

        public init() {}
    }

    public enum Outcome: Hashable, Sendable {
        case closes
        /// The timer; nil: it stops.
        case timer(Moment?)
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .settled:
            let isLost = context.isOpen && (context.picture == nil || context.picture != context.shown || context.isLocked)
            let isMeant = context.isOpen && !isLost && !context.hasFocus && !context.isPressed
            let closing: [Outcome] = isLost ? [.closes] : []
            guard isMeant != isTimed else { return closing }
            isTimed = isMeant
            return closing + [.timer(isMeant ? now + context.patience : nil)]
        case .used:
            isTimed = false
            return []
        case .timeIsUp:
            isTimed = false
            // A finger that rests on a button will be lifted sooner or later.
            return context.isPressed ? [] : [.closes]
        }
    }
}
