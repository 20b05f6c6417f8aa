import Glibc
import Testing

@testable import Store

/// Damaged files: what is shown is a session that was kept once, whole, or none; and a person is told.
@Suite struct DamageTests {
    private let older = session("older"), newer = session("the newer one", count: 14)

    @Test func aTruncatedSessionIsReplacedByItsCopy() throws {
        let room = try Room(inMemory: true)
        try room.keepTwo(older: older, newer: newer)
        let whole = try #require(Room.bytes(room.main)), copy = try #require(Room.bytes(room.copy))
        var sizes = [0, 1, 15, 16, 17, 59, 99, 100, 101, 511, 512, 1024, 4095, 4096, 4097, whole.count - 1, whole.count - 100]
        sizes += stride(from: 8192, to: whole.count, by: 4096)
        for size in sizes {
            let cut = Array(whole.prefix(size))
            Room.write(cut, to: room.main)
            Room.write(copy, to: room.copy)
            let store = room.open()
            #expect(store.isKeeping)
            #expect(everything(store) == content(older), "\(size) bytes of \(whole.count)")
            let place = "\(room.main).damaged-1"
            guard case .damaged(room.main, _, place)? = store.notices.first else {
                Issue.record("\(size) bytes: \(store.notices)")
                continue
            }
            #expect(store.notices.dropFirst() == [.restored(from: room.copy)])
            #expect(Room.hash(place) == cut.hashValue, "\(size) bytes")
            #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == nil)
            #expect(store.close(patience: 20))
            for name in room.names where name.contains("damaged") { unlink("\(room.folder)/\(name)") }
        }
    }

    @Test func overwrittenBytesAreNeverTakenForASession() throws {
        let room = try Room(inMemory: true)
        try room.keepTwo(older: older, newer: newer)
        let whole = try #require(Room.bytes(room.main)), copy = try #require(Room.bytes(room.copy))
        let seed = UInt64.random(in: 0 ... .max)
        var random = Random(state: seed), restored = 0
        for turn in 0..<(isSlow ? 3000 : 300) {
            var bytes = whole
            let count = Int(random.next() % 64) + 1
            // Every fourth time the header and the first tables.
            let start = Int(random.next() % UInt64(turn % 4 == 0 ? 4096 : whole.count - count))
            for offset in start..<min(start + count, whole.count) { bytes[offset] = UInt8(truncatingIfNeeded: random.next()) }
            Room.write(bytes, to: room.main)
            Room.write(copy, to: room.copy)
            let store = room.open(), words = Comment(rawValue: "seed \(seed), turn \(turn): \(count) bytes at \(start): \(store.notices)")
            let found = everything(store)
            if case .newer? = store.notices.first {
                // The bytes of the version itself.
                #expect(!store.isKeeping && Room.hash(room.main) == bytes.hashValue && start <= 63 && start + count > 60, words)
            } else if store.notices.isEmpty {
                #expect(found == content(newer), words)
            } else {
                restored += 1
                #expect(store.isKeeping && found == content(older), words)
                #expect(Room.hash("\(room.main).damaged-1") == bytes.hashValue, words)
            }
            store.close(patience: 20)
            for name in room.names where name.contains("damaged") { unlink("\(room.folder)/\(name)") }
        }
        #expect(restored > 100)
    }

    @Test func aDamagedLogLeavesAWholeEarlierSession() throws {
        let room = try Room(inMemory: true)
        var files: [[UInt8]] = []
        do {
            let store = room.open(copyInterval: 1000)
            // A copy, which empties the log, is made at the fourth commit, and the next one would be at the eighth.
            for number in 1...7 {
                #expect(reports(store, store.commit(session("\(number)\(String(repeating: "x", count: number))"))) == nil)
            }
            // As a crash leaves them.
            for name in ["session.db", "session.db-wal", "session.good.db"] {
                files.append(try #require(Room.bytes("\(room.folder)/\(name)")))
            }
        }
        let states = [[:]] + (1...7).map { content(session("\($0)\(String(repeating: "x", count: $0))")) }
        let seed = UInt64.random(in: 0 ... .max)
        var random = Random(state: seed)
        for turn in 0..<(isSlow ? 500 : 60) {
            var log = files[1]
            if turn % 2 == 0 {
                log.removeLast(Int(random.next() % UInt64(log.count)))
            } else {
                let start = Int(random.next() % UInt64(log.count))
                for offset in start..<min(start + 16, log.count) { log[offset] = UInt8(truncatingIfNeeded: random.next()) }
            }
            for (name, bytes) in zip(["session.db", "session.db-wal", "session.good.db"], [files[0], log, files[2]]) {
                Room.write(bytes, to: "\(room.folder)/\(name)")
            }
            let store = room.open(), found = everything(store)
            #expect(store.isKeeping && states.contains(found), "seed \(seed), turn \(turn): \(store.notices)")
            store.close(patience: 20)
            for name in room.names where name.contains("damaged") { unlink("\(room.folder)/\(name)") }
        }
    }

    /// SQLite takes a damaged frame for the end of its log.
    @Test func aDamagedLogLeavesWhatTheCopyHas() throws {
        let room = try Room(inMemory: true)
        var files: [(String, [UInt8])] = []
        do {
            let store = room.open(copyInterval: 2)
            for number in 1...3 { #expect(reports(store, store.commit(session("\(number)"))) == nil) }
            for name in ["session.db", "session.db-wal", "session.good.db"] {
                files.append((name, try #require(Room.bytes("\(room.folder)/\(name)"))))
            }
        }
        #expect(!files[1].1.isEmpty)
        files[1].1 = [UInt8](repeating: 0xa5, count: files[1].1.count)
        for (name, bytes) in files { Room.write(bytes, to: "\(room.folder)/\(name)") }
        #expect(everything(room.open()) == content(session("2")))
    }

    @Test func withoutAWholeCopyTheSessionStartsEmpty() throws {
        let room = try Room(inMemory: true)
        try room.keep(older)
        for file in [room.main, room.copy] { truncate(file, 5000) }
        let store = room.open()
        #expect(store.isKeeping && everything(store).isEmpty)
        guard store.notices.count == 3, case .damaged(room.main, _, "\(room.main).damaged-1") = store.notices[0],
            case .damaged(room.copy, _, "\(room.copy).damaged-1") = store.notices[1], store.notices[2] == .startsEmpty
        else {
            Issue.record("\(store.notices)")
            return
        }
        #expect(reports(store, store.commit(newer)) == nil)
        #expect(store.close(patience: 20))
        // The next damage gets the next name.
        truncate(room.main, 5000)
        let next = room.open()
        #expect(everything(next) == content(newer))
        #expect(room.names.contains("session.db.damaged-2"))
    }

    @Test func aSessionThatIsGoneIsReplacedByItsCopy() throws {
        let room = try Room(inMemory: true)
        try room.keep(older)
        unlink(room.main)
        // A log without its file is not played into the next one.
        Room.write([1, 2, 3], to: "\(room.main)-wal")
        let store = room.open()
        #expect(everything(store) == content(older))
        #expect(store.notices.last == .restored(from: room.copy))
        #expect(Room.bytes("\(room.main).damaged-1-wal") == [1, 2, 3])
    }

    @Test(arguments: ["a symbolic link", "a folder", "a socket"]) func whatIsNoFileIsMovedAside(what: String) throws {
        let room = try Room(inMemory: true)
        try room.keep(older)
        for (file, isMain) in [(room.main, true), (room.copy, false)] {
            unlink(file)
            switch what {
            case "a symbolic link": #expect(symlink("nowhere", file) == 0)
            case "a folder": #expect(mkdir(file, 0o700) == 0)
            default: #expect(mknod(file, S_IFSOCK | 0o600, 0) == 0)
            }
            let store = room.open()
            #expect(everything(store) == content(older + (isMain ? [] : [.put(.app, key: "a", [1])])))
            if isMain {
                #expect(
                    store.notices == [
                        .damaged(file: file, reason: "it is \(what)", movedTo: "\(file).damaged-1"), .restored(from: room.copy),
                    ])
            }
            #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == nil)
            #expect(store.close(patience: 20))
            // Both are files again.
            for name in [room.main, room.copy] { #expect(Room.bytes(name)?.isEmpty == false) }
            #expect(everything(room.open()) == content(older + [.put(.app, key: "a", [1])]))
        }
    }

    @Test func aDamagedCopyDoesNotMatterWhileTheSessionIsWhole() throws {
        let room = try Room(inMemory: true)
        try room.keep(older)
        truncate(room.copy, 5000)
        try room.keep([.put(.app, key: "a", [1])])
        unlink(room.main)
        // It was made anew.
        #expect(everything(room.open()) == content(older + [.put(.app, key: "a", [1])]))
    }

    @Test func anotherProgramsFileIsMovedAside() throws {
        let room = try Room(inMemory: true)
        try room.keep(older)
        var bytes = try #require(Room.bytes(room.main))
        bytes[68] ^= 1
        Room.write(bytes, to: room.main)
        let store = room.open()
        #expect(store.notices.first == .damaged(file: room.main, reason: "it is no session", movedTo: "\(room.main).damaged-1"))
        #expect(everything(store) == content(older))
    }

    @Test(arguments: [false, true]) func damageThatComesUpLaterIsFound(byCommit: Bool) throws {
        let room = try Room(inMemory: true)
        // More than SQLite keeps in memory.
        let big = (0..<64).map { Change.put(.state, key: "big \($0)", [UInt8](repeating: UInt8($0), count: 200_000)) }
        try room.keep(older)
        try room.keep(big)
        try room.keep([.removeAll(.app)])
        let store = room.open()
        #expect(store.notices.isEmpty)
        let file = open(room.main, O_WRONLY | O_CLOEXEC), zeros = [UInt8](repeating: 0, count: 12_000_000)
        #expect(pwrite(file, zeros, zeros.count, 4096) == zeros.count)
        close(file)
        var notices: [StoreNotice] = []
        if byCommit {
            #expect(reports(store, store.commit([.removeAll(.state), .put(.app, key: "a", [1])]), notices: &notices) == nil)
            #expect(
                everything(store)
                    == content(older.filter { if case .put(.state, _, _) = $0 { false } else { true } } + [.put(.app, key: "a", [1])]))
        } else {
            #expect(everything(store) == content(older + big))
            for case .notice(let notice) in store.drain() { notices.append(notice) }
        }
        #expect(notices.count == 2 && notices.last == .restored(from: room.copy), "\(notices)")
        #expect(store.isKeeping && room.names.contains("session.db.damaged-1"))
    }
}
