import Glibc
import Testing

@testable import Store

/// What the disk does not take at the moment is written later, and nothing of it is given up.
@Suite struct BacklogTests {
    private struct Key: Hashable {
        var place: Place
        var key: String
    }

    private struct Disk: Equatable {
        var entries: [Key: [UInt8]] = [:]

        mutating func write(_ changes: [Change]) {
            for change in changes {
                switch change {
                case .put(let place, let key, let bytes): entries[Key(place: place, key: key)] = bytes
                case .remove(let place, let key): entries[Key(place: place, key: key)] = nil
                case .removeAll(let place): entries = entries.filter { $0.key.place != place }
                }
            }
        }
    }

    @Test("random commits on a disk that often takes nothing: at the end it holds what a disk holds that took all, and no step was torn")
    func nothingIsLost() {
        for seed in 0..<UInt64(isSlow ? 3000 : 300) {
            var random = Random(state: seed), backlog = Backlog(), disk = Disk(), whole = Disk()
            for step in 0..<40 {
                let changes = (0...Int(random.next() % 3)).map { _ -> Change in
                    let place: Place = random.next() % 2 == 0 ? .choice : .notice, key = "\(random.next() % 4)"
                    switch random.next() % 8 {
                    case 0: return .removeAll(place)
                    case 1, 2: return .remove(place, key: key)
                    default: return .put(place, key: key, [UInt8(step)])
                    }
                }
                whole.write(changes)
                let all = backlog.take(with: changes)
                if random.next() % 3 == 0 { disk.write(all) } else { backlog.hold(all) }
                // In the middle, small groups may get through in any order.
                if random.next() % 5 == 0, let group = backlog.smallestFirst.last {
                    disk.write(backlog[group])
                    backlog.remove(group)
                }
                var now = disk
                now.write(backlog.all)
                #expect(now == whole, "seed \(seed), step \(step)")
            }
            disk.write(backlog.all)
            backlog.removeAll()
            #expect(disk == whole && backlog.isEmpty && backlog.all.isEmpty, "seed \(seed)")
        }
    }

    @Test func aStepStaysOneStepAndOthersDoNotWaitForIt() {
        var backlog = Backlog()
        backlog.hold(backlog.take(with: [.put(.arrangement, key: "aside", [1]), .remove(.arrangement, key: "windows")]))
        backlog.hold(backlog.take(with: [.put(.state, key: "big", [UInt8](repeating: 1, count: 1000))]))
        #expect(backlog.take(with: [.put(.choice, key: "dark", [1])]) == [.put(.choice, key: "dark", [1])])
        #expect(
            backlog.take(with: [.put(.arrangement, key: "windows", [2])])
                == [.put(.arrangement, key: "aside", [1]), .put(.arrangement, key: "windows", [2])])
        #expect(backlog.all.count == 1)
    }

    @Test func triesBecomeRarer() {
        var backOff = BackOff(first: 1, most: 30)
        #expect((0..<7).map { _ in backOff.wait() } == [1, 2, 4, 8, 16, 30, 30])
        backOff.reset()
        #expect(backOff.wait() == 1)
    }

    @Test func theFirstCopiesComeSoonAndAChoiceIsInOneAtOnce() {
        var plan = CopyPlan(interval: 32), copies: [Int] = []
        for number in 1...100 {
            plan.committed([.put(.arrangement, key: "", [])])
            if plan.isDue {
                copies.append(number)
                plan.copied(at: Double(number))
            }
        }
        #expect(copies == [1, 2, 4, 8, 16, 32, 64, 96])
        #expect(plan.wait(at: 200) == nil)
        plan.committed([.put(.choice, key: "dark", [])])
        #expect(plan.wait(at: 200) == CopyPlan.patience)
        plan.copied(at: 201)
        #expect(plan.wait(at: 201) == nil)
        plan.committed([.remove(.noticeSchedule, key: "alarm")])
        #expect(plan.wait(at: 202) == 9)
        // A copy for which there is no room is tried again, and rarely.
        plan.copied(at: 211)
        plan.failed()
        #expect(plan.isPrecious && plan.wait(at: 212) == 59)
        plan.copied(at: 271)
        #expect(plan.wait(at: 271) == nil)
    }

    // MARK: On a disk

    @Test(.enabled(if: Room.canMount, "no disk can be mounted here")) func whatDidNotFitIsWrittenWhenThereIsRoom() throws {
        let room = try Room(megabytes: 16)
        let store = room.open()
        #expect(reports(store, store.commit([.put(.choice, key: "a", [0])])) == nil)
        let ballast = "\(room.folder)/ballast"
        fill(ballast)
        let big = [UInt8](repeating: 1, count: 1 << 20)
        #expect(reports(store, store.commit([.put(.state, key: "big", big), .put(.choice, key: "a", [1])])) == .diskFull(file: room.main))
        for index in 0..<20 { _ = reports(store, store.commit([.put(.notice, key: "\(index)", [UInt8](repeating: 2, count: 60_000))])) }
        unlink(ballast)
        // By itself.
        var seen: [StoreReport] = []
        for _ in 0..<100 where !seen.contains(.caughtUp) {
            var item = pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 100)
            seen += store.drain()
        }
        #expect(seen.contains(.caughtUp))
        #expect(try store.read(.choice, key: "a") == [1] && store.read(.state, key: "big") == big && store.read(.notice).count == 20)
        usleep(50_000)
        #expect(store.drain().isEmpty, "it is said once")
    }

    @Test(.enabled(if: Room.canMount, "no disk can be mounted here"), arguments: [true, false]) func theEndIsTheLastTry(hasRoom: Bool)
        throws
    {
        let room = try Room(megabytes: 4)
        let store = room.open()
        #expect(reports(store, store.commit([.put(.choice, key: "a", [0])])) == nil)
        let ballast = "\(room.folder)/ballast", big = [UInt8](repeating: 1, count: 1 << 20)
        fill(ballast)
        #expect(reports(store, store.commit([.put(.state, key: "big", big), .put(.choice, key: "a", [1])])) == .diskFull(file: room.main))
        if hasRoom { unlink(ballast) }
        #expect(store.close(patience: 20))
        let said = store.drain().contains { if case .notice(.leftUnsaved(entries: 2)) = $0 { true } else { false } }
        #expect(said == !hasRoom)
        unlink(ballast)
        let next = room.open()
        #expect(next.notices.isEmpty)
        #expect(try next.read(.choice, key: "a") == [hasRoom ? 1 : 0])
    }

    @Test func aChoiceIsInTheCopySoon() throws {
        let room = try Room()
        let store = room.open(copyInterval: 32)
        for index in 0..<3 { #expect(reports(store, store.commit([.put(.arrangement, key: "", [UInt8(index)])])) == nil) }
        #expect(reports(store, store.commit([.put(.choice, key: "dark", [1])])) == nil)
        let before = Room.hash(room.copy)
        for _ in 0..<150 where Room.hash(room.copy) == before { usleep(100_000) }
        // As a crash leaves them, and the main file is damaged.
        let copy = try #require(Room.bytes(room.copy))
        let other = try Room()
        mkdir(String(other.folder.dropLast("/mullion".count)), 0o700)
        mkdir(other.folder, 0o700)
        Room.write(copy, to: other.copy)
        Room.write([UInt8](repeating: 0xff, count: 5000), to: other.main)
        let next = other.open()
        #expect(next.notices.last == .restored(from: other.copy))
        #expect(try next.read(.choice, key: "dark") == [1])
    }

    /// Takes all room that is left.
    private func fill(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), room = [UInt8](repeating: 0, count: 4096)
        while write(file, room, room.count) > 0 {}
        close(file)
    }
}
