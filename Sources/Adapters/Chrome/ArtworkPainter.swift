import CairoLibrary
import Geometry
import Stage

/// The artwork of the playing item, as set by its app. It is untrusted: nothing is fetched, and the limits of
/// `ImageFile` apply.
enum ArtworkPainter {
    /// The longest data URL, in characters. Most apps write a file instead.
    static let longest = 256 << 10

    /// - Parameter image: the decoded artwork at full size; nil paints a note instead.
    static func paint(_ image: Picture?, radius: Double, _ theme: Theme, width: Int, height: Int) -> Picture {
        rounded(image ?? placeholder(theme, width: width, height: height), radius: radius, width: width, height: height)
    }

    /// A picture of this size with round corners; nil paints nothing.
    static func rounded(_ image: Picture?, radius: Double, width: Int, height: Int) -> Picture {
        guard let image else { return Picture(width: width, height: height) }
        var picture = Picture(width: width, height: height)
        image.withSurface { surface in
            picture.draw { context in
                roundedRectangle(context, Rect(0, 0, Double(width), Double(height)), radius: radius)
                cairo_clip(context)
                cairo_set_source_surface(context, surface, 0, 0)
                cairo_paint(context)
            }
        }
        return picture
    }

    private static func placeholder(_ theme: Theme, width: Int, height: Int) -> Picture {
        var picture = Picture(width: width, height: height)
        picture.draw { context in
            setSource(context, Tokens.colour(of: .track, theme))
            cairo_paint(context)
        }
        let side = max(1, min(width, height) * 3 / 5)
        var note = Picture(width: side, height: side)
        SymbolPainter.paint(.note, colour: Tokens.colour(of: .panel, theme), mirrored: false, into: &note)
        note.withSurface { surface in
            picture.draw { context in
                cairo_set_source_surface(context, surface, Double((width - side) / 2), Double((height - side) / 2))
                cairo_paint(context)
            }
        }
        return picture
    }

    /// A local file, or the content of a data URL.
    static func file(_ url: String) -> ImageFile? {
        if url.hasPrefix("/") { return ImageFile(path: url, limits: .artwork) }
        if let rest = url.dropping(prefix: "file://") {
            // The URL may name a host, but only this machine's files are read.
            let path = rest.dropping(prefix: "localhost") ?? rest
            guard path.hasPrefix("/"), let plain = unescaped(path) else { return nil }
            return ImageFile(path: String(decoding: plain, as: UTF8.self), limits: .artwork)
        }
        guard let rest = url.dropping(prefix: "data:image/"), rest.utf8.count <= longest, let comma = rest.firstIndex(of: ",")
        else { return nil }
        let data = rest[rest.index(after: comma)...]
        let bytes = rest[..<comma].hasSuffix(";base64") ? base64(Array(data.utf8)[...]) : unescaped(data)
        return bytes.flatMap { ImageFile(bytes: $0, limits: .artwork) }
    }

    /// Decodes `%20` and the like. Returns nil for an invalid escape or a NUL character.
    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit), high + low > 0 else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension StringProtocol {
    fileprivate func dropping(prefix: String) -> SubSequence? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
