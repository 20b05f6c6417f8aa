import Processes
import Windows

/// The installed apps that a person may start, kept up to date while apps come and go.
///
/// The shell watches `descriptor` in its event loop. When it is readable it calls `drain()`; when that says so it waits
/// until nothing has happened for a while (an installation writes many files) and calls `reload()`.
/// Belongs to one thread.
public final class AppCatalogue {
    /// In the order in which a person looks for them: by name. One of each id.
    public private(set) var apps: [App]
    /// Of desktop entries, by the id, the windows' class and the program of each in lower case.
    public private(set) var categories: [String: [String]] = [:]

    /// Readable when something changed where apps or icons are; -1 when the machine gives no watches.
    public var descriptor: Int32 { watch.descriptor }

    private let environment: [String: String]
    private let desktops: [String]
    private let watch = FolderWatch()
    private let icons: IconLookup
    /// The themes are read when the first icon is asked for: until then no icon can become another.
    private var isAskedForIcons = false

    /// Reads all entries.
    ///
    /// - Parameters:
    ///   - environment: `XDG_DATA_HOME`, `XDG_DATA_DIRS`, `XDG_CONFIG_HOME`, `HOME`, `PATH`, the languages, and
    ///     `MULLION_ICON_THEME`, which goes before what GTK's settings name.
    ///   - desktops: names under which `OnlyShowIn` and `NotShowIn` know this one.
    public init(environment: [String: String], desktops: [String] = ["Mullion"]) {
        self.environment = environment
        self.desktops = desktops
        icons = IconLookup(environment: environment)
        apps = []
        apps = read()
    }

    /// Swallows notifications. Returns true when apps or icons may be others now.
    public func drain() -> Bool { watch.drain() }

    /// Reads everything again.
    ///
    /// - Returns: true when apps differ, or when an icon that was asked for is another file now, or is there or gone
    ///   now. Pictures made from icons are to be made anew then.
    public func reload() -> Bool {
        let before = icons.answers
        icons.invalidate()
        let now = read()
        for question in before.keys { _ = icons.find(question.name, pixels: question.pixels) }
        let isOther = now != apps || before.contains { icons.answers[$0.key] != .some($0.value) }
        apps = now
        return isOther
    }

    /// The picture file for an icon, by the Icon Theme Specification; nil when there is none.
    ///
    /// From 48 pixels on a drawing for any size is preferred; otherwise a picture of exactly the size, then the next
    /// larger one, then the largest. Answers are remembered until `reload()`.
    ///
    /// - Parameters:
    ///   - name: a name in the icon theme, with or without extension, or an absolute path.
    ///   - pixels: width on the screen, in pixels rather than points.
    /// - Returns: an absolute path that ends in `.png` or `.svg`.
    public func findIcon(_ name: String, _ pixels: Int) -> String? {
        if !isAskedForIcons {
            isAskedForIcons = true
            if watch.descriptor >= 0 { icons.load { watch.watch($0, for: .icons) } }
        }
        return icons.find(name, pixels: pixels)
    }

    private func read() -> [App] {
        let watch = watch
        watch.begin()
        defer { watch.finish() }
        if watch.descriptor >= 0 {
            for folder in DesktopEntries.folders(environment: environment) {
                // The folder itself may be moved away, with what is in it.
                watch.watch(folder, for: .name("applications"))
                watch.watchLinks(to: folder + "/applications")
                watch.watchLinks(to: folder + "/icons")
            }
            for folder in icons.settingsFolders { watch.watch(folder, for: .name("settings.ini")) }
            if isAskedForIcons { icons.load { watch.watch($0, for: .icons) } }
        }
        let programs = ProgramSearch(environment: environment)
        let entries = DesktopEntries.installed(environment: environment) { watch.watch($0, for: .entries) }
        categories = [:]
        for entry in entries {
            let program = entry.command.first?.split(separator: "/").last.map(String.init) ?? ""
            for name in [script(of: entry) ?? program, entry.windowClass ?? "", entry.id] where !name.isEmpty { categories[name.lowercased()] = entry.categories }
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
        // Extensions of the list of categories are for programs, not for people.
        let categories = entry.categories.filter { !$0.hasPrefix("X-") }
        return App(
            id: entry.id, name: entry.name,
            keywords: (entry.keywords + categories).filter { seen.insert($0).inserted },
            icon: entry.icon, command: terminal + entry.command, script: script(of: entry), windowClass: entry.windowClass,
            isSingleWindow: entry.isSingleWindow,
            actions: entry.actions.filter { programs.has($0.command[0]) }
                .map { AppAction(id: $0.id, name: $0.name, command: terminal + $0.command) })
    }
}
