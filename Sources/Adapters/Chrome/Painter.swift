import CairoLibrary
import Geometry
import Stage

/// The background of the home screen and the app switcher.
public enum Wallpaper: Hashable, Sendable {
    /// The shell's own, light or dark.
    case standard
    /// Each from 0 to 1.
    case colour(red: Float, green: Float, blue: Float)
    /// A PNG, JPEG, WebP or SVG file that covers the screen. If it cannot be read, `standard` is painted.
    case picture(path: String)
}

/// Paints the shell's own small pictures: texts, symbols, icons, the wallpaper. It caches fonts and a thumbnail of
/// the wallpaper, but no files and no other pixels. Confined to the thread that made it.
public final class Painter {
    /// The look of everything that is painted from now on.
    public var theme = Theme()
    public var wallpaper: Wallpaper = .standard
    /// Called with the path of a wallpaper that is missing or not an image. The standard one is painted instead.
    public var onUnusableWallpaper: (String) -> Void = { _ in }
    /// A small picture of the screen from before the shell's views opened; nil without one.
    public var ground: () -> Picture? = { nil }
    private let findIcon: (_ name: String, _ pixels: Int) -> String?
    private lazy var writer = TextPainter()
    /// A thumbnail of the last wallpaper, so that the glass does not read the file again.
    private var thumbnail: (wallpaper: Wallpaper, picture: Picture)?

    /// - Parameter findIcon: returns the file of an icon by its name in the icon theme, for a side of `pixels`, or
    ///   nil.
    public init(findIcon: @escaping (_ name: String, _ pixels: Int) -> String?) {
        self.findIcon = findIcon
    }

    /// Starts loading fonts on a thread of Pango, so that they are ready when the first text is painted.
    public func findFonts() { _ = writer }

    /// The shell's own words shrink before they are cut, by a fifth at the usual size of text, and with larger text down to the usual
    /// size (P-07). Names of apps and windows, which are as long as they please, are cut.
    private func look(_ text: Text, _ style: TextStyle, _ tone: Tone, _ alignment: TextAlignment, _ lines: Int) -> TextLook {
        var look = TextLook(style: style, alignment: alignment, lines: lines, colour: Tokens.colour(of: tone, theme), theme: theme)
        switch text {
        case .verbatim: return look
        case .similar:
            look.cutsMiddle = true
            return look
        default: break
        }
        look.leastSize = style.size * max(0.8, theme.effectiveTextScale / 2)
        return look
    }

    /// Whether a text does not fit into a box of this size, in points, and ends in an ellipsis. false for other pictures.
    public func isCut(_ art: Art, size: Size) -> Bool {
        guard case .text(let text, let style, let tone, let alignment, let lines) = art else { return false }
        return writer.isCut(string(text), look(text, style, tone, alignment, lines), box: size)
    }

    /// Paints at `scale` pixels per point. The picture has `ceil(size * scale)` pixels, at least one.
    public func picture(of art: Art, size: Size, scale: Double) -> Picture {
        let scale = scale.isFinite && scale > 0 ? scale : 1
        let width = pixels(size.width, scale), height = pixels(size.height, scale)
        switch art {
        case .wallpaper:
            return wallpaperPicture(width: width, height: height)
        case .glass(let paint):
            let (width, height) = Glass.extent(width: width, height: height)
            return Glass(paint, theme).picture(of: thumbnail(width: width, height: height))
        case .glassOver(let paint, _):
            let (width, height) = Glass.extent(width: width, height: height)
            guard let ground = ground() else { return picture(of: .glass(paint), size: size, scale: scale) }
            return Glass(paint, theme).picture(of: ground.averaged(width: width, height: height), isInFrame: true)
        case .icon(let icon):
            return paint(icon, size: size, width: width, height: height)
        case .text(let text, let style, let tone, let alignment, let lines):
            var picture = Picture(width: width, height: height)
            let look = look(text, style, tone, alignment, lines)
            writer.write(string(text), look, into: &picture, box: size, scale: scale)
            return tone.hasShadow ? shadowed(picture, scale) : picture
        case .placeholder:
            // Pictures of windows are kept elsewhere.
            return Picture(width: 1, height: 1)
        case .artwork(let url, let radius):
            let file = IconFile(.artwork, path: url, width: width, height: height)
            return ArtworkPainter.paint(file.picture, radius: radius * scale, theme, width: width, height: height)
        case .picture(let path, let radius):
            let file = IconFile(.picture, path: path, width: width, height: height)
            return ArtworkPainter.rounded(file.picture, radius: radius * scale, width: width, height: height)
        case .symbol(let symbol, let tone):
            var picture = Picture(width: width, height: height)
            SymbolPainter.paint(
                symbol, colour: Tokens.colour(of: tone, theme), mirrored: theme.isRightToLeft, into: &picture)
            return tone.hasShadow ? shadowed(picture, scale) : picture
        case .aroundDisc(let paint):
            var picture = Picture(width: width, height: height)
            let colour = Tokens.colour(of: paint, theme), (w, h) = (Double(width), Double(height))
            picture.draw { context in
                cairo_rectangle(context, 0, 0, w, h)
                cairo_new_sub_path(context)
                cairo_arc_negative(context, w / 2, h / 2, min(w, h) / 2, 2 * .pi, 0)
                setSource(context, colour)
                cairo_fill(context)
            }
            return picture
        case .arrow(let side, let paint):
            var picture = Picture(width: width, height: height)
            let colour = Tokens.colour(of: paint, theme), (w, h) = (Double(width), Double(height))
            let corners =
                switch side {
                case .top: [(0, h), (w / 2, 0), (w, h)]
                case .bottom: [(0, 0), (w / 2, h), (w, 0)]
                case .left: [(w, 0), (0, h / 2), (w, h)]
                case .right: [(0, 0), (w, h / 2), (0, h)]
                }
            picture.draw { context in
                for (x, y) in corners { cairo_line_to(context, x, y) }
                cairo_close_path(context)
                setSource(context, colour)
                cairo_fill(context)
            }
            return picture
        case .outline(let paint, let radius, let line):
            var picture = Picture(width: width, height: height)
            let colour = Tokens.colour(of: paint, theme)
            picture.draw { context in
                let inset = line * scale / 2
                let (w, h) = (Double(width) - 2 * inset, Double(height) - 2 * inset)
                let r = max(0, min(radius * scale - inset, min(w, h) / 2))
                cairo_translate(context, inset, inset)
                cairo_new_sub_path(context)
                cairo_arc(context, w - r, r, r, -.pi / 2, 0)
                cairo_arc(context, w - r, h - r, r, 0, .pi / 2)
                cairo_arc(context, r, h - r, r, .pi / 2, .pi)
                cairo_arc(context, r, r, r, .pi, .pi * 1.5)
                cairo_close_path(context)
                cairo_set_line_width(context, line * scale)
                setSource(context, colour)
                cairo_stroke(context)
            }
            return picture
        }
    }

    /// Paints the opaque wallpaper into uninitialized memory for `width` times `height` pixels.
    public func paintWallpaper(width: Int, height: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        if wallpaper == .standard {
            return WallpaperPainter.standard(isDark: theme.isDark, width: width, height: height, into: pixels)
        }
        let picture = wallpaperPicture(width: width, height: height)
        if case .picture = wallpaper {
            let (width, height) = Glass.extent(width: width, height: height)
            thumbnail = (wallpaper, picture.averaged(width: width, height: height))
        }
        picture.pixels.withUnsafeBufferPointer { pixels.update(from: $0.baseAddress!, count: $0.count) }
    }

    private func thumbnail(width: Int, height: Int) -> Picture {
        if let thumbnail, thumbnail.wallpaper == wallpaper, thumbnail.picture.width == width, thumbnail.picture.height == height {
            return thumbnail.picture
        }
        return wallpaperPicture(width: width, height: height)
    }

    private func wallpaperPicture(width: Int, height: Int) -> Picture {
        if let picture = WallpaperPainter.paint(wallpaper, width: width, height: height) { return picture }
        if case .picture(let path) = wallpaper { onUnusableWallpaper(path) }
        return WallpaperPainter.standard(isDark: theme.isDark, width: width, height: height)
    }

    /// The size in pixels of a picture.
    public func extent(_ size: Size, scale: Double) -> (width: Int, height: Int) {
        let scale = scale.isFinite && scale > 0 ? scale : 1
        return (pixels(size.width, scale), pixels(size.height, scale))
    }

    /// The text that the user reads, in the theme's language.
    public func string(_ text: Text) -> String {
        switch text {
        case .verbatim(let name), .similar(let name): name
        case .message(let message, let arguments): Catalogue.string(message, arguments, theme.language)
        case .about(let message, let subject): Catalogue.string(message, [Catalogue.string(subject, [], theme.language)], theme.language)
        case .date(let day): Dates.words(day, theme.language)
        case .list(let parts, let separator): parts.map(string).joined(separator: separator)
        case .detailed(let message, let detail): Catalogue.string(message, [], theme.language) + ", " + detail
        }
    }

    /// The width in points of a text on one line. A box of this width shows it completely.
    public func width(of text: Text, style: TextStyle) -> Double {
        writer.width(of: string(text), style: style, theme: theme)
    }

    private func shadowed(_ picture: Picture, _ scale: Double) -> Picture {
        picture.shadowed(radius: 1.5 * scale, drop: 0.5 * scale, strength: theme.increasedContrast ? 0.9 : 0.6)
    }

    private func paint(_ icon: AppIcon, size: Size, width: Int, height: Int) -> Picture {
        if let picture = file(of: icon, width: width, height: height)?.picture { return IconShape.shaped(picture, size: size, theme) }
        return tile(for: icon, width: width, height: height)
    }

    private func file(of icon: AppIcon, width: Int, height: Int) -> IconFile? {
        guard let name = icon.name, !name.isEmpty, let path = name.hasPrefix("/") ? name : findIcon(name, min(width, height))
        else { return nil }
        return IconFile(path: path, width: width, height: height)
    }

    private func tile(for icon: AppIcon, width: Int, height: Int) -> Picture {
        var picture = Picture(width: width, height: height)
        FallbackTile.paint(title: icon.title, into: &picture, writer: writer, theme: theme)
        return picture
    }

    /// The file that `picture(of:size:scale:)` would read for an app, for painting in another process. nil if there
    /// is none.
    public func file(of art: Art, size: Size, scale: Double) -> IconFile? {
        let width = pixels(size.width, scale), height = pixels(size.height, scale)
        guard max(width, height) <= IconFile.most else { return nil }
        switch art {
        case .icon(let icon): return file(of: icon, width: width, height: height)
        case .artwork(let url, _): return IconFile(.artwork, path: url, width: width, height: height)
        case .picture(let path, _): return IconFile(.picture, path: path, width: width, height: height)
        default: return nil
        }
    }

    /// The picture of an art whose file another process painted. nil for `drawn` paints the fallback.
    public func picture(of art: Art, drawn: Picture?, size: Size, scale: Double) -> Picture {
        let width = pixels(size.width, scale), height = pixels(size.height, scale)
        return switch art {
        case .icon(let icon): drawn.map { IconShape.shaped($0, size: size, theme) } ?? tile(for: icon, width: width, height: height)
        case .artwork(_, let radius): ArtworkPainter.paint(drawn, radius: radius * scale, theme, width: width, height: height)
        case .picture(_, let radius): ArtworkPainter.rounded(drawn, radius: radius * scale, width: width, height: height)
        default: drawn ?? Picture(width: width, height: height)
        }
    }
}

extension Tone {
    var hasShadow: Bool { self == .onWallpaper || self == .onWallpaperSecondary }
}
