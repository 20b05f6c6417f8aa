import Foundation
import Testing
import Tour

@Suite("The idioms of places in the tour") struct PlaceTests {
    @Test("they are those of share/idioms, without comments", arguments: ["kiosk", "car"])
    func same(name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
        let file = try String(contentsOf: root.appending(path: "share/idioms/\(name).toml"), encoding: .utf8)
        #expect(lines(file) == lines(name == "car" ? Tour.carIdiom : Tour.kioskIdiom))
    }
}
