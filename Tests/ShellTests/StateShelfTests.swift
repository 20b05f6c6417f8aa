import Testing

@testable import Shell

@Suite("The state of apps as it is kept")
struct StateShelfTests {
    private func key(_ app: String, _ name: String) -> String { StateShelf.key(app, name) }

    @Test func keepsTheLastOfEachAppAndName() {
        var shelf = StateShelf()
        #expect(shelf[key("a", "main")] == nil)
        for (app, name, bytes) in [("a", "main", [1]), ("a", "main", []), ("b", "main", [2]), ("a", "other", [3])]
            as [(String, String, [UInt8])]
        {
            #expect(shelf.put(app, name, bytes)?.left == [])
        }
        #expect(shelf[key("a", "main")] == [] && shelf[key("b", "main")] == [2] && shelf[key("a", "other")] == [3])
        shelf.remove(key("a", "main"))
        shelf.remove(key("a", "never there"))
        #expect(shelf[key("a", "main")] == nil && shelf[key("b", "main")] == [2])
    }

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

    @Test("an app's share is its own: 64 MiB of one app leave the others alone, and its own oldest go")
    func shares() {
        var shelf = StateShelf(most: 1000, share: 100)
        #expect(shelf.put("quiet", "main", bytes(90))?.left == [])
        for number in 0..<10 { #expect(shelf.put("loud", "\(number)", bytes(10))?.left == []) }
        #expect(shelf.put("loud", "more", bytes(20))?.left == [key("loud", "0"), key("loud", "1")])
        #expect(shelf.put("loud", "huge", bytes(101)) == nil, "more than a share is not kept")
        #expect(shelf[key("loud", "2")]?.count == 10 && shelf[key("quiet", "main")]?.count == 90)
        // Names are limited too.
        shelf = StateShelf()
        for number in 0..<StateShelf.mostStatesOfOneApp { #expect(shelf.put("loud", "\(number)", [])?.left == []) }
        #expect(shelf.put("quiet", "main", [])?.left == [])
        #expect(shelf.put("loud", "more", [])?.left == [key("loud", "0")])
    }

    @Test("what a program offers now does not give way to another state of its own: the new one is not kept, the old one is")
    func offeredNow() {
        var shelf = StateShelf(most: 1000, share: 100)
        let claims = StateShelf.Claims(apps: ["a"], keys: [key("a", "1"), key("a", "2")])
        for name in ["0", "1", "2"] { _ = shelf.put("a", name, bytes(30), beside: claims) }
        #expect(shelf.put("a", "3", bytes(40), beside: claims)?.left == [key("a", "0")])
        _ = shelf.put("a", "1", [1], beside: claims)
        #expect(shelf.put("a", "2", bytes(70), beside: claims)?.left == [key("a", "3")])
        #expect(shelf.put("a", "1", bytes(31), beside: claims) == nil)
        #expect(shelf[key("a", "1")] == [1], "the last that was kept stays")
    }

    @Test("when the shelf is full, the oldest go of apps without windows, and nothing of the others")
    func full() {
        var shelf = StateShelf(most: 100, share: 60)
        for (app, count) in [("closed", 30), ("open", 30), ("gone", 30)] { #expect(shelf.put(app, "main", bytes(count))?.left == []) }
        let claims = StateShelf.Claims(apps: ["open", "new"])
        #expect(shelf.put("new", "a", bytes(30), beside: claims)?.left == [key("closed", "main")])
        // Its own first.
        #expect(shelf.put("new", "b", bytes(20), beside: claims)?.left == [key("new", "a")])
        #expect(shelf.put("new", "c", bytes(40), beside: claims)?.left == [key("new", "b")])
        #expect(
            shelf.put("last", "a", bytes(31), beside: StateShelf.Claims(apps: ["open", "new", "last"]))?.left == nil,
            "70 of 100 belong to others")
        #expect(shelf[key("open", "main")]?.count == 30)
    }

    @Test func ageOutlivesTheShell() throws {
        var shelf = StateShelf()
        let first = try #require(shelf.put("z", "", [1])?.entry), second = try #require(shelf.put("a", "", [2])?.entry)
        var next = StateShelf(most: 2)
        // A store returns its entries in the order of their keys.
        #expect(next.load(key("a", ""), entry: second) && next.load(key("z", ""), entry: first))
        #expect(next[key("a", "")] == [2] && next[key("z", "")] == [1])
        #expect(next.put("new", "", [3])?.left == [key("z", "")])
    }

    @Test func whatIsNoEntryIsLeftOut() {
        var shelf = StateShelf()
        let far = [UInt8](repeating: 255, count: 9)
        #expect(!shelf.load("a", entry: []) && !shelf.load("a", entry: [1, 2, 3]) && !shelf.load("a", entry: far))
        #expect(shelf["a"] == nil)
        #expect(shelf.load("a", entry: [0, 0, 0, 0, 0, 0, 0, 0]) && shelf["a"] == [])
    }
}
