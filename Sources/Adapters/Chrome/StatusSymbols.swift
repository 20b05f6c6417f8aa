import CairoLibrary
import Stage

/// The status of the device: networks and batteries.
extension Pen {
    /// Returns whether it is one of these.
    func drawStatus(_ symbol: Symbol) -> Bool {
        switch symbol {
        case .wireless0: drawWireless(0)
        case .wireless1: drawWireless(1)
        case .wireless2: drawWireless(2)
        case .wireless3: drawWireless(3)
        case .wirelessOff:
            drawWireless(3)
            erasing(width: 4.6) { line((4, 4), (20, 20)) }
            line((4.6, 4.6), (19.4, 19.4))
        case .wired:
            box(9, 3, 6, 5.4, 1.4)
            box(3, 15.6, 6, 5.4, 1.4)
            box(15, 15.6, 6, 5.4, 1.4)
            line((12, 8.4), (12, 12))
            line((6, 15.6), (6, 12), (18, 12), (18, 15.6))
        case .cellular:
            for (index, height) in [4.5, 8.5, 12.5, 16.5].enumerated() {
                box(3.2 + Double(index) * 4.8, 20 - height, 3.2, height, 1, filled: true)
            }
        case .battery0: drawBattery(0)
        case .battery1: drawBattery(0.25)
        case .battery2: drawBattery(0.5)
        case .battery3: drawBattery(0.75)
        case .battery4: drawBattery(1)
        case .bolt: fill((13.4, 2.4), (5.6, 13.4), (11, 13.4), (10, 21.6), (18.4, 10), (12.6, 10))
        case .screenShared:
            box(2.5, 4.5, 19, 13, 2.4)
            line((12, 14.4), (12, 8))
            line((9.2, 10.6), (12, 7.8), (14.8, 10.6))
            line((8.5, 20.6), (15.5, 20.6))
        case .camera:
            box(2.4, 6.2, 13.6, 11.6, 2.6)
            fill((17.4, 11), (21.8, 7.6), (21.8, 16.4), (17.4, 13))
        case .location: fill((21, 3), (13.6, 21), (11.2, 12.8), (3, 10.4))
        case .alarm:
            arc(12, 13, 7.6, from: 0, to: 360)
            line((12, 8.6), (12, 13), (14.8, 15))
            line((3.2, 6.4), (6.6, 3.4))
            line((20.8, 6.4), (17.4, 3.4))
        case .aeroplane:
            fill(
                (12, 1.8), (13.7, 4.2), (13.7, 9.4), (22, 14.6), (22, 17), (13.7, 14.2), (13.1, 18.9), (16.2, 21), (16.2, 22.4), (12, 21.3),
                (7.8, 22.4), (7.8, 21), (10.9, 18.9), (10.3, 14.2), (2, 17), (2, 14.6), (10.3, 9.4), (10.3, 4.2))
        case .tray:
            line((3, 12.6), (3, 19.6), (21, 19.6), (21, 12.6))
            line((3, 13), (8, 13), (9.6, 15.8), (14.4, 15.8), (16, 13), (21, 13))
            box(5.6, 4.2, 5, 5, 1.4, filled: true)
            box(13.4, 4.2, 5, 5, 1.4, filled: true)
        case .drive:
            box(6.2, 9, 11.6, 12.4, 2.2)
            line((8.8, 9), (8.8, 2.8), (15.2, 2.8), (15.2, 9))
            line((11, 5.4), (11, 6.4))
            line((13, 5.4), (13, 6.4))
        case .rotationLock:
            arc(12, 12, 9.2, from: -40, to: 215)
            line((2.2, 2.6), (4.4, 7.2), (9, 5.6))
            arc(12, 12, 9.2, from: 225, to: 300)
            box(8.4, 11.4, 7.2, 5.6, 1.4, filled: true)
            arc(12, 11.2, 2.3, from: 180, to: 360)
        case .nightLight:
            arc(12, 16, 5.2, from: 180, to: 360)
            line((2.4, 16), (21.6, 16))
            line((6.5, 20.4), (17.5, 20.4))
            line((12, 4), (12, 7.4))
            line((4.2, 7.8), (6.4, 10))
            line((19.8, 7.8), (17.6, 10))
        case .flashLight:
            line((7, 2.8), (17, 2.8), (17, 6.4), (14.6, 10.4), (14.6, 21.2), (9.4, 21.2), (9.4, 10.4), (7, 6.4), closed: true)
            line((7, 6.4), (17, 6.4))
            circle(12, 13.6, 1.3, filled: true)
        case .record:
            circle(12, 12, 9)
            circle(12, 12, 4.6, filled: true)
        case .power:
            arc(12, 13, 8.4, from: -55, to: 235)
            line((12, 2.6), (12, 11.4))
        case .leave:
            line((11, 3.6), (4.4, 3.6), (4.4, 20.4), (11, 20.4))
            line((10, 12), (20.6, 12))
            line((16.4, 7.6), (20.8, 12), (16.4, 16.4))
        case .deleteBack:
            line((8, 5), (21.4, 5), (21.4, 19), (8, 19), (2.2, 12), closed: true)
            line((11.4, 9), (17.4, 15))
            line((17.4, 9), (11.4, 15))
        case .eye: drawEye()
        case .eyeClosed:
            drawEye()
            erasing(width: 4.6) { line((4, 4), (20, 20)) }
            line((4.6, 4.6), (19.4, 19.4))
        default: return false
        }
        return true
    }

    /// A dot and arcs above it, of which `strength` are whole. Weak arcs are there, but thin.
    private func drawWireless(_ strength: Int) {
        circle(12, 18.6, 1.7, filled: true)
        for (index, radius) in [5.2, 9.4, 13.6].enumerated() {
            cairo_set_line_width(context, index < strength ? 2.3 : 0.7)
            arc(12, 18.6, radius, from: 225, to: 315)
        }
        cairo_set_line_width(context, 1.8)
    }

    private func drawEye() {
        arc(12, 20.4, 13, from: 220, to: 320)
        arc(12, 3.6, 13, from: 40, to: 140)
        circle(12, 12, 3.2)
    }

    private func drawBattery(_ level: Double) {
        box(1.4, 5.6, 19, 12.8, 3)
        line((22.6, 10), (22.6, 14))
        if level > 0 { box(3.3, 7.5, 15.2 * level, 9, 1.4, filled: true) }
    }

    private func fill(_ points: (Double, Double)...) {
        cairo_new_path(context)
        for (x, y) in points { cairo_line_to(context, x, y) }
        cairo_close_path(context)
        cairo_fill(context)
    }
}
