/// The kind of device as which a person recognises an idiom: its symbol and, where the idiom has no title, its name.
public enum Device: String, NamedChoice, Hashable, Sendable {
    case tablet, phone, desktop, television, watch
    case roundWatch = "round-watch"
    case headset
    /// Places with a screen, and one kind of use.
    case car, kiosk

    /// Whether its name is enough for an idiom without a title. Others are like the idioms of the build, and would be taken for them.
    public var names: Bool { self == .car || self == .kiosk }
}

/// How dialogs stand on windows.
public enum ModalStyle: String, NamedChoice, Hashable, Sendable {
    /// As sheets that slide in, dim what they keep from a person, and are swiped away (M-01 to M-04).
    case sheets
    /// As windows that their apps size, centred on their windows.
    case windows
}

/// The functions of the strips along the edges of the screen. `Idiom.edge` is their width.
public struct EdgeZones: Hashable, Codable, Sendable {
    /// The lower edge.
    public var bottom = Bottom.switching
    /// The upper edge: its trailing part is this share of it, at the right where text runs from left to right.
    public var topLeading = Top.notifications
    public var topTrailing = Top.controlCentre
    public var trailingShare = 1.0 / 3

    /// The function of three fingers over windows.
    public var threeFingers = ThreeFingers.nothing

    public init() {}

    public enum ThreeFingers: String, NamedChoice, Hashable, Sendable {
        /// They are the app's.
        case nothing
        /// Sideways they move to the next space, upwards they open the app switcher.
        case spaces
    }

    public enum Bottom: String, NamedChoice, Hashable, Sendable {
        /// It is the app's.
        case nothing
        /// A swipe along it goes to another window; up from it to the dock, the app switcher and home.
        case switching
    }

    public enum Top: String, NamedChoice, Hashable, Sendable {
        /// It is the app's where the other part is, too.
        case nothing
        /// A pull down opens this panel.
        case notifications
        case controlCentre = "control-centre"
    }

    /// Whether a finger has anything to pull down.
    public var hasTop: Bool { topLeading != .nothing || topTrailing != .nothing }

    /// The view that a finger pulls down at a place along the upper edge, as a share of it from its leading end.
    public func top(at share: Double) -> Top { share > 1 - trailingShare ? topTrailing : topLeading }
}

/// On which side of other things views of the shell lie.
public struct LayerRules: Hashable, Codable, Sendable {
    /// The menu bar, and a dock that stands: above windows, or below them.
    public var bars = Side.above
    /// Picture in Picture: above the app switcher and other views that lie over windows, or below them (W-06).
    public var picture = Side.above

    public init() {}

    public enum Side: String, NamedChoice, Hashable, Sendable { case above, below }
}

/// A key that does something else here than usual.
public struct IdiomKey: Hashable, Codable, Sendable {
    /// The name of an action (docs/config.md), and the key, such as "Super+Left".
    public var action: String
    public var key: String

    public init(_ action: String, _ key: String) {
        self.action = action
        self.key = key
    }

    /// The keys of desks with freely stacked windows (W-25).
    public static let desk = [
        IdiomKey("next-app", "Super+Tab"), IdiomKey("previous-app", "Super+Shift+Tab"), IdiomKey("next-window-of-app", "Super+grave"),
        IdiomKey("previous-window-of-app", "Super+Shift+grave"), IdiomKey("tile-left", "Super+Left"), IdiomKey("tile-right", "Super+Right"),
        IdiomKey("tile-whole", "Super+Up"), IdiomKey("tile-own", "Super+Down"), IdiomKey("tile-top-left", "Super+Ctrl+Left"),
        IdiomKey("tile-top-right", "Super+Ctrl+Right"), IdiomKey("tile-bottom-left", "Super+Ctrl+Shift+Left"),
        IdiomKey("tile-bottom-right", "Super+Ctrl+Shift+Right"), IdiomKey("whole-screen", "Super+Ctrl+f"), IdiomKey("minimize", "Super+m"),
        IdiomKey("next-space", "Super+Alt+Right"), IdiomKey("previous-space", "Super+Alt+Left"), IdiomKey("new-space", "Super+Alt+n"),
        IdiomKey("window-to-next-space", "Super+Alt+Shift+Right"), IdiomKey("window-to-previous-space", "Super+Alt+Shift+Left"),
        IdiomKey("hide-app", "Super+h"), IdiomKey("picture-toggle", "Super+Shift+h"), IdiomKey("quit-app", "Super+q"),
        IdiomKey("menu-bar", "Super+F10"),
    ]
}
