import Descriptors
import Foundation
import GRDB

/// The files of a session and the one connection to them. Everything in here may wait for the disk.
struct Keeper: ~Copyable {
    let folder: SessionFolder
    let schema: Schema
    /// So many commits after a copy the next one is made.
    let copyInterval: Int

    /// What a person should know, until somebody takes it.
    var notices: [StoreNotice] = []
    var database: DatabaseQueue?
    /// Held as long as the folder is used.
    var lock = Descriptor.none
    /// Why there is no database.
    var refusal: StoreError?
    /// Whether this stays so.
    var isFinal = false
    /// Commits since the last copy; nil: none was made since the start.
    private var commitsSinceCopy: Int?

    init(folder: SessionFolder, schema: Schema, copyInterval: Int) {
        self.folder = folder
        self.schema = schema
        self.copyInterval = copyInterval
    }

    var isKeeping: Bool { database != nil }

    // MARK: Changes and entries

    mutating func commit(_ changes: [Change]) throws(StoreError) {
        if let violation = changes.lazy.compactMap(\.violation).first { throw violation }
        try openAgain()
        try use { db in
            try db.inTransaction(.immediate) {
                FaultPoint.reach(.begin)
                for change in changes { try Self.make(change, db) }
                FaultPoint.reach(.written)
                return .commit
            }
        }
        FaultPoint.reach(.committed)
        commitsSinceCopy? += 1
    }

    mutating func entries(_ place: Place) throws(StoreError) -> [Entry] {
        guard isKeeping else { return [] }
        return try use { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: "SELECT place, key, sum, bytes FROM entry WHERE place = ? ORDER BY key"),
                arguments: [place.rawValue])
            var entries: [Entry] = []
            while let row = try rows.next() {
                let bytes = try Schema.bytes(of: row)
                entries.append(Entry(key: String(decoding: try row.decode(Data.self, atIndex: 1), as: UTF8.self), bytes: Array(bytes)))
            }
            return entries
        }
    }

    mutating func bytes(_ place: Place, key: String) throws(StoreError) -> [UInt8]? {
        guard isKeeping else { return nil }
        return try use { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT place, key, sum, bytes FROM entry WHERE place = ? AND key = ?"),
                arguments: [place.rawValue, Data(key.utf8)]
            ).map { try Array(Schema.bytes(of: $0)) }
        }
    }

    private static func make(_ change: Change, _ db: Database) throws {
        switch change {
        case .put(let place, let key, let bytes):
            let key = Data(key.utf8), bytes = Data(bytes)
            try db.cachedStatement(sql: """
                INSERT INTO entry (place, key, sum, bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT (place, key) DO UPDATE SET sum = excluded.sum, bytes = excluded.bytes
                """).execute(arguments: [place.rawValue, key, Checksum.of(place: place.rawValue, key: key, bytes: bytes), bytes])
        case .remove(let place, let key):
            try db.cachedStatement(sql: "DELETE FROM entry WHERE place = ? AND key = ?")
                .execute(arguments: [place.rawValue, Data(key.utf8)])
        case .removeAll(let place):
            try db.cachedStatement(sql: "DELETE FROM entry WHERE place = ?").execute(arguments: [place.rawValue])
        }
    }

    /// What turns out to be damaged is replaced by the last good copy, and then it is tried once more.
    private mutating func use<Result: Sendable>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        guard let database else { throw refusal ?? .keepsNothing("it is closed") }
        do {
            return try database.writeWithoutTransaction(body)
        } catch {
            guard let reason = damage(in: error, isOpening: false) else { throw StoreError(error, file: folder.main) }
            recover(from: reason)
        }
        guard let database = self.database else { throw refusal ?? .keepsNothing("it is closed") }
        do {
            return try database.writeWithoutTransaction(body)
        } catch {
            throw StoreError(error, file: folder.main)
        }
    }

    // MARK: The copy

    /// After a start the first commit makes a copy, later one of `copyInterval`.
    var copyIsDue: Bool { isKeeping && (commitsSinceCopy ?? .max) >= copyInterval }

    /// Renews the last good copy, unless what it would be a copy of is damaged.
    mutating func makeCopy() {
        guard let database else { return }
        commitsSinceCopy = 0
        defer { folder.remove(folder.partialCopy) }
        do {
            try copyWhole(database, to: folder.partialCopy) { try schema.verify($0, version: schema.version) }
            FaultPoint.reach(.backup)
            try folder.replace(folder.copy, by: folder.partialCopy)
        } catch {
            // Which of the two is it?
            if let reason = damage(in: error, isOpening: true), !isWhole(database) {
                recover(from: reason)
            } else {
                notices.append(.copyFailed(reason: StoreError(error, file: folder.copy).description))
            }
        }
    }

    /// Copies a database to a new file, and finishes that as told before it is closed.
    func copyWhole(_ database: DatabaseQueue, to file: String, finish: (Database) throws -> Void) throws {
        try folder.create(file)
        let copy = try connect(file, isLive: false)
        defer { try? copy.close() }
        try copy.writeWithoutTransaction { to in
            try database.writeWithoutTransaction { try $0.backup(to: to) }
            // Pages are copied as they are: the first one says that there is a write-ahead log.
            try to.execute(sql: "PRAGMA journal_mode = DELETE")
            try finish(to)
        }
        try copy.close()
    }

    private func isWhole(_ database: DatabaseQueue) -> Bool {
        (try? database.writeWithoutTransaction { try schema.verify($0, version: schema.version) }) != nil
    }

    /// - Parameter makesCopy: false: there is no time.
    mutating func close(makesCopy: Bool) {
        if makesCopy, isKeeping, commitsSinceCopy != 0 { makeCopy() }
        disconnect()
        folder.unlock(&lock)
        (refusal, isFinal) = (.keepsNothing("it is closed"), true)
    }

    mutating func disconnect() {
        try? database?.close()
        database = nil
    }

    /// Also used for files in the making, which nobody reads until they are complete: those need no journal on the disk.
    func connect(_ file: String, isLive: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.prepareDatabase { db in
            // One process has the folder (`SessionFolder.lock`), so SQLite needs no memory shared with others.
            try db.execute(sql: """
                PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
                PRAGMA journal_mode = \(isLive ? "WAL" : "MEMORY"); PRAGMA synchronous = FULL;
                PRAGMA journal_size_limit = \(4 << 20);
                """)
        }
        return try DatabaseQueue(path: file, configuration: configuration)
    }
}

extension StoreError {
    init(sqlite error: any Error, file: String) {
        guard let error = error as? DatabaseError else {
            self = .other(file: file, reason: "\(error)")
            return
        }
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull(file: file)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly(file: file)
        default: self = .other(file: file, reason: error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)")
        }
    }
}
