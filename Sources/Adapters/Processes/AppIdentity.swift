import Glibc
import Windows

/// The app that a process belongs to, according to the kernel, the service manager and the sandbox, never according
/// to the process itself. Used to tell apps with sound apart.
public struct AppIdentity: Hashable, Sendable {
    /// In a sandbox, the name that its engine vouches for, or "". Outside, the desktop id of its systemd scope or service, else
    /// the program's name; "" if unknown.
    public var id: String
    /// The process and its ancestors, nearest first.
    public var lineage: [Int32]
    public var isSandboxed: Bool

    public init(id: String, lineage: [Int32], isSandboxed: Bool) {
        self.id = id
        self.lineage = lineage
        self.isSandboxed = isSandboxed
    }

    /// Reads a few small files of `/proc`. Never blocks.
    public static func of(process: Int32) -> AppIdentity {
        guard process > 0 else { return AppIdentity(id: "", lineage: [], isSandboxed: true) }
        let evidence = Identity.Evidence.of(process: process, connection: 0), identity = Identity(evidence)
        let lineage = [process] + ProcessTree.ancestors(of: process)
        if identity.isSandboxed { return AppIdentity(id: identity.vouchedApp ?? "", lineage: lineage, isSandboxed: true) }
        if let id = unit(of: process) { return AppIdentity(id: id, lineage: lineage, isSandboxed: false) }
        return AppIdentity(id: program(of: process, executable: evidence.executable), lineage: lineage, isSandboxed: false)
    }

    /// The app of the scope or service that the service manager or a desktop made for it; nil if there is none.
    public static func unit(of process: Int32) -> String? {
        let groups = readSmallFile("/proc/\(process)/cgroup") ?? ""
        // A process in the shell's own scope was started in a session without scopes.
        guard let id = desktopID(groups: groups), id != unnamed, groups != readSmallFile("/proc/self/cgroup") else { return nil }
        return id
    }

    /// The path of the process's program; "" if it cannot be inspected. Reads one link.
    public static func executable(of process: Int32) -> String { process > 0 ? Identity.Evidence.link("/proc/\(process)/exe") ?? "" : "" }

    /// The name of the process's program, whatever started it.
    public static func program(of process: Int32) -> String { program(of: process, executable: executable(of: process)) }

    private static func program(of process: Int32, executable: String?) -> String {
        let arguments = readSmallFile("/proc/\(process)/cmdline") ?? ""
        return program(executable: executable ?? "", arguments: arguments.split(separator: "\0").map(String.init))
    }

    /// Whether a signal stopped it. It does not answer until it continues.
    public static func isStopped(process: Int32) -> Bool { process > 0 && ProcessTree.record(of: process)?.isStopped == true }

    /// The app of `app-LAUNCHER-ID-RANDOM.scope`, `app-LAUNCHER-ID@RANDOM.service` and similar units, which desktops
    /// create for the apps that they start.
    package static func desktopID(groups: String) -> String? {
        for part in groups.split(whereSeparator: { $0 == "/" || $0 == "\n" }).reversed() where part.hasPrefix("app-") {
            var words = part.dropFirst("app-".count).split(separator: "-")
            if part.hasSuffix(".scope") {
                guard words.count >= 2 else { continue }
                words.removeLast()
            } else if part.hasSuffix(".service") {
                guard let last = words.popLast() else { continue }
                words.append(last.dropLast(".service".count).prefix { $0 != "@" })
            } else {
                continue
            }
            guard words.count <= 2, let id = words.last, !id.isEmpty else { continue }
            return unescaped(id)
        }
        return nil
    }

    /// Decodes systemd's `\x2d` escapes for special characters in unit names.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.first {
            let code = rest.prefix(4)
            if byte == 0x5C, code.count == 4, code.dropFirst().first == 0x78,
                let value = UInt8(String(Substring(code.dropFirst(2))), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The id in the name of a scope whose app has none.
    package static let unnamed = "unknown"

    private static let interpreters = ["python", "perl", "ruby", "node", "gjs", "java", "bash", "dash", "sh", "lua", "electron"]

    private static let endings = [".py", ".pl", ".rb", ".js", ".sh", ".lua", ".jar"]

    /// The file's name. For a script, the script's name; otherwise all scripts in one language would be the same app.
    public static func program(executable: String, arguments: [String]) -> String {
        let name = lastPart(executable)
        let plain = name.prefix { !$0.isNumber && $0 != "." }
        guard interpreters.contains(where: { plain == $0 }) else { return name }
        let words = arguments.dropFirst()
        for file in words.lazy.map(lastPart) {
            for ending in endings where file.hasSuffix(ending) && file.utf8.count > ending.utf8.count {
                return String(file.dropLast(ending.count))
            }
        }
        guard !words.contains("-c"), let script = words.first(where: { !$0.hasPrefix("-") }) else { return name }
        return lastPart(script).isEmpty ? name : lastPart(script)
    }

    private static func lastPart(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}
