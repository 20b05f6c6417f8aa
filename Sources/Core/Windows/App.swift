/// An installed app, as its desktop entry describes it.
public struct App: Hashable, Codable, Sendable {
    /// The file name of the desktop entry without `.desktop`. Most apps use it as their app id.
    public var id: String
    /// In the user's language.
    public var name: String
    /// More search words: generic name, keywords, categories.
    public var keywords: [String]
    /// An icon name, or an absolute path.
    public var icon: String?
    public var command: [String]
    /// The script that an interpreter runs for the app, without its extension ("player" for `python3 player.py` and
    /// `python3 -m player`); nil if the command is not an interpreter. Identifies the app of a sound.
    public var script: String?
    /// The app id or X11 class of its windows, if it is not `id`.
    public var windowClass: String?
    /// Whether it claims to have only one window. Then no control offers another (W-08).
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

/// An additional way to start the app ("New private window"): an action of its desktop entry.
public struct AppAction: Hashable, Codable, Sendable {
    public var id: String
    /// In the user's language.
    public var name: String
    public var command: [String]

    public init(id: String, name: String, command: [String]) {
        self.id = id
        self.name = name
        self.command = command
    }
}
