import Glibc
import Windows

/// The facts that the kernel reports of a process. `Identity` draws the conclusions.
extension Identity.Evidence {
    /// Reads a few small files of `/proc`. Never blocks.
    ///
    /// - Parameter connection: the number of its connection.
    public static func of(process: Int32, connection: UInt64) -> Identity.Evidence {
        var evidence = Identity.Evidence()
        evidence.connection = connection
        guard process > 0 else { return evidence }
        let folder = "/proc/\(process)"
        evidence.groups = readSmallFile("\(folder)/cgroup") ?? ""
        evidence.label = readSmallFile("\(folder)/attr/current") ?? ""
        evidence.executable = link("\(folder)/exe")
        // A process counts as outside only if it can be inspected. Other users' programs and hidden ones cannot.
        guard evidence.executable != nil, let mounts = readSmallFile("\(folder)/mountinfo", limit: 1 << 20) else { return evidence }
        evidence.movesGroups = canMoveGroups(mounts: mounts)
        guard readsWithoutWaiting(mounts: mounts) else { return evidence }
        evidence.flatpakInfo = readSmallFile("\(folder)/root/.flatpak-info")
        evidence.isOutside = evidence.flatpakInfo == nil && errno == ENOENT && hasOurNamespaces(folder)
        return evidence
    }

    /// Whether it shares this process's user and mount namespaces. Other namespaces belong to a sandbox, whatever
    /// files it shows or hides: bubblewrap, a container, a service with its own files (`PrivateTmp=`).
    private static func hasOurNamespaces(_ folder: String) -> Bool {
        for name in ["user", "mnt"] {
            // A kernel without namespaces has no such link for either process.
            guard link("\(folder)/ns/\(name)") == link("/proc/self/ns/\(name)") else { return false }
        }
        return true
    }

    /// Whether files can be read at once. Files on FUSE or network file systems may block forever.
    static func readsWithoutWaiting(mounts: String) -> Bool {
        !any(mounts) { place, _, type in
            (place == "/" || place == "/.flatpak-info") && served.contains { type.hasPrefix($0) }
        }
    }

    private static let served = ["fuse", "nfs", "9p", "cifs", "smb", "autofs", "ceph", "afs", "virtiofs"]

    /// Whether a control group file system is there that can be written to.
    static func canMoveGroups(mounts: String) -> Bool {
        any(mounts) { _, options, type in type.hasPrefix("cgroup") && options.split(separator: ",").contains("rw") }
    }

    /// Whether a line of `mountinfo` meets a condition on its place, the options of the mount, and the type.
    private static func any(_ mounts: String, _ condition: (Substring, Substring, Substring) -> Bool) -> Bool {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { continue }
            if condition(fields[4], fields[5], fields[dash + 1]) { return true }
        }
        return false
    }

    static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let length = readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
            guard length > 0 else { return nil }
            let text = String(decoding: buffer.prefix(length), as: UTF8.self)
            // A program that was replaced while it runs keeps its name.
            let gone = " (deleted)"
            return text.hasSuffix(gone) ? String(text.dropLast(gone.count)) : text
        }
    }
}
