import Glibc
import Testing

@testable import Store

/// What is kept, and what is refused.
@Suite struct KeepingTests {
    @Test func whatWasCommittedIsThereAfterAStart() throws {
        let room = try Room()
        let first = room.open()
        #expect(first.isKeeping && first.notices.isEmpty)
        #expect(everything(first).isEmpty)
        let key = "org.example.App\0 한국어 é e\u{301}"
        #expect(
            reports(
                first,
                first.commit([
                    .put(.arrangement, key: "", [1, 2, 3]), .put(.app, key: key, []), .put(.toolkitSession, key: "gtk", [9]),
                    .put(.state, key: "b", [5]), .put(.state, key: "a", [6]), .put(.state, key: "c", [7]),
                ])) == nil)
        #expect(
            reports(first, first.commit([.remove(.state, key: "b"), .remove(.state, key: "none"), .put(.state, key: "c", [8, 8])])) == nil)
        #expect(first.close(patience: 20))

        let second = room.open()
        #expect(second.isKeeping && second.notices.isEmpty)
        #expect(
            everything(second)
                == content([
                    .put(.arrangement, key: "", [1, 2, 3]), .put(.app, key: key, []), .put(.toolkitSession, key: "gtk", [9]),
                    .put(.state, key: "a", [6]), .put(.state, key: "c", [8, 8]),
                ]))
        #expect(try second.read(.state, key: "c") == [8, 8])
        #expect(try second.read(.picture, key: "c") == nil)
        #expect(reports(second, second.commit([.removeAll(.state), .put(.state, key: "new", [1])])) == nil)
        #expect(try second.read(.state) == [Entry(key: "new", bytes: [1])])
    }

    @Test func rawValuesOfPlacesStay() {
        #expect(
            Place.allCases.map(\.rawValue) == [
                "arrangement", "app", "window", "state", "picture", "toolkit-session", "app-instances", "notice", "notice-schedule",
                "choice",
            ])
    }

    @Test func aMissingFolderIsMadeForThisUserAlone() throws {
        let room = try Room()
        let store = room.open()
        #expect(store.isKeeping)
        #expect(room.mode(room.folder) == 0o700)
        #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == nil)
        #expect(store.close(patience: 20))
        #expect(room.names == ["session.db", "session.good.db", "session.lock"])
        for name in room.names { #expect(room.mode("\(room.folder)/\(name)") == 0o600, "\(name)") }
    }

    @Test func filesBesideTheSessionAreForThisUserAlone() throws {
        let room = try Room()
        let store = room.open()
        #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == nil)
        #expect(room.names.contains("session.db-wal"))
        for name in room.names { #expect(room.mode("\(room.folder)/\(name)") == 0o600, "\(name)") }
    }

    @Test func reportsComeInOrderByTheDescriptor() throws {
        let room = try Room()
        let store = room.open()
        var item = pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&item, 1, 0) == 0 && store.drain().isEmpty)
        let first = store.commit([.put(.picture, key: "a", [1])])
        let second = store.readLater(.picture, key: "a")
        let third = store.commit([.put(.picture, key: String(repeating: "k", count: 513), [1])])
        let fourth = store.readLater(.picture, key: "b")
        #expect(first < second && second < third)
        var seen: [StoreReport] = []
        while seen.count < 4, poll(&item, 1, 5000) == 1 { seen += store.drain() }
        #expect(
            seen == [
                .committed(first), .read(second, [1]),
                .failed(third, .keyTooLong(.picture, key: String(repeating: "k", count: 513), bytes: 513, limit: 512)), .read(fourth, nil),
            ])
        #expect(poll(&item, 1, 0) == 0 && store.drain().isEmpty)
    }

    @Test(arguments: Place.allCases) func limitsHoldToTheByte(place: Place) throws {
        let room = try Room()
        let store = room.open()
        let limit =
            switch place {
            case .picture: 16_777_216
            case .state: 1_048_584
            default: 1_048_576
            }
        let most = [UInt8](repeating: 7, count: limit), key = String(repeating: "k", count: 512)
        #expect(reports(store, store.commit([.put(place, key: key, most)])) == nil)
        // A commit that breaks a limit is refused whole.
        let error = reports(store, store.commit([.remove(place, key: key), .put(place, key: "more", most + [7])]))
        #expect(error == .tooLarge(place, key: "more", bytes: limit + 1, limit: limit))
        #expect(error?.description == "\(place.rawValue) \"more\" has \(limit + 1) bytes; at most \(limit) are kept")
        #expect(try store.read(place).map(\.key) == [key])
        #expect(try store.read(place, key: key)?.count == limit)
        #expect(
            reports(store, store.commit([.remove(place, key: key + "k")]))
                == .keyTooLong(place, key: key + "k", bytes: 513, limit: 512))
    }

    @Test func aSecondStoreOnTheFolderKeepsNothing() throws {
        let room = try Room()
        let first = room.open()
        #expect(reports(first, first.commit([.put(.app, key: "a", [1])])) == nil)
        let second = room.open()
        #expect(!second.isKeeping)
        #expect(second.notices == [.inUse(folder: room.folder, process: getpid())])
        #expect(everything(second).isEmpty)
        let error = reports(second, second.commit([.removeAll(.app)]))
        #expect(error == .keepsNothing("process \(getpid()) keeps its session in \(room.folder): this session is not kept"))
        #expect(second.close())
        #expect(try first.read(.app, key: "a") == [1])
        #expect(first.close(patience: 20))
        // Nothing of the first one holds the folder any more.
        #expect(room.open().isKeeping)
    }

    @Test func aClosedStoreSaysSo() throws {
        let room = try Room()
        let store = room.open()
        let ticket = store.commit([.put(.app, key: "a", [1])])
        #expect(store.close(patience: 20) && store.close())
        // What was asked before is done.
        #expect(store.drain().contains(.committed(ticket)))
        #expect(!store.isKeeping)
        #expect(reports(store, store.commit([.removeAll(.app)])) == .keepsNothing("it is closed"))
        #expect(try room.open().read(.app, key: "a") == [1])
    }

    @Test func anEarlierVersionIsMadeTheNextOne() throws {
        let room = try Room()
        try room.keep(session("one"))
        let next = Schema(steps: Schema.current.steps + [{ try $0.execute("CREATE TABLE more (number INTEGER) STRICT") }])
        let store = room.open(schema: next)
        #expect(store.isKeeping && store.notices.isEmpty)
        #expect(everything(store) == content(session("one")))
        #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == nil)
        #expect(store.close(patience: 20))
        #expect(try SessionFolder(path: room.folder).header(of: room.main) == .version(2))
        #expect(try SessionFolder(path: room.folder).header(of: room.copy) == .version(2))

        // For a program of the first version that is a later one: nothing is touched.
        let files = room.names.map { Room.hash("\(room.folder)/\($0)") }
        let old = room.open()
        #expect(!old.isKeeping)
        #expect(old.notices == [.newer(file: room.main, version: 2, own: 1)])
        #expect(old.notices[0].description.contains("has version 2, but this program knows versions up to 1"))
        #expect(reports(old, old.commit([.removeAll(.app)])) != nil)
        #expect(old.close())
        #expect(room.names.map { Room.hash("\(room.folder)/\($0)") }.dropLast() == files.dropLast())
    }

    @Test func aVersionOneCopyIsRestoredByTheNextVersion() throws {
        let room = try Room()
        try room.keep(session("one"))
        unlink(room.main)
        let next = Schema(steps: Schema.current.steps + [{ try $0.execute("CREATE TABLE more (number INTEGER) STRICT") }])
        let store = room.open(schema: next)
        #expect(store.notices == [.missing(file: room.main), .restored(from: room.copy)])
        #expect(everything(store) == content(session("one")))
    }
}
