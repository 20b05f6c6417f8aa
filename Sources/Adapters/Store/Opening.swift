/// How a session is opened, and how a damaged one is replaced.
extension Keeper {
    /// The store must not use the folder until this changes, or at all.
    private struct Refusal: Error {
        var notice: StoreNotice
        var isFinal = false
    }

    /// Opens the session, or the part of it that can be rescued.
    mutating func open() { open(because: nil) }

    /// Recovers after an open database turned out to be damaged.
    mutating func recover(from reason: String) {
        disconnect()
        open(because: reason)
    }

    /// Tries again after a failure that may have passed.
    mutating func openAgain() throws(StoreError) {
        guard let refusal, !isKeeping else { return }
        if isFinal { throw refusal }
        open(because: nil)
        guard isKeeping else { throw self.refusal ?? refusal }
        notices.append(.keepsAgain(folder: folder.path))
    }

    /// - Parameter damage: the damage of the main file, if it is known.
    private mutating func open(because damage: String?) {
        do {
            try folder.make()
            try takeFolder()
            if let damage { try moveAside(folder.main, damage) }
            // Each attempt moves a file aside, puts the copy or a new file in place of the main one, or is the last.
            for _ in 0..<5 where !isKeeping { try openOnce() }
            guard isKeeping else { throw Refusal(notice: .unusable(reason: "\(folder.main) is damaged again and again")) }
            refusal = nil
        } catch {
            disconnect()
            folder.unlock(&lock)
            let before = refusal
            if let error = error as? Refusal {
                (refusal, isFinal) = (.keepsNothing(error.notice.description), error.isFinal)
                notices.append(error.notice)
            } else {
                let why = StoreError(error, file: folder.main)
                refusal = why
                // Every commit tries again; report the same failure only once.
                if why != before { notices.append(.unusable(reason: why.description, isFull: why.isFull)) }
            }
        }
    }

    private mutating func takeFolder() throws {
        guard !lock.isOpen else { return }
        switch try folder.lock() {
        case .own(let descriptor): lock = descriptor
        case .others(let process): throw Refusal(notice: .inUse(folder: folder.path, process: process), isFinal: true)
        }
    }

    private mutating func openOnce() throws {
        switch try folder.header(of: folder.main) {
        case .missing: try openWithoutMain()
        case .damaged(let reason): try moveAside(folder.main, reason)
        case .version(let version) where version > schema.version: throw newer(folder.main, version)
        case .version(let version):
            do {
                try openMain(version)
            } catch {
                disconnect()
                guard let reason = damage(in: error, isOpening: true) else { throw error }
                try moveAside(folder.main, reason)
            }
        }
    }

    private mutating func openMain(_ version: Int) throws {
        let database = try connect(folder.main, isLive: true)
        self.database = database
        try schema.verify(database, version: version)
        guard version < schema.version else { return }
        // An earlier version: replace the whole file, so that a header always states its file's version.
        try copyWhole(database, to: folder.partial) { try upgrade($0, from: version) }
        disconnect()
        // The old file lacks the changes that are still in its log; the new one has them.
        try folder.replace(folder.main, by: folder.partial)
    }

    private mutating func openWithoutMain() throws {
        // SQLite would apply a log without a file to the next file.
        if folder.hasJournal(folder.main) { try moveAside(folder.main, "only its journal is there") }
        switch try folder.header(of: folder.copy) {
        case .missing: try create()
        case .damaged(let reason): try moveAside(folder.copy, reason)
        case .version(let version) where version > schema.version: throw newer(folder.copy, version)
        case .version(let version):
            if notices.isEmpty { notices.append(.missing(file: folder.main)) }
            defer { folder.remove(folder.partial) }
            try folder.copyBack()
            do {
                let database = try connect(folder.partial, isLive: false)
                defer { database.close() }
                try schema.verify(database, version: version)
            } catch {
                guard let reason = damage(in: error, isOpening: true) else { throw error }
                return try moveAside(folder.copy, reason)
            }
            try folder.replace(folder.main, by: folder.partial)
            notices.append(.restored(from: folder.copy))
        }
    }

    private mutating func create() throws {
        defer { folder.remove(folder.partial) }
        try folder.create(folder.partial)
        let database = try connect(folder.partial, isLive: false)
        defer { database.close() }
        try upgrade(database, from: 0)
        database.close()
        try folder.replace(folder.main, by: folder.partial)
        if !notices.isEmpty { notices.append(.startsEmpty) }
    }

    private func upgrade(_ db: Database, from version: Int) throws {
        try schema.upgrade(db, from: version)
        try schema.verify(db, version: schema.version)
    }

    private func newer(_ file: String, _ version: Int) -> Refusal {
        Refusal(notice: .newer(file: file, version: version, own: schema.version), isFinal: true)
    }

    mutating func moveAside(_ file: String, _ reason: String) throws {
        notices.append(.damaged(file: file, reason: reason, movedTo: try folder.moveAside(file)))
    }
}
