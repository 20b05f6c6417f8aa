import Foundation
import Testing
import Windows

/// The order of the home screen as a value.
@Suite("X-03: the home screen as a person arranges it") struct HomeOrderTests {
    private let installed = ["a", "b", "c", "d"]

    private func names(_ order: HomeOrder) -> [String] {
        order.shown(installed: installed).map { entry in
            switch entry {
            case .app(let app): app
            case .folder(let folder): "\(folder.id)[\(folder.apps.joined(separator: " "))]"
            }
        }
    }

    @Test("an app that is missing keeps its place, and a new one comes at the end")
    func missing() {
        let order = HomeOrder([.app("c"), .app("gone"), .folder(.init(id: 1, name: "F", apps: ["gone too", "a"]))], hidden: ["b"])
        #expect(names(order) == ["c", "1[a]", "d"])
        #expect(order.completed(installed: installed).entries.count == 4)
        #expect(order.shown(installed: installed + ["gone"]).count == 4)
        #expect(
            HomeOrder([.folder(.init(id: 1, name: "", apps: ["gone"]))]).shown(installed: installed).count == 4,
            "an empty folder is not shown")
    }

    @Test("moves: before another, into a folder, out of it, to the end")
    func moves() throws {
        var order = HomeOrder().completed(installed: installed)
        try order.move("d", to: .before("a"))
        #expect(names(order) == ["d", "a", "b", "c"])
        try order.move("a", to: .with("c"))
        #expect(names(order) == ["d", "b", "1[c a]"])
        try order.move("b", to: .with("a"))
        #expect(names(order) == ["d", "1[c a b]"])
        try order.move("b", to: .before("c"))
        #expect(names(order) == ["d", "1[b c a]"], "in its own folder")
        try order.move("b", to: .atEnd)
        try order.move("d", to: .before("a"))
        #expect(names(order) == ["d", "1[c a]", "b"], "before the folder")
        try order.move("a", to: .before("d"))
        #expect(names(order) == ["a", "d", "c", "b"], "a folder with one app is that app")
    }

    @Test("what cannot be is refused in words")
    func refused() {
        var order = HomeOrder().completed(installed: installed)
        #expect(throws: (any Error).self) { try order.move("a", to: .before("nothing")) }
        #expect(throws: (any Error).self) { try order.rename(7, "x") }
        #expect(throws: (any Error).self) { try order.show("a") }
        #expect(names(order) == installed)
    }

    @Test("a file with doubles, empty folders, long names and equal numbers becomes an order; a newer one is read as far as it goes")
    func files() throws {
        let long = String(repeating: "é", count: 500)
        let text = """
            {"version": 9, "entries": ["a", "a", {"folder": "\(long)", "id": 1, "apps": ["b", "a", ""]},
             {"folder": "", "apps": []}, {"folder": "Two", "id": 1, "apps": ["c", "d"]}], "hidden": ["d", "e"]}
            """
        let order = try JSONDecoder().decode(HomeOrder.self, from: Data(text.utf8))
        #expect(order.isPossible && order.entries.count == 3 && order.hidden == ["e"])
        #expect(order.folder(1)?.name.utf8.count == HomeOrder.longestName && order.folder(2)?.apps == ["c", "d"])
        #expect(try JSONDecoder().decode(HomeOrder.self, from: JSONEncoder().encode(order)) == order)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(HomeOrder.self, from: Data("[1]".utf8)) }
    }

    @Test("random acts: no app is lost or doubled, and every order is one that the disk takes back")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        let installed = (0..<12).map { "app\($0)" }
        var order = HomeOrder().completed(installed: installed)
        for _ in 0..<4000 {
            let app = installed.randomElement(using: &random)!, other = installed.randomElement(using: &random)!
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try? order.move(app, to: .before(other))
            case 1: try? order.move(app, to: .with(other))
            case 2: try? order.move(app, to: .atEnd)
            case 3: order.hide(app)
            case 4: try? order.show(app)
            default: try? order.rename(Int.random(in: 0...4, using: &random), other)
            }
            #expect(order.isPossible)
            let all = order.entries.flatMap(\.apps) + order.hidden
            #expect(all.count == installed.count && Set(all) == Set(installed))
        }
    }
}
