import Foundation
import GRDB

/// How a session is opened, and what is used instead of a damaged one.
extension Keeper {
    /// Nobody may use the folder until this changes, or ever.
    private struct Refusal: Error {
        var notice: StoreNotice
        var isFinal = false
    }

    /// Opens what is there, or what can be saved of it.
    mutating func open() { open(because: nil) }

    /// An open database turned out to be damaged.
    mutating func recover(from reason: String) {
        disconnect()
        open(because: reason)
    }

    /// Tries again after a failure that may be over.
    mutating func openAgain() throws(StoreError) {
        guard let refusal, !isKeeping else { return }
        if isFinal { throw refusal }
        open(because: nil)
        guard isKeeping else { throw self.refusal ?? refusal }
        notices.append(.keepsAgain(folder: folder.path))
    }

    /// - Parameter damage: of the main file, if that is known.
    private mutating func open(because damage: String?) {
        do {
            try folder.make()
            try takeFolder()
            if let damage { try moveAside(folder.main, damage) }
            // Each turn moves a file aside, puts the copy or a new file into the place of the main one, or is the last.
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
                // Each commit tries again; the same failure is said once.
                if why != before { notices.append(.unusable(reason: why.description)) }
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
        try database.writeWithoutTransaction { try schema.verify($0, version: version) }
        guard version < schema.version else { return }
        // An earlier version: the new one takes its place as a whole, so that a header always tells its file's version.
        try copyWhole(database, to: folder.partial) { try upgrade($0, from: version) }
        try database.close()
        self.database = nil
        // What is still in the log is not in the file; it is in the new one.
        try folder.replace(folder.main, by: folder.partial)
    }

    private mutating func openWithoutMain() throws {
        // A log without its file would be played into the next one.
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
                defer { try? database.close() }
                try database.writeWithoutTransaction { try schema.verify($0, version: version) }
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
        defer { try? database.close() }
        try database.writeWithoutTransaction { try upgrade($0, from: 0) }
        try database.close()
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

    private mutating func moveAside(_ file: String, _ reason: String) throws {
        notices.append(.damaged(file: file, reason: reason, movedTo: try folder.moveAside(file)))
    }
}
