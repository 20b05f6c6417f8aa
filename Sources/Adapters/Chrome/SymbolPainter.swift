import CairoLibrary
import Geometry
import Glibc
import Stage

/// Draws symbols on a grid of 24 units with strokes of 1.8 and round caps.
enum SymbolPainter {
    static func paint(_ symbol: Symbol, colour: Colour4, mirrored: Bool, into picture: inout Picture) {
        let side = Double(min(picture.width, picture.height))
        let (left, top) = ((Double(picture.width) - side) / 2, (Double(picture.height) - side) / 2)
        picture.draw { context in
            cairo_translate(context, left, top)
            cairo_scale(context, side / 24, side / 24)
            // Mirror only symbols that mean "onwards" or "back" in reading direction.
            if mirrored, symbol == .chevronForward || symbol == .chevronBack {
                cairo_translate(context, 24, 0)
                cairo_scale(context, -1, 1)
            }
            cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_width(context, 1.8)
            setSource(context, colour)
            Pen(context).draw(symbol)
        }
    }
}

struct Pen {
    let context: OpaquePointer

    init(_ context: OpaquePointer) { self.context = context }

    // MARK: - Strokes and fills

    /// A line through points.
    func line(_ points: (Double, Double)..., closed: Bool = false) {
        cairo_new_path(context)
        for (x, y) in points { cairo_line_to(context, x, y) }
        if closed { cairo_close_path(context) }
        cairo_stroke(context)
    }

    func circle(_ x: Double, _ y: Double, _ radius: Double, filled: Bool = false) {
        cairo_new_path(context)
        cairo_arc(context, x, y, radius, 0, 2 * .pi)
        filled ? cairo_fill(context) : cairo_stroke(context)
    }

    /// Degrees clockwise from the right.
    func arc(_ x: Double, _ y: Double, _ radius: Double, from start: Double, to end: Double) {
        cairo_new_path(context)
        cairo_arc(context, x, y, radius, start * .pi / 180, end * .pi / 180)
        cairo_stroke(context)
    }

    func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double, filled: Bool = false
    ) {
        cairo_new_path(context)
        roundedRectangle(context, Rect(x, y, width, height), radius: radius)
        filled ? cairo_fill(context) : cairo_stroke(context)
    }

    /// Erases the shapes that `body` draws.
    func erasing(width: Double, _ body: () -> Void) {
        cairo_save(context)
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_set_line_width(context, width)
        body()
        cairo_restore(context)
    }

    /// The screen outline that arrangement symbols share.
    private func screen() { box(2.5, 4.5, 19, 15, 3) }

    func cross(_ from: Double, _ to: Double) {
        line((from, from), (to, to))
        line((to, from), (from, to))
    }

    // MARK: - Symbols

    func draw(_ symbol: Symbol) {
        switch symbol {
        case .fullScreen:
            screen()
            box(5, 7, 14, 10, 1.2, filled: true)
        case .leaveFullScreen:
            // Two corners that point inwards.
            line((10, 4), (10, 10), (4, 10))
            line((14, 20), (14, 14), (20, 14))
        case .splitLeft:
            screen()
            box(5, 7, 6, 10, 1.2, filled: true)
        case .splitRight:
            screen()
            box(13, 7, 6, 10, 1.2, filled: true)
        case .splitTop:
            screen()
            box(5, 7, 14, 4.25, 1.2, filled: true)
        case .splitBottom:
            screen()
            box(5, 12.75, 14, 4.25, 1.2, filled: true)
        case .slideOver:
            screen()
            box(13.6, 6.7, 5.6, 10.6, 1.6, filled: true)
            line((6.6, 9.2), (10, 9.2))
            line((6.6, 13), (9, 13))
        case .pictureInPicture:
            pipFrame()
            box(12.2, 12.4, 9.9, 7.7, 1.8, filled: true)
        case .newWindow:
            screen()
            line((12, 8.6), (12, 15.4))
            line((8.6, 12), (15.4, 12))
        case .allWindows:
            for (x, y) in [(3.5, 3.5), (13.5, 3.5), (3.5, 13.5), (13.5, 13.5)] { box(x, y, 7, 7, 1.8) }
        case .list: for y in [6.5, 12, 17.5] { line((4.5, y), (19.5, y)) }
        case .close: cross(6, 18)
        case .minimize: line((5, 12), (19, 12))
        case .clear:
            circle(12, 12, 9.5, filled: true)
            erasing(width: 1.9) { cross(8.7, 15.3) }
        case .search:
            circle(10.5, 10.5, 6.75)
            line((15.5, 15.5), (20.5, 20.5))
        case .add:
            line((12, 4.5), (12, 19.5))
            line((4.5, 12), (19.5, 12))
        case .swap: swap()
        case .notices:
            box(4, 4.5, 16, 6.5, 2, filled: true)
            box(4, 13, 16, 6.5, 2)
        case .controls: for x in [5.0, 12, 19] { circle(x, 12, 2.1, filled: true) }
        case .bell: bell()
        case .gear: gear()
        case .moon: moon()
        case .send:
            line((12, 20), (12, 4.5))
            line((5.5, 11), (12, 4.5), (18.5, 11))
        case .sun:
            circle(12, 12, 4.1)
            for step in 0..<8 {
                let angle = Double(step) * .pi / 4
                line((12 + 7.4 * cos(angle), 12 + 7.4 * sin(angle)), (12 + 9.8 * cos(angle), 12 + 9.8 * sin(angle)))
            }
        case .rotate: rotate()
        case .keyboard:
            box(2.2, 5.6, 19.6, 12.8, 2.4)
            for x in [6.4, 10.1, 13.9, 17.6] { circle(x, 9.6, 1, filled: true) }
            line((8, 14.4), (16, 14.4))
        case .textSize:
            letterA(left: 1.8, width: 7, top: 10.2)
            letterA(left: 10.6, width: 11.4, top: 5)
        case .motion:
            circle(15.5, 12, 5.75)
            line((2.2, 12), (6.4, 12))
            line((5, 7.4), (8.2, 7.4))
            line((5, 16.6), (8.2, 16.6))
        case .chevronForward: line((9, 5), (16, 12), (9, 19))
        case .chevronBack: line((15, 5), (8, 12), (15, 19))
        case .chevronUp: line((5, 15.5), (12, 8.5), (19, 15.5))
        case .lock:
            box(5, 10.5, 14, 10.5, 2.6, filled: true)
            arc(12, 8.2, 4.4, from: 180, to: 360)
            line((7.6, 8.2), (7.6, 11))
            line((16.4, 8.2), (16.4, 11))
        case .check: line((4.5, 12.8), (9.6, 18), (19.5, 6.6))
        case .warning:
            line((12, 3.8), (21.4, 19.8), (2.6, 19.8), closed: true)
            line((12, 9.8), (12, 13.8))
            circle(12, 16.8, 1.15, filled: true)
        case .window:
            box(2.5, 4, 19, 16, 3)
            line((3, 9), (21, 9))
            circle(5.9, 6.55, 0.8, filled: true)
            circle(8.7, 6.55, 0.8, filled: true)
        case .trash:
            line((4, 6.5), (20, 6.5))
            line((9, 6.5), (9.4, 3.6), (14.6, 3.6), (15, 6.5))
            line((5.8, 6.5), (6.8, 20.5), (17.2, 20.5), (18.2, 6.5))
            line((10.2, 10.6), (10.4, 16.6))
            line((13.8, 10.6), (13.6, 16.6))
        case .copy:
            box(8.5, 8.5, 12, 12, 2.5)
            line((5.5, 15.5), (4.5, 15.5), (3.5, 14.5), (3.5, 5.5), (5.5, 3.5), (14.5, 3.5), (15.5, 4.5), (15.5, 5.5))
        case .save:
            line((12, 3.5), (12, 14.5))
            line((7.5, 10.2), (12, 14.7), (16.5, 10.2))
            line((4, 15.5), (4, 20), (20, 20), (20, 15.5))
        case .mail:
            box(2.8, 5, 18.4, 14, 2.5)
            line((3.8, 6.6), (12, 13), (20.2, 6.6))
        case .tablet, .phone, .desktop, .television, .watch, .headgear: drawDevice(symbol)
        default: if !drawStatus(symbol) { drawSound(symbol) }
        }
    }

    /// A screen outline with a gap for the picture in its corner.
    private func pipFrame() {
        cairo_new_path(context)
        cairo_move_to(context, 9.4, 18.6)
        cairo_line_to(context, 5.5, 18.6)
        cairo_arc(context, 5.5, 15.6, 3, .pi / 2, .pi)
        cairo_line_to(context, 2.5, 7.5)
        cairo_arc(context, 5.5, 7.5, 3, .pi, 1.5 * .pi)
        cairo_line_to(context, 18.5, 4.5)
        cairo_arc(context, 18.5, 7.5, 3, 1.5 * .pi, 0)
        cairo_line_to(context, 21.5, 9.4)
        cairo_stroke(context)
    }

    func bell() {
        cairo_new_path(context)
        cairo_move_to(context, 4.2, 17.2)
        cairo_curve_to(context, 6.4, 15.2, 6.4, 13, 6.4, 10)
        cairo_curve_to(context, 6.4, 6.2, 8.8, 3.6, 12, 3.6)
        cairo_curve_to(context, 15.2, 3.6, 17.6, 6.2, 17.6, 10)
        cairo_curve_to(context, 17.6, 13, 17.6, 15.2, 19.8, 17.2)
        cairo_close_path(context)
        cairo_stroke(context)
        arc(12, 18.7, 2.6, from: 35, to: 145)
    }

    private func gear() {
        let teeth = 8, inner = 7.2, outer = 9.6
        cairo_new_path(context)
        for tooth in 0..<teeth {
            let middle = (Double(tooth) + 0.5) * 2 * .pi / Double(teeth)
            for (offset, radius) in [(-0.25, inner), (-0.16, outer), (0.16, outer), (0.25, inner)] {
                cairo_line_to(context, 12 + radius * cos(middle + offset), 12 + radius * sin(middle + offset))
            }
        }
        cairo_close_path(context)
        cairo_stroke(context)
        circle(12, 12, 3)
    }

    private func moon() {
        // A crescent: one circle minus another.
        let (x, y, radius) = (11.6, 12.4, 8.6), (cutX, cutY, cutRadius) = (17.2, 7.2, 7.0)
        let apart = hypot(cutX - x, cutY - y), towards = atan2(cutY - y, cutX - x)
        func half(_ own: Double, _ other: Double) -> Double {
            acos((own * own + apart * apart - other * other) / (2 * own * apart))
        }
        let outer = half(radius, cutRadius), inner = half(cutRadius, radius)
        cairo_new_path(context)
        cairo_arc(context, x, y, radius, towards + outer, towards - outer + 2 * .pi)
        cairo_arc_negative(context, cutX, cutY, cutRadius, towards + .pi + inner, towards + .pi - inner)
        cairo_close_path(context)
        cairo_stroke(context)
    }

    /// Two arrows one above the other, in opposite directions.
    private func swap() {
        line((4, 8.5), (20, 8.5))
        line((15.8, 4.3), (20, 8.5), (15.8, 12.7))
        line((4, 15.5), (20, 15.5))
        line((8.2, 11.3), (4, 15.5), (8.2, 19.7))
    }

    private func rotate() {
        box(9.2, 8, 5.6, 8, 1.5)
        // Two arrows on a circle, each with its head along the circle.
        for start in [200.0, 20] {
            let end = start + 125, radians = end * .pi / 180
            arc(12, 12, 9, from: start, to: end)
            let (x, y) = (12 + 9 * cos(radians), 12 + 9 * sin(radians))
            func head(_ turn: Double) -> (Double, Double) {
                let angle = radians + .pi / 2 + turn
                return (x - 3.6 * cos(angle), y - 3.6 * sin(angle))
            }
            line(head(0.62), (x, y), head(-0.82))
        }
    }

    private func letterA(left: Double, width: Double, top: Double) {
        let bottom = 19.0, middle = left + width / 2, bar = top + (bottom - top) * 0.64
        let slope = width / 2 * (bar - top) / (bottom - top)
        line((left, bottom), (middle, top), (left + width, bottom))
        line((middle - slope, bar), (middle + slope, bar))
    }
}
