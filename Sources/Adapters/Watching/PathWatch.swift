import Descriptors
import Glibc

/// Watches files and folders for changes: those that do not exist yet, and everything on the way to them that may lead elsewhere, such as
/// links and folders that are exchanged (stow, nix, home-manager).
///
/// To change the watches, call `begin()`, any number of `follow(_:as:)`, and `finish()`. Files that are watched before and after are never
/// unwatched in between. If the machine has no watches left, `isComplete` is false, and `retry()` tries again. Confined to one thread.
public final class PathWatch {
    /// The kind of file at the end of a path, which decides the changes that count.
    public enum Target: Hashable, Sendable {
        /// A file: its content, its place and its permissions.
        case file
        /// A folder: that it comes, goes or is exchanged.
        case folder
        /// A folder, the folders in it, and the files in it whose names end so.
        case contents([String])
    }

    fileprivate enum Interest: Hashable {
        /// A file of this name.
        case file(String)
        /// A link, or a file that does not exist yet.
        case name(String)
        /// The folder itself.
        case itself
        case contents([String])
    }

    private struct Watched {
        var folder: String
        var interests: Set<Interest>
    }

    /// Readable when something happened; -1 if no watches are available.
    public var descriptor: Int32 { notices.number }
    /// False: the machine had too few watches, so that changes may go unnoticed.
    public var isComplete: Bool { notices.isOpen && !lacksWatches }

    private var notices: Descriptor
    private let owner: StaticString
    private var watches: [Int32: Watched] = [:]
    private var next: [Int32: Watched] = [:]
    private var lacksWatches = false
    /// Folders that were walked since `begin()`, with the paths to which they lead.
    private var walked: [String: String] = [:]
    private static let mostLinks = 40

    /// - Parameter owner: names the owner of the descriptor in reports.
    public init(owner: StaticString) {
        self.owner = owner
        notices = Self.open(owner)
    }

    private static func open(_ owner: StaticString) -> Descriptor {
        Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: owner)
    }

    /// Tries to get the watches that the machine lacked. Returns true if `descriptor` is a new one. The caller must then set the watches
    /// again.
    public func retry() -> Bool {
        guard !notices.isOpen else { return false }
        notices = Self.open(owner)
        return notices.isOpen
    }

    public func begin() {
        (next, walked) = ([:], [:])
        lacksWatches = false
    }

    /// Removes watches that were not requested since `begin()`.
    public func finish() {
        guard notices.isOpen else { return }
        for number in watches.keys where next[number] == nil { inotify_rm_watch(descriptor, number) }
        watches = next
        walked = [:]
    }

    /// Follows an absolute path as the kernel does, and watches each step.
    public func follow(_ path: String, as target: Target) {
        guard notices.isOpen else { return }
        // Again when something changes between a look and its watch.
        for _ in 0..<4 where walk(path, target) { return }
    }

    /// Returns false if something changed on the way.
    private func walk(_ path: String, _ target: Target) -> Bool {
        var rest = path.split(separator: "/").map(String.init)[...]
        /// Without links; empty for the root.
        var folder = ""
        if let slash = path.lastIndex(of: "/"), let known = walked[String(path[..<slash])] {
            (folder, rest) = (known, rest.suffix(1))
        }
        var linksLeft = Self.mostLinks
        while let name = rest.popFirst() {
            if name == "." { continue }
            if name == ".." {
                folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
                continue
            }
            let parent = folder.isEmpty ? "/" : folder, step = "\(folder)/\(name)"
            let isEnd = target == .file && rest.allSatisfy { $0 == "." }
            var status = stat()
            let problem = lstat(step, &status) == 0 ? 0 : errno
            switch (problem, status.st_mode & S_IFMT) {
            case (0, S_IFLNK):
                guard add(parent, isEnd ? .file(name) : .name(name)) else { return false }
                guard linksLeft > 0, let link = Self.target(ofLink: step) else { return linksLeft == 0 }
                linksLeft -= 1
                if link.hasPrefix("/") { folder = "" }
                rest = (link.split(separator: "/").map(String.init) + rest)[...]
            case (0, S_IFDIR):
                // In place of a file.
                if isEnd { return add(parent, .file(name)) }
                if case .contents = target, rest.isEmpty {
                    guard add(step, target.interest) else { return false }
                } else {
                    guard add(step, .itself) else { return false }
                }
                folder = step
            case (0, _): return add(parent, isEnd ? .file(name) : .name(name))
            default:
                // It does not exist, or the shell may not see it. A change of either is a change in its parent.
                guard add(parent, isEnd ? .file(name) : .name(name)) else { return false }
                var now = stat()
                return (lstat(step, &now) == 0 ? 0 : errno) == problem
            }
        }
        if target != .file { walked[path] = folder }
        return true
    }

    /// Consumes notifications. Returns true if one of them is relevant.
    public func drain() -> Bool {
        guard notices.isOpen else { return false }
        var concerned = false
        let capacity = 16384
        // The kernel returns records back to back, each with its own length.
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let length = read(descriptor, buffer.baseAddress, capacity)
                guard length > 0 else { return }
                var offset = 0
                while offset < length {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let nameStart = offset + MemoryLayout<inotify_event>.size
                    offset = nameStart + Int(event.len)
                    if concerned { continue }
                    let name = buffer[nameStart..<offset].prefix { $0 != 0 }
                    concerned = isOfConcern(event, name: String(decoding: name, as: UTF8.self))
                }
            }
        }
        return concerned
    }

    /// Returns false if the folder is gone.
    private func add(_ folder: String, _ interest: Interest) -> Bool {
        // Changes of other files in a folder on the way must not wake the loop.
        var mask = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        switch interest {
        case .itself: break
        case .name: mask |= IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
        case .file, .contents: mask |= IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB
        }
        // Merge the masks, because two paths may lead through the same folder.
        let number = inotify_add_watch(descriptor, folder, UInt32(mask) | UInt32(IN_MASK_ADD))
        if number < 0 {
            let problem = errno
            switch problem {
            case ENOENT, ENOTDIR: return false
            case ENOSPC, ENOMEM, EMFILE, ENFILE: lacksWatches = true
            case EACCES where folder != "/":
                // A folder that may not be read: its parent says when that changes.
                let slash = folder.lastIndex(of: "/") ?? folder.startIndex
                let parent = slash == folder.startIndex ? "/" : String(folder[..<slash])
                return add(parent, .file(String(folder[folder.index(after: slash)...])))
            default: break
            }
            return true
        }
        next[number, default: Watched(folder: folder, interests: [])].interests.insert(interest)
        // Effective at once, so changes before `finish()` count.
        watches[number, default: Watched(folder: folder, interests: [])].interests.insert(interest)
        return true
    }

    private func isOfConcern(_ event: inotify_event, name: String) -> Bool {
        func has(_ flag: Int) -> Bool { event.mask & UInt32(flag) != 0 }
        // The queue overflowed, so anything may have changed.
        if has(Int(IN_Q_OVERFLOW)) { return true }
        guard let watched = watches[event.wd] else { return false }
        let isFolder = has(Int(IN_ISDIR))
        if has(Int(IN_DELETE_SELF)) || has(Int(IN_MOVE_SELF)) || has(Int(IN_UNMOUNT)) { return true }
        // Permissions of the folder itself.
        if name.isEmpty { return has(Int(IN_ATTRIB)) && watched.interests.contains { if case .file = $0 { true } else { false } } }
        if watched.interests.contains(.name(name)), !has(Int(IN_CLOSE_WRITE)), !has(Int(IN_ATTRIB)) || isFolder { return true }
        if watched.interests.contains(.file(name)) { return isFolder || !has(Int(IN_CREATE)) || isWhole("\(watched.folder)/\(name)") }
        if name.hasPrefix(".") { return false }
        return watched.interests.contains { interest in
            guard case .contents(let ends) = interest else { return false }
            return isFolder || ends.contains { name.hasSuffix($0) } && (!has(Int(IN_CREATE)) || isWhole("\(watched.folder)/\(name)"))
        }
    }

    /// A new file is still empty, and will be closed later. Links are complete at once.
    private func isWhole(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1
    }

    private static func target(ofLink path: String) -> String? {
        let capacity = Int(PATH_MAX)
        // `readlink` fills memory and returns the length.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let length = readlink(path, start, capacity)
            if length < 0 { return nil }
            return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}

extension PathWatch.Target {
    fileprivate var interest: PathWatch.Interest { if case .contents(let ends) = self { .contents(ends) } else { .itself } }
}
