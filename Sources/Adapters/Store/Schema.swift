import SQLiteLibrary

/// The file does not have the contents that a store writes.
struct Damage: Error {
    var reason: String
}

/// The tables of a version, and the steps that make each version from the one before.
struct Schema: Sendable {
    typealias Step = @Sendable (Database) throws -> Void

    /// Step n makes version n + 1 from version n. A released step never changes.
    var steps: [Step]

    var version: Int { steps.count }

    static let current = Schema(steps: [
        { db in
            try db.execute(
                """
                CREATE TABLE entry (
                  place TEXT NOT NULL, key BLOB NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (place, key)
                ) STRICT
                """)
        }
    ])

    /// The application id in the header of each file: "Mull".
    static let application = 0x4D75_6C6C

    /// Makes this version from an earlier one; 0 is an empty file.
    func upgrade(_ db: Database, from version: Int) throws {
        try db.inTransaction {
            for step in steps.dropFirst(version) { try step(db) }
            try db.execute("PRAGMA application_id = \(Self.application); PRAGMA user_version = \(self.version)")
        }
    }

    /// Throws `Damage` or SQLite's error unless the file is intact: the tables of that version, and every entry as it was
    /// put. SQLite's quick check is not enough: it does not check that every entry can be found by its key.
    func verify(_ db: Database, version: Int) throws {
        try db.run("PRAGMA integrity_check(1)") { row in
            let text = try row.text(0)
            if text != "ok" { throw Damage(reason: text) }
        }
        guard try tables(db) == expectedTables(version) else { throw Damage(reason: "its tables are not those of version \(version)") }
        try db.run("SELECT place, key, sum, bytes FROM entry") { _ = try Self.bytes(of: $0) }
    }

    /// The bytes in a row of place, key, checksum and bytes. Throws `Damage` if they do not match the checksum.
    static func bytes(of row: Database.Row) throws -> [UInt8] {
        let place = try row.text(0), key = try row.bytes(1), sum = try row.integer(2), bytes = try row.bytes(3)
        guard Checksum.of(place: place, key: key, bytes: bytes) == sum else {
            throw Damage(reason: "\(place) \"\(String(decoding: key, as: UTF8.self))\" has a wrong checksum")
        }
        return bytes
    }

    private func tables(_ db: Database) throws -> [String] {
        var tables: [String] = []
        try db.run("SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY 1") { tables.append(try $0.text(0)) }
        return tables
    }

    private func expectedTables(_ version: Int) throws -> [String] {
        let db = try Database(path: ":memory:")
        for step in steps.prefix(version) { try step(db) }
        return try tables(db)
    }
}

/// Returns a reason if the error means that the file is damaged, rather than unreadable or unwritable at the moment.
/// `isOpening`: while a file is being opened, only damage can make a statement fail.
func damage(in error: any Error, isOpening: Bool) -> String? {
    if let damage = error as? Damage { return damage.reason }
    guard let error = error as? Database.Failure else { return nil }
    switch error.primary {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: break
    case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
        if !isOpening { return nil }
    // The file ends in the middle of a page. Older versions of SQLite call that corrupt.
    case SQLITE_IOERR where error.code == SQLITE_IOERR | 2 << 8: break
    default: return nil
    }
    return error.message
}
