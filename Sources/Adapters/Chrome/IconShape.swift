import CairoLibrary
import Geometry
import Stage

/// Gives the icons of all apps one shape: a rounded square. An icon that is a square or a rounded square fills it. Any other
/// stands smaller on a ground.
enum IconShape {
    /// The corner radius, as a share of the side. The tile of an app without an icon has it, too.
    static let radius = 0.225
    /// The smallest side in points. Smaller icons keep their own shape, which tells them apart.
    static let least = 40.0
    /// The side of an icon on a ground, as a share of the ground's.
    private static let share = 0.72

    /// - Parameter icon: fitted into the middle of its picture.
    static func shaped(_ icon: Picture, size: Size, _ theme: Theme) -> Picture {
        guard min(size.width, size.height) >= least, let ink = Ink(of: icon) else { return icon }
        let side = Double(min(icon.width, icon.height))
        let tile = Rect(
            ((Double(icon.width) - side) / 2).rounded(.down), ((Double(icon.height) - side) / 2).rounded(.down), side, side)
        let isTile = ink.isSquare && ink.frame.width >= side * 0.7
        let ground = isTile ? nil : ground(for: ink, theme)
        // Nothing is drawn larger than it is, except the margins of an icon that is a rounded square itself.
        let scale = isTile ? side / max(ink.frame.width, ink.frame.height) : min(1, side * share / max(ink.frame.width, ink.frame.height))
        var picture = Picture(width: icon.width, height: icon.height)
        icon.withSurface { surface in
            picture.draw { context in
                roundedRectangle(context, tile, radius: side * radius)
                cairo_clip(context)
                if let ground {
                    setSource(context, ground)
                    cairo_paint(context)
                }
                cairo_translate(context, tile.center.x, tile.center.y)
                cairo_scale(context, scale, scale)
                cairo_set_source_surface(context, surface, -ink.frame.center.x, -ink.frame.center.y)
                cairo_paint(context)
            }
        }
        return picture
    }

    /// Light or dark as the theme is, unless the icon would vanish on it.
    private static func ground(for ink: Ink, _ theme: Theme) -> Colour4 {
        let isDark = theme.isDark ? ink.luminance > 0.12 : ink.luminance > 0.75
        return isDark ? Colour4(0.20, 0.21, 0.24) : Colour4(0.96, 0.96, 0.97)
    }

    /// The part of a picture that is not transparent.
    private struct Ink {
        var frame: Rect
        /// Whether it is a square, or a rounded square.
        var isSquare: Bool
        /// The mean relative luminance.
        var luminance: Float

        init?(of picture: Picture) {
            var (left, top, right, bottom) = (picture.width, picture.height, -1, -1)
            var opaque = 0, sum: Float = 0, weight: Float = 0
            picture.pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<picture.height {
                    for x in 0..<picture.width {
                        let pixel = pixels[y * picture.width + x], alpha = pixel >> 24
                        guard alpha > 24 else { continue }
                        if alpha > 200 { opaque += 1 }
                        (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
                        // Linear enough for a choice between two grounds.
                        let level = 0.2126 * Float(pixel >> 16 & 255) + 0.7152 * Float(pixel >> 8 & 255) + 0.0722 * Float(pixel & 255)
                        sum += level * level / (255 * Float(alpha))
                        weight += Float(alpha) / 255
                    }
                }
            }
            guard right >= left, bottom >= top, weight > 0 else { return nil }
            frame = Rect(Double(left), Double(top), Double(right - left + 1), Double(bottom - top + 1))
            let aspect = frame.width / frame.height
            // Of a square, a circle covers 79 %, and a square with round corners 92 % or more.
            isSquare =
                aspect > 0.93 && aspect < 1.08 && Double(opaque) >= frame.width * frame.height * 0.88 && Ink.hasSides(picture, frame)
                && !Ink.isOutlined(picture, frame)
            luminance = sum / weight
        }

        /// Whether a line runs along its sides, lighter or darker than the framed area. The shell's corners, rounder than its own, would
        /// cut pieces out of that line.
        private static func isOutlined(_ picture: Picture, _ frame: Rect) -> Bool {
            func level(_ x: Double, _ y: Double) -> Double {
                let pixel = picture[Int(clamping: x), Int(clamping: y)]
                return (0.2126 * Double(pixel.red) + 0.7152 * Double(pixel.green) + 0.0722 * Double(pixel.blue)) / 255
            }
            let line = max(1, (frame.width * 0.02).rounded()), inside = max(3, (frame.width * 0.09).rounded())
            func differs(_ outer: (Double) -> (Double, Double), _ inner: (Double) -> (Double, Double)) -> Bool {
                let shares = stride(from: 0.3, through: 0.7, by: 0.05)
                return shares.allSatisfy { share in
                    let (a, b) = (outer(share), inner(share))
                    return abs(level(a.0, a.1) - level(b.0, b.1)) > 0.2
                }
            }
            let (x, y, w, h) = (frame.x, frame.y, frame.width, frame.height)
            let sides = [
                differs({ (x + w * $0, y + line) }, { (x + w * $0, y + inside) }),
                differs({ (x + w * $0, y + h - 1 - line) }, { (x + w * $0, y + h - 1 - inside) }),
                differs({ (x + line, y + h * $0) }, { (x + inside, y + h * $0) }),
                differs({ (x + w - 1 - line, y + h * $0) }, { (x + w - 1 - inside, y + h * $0) }),
            ]
            return sides.count { $0 } >= 3
        }

        /// Whether all four sides are straight: the middle half of each is opaque. Those of a folder or a page are not.
        private static func hasSides(_ picture: Picture, _ frame: Rect) -> Bool {
            let inset = frame.inset(by: max(1, (frame.width * 0.03).rounded()))
            func isOpaque(_ x: Double, _ y: Double) -> Bool { picture[Int(clamping: x), Int(clamping: y)].alpha > 200 }
            return (0...20).allSatisfy { step in
                let share = 0.25 + Double(step) * 0.025, x = frame.x + frame.width * share, y = frame.y + frame.height * share
                return isOpaque(x, inset.minY) && isOpaque(x, inset.maxY - 1) && isOpaque(inset.minX, y) && isOpaque(inset.maxX - 1, y)
            }
        }
    }
}
