import Descriptors
import Glibc

/// Notices what happens in folders, also in ones that are not there yet.
///
/// Watches are set anew with `begin()`, any number of `watch(_:for:)`, `finish()`. What is watched before and after is
/// never unwatched between. Belongs to one thread.
final class FolderWatch {
    /// What counts in a folder.
    enum Interest: Hashable {
        /// Desktop entries and folders.
        case entries
        /// Pictures, folders, and what themes say about themselves.
        case icons
        case name(String)
    }

    /// Readable when something happened; -1 when the machine gives no watches.
    var descriptor: Int32 { notices.number }

    private let notices: Descriptor
    private var watches: [Int32: Set<Interest>] = [:]
    private var next: [Int32: Set<Interest>] = [:]

    init() { notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of apps and icons") }

    func begin() { next = [:] }

    /// Watches a folder; where it is not there, the nearest folder above for the name that leads to it.
    func watch(_ folder: String, for interest: Interest) {
        guard descriptor >= 0 else { return }
        // Again when a folder appears while its parent is about to be watched.
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

    /// Notices when a link on the way to a folder comes to lead elsewhere: so some package managers change everything
    /// at once.
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

    /// Ends the watches that were not asked for since `begin()`.
    func finish() {
        guard descriptor >= 0 else { return }
        for number in watches.keys where next[number] == nil { inotify_rm_watch(descriptor, number) }
        watches = next
    }

    /// Swallows what is there to read; true when it was of interest.
    func drain() -> Bool {
        guard descriptor >= 0 else { return false }
        var concerned = false
        let capacity = 16384
        // The kernel lays its records out back to back, each as long as its name.
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

    /// 0, or the error's number.
    private func add(_ folder: String, _ interest: Interest) -> Int32 {
        // Writing into a folder that is only on the way must not wake anybody.
        var mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        switch interest {
        case .entries, .icons: mask |= IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE
        case .name("settings.ini"): mask |= IN_CLOSE_WRITE | IN_DELETE
        case .name: break
        }
        // Added up: two names may lead to one folder.
        let number = inotify_add_watch(descriptor, folder, UInt32(mask) | UInt32(IN_MASK_ADD))
        if number < 0 { return errno }
        next[number, default: []].insert(interest)
        // In force at once: what happens before `finish()` counts.
        watches[number, default: []].insert(interest)
        return 0
    }

    private func isOfConcern(_ event: inotify_event, name: String) -> Bool {
        func has(_ flag: Int) -> Bool { event.mask & UInt32(flag) != 0 }
        // Too much happened at once: look.
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
        // `readlink` fills memory and says how much of it.
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
