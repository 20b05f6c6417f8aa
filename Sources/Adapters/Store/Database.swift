import SQLiteLibrary

/// A connection to an SQLite database, through SQLite's own functions. One thread at a time uses it.
final class Database {
    /// A failure with the code and the message of SQLite.
    struct Failure: Error {
        /// An extended result code; its lowest byte is the result code.
        var code: Int32
        var message: String

        var primary: Int32 { code & 0xFF }
    }

    enum Value {
        case text(String)
        case bytes([UInt8])
        case integer(Int64)
    }

    /// The current row of a statement. It is valid until the next one.
    struct Row {
        fileprivate let statement: OpaquePointer

        /// Each throws `Damage` if the column has another type.
        func text(_ column: Int32) throws -> String {
            try require(SQLITE_TEXT, column)
            return String(decoding: raw(column, sqlite3_column_text(statement, column).map { UnsafeRawPointer($0) }), as: UTF8.self)
        }

        func bytes(_ column: Int32) throws -> [UInt8] {
            try require(SQLITE_BLOB, column)
            return Array(raw(column, sqlite3_column_blob(statement, column)))
        }

        func integer(_ column: Int32) throws -> Int64 {
            try require(SQLITE_INTEGER, column)
            return sqlite3_column_int64(statement, column)
        }

        /// SQLite keeps the bytes until the next step, and each caller copies them at once.
        private func raw(_ column: Int32, _ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
        }

        private func require(_ type: Int32, _ column: Int32) throws {
            guard sqlite3_column_type(statement, column) != type else { return }
            throw Damage(reason: "column \(String(cString: sqlite3_column_name(statement, column))) has a value of another type")
        }
    }

    private var handle: OpaquePointer?
    /// Prepared once for each text.
    private var statements: [String: OpaquePointer] = [:]

    /// - Parameter path: ":memory:" for a database without a file.
    init(path: String) throws {
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else {
            let failure = failure(code)
            sqlite3_close(handle)
            handle = nil
            throw failure
        }
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit { close() }

    /// Closes the file. Later calls throw.
    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close(handle)
        handle = nil
    }

    /// Runs statements that return nothing of interest, separated by semicolons.
    func execute(_ statements: String) throws {
        let code = sqlite3_exec(try open(), statements, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs one statement, and gives each of its rows to `body`.
    func run(_ text: String, _ arguments: [Value] = [], _ body: (Row) throws -> Void = { _ in }) throws {
        let statement = try prepare(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() { try bind(argument, to: Int32(index + 1), of: statement) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            try body(Row(statement: statement))
        }
    }

    /// Commits the changes of `body`, or undoes all of them.
    func inTransaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite may have undone it already.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Copies every page to another database.
    func backup(to other: Database) throws {
        guard let backup = sqlite3_backup_init(try other.open(), "main", try open(), "main") else {
            throw other.failure(sqlite3_extended_errcode(other.handle))
        }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw other.failure(end == SQLITE_OK ? code : end) }
    }

    private func open() throws -> OpaquePointer {
        guard let handle else { throw Failure(code: SQLITE_MISUSE, message: "the database is closed") }
        return handle
    }

    private func prepare(_ text: String) throws -> OpaquePointer {
        if let statement = statements[text] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(try open(), text, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        statements[text] = statement
        return statement
    }

    private func bind(_ value: Value, to index: Int32, of statement: OpaquePointer) throws {
        // SQLite copies the bytes (SQLITE_TRANSIENT, a macro that Swift does not see).
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code =
            switch value {
            case .text(let text): sqlite3_bind_text(statement, index, text, -1, copies)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            // An empty array has no address, which would be NULL.
            case .bytes(let bytes):
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, bytes, sqlite3_uint64(bytes.count), copies)
            }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> Failure {
        let extended = handle.map(sqlite3_extended_errcode) ?? code
        return Failure(
            code: extended & 0xFF == code & 0xFF ? extended : code,
            message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code)))
    }
}
