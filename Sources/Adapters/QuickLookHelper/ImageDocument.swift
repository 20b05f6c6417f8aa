import Geometry
import Glibc
import PixbufLibrary

/// An image of any format that gdk-pixbuf reads. Of an animation, the first picture.
final class ImageDocument: Document {
    static let mostBytes = 256 << 20
    /// Four bytes of memory each.
    static let mostPixels = 100_000_000

    let sizes: [Size]
    private let image: OpaquePointer

    /// The size in the image's header, and whether it is too large.
    private final class Head {
        var width = 0
        var height = 0
        var isTooLarge: Bool { width > 0 && height > 0 && (width > mostPixels || height > mostPixels || width * height > mostPixels) }
    }

    init() throws(Trouble) {
        let (bytes, length) = try readFile(limit: Self.mostBytes)
        guard length <= Self.mostBytes else {
            throw Trouble(.large, "has \(length >> 20) MiB, and images may have \(Self.mostBytes >> 20)")
        }
        let loader = gdk_pixbuf_loader_new()!
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        let head = Head()
        let prepared: @convention(c) (UnsafeMutableRawPointer?, Int32, Int32, UnsafeMutableRawPointer?) -> Void = {
            loader, width, height, data in
            let head = Unmanaged<Head>.fromOpaque(data!).takeUnretainedValue()
            (head.width, head.height) = (Int(width), Int(height))
            // Before the pixels are made: one is enough to go on to the error.
            if head.isTooLarge { gdk_pixbuf_loader_set_size(loader?.assumingMemoryBound(to: GdkPixbufLoader.self), 1, 1) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(loader), "size-prepared", unsafeBitCast(prepared, to: GCallback.self),
            Unmanaged.passUnretained(head).toOpaque(), nil, GConnectFlags(rawValue: 0))
        var error: UnsafeMutablePointer<GError>?
        var done = 0, succeeded = true
        // In pieces, so that a size that is too large is seen before much is decoded.
        while succeeded, done < bytes.count, !head.isTooLarge {
            let count = min(16384, bytes.count - done)
            succeeded = bytes.withUnsafeBytes { all in
                gdk_pixbuf_loader_write(loader, all.baseAddress!.assumingMemoryBound(to: UInt8.self) + done, gsize(count), &error) != 0
            }
            done += count
        }
        // A short file is decoded only now.
        let closed = (succeeded ? gdk_pixbuf_loader_close(loader, &error) : gdk_pixbuf_loader_close(loader, nil)) != 0
        if head.isTooLarge {
            throw Trouble(.large, "has \(head.width) × \(head.height) pixels, and \(Self.mostPixels / 1_000_000) million can be shown")
        }
        guard succeeded, closed, let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
            let upright = gdk_pixbuf_apply_embedded_orientation(decoded)
        else { throw Trouble(.broken, error.map { Self.words($0) } ?? "is broken or incomplete") }
        image = upright
        sizes = [Size(Double(gdk_pixbuf_get_width(upright)), Double(gdk_pixbuf_get_height(upright)))]
    }

    private static func words(_ error: UnsafeMutablePointer<GError>) -> String {
        let text = String(cString: error.pointee.message)
        return text.first.map { $0.lowercased() + text.dropFirst() } ?? "is broken"
    }

    func draw(_ part: Part, into memory: UnsafeMutableRawPointer) throws(Trouble) {
        let columns = Int32(part.columns), rows = Int32(part.rows)
        guard let scaled = gdk_pixbuf_new(GDK_COLORSPACE_RGB, gdk_pixbuf_get_has_alpha(image), 8, columns, rows) else {
            throw Trouble(.costly, "needs too much memory")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(scaled)) }
        let across = Double(part.width) / sizes[0].width, down = Double(part.height) / sizes[0].height
        // Beyond an enlargement of four times, a person wants to see pixels.
        gdk_pixbuf_scale(
            image, scaled, 0, 0, columns, rows, -Double(part.x), -Double(part.y), across, down,
            across > 4 ? GDK_INTERP_NEAREST : GDK_INTERP_BILINEAR)
        guard let source = gdk_pixbuf_get_pixels(scaled) else { throw Trouble(.costly, "needs too much memory") }
        let stride = Int(gdk_pixbuf_get_rowstride(scaled)), step = Int(gdk_pixbuf_get_n_channels(scaled))
        let target = memory.assumingMemoryBound(to: UInt32.self)
        for y in 0..<part.rows {
            var from = source + y * stride
            let to = target + y * part.columns
            if step == 3 {
                for x in 0..<part.columns {
                    to[x] = 0xff00_0000 | UInt32(from[0]) << 16 | UInt32(from[1]) << 8 | UInt32(from[2])
                    from += 3
                }
            } else {
                for x in 0..<part.columns {
                    let alpha = UInt32(from[3])
                    func with(_ value: UInt8) -> UInt32 { (UInt32(value) &* alpha &+ 127) / 255 }
                    to[x] = alpha << 24 | with(from[0]) << 16 | with(from[1]) << 8 | with(from[2])
                    from += 4
                }
            }
        }
    }
}
