import Geometry
import Seat
import Testing

@Suite("Popups of input methods")
struct InputPopupTests {
    private let room = Rect(0, 0, 800, 600)

    @Test("below the caret; above it where there is no room; never past an edge")
    func places() {
        let size = Size(200, 100)
        #expect(InputPopup.origin(of: size, in: room, caret: Rect(10, 20, 2, 16)) == Point(10, 36))
        #expect(InputPopup.origin(of: size, in: room, caret: Rect(10, 580, 2, 16)) == Point(10, 480))
        #expect(InputPopup.origin(of: size, in: room, caret: Rect(700, 20, 2, 16)) == Point(600, 36))
        #expect(InputPopup.origin(of: size, in: room, caret: Rect(-50, 20, 2, 16)) == Point(0, 36))
        // Taller than what is above and below: whole, on the roomier side.
        #expect(InputPopup.origin(of: Size(200, 590), in: room, caret: Rect(10, 300, 2, 16)) == Point(10, 0))
        #expect(InputPopup.origin(of: Size(200, 590), in: room, caret: Rect(10, 200, 2, 16)) == Point(10, 10))
    }

    @Test("whatever fits a screen is whole on it, down to a watch; what is larger begins at its corner")
    func whole() {
        for room in [Rect(0, 0, 198, 242), Rect(0, 0, 396, 484), Rect(-12, 40, 240, 200)] {
            for width in stride(from: 20.0, through: 500, by: 60) {
                for height in stride(from: 20.0, through: 500, by: 60) {
                    for y in stride(from: room.minY, through: room.maxY - 16, by: 12) {
                        let size = Size(width, height), caret = Rect(room.minX + 90, y, 2, 16),
                            origin = InputPopup.origin(of: size, in: room, caret: caret)
                        let shown = Rect(origin: origin, size: size)
                        #expect(shown.minX >= room.minX && shown.minY >= room.minY)
                        if width <= room.width { #expect(shown.maxX <= room.maxX) }
                        if height <= room.height { #expect(shown.maxY <= room.maxY) }
                        if height <= room.maxY - caret.maxY { #expect(shown.minY == caret.maxY, "below the caret where there is room") }
                    }
                }
            }
        }
    }

    @Test("carets that mean nothing are known")
    func plausible() {
        #expect(InputPopup.isPlausible(x: -200_000, y: 200_001, width: 0, height: 100_000))
        #expect(!InputPopup.isPlausible(x: .min, y: 0, width: 1, height: 1))
        #expect(!InputPopup.isPlausible(x: 0, y: .max, width: 1, height: 1))
        #expect(!InputPopup.isPlausible(x: 0, y: 0, width: -1, height: 1))
        #expect(!InputPopup.isPlausible(x: 0, y: 0, width: 1, height: 100_001))
        #expect(InputPopup.isPlausible(Point(-1180, 820)))
        #expect(!InputPopup.isPlausible(Point(0, Double(Int32.min))) && !InputPopup.isPlausible(Point(Double(Int32.max), 0)))
    }

    @Test("how much there was in a stretch of time")
    func lately() {
        var lately = Lately()
        #expect(lately.add(3, at: 100, stretch: 10) == 3)
        #expect(lately.add(2, at: 110, stretch: 10) == 5)
        #expect(lately.add(2, at: 111, stretch: 10) == 2)
        #expect(lately.add(.max, at: 111, stretch: 10) == .max)
    }
}
