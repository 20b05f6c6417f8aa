/// An installed app, as its desktop entry describes it.
public struct App: Hashable, Codable, Sendable {
    /// File name of the desktop entry without `.desktop`; most apps' app id too.
    public var id: String
    /// In the person's language.
    public var name: String
    /// Other words by which a person may look for it: generic name, keywords, categories.
    public var keywords: [String]
    /// Name in the icon theme, or an absolute path.
    public var icon: String?
    public var command: [String]
    /// What an interpreter runs for it, without ending ("player" of `python3 player.py` and of `python3 -m player`); nil: its
    /// command is no interpreter's. Who sounds is known by it.
    public var script: String?
    /// App id or X11 class of its windows where that is not `id`.
    public var windowClass: String?
    /// It says that it has one window only: no control offers another (W-08).
    public var isSingleWindow: Bool
    public var actions: [AppAction]

    public init(
        id: String, name: String, keywords: [String] = [], icon: String? = nil, command: [String],
        script: String? = nil, windowClass: String? = nil, isSingleWindow: Bool = false, actions: [AppAction] = []
    ) {
        self.id = id
        self.name = name
        self.keywords = keywords
        self.icon = icon
        self.command = command
        self.windowClass = windowClass
        self.script = script
        self.isSingleWindow = isSingleWindow
        self.actions = actions
    }
}

/// Something that an app offers to be started with ("New private window"); an action of its desktop entry.
public struct AppAction: Hashable, Codable, Sendable {
    public var id: String
    /// In the person's language.
    public var name: String
    public var command: [String]

    public init(id: String, name: String, command: [String]) {
        self.id = id
        self.name = name
        self.command = command
    }
}
