import FoundationEssentials
import Glibc

/// The last pictures of windows: PNG files that only this user can read.
struct KeptPictures: Sendable {
    let folder: String

    /// nil if the folder cannot be made.
    init?(in parent: String) {
        folder = "\(parent)/pictures"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return nil
        }
    }

    func new() -> String { "\(folder)/\(String(UInt64.random(in: 0 ... .max), radix: 36)).png" }

    /// nil if the text is not the name of a picture.
    func path(_ name: String) -> String? {
        name.isEmpty || name.contains("/") || name.hasPrefix(".") ? nil : "\(folder)/\(name)"
    }

    /// Removes unused pictures. A new one may not be part of an arrangement yet, so it stays for a minute.
    func removeAll(but used: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !used.contains(name) {
            var status = stat()
            if stat("\(folder)/\(name)", &status) == 0, time(nil) - status.st_mtim.tv_sec > 60 { unlink("\(folder)/\(name)") }
        }
    }
}
