import Descriptors
import Glibc
import LinuxLibrary
import Processes

/// Programs in bubblewrap, and without.
public enum Sandbox {
    /// bubblewrap; nil if it is not installed.
    public static var program: String? { Executable.find("bwrap", path: "/usr/bin:/bin:/usr/local/bin") }

    /// A machine of its own with the system's libraries to read, and nothing else: no home, no network, no bus, no
    /// other process, no device.
    package static func options(for program: String) -> [String] {
        var words =
            [
                "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
                "--setenv", "LANG", "C.UTF-8", "--setenv", "HOME", "/tmp",
            ] + system + ["--tmpfs", "/tmp", "--proc", "/proc"] // Swift reads its arguments there.
        let own = loaded(by: program).filter { !$0.hasPrefix("/usr/") && !$0.hasPrefix("/lib") }
        for file in own.sorted() { words += ["--ro-bind", file, file] }
        // The program looks for them where a link stands that is not here.
        let folders = Set(own.filter { $0 != program }.map { $0[..<($0.lastIndex(of: "/") ?? $0.startIndex)] })
        if !folders.isEmpty { words += ["--setenv", "LD_LIBRARY_PATH", folders.sorted().joined(separator: ":")] }
        return words + ["--remount-ro", "/", "--chdir", "/"]
    }

    /// The folders and files of the system that programs need.
    public static var system: [String] {
        ["--ro-bind", "/usr", "/usr"]
            + ["/lib", "/lib64", "/bin", "/etc/fonts", "/etc/ld.so.cache", "/etc/alternatives", "/etc/mime.types", "/var/cache/fontconfig"]
            .flatMap { ["--ro-bind-try", $0, $0] }
    }

    /// This process's program and libraries: those of a development tree may be anywhere.
    private static func loaded(by program: String) -> Set<String> {
        var files: Set<String> = [program]
        guard let maps = fopen("/proc/self/maps", "re") else { return files }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let slash = text.firstIndex(of: "/") else { continue }
            let path = String(text[slash...].dropLast())
            if path.contains(".so"), !path.hasSuffix(" (deleted)"), access(path, R_OK) == 0 { files.insert(path) }
        }
        return files
    }

    /// Starts a program with these descriptors alone: theirs by number, from ours. Its output is dropped.
    public static func spawn(_ words: [String], _ environment: [String], _ given: [(ours: Int32, theirs: Int32)]) -> pid_t? {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for number: Int32 in 0...2 where !given.contains(where: { $0.theirs == number }) {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        for pair in given { posix_spawn_file_actions_adddup2(&actions, pair.ours, pair.theirs) }
        posix_spawn_file_actions_addclosefrom_np(&actions, max(2, given.map(\.theirs).max() ?? 2) + 1)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSID))
        var process: pid_t = 0
        var arguments = words.map { strdup($0) } + [nil], variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        guard posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables) == 0 else { return nil }
        return process
    }
}
