import Glibc
import Idioms
import Multitasking
import Watching

/// The settings file: its place, its content, and its changes.
///
/// The event loop watches `descriptor`, calls `drain()` when it is readable, and `reload()` if that returns true.
/// While the file is invalid or missing, the last valid settings stay in effect, over restarts, too. Confined to one thread.
public final class SettingsStore {
    public enum Reload: Equatable {
        /// The file has not changed, or does not exist.
        case unchanged
        case changed(Settings)
        /// The current settings stay in effect.
        case invalid(SettingsError)
    }

    /// Absolute.
    public let path: String
    /// The settings in effect.
    public private(set) var settings: Settings
    /// The error in the file; nil: the file is in effect.
    public private(set) var fault: FileFault?
    /// Whether the named file was not there at the start, and never was.
    public private(set) var isUnknown = false
    /// The reason why the file's content could not be kept for the next start; nil: it is kept, or nothing is.
    public private(set) var unkept: String?
    /// Notices changes. After its `retry()`, `reload()` sets the watches again.
    public let watch = PathWatch(owner: "watch of the configuration")
    /// Readable when something happened near the file; -1 if no watches are available.
    public var descriptor: Int32 { watch.descriptor }

    private let overrides: (inout Settings) -> Void
    /// The names of the idioms that the file may choose.
    private let idioms: () -> [String]
    private let lastGood: LastGood
    private var lastText: String?

    /// Never fails: if the file cannot be read or is invalid, `fault` names the reason and the settings that apply instead.
    ///
    /// - Parameters:
    ///   - isRequired: the user named the file, so a missing file is an error.
    ///   - lastGood: where the version is that held last.
    ///   - idioms: the names of the idioms that the file may choose.
    ///   - overrides: settings of the command line, applied over those of the file.
    public init(
        path: String, isRequired: Bool = false, lastGood: LastGood = LastGood(folder: nil),
        idioms: @escaping () -> [String] = { Idiom.all.map(\.name) }, overrides: @escaping (inout Settings) -> Void = { _ in }
    ) {
        self.path = Self.absolute(path)
        self.overrides = overrides
        self.idioms = idioms
        self.lastGood = lastGood
        settings = Settings()
        setWatches()
        do throws(SettingsError) {
            if let text = try Self.read(self.path) {
                lastText = text
                settings = try Settings.parse(text, file: self.path, idioms: idioms())
                unkept = lastGood.keep(text, of: self.path)
            } else if isRequired {
                throw SettingsError(file: self.path, line: 0, column: 0, message: "there is no such file")
            } else {
                // A person who removed the file wants the standard settings.
                lastGood.forget(self.path)
            }
        } catch {
            let held = instead(of: error)
            (settings, fault) = (held.settings, FileFault(error: error, inEffect: held.origin))
            isUnknown = isRequired && held.origin == .standard && access(self.path, F_OK) != 0 && errno == ENOENT
        }
        overrides(&settings)
    }

    private func instead(of error: SettingsError) -> (settings: Settings, origin: FileTrouble.InEffect) {
        func parsed(_ text: String) throws(SettingsError) -> Settings { try Settings.parse(text, file: path, idioms: idioms()) }
        if let text = lastGood.text(of: path), let settings = try? parsed(text) { return (settings, .lastGood) }
        if let text = lastText ?? Self.lossy(path), let settings = Salvage.rest(of: text, parse: parsed) { return (settings, .rest) }
        return (Settings(), .standard)
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

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// Consumes notifications. Returns true if the file may have changed.
    public func drain() -> Bool {
        guard watch.drain() else { return false }
        setWatches()
        return true
    }

    /// The file itself, and everything on the way to it that may lead elsewhere.
    private func setWatches() {
        watch.begin()
        watch.follow(path, as: .file)
        watch.finish()
    }

    /// Reads the file again. The settings in effect change only if it is valid.
    public func reload() -> Reload {
        setWatches()
        let parsed: Settings
        do throws(SettingsError) {
            guard let text = try Self.read(path) else { return .unchanged }
            // The text is unchanged, so the same holds, unless it could not be read meanwhile or names an idiom that was unknown.
            guard text != lastText || fault != nil else { return .unchanged }
            lastText = text
            parsed = try Settings.parse(text, file: path, idioms: idioms())
            fault = nil
            unkept = lastGood.keep(text, of: path)
        } catch {
            fault = FileFault(error: error, inEffect: fault?.inEffect ?? .lastGood)
            return .invalid(error)
        }
        var next = parsed
        overrides(&next)
        guard next != settings else { return .unchanged }
        settings = next
        return .changed(next)
    }

    // MARK: Reading

    /// The file's text; nil if it does not exist.
    static func read(_ path: String, limit most: Int = Settings.largestFile) throws(SettingsError) -> String? {
        guard let bytes = try bytes(path, limit: most) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(file: path, line: bytes.firstInvalidUTF8Line, column: 1, message: "this line is not valid UTF-8")
        }
        return text
    }

    /// Returns the file's content with U+FFFD in place of invalid UTF-8; nil if it cannot be read.
    static func lossy(_ path: String) -> String? {
        guard let bytes = (try? bytes(path, limit: Settings.largestFile)) ?? nil, bytes.count <= Settings.largestFile else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bytes(_ path: String, limit most: Int) throws(SettingsError) -> [UInt8]? {
        // Non-blocking, in case it is a pipe.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            let problem = errno
            if let link = deadLink(path) {
                throw SettingsError(file: path, line: 0, column: 0, message: "the link \(link) leads to nothing")
            }
            if problem == ENOENT || problem == ENOTDIR { return nil }
            throw unreadable(path, problem)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsError(file: path, line: 0, column: 0, message: "it is not a regular file")
        }
        var bytes: [UInt8] = []
        let limit = most + 1
        while bytes.count < limit {
            let length = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
                let length = Glibc.read(file, buffer.baseAddress, buffer.count)
                if length > 0 { bytes.append(contentsOf: buffer.prefix(length)) }
                return length
            }
            if length < 0 { throw unreadable(path, errno) }
            if length == 0 { break }
        }
        return bytes
    }

    /// Returns a link on the path that leads to nothing. A person made it for a file that should exist.
    private static func deadLink(_ path: String) -> String? {
        for end in path.indices.dropFirst() + [path.endIndex] where end == path.endIndex || path[end] == "/" {
            let part = String(path[..<end])
            var status = stat()
            guard lstat(part, &status) == 0 else { return nil }
            if status.st_mode & S_IFMT == S_IFLNK, stat(part, &status) != 0, errno == ENOENT || errno == ENOTDIR || errno == ELOOP {
                return part
            }
        }
        return nil
    }

    private static func unreadable(_ path: String, _ problem: Int32) -> SettingsError {
        SettingsError(file: path, line: 0, column: 0, message: "it cannot be read: " + String(cString: strerror(problem)))
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
