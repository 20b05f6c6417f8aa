import Foundation
import Store
import Testing
import Windows

@testable import Shell

@Suite("Windows that were set aside") struct WindowsAsideTests {
    private func arrangement(isHome: Bool, version: Int = KeptArrangement.newest) -> (value: KeptArrangement, bytes: [UInt8]) {
        var arrangement = KeptArrangement()
        arrangement.isHome = isHome
        arrangement.version = version
        return (arrangement, Array(try! JSONEncoder().encode(arrangement)))
    }

    private func entry(_ change: Change) -> Entry? {
        if case .put(.arrangement, let key, let bytes) = change { Entry(key: key, bytes: bytes) } else { nil }
    }

    @Test("W-20: a later one overwrites neither an earlier one nor one that cannot be read, and is the first to come back")
    func overwritesNothing() throws {
        let one = arrangement(isHome: false), two = arrangement(isHome: true),
            newer = arrangement(isHome: true, version: KeptArrangement.newest + 1)
        var aside = WindowsAside(), entries: [Entry] = []
        for change in [
            aside.add(one.value, one.bytes), aside.addUnread([1, 2, 3]), aside.addUnread(newer.bytes), aside.add(two.value, two.bytes),
        ] {
            entries.append(try #require(entry(change)))
        }
        #expect(Set(entries.map(\.key)).count == 4 && aside.arrangements == [two.value, one.value])
        // What a start reads, beside the current arrangement, is the same.
        var read = WindowsAside(entries + [Entry(key: "windows", bytes: one.bytes)])
        #expect(read.arrangements == [two.value, one.value] && Set(read.unread) == [entries[1].key, entries[2].key])
        #expect(try !entries.map(\.key).contains(#require(entry(read.add(one.value, one.bytes))).key))
        // A person answered: what could not be read stays.
        #expect(Set(read.takeKeys()).isDisjoint(with: read.unread) && read.takeKeys().isEmpty && read.unread.count == 2)
    }

    @Test("W-20: the entry of an earlier version is read; keys that are no names of sets are left alone")
    func keys() {
        let bytes = arrangement(isHome: true).bytes
        #expect(WindowsAside([Entry(key: "windows-aside", bytes: bytes)]).keys == ["windows-aside"])
        let others = ["windows-asides", "windows-aside-", "windows-aside-02", "windows-aside--3", "windows-aside-99999999999999999999"]
        #expect(WindowsAside(others.map { Entry(key: $0, bytes: bytes) }).keys.isEmpty)
    }
}
