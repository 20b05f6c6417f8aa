import Foundation
import Testing

@testable import Geometry

/// How large parts of the shell's state are stored.
@Suite struct StorageTests {
    private struct Part: Hashable, Codable {
        var byAddress = ByAddress()
        @Indirect var rect: Rect = Rect(1, 2, 3, 4)
        @Indirect var maybe: Rect?
    }

    @Test func copyOfAnIndirectValueKeepsIt() {
        let before = Part()
        var after = before
        after.rect.width = 30
        #expect(before.rect == Rect(1, 2, 3, 4))
        #expect(after.rect == Rect(1, 2, 30, 4))
        #expect(before != after)
        after.rect.width = 3
        #expect(before == after && before.hashValue == after.hashValue)
    }

    /// Recordings know nothing of how a value is stored.
    @Test func indirectValuesAreWrittenAsTheyAre() throws {
        let text = String(decoding: try JSONEncoder().encode(Part().rect), as: UTF8.self)
        #expect(String(decoding: try JSONEncoder().encode(Part()), as: UTF8.self) == "{\"rect\":\(text)}")
        var part = Part()
        part.maybe = Rect(5, 6, 7, 8)
        #expect(try JSONDecoder().decode(Part.self, from: JSONEncoder().encode(part)) == part)
        // A field of an older recording is absent, or null.
        for missing in ["{\"rect\":\(text)}", "{\"rect\":\(text),\"maybe\":null}"] {
            #expect(try JSONDecoder().decode(Part.self, from: Data(missing.utf8)) == Part())
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Part.self, from: Data("{}".utf8)) }
    }
}
