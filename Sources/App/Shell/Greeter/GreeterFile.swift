import Descriptors
import FoundationEssentials
import Glibc
import Locking
import Processes

/// The file in which the greeter keeps who logged in last, and how.
enum GreeterFile {
    private static let longest = 1 << 20

    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// nil: there is none yet.
    static func read(_ path: String) -> Result<GreeterMemory?, Fault> {
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY), owner: "memory of the greeter")
        guard file.isOpen else { return errno == ENOENT ? .success(nil) : .failure(Fault(description: String(cString: strerror(errno)))) }
        var state = stat()
        guard fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, state.st_size <= longest else {
            return .failure(Fault(description: "it is no small plain file"))
        }
        var bytes = [UInt8](repeating: 0, count: Int(state.st_size))
        let count = Glibc.read(file.number, &bytes, bytes.count)
        guard count == bytes.count, let memory = try? JSONDecoder().decode(GreeterMemory.self, from: Data(bytes)) else {
            return .failure(Fault(description: "it says nothing that the greeter wrote"))
        }
        return .success(memory)
    }

    /// Returns why it was not written.
    static func write(_ memory: GreeterMemory, to path: String) -> String? {
        guard let bytes = try? JSONEncoder().encode(memory) else { return "it cannot be put into words" }
        let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do throws(PrivateFile.Failure) {
            try PrivateFile.write(Array(bytes), to: path)
            return nil
        } catch { return error.description }
    }
}
