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
    /// Whether its command takes files or addresses to open.
    public var takesFiles: Bool
    /// Kinds of files that it opens, and schemes of addresses as `x-scheme-handler/mailto`.
    public var mimeTypes: [String]
    /// The place of its command for files or addresses to open; nil: it takes none.
    public var filePlace: FilePlace?
    /// The folder in which it runs; nil: the home folder.
    public var directory: String?
    public var actions: [AppAction]

    /// The settings of the shell, which have an icon like an app.
    public static let settings = "org.mullion.Settings"

    public init(
        id: String, name: String, keywords: [String] = [], icon: String? = nil, command: [String],
        script: String? = nil, windowClass: String? = nil, isSingleWindow: Bool = false, takesFiles: Bool = false, mimeTypes: [String] = [],
        filePlace: FilePlace? = nil, directory: String? = nil, actions: [AppAction] = []
    ) {
        self.id = id
        self.name = name
        self.keywords = keywords
        self.icon = icon
        self.command = command
        self.windowClass = windowClass
        self.script = script
        self.isSingleWindow = isSingleWindow
        self.takesFiles = takesFiles
        self.mimeTypes = mimeTypes
        self.filePlace = filePlace
        self.directory = directory
        self.actions = actions
    }
}

extension App {
    /// Whether a process runs this app and got something to open: its arguments are not all options.
    ///
    /// - Parameter command: of the process. The script of an interpreter stands behind the interpreter.
    public func opens(with command: [String]) -> Bool { opened(by: command).map { !$0.isEmpty } ?? false }

    /// The arguments that the command opens: neither options nor a part of the entry; nil: it runs another app, or takes nothing.
    func opened(by command: [String]) -> [String]? {
        guard takesFiles, let own = self.command.first.map(Self.file) else { return nil }
        guard let index = command.prefix(2).firstIndex(where: { Self.file($0) == own }) else { return nil }
        return command[(index + 1)...].filter { !$0.hasPrefix("-") && !self.command.contains($0) }
    }

    private static func file(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
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

extension AppAction {
    /// Whether it does no more than open another window, by the names that apps give such an action.
    public var opensWindow: Bool {
        let letters = id.lowercased().filter(\.isLetter)
        return letters == "newwindow" || letters == "windownew"
    }
}
