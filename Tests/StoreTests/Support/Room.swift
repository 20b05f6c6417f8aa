import Glibc
import Testing

@testable import Store

/// A folder for a session, which is removed at the end.
final class Room {
    /// Does not exist at first.
    let folder: String
    private let parent: String
    private var mounted: String?

    /// - Parameters:
    ///   - megabytes: the size of a disk of its own; nil: on that of all tests.
    ///   - inMemory: for tests that write much and ask nothing of the disk.
    init(megabytes: Int? = nil, inMemory: Bool = false) throws {
        let place = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/mullion-store-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        parent = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        folder = "\(parent)/state/mullion"
        guard let megabytes else { return }
        let disk = "\(parent)/state"
        mkdir(disk, 0o700)
        try #require(mount("tmpfs", disk, "tmpfs", 0, "size=\(megabytes)m") == 0)
        mounted = disk
    }

    deinit {
        if let mounted { umount2(mounted, Int32(MNT_DETACH)) }
        Self.removeAll(parent)
    }

    /// Whether this process may mount a disk of its own.
    static let canMount: Bool = {
        guard geteuid() == 0, let room = try? Room() else { return false }
        mkdir("\(room.parent)/state", 0o700)
        guard mount("tmpfs", "\(room.parent)/state", "tmpfs", 0, "size=1m") == 0 else { return false }
        umount2("\(room.parent)/state", Int32(MNT_DETACH))
        return true
    }()

    func remount(readOnly: Bool) -> Bool {
        guard let mounted else { return false }
        return mount("tmpfs", mounted, "tmpfs", UInt(MS_REMOUNT | (readOnly ? MS_RDONLY : 0)), nil) == 0
    }

    var main: String { "\(folder)/session.db" }
    var copy: String { "\(folder)/session.good.db" }

    func open(copyInterval: Int = 256, schema: Schema = .current) -> Store {
        Store(folder: folder, copyInterval: copyInterval, schema: schema)
    }

    /// Opens, commits and closes: afterwards session and copy are the same.
    func keep(_ changes: [Change]) throws {
        let store = open()
        #expect(store.notices.isEmpty)
        #expect(reports(store, store.commit(changes)) == nil)
        #expect(store.close(patience: 20))
    }

    /// Two sessions: an older one in the copy and a newer one in the main file.
    func keepTwo(older: [Change], newer: [Change]) throws {
        try keep(older)
        let copy = try #require(Self.bytes(self.copy))
        try keep(newer)
        Self.write(copy, to: self.copy)
    }

    var names: [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var names: [String] = []
        while let item = readdir(open) {
            names.append(withUnsafeBytes(of: item.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    static func bytes(_ path: String) -> [UInt8]? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        fstat(file, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        return read(file, &bytes, bytes.count) == bytes.count ? bytes : nil
    }

    /// Of what a file holds.
    static func hash(_ path: String) -> Int? { bytes(path)?.hashValue }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    private static func removeAll(_ path: String) {
        if let open = opendir(path) {
            while let item = readdir(open) {
                let name = withUnsafeBytes(of: item.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                if name != ".", name != ".." { removeAll("\(path)/\(name)") }
            }
            closedir(open)
        }
        if unlink(path) != 0 { rmdir(path) }
    }
}

/// Waits for what becomes of a commit: nil if it is on the disk.
func reports(_ store: Store, _ ticket: Ticket, notices: inout [StoreNotice]) -> StoreError? {
    for _ in 0..<200 {
        var item = pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, 100)
        var result: StoreError??
        for report in store.drain() {
            switch report {
            case .committed(ticket): result = .some(nil)
            case .failed(ticket, let error): result = error
            case .notice(let notice): notices.append(notice)
            default: break
            }
        }
        if let result { return result }
    }
    return .other(file: "", reason: "there was no report")
}

func reports(_ store: Store, _ ticket: Ticket) -> StoreError? {
    var notices: [StoreNotice] = []
    return reports(store, ticket, notices: &notices)
}

/// What is kept, short enough to be shown by a test that fails.
func summary(_ entries: [Entry]) -> [String] {
    entries.map { "\($0.key): \($0.bytes.count) bytes \($0.bytes.prefix(8)) \($0.bytes.hashValue)" }
}

/// All that is kept.
func everything(_ store: Store) -> [Place: [String]] {
    var all: [Place: [String]] = [:]
    for place in Place.allCases {
        do throws(StoreError) {
            let entries = try store.read(place)
            if !entries.isEmpty { all[place] = summary(entries) }
        } catch {
            Issue.record("\(place): \(error)")
        }
    }
    return all
}

/// A session of some pages, with entries that need several of them.
func session(_ name: String, count: Int = 12) -> [Change] {
    [.put(.arrangement, key: "", Array(name.utf8))]
        + (0..<count).map { index in
            .put(
                index % 3 == 0 ? .picture : .state, key: "\(index)",
                (0..<index * 700).map { UInt8(truncatingIfNeeded: $0 * 31 + index + name.utf8.count) })
        }
}

/// What a session holds.
func content(_ changes: [Change]) -> [Place: [String]] {
    var all: [Place: [Entry]] = [:]
    for case .put(let place, let key, let bytes) in changes { all[place, default: []].append(Entry(key: key, bytes: bytes)) }
    return all.mapValues { summary($0.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) }
}
