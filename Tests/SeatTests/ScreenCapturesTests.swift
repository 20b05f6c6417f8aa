import Geometry
import Testing

@testable import Seat

@Suite("S-07: who shares the screen")
struct ScreenCapturesTests {
    private func at(_ seconds: Double) -> Moment { .zero + seconds }

    @Test("single pictures are no sharing, however many outputs they are of, and once in a while")
    func single() {
        var captures = ScreenCaptures()
        for output: UInt64 in 1...4 { #expect(captures.asked(1, output: output, at: at(1)) == nil) }
        #expect(captures.asked(1, output: 1, at: at(1.5)) == nil)
        for second in 2...20 { #expect(captures.asked(2, output: 1, at: at(Double(second) * 2)) == nil) }
        #expect(captures.look(at: at(60)) { _ in false } == [])
        #expect(!captures.isWatching)
    }

    @Test("picture after picture of one output is a sharing, until its program has rested or is gone")
    func sharing() {
        var captures = ScreenCaptures()
        #expect(captures.asked(7, output: 1, at: at(1)) == nil)
        #expect(captures.asked(7, output: 1, at: at(1.1)) == nil)
        #expect(captures.asked(7, output: 1, at: at(1.2)) == .begins(client: 7))
        #expect(captures.asked(7, output: 1, at: at(1.3)) == nil)
        // A screen on which nothing moves: the program waits for the next picture.
        #expect(captures.isWatching(except: { $0 == 8 }) && !captures.isWatching(except: { $0 == 7 }))
        for second in 2...40 { #expect(captures.look(at: at(Double(second))) { $0 == 7 } == []) }
        #expect(captures.look(at: at(41)) { _ in false } == [.ends(client: 7)])
        #expect(!captures.isWatching)
    }

    @Test("a picture that a program waits for is a sharing, and a short pause of it is none of its ends")
    func waiting() {
        var captures = ScreenCaptures()
        #expect(captures.asked(7, output: 1, at: at(1)) == nil)
        #expect(captures.look(at: at(1.5)) { _ in true } == [])
        #expect(captures.look(at: at(2)) { _ in true } == [.begins(client: 7)])
        #expect(captures.asked(7, output: 1, at: at(5)) == nil)
        #expect(captures.look(at: at(6.9)) { _ in false } == [])
        #expect(captures.look(at: at(7)) { _ in false } == [.ends(client: 7)])
    }
}
