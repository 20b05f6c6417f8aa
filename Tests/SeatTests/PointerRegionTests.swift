import Geometry
import Seat
import Testing

@Suite("The region that an app keeps the pointer in")
struct PointerRegionTests {
    private let whole = PointerRegion([.init(0, 0, 100, 50)])
    /// Two rectangles beside each other, and one under the right one.
    private let corner = PointerRegion([.init(0, 0, 50, 50), .init(50, 0, 100, 50), .init(50, 50, 100, 100)])
    /// Two that do not touch.
    private let apart = PointerRegion([.init(0, 0, 20, 20), .init(80, 0, 100, 20)])

    @Test("a point is in it up to its last edges")
    func contains() {
        #expect(whole.contains(Point(0, 0)) && whole.contains(Point(99.9, 49.9)))
        #expect(!whole.contains(Point(100, 0)) && !whole.contains(Point(0, 50)) && !whole.contains(Point(-0.1, 0)))
        #expect(!whole.contains(Point(.nan, 1)) && !whole.contains(Point(1, .infinity)))
        #expect(!PointerRegion([]).contains(Point(0, 0)))
    }

    @Test("every point of a region of many rectangles is found, and no other")
    func many() {
        // A chessboard, as pixman keeps one.
        var boxes: [PointerRegion.Box] = []
        for row in 0..<8 {
            for column in stride(from: row % 2, to: 8, by: 2) {
                boxes.append(.init(column * 10, row * 10, column * 10 + 10, row * 10 + 10))
            }
        }
        let region = PointerRegion(boxes)
        for y in 0..<90 {
            for x in 0..<90 {
                let isIn = x < 80 && y < 80 && (x / 10 + y / 10) % 2 == 0
                #expect(region.contains(Point(Double(x) + 0.5, Double(y) + 0.5)) == isIn)
            }
        }
    }

    @Test("inside, the pointer goes where it wants to")
    func free() {
        #expect(whole.goal(from: Point(10, 10), to: Point(60.5, 20.25)) == Point(60.5, 20.25))
        #expect(corner.goal(from: Point(10, 10), to: Point(90, 20)) == Point(90, 20))
    }

    @Test("at an edge it stops a point before, and goes on along it")
    func edges() {
        #expect(whole.goal(from: Point(10, 10), to: Point(200, 10)) == Point(99, 10))
        #expect(whole.goal(from: Point(10, 10), to: Point(-5, 10)) == Point(0, 10))
        #expect(whole.goal(from: Point(90, 10), to: Point(200, 40)) == Point(99, 40))
        #expect(corner.goal(from: Point(60, 10), to: Point(60, 90)) == Point(60, 90))
    }

    @Test("what does not touch is out of reach")
    func gaps() {
        let there = apart.goal(from: Point(10, 10), to: Point(90, 10))
        #expect(there == Point(19, 10))
    }

    @Test("outside, it comes to the nearest point; an empty region holds it where it is")
    func outside() {
        #expect(whole.goal(from: Point(200, 10), to: Point(150, 20)) == Point(100 - 1.0 / 256, 20))
        #expect(apart.nearest(to: Point(70, 10)) == Point(80, 10))
        #expect(PointerRegion([]).goal(from: Point(0, 0), to: Point(1, 1)) == nil)
    }

    @Test("every way ends, and ends inside")
    func ways() {
        var points: [Point] = []
        for x in stride(from: -30.0, through: 130, by: 13.37) {
            for y in stride(from: -30.0, through: 130, by: 17.71) { points.append(Point(x, y)) }
        }
        for region in [whole, corner, apart] {
            for from in points where region.contains(from) {
                for to in points {
                    let there = region.goal(from: from, to: to)
                    #expect(there.map(region.contains) == true, "from \(from) to \(to)")
                }
            }
        }
    }
}
