import Descriptors
import Glibc
import Processes

/// The folder that holds all groups of this session: `mullion-SESSION`.
final class SessionGroups {
    let kind: ControlGroups.Kind
    let folder: String
    /// Held while the shell lives.
    private var lock: Descriptor

    /// Makes the folder, and thaws groups that a shell of the same name left frozen if its guard died as well. nil: the folder
    /// cannot be made.
    init?(session: String, kind: ControlGroups.Kind, below parent: String) {
        let wanted = "\(parent)/\(ScopeName.folder(session: session))"
        // The second name is for a shell that runs beside another of the same name, in another runtime directory.
        for folder in [wanted, "\(wanted)-\(getpid())"] {
            _ = Group(kind: kind, folder: folder).make()
            let file = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), owner: "groups of this session")
            guard file.isOpen, flock(file.number, LOCK_EX | LOCK_NB) == 0 else { continue }
            lock = file
            self.folder = folder
            self.kind = kind
            // If this group has a memory controller, let its members have one.
            if kind == .unified { _ = writeSmallFile("\(folder)/cgroup.subtree_control", "+memory") }
            free()
            Self.sweep(beside: wanted, kind: kind)
            return
        }
        return nil
    }

    /// The folder of a shell that was killed.
    private init(kind: ControlGroups.Kind, abandoned folder: String) {
        self.kind = kind
        self.folder = folder
        lock = Descriptor(-1, owner: "groups of this session")
    }

    /// Thaws and removes the folders of killed shells that ran beside another one of this name. Such a folder's name ends in the process.
    private static func sweep(beside wanted: String, kind: ControlGroups.Kind) {
        guard let slash = wanted.lastIndex(of: "/") else { return }
        let parent = String(wanted[..<slash]), prefix = "\(wanted[wanted.index(after: slash)...])-"
        for name in names(in: parent, beginWith: prefix) {
            guard let process = Int32(name.dropFirst(prefix.count)), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
            let groups = SessionGroups(kind: kind, abandoned: "\(parent)/\(name)")
            groups.free()
            _ = Group(kind: kind, folder: groups.folder).remove()
        }
    }

    /// Thaws and removes what another shell left.
    private func free() {
        for group in left {
            _ = group.set(frozen: false)
            _ = group.remove()
        }
    }

    func group(app: String) -> Group { Group(kind: kind, folder: "\(folder)/\(ScopeName.unit(app: app))") }

    /// Removes the folder and its groups. Processes that were told to end have 40 ms to do so; those that run on move to the shell's
    /// own group.
    func remove() {
        var left = left
        for turn in 0..<20 where !left.isEmpty {
            if turn > 0 { usleep(2000) }
            left.removeAll { $0.remove() }
        }
        if let own = ControlGroups.folder(of: nil, kind).map({ Group(kind: kind, folder: $0) }) {
            for group in left {
                _ = group.set(frozen: false)
                for process in group.processes { _ = own.move(process) }
                _ = group.remove()
            }
        }
        _ = Group(kind: kind, folder: folder).remove()
        lock.close()
    }

    private var left: [Group] {
        Self.names(in: folder, beginWith: ScopeName.prefix).map { Group(kind: kind, folder: "\(folder)/\($0)") }
    }

    private static func names(in folder: String, beginWith prefix: String) -> [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var found: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasPrefix(prefix) { found.append(name) }
        }
        return found
    }
}
