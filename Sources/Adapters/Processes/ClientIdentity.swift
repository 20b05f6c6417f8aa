import Glibc

/// Identifies a Wayland client as far as the kernel and the sandbox can tell.
///
/// Outside a sandbox this is no protection, because a program there can impersonate any other. It distinguishes
/// sandboxed apps from the rest, and allows the user's configuration to name programs.
public struct ClientIdentity: Equatable, Sendable {
    /// The sandbox of an app.
    public struct Sandbox: Equatable, Sendable {
        /// "org.flatpak", "snap", or the engine's own name; "" if unknown.
        public var engine: String
        /// The engine's name for the app; "" if unknown.
        public var app: String

        public init(engine: String, app: String) {
            self.engine = engine
            self.app = app
        }
    }

    /// The absolute path of the program; nil if unknown. Inside a sandbox, the path is meaningless.
    public var executable: String?
    /// nil outside any sandbox.
    public var sandbox: Sandbox?

    public init(executable: String?, sandbox: Sandbox?) {
        self.executable = executable
        self.sandbox = sandbox
    }

    /// An unidentified client gets the rights of a sandboxed one, because a sandboxed app can hide itself.
    public static let unknown = ClientIdentity(executable: nil, sandbox: Sandbox(engine: "", app: ""))

    /// Reads a few small files of `/proc`. Never blocks.
    public static func of(process: Int32) -> ClientIdentity {
        guard process > 0 else { return .unknown }
        let folder = "/proc/\(process)"
        let executable = link("\(folder)/exe")
        if let app = snap(groups: readSmallFile("\(folder)/cgroup") ?? "") {
            return ClientIdentity(executable: executable, sandbox: Sandbox(engine: "snap", app: app))
        }
        // A process counts as outside only if it can be inspected. Other users' programs and hidden ones cannot.
        guard executable != nil, let mounts = readSmallFile("\(folder)/mountinfo", limit: 1 << 20) else { return .unknown }
        guard readsWithoutWaiting(mounts: mounts) else { return .unknown }
        let info = "\(folder)/root/.flatpak-info"
        if let text = readSmallFile(info) {
            return ClientIdentity(executable: executable, sandbox: Sandbox(engine: "org.flatpak", app: flatpak(info: text)))
        }
        guard errno == ENOENT, hasOurNamespaces(folder) else { return .unknown }
        return ClientIdentity(executable: executable, sandbox: nil)
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

    /// The name in `.flatpak-info`, of an app or of a bare runtime.
    static func flatpak(info: String) -> String {
        var group = ""
        for line in info.split(separator: "\n") {
            if line.hasPrefix("[") { group = String(line) }
            guard group == "[Application]" || group == "[Runtime]", line.hasPrefix("name=") else { continue }
            return String(line.dropFirst("name=".count))
        }
        return ""
    }

    /// The snap of a process, from the names of its control groups: `snap.NAME.APP-UUID.scope`.
    static func snap(groups: String) -> String? {
        for part in groups.split(whereSeparator: { $0 == "/" || $0 == "\n" }) where part.hasPrefix("snap.") {
            let names = part.split(separator: ".")
            if names.count >= 3 { return String(names[1]) }
        }
        return nil
    }

    /// Whether files can be read at once. Files on FUSE or network file systems may block forever.
    static func readsWithoutWaiting(mounts: String) -> Bool {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, fields[4] == "/" || fields[4] == "/.flatpak-info",
                let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            if served.contains(where: { fields[dash + 1].hasPrefix($0) }) { return false }
        }
        return true
    }

    private static let served = ["fuse", "nfs", "9p", "cifs", "smb", "autofs", "ceph", "afs", "virtiofs"]

    private static func link(_ path: String) -> String? {
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
