import Glibc
import Idioms
import Multitasking
import Watching

/// The idioms that a person can choose: those of this build, and the data files of the machine and of the person (docs/idioms.md).
///
/// A file in a later folder replaces one of the same name, and any file replaces the built-in idiom of its name. While a file is
/// invalid, the last good idiom of that name stays, over restarts, too. Confined to one thread.
public final class IdiomStore {
    public private(set) var idioms: [Idiom]
    /// Notices changes. After its `retry()`, `reload()` sets the watches again.
    public let watch = PathWatch(owner: "watch of the idioms")
    /// Readable when something happened in a folder; -1 if no watches are available.
    public var descriptor: Int32 { watch.descriptor }
    /// The errors in the files, in the order of the folders.
    public private(set) var faults: [FileFault] = []

    private let folders: [String]
    private let builtIn: [Idiom]
    private let lastGood: LastGood
    /// The data files that were there; nil before the first look.
    private var files: Set<String>?
    /// The idiom that the session started with although its file is gone or cannot be used.
    private var revived: (idiom: Idiom, fault: FileFault)?

    /// - Parameters:
    ///   - folders: in the order of reading; folders that do not exist are skipped.
    ///   - lastGood: where the versions are that held last.
    public init(folders: [String], builtIn: [Idiom] = Idiom.all, lastGood: LastGood = LastGood(folder: nil)) {
        self.folders = folders
        self.builtIn = builtIn
        self.lastGood = lastGood
        idioms = builtIn
        _ = reload()
    }

    /// `mullion/idioms` in the data folders of the machine, and beside the configuration file.
    public static func folders(configuration: String, environment: [String: String]) -> [String] {
        let data = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let machine = data.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/mullion/idioms" }
        let own = configuration.lastIndex(of: "/").map { String(configuration[..<$0]) } ?? "."
        return machine.reversed() + [own + "/idioms"]
    }

    /// The idiom of this name. Without a name, or where the hardware chooses, the one that the rules fall back to, or else any.
    public func first(_ name: String?) -> Idiom? {
        guard let name, name != Settings.automaticIdiom else { return first(IdiomRule.fallback) ?? idioms.first }
        return idioms.first { $0.name == name }
    }

    /// The idiom of this name for a start, and the names that a start may ask for.
    ///
    /// A start finds an idiom for each file that ever existed, because a kiosk must not become an open desktop: the last good version if
    /// the file is gone, or a closed idiom if nothing of the file can be used.
    public func firstAtStart(_ name: String?) -> Idiom? {
        if let idiom = first(name) { return idiom }
        guard let name, let (idiom, fault) = spare(name) else { return nil }
        faults.removeAll { $0.error.file == fault.error.file }
        faults.append(fault)
        Self.put(idiom, in: &idioms)
        revived = (idiom, fault)
        return idiom
    }

    public var namesAtStart: [String] {
        let known = faults.map(\.error.file) + lastGood.files
        let spare = known.compactMap { file in folders.contains { file.hasPrefix("\($0)/") } ? Self.name(file) : nil }
        return idioms.map(\.name) + Set(spare).subtracting(idioms.map(\.name)).sorted()
    }

    private static func name(_ file: String) -> String? {
        guard file.hasSuffix(".toml"), let last = file.split(separator: "/").last else { return nil }
        return String(last.dropLast(5))
    }

    private func spare(_ name: String) -> (Idiom, FileFault)? {
        if let fault = faults.last(where: { Self.name($0.error.file) == name }) {
            return (.closed(named: name), FileFault(error: fault.error, inEffect: .standard))
        }
        for folder in folders.reversed() {
            let file = "\(folder)/\(name).toml"
            guard let text = lastGood.text(of: file), let idiom = try? parse(text, name, file, like: idioms) else { continue }
            let error = SettingsError(file: file, line: 0, column: 0, message: "there is no such file")
            return (idiom, FileFault(error: error, inEffect: .lastGood))
        }
        return nil
    }

    /// Consumes notifications. Returns true if a file may have changed.
    public func drain() -> Bool { watch.drain() }

    /// Reads all files again. Returns whether an idiom came, changed or went.
    public func reload() -> Bool {
        let before = idioms, faultsBefore = faults, filesBefore = files
        var next = builtIn, there: Set<String> = []
        faults = []
        watch.begin()
        var found: [(name: String, file: String)] = []
        for folder in folders {
            watch.follow(folder, as: .contents([".toml"]))
            for name in Self.names(in: folder) {
                let file = "\(folder)/\(name).toml"
                var status = stat()
                if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { watch.follow(file, as: .file) }
                there.insert(file)
                found.append((name, file))
            }
        }
        for (name, file, isLoop) in Self.ordered(found) {
            do throws(SettingsError) {
                guard let text = try SettingsStore.read(file) else { continue }
                guard !isLoop else { throw try Idiom.loop(text, file: file) }
                Self.put(try parse(text, name, file, like: next), in: &next)
                _ = lastGood.keep(text, of: file)
            } catch {
                let held = instead(of: file, name, like: next, running: filesBefore == nil ? nil : before.first { $0.name == name })
                let known = faultsBefore.first { $0.error.file == file }?.inEffect
                faults.append(FileFault(error: error, inEffect: known ?? held?.origin ?? .standard))
                if let held { Self.put(held.idiom, in: &next) }
            }
        }
        // In the order of the folders, whichever was read first.
        let order = Dictionary(found.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        faults.sort { order[$0.error.file] ?? 0 < order[$1.error.file] ?? 0 }
        let own = found.map(\.name)
        let news = next.dropFirst(builtIn.count)
        next = next.prefix(builtIn.count) + news.sorted { own.firstIndex(of: $0.name) ?? 0 < own.firstIndex(of: $1.name) ?? 0 }
        watch.finish()
        // A person who removes a file while the shell runs wants to remove its idiom.
        for gone in filesBefore ?? [] where !there.contains(gone) { lastGood.forget(gone) }
        files = there
        if let revived {
            if next.contains(where: { $0.name == revived.idiom.name }) {
                self.revived = nil
            } else {
                Self.put(revived.idiom, in: &next)
                faults.append(revived.fault)
            }
        }
        idioms = next
        return idioms != before
    }

    /// The files in the order of reading: an idiom comes after the one that it is `like`, whose file may change it. Of one name, an
    /// earlier folder comes first. `isLoop`: the file is like itself by way of others.
    private static func ordered(_ files: [(name: String, file: String)]) -> [(name: String, file: String, isLoop: Bool)] {
        var out: [(name: String, file: String, isLoop: Bool)] = []
        var left = files.map { (name: $0.name, file: $0.file, like: (try? SettingsStore.read($0.file)).flatMap { $0 }.flatMap(Idiom.like)) }
        while !left.isEmpty {
            let index = left.indices.first { index in
                let one = left[index]
                let isFirst = !left[..<index].contains { $0.name == one.name }
                return isFirst && (one.like == one.name || !left.contains { $0.name == one.like })
            }
            let next = left.remove(at: index ?? 0)
            out.append((next.name, next.file, index == nil))
        }
        return out
    }

    private func parse(_ text: String, _ name: String, _ file: String, like known: [Idiom]) throws(SettingsError) -> Idiom {
        try Idiom.parse(text, named: name, file: file, like: known)
    }

    /// - Parameter running: the idiom of that name in this session.
    private func instead(of file: String, _ name: String, like known: [Idiom], running: Idiom?) -> (
        idiom: Idiom, origin: FileTrouble.InEffect
    )? {
        if let running { return (running, .lastGood) }
        func parsed(_ text: String) throws(SettingsError) -> Idiom { try parse(text, name, file, like: known) }
        if let text = lastGood.text(of: file), let idiom = try? parsed(text) { return (idiom, .lastGood) }
        if let text = SettingsStore.lossy(file), let idiom = Salvage.rest(of: text, parse: parsed) { return (idiom, .rest) }
        return nil
    }
    private static func put(_ idiom: Idiom, in list: inout [Idiom]) {
        if let index = list.firstIndex(where: { $0.name == idiom.name }) { list[index] = idiom } else { list.append(idiom) }
    }

    /// The names of the data files in a folder, sorted.
    static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".toml"), !name.hasPrefix(".") { names.append(String(name.dropLast(5))) }
        }
        return names.sorted()
    }
}
