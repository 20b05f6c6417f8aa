import Glibc
import Windows

/// A log file for the output of each launched program, so that it can be quoted if the program fails at once. The
/// files of the programs that exited last are kept.
final class ProgramLogs {
    let folder: String
    private var files: [LaunchID: String] = [:]
    /// Programs that have exited, oldest first.
    private var ended: [String] = []

    private static let mostEnded = 32
    /// The last line is searched in this many bytes at the end of a file.
    private static let reach = 4096

    init(folder: String) { self.folder = folder }

    /// Creates the file for a program that is about to start.
    func begin(_ launch: LaunchID, _ command: [String]) -> String {
        mkdir(folder, 0o700)
        let program = command.first?.split(separator: "/").last.map(String.init) ?? ""
        let name = String(program.unicodeScalars.filter { $0.value > 32 && $0.value < 127 }.prefix(40).map(Character.init))
        let file = "\(folder)/\(launch.raw)-\(name).log"
        files[launch] = file
        return file
    }

    func end(_ launch: LaunchID) {
        guard let file = files.removeValue(forKey: launch) else { return }
        ended.append(file)
        if ended.count > Self.mostEnded { unlink(ended.removeFirst()) }
    }

    /// The last non-empty line; nil if there is none.
    func lastLine(of launch: LaunchID) -> String? {
        guard let file = files[launch] else { return nil }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let length = lseek(descriptor, 0, SEEK_END)
        lseek(descriptor, max(0, length - off_t(Self.reach)), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: Self.reach)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let lines = bytes[..<count].split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last { $0.contains { $0 > 32 } }.map { String(decoding: $0, as: UTF8.self) }
    }
}
