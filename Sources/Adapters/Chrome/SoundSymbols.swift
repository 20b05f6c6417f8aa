import CairoLibrary
import Geometry
import Glibc
import Stage

/// The audio symbols, on the same grid as the others.
extension Pen {
    func drawSound(_ symbol: Symbol) {
        switch symbol {
        case .speaker:
            cone(filled: true)
            arc(11.6, 12, 4.2, from: -42, to: 42)
            arc(11.6, 12, 8.2, from: -42, to: 42)
        case .speakerQuiet:
            cairo_save(context)
            cairo_translate(context, 2.6, 0)
            cone(filled: true)
            arc(11.6, 12, 4.2, from: -42, to: 42)
            cairo_restore(context)
        case .speakerMuted:
            cone(filled: true)
            line((15.4, 9), (21.4, 15))
            line((21.4, 9), (15.4, 15))
        case .bellMuted:
            bell()
            strike()
        case .microphone: microphone()
        case .microphoneMuted:
            microphone()
            strike()
        case .play: polygon((7, 4.2), (20, 12), (7, 19.8))
        case .pause:
            box(5.6, 4.4, 4.6, 15.2, 1.3, filled: true)
            box(13.8, 4.4, 4.6, 15.2, 1.3, filled: true)
        case .stop: box(5.2, 5.2, 13.6, 13.6, 2, filled: true)
        case .nextTrack: tracks()
        case .previousTrack: turned { tracks() }
        case .skipForward: skip()
        case .skipBackward: turned { skip() }
        case .headphones: headphones()
        case .headset:
            headphones()
            // The microphone hangs below and in front.
            cairo_new_path(context)
            cairo_move_to(context, 5, 19)
            cairo_curve_to(context, 5, 21.6, 8, 21.4, 11, 20.6)
            cairo_stroke(context)
            circle(12.4, 19.4, 2.6, filled: true)
        case .bluetooth: line((6.6, 7.6), (17.2, 16.4), (12, 21.4), (12, 2.6), (17.2, 7.6), (6.6, 16.4))
        case .display:
            box(2.5, 4, 19, 13, 2.4)
            line((8.4, 20.6), (15.6, 20.6))
        case .usb: plug()
        case .lineOut:
            circle(12, 12, 9)
            circle(12, 12, 3.4, filled: true)
        case .network:
            for radius in [4.0, 8] { arc(12, 17, radius, from: -140, to: -40) }
            arc(12, 17, 12, from: -135, to: -45)
            circle(12, 17.4, 1.7, filled: true)
        case .receiver:
            box(6.5, 2.5, 11, 19, 2.6)
            line((10.2, 5.8), (13.8, 5.8))
        case .levels:
            for (x, y) in [(5.0, 15.0), (12, 8), (19, 13.4)] {
                line((x, 3.4), (x, y - 3.3))
                line((x, y + 3.3), (x, 20.6))
                circle(x, y, 2.4)
            }
        case .keyClicks:
            box(2.5, 10, 11.5, 11.5, 2.6)
            line((6, 17.6), (10.5, 17.6))
            for radius in [4.2, 7.6] { arc(13.4, 10.6, radius, from: -80, to: -10) }
        case .note:
            line((9.2, 17.6), (9.2, 5.4), (19.4, 3.4), (19.4, 15.4))
            circle(6.6, 17.8, 2.8, filled: true)
            circle(16.8, 15.6, 2.8, filled: true)
        case .call: handset()
        case .endCall:
            cairo_save(context)
            cairo_translate(context, 12, 13)
            cairo_rotate(context, 135 * .pi / 180)
            cairo_scale(context, 0.86, 0.86)
            cairo_translate(context, -12, -12)
            handset()
            cairo_restore(context)
        default: break
        }
    }

    private func polygon(_ points: (Double, Double)...) {
        cairo_new_path(context)
        for (x, y) in points { cairo_line_to(context, x, y) }
        cairo_close_path(context)
        cairo_fill_preserve(context)
        cairo_stroke(context)
    }

    /// Draws mirrored.
    private func turned(_ body: () -> Void) {
        cairo_save(context)
        cairo_translate(context, 24, 0)
        cairo_scale(context, -1, 1)
        body()
        cairo_restore(context)
    }

    /// A diagonal line with a gap on both sides.
    private func strike() {
        erasing(width: 5) { line((3.6, 3.6), (20.4, 20.4)) }
        line((3.6, 3.6), (20.4, 20.4))
    }

    private func cone(filled: Bool) {
        polygon((2.6, 9.4), (6, 9.4), (10.6, 5.2), (10.6, 18.8), (6, 14.6), (2.6, 14.6))
    }

    private func microphone() {
        box(8.6, 2.6, 6.8, 11.6, 3.4)
        arc(12, 11.4, 6.6, from: 0, to: 180)
        line((12, 18), (12, 21.4))
        line((8.4, 21.4), (15.6, 21.4))
    }

    private func tracks() {
        polygon((3.4, 6), (12, 12), (3.4, 18))
        polygon((12.4, 6), (21, 12), (12.4, 18))
    }

    /// An arc that is open at the top, where its arrowhead is.
    private func skip() {
        let radius = 9.2
        arc(12, 12.8, radius, from: -62, to: 242)
        let angle = -62 * Double.pi / 180
        let (x, y) = (12 + radius * cos(angle), 12.8 + radius * sin(angle))
        line((x - 3.4, y - 2.9), (x + 0.4, y + 0.2), (x - 3.2, y + 3.4))
    }

    private func headphones() {
        cairo_new_path(context)
        cairo_move_to(context, 3.6, 15.6)
        cairo_line_to(context, 3.6, 12.4)
        cairo_arc(context, 12, 12.4, 8.4, .pi, 2 * .pi)
        cairo_line_to(context, 20.4, 15.6)
        cairo_stroke(context)
        box(2.8, 13.6, 4.4, 6.8, 1.8, filled: true)
        box(16.8, 13.6, 4.4, 6.8, 1.8, filled: true)
    }

    private func plug() {
        line((12, 3), (12, 18.6))
        line((9.4, 5.6), (12, 2.6), (14.6, 5.6))
        line((12, 15.4), (6.6, 12.4), (6.6, 9.8))
        line((12, 13), (17.4, 10), (17.4, 8.6))
        circle(12, 20.2, 2, filled: true)
        circle(6.6, 8.8, 1.5, filled: true)
        box(15.8, 5.8, 3.2, 3.2, 0.4, filled: true)
    }

    private func handset() {
        cairo_new_path(context)
        cairo_move_to(context, 5, 3.4)
        cairo_line_to(context, 8.6, 3.4)
        cairo_line_to(context, 10.4, 8)
        cairo_line_to(context, 8, 9.6)
        cairo_curve_to(context, 9.2, 12.4, 11.6, 14.8, 14.4, 16)
        cairo_line_to(context, 16, 13.6)
        cairo_line_to(context, 20.6, 15.4)
        cairo_line_to(context, 20.6, 19)
        cairo_curve_to(context, 20.6, 20, 19.8, 20.8, 18.8, 20.7)
        cairo_curve_to(context, 10.4, 20.2, 3.8, 13.6, 3.3, 5.2)
        cairo_curve_to(context, 3.2, 4.2, 4, 3.4, 5, 3.4)
        cairo_close_path(context)
        cairo_fill_preserve(context)
        cairo_stroke(context)
    }
}
