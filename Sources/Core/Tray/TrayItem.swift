import Geometry

/// The words of an app about its item in the tray, as its adapter read them. None of them is trusted.
public struct TrayFacts: Hashable, Codable, Sendable {
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// It is not to be shown.
        case passive
        case active
        /// It wants a person to look.
        case attention
    }

    /// The connection and the object on the bus: ":1.42/StatusNotifierItem".
    public var key: String
    /// How its app names it.
    public var name: String
    public var title: String
    public var tooltip: String
    public var state: State
    /// The name of an icon of the theme, or the path of a file; nil: it has none of its own.
    public var icon: String?
    /// The id of its app; "" if it is not known.
    public var app: String
    /// The process that owns it.
    public var process: Int32?
    /// Whether a press shows its menu.
    public var isMenu: Bool
    public var hasMenu: Bool

    public init(
        key: String, name: String = "", title: String = "", tooltip: String = "", state: State = .active, icon: String? = nil,
        app: String = "", process: Int32? = nil, isMenu: Bool = false, hasMenu: Bool = false
    ) {
        self.key = key
        self.name = name
        self.title = title
        self.tooltip = tooltip
        self.state = state
        self.icon = icon
        self.app = app
        self.process = process
        self.isMenu = isMenu
        self.hasMenu = hasMenu
    }

    /// The connection to the bus.
    public var sender: Substring { key.prefix { $0 != "/" } }

    /// Within the limits of a person's patience and the shell's memory.
    var limited: TrayFacts {
        var out = self
        out.name = name.oneLine(TrayLimits.text)
        out.title = title.oneLine(TrayLimits.text)
        out.tooltip = tooltip.oneLine(TrayLimits.text)
        out.icon = icon.flatMap { $0.isEmpty || $0.utf8.count > TrayLimits.iconName ? nil : $0 }
        return out
    }
}

/// How much of a tray there is.
public enum TrayLimits {
    /// Items, and those of one connection.
    public static let items = 64, each = 16
    /// Characters of a text, and bytes of the name of an icon.
    public static let text = 200, iconName = 1024
}

/// An item of the tray.
public struct TrayItem: Hashable, Codable, Sendable {
    /// Its number, as long as it is there.
    public var id: UInt32
    public var facts: TrayFacts

    /// As a person knows it; "" if its app says nothing.
    public var title: String { [facts.title, facts.tooltip, facts.name].first { !$0.isEmpty } ?? "" }
}
