import Foundation
import Geometry
import Testing

@Suite("Rectangles")
struct RectTests {
    @Test("half open, as pixels are")
    func contains() {
        let r = Rect(10, 20, 30, 40)
        #expect(r.contains(Point(10, 20)) && r.contains(Point(39.9, 59.9)))
        #expect(!r.contains(Point(40, 30)) && !r.contains(Point(20, 60)))
        #expect(!Rect.zero.contains(.zero))
    }

    @Test("neighbours do not intersect")
    func neighbours() {
        #expect(!Rect(0, 0, 10, 10).intersects(Rect(10, 0, 10, 10)))
        #expect(Rect(0, 0, 10, 10).intersection(Rect(5, 6, 10, 10)) == Rect(5, 6, 5, 4))
    }

    @Test("rounded edge by edge, neighbours stay neighbours")
    func rounded() {
        for step in 0..<200 {
            let cut = Double(step) * 0.37
            let a = Rect(0.2, 0, cut, 10).rounded, b = Rect(0.2 + cut, 0, 80 - cut, 10).rounded
            #expect(a.maxX == b.minX)
        }
    }

    @Test("insets larger than the rectangle leave nothing, not less")
    func insets() {
        let r = Rect(0, 0, 10, 10).inset(by: Insets(20, 20, 20, 20))
        #expect(r.width == 0 && r.height == 0)
    }

    @Test("a finger's target grows about its middle", arguments: [4.0, 44, 100])
    func grown(width: Double) {
        let bar = Rect(585, 0, width, 820)
        let target = bar.grown(toAtLeast: 44)
        #expect(target.width == max(44, width) && target.height == 820)
        #expect(target.center == bar.center)
    }

    @Test("W-11: content is fitted, centred, never enlarged, and on whole points when unscaled")
    func fitting() {
        let room = Rect(100, 0, 400, 800)
        #expect(room.fitting(Size(800, 800)) == Rect(100, 200, 400, 400))
        #expect(room.fitting(Size(201, 101)) == Rect(200, 350, 201, 101))
        #expect(room.fitting(Size(400, 800)) == room)
        #expect(room.fitting(.zero) == room)
        for width in stride(from: 1.0, through: 3000, by: 97) {
            for height in stride(from: 1.0, through: 3000, by: 113) {
                #expect(room.contains(room.fitting(Size(width, height)), tolerance: 0.6))
            }
        }
    }

    @Test("mapped there and back, a point and a rectangle are the same")
    func mapping() {
        let a = Rect(10, 20, 300, 400), b = Rect(-50, 7, 90, 1000)
        let p = Point(33, 44), r = Rect(30, 40, 50, 60)
        #expect(a.map(b.map(p, from: a), from: b).distance(to: p) < 1e-9)
        let again = a.map(b.map(r, from: a), from: b)
        #expect(again.contains(r, tolerance: 1e-9) && r.contains(again, tolerance: 1e-9))
        #expect(a.map(p, from: .zero) == Point(10, 20), "from nothing: its origin")
    }

    @Test("clamped: inside if it fits, else from the origin")
    func clamped() {
        let room = Rect(0, 0, 100, 100)
        #expect(Rect(90, -5, 20, 20).clamped(to: room) == Rect(80, 0, 20, 20))
        #expect(Rect(50, 50, 200, 10).clamped(to: room) == Rect(0, 50, 200, 10))
    }

    @Test("written as short arrays, and read back")
    func json() throws {
        func check<T: Codable & Equatable>(_ value: T, _ text: String) throws {
            #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
            #expect(try JSONDecoder().decode(T.self, from: Data(text.utf8)) == value)
        }
        try check(Point(1, 2.5), "[1,2.5]")
        try check(Vector(-1, 0), "[-1,0]")
        try check(Size(3, 4), "[3,4]")
        try check(Rect(1, 2, 3, 4), "[1,2,3,4]")
        try check(Insets(1, 2, 3, 4), "[1,2,3,4]")
        try check(Moment(nanoseconds: 123_456_789), "123456789")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Rect.self, from: Data("[1,2,3]".utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Point.self, from: Data("[1,2,3]".utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Point.self, from: Data("[1e999,2]".utf8)) }
    }
}

@Suite("Moments")
struct MomentTests {
    @Test("seconds between them")
    func difference() {
        let a = Moment.milliseconds(1500)
        #expect(a - .zero == 1.5)
        #expect((a + 0.25) - a == 0.25)
        #expect(a < a + 0.001)
    }

    @Test("the far end of time is no trap")
    func overflow() {
        let end = Moment(nanoseconds: .max)
        #expect(end + 1 == end)
        _ = end - Moment(nanoseconds: .min)
    }
}
