import Windows

/// An installed app as its desktop entry describes it (Desktop Entry Specification 1.5).
public struct DesktopEntry: Hashable, Sendable {
    /// An additional action that an entry offers.
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

    /// The file name below `applications/` without `.desktop`, with dashes for slashes. Most apps use it as their app
    /// id.
    public var id: String
    public var name: String
    /// The kind of app ("Web Browser").
    public var genericName: String?
    /// Search keywords, in every wanted language and untranslated, without `name` itself.
    public var keywords: [String] = []
    /// The command without field codes.
    public var command: [String]
    /// An icon name or absolute path.
    public var icon: String?
    public var categories: [String] = []
    /// Hidden from menus.
    public var isHidden = false
    /// A program that must exist for the app to count as installed.
    public var tryExec: String?
    /// Desktops that show it; nil for all.
    public var onlyShowIn: [String]?
    public var notShowIn: [String] = []
    /// The app id or X11 class of its windows, if it is not `id`.
    public var windowClass: String?
    /// Whether it must run in a terminal.
    public var needsTerminal = false
    /// Whether it claims to have only one window.
    public var isSingleWindow = false
    /// Whether its command has a place for files or addresses (`%f`, `%F`, `%u` or `%U`).
    public var takesFiles = false
    /// Where its command takes them.
    public var filePlace: FilePlace?
    /// The folder in which it runs (`Path`), absolute.
    public var directory: String?
    /// The kinds of files and schemes that it opens.
    public var mimeTypes: [String] = []
    /// The names that a session gives itself (`DesktopNames`).
    public var desktopNames: [String] = []
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
    ///   - languages: wanted languages such as `ko_KR` or `ja`, preferred first.
    ///   - path: of its file, for the field code `%k`.
    /// - Returns: nil when the text describes no app, is deleted (`Hidden`), or lacks a name or a command.
    public init?(id: String, text: String, languages: [String] = [], path: String? = nil) {
        guard case .entry(let entry) = DesktopEntryReader(languages: languages).read(Array(text.utf8), id: id, path: path) else {
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
