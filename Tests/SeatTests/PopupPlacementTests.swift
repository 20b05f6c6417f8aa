import Geometry
import Seat
import Testing

@Suite("Places of popups")
struct PopupPlacementTests {
    private typealias Axis = PopupPlacement.Axis

    /// The text of xdg_positioner.constraint_adjustment, point by point.
    private struct ProtocolText {
        var axis: Axis
        var room: Axis.Span

        private func place(_ anchor: Int, _ gravity: Int) -> Axis.Span {
            let point = axis.anchorRect.start + [0, (axis.anchorRect.length / 2).rounded(.down), axis.anchorRect.length][anchor + 1]
            return .init(point + axis.offset - [axis.length, (axis.length / 2).rounded(.down), 0][gravity + 1], axis.length)
        }

        /// Whether an edge is past the room: -1 is the start, 1 the end.
        private func isConstrained(_ edge: Int, _ span: Axis.Span) -> Bool { edge < 0 ? span.start < room.start : span.end > room.end }
        private func isConstrained(_ span: Axis.Span) -> Bool { isConstrained(-1, span) || isConstrained(1, span) }

        private func slid(_ span: Axis.Span, _ direction: Int) -> Axis.Span {
            var span = span
            while isConstrained(-direction, span) {
                let next = Axis.Span(span.start + Double(direction), span.length)
                // As soon as the edge in front would be constrained, it ends.
                if isConstrained(direction, next) { break }
                span = next
            }
            return span
        }

        var answer: Axis.Span {
            var span = place(axis.anchor.rawValue, axis.gravity.rawValue)
            if isConstrained(span), axis.adjustments.contains(.flip) {
                let flipped = place(-axis.anchor.rawValue, -axis.gravity.rawValue)
                func seen(_ span: PopupPlacement.Axis.Span) -> Int {
                    (0..<Int(clamping: span.length)).count {
                        span.start + Double($0) >= room.start && span.start + Double($0) + 1 <= room.end
                    }
                }
                // The side with more room, where neither has enough and the popup cannot slide.
                if !isConstrained(flipped) || (!axis.adjustments.contains(.slide) && seen(flipped) > seen(span)) { span = flipped }
            }
            if isConstrained(span), axis.adjustments.contains(.slide) {
                let towards = axis.gravity == .start ? -1 : 1
                span = slid(slid(span, towards), -towards)
            }
            if isConstrained(span), axis.adjustments.contains(.resize) {
                var cut = span
                while cut.length > 0, isConstrained(-1, cut) { cut = .init(cut.start + 1, cut.length - 1) }
                while cut.length > 0, isConstrained(1, cut) { cut.length -= 1 }
                if cut.length > 0 { span = cut }
            }
            return span
        }
    }

    @Test(
        "a popup is in reach if a finger can press what of it is in the room",
        arguments: [
            (Rect(0, 0, 200, 100), true), (Rect(-156, 0, 200, 100), true), (Rect(-157, 0, 200, 100), false),
            (Rect(560, 380, 200, 100), false),
            (Rect(556, 356, 200, 100), true), (Rect(600, 0, 200, 100), false), (Rect(590, 0, 10, 10), true), (Rect(591, 0, 10, 10), false),
            (Rect(-50, -50, 900, 900), true), (Rect(0, -80, 200, 100), false),
        ])
    func isInReach(place: Rect, expected: Bool) {
        #expect(PopupPlacement.isInReach(place, in: Rect(0, 0, 600, 400)) == expected)
        // A room that is smaller than a finger: what fills it is in reach.
        #expect(PopupPlacement.isInReach(Rect(0, 0, 100, 100), in: Rect(10, 10, 30, 30)))
    }

    private static let combinations: [(Axis.Edge, Axis.Edge, UInt32)] = Axis.Edge.allCases.flatMap { anchor in
        Axis.Edge.allCases.flatMap { gravity in (0..<8 as Range<UInt32>).map { (anchor, gravity, $0 & 1 | ($0 & 2) << 1 | ($0 & 4) << 2) } }
    }

    @Test(
        "every anchor, gravity and adjustment is what the protocol says, point by point, and the side with more room where none has enough",
        arguments: [0.0, -13, 7])
    func asTheProtocolSays(offset: Double) {
        let room = Axis.Span(-4, 40)
        var shrunk = 0, moved = 0
        for (anchor, gravity, adjustments) in Self.combinations {
            for length in [1.0, 9, 20, 39, 40, 41, 60, 200] {
                for (start, extent) in [(-70.0, 3.0), (-30, 1), (-9, 8), (-4, 5), (3, 30), (12, 5), (15, 60), (30, 6), (35, 1), (60, 9)] {
                    let axis = Axis(
                        anchorRect: .init(start, extent), anchor: anchor, gravity: gravity, offset: offset, length: length,
                        adjustments: .init(rawValue: adjustments))
                    let place = axis.placed(in: room)
                    let expected = ProtocolText(axis: axis, room: room).answer
                    guard place == expected else {
                        Issue.record("\(axis): \(place), not \(expected)")
                        return
                    }
                    if place.length < length { shrunk += 1 }
                    if place.start != axis.unadjusted.start { moved += 1 }
                    #expect(place.length <= length && place.length >= 1)
                    // With all three, everything of the popup that can be in the room is.
                    if axis.adjustments == [.flip, .slide, .resize], length <= room.length {
                        #expect(place.start >= room.start && place.end <= room.end)
                    }
                }
            }
        }
        #expect(shrunk > 100 && moved > 1000)
    }

    @Test("each number of the protocol is its edges, and each bit its adjustment")
    func numbers() {
        let room = Rect(0, 0, 1180, 820), anchor = Rect(500, 300, 40, 20), size = Size(200, 100)
        func place(_ anchorValue: UInt32, _ gravity: UInt32, _ adjustments: UInt32 = 0, at rect: Rect? = nil) -> Rect {
            PopupPlacement(
                anchorRect: rect ?? anchor, anchor: anchorValue, gravity: gravity, offset: .zero, size: size, adjustments: adjustments
            )
            .placed(in: room)
        }
        // none, top, bottom, left, right, top left, bottom left, top right, bottom right
        let points: [Point] = [
            Point(520, 310), Point(520, 300), Point(520, 320), Point(500, 310), Point(540, 310), Point(500, 300), Point(500, 320),
            Point(540, 300),
            Point(540, 320),
        ]
        let corners: [Vector] = [
            Vector(-100, -50), Vector(-100, -100), Vector(-100, 0), Vector(-200, -50), Vector(0, -50), Vector(-200, -100), Vector(-200, 0),
            Vector(0, -100),
            .zero,
        ]
        for (a, point) in points.enumerated() {
            for (g, corner) in corners.enumerated() {
                #expect(place(UInt32(a), UInt32(g)) == Rect(origin: point + corner, size: size), "anchor \(a), gravity \(g)")
            }
        }
        // At the right bottom corner: each bit changes only its own axis.
        let corner = Rect(1100, 780, 10, 10)
        let expected: [UInt32: Rect] = [
            0: Rect(1110, 790, 200, 100), 1: Rect(980, 790, 200, 100), 2: Rect(1110, 720, 200, 100), 4: Rect(900, 790, 200, 100),
            8: Rect(1110, 680, 200, 100), 16: Rect(1110, 790, 70, 100), 32: Rect(1110, 790, 200, 30), 63: Rect(900, 680, 200, 100),
        ]
        for (bits, rect) in expected { #expect(place(8, 8, bits, at: corner) == rect, "adjustment \(bits)") }
        #expect(place(99, 99) == place(0, 0), "a value that the protocol does not know")
    }

    @Test("a menu that does not fit shrinks to its room, and keeps its beginning")
    func longMenus() {
        let room = Rect(0, 24, 1180, 796)
        func menu(_ entries: Double, _ adjustments: UInt32) -> Rect {
            PopupPlacement(
                anchorRect: Rect(500, 400, 100, 30), anchor: 6, gravity: 8, offset: .zero, size: Size(200, entries * 32),
                adjustments: adjustments
            ).placed(in: room)
        }
        // A button at the lower edge, as GTK 4 asks: flip or resize, and slide sideways only.
        let low = PopupPlacement(
            anchorRect: Rect(0, 786, 1180, 34), anchor: 2, gravity: 2, offset: .zero, size: Size(98, 1224), adjustments: 57)
        #expect(low.placed(in: Rect(0, 0, 1180, 820)) == Rect(541, 0, 98, 786), "it opens on the side with more room")
        #expect(menu(20, 32) == Rect(500, 430, 200, 390), "20 entries, resized only")
        #expect(menu(20, 63) == Rect(500, 180, 200, 640), "20 entries fit after a slide")
        #expect(menu(200, 63) == Rect(500, 24, 200, 796), "200 entries take the whole room")
        #expect(menu(200, 2) == Rect(500, 24, 200, 6400), "200 entries that may only slide begin at the top")
    }

    @Test("numbers at the end of their range stay numbers")
    func greatNumbers() {
        let far = Double(Int32.max)
        for sign in [-1.0, 1] {
            let place = PopupPlacement(
                anchorRect: Rect(sign * far, sign * far, far, far), anchor: 8, gravity: 8, offset: Vector(sign * far, sign * far),
                size: Size(far, far),
                adjustments: 63
            ).placed(in: Rect(0, 0, 100, 100))
            #expect(place.width >= 1 && place.height >= 1 && place == Rect(0, 0, 100, 100))
        }
    }
}
