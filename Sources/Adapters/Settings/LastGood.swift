import Glibc
import Multitasking
import Processes

/// An error in a file that a person edits, and the version that applies instead.
public struct FileFault: Equatable, Sendable {
    public var error: SettingsError
    public var inEffect: FileTrouble.InEffect

    /// For an alert. Names the file by the end of its path.
    public var trouble: FileTrouble {
        let parts = error.file.split(separator: "/").suffix(2)
        let name = parts.count == 2 && parts.first == "idioms" ? parts.joined(separator: "/") : parts.last.map(String.init) ?? error.file
        return FileTrouble(file: name, line: error.line, reason: error.message, inEffect: inEffect)
    }

    /// For the log and a terminal.
    public var description: String {
        let instead =
            switch inEffect {
            case .lastGood: "the last correct version is used"
            case .rest: "the rest of the file is used"
            case .standard: "the standard settings are used"
            }
        return "\(error); \(instead)"
    }
}

/// The last version that held of each file that a person edits, over restarts: one wrong line must not take the whole session (law 5).
///
/// A plain file for each, named after the file's path, in the state folder. A kiosk and a trial with `--config` do not share one.
public struct LastGood: Sendable {
    /// nil: nothing is kept.
    let folder: String?

    public init(folder: String?) { self.folder = folder }

    /// In the state folder of this user.
    public init(environment: [String: String]) { folder = Settings.stateFolder(environment: environment).map { "\($0)/last-good" } }

    /// More files than a person edits. Beyond that, the ones that were kept longest ago are removed.
    static let most = 32

    func text(of file: String) -> String? {
        guard let path = path(of: file), let text = (try? SettingsStore.read(path, limit: Settings.largestFile + 8192)) ?? nil,
            text.hasPrefix(Self.head(file))
        else { return nil }
        return String(text.dropFirst(Self.head(file).count))
    }

    /// Returns why it is not kept.
    func keep(_ text: String, of file: String) -> String? {
        guard let folder, let path = path(of: file), !file.contains("\n"), self.text(of: file) != text else { return nil }
        for end in folder.indices.dropFirst() where folder[end] == "/" { mkdir(String(folder[..<end]), 0o700) }
        mkdir(folder, 0o700)
        makeRoom(in: folder)
        do throws(PrivateFile.Failure) {
            try PrivateFile.write(Array((Self.head(file) + text).utf8), to: path)
            return nil
        } catch {
            return error.description
        }
    }

    func forget(_ file: String) { if let path = path(of: file) { unlink(path) } }

    /// The files of which a version is kept.
    var files: [String] {
        guard let folder else { return [] }
        return IdiomStore.names(in: folder).compactMap { name in
            guard let text = SettingsStore.lossy("\(folder)/\(name).toml"), text.hasPrefix(Self.words), let end = text.firstIndex(of: "\n")
            else { return nil }
            return String(text[..<end].dropFirst(Self.words.count))
        }
    }

    private static let words = "# The last correct version of "

    private static func head(_ file: String) -> String { "\(words)\(file)\n" }

    private func path(of file: String) -> String? {
        guard let folder else { return nil }
        // FNV-1a. In case of a collision, the first line differs.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in file.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\(folder)/\(String(hash, radix: 36)).toml"
    }

    private func makeRoom(in folder: String) {
        let names = IdiomStore.names(in: folder)
        guard names.count >= Self.most else { return }
        let ages = names.map { name -> (Int, String) in
            var status = stat()
            let path = "\(folder)/\(name).toml"
            return (lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0, path)
        }
        for (_, path) in ages.sorted(by: <).prefix(names.count + 1 - Self.most) { unlink(path) }
    }
}

extension Settings {
    /// The folder for files that must survive a crash or a reboot; nil if the environment names none. It may not exist.
    public static func stateFolder(environment: [String: String]) -> String? {
        let home = environment["HOME"] ?? ""
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
        return state.hasPrefix("/") ? "\(state)/mullion" : nil
    }
}

/// Finds the correct part of a file that has errors, for when no correct version of it was ever seen.
enum Salvage {
    private static let mostErrors = 32

    /// Leaves out one wrong line after the other, until the rest can be parsed. nil: nothing can be used.
    ///
    /// The remaining lines are unchanged. A header that is left out takes its lines along, up to the next header.
    static func rest<Value>(of text: String, parse: (String) throws(SettingsError) -> Value) -> Value? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Lines that were not valid UTF-8.
        for index in lines.indices where lines[index].contains("\u{fffd}") { leaveOut(index, of: &lines) }
        for _ in 0..<mostErrors {
            guard lines.contains(where: { !isBlank($0) }) else { return nil }
            do throws(SettingsError) {
                return try parse(lines.joined(separator: "\n"))
            } catch {
                // The error may be reported after its cause, such as a quotation mark that nothing closes.
                guard error.line > 0, let index = lines.indices.prefix(error.line).last(where: { !isBlank(lines[$0]) }) else { return nil }
                leaveOut(index, of: &lines)
            }
        }
        return nil
    }

    private static func leaveOut(_ index: Int, of lines: inout [String]) {
        let isHeader = lines[index].drop { $0 == " " || $0 == "\t" }.hasPrefix("[")
        lines[index] = ""
        guard isHeader else { return }
        for next in lines.indices[(index + 1)...] {
            if lines[next].drop(while: { $0 == " " || $0 == "\t" }).hasPrefix("[") { return }
            lines[next] = ""
        }
    }

    private static func isBlank(_ line: String) -> Bool {
        line.drop { $0 == " " || $0 == "\t" || $0 == "\r" }.first.map { $0 == "#" } ?? true
    }
}
