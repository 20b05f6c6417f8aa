import CairoLibrary
import Geometry
import Stage

/// The tile of an app without an icon: the first letter of its name on a colour derived from its name.
enum FallbackTile {
    /// Top and bottom of the tile. White text has a contrast of at least 4.5:1 on each.
    static let palette: [(top: Colour4, bottom: Colour4)] = [
        (Colour4(0.16, 0.45, 0.80), Colour4(0.09, 0.33, 0.66)),
        (Colour4(0.37, 0.40, 0.82), Colour4(0.27, 0.28, 0.66)),
        (Colour4(0.53, 0.36, 0.78), Colour4(0.40, 0.24, 0.62)),
        (Colour4(0.72, 0.27, 0.56), Colour4(0.56, 0.17, 0.43)),
        (Colour4(0.80, 0.25, 0.31), Colour4(0.64, 0.16, 0.22)),
        (Colour4(0.72, 0.35, 0.12), Colour4(0.57, 0.25, 0.06)),
        (Colour4(0.55, 0.42, 0.10), Colour4(0.43, 0.32, 0.05)),
        (Colour4(0.20, 0.50, 0.24), Colour4(0.11, 0.38, 0.17)),
        (Colour4(0.06, 0.49, 0.45), Colour4(0.03, 0.37, 0.35)),
        (Colour4(0.07, 0.47, 0.58), Colour4(0.03, 0.36, 0.46)),
        (Colour4(0.36, 0.44, 0.53), Colour4(0.25, 0.32, 0.40)),
    ]

    static func paint(title: String, into picture: inout Picture, writer: TextPainter, theme: Theme) {
        let side = Double(min(picture.width, picture.height))
        let x = ((Double(picture.width) - side) / 2).rounded(.down)
        let y = ((Double(picture.height) - side) / 2).rounded(.down)
        let colours = palette[Int(hash(title) % UInt64(palette.count))]
        picture.draw { context in
            let fill = cairo_pattern_create_linear(0, y, 0, y + side)
            for (place, colour) in [(0.0, colours.top), (1.0, colours.bottom)] {
                cairo_pattern_add_color_stop_rgb(
                    fill, place, Double(colour.red), Double(colour.green), Double(colour.blue))
            }
            cairo_set_source(context, fill)
            roundedRectangle(context, Rect(x, y, side, side), radius: side * IconShape.radius)
            cairo_fill(context)
            cairo_pattern_destroy(fill)
        }
        let letter = initial(title)
        guard !letter.isEmpty else {
            // Without a letter, show a window symbol.
            var symbol = Picture(width: max(1, Int(clamping: side * 0.56)), height: max(1, Int(clamping: side * 0.56)))
            SymbolPainter.paint(.window, colour: .white(1), mirrored: false, into: &symbol)
            let (left, top) = ((picture.width - symbol.width) / 2, (picture.height - symbol.height) / 2)
            symbol.withSurface { surface in
                picture.draw { context in
                    cairo_set_source_surface(context, surface, Double(left), Double(top))
                    cairo_paint(context)
                }
            }
            return
        }
        var look = TextLook(style: .title, alignment: .center, lines: 1, colour: .white(1), theme: theme)
        look.size = side * 0.52
        look.lineHeight = look.size
        look.isBold = true
        writer.write(
            letter, look, into: &picture, box: Size(Double(picture.width), Double(picture.height)), scale: 1)
    }

    /// One capital letter, or one character of a name in Hangul, Kana or Han: two letters would look like an abbreviation. Empty if the
    /// name has no letter or digit.
    static func initial(_ title: String) -> String { title.first { $0.isLetter || $0.isNumber }?.uppercasedOnce ?? "" }

    /// FNV-1a. Unlike the standard library's hash, it is the same in every run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

extension Character {
    /// One character at most, because "ß" would become two.
    fileprivate var uppercasedOnce: String {
        let upper = uppercased()
        return upper.count == 1 ? upper : String(self)
    }
}
