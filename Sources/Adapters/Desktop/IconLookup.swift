import Glibc

/// Finds the files for icon names. Confined to one thread.
final class IconLookup {
    struct Question: Hashable {
        var name: String
        var pixels: Int
    }

    /// A file in the state in which it was found.
    struct Answer: Hashable {
        var path: String
        var changedAt: Int
    }

    private static let mostThemes = 16
    private static let mostAnswers = 4096
    private static let largestPicture = 16 << 20

    private let environment: [String: String]
    /// Folders with themes, in order of precedence.
    private let bases: [String]
    private let pixmaps: [String]
    private var themes: [IconTheme]?
    private(set) var answers: [Question: Answer?] = [:]

    init(environment: [String: String]) {
        self.environment = environment
        let data = DesktopEntries.folders(environment: environment)
        var pixmaps = data.map { $0 + "/pixmaps" }
        if !pixmaps.contains("/usr/share/pixmaps") { pixmaps.append("/usr/share/pixmaps") }
        self.pixmaps = pixmaps
        bases = (environment["HOME"].map { [$0 + "/.icons"] } ?? []) + data.map { $0 + "/icons" }
    }

    /// Clears the caches.
    func invalidate() {
        themes = nil
        answers = [:]
    }

    func find(_ name: String, pixels: Int) -> String? {
        let question = Question(name: name, pixels: min(max(pixels, 1), 4096))
        if let known = answers[question] { return known?.path }
        let path = search(question)
        if answers.count >= Self.mostAnswers { answers = [:] }
        answers[question] = .some(path.map { Answer(path: $0, changedAt: Self.changeTime($0)) })
        return path
    }

    /// Reads the theme descriptions. Calls `before` with each folder to watch, existing or not, before it is read.
    func load(before: (String) -> Void) {
        (bases + pixmaps).forEach(before)
        for theme in chain(before: before) { theme.watchedFolders.forEach(before) }
    }

    /// GTK's settings folders, in order of precedence.
    var settingsFolders: [String] {
        let configuration =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.config" }
        return configuration.map { ["\($0)/gtk-4.0", "\($0)/gtk-3.0"] } ?? []
    }

    // MARK: Searching

    private func search(_ question: Question) -> String? {
        var name = question.name
        guard !name.isEmpty, name.utf8.count <= 1024, !name.utf8.contains(0) else { return nil }
        if name.hasPrefix("/") {
            if name.hasSuffix(".png") || name.hasSuffix(".svg"), Self.isPicture(name) { return name }
            // The file may have moved or have an unsupported format. Its base name is still an icon name.
            name = String(name.split(separator: "/").last ?? "")
        }
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
        if let path = named(name, pixels: question.pixels) { return path }
        for ending in [".png", ".svg", ".xpm"] where name.hasSuffix(ending) {
            return named(String(name.dropLast(ending.count)), pixels: question.pixels)
        }
        return nil
    }

    private func named(_ name: String, pixels: Int) -> String? {
        for theme in chain() {
            if let path = theme.find(name, pixels: pixels) { return path }
        }
        for folder in bases + pixmaps {
            for ending in pixels >= 48 ? [".svg", ".png"] : [".png", ".svg"] {
                let path = "\(folder)/\(name)\(ending)"
                if Self.isPicture(path) { return path }
            }
        }
        return nil
    }

    // MARK: Themes

    /// The user's theme, the themes it inherits, Adwaita, and hicolor.
    private func chain(before: (String) -> Void = { _ in }) -> [IconTheme] {
        if let themes { return themes }
        var found: [IconTheme] = []
        var asked: Set<String> = ["hicolor"]
        func add(_ name: String) {
            guard found.count < Self.mostThemes, asked.count < 4 * Self.mostThemes, asked.insert(name).inserted,
                let theme = IconTheme(name: name, bases: bases, before: before)
            else { return }
            found.append(theme)
            theme.parents.forEach(add)
        }
        add(themeName())
        add("Adwaita")
        if let theme = IconTheme(name: "hicolor", bases: bases, before: before) { found.append(theme) }
        themes = found
        return found
    }

    private func themeName() -> String {
        if let name = environment["MULLION_ICON_THEME"], Self.isThemeName(name) { return name }
        for folder in settingsFolders {
            guard let bytes = KeyFile.bytes(of: folder + "/settings.ini") else { continue }
            var isInGroup = false
            var name: String?
            KeyFile.read(bytes) { line in
                switch line {
                case .group(let group): isInGroup = group == "Settings"
                case .value(let key, let value):
                    if isInGroup, key.elementsEqual("gtk-icon-theme-name".utf8) {
                        name = String(decoding: value, as: UTF8.self)
                    }
                }
            }
            if let name, Self.isThemeName(name) { return name }
        }
        return "Adwaita"
    }

    static func isThemeName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix(".") && !name.utf8.contains(UInt8(ascii: "/"))
    }

    /// Whether the path is a regular file of reasonable size.
    static func isPicture(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size <= largestPicture
    }

    private static func changeTime(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec : 0
    }
}
