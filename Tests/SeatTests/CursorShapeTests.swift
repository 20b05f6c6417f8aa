import Seat
import Testing

@Suite("Shapes of the cursor")
struct CursorShapeTests {
    @Test(
        "numbers are the protocol's",
        arguments: [
            (1, "default", "left_ptr"), (9, "text", "xterm"), (20, "ne-resize", "top_right_corner"), (34, "zoom-out", "left_ptr"),
            (36, "all-resize", "fleur"),
        ] as [(UInt32, String, String)])
    func numbers(number: UInt32, name: String, x11: String) {
        let shape = CursorShape.of(number: number, version: 2)
        #expect(shape?.name == name && shape?.x11 == x11)
    }

    @Test("each version has its own last one")
    func versions() {
        #expect(CursorShape.of(number: 34, version: 1)?.name == "zoom-out")
        #expect(CursorShape.of(number: 35, version: 1) == nil)
        #expect(CursorShape.of(number: 35, version: 2)?.name == "dnd-ask")
        #expect(CursorShape.of(number: 37, version: 2) == nil)
        #expect(CursorShape.of(number: 0, version: 2) == nil)
        #expect(CursorShape.of(number: .max, version: 2) == nil)
    }
}
