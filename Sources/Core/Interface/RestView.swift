import Geometry
import Stage
import Status
import Windows

/// The view of an unused device: a clock that moves, so that no pixel shows the same for hours (`RestRules`).
extension Views {
    /// It takes no input: the key or finger that ends it is not passed on.
    public func restView() -> Canvas {
        var out = canvas()
        guard let rest = interface.rest, !rest.isGone(at: now) else { return out }
        out.mirror = nil
        out.opacity = max(0, min(1, rest.presence(at: now)))
        out.fill("rest", .locked, screen.bounds, opacity: 0.9)
        guard let time = rest.content.time else { return out }
        let size = Size(min(room.width, scaled(160)), line(.largeTitle))
        // The steps of the golden ratio come near every place, and never twice to the same.
        let n = Double(rest.content.place)
        let across = (n * 0.618_033_988_75).truncatingRemainder(dividingBy: 1),
            down = (n * 0.414_213_562_37).truncatingRemainder(dividingBy: 1)
        let place = Rect(
            (room.minX + (room.width - size.width) * across).rounded(), (room.minY + (room.height - size.height) * down).rounded(),
            size.width, size.height)
        out.text("rest/clock", .verbatim(time.text), .largeTitle, .onWallpaperSecondary, place, .center)
        out.control("rest/clock", .label, .verbatim(time.text), place, focusable: false, hittable: false)
        return out
    }
}

extension Interface {
    /// The clock of a screen at rest.
    public struct Rest: Hashable, Codable, Sendable {
        /// How often it moved.
        public var place = 1
        /// nil until it is told.
        public var time: TimeOfDay?

        public init() {}
    }

    public var isResting: Bool { rest?.isOpen ?? false }
}
