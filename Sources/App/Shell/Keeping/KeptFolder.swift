import Descriptors
import FoundationEssentials
import Glibc
import Processes
import Windows

/// The folder in which one shell keeps its windows: `$XDG_STATE_HOME/mullion`.
final class KeptFolder: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    /// Held for as long as this shell keeps windows here.
    private let lock: Lock

    /// Never changes after it was locked; closing it ends the lock.
    private struct Lock: ~Copyable, @unchecked Sendable {
        let file: Descriptor
    }

    private init(path: String, lock: consuming Descriptor) {
        self.path = path
        self.lock = Lock(file: lock)
    }

    /// Makes the folder if it is missing. Fails if another shell keeps its windows there.
    static func open(environment: [String: String]) -> Result<KeptFolder, Failure> {
        let home = environment["HOME"] ?? ""
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
        guard state.hasPrefix("/") else { return .failure(Failure(description: "neither XDG_STATE_HOME nor HOME is set")) }
        let path = "\(state)/mullion"
        do {
            try FileManager.default.createDirectory(
                atPath: "\(path)/pictures", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return .failure(Failure(description: "\(path) cannot be made: \(String(cString: strerror(errno)))"))
        }
        let lock = Descriptor(Glibc.open("\(path)/session.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600), owner: "lock of kept windows")
        guard lock.isOpen else {
            return .failure(Failure(description: "\(path)/session.lock cannot be opened: \(String(cString: strerror(errno)))"))
        }
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = max(0, read(lock.number, &bytes, bytes.count))
            let other = String(decoding: bytes[..<count].prefix { $0 > 32 }, as: UTF8.self)
            return .failure(Failure(description: "another shell\(other.isEmpty ? "" : " (process \(other))") keeps its windows in \(path)"))
        }
        let own = Array("\(getpid())\n".utf8)
        ftruncate(lock.number, 0)
        _ = pwrite(lock.number, own, own.count, 0)
        return .success(KeptFolder(path: path, lock: lock))
    }

    // MARK: The arrangement

    private var file: String { "\(path)/arrangement.json" }
    /// The one before it.
    private var older: String { "\(path)/arrangement.old.json" }

    enum Found {
        case nothing
        /// `note`: what a person should know of it.
        case arrangement(KeptArrangement, note: String? = nil)
        case damaged(String)
        /// A newer version wrote it. It must not be overwritten.
        case newer(String)
    }

    /// What was kept last. A damaged file is moved aside, and the one before it counts.
    func arrangement() -> Found {
        guard let bytes = FileManager.default.contents(atPath: file) else { return .nothing }
        if let kept = try? JSONDecoder().decode(KeptArrangement.self, from: bytes) {
            guard kept.version <= KeptArrangement.newest else {
                let known = KeptArrangement.newest
                return .newer("\(file) is of a newer Mullion (version \(kept.version), this one reads \(known)); windows are not kept")
            }
            return .arrangement(kept)
        }
        let damaged = "\(file).damaged"
        rename(file, damaged)
        guard let bytes = FileManager.default.contents(atPath: older), let kept = try? JSONDecoder().decode(KeptArrangement.self, from: bytes),
            kept.version <= KeptArrangement.newest
        else { return .damaged("\(file) is damaged and was moved to \(damaged); there is no older one") }
        return .arrangement(kept, note: "\(file) is damaged and was moved to \(damaged); the arrangement before it is used")
    }

    /// Puts the arrangement where it is not read any more.
    func setAside() { rename(file, "\(path)/arrangement.aside.json") }

    /// Writes the arrangement, and removes pictures that are not part of it any more. Returns the reason if it fails.
    func write(_ kept: KeptArrangement) -> String? {
        guard let bytes = try? JSONEncoder().encode(kept) else { return "the arrangement of windows cannot be written" }
        // The one before stays until this one is complete.
        unlink(older)
        link(file, older)
        do {
            try PrivateFile.write(Array(bytes), to: file)
        } catch {
            return "windows are not kept: \(error.description)"
        }
        let used = Set(kept.windows.compactMap(\.picture))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/pictures")) ?? [] where !used.contains(name) {
            var status = stat()
            // A new one may not be part of an arrangement yet.
            if stat("\(path)/pictures/\(name)", &status) == 0, time(nil) - status.st_mtim.tv_sec > 60 { unlink("\(path)/pictures/\(name)") }
        }
        return nil
    }

    // MARK: Pictures

    func newPicture() -> String { "\(path)/pictures/\(String(UInt64.random(in: 0 ... .max), radix: 36)).png" }

    /// nil for a name that is no name of a picture here.
    func picture(_ name: String) -> String? {
        name.isEmpty || name.contains("/") || name.hasPrefix(".") ? nil : "\(path)/pictures/\(name)"
    }
}
