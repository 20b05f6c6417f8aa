import Geometry

/// Where an xdg_popup stands: the rules of its xdg_positioner, applied to the room that the shell gives it.
///
/// The two axes are independent. On each one, the protocol tries to flip the popup, then to slide it, then to resize it, and only
/// as far as the client allows it. One rule is the shell's own: a popup that fits on neither side, and may not slide, opens on the side
/// with more room. The protocol keeps it where the client asked, and there it may be out of sight as a whole.
public struct PopupPlacement: Equatable, Sendable {
    /// The rules along one axis. Everything is in points, in the coordinates of the parent's window geometry.
    public struct Axis: Equatable, Sendable {
        /// An edge of a rectangle on this axis. `start` is left or top.
        public enum Edge: Int, CaseIterable, Sendable {
            case start = -1, none, end

            var opposite: Edge { self == .start ? .end : self == .end ? .start : .none }
        }

        public struct Adjustments: OptionSet, Hashable, Sendable {
            public let rawValue: UInt32
            public init(rawValue: UInt32) { self.rawValue = rawValue }

            public static let slide = Adjustments(rawValue: 1)
            public static let flip = Adjustments(rawValue: 4)
            public static let resize = Adjustments(rawValue: 16)
        }

        public struct Span: Equatable, Sendable {
            public var start: Double
            public var length: Double
            public var end: Double { start + length }

            public init(_ start: Double, _ length: Double) {
                self.start = start
                self.length = length
            }

            /// How much of it is in the room.
            fileprivate func seen(in room: Span) -> Double { max(0, min(end, room.end) - max(start, room.start)) }

            fileprivate func isInside(_ room: Span) -> Bool { start >= room.start && end <= room.end }
        }

        public var anchorRect: Span
        public var anchor: Edge
        public var gravity: Edge
        public var offset: Double
        public var length: Double
        public var adjustments: Adjustments

        public init(anchorRect: Span, anchor: Edge, gravity: Edge, offset: Double, length: Double, adjustments: Adjustments) {
            self.anchorRect = anchorRect
            self.anchor = anchor
            self.gravity = gravity
            self.offset = offset
            self.length = length
            self.adjustments = adjustments
        }

        /// The place that the client asks for.
        public var unadjusted: Span { place(anchor: anchor, gravity: gravity) }

        /// The place in `room`. It never grows, and it never gets shorter than one point.
        public func placed(in room: Span) -> Span {
            var span = unadjusted
            guard !span.isInside(room) else { return span }
            if adjustments.contains(.flip) {
                // The offset is not inverted.
                let flipped = place(anchor: anchor.opposite, gravity: gravity.opposite)
                if flipped.isInside(room) { return flipped }
                // Neither side has room for all of it. Where it cannot slide, more of it is seen on the side with more room, as a menu of
                // GTK 4 that is higher than the room above its button.
                if !adjustments.contains(.slide), flipped.seen(in: room) > span.seen(in: room) { span = flipped }
            }
            if adjustments.contains(.slide) { span.start += slide(of: span, in: room) }
            if adjustments.contains(.resize), !span.isInside(room) {
                let start = max(span.start, room.start), length = min(span.end, room.end) - start
                // A popup that lies wholly outside cannot be made to fit.
                if length >= 1 { span = Span(start, length) }
            }
            return span
        }

        private func place(anchor: Edge, gravity: Edge) -> Span {
            let point =
                switch anchor {
                case .start: anchorRect.start
                case .none: anchorRect.start + (anchorRect.length / 2).rounded(.down)
                case .end: anchorRect.end
                }
            let before =
                switch gravity {
                case .start: length
                case .none: (length / 2).rounded(.down)
                case .end: 0.0
                }
            return Span(point + offset - before, length)
        }

        /// A popup without gravity slides as one with a gravity to the end, so that its start is visible if not all of it can be.
        private func slide(of span: Span, in room: Span) -> Double {
            let pastStart = room.start - span.start, pastEnd = span.end - room.end
            // Each slide ends where the edge in front becomes constrained.
            let towardsEnd = max(0, min(pastStart, -pastEnd)), towardsStart = max(0, min(pastEnd, -pastStart))
            if gravity != .start { return towardsEnd > 0 ? towardsEnd : -towardsStart }
            return towardsStart > 0 ? -towardsStart : towardsEnd
        }
    }

    public var x: Axis
    public var y: Axis

    public init(x: Axis, y: Axis) {
        self.x = x
        self.y = y
    }

    /// From the numbers of the protocol. Unknown values are those of `none`.
    public init(anchorRect: Rect, anchor: UInt32, gravity: UInt32, offset: Vector, size: Size, adjustments: UInt32) {
        let a = Self.edges(anchor), g = Self.edges(gravity)
        x = Axis(
            anchorRect: .init(anchorRect.x, anchorRect.width), anchor: a.x, gravity: g.x, offset: offset.dx, length: size.width,
            adjustments: .init(rawValue: adjustments & 0b010101))
        y = Axis(
            anchorRect: .init(anchorRect.y, anchorRect.height), anchor: a.y, gravity: g.y, offset: offset.dy, length: size.height,
            adjustments: .init(rawValue: adjustments >> 1 & 0b010101))
    }

    /// The part of a popup that has to be in its room, so that a finger can press it, in points each way.
    public static let reach = 44.0

    /// Whether a person can reach a popup that stands at `place`: enough of it lies in `room`, or all of a popup that is smaller. A popup may
    /// come to lie elsewhere after it opened, because its window or the screen changed (P-04). One that is cut stays: an on-screen keyboard
    /// that comes up for a field in a popup must not close it.
    public static func isInReach(_ place: Rect, in room: Rect) -> Bool {
        func isInReach(_ span: Axis.Span, _ room: Axis.Span) -> Bool { span.seen(in: room) >= min(reach, span.length, room.length) }
        return isInReach(.init(place.x, place.width), .init(room.x, room.width))
            && isInReach(.init(place.y, place.height), .init(room.y, room.height))
    }

    /// The rectangle in `room`, both in the coordinates of the parent's window geometry.
    public func placed(in room: Rect) -> Rect {
        let h = x.placed(in: .init(room.x, room.width)), v = y.placed(in: .init(room.y, room.height))
        return Rect(h.start, v.start, h.length, v.length)
    }

    /// The edges of a value of xdg_positioner.anchor or xdg_positioner.gravity, which have the same numbers.
    private static func edges(_ value: UInt32) -> (x: Axis.Edge, y: Axis.Edge) {
        switch value {
        case 1: (.none, .start)
        case 2: (.none, .end)
        case 3: (.start, .none)
        case 4: (.end, .none)
        case 5: (.start, .start)
        case 6: (.start, .end)
        case 7: (.end, .start)
        case 8: (.end, .end)
        default: (.none, .none)
        }
    }
}
