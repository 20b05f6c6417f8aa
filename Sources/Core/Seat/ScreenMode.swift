/// A size and pace that a screen offers.
public struct ScreenMode: Hashable, Sendable {
    /// Pixels, before the transform.
    public var width, height: Int32
    /// In thousandths of a hertz.
    public var refresh: Int32

    public init(width: Int32, height: Int32, refresh: Int32) {
        self.width = width
        self.height = height
        self.refresh = refresh
    }

    /// The place of the mode of that size among a screen's own: the nearest in refresh, or the fastest if the wish names none.
    static func best(of modes: [ScreenMode], for wish: ScreenMode) -> Int? {
        var best: Int?
        for (index, mode) in modes.enumerated() where mode.width == wish.width && mode.height == wish.height {
            guard let before = best.map({ modes[$0].refresh }) else {
                best = index
                continue
            }
            let isBetter = wish.refresh > 0
                ? (Int(mode.refresh) - Int(wish.refresh)).magnitude < (Int(before) - Int(wish.refresh)).magnitude
                : mode.refresh > before
            if isBetter { best = index }
        }
        return best
    }
}

/// How a screen is, and what a person's wish makes of it.
public struct ScreenShape: Hashable, Sendable {
    /// In pixels as a person sees them: after the transform.
    public var width, height: Int32
    /// Pixels per point.
    public var scale: Double
    /// wl_output_transform: quarter turns counter-clockwise, from 4 on mirrored.
    public var transform: Int32

    public init(width: Int32, height: Int32, scale: Double, transform: Int32) {
        self.width = width
        self.height = height
        self.scale = scale
        self.transform = transform
    }

    /// A wish for another size in points, another scale or another rotation; nil leaves it as it is.
    /// - Parameter canResize: the screen takes any size. A new scale then keeps the room in points.
    public func changed(width wide: Double?, height high: Double?, scale newScale: Double?, rotation: Int32?, canResize: Bool) -> ScreenShape {
        var new = self
        new.scale = newScale ?? scale
        new.transform = rotation ?? transform
        // Sizes are as a person sees them, so a quarter turn swaps the sides.
        if transform % 2 != new.transform % 2 { swap(&new.width, &new.height) }
        if let wide, let high {
            new.width = Int32((wide * new.scale).rounded())
            new.height = Int32((high * new.scale).rounded())
        } else if newScale != nil, canResize {
            // The same room in points, in other pixels.
            new.width = Int32((Double(new.width) / scale * new.scale).rounded())
            new.height = Int32((Double(new.height) / scale * new.scale).rounded())
        }
        return new
    }

    /// Before the transform, as modes are counted: a mode is turned with the screen.
    public var mode: (width: Int32, height: Int32) { transform % 2 == 0 ? (width, height) : (height, width) }
}

/// What a wish for a size and a pace comes to on a screen.
public enum ScreenResize: Hashable, Sendable {
    /// The screen is like that already, or nothing is wished.
    case nothing
    /// One of its own modes, by its place.
    case mode(Int)
    /// A mode that it is given; refresh 0 leaves it to the screen.
    case custom(ScreenMode)
    case impossible

    /// Who sets the size and the pace of a screen that has no mode for a wish.
    public enum Kind: Hashable, Sendable {
        /// Nobody: it has its modes.
        case fixed
        /// It is a window of another desktop, which has a pace of its own.
        case nested
        /// It is the shell's own, without a device.
        case virtual
    }

    /// - Parameter wish: 0 for a refresh that does not matter; a size of 0 or less wishes nothing.
    public init(from now: ScreenMode, to wish: ScreenMode, modes: [ScreenMode], kind: Kind) {
        let resizes = wish.width != now.width || wish.height != now.height
        let paces = wish.refresh > 0 && wish.refresh != now.refresh
        self =
            if wish.width <= 0 || wish.height <= 0 || (!resizes && !paces) {
                .nothing
            } else if let index = ScreenMode.best(of: modes, for: wish) {
                .mode(index)
            } else {
                switch kind {
                case .fixed: .impossible
                case .nested: paces ? .impossible : .custom(ScreenMode(width: wish.width, height: wish.height, refresh: 0))
                // Without a pace of its own yet it has the usual one.
                case .virtual:
                    .custom(
                        ScreenMode(
                            width: wish.width, height: wish.height,
                            refresh: wish.refresh > 0 ? wish.refresh : now.refresh > 0 ? now.refresh : 60000))
                }
            }
    }
}
