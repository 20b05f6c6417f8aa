@testable import Shell
import Testing

@Suite("State that is kept in memory")
struct StatePlaceTests {
    private func kept(_ place: StatesInMemory, _ app: String, _ name: String) -> [UInt8]? {
        var found: [UInt8]?
        place.load(app: app, name: name) { found = $0 }
        return found
    }

    private func store(_ place: StatesInMemory, _ app: String, _ name: String, _ bytes: [UInt8]) -> Bool {
        var isStored = false
        place.store(app: app, name: name, bytes: bytes) { isStored = $0 }
        return isStored
    }

    @Test func keepsTheLastOfEachAppAndName() {
        let place = StatesInMemory()
        #expect(kept(place, "a", "main") == nil)
        #expect(store(place, "a", "main", [1]) && store(place, "a", "main", []) && store(place, "b", "main", [2]) && store(place, "a", "other", [3]))
        #expect(kept(place, "a", "main") == [] && kept(place, "b", "main") == [2] && kept(place, "a", "other") == [3])
        place.forget(app: "a", name: "main")
        place.forget(app: "a", name: "never there")
        #expect(kept(place, "a", "main") == nil && kept(place, "b", "main") == [2])
    }

    @Test func forgetsTheOldestWhenItIsFull() {
        let place = StatesInMemory(most: 100)
        #expect(store(place, "a", "1", [UInt8](repeating: 0, count: 60)) && store(place, "a", "2", [UInt8](repeating: 0, count: 40)))
        // Stored anew, it is the youngest.
        #expect(store(place, "a", "1", [UInt8](repeating: 1, count: 60)) && store(place, "a", "3", [9]))
        #expect(kept(place, "a", "2") == nil && kept(place, "a", "1")?.count == 60 && kept(place, "a", "3") == [9])
        #expect(!store(place, "a", "4", [UInt8](repeating: 0, count: 101)))
    }
}
