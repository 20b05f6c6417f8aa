import Chrome
import Compositor
import Control
import Desktop
import Glibc
import Interface
import Multitasking
import Stage
import Windows

/// The facts of the settings besides preferences: the words of the search in each language, pictures for the wallpaper, and the machine.
final class SettingsFacts: Adapter {
    private unowned let shell: Shell
    private var facts = SettingFacts()
    private lazy var defaults = DefaultApps(environment: shell.environment)

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        shell.compositor.onKeymap = { [unowned self] in keymapChanged() }
        for message in Views.searchedTitles { facts.words[message] = Language.searched(message) }
        facts.wallpapers = Wallpaper.pictures(environment: shell.environment)
        facts.machine = MachineFacts(keeps: shell.stateFolder != nil)
        facts.person = Self.person
        facts.layouts = KeyboardLayouts.all().map { NamedLayout(name: $0.name, title: $0.title) }
        readDefaults()
        shell.receive(.settingFacts(facts))
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

    func stop() {}
}

extension Wallpaper {
    /// The pictures in the folders where people and systems keep wallpapers.
    fileprivate static func pictures(environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? "/", data = environment["XDG_DATA_HOME"] ?? "\(home)/.local/share"
        let folders =
            ["\(home)/Pictures/Wallpapers", "\(home)/Pictures", "\(data)/backgrounds"]
            + (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":").map { "\($0)/backgrounds" }
        var found: [String] = []
        for folder in folders where found.count < most {
            found += Folder.names(in: folder, most: 512).filter { name in
                [".png", ".jpg", ".jpeg", ".svg"].contains { name.lowercased().hasSuffix($0) }
            }.sorted().map { "\(folder)/\($0)" }
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
