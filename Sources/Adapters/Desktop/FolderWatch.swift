import Descriptors
import Glibc

/// Watches folders for changes, including folders that do not exist yet.
///
/// To change the watches, call `begin()`, any number of `watch(_:for:)`, and `finish()`. A folder that is watched
/// before and after is never unwatched in between. Confined to one thread.
final class FolderWatch {
    /// Which changes in a folder count.
    enum Interest: Hashable {
        /// Desktop entries and folders.
        case entries
        /// Pictures, folders, and theme descriptions.
        case icons
        case name(String)
    }

    /// Readable when something happened; -1 if no watches are available.
    var descriptor: Int32 { notices.number }

    private let notices: Descriptor
    private var watches: [Int32: Set<Interest>] = [:]
    private var next: [Int32: Set<Interest>] = [:]

    init() { notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of apps and icons") }

    func begin() { next = [:] }

    /// Watches a folder. If it does not exist, watches the nearest existing parent for the name that leads to it.
    func watch(_ folder: String, for interest: Interest) {
        guard descriptor >= 0 else { return }
        // Retry when the folder appears while its parent is about to be watched.
        for _ in 0..<4 {
            var problem = add(folder, interest)
            if problem == 0 { return }
            var missing = folder
            while problem == ENOENT || problem == ENOTDIR, let (parent, name) = Self.split(missing) {
                problem = add(parent, .name(name))
                if problem == 0 { break }
                missing = parent
            }
            if access(missing, F_OK) != 0 { return }
        }
    }

    /// Watches the symbolic links on the path of a folder. Some package managers switch everything by changing a
    /// link.
    func watchLinks(to folder: String) {
        guard descriptor >= 0 else { return }
        var rest = folder.split(separator: "/").map(String.init)[...]
        var path = ""
        var linksLeft = 16
        while let name = rest.popFirst() {
            if name == "." { continue }
            if name == ".." {
                path = Self.split(path).map { $0.folder == "/" ? "" : $0.folder } ?? ""
            } else if linksLeft > 0, let target = Self.target(ofLink: "\(path)/\(name)") {
                linksLeft -= 1
                _ = add(path.isEmpty ? "/" : path, .name(name))
                if target.hasPrefix("/") { path = "" }
                rest = target.split(separator: "/").map(String.init) + rest
            } else {
                path += "/" + name
            }
        }
    }

    /// Removes watches that were not requested since `begin()`.
    func finish() {
        guard descriptor >= 0 else { return }
        for number in watches.keys where next[number] == nil { inotify_rm_watch(descriptor, number) }
        watches = next
    }

    /// Consumes notifications. Returns true if one of them is relevant.
    func drain() -> Bool {
        guard descriptor >= 0 else { return false }
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

    /// Returns 0 or an errno.
    private func add(_ folder: String, _ interest: Interest) -> Int32 {
        // Writing to files in a parent folder must not wake the loop.
        var mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        switch interest {
        case .entries, .icons: mask |= IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE
        case .name("settings.ini"): mask |= IN_CLOSE_WRITE | IN_DELETE
        case .name: break
        }
        // Merge the masks, because two names may lead to the same folder.
        let number = inotify_add_watch(descriptor, folder, UInt32(mask) | UInt32(IN_MASK_ADD))
        if number < 0 { return errno }
        next[number, default: []].insert(interest)
        // Effective at once, so changes before `finish()` count.
        watches[number, default: []].insert(interest)
        return 0
    }

    private func isOfConcern(_ event: inotify_event, name: String) -> Bool {
        func has(_ flag: Int) -> Bool { event.mask & UInt32(flag) != 0 }
        // The queue overflowed, so anything may have changed.
        if has(Int(IN_Q_OVERFLOW)) { return true }
        guard let interests = watches[event.wd] else { return false }
        if has(Int(IN_DELETE_SELF)) || has(Int(IN_MOVE_SELF)) || has(Int(IN_UNMOUNT)) { return true }
        if interests.contains(.name(name)) { return true }
        if name.isEmpty || name.hasPrefix(".") { return false }
        let isFolder = has(Int(IN_ISDIR))
        if interests.contains(.entries), isFolder || name.hasSuffix(".desktop") { return true }
        return interests.contains(.icons) && (isFolder || name.hasSuffix(".png") || name.hasSuffix(".svg")
            || name == "index.theme" || name == "icon-theme.cache")
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

    private static func split(_ path: String) -> (folder: String, name: String)? {
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return nil }
        return ("/" + parts.dropLast().joined(separator: "/"), String(last))
    }
}
