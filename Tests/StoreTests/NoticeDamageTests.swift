import Glibc
import Testing

@testable import Store

/// Notifications and schedules in damaged files (S-12): a delivery is there once, as its schedule or as its notification, and what a
/// person chose is there.
@Suite struct NoticeDamageTests {
    /// Three schedules, of which each step delivers one.
    private func delivery(_ number: Int) -> [Change] {
        [.remove(.noticeSchedule, key: "tea \(number)"), .put(.notice, key: "\(number)", [UInt8](repeating: UInt8(number), count: 300))]
    }

    private func begin(_ room: Room, copyInterval: Int) throws -> Store {
        let store = room.open(copyInterval: copyInterval)
        let schedules = (1...3).map { Change.put(.noticeSchedule, key: "tea \($0)", [UInt8](repeating: 7, count: 200)) }
        #expect(reports(store, store.commit(schedules + [.put(.choice, key: "notifications", [1])])) == nil)
        return store
    }

    private func keys(_ store: Store, _ place: Place) throws -> [String] { try store.read(place).map(\.key) }

    private func expectEachOnce(_ store: Store, _ words: Comment) throws {
        let notices = try keys(store, .notice), schedules = try keys(store, .noticeSchedule)
        for number in 1...3 { #expect(schedules.contains("tea \(number)") != notices.contains("\(number)"), words) }
        #expect(notices.count + schedules.count == 3, words)
        #expect(try keys(store, .choice) == ["notifications"], words)
    }

    @Test("S-12: a file that is cut or overwritten gives each delivery once, and an error names it", arguments: [false, true])
    func file(isCut: Bool) throws {
        let room = try Room(inMemory: true)
        let first = try begin(room, copyInterval: 256)
        #expect(first.close(patience: 20))
        let copy = try #require(Room.bytes(room.copy))
        try room.keep((1...3).flatMap(delivery))
        let whole = try #require(Room.bytes(room.main)), seed = UInt64.random(in: 0 ... .max)
        var random = Random(state: seed)
        for turn in 0..<(isSlow ? 300 : 40) {
            var bytes = whole
            let start = 100 + Int(random.next() % UInt64(whole.count - 132))
            if isCut {
                bytes = Array(whole.prefix(start))
            } else {
                for offset in start..<start + 32 { bytes[offset] ^= UInt8(truncatingIfNeeded: random.next() | 1) }
            }
            Room.write(bytes, to: room.main)
            Room.write(copy, to: room.copy)
            let store = room.open(), words = Comment(rawValue: "seed \(seed), turn \(turn), at \(start): \(store.notices)")
            try expectEachOnce(store, words)
            if isCut { #expect(store.notices.contains { if case .damaged(room.main, _, _) = $0 { true } else { false } }, words) }
            store.close(patience: 20)
            for name in room.names where name.contains("damaged") { unlink("\(room.folder)/\(name)") }
        }
    }

    @Test("S-12: a log of which the end is lost gives each delivery once")
    func log() throws {
        let room = try Room(inMemory: true)
        var files: [(String, [UInt8])] = []
        do {
            let store = try begin(room, copyInterval: 1000)
            // Copies become rare, so that the deliveries stand in the log alone.
            for _ in 1...3 { #expect(reports(store, store.commit([.put(.choice, key: "notifications", [1])])) == nil) }
            for number in 1...3 { #expect(reports(store, store.commit(delivery(number))) == nil) }
            for name in ["session.db", "session.db-wal", "session.good.db"] {
                files.append((name, try #require(Room.bytes("\(room.folder)/\(name)"))))
            }
        }
        let beginning = try #require(files[1].1.count > 4096 ? files[1].1.count : nil), seed = UInt64.random(in: 0 ... .max)
        var random = Random(state: seed)
        var seen: Set<Int> = []
        for turn in 0..<(isSlow ? 300 : 40) {
            for (name, bytes) in files {
                let cut = name.hasSuffix("wal") ? Int(random.next() % UInt64(beginning)) : 0
                Room.write(Array(bytes.dropLast(cut)), to: "\(room.folder)/\(name)")
            }
            let store = room.open()
            // The beginning may be lost with the rest: then there is nothing.
            if try !keys(store, .choice).isEmpty {
                seen.insert(try keys(store, .notice).count)
                try expectEachOnce(store, Comment(rawValue: "seed \(seed), turn \(turn)"))
            }
            store.close(patience: 20)
        }
        #expect(seen.count > 1)
    }
}
