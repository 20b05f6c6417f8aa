import Glibc

/// Who is at the other end of a Wayland connection, as far as the kernel and the sandbox say.
///
/// Outside a sandbox this is no protection: a program there can be whichever it likes. It tells apps in sandboxes from
/// the rest, and lets a person's configuration name programs.
public struct ClientIdentity: Equatable, Sendable {
    /// What holds an app.
    public struct Sandbox: Equatable, Sendable {
        /// "org.flatpak", "snap", or as the engine calls itself; "" when nobody said.
        public var engine: String
        /// As the engine calls the app; "" when nobody said.
        public var app: String

        public init(engine: String, app: String) {
            self.engine = engine
            self.app = app
        }
    }

    /// Absolute path of the program; nil when it cannot be told. In a sandbox it is a path in there, and means nothing.
    public var executable: String?
    /// nil: in none.
    public var sandbox: Sandbox?

    public init(executable: String?, sandbox: Sandbox?) {
        self.executable = executable
        self.sandbox = sandbox
    }

    /// A client of which nothing can be known gets what a sandboxed one gets: an app in a sandbox can hide itself.
    public static let unknown = ClientIdentity(executable: nil, sandbox: Sandbox(engine: "", app: ""))

    /// Reads a few small files of `/proc`; never waits.
    public static func of(process: Int32) -> ClientIdentity {
        guard process > 0 else { return .unknown }
        let folder = "/proc/\(process)"
        let executable = link("\(folder)/exe")
        if let app = snap(groups: readSmallFile("\(folder)/cgroup") ?? "") {
            return ClientIdentity(executable: executable, sandbox: Sandbox(engine: "snap", app: app))
        }
        // Only what may be looked into can be told to be outside; other people's programs and those that hide cannot.
        guard executable != nil, let mounts = readSmallFile("\(folder)/mountinfo", limit: 1 << 20) else { return .unknown }
        guard readsWithoutWaiting(mounts: mounts) else { return .unknown }
        let info = "\(folder)/root/.flatpak-info"
        if let text = readSmallFile(info) {
            return ClientIdentity(executable: executable, sandbox: Sandbox(engine: "org.flatpak", app: flatpak(info: text)))
        }
        guard errno == ENOENT, hasOurNamespaces(folder) else { return .unknown }
        return ClientIdentity(executable: executable, sandbox: nil)
    }

    /// Its users and its files are this process's own. What stands in others is somebody's sandbox, whatever it shows and
    /// hides of the files: bubblewrap, a container, a service with files of its own (`PrivateTmp=`).
    private static func hasOurNamespaces(_ folder: String) -> Bool {
        for name in ["user", "mnt"] {
            // A kernel without namespaces has no such link, neither here nor there.
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

    /// The snap that a process belongs to, from the names of its control groups: `snap.NAME.APP-UUID.scope`.
    static func snap(groups: String) -> String? {
        for part in groups.split(whereSeparator: { $0 == "/" || $0 == "\n" }) where part.hasPrefix("snap.") {
            let names = part.split(separator: ".")
            if names.count >= 3 { return String(names[1]) }
        }
        return nil
    }

    /// Files on the machine and in memory are read at once; those that a program or another machine serves may never come.
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
            // A program that was replaced while it runs is still the one of that name.
            let gone = " (deleted)"
            return text.hasSuffix(gone) ? String(text.dropLast(gone.count)) : text
        }
    }
}
