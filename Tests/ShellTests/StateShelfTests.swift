@testable import Shell
import Testing

@Suite("The state of apps as it is kept")
struct StateShelfTests {
    private func key(_ app: String, _ name: String) -> String { StateShelf.key(app, name) }

    @Test func keepsTheLastOfEachAppAndName() {
        var shelf = StateShelf()
        let main = key("a", "main")
        #expect(shelf[main] == nil)
        for (key, bytes) in [(main, [1]), (main, []), (key("b", "main"), [2]), (key("a", "other"), [3])] as [(String, [UInt8])] {
            #expect(shelf.put(key, bytes).left == [])
        }
        #expect(shelf[main] == [] && shelf[key("b", "main")] == [2] && shelf[key("a", "other")] == [3])
        shelf.remove(main)
        shelf.remove(key("a", "never there"))
        #expect(shelf[main] == nil && shelf[key("b", "main")] == [2])
    }

    @Test func theOldestLeavesWhenItIsFull() {
        var shelf = StateShelf(most: 100)
        let bytes = { [UInt8](repeating: 7, count: $0) }
        #expect(shelf.put("1", bytes(60)).left == [] && shelf.put("2", bytes(40)).left == [])
        // Kept anew, it is the youngest.
        #expect(shelf.put("1", bytes(60)).left == [])
        #expect(shelf.put("3", [9]).left == ["2"])
        #expect(shelf["2"] == nil && shelf["1"]?.count == 60 && shelf["3"] == [9])
        // What is larger than everything leaves at once, after all others.
        #expect(shelf.put("4", bytes(101)).left == ["1", "3", "4"])
        // Names are limited too.
        shelf = StateShelf()
        for number in 0..<StateShelf.mostStates { #expect(shelf.put("\(number)", []).left == []) }
        #expect(shelf.put("one more", []).left == ["0"])
    }

    @Test func ageOutlivesTheShell() {
        var shelf = StateShelf()
        let first = shelf.put("z", [1]).entry, second = shelf.put("a", [2]).entry
        var next = StateShelf(most: 2)
        // A store returns its entries in the order of their keys.
        #expect(next.load("a", entry: second) && next.load("z", entry: first))
        #expect(next["a"] == [2] && next["z"] == [1])
        #expect(next.put("new", [3]).left == ["z"])
    }

    @Test func whatIsNoEntryIsLeftOut() {
        var shelf = StateShelf()
        let far = [UInt8](repeating: 255, count: 9)
        #expect(!shelf.load("a", entry: []) && !shelf.load("a", entry: [1, 2, 3]) && !shelf.load("a", entry: far))
        #expect(shelf["a"] == nil)
        #expect(shelf.load("a", entry: [0, 0, 0, 0, 0, 0, 0, 0]) && shelf["a"] == [])
    }
}
