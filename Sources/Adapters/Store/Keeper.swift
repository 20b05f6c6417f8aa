import Clocks
import Descriptors
import Glibc
import SQLiteLibrary

/// The files of a session and the only connection to them. Every method may wait for the disk.
struct Keeper: ~Copyable {
    let folder: SessionFolder
    let schema: Schema
    /// The changes that the disk has not taken yet.
    private(set) var backlog = Backlog()
    var backOff = BackOff()
    private(set) var copies: CopyPlan

    /// Notices for a person that were not taken from here yet.
    var notices: [StoreNotice] = []
    var database: Database?
    /// Held while the store uses the folder.
    var lock = Descriptor.none
    /// The reason why there is no database.
    var refusal: StoreError?
    /// Whether the refusal is permanent.
    var isFinal = false
    init(folder: SessionFolder, schema: Schema, copyInterval: Int) {
        self.folder = folder
        self.schema = schema
        copies = CopyPlan(interval: copyInterval)
    }

    var isKeeping: Bool { database != nil }

    // MARK: Changes and entries

    /// Whether the disk lacks something that it may take later.
    var isBehind: Bool { !backlog.isEmpty || (!isKeeping && !isFinal) }

    /// Writes the changes. Changes that fail are held back until the disk takes them, unless the failure is permanent.
    mutating func commit(_ changes: [Change]) throws(StoreError) {
        if let violation = changes.lazy.compactMap(\.violation).first { throw violation }
        let all = backlog.take(with: changes)
        do throws(StoreError) {
            try openAgain()
            try write(all)
        } catch {
            if !isFinal { backlog.hold(all) }
            throw error
        }
    }

    /// Tries to write the changes that were held back.
    mutating func catchUp() {
        do throws(StoreError) { try openAgain() } catch { return }
        guard !backlog.isEmpty else { return }
        do throws(StoreError) {
            try write(backlog.all)
            return backlog.removeAll()
        } catch {}
        for group in backlog.smallestFirst.prefix(Self.mostSteps) {
            do throws(StoreError) { try write(backlog[group]) } catch { return }
            backlog.remove(group)
        }
    }

    /// The most steps of one try, because each of them waits for the disk.
    private static let mostSteps = 64

    private mutating func write(_ changes: [Change]) throws(StoreError) {
        try use { db in
            try db.inTransaction {
                FaultPoint.reach(.begin)
                for change in changes { try Self.make(change, db) }
                FaultPoint.reach(.written)
            }
        }
        FaultPoint.reach(.committed)
        copies.committed(changes)
    }

    mutating func entries(_ place: Place) throws(StoreError) -> [Entry] {
        guard isKeeping else { return [] }
        return try use { db in
            var entries: [Entry] = []
            try db.run("SELECT place, key, sum, bytes FROM entry WHERE place = ? ORDER BY key", [.text(place.rawValue)]) { row in
                let bytes = try Schema.bytes(of: row)
                entries.append(Entry(key: String(decoding: try row.bytes(1), as: UTF8.self), bytes: bytes))
            }
            return entries
        }
    }

    mutating func bytes(_ place: Place, key: String) throws(StoreError) -> [UInt8]? {
        guard isKeeping else { return nil }
        return try use { db in
            var found: [UInt8]?
            try db.run(
                "SELECT place, key, sum, bytes FROM entry WHERE place = ? AND key = ?", [.text(place.rawValue), .bytes(Array(key.utf8))]
            ) {
                found = try Schema.bytes(of: $0)
            }
            return found
        }
    }

    private static func make(_ change: Change, _ db: Database) throws {
        switch change {
        case .put(let place, let key, let bytes):
            let key = Array(key.utf8), sum = Checksum.of(place: place.rawValue, key: key, bytes: bytes)
            try db.run(
                """
                INSERT INTO entry (place, key, sum, bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT (place, key) DO UPDATE SET sum = excluded.sum, bytes = excluded.bytes
                """, [.text(place.rawValue), .bytes(key), .integer(sum), .bytes(bytes)])
        case .remove(let place, let key):
            try db.run("DELETE FROM entry WHERE place = ? AND key = ?", [.text(place.rawValue), .bytes(Array(key.utf8))])
        case .removeAll(let place):
            try db.run("DELETE FROM entry WHERE place = ?", [.text(place.rawValue)])
        }
    }

    /// Runs `body` on the database. If the file turns out to be damaged, restores the last good copy and tries once more.
    private mutating func use<Result: Sendable>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        guard let database else { throw refusal ?? .keepsNothing("it is closed") }
        do {
            return try body(database)
        } catch {
            guard let reason = damage(in: error, isOpening: false) else { throw StoreError(error, file: folder.main) }
            recover(from: reason)
        }
        guard let database = self.database else { throw refusal ?? .keepsNothing("it is closed") }
        do {
            return try body(database)
        } catch {
            throw StoreError(error, file: folder.main)
        }
    }

    // MARK: The copy

    var copyIsDue: Bool { isKeeping && copies.isDue }

    /// Renews the last good copy, unless the database is damaged.
    mutating func makeCopy() {
        guard let database else { return }
        copies.copied(at: Clocks.monotonicSeconds)
        defer { folder.remove(folder.partialCopy) }
        do {
            try copyWhole(database, to: folder.partialCopy) { try schema.verify($0, version: schema.version) }
            FaultPoint.reach(.backup)
            // A rename does not replace a folder.
            if folder.isFolder(folder.copy) { try moveAside(folder.copy, "it is a folder") }
            try folder.replace(folder.copy, by: folder.partialCopy)
            // SQLite takes a damaged frame for the end of its log, and says nothing: the log keeps nothing that the copy has. If the disk
            // does not take it now, the next copy tries again.
            try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            // Find out whether the database or the copy is damaged.
            if let reason = damage(in: error, isOpening: true), !isWhole(database) {
                recover(from: reason)
            } else {
                copies.failed()
                notices.append(.copyFailed(reason: StoreError(error, file: folder.copy).description))
            }
        }
    }

    /// Copies a database to a new file and runs `finish` on it before closing it.
    func copyWhole(_ database: Database, to file: String, finish: (Database) throws -> Void) throws {
        try folder.create(file)
        let copy = try connect(file, isLive: false)
        defer { copy.close() }
        try database.backup(to: copy)
        // The pages were copied as they are, and the first page says that the database has a write-ahead log.
        try copy.execute("PRAGMA journal_mode = DELETE")
        try finish(copy)
    }

    private func isWhole(_ database: Database) -> Bool {
        (try? schema.verify(database, version: schema.version)) != nil
    }

    /// - Parameter makesCopy: false if there is no time for a copy.
    mutating func close(makesCopy: Bool) {
        if isBehind, !isFinal {
            catchUp()
            if !backlog.isEmpty { notices.append(.leftUnsaved(entries: backlog.all.count)) }
            backlog.removeAll()
        }
        if makesCopy, isKeeping, copies.hasNews { makeCopy() }
        disconnect()
        folder.unlock(&lock)
        (refusal, isFinal) = (.keepsNothing("it is closed"), true)
    }

    mutating func disconnect() {
        database?.close()
        database = nil
    }

    /// Opens a database. A file under construction is not read until it is complete, so it needs no journal on the disk.
    func connect(_ file: String, isLive: Bool) throws -> Database {
        let database = try Database(path: file)
        // Only one process uses the folder (`SessionFolder.lock`), so SQLite needs no shared memory.
        try database.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
            PRAGMA journal_mode = \(isLive ? "WAL" : "MEMORY"); PRAGMA synchronous = FULL;
            PRAGMA journal_size_limit = \(4 << 20);
            """)
        return database
    }
}

extension StoreError {
    init(sqlite error: any Error, file: String) {
        guard let error = error as? Database.Failure else {
            self = .other(file: file, reason: "\(error)")
            return
        }
        switch error.primary {
        case SQLITE_FULL: self = .diskFull(file: file)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .readOnly(file: file)
        default: self = .other(file: file, reason: error.message)
        }
    }
}
