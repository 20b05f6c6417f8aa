import Geometry
import Status
import Testing

/// The data kept for apps, and its removal.
@Suite struct KeptStatesTests {
    private let now = Moment.milliseconds(1000)

    @Test("it is measured while a person looks, the largest first, and forgotten after")
    func seen() {
        var room = KeptStates()
        #expect(room.handle(.measured([.init(app: "a", states: 1, pictures: 2)]), in: (), at: now) == [], "nobody looks")
        #expect(room.handle(.seen(true), in: (), at: now) == [.changed, .measure])
        let items = ["a": 5, "b": 50, "c": 0, "d": 50].map { KeptStates.Item(app: $0.key, states: Int64($0.value), pictures: 0) }
        #expect(room.handle(.measured(items), in: (), at: now) == [.changed])
        #expect(room.items.map(\.app) == ["b", "d", "a"], "nothing is kept of c")
        #expect(room.handle(.measured(items.reversed()), in: (), at: now) == [])
        #expect(room.handle(.seen(false), in: (), at: now) == [.changed] && room.items.isEmpty)
        #expect(room.violations(in: ()).isEmpty)
    }

    @Test("a person is asked about an app of the list, and a deletion is measured again")
    func delete() {
        var room = KeptStates()
        _ = room.handle(.seen(true), in: (), at: now)
        _ = room.handle(.measured([.init(app: "a", states: 1, pictures: 2)]), in: (), at: now)
        #expect(room.handle(.wish(.ask(app: "a")), in: (), at: now) == [.asks(app: "a")])
        guard case .refuse? = room.handle(.wish(.ask(app: "b")), in: (), at: now).first else {
            Issue.record("b is not in the list")
            return
        }
        #expect(room.handle(.wish(.delete(app: "a")), in: (), at: now) == [.delete(app: "a"), .measure])
        _ = room.handle(.seen(false), in: (), at: now)
        #expect(room.handle(.wish(.delete(app: "b")), in: (), at: now) == [.delete(app: "b")], "a script names any")
        guard case .refuse? = room.handle(.wish(.delete(app: "")), in: (), at: now).first else {
            Issue.record("it has no name")
            return
        }
    }

    @Test("thousands of apps have a list that ends")
    func many() {
        var room = KeptStates()
        _ = room.handle(.seen(true), in: (), at: now)
        _ = room.handle(.measured((0..<5000).map { .init(app: "app\($0)", states: Int64($0), pictures: 0) }), in: (), at: now)
        #expect(room.items.count == KeptStates.most && room.items.first?.app == "app4999")
    }
}
