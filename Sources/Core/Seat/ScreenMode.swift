/// A size and refresh rate of a screen.
public struct ScreenMode: Hashable, Sendable {
    /// In pixels, before the transform.
    public var width, height: Int32
    /// In millihertz.
    public var refresh: Int32

    public init(width: Int32, height: Int32, refresh: Int32) {
        self.width = width
        self.height = height
        self.refresh = refresh
    }

    /// The index of the best mode of that size: the nearest refresh rate, or the highest if the wish has none.
    static func best(of modes: [ScreenMode], for wish: ScreenMode) -> Int? {
        var best: Int?
        for (index, mode) in modes.enumerated() where mode.width == wish.width && mode.height == wish.height {
            guard let before = best.map({ modes[$0].refresh }) else {
                best = index
                continue
            }
            let isBetter =
                wish.refresh > 0
                ? (Int(mode.refresh) - Int(wish.refresh)).magnitude < (Int(before) - Int(wish.refresh)).magnitude
                : mode.refresh > before
            if isBetter { best = index }
        }
        return best
    }
}

/// The current geometry of a screen. Applies the user's wishes to it.
public struct ScreenShape: Hashable, Sendable {
    /// In pixels, after the transform.
    public var width, height: Int32
    /// Pixels per point.
    public var scale: Double
    /// wl_output_transform: counter-clockwise quarter turns; mirrored from 4 on.
    public var transform: Int32

    public init(width: Int32, height: Int32, scale: Double, transform: Int32) {
        self.width = width
        self.height = height
        self.scale = scale
        self.transform = transform
    }

    /// Applies a new size in points, scale or rotation; nil keeps the current value.
    /// - Parameter canResize: the screen supports any size. A new scale then keeps the size in points.
    public func changed(width wide: Double?, height high: Double?, scale newScale: Double?, rotation: Int32?, canResize: Bool)
        -> ScreenShape
    {
        var new = self
        new.scale = newScale ?? scale
        new.transform = rotation ?? transform
        // Sizes are after the transform, so a quarter turn swaps the sides.
        if transform % 2 != new.transform % 2 { swap(&new.width, &new.height) }
        if let wide, let high {
            new.width = Int32(clamping: (wide * new.scale).rounded())
            new.height = Int32(clamping: (high * new.scale).rounded())
        } else if newScale != nil, canResize {
            // Keep the size in points with a different number of pixels.
            new.width = Int32(clamping: (Double(new.width) / scale * new.scale).rounded())
            new.height = Int32(clamping: (Double(new.height) / scale * new.scale).rounded())
        }
        return new
    }

    /// The size before the transform, as in modes.
    public var mode: (width: Int32, height: Int32) { transform % 2 == 0 ? (width, height) : (height, width) }
}

/// How to give a screen the wanted size and refresh rate.
public enum ScreenResize: Hashable, Sendable {
    /// The screen already has it, or there is no wish.
    case nothing
    /// One of its own modes, by index.
    case mode(Int)
    /// A custom mode. Refresh 0 leaves the rate to the screen.
    case custom(ScreenMode)
    case impossible

    /// The kind of a screen, which determines size and refresh rate where no mode matches.
    public enum Kind: Hashable, Sendable {
        /// The screen supports only its own modes.
        case fixed
        /// A window in another desktop, which has its own refresh rate.
        case nested
        /// A virtual screen without a device.
        case virtual
    }

    /// - Parameter wish: refresh 0 means any; a size of 0 or less means no wish.
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
                // If it has no refresh rate yet, use the default one.
                case .virtual:
                    .custom(
                        ScreenMode(
                            width: wish.width, height: wish.height,
                            refresh: wish.refresh > 0 ? wish.refresh : now.refresh > 0 ? now.refresh : 60000))
                }
            }
    }
}
