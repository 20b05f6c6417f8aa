import Chrome
import Compositor
import Control
import Desktop
import Geometry
import Glibc
import Interface
import Multitasking
import Stage
import Watching
import Windows

/// The facts of the settings besides preferences: the words of the search in each language, pictures for the wallpaper, and the machine.
final class SettingsFacts: Adapter {
    private unowned let shell: Shell
    private var facts = SettingFacts()
    private lazy var defaults = DefaultApps(environment: shell.environment)
    private let watch = PathWatch(owner: "watch of default apps and wallpapers")
    private var loop: WatchLoop?
    private var quiet: EventSource?

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        shell.compositor.onKeymap = { [unowned self] in keymapChanged() }
        for message in Views.searchedTitles { facts.words[message] = Language.searched(message) }
        facts.machine = MachineFacts(keeps: shell.stateFolder != nil)
        facts.person = Self.person
        facts.layouts = KeyboardLayouts.all().map { NamedLayout(name: $0.name, title: $0.title) }
        readFiles()
        shell.receive(.settingFacts(facts))
        // A folder of many pictures changes many times.
        let renew = { [unowned self] in
            let before = facts
            readFiles()
            if facts != before { shell.receive(.settingFacts(facts)) }
        }
        let quiet = shell.compositor.timer(renew)
        self.quiet = quiet
        loop = WatchLoop(
            shell, watch, "default apps and wallpapers",
            changed: { [unowned self] in if watch.drain() { quiet.arm(Compositor.now() + 0.3) } }, renew: renew)
    }

    func allStarted() { keymapChanged() }

    /// The keyboard may have other letters now.
    func keymapChanged() {
        let keyboards = shell.compositor.keyboards, hasKeyboard = shell.compositor.hasKeyboard
        guard facts.keyboards != keyboards || facts.hasKeyboard != hasKeyboard else { return }
        (facts.keyboards, facts.hasKeyboard) = (keyboards, hasKeyboard)
        shell.receive(.settingFacts(facts))
    }

    /// The full name of the person, or the one of the account.
    private static var person: String {
        guard let account = getpwuid(getuid()) else { return "" }
        let full = account.pointee.pw_gecos.map { String(cString: $0).prefix { $0 != "," }.description } ?? ""
        return (full.isEmpty ? account.pointee.pw_name.map { String(cString: $0) } ?? "" : full).oneLine(60)
    }

    /// Other programs write these files, too, and a person saves pictures. Each look sets the watches before it reads.
    private func readFiles() {
        watch.begin()
        for file in defaults.files { watch.follow(file, as: .file) }
        for folder in Wallpaper.folders(environment: shell.environment) { watch.follow(folder, as: .contents(Wallpaper.endings)) }
        watch.finish()
        facts.wallpapers = Wallpaper.pictures(environment: shell.environment)
        readDefaults()
    }

    private func readDefaults() {
        for kind in DefaultKind.allCases { facts.defaultApps[kind] = Array(defaults.apps(for: kind.types[0]).prefix(64)) }
    }

    /// A person chose the app for a kind of things; nil: the choice is dropped.
    func set(_ app: String?, for kind: DefaultKind) {
        if let reason = defaults.set(app, for: kind.types) {
            shell.log.error("the default app for \(kind.rawValue) is not kept: \(reason)")
        }
        readDefaults()
        shell.receive(.settingFacts(facts))
    }

    func stop() {
        loop?.cancel()
        quiet?.cancel()
        (loop, quiet) = (nil, nil)
    }
}

extension Wallpaper {
    fileprivate static let endings = [".png", ".jpg", ".jpeg", ".svg", ".PNG", ".JPG", ".JPEG", ".SVG"]

    /// The folders where people and systems keep wallpapers.
    fileprivate static func folders(environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? "/", data = environment["XDG_DATA_HOME"] ?? "\(home)/.local/share"
        return ["\(home)/Pictures/Wallpapers", "\(home)/Pictures", "\(data)/backgrounds"]
            + (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":").map { "\($0)/backgrounds" }
    }

    /// The pictures there.
    fileprivate static func pictures(environment: [String: String]) -> [String] {
        var found: [String] = []
        for folder in folders(environment: environment) where found.count < most {
            found += Folder.names(in: folder, most: 512).filter { name in endings.contains { name.lowercased().hasSuffix($0) } }
                .sorted().map { "\(folder)/\($0)" }
        }
        return Array(found.prefix(most))
    }

    private static var most: Int { 48 }
}

private enum Folder {
    static func names(in folder: String, most: Int) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < most, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

extension MachineFacts {
    fileprivate init(keeps: Bool) {
        self.init()
        version = Mullion.version
        var name = utsname()
        if uname(&name) == 0 { kernel = "\(Self.text(name.sysname)) \(Self.text(name.release))" }
        system = Self.value("PRETTY_NAME=", in: "/etc/os-release")?.filter { $0 != "\"" } ?? ""
        processor = Self.value("model name", in: "/proc/cpuinfo")?.drop { $0 == "\t" || $0 == ":" || $0 == " " }.description ?? ""
        if let total = Self.value("MemTotal:", in: "/proc/meminfo") { memory = (Int64(total.filter(\.isNumber)) ?? 0) * 1024 }
        self.keeps = keeps
    }

    private static func text(_ field: some Any) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The rest of the first line that begins so.
    private static func value(_ key: String, in path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1024)
        for _ in 0..<64 {
            guard fgets(&line, 1024, file) != nil else { return nil }
            let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix(key) { return String(text.dropFirst(key.count)) }
        }
        return nil
    }
}
