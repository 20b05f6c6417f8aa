/// An installed app as its desktop entry describes it (Desktop Entry Specification 1.5).
public struct DesktopEntry: Hashable, Sendable {
    /// One of the things an entry offers besides starting the app.
    public struct Action: Hashable, Sendable {
        public var id: String
        public var name: String
        public var command: [String]

        public init(id: String, name: String, command: [String]) {
            self.id = id
            self.name = name
            self.command = command
        }
    }

    /// File name below `applications/` without `.desktop`, folders joined by dashes; most apps' app id.
    public var id: String
    public var name: String
    /// What kind of app it is ("Web Browser").
    public var genericName: String?
    /// Words to find it by, in every wanted language and untranslated, without `name` itself.
    public var keywords: [String] = []
    /// The command with field codes removed.
    public var command: [String]
    /// Icon name or absolute path.
    public var icon: String?
    public var categories: [String] = []
    /// Not for menus.
    public var isHidden = false
    /// Program that has to be there for the app to count as installed.
    public var tryExec: String?
    /// Desktops that show it; nil is all.
    public var onlyShowIn: [String]?
    public var notShowIn: [String] = []
    /// App id or X11 class of its windows where that is not `id`.
    public var windowClass: String?
    /// Has to run in a terminal.
    public var needsTerminal = false
    /// It says that it has one window only.
    public var isSingleWindow = false
    /// In the order in which the entry lists them.
    public var actions: [Action] = []

    public init(id: String, name: String, command: [String]) {
        self.id = id
        self.name = name
        self.command = command
    }

    /// Reads the text of a desktop entry.
    ///
    /// - Parameters:
    ///   - languages: wanted languages such as `ko_KR` or `ja`, the best first.
    /// - Returns: nil when the text describes no app, is deleted (`Hidden`), or lacks a name or a command.
    public init?(id: String, text: String, languages: [String] = []) {
        guard case .entry(let entry) = DesktopEntryReader(languages: languages).read(Array(text.utf8), id: id) else {
            return nil
        }
        self = entry
    }

    /// Whether a menu of the named desktops (as in `XDG_CURRENT_DESKTOP`) shows the app.
    public func isShown(in desktops: [String]) -> Bool {
        if isHidden || desktops.contains(where: notShowIn.contains) { return false }
        guard let onlyShowIn else { return true }
        return desktops.contains(where: onlyShowIn.contains)
    }
}
