import Geometry

/// How large the shell's own views are, and how far they keep away from the edges of the screen.
///
/// It is one transform for all of them: views are laid out in points of their own, and drawn `growth` times as large.
public struct ViewMeasures: Hashable, Codable, Sendable {
    /// Points of the screen for each point of a view.
    public var growth = 1.0
    /// How much larger text is than that.
    public var text = 1.0
    /// The safe area: what the views keep clear at the left and right, and at the top and bottom, in points of the screen. On a
    /// small screen it is at most `marginShare` of the side.
    public var marginSide = 0.0, marginTop = 0.0, marginShare = 0.06
    /// The width of the ring around the control with the keyboard focus, in points of a view.
    public var focusRing = 3.0
    /// Whether a control of a view that takes the keys always has the focus, also before a key is used.
    public var alwaysFocuses = false

    public init() {}

    /// The margins that the views keep clear on a screen of this size, in points.
    public func margins(on size: Size) -> Insets {
        let side = min(marginSide, size.width * marginShare), top = min(marginTop, size.height * marginShare)
        return Insets(top, side, top, side)
    }
}

/// Keys of a remote control, and the functions of few keys.
public struct RemoteRules: Hashable, Codable, Sendable {
    /// Whether the keys of remote controls act: back, home, menu, channels, colours (docs/keys.md). Otherwise apps get them.
    public var isOn = false
    /// Seconds after which a held back key goes home.
    public var hold = 0.6
    /// Seconds within which a second press of the home key opens the app switcher.
    public var again = 0.45
    /// The pointer that keys move: its speed at the start and at most, in points per second, and the seconds until it is at its
    /// fastest.
    public var pointerSpeed = 180.0, pointerFastest = 1500.0, pointerRamp = 1.2
    /// Points that a pointer pushed against an edge scrolls in a second.
    public var pointerScroll = 900.0
    /// Seconds without use after which that pointer is put away.
    public var pointerPatience = 12.0

    public init() {}
}

/// The rules for an unused device.
public struct RestRules: Hashable, Codable, Sendable {
    /// Seconds without use after which the screen dims and shows a clock that moves; 0: never.
    public var dimsAfter = 0.0
    /// Seconds until the clock moves to another place.
    public var moves = 30.0

    public init() {}
}
