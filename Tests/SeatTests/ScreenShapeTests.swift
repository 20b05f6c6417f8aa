import Seat
import Testing

@Suite("What a wish makes of a screen")
struct ScreenShapeTests {
    private let wide = ScreenShape(width: 1180, height: 820, scale: 1, transform: 0)

    @Test("a quarter turn swaps the sides, and the mode stays")
    func turn() {
        let upright = wide.changed(width: nil, height: nil, scale: nil, rotation: 1, canResize: false)
        #expect(upright == ScreenShape(width: 820, height: 1180, scale: 1, transform: 1))
        #expect(upright.mode == (1180, 820))
        #expect(upright.changed(width: nil, height: nil, scale: nil, rotation: 3, canResize: false).mode == (1180, 820))
        #expect(
            upright.changed(width: nil, height: nil, scale: nil, rotation: 2, canResize: false)
                == ScreenShape(width: 1180, height: 820, scale: 1, transform: 2))
    }

    @Test("a new scale keeps the room in points where any size can be, and the pixels where not")
    func scale() {
        #expect(
            wide.changed(width: nil, height: nil, scale: 2, rotation: nil, canResize: true)
                == ScreenShape(width: 2360, height: 1640, scale: 2, transform: 0))
        #expect(
            wide.changed(width: nil, height: nil, scale: 2, rotation: nil, canResize: false)
                == ScreenShape(width: 1180, height: 820, scale: 2, transform: 0))
    }

    @Test("a size is in points of the new scale, after rotation")
    func size() {
        let new = wide.changed(width: 500, height: 400, scale: 1.5, rotation: 1, canResize: true)
        #expect(new == ScreenShape(width: 750, height: 600, scale: 1.5, transform: 1))
        #expect(new.mode == (600, 750))
    }
}
