import FoundationEssentials
import Glibc

/// The last pictures of windows: PNG files that only this user can read.
///
/// Belongs to one thread but for `removeAll`.
struct KeptPictures {
    let folder: String
    /// Names that this process gave out and that no arrangement names yet. A file's age proves nothing, because a
    /// person may set the clock.
    private var fresh: Set<String> = []

    /// - Parameter folder: made if it does not exist. The error names it otherwise.
    init(folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    mutating func new() -> String {
        let name = "\(String(UInt64.random(in: 0 ... .max), radix: 36)).png"
        fresh.insert(name)
        return "\(folder)/\(name)"
    }

    /// The core knows this picture, or it was not written. From now on it stays only as long as an arrangement names it.
    mutating func isKnown(_ name: String) { fresh.remove(name) }

    /// The needed pictures: the used ones, and new ones, which may not be part of an arrangement yet.
    func needed(_ used: Set<String>) -> Set<String> { used.union(fresh) }

    /// nil if the text is not the name of a picture.
    func path(_ name: String) -> String? {
        name.isEmpty || name.contains("/") || name.hasPrefix(".") ? nil : "\(folder)/\(name)"
    }

    /// Removes all pictures in the folder but these. For another thread.
    static func removeAll(in folder: String, but needed: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !needed.contains(name) {
            unlink("\(folder)/\(name)")
        }
    }
}
