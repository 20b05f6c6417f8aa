import Descriptors
import Glibc
import Idioms

/// The settings file: where it is, what it says, and when it changes.
///
/// The event loop watches `descriptor`, calls `drain()` when it is readable, and `reload()` if that returns true.
/// While the file is invalid or missing, the last valid settings stay in effect. Confined to one thread.
public final class SettingsStore {
    public enum Reload: Equatable {
        /// The file has not changed, or does not exist.
        case unchanged
        case changed(Settings)
        /// The current settings stay in effect.
        case invalid(SettingsError)
    }

    public let path: String
    /// The settings in effect.
    public private(set) var settings: Settings
    /// Readable when something happened near the file; -1 if no watches are available.
    public var descriptor: Int32 { notices.number }

    private let notices: Descriptor
    private let overrides: (inout Settings) -> Void
    /// The names of the idioms that the file may choose.
    private let idioms: () -> [String]
    private var lastText: String?
    private var lastError: SettingsError?
    /// Watched folders by watch number, each with the relevant names in it.
    private var watches: [Int32: Set<String>] = [:]

    /// - Parameters:
    ///   - idioms: the names of the idioms that the file may choose.
    ///   - isRequired: the user named the file, so a missing file is an error.
    ///   - overrides: settings of the command line, applied over those of the file.
    /// - Throws: `SettingsError` when the file cannot be read or is invalid.
    public init(
        path: String, isRequired: Bool = false, idioms: @escaping () -> [String] = { Idiom.offered.map(\.name) },
        overrides: @escaping (inout Settings) -> Void = { _ in }
    ) throws(SettingsError) {
        self.path = path
        self.overrides = overrides
        self.idioms = idioms
        settings = Settings()
        notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of the configuration")
        watch()
        let text = try Self.read(path)
        if let text {
            settings = try Settings.parse(text, file: path, idioms: idioms())
        } else if isRequired {
            throw SettingsError(file: path, line: 0, column: 0, message: "there is no such file")
        }
        lastText = text
        overrides(&settings)
    }

    /// The path of the file: from the command line, else below `XDG_CONFIG_HOME`, else below `HOME`.
    public static func path(option: String?, environment: [String: String]) -> String {
        if let option { return option }
        // The specification says to ignore relative paths.
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return folder + "/mullion/config.toml"
        }
        return (environment["HOME"] ?? "") + "/.config/mullion/config.toml"
    }

    /// Consumes notifications. Returns true if the file may have changed.
    public func drain() -> Bool {
        guard descriptor >= 0 else { return false }
        var concerned = false
        let capacity = 4096
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let length = Glibc.read(descriptor, buffer.baseAddress, capacity)
                guard length > 0 else { return }
                var offset = 0
                while offset < length {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let nameStart = offset + MemoryLayout<inotify_event>.size
                    let name = buffer[nameStart..<(nameStart + Int(event.len))].prefix { $0 != 0 }
                    if isOfConcern(event, name: String(decoding: name, as: UTF8.self)) { concerned = true }
                    offset = nameStart + Int(event.len)
                }
            }
        }
        if concerned { watch() }
        return concerned
    }

    /// Reads the file again. The settings in effect change only if it is valid.
    public func reload() -> Reload {
        let parsed: Settings
        do {
            guard let text = try Self.read(path) else { return .unchanged }
            // The text is unchanged, so report the same error again.
            guard text != lastText else { return lastError.map(Reload.invalid) ?? .unchanged }
            lastText = text
            lastError = nil
            parsed = try Settings.parse(text, file: path, idioms: idioms())
        } catch {
            lastError = error
            return .invalid(error)
        }
        var next = parsed
        overrides(&next)
        guard next != settings else { return .unchanged }
        settings = next
        return .changed(next)
    }

    // MARK: Watching

    /// Watches the file's folder instead of the file, because editors replace files. Instead of a missing folder,
    /// watches its nearest existing parent.
    private func watch() {
        guard descriptor >= 0 else { return }
        for number in watches.keys { inotify_rm_watch(descriptor, number) }
        watches = [:]
        watch(for: path)
        // If the file is a link, for example to a dotfiles folder, its target changes.
        if let target = realpath(path, nil) {
            let resolved = String(cString: target)
            free(target)
            if resolved != path { watch(for: resolved) }
        }
    }

    private func watch(for path: String) {
        var (folder, name) = Self.split(path)
        while true {
            let number = inotify_add_watch(descriptor, folder, Self.interest)
            if number >= 0 {
                watches[number, default: []].insert(name)
                return
            }
            guard errno == ENOENT || errno == ENOTDIR, folder != "/", folder != "." else { return }
            (folder, name) = Self.split(folder)
        }
    }

    private func isOfConcern(_ event: inotify_event, name: String) -> Bool {
        // The queue overflowed, so anything may have changed.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let names = watches[event.wd] else { return false }
        if event.mask & UInt32(IN_DELETE_SELF) != 0 || event.mask & UInt32(IN_MOVE_SELF) != 0 { return true }
        guard names.contains(name) else { return false }
        // A new file is still empty and will be closed later. Links and folders are complete at once.
        if event.mask & UInt32(IN_CREATE) != 0, event.mask & UInt32(IN_ISDIR) == 0 {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        }
        return true
    }

    private static let interest = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }

    // MARK: Reading

    /// The file's text; nil if it does not exist.
    static func read(_ path: String) throws(SettingsError) -> String? {
        // Non-blocking, in case it is a pipe.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable(path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsError(file: path, line: 0, column: 0, message: "is not a regular file")
        }
        var bytes: [UInt8] = []
        let limit = Settings.largestFile + 1
        while bytes.count < limit {
            let length = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
                let length = Glibc.read(file, buffer.baseAddress, buffer.count)
                if length > 0 { bytes.append(contentsOf: buffer.prefix(length)) }
                return length
            }
            if length < 0 { throw unreadable(path) }
            if length == 0 { break }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let valid = bytes.firstInvalidUTF8Line
            throw SettingsError(file: path, line: valid, column: 1, message: "this line is not valid UTF-8")
        }
        return text
    }

    private static func unreadable(_ path: String) -> SettingsError {
        SettingsError(file: path, line: 0, column: 0, message: "cannot be read: " + String(cString: strerror(errno)))
    }
}

extension [UInt8] {
    /// The first line, from 1, that is not valid UTF-8.
    fileprivate var firstInvalidUTF8Line: Int {
        for (index, line) in split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where String(validating: line, as: UTF8.self) == nil {
            return index + 1
        }
        return 1
    }
}
