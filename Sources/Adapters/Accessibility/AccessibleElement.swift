import Geometry

/// One control of the shell as assistive technology sees it.
public struct AccessibleElement: Hashable, Sendable {
    /// Identifies this control while it is shown. Must be unique; of two equal ids, the first counts.
    public var id: String
    public var role: Role
    /// The text that a screen reader says: short, in the user's language.
    public var name: String
    /// A longer text on request. May be empty.
    public var description: String
    /// Logical points of the screen, which are AT-SPI's screen coordinates.
    public var frame: Rect
    /// The name of its first action, such as "press"; nil if it has none.
    public var action: String?
    /// Further actions, such as those of its menu.
    public var more: [Action]
    /// The value of a slider; nil otherwise.
    public var value: Value?
    public var states: States
    public var children: [AccessibleElement]

    public init(
        id: String, role: Role, name: String, description: String = "", frame: Rect, action: String? = nil,
        more: [Action] = [], value: Value? = nil, states: States = [], children: [AccessibleElement] = []
    ) {
        self.id = id
        self.role = role
        self.name = name
        self.description = description
        self.frame = frame
        self.action = action
        self.more = more
        self.value = value
        self.states = states
        self.children = children
    }

    /// Something that a control can do besides its first action.
    public struct Action: Hashable, Sendable {
        /// The same in every language, and unique for the control.
        public var id: String
        /// In the user's language.
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The value of a slider.
    public struct Value: Hashable, Sendable {
        /// 0 to 1.
        public var share: Double
        /// The value in words.
        public var text: String

        public init(share: Double, text: String) {
            self.share = share
            self.text = text
        }
    }
}

/// The kind of control. Screen readers follow the focus into a top level that is a `window`, `frame` or `dialog`, and
/// read an `alert` or `notification` when it appears. The values are AT-SPI's (AtspiRole).
public enum Role: UInt32, Hashable, Sendable, CaseIterable {
    case alert = 2
    case checkBox = 7
    case dialog = 16
    case filler = 20
    case frame = 23
    case icon = 26
    case image = 27
    case label = 29
    case list = 31
    case listItem = 32
    case menu = 33
    case menuBar = 34
    case menuItem = 35
    case pageTab = 37
    case pageTabList = 38
    case panel = 39
    case passwordText = 40
    case popupMenu = 41
    case progressBar = 42
    case pushButton = 43
    case scrollPane = 49
    case separator = 50
    case slider = 51
    case splitPane = 53
    case statusBar = 54
    case text = 61
    case toggleButton = 62
    case toolBar = 63
    case window = 69
    case application = 75
    case entry = 79
    case heading = 83
    case grouping = 99
    case notification = 101

    /// AT-SPI's name of the role, as test tools spell it.
    var spelled: String {
        switch self {
        case .alert: "alert"
        case .checkBox: "check box"
        case .dialog: "dialog"
        case .filler: "filler"
        case .frame: "frame"
        case .icon: "icon"
        case .image: "image"
        case .label: "label"
        case .list: "list"
        case .listItem: "list item"
        case .menu: "menu"
        case .menuBar: "menu bar"
        case .menuItem: "menu item"
        case .pageTab: "page tab"
        case .pageTabList: "page tab list"
        case .panel: "panel"
        case .passwordText: "password text"
        case .popupMenu: "popup menu"
        case .progressBar: "progress bar"
        case .pushButton: "push button"
        case .scrollPane: "scroll pane"
        case .separator: "separator"
        case .slider: "slider"
        case .splitPane: "split pane"
        case .statusBar: "status bar"
        case .text: "text"
        case .toggleButton: "toggle button"
        case .toolBar: "tool bar"
        case .window: "window"
        case .application: "application"
        case .entry: "entry"
        case .heading: "heading"
        case .grouping: "grouping"
        case .notification: "notification"
        }
    }
}

/// The current state of a control. Unless `offScreen` or `disabled` is set, it is visible and can be used.
public struct States: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Can have the keyboard focus. Assistive technology may ask for it (`onFocus`).
    public static let focusable = States(rawValue: 1 << 0)
    /// Has the keyboard focus. Its top level counts as active.
    public static let focused = States(rawValue: 1 << 1)
    public static let selectable = States(rawValue: 1 << 2)
    public static let selected = States(rawValue: 1 << 3)
    public static let checkable = States(rawValue: 1 << 4)
    public static let checked = States(rawValue: 1 << 5)
    public static let expandable = States(rawValue: 1 << 6)
    public static let expanded = States(rawValue: 1 << 7)
    /// Blocks everything outside of it.
    public static let modal = States(rawValue: 1 << 8)
    /// Visible, but cannot be used now.
    public static let disabled = States(rawValue: 1 << 9)
    /// For a top level: it gets the input, even if none of its controls has the focus.
    public static let active = States(rawValue: 1 << 10)
    public static let pressed = States(rawValue: 1 << 11)
    public static let editable = States(rawValue: 1 << 12)
    public static let busy = States(rawValue: 1 << 13)
    /// Exists, but is scrolled out of view.
    public static let offScreen = States(rawValue: 1 << 14)
}
