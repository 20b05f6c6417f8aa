import Processes
import Watching
import Windows

/// The installed apps that the user can start, kept up to date while apps are installed and removed.
///
/// The event loop watches `descriptor` and calls `drain()` when it is readable. If that returns true, the loop waits
/// until no change has happened for a while, because an installation writes many files, and then calls `reload()`.
/// Confined to one thread.
public final class AppCatalogue {
    /// Sorted by name, with unique ids.
    public private(set) var apps: [App]
    /// Categories of desktop entries, keyed in lower case by the id, the window class and the program of each.
    public private(set) var categories: [String: [String]] = [:]

    /// Readable when apps or icons changed; -1 if no watches are available.
    public var descriptor: Int32 { watch.descriptor }
    /// Notices changes. After its `retry()`, `reload()` sets the watches again.
    public let watch = PathWatch(owner: "watch of apps and icons")

    private let environment: [String: String]
    /// The language of names and keywords, such as `ja`; nil: those of the environment. `reload()` makes a change count.
    public var language: String?
    private let desktops: [String]
    private let icons: IconLookup
    /// Themes are read at the first query for an icon. Until then, no icon can change.
    private var isAskedForIcons = false

    /// Reads all entries.
    ///
    /// - Parameters:
    ///   - environment: `XDG_DATA_HOME`, `XDG_DATA_DIRS`, `XDG_CONFIG_HOME`, `HOME`, `PATH`, the languages, and
    ///     `MULLION_ICON_THEME`, which precedes the theme of GTK's settings.
    ///   - language: the first value of `language`.
    ///   - desktops: names under which `OnlyShowIn` and `NotShowIn` know this one.
    public init(environment: [String: String], language: String? = nil, desktops: [String] = ["Mullion"]) {
        self.environment = environment
        self.language = language
        self.desktops = desktops
        icons = IconLookup(environment: environment)
        apps = []
        apps = read()
    }

    /// Consumes notifications. Returns true if apps or icons may have changed.
    public func drain() -> Bool { watch.drain() }

    /// Reads everything again.
    ///
    /// - Returns: true if apps changed, or if an icon that was queried changed, appeared or disappeared. Pictures
    ///   made from icons are out of date then.
    public func reload() -> Bool {
        let before = icons.answers
        icons.invalidate()
        let now = read()
        for question in before.keys { _ = icons.find(question.name, pixels: question.pixels) }
        let isOther = now != apps || before.contains { icons.answers[$0.key] != .some($0.value) }
        apps = now
        return isOther
    }

    /// The file for an icon, after the Icon Theme Specification; nil if there is none.
    ///
    /// From 48 pixels on, a scalable drawing is preferred. Otherwise a picture of exactly the size, then the next
    /// larger one, then the largest. Answers are cached until `reload()`.
    ///
    /// - Parameters:
    ///   - name: a name in the icon theme, with or without extension, or an absolute path.
    ///   - pixels: width on the screen, in pixels rather than points.
    /// - Returns: an absolute path that ends in `.png` or `.svg`.
    public func findIcon(_ name: String, _ pixels: Int) -> String? {
        if !isAskedForIcons {
            isAskedForIcons = true
            if watch.descriptor >= 0 { icons.load { watch.follow($0, as: Self.icons) } }
        }
        return icons.find(name, pixels: pixels)
    }

    private static let icons = PathWatch.Target.contents([".png", ".svg", "index.theme", "icon-theme.cache"])

    private func read() -> [App] {
        let watch = watch
        watch.begin()
        defer { watch.finish() }
        if watch.descriptor >= 0 {
            for folder in DesktopEntries.folders(environment: environment) {
                watch.follow(folder + "/applications", as: .folder)
                watch.follow(folder + "/icons", as: .folder)
            }
            for folder in icons.settingsFolders { watch.follow(folder + "/settings.ini", as: .file) }
            if isAskedForIcons { icons.load { watch.follow($0, as: Self.icons) } }
        }
        let programs = ProgramSearch(environment: environment)
        var spoken = environment
        if let language {
            for name in ["LC_ALL", "LC_MESSAGES", "LANG"] { spoken[name] = nil }
            spoken["LANGUAGE"] = language
        }
        let entries = DesktopEntries.installed(
            environment: spoken, before: { watch.follow($0, as: .contents([".desktop"])) }, link: { watch.follow($0, as: .file) })
        categories = [:]
        for entry in entries {
            let program = entry.command.first?.split(separator: "/").last.map(String.init) ?? ""
            for name in [script(of: entry) ?? program, entry.windowClass ?? "", entry.id] where !name.isEmpty {
                categories[name.lowercased()] = entry.categories
            }
        }
        return entries.compactMap { app(for: $0, programs) }
    }

    private func script(of entry: DesktopEntry) -> String? {
        guard let program = entry.command.first?.split(separator: "/").last.map(String.init) else { return nil }
        let name = AppIdentity.program(executable: program, arguments: entry.command)
        return name == program ? nil : name
    }

    private func app(for entry: DesktopEntry, _ programs: ProgramSearch) -> App? {
        guard entry.isShown(in: desktops), entry.tryExec.map(programs.has) ?? true, programs.has(entry.command[0])
        else { return nil }
        var terminal: [String] = []
        if entry.needsTerminal {
            guard let words = programs.terminal(id: entry.windowClass ?? entry.id) else { return nil }
            terminal = words
        }
        var seen: Set<String> = []
        // Extension categories are for programs, not for users.
        let categories = entry.categories.filter { !$0.hasPrefix("X-") }
        return App(
            id: entry.id, name: entry.name,
            keywords: (entry.keywords + categories).filter { seen.insert($0).inserted },
            icon: entry.icon, command: terminal + entry.command, script: script(of: entry), windowClass: entry.windowClass,
            isSingleWindow: entry.isSingleWindow, takesFiles: entry.takesFiles && !entry.needsTerminal,
            mimeTypes: entry.mimeTypes,
            filePlace: entry.filePlace.map { place in
                FilePlace(
                    index: place.index + terminal.count, isMany: place.isMany, takesAddresses: place.takesAddresses, within: place.within)
            }, directory: entry.directory,
            actions: entry.actions.filter { programs.has($0.command[0]) }
                .map { AppAction(id: $0.id, name: $0.name, command: terminal + $0.command) })
    }
}
