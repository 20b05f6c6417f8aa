import Descriptors
import Glibc
import Idioms

/// The idioms that a person can choose: those of this build, and the data files of the machine and of the person (docs/idioms.md).
///
/// A file in a later folder replaces one of the same name, and any file replaces the built-in idiom of its name. While a file is
/// invalid, the last good idiom of that name stays. Confined to one thread.
public final class IdiomStore {
    public private(set) var idioms: [Idiom]
    /// Readable when something happened in a folder; -1 if no watches are available.
    public var descriptor: Int32 { notices.number }
    /// The errors in the files, in the order of the folders.
    public private(set) var errors: [SettingsError] = []

    private let folders: [String]
    private let builtIn: [Idiom]
    private let notices: Descriptor

    /// - Parameter folders: in the order of reading; folders that do not exist are skipped.
    public init(folders: [String], builtIn: [Idiom] = Idiom.offered) {
        self.folders = folders
        self.builtIn = builtIn
        idioms = builtIn
        notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of the idioms")
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

    /// Consumes notifications. Returns true if there were any.
    public func drain() -> Bool {
        guard descriptor >= 0 else { return false }
        var isAny = false
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 { isAny = true }
        }
        return isAny
    }

    /// Reads all files again. Returns whether an idiom came, changed or went.
    public func reload() -> Bool {
        let before = idioms
        var next = builtIn
        errors = []
        for folder in folders {
            if descriptor >= 0 { inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)) }
            for name in Self.names(in: folder) {
                let file = "\(folder)/\(name).toml"
                do {
                    guard let text = try SettingsStore.read(file) else { continue }
                    Self.put(try Idiom.parse(text, named: name, file: file, like: builtIn), in: &next)
                } catch {
                    errors.append(error)
                    if let good = before.first(where: { $0.name == name }) { Self.put(good, in: &next) }
                }
            }
        }
        idioms = next
        return idioms != before
    }

    private static func put(_ idiom: Idiom, in list: inout [Idiom]) {
        if let index = list.firstIndex(where: { $0.name == idiom.name }) { list[index] = idiom } else { list.append(idiom) }
    }

    /// The names of the data files in a folder, sorted.
    private static func names(in folder: String) -> [String] {
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
