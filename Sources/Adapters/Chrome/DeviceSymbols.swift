import CairoLibrary
import Stage

/// Device families.
extension Pen {
    func drawDevice(_ symbol: Symbol) {
        switch symbol {
        case .tablet:
            box(5, 2.5, 14, 19, 2.6)
            line((10, 18.4), (14, 18.4))
        case .phone:
            box(7.9, 2.5, 8.2, 19, 2.4)
            line((11, 18.4), (13, 18.4))
        case .desktop:
            box(4.2, 4.5, 15.6, 11, 2)
            line((2, 19.2), (22, 19.2))
            line((9.5, 19.2), (10.2, 18.2), (13.8, 18.2), (14.5, 19.2))
        case .television:
            box(2.5, 8, 19, 12.5, 2.4)
            line((7.5, 3), (12, 7.6), (16.5, 3))
        case .watch:
            box(6.5, 7, 11, 10, 2.8)
            line((8.6, 7), (9.4, 2.6), (14.6, 2.6), (15.4, 7))
            line((8.6, 17), (9.4, 21.4), (14.6, 21.4), (15.4, 17))
        case .headgear:
            line(
                (4.5, 7.5), (19.5, 7.5), (21.5, 9.5), (21.5, 14.5), (19.5, 17), (15.5, 17), (12, 14), (8.5, 17), (4.5, 17), (2.5, 14.5),
                (2.5, 9.5), closed: true)
        default: break
        }
    }
}
