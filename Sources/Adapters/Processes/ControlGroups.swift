import Glibc

/// The places of this machine's control groups in the file system.
public enum ControlGroups {
    public enum Kind: Sendable {
        /// The single hierarchy of cgroup2.
        case unified
        /// The freezer of cgroup1.
        case freezer
    }

    struct Mount: Equatable {
        var kind: Kind
        /// The group that the folder shows: "/", unless a container sees only a part.
        var root: String
        var folder: String
    }

    /// Folders in which groups of this kind are mounted.
    public static func folders(_ kind: Kind) -> [String] { mounts.filter { $0.kind == kind }.map(\.folder) }

    /// The folder of a process's group; `nil` is this process. Returns nil if there is no such hierarchy, or if the group is
    /// outside its visible part.
    public static func folder(of process: Int32?, _ kind: Kind) -> String? {
        let name = process.map { "\($0)" } ?? "self"
        guard let groups = readSmallFile("/proc/\(name)/cgroup"), let group = group(kind, inGroups: groups) else { return nil }
        for mount in mounts where mount.kind == kind {
            if let folder = folder(of: group, in: mount) { return folder }
        }
        return nil
    }

    /// Read only once: mounts do not change while a session runs.
    private static let mounts = mounts(inTable: readSmallFile("/proc/self/mountinfo", limit: 1 << 20) ?? "")

    static func mounts(inTable table: String) -> [Mount] {
        table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash > 5, fields.count > dash + 3 else { return nil }
            let (root, folder) = (String(fields[3]), String(fields[4]))
            if fields[dash + 1] == "cgroup2" { return Mount(kind: .unified, root: root, folder: folder) }
            guard fields[dash + 1] == "cgroup", fields[dash + 3].split(separator: ",").contains("freezer") else { return nil }
            return Mount(kind: .freezer, root: root, folder: folder)
        }
    }

    /// Parses `/proc/PID/cgroup`: `0::/a/b` for cgroup2, `6:freezer:/a/b` for cgroup1.
    static func group(_ kind: Kind, inGroups groups: String) -> String? {
        for line in groups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isWanted =
                switch kind {
                case .unified: fields[0] == "0" && fields[1].isEmpty
                case .freezer: fields[1].split(separator: ",").contains("freezer")
                }
            if isWanted { return String(fields[2]) }
        }
        return nil
    }

    static func folder(of group: String, in mount: Mount) -> String? {
        guard !group.hasPrefix("/..") else { return nil }
        var rest = Substring(group)
        if mount.root != "/" {
            guard rest == mount.root || rest.hasPrefix(mount.root + "/") else { return nil }
            rest = rest.dropFirst(mount.root.count)
        }
        return rest.isEmpty || rest == "/" ? mount.folder : mount.folder + rest
    }
}
