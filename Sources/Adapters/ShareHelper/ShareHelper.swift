import FoundationEssentials
import Glibc
import PixbufLibrary

/// A report of the helper to the shell, one line of JSON.
public enum ShareReport: Codable, Sendable {
    /// The kinds of each file, the nearest first; the app that a person chose for mail; whether a mail can begin with files.
    case seen(types: [[String]], mailer: String?, mailsFiles: Bool)
    /// Not every file can be shared.
    case refused(String)
    /// The paths of the files that an app gets, or that were saved.
    case ready([String])
    /// In the words of the core's `SharingTrouble`.
    case failed(String)
}

/// The process that looks at the files that a program shares, and copies them. Their file system may take as long as it
/// likes, and the shell does not wait for it.
public enum ShareHelper {
    /// The first word when the program runs as this process. The folder for copies and the names of the files follow; the files
    /// are open with the numbers from 3.
    public static let word = "share-files"

    /// A request of the shell.
    public enum Request: String, Sendable {
        /// Paths for an app.
        case hand
        /// Copies in the person's folder for downloads.
        case save
    }

    /// Answers on standard output, until standard input ends.
    public static func serve(_ words: ArraySlice<String>) {
        let folder = words.first ?? "", names = words.dropFirst()
        var files: [SharedFile] = []
        for (index, name) in names.enumerated() {
            do throws(SharedFile.Flaw) {
                files.append(try SharedFile(3 + Int32(index), name: name))
            } catch {
                return report(.refused(error.text))
            }
        }
        let known = MimeTypes(folders: MimeTypes.folders())
        report(.seen(types: files.map { $0.types(known) }, mailer: mailer(), mailsFiles: hasProgram("xdg-email")))
        while let line = readLine() {
            do throws(Trouble) {
                switch Request(rawValue: line) {
                case .hand: report(.ready(try Copying.hand(files, in: folder)))
                case .save: report(.ready(try save(files)))
                case nil: return
                }
            } catch {
                report(.failed(error.rawValue))
            }
        }
    }

    private static func save(_ files: [SharedFile]) throws(Trouble) -> [String] {
        guard let folder = Copying.downloads() else { throw .forbidden }
        mkdir(folder, 0o777)
        var paths: [String] = []
        for file in files { paths.append(try Copying.save(file, in: folder)) }
        return paths
    }

    private static func report(_ report: ShareReport) {
        guard let line = try? JSONEncoder().encode(report) else { exit(1) }
        let bytes = line + [UInt8(ascii: "\n")]
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { send(STDOUT_FILENO, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(1) }
            done += count
        }
    }

    /// The desktop entry that a person chose for mail, without its ending.
    private static func mailer() -> String? {
        guard let app = g_app_info_get_default_for_uri_scheme("mailto") else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(app)) }
        guard let id = g_app_info_get_id(app).map({ String(cString: $0) }) else { return nil }
        return id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id
    }

    private static func hasProgram(_ name: String) -> Bool {
        guard let path = g_find_program_in_path(name) else { return false }
        g_free(path)
        return true
    }
}
