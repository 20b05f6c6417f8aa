import Glibc
import Testing

@testable import Store

/// Disks that are full or cannot be written.
@Suite struct DiskTests {
    @Test(.enabled(if: Room.canMount, "no disk can be mounted here")) func aFullDiskLosesNothing() throws {
        let room = try Room(megabytes: 4)
        let store = room.open()
        #expect(reports(store, store.commit(session("kept"))) == nil)
        let ballast = "\(room.folder)/ballast"
        fill(ballast)
        let big = [UInt8](repeating: 1, count: 1 << 20)
        #expect(reports(store, store.commit([.removeAll(.state), .put(.state, key: "big", big)])) == .diskFull(file: room.main))
        #expect(store.isKeeping)
        #expect(everything(store) == content(session("kept")))
        unlink(ballast)
        #expect(reports(store, store.commit([.put(.state, key: "big", big)])) == nil)
        #expect(try store.read(.state, key: "big") == big)
    }

    @Test(.enabled(if: Room.canMount, "no disk can be mounted here")) func aSessionIsReadFromAFullDisk() throws {
        let room = try Room(megabytes: 4)
        try room.keep(session("kept"))
        let ballast = "\(room.folder)/ballast"
        fill(ballast)
        do {
            let store = room.open()
            #expect(store.isKeeping && store.notices.isEmpty)
            #expect(everything(store) == content(session("kept")))
            #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == .diskFull(file: room.main))
            #expect(store.close(patience: 20))
        }
        // What could not be copied leaves the older copy, and nothing half.
        unlink(ballast)
        #expect(room.names == ["session.db", "session.good.db", "session.lock"])
        let store = room.open()
        #expect(store.notices.isEmpty && everything(store) == content(session("kept")))
    }

    @Test(.enabled(if: Room.canMount, "no disk can be mounted here")) func aCopyThatHasNoRoomIsANotice() throws {
        let room = try Room(megabytes: 4)
        let store = room.open()
        let big = [UInt8](repeating: 1, count: 1 << 20)
        // File and log have room, and the copy has not.
        #expect(reports(store, store.commit([.put(.state, key: "big", big)])) == nil)
        fill("\(room.folder)/ballast")
        unlink(room.copy)
        var notices: [StoreNotice] = []
        store.close(patience: 20)
        for case .notice(let notice) in store.drain() { notices.append(notice) }
        #expect(notices.allSatisfy { if case .copyFailed = $0 { true } else { false } })
        #expect(!room.names.contains { $0.hasSuffix(".part") })
        #expect(try room.open().read(.state, key: "big") == big)
    }

    @Test(.enabled(if: Room.canMount, "no disk can be mounted here")) func aFolderThatCannotBeWrittenIsTriedAgain() throws {
        let room = try Room(megabytes: 4)
        try room.keep(session("kept"))
        #expect(room.remount(readOnly: true))
        let store = room.open()
        #expect(!store.isKeeping && store.notices.count == 1)
        #expect(store.notices[0].description.contains("read-only"))
        var notices: [StoreNotice] = []
        for _ in 0..<2 {
            let error = reports(store, store.commit([.put(.app, key: "a", [1])]), notices: &notices)
            #expect(error == .readOnly(file: "\(room.folder)/session.lock"))
        }
        #expect(notices.isEmpty)
        #expect(room.remount(readOnly: false))
        #expect(reports(store, store.commit([.put(.app, key: "a", [1])]), notices: &notices) == nil)
        #expect(store.isKeeping && notices == [.keepsAgain(folder: room.folder)])
        #expect(everything(store) == content(session("kept") + [.put(.app, key: "a", [1])]))
    }

    @Test func aFileInPlaceOfTheFolderIsSaid() throws {
        let room = try Room()
        let parent = String(room.folder.dropLast("/mullion".count))
        Room.write([1], to: parent)
        let store = room.open()
        #expect(!store.isKeeping)
        #expect(store.notices.count == 1 && store.notices[0].description.contains("Not a directory"))
        unlink(parent)
        #expect(reports(store, store.commit([.put(.app, key: "a", [1])])) == nil)
        #expect(store.isKeeping)
    }

    /// Takes all room that is left.
    private func fill(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), room = [UInt8](repeating: 0, count: 4096)
        while write(file, room, room.count) > 0 {}
        close(file)
    }
}
