import Geometry
import Glibc
import PixbufLibrary

/// An untrusted image file. All limits are checked before it is decoded.
struct ImageFile {
    struct Limits {
        /// Bytes of the file.
        var bytes: Int
        /// Bytes of a vector graphic after unpacking.
        var vectorBytes: Int
        /// Pixels per side in the file.
        var side: Int
        /// Pixels in total.
        var area: Int

        static let icon = Limits(bytes: 8 << 20, vectorBytes: 2 << 20, side: 4096, area: 4 << 20)
        static let artwork = Limits(bytes: 8 << 20, vectorBytes: 256 << 10, side: 3072, area: 5 << 20)
        /// Photos of cameras and phones. A JPEG is decoded at an eighth of its size; the largest PNG takes 100 MiB in a process of its own.
        static let picture = Limits(bytes: 32 << 20, vectorBytes: 256 << 10, side: 16384, area: 25 << 20)
        static let wallpaper = Limits(bytes: 64 << 20, vectorBytes: 8 << 20, side: 16384, area: 64 << 20)
    }

    enum Fit { case inside, cover }

    private let bytes: [UInt8]
    private let limits: Limits

    /// Returns nil if the file cannot be read without waiting, is not a regular file, or is too large.
    init?(path: String, limits: Limits) {
        // O_PATH does not open the file yet: opening a pipe or a device may block or have side effects.
        let place = open(path, ImageFile.placeOnly | O_CLOEXEC)
        guard place >= 0 else { return nil }
        defer { close(place) }
        var status = stat()
        guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            status.st_size <= limits.bytes
        else { return nil }
        let file = open("/proc/self/fd/\(place)", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let size = Int(status.st_size)
        bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            while count < size {
                let more = Glibc.read(file, room.baseAddress! + count, size - count)
                if more <= 0 { break }
                count += more
            }
        }
        self.limits = limits
    }

    /// An image in memory. Returns nil if it is too large.
    init?(bytes: [UInt8], limits: Limits) {
        guard !bytes.isEmpty, bytes.count <= limits.bytes else { return nil }
        self.bytes = bytes
        self.limits = limits
    }

    /// O_PATH, which Swift does not import.
    private static let placeOnly: Int32 = 0o10000000

    /// The reason to refuse the file without decoding; nil if there is none.
    var refusal: String? {
        guard Kind(bytes) == .jpeg else { return nil }
        let scans = jpegScans(bytes)
        return scans > ImageFile.mostScans ? "a JPEG of \(scans) scans, where \(ImageFile.mostScans) are taken" : nil
    }

    /// The most scans of a progressive JPEG. Encoders write about ten. Each takes few bytes, but decodes the whole
    /// picture.
    static let mostScans = 100

    /// Draws the image in the middle, keeping its aspect ratio. Returns false, and leaves the picture unchanged, if
    /// the image is broken or of an unsupported format.
    func draw(into picture: inout Picture, fit: Fit) -> Bool {
        var drawn = Picture(width: picture.width, height: picture.height)
        switch Kind(bytes) {
        case .png:
            guard let size = pngSize(bytes), allows(size.width, size.height), isWholePNG(bytes) else { return false }
            // Cairo's reader does not support every kind of PNG in every version. The image library does.
            guard let image = (try? PNG.decode(bytes)) ?? decoded(as: "png", into: picture, fit) else { return false }
            image.draw(into: &drawn, fit: fit)
        case .jpeg, .webp:
            guard refusal == nil else { return false }
            let type = Kind(bytes) == .jpeg ? "jpeg" : "webp"
            guard let image = decoded(as: type, into: picture, fit) else { return false }
            image.draw(into: &drawn, fit: fit)
        case .xpm:
            guard let size = xpmSize(bytes), allows(size.width, size.height),
                let image = decoded(as: "xpm", into: picture, fit)
            else { return false }
            image.draw(into: &drawn, fit: fit)
        case .packed:
            guard let text = unpacked(bytes, limit: limits.vectorBytes), render(text, into: &drawn, fit) else {
                return false
            }
        case .vector:
            guard bytes.count <= limits.vectorBytes, render(bytes, into: &drawn, fit) else { return false }
        case nil:
            return false
        }
        picture = drawn
        return true
    }

    private func allows(_ width: Int, _ height: Int) -> Bool {
        width > 0 && height > 0 && width <= limits.side && height <= limits.side && width * height <= limits.area
    }

    // MARK: - Vector graphics

    private func render(_ text: [UInt8], into picture: inout Picture, _ fit: Fit) -> Bool {
        guard embedsNothingLarge(text), VectorCost.isAffordable(text), let library = VectorLibrary.loaded else { return false }
        var failure: UnsafeMutablePointer<GError>?
        defer { if failure != nil { g_error_free(failure) } }
        // A document from memory has no base URL, so the library follows no reference to another file.
        guard let handle = library.read(text, gsize(text.count), &failure) else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(handle)) }

        var box = Rect(0, 0, Double(picture.width), Double(picture.height))
        if fit == .cover {
            var width = 0.0, height = 0.0
            if library.size(handle, &width, &height) != 0, width > 0, height > 0 {
                box = covering(width, height, box)
            }
        }
        var succeeded = false
        picture.draw { context in
            var view = (box.x, box.y, box.width, box.height)
            succeeded = withUnsafePointer(to: &view) { library.render(handle, context, $0, &failure) } != 0
        }
        // A document that draws nothing is not an icon.
        return succeeded && picture.pixels.contains { $0 >> 24 != 0 }
    }

    /// The library decodes images inside a vector graphic at whatever size they claim.
    private func embedsNothingLarge(_ text: [UInt8]) -> Bool {
        func has(_ word: StaticString) -> Bool { find(word, in: text, from: 0) != nil }
        guard has("image") || has("Image") else { return true }
        // Entities and escapes could hide those claims from this check.
        if has("<!ENTITY") || has("&#") { return false }
        var place = 0
        while let found = find("base64,", in: text, from: place) {
            place = found + 7
            guard let head = base64(text[place...].prefix(80)), Kind(head) == .png, let size = pngSize(head),
                allows(size.width, size.height)
            else { return false }
        }
        return true
    }

    // MARK: - Decoding with the image library

    private func decoded(as type: String, into picture: Picture, _ fit: Fit) -> Picture? {
        guard let loader = gdk_pixbuf_loader_new_with_type(type, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        var wish = SizeWish(limits: limits, width: picture.width, height: picture.height, covers: fit == .cover)
        return withUnsafeMutablePointer(to: &wish) { wish in
            let prepared:
                @convention(c) (
                    UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?
                ) -> Void = { loader, width, height, wish in
                    guard let loader, let wish else { return }
                    let size = wish.assumingMemoryBound(to: SizeWish.self).pointee.size(Int(width), Int(height))
                    // Without a size, the library gives up.
                    gdk_pixbuf_loader_set_size(loader, gint(size.width), gint(size.height))
                }
            // GLib declares all callbacks without arguments. The signal defines the real ones.
            g_signal_connect_data(
                UnsafeMutableRawPointer(loader), "size-prepared", unsafeBitCast(prepared, to: GCallback.self),
                UnsafeMutableRawPointer(wish), nil, GConnectFlags(rawValue: 0))
            let wrote = gdk_pixbuf_loader_write(loader, bytes, gsize(bytes.count), nil) != 0
            // Close it in any case.
            let closed = gdk_pixbuf_loader_close(loader, nil) != 0
            guard wrote, closed, let image = gdk_pixbuf_loader_get_pixbuf(loader),
                let upright = gdk_pixbuf_apply_embedded_orientation(image)
            else { return nil }
            defer { g_object_unref(UnsafeMutableRawPointer(upright)) }
            return Picture(upright, limits)
        }
    }

    private struct SizeWish {
        var limits: Limits
        var width: Int
        var height: Int
        var covers: Bool

        /// The size to decode an image to: as large as shown, but never larger than the image.
        func size(_ ownWidth: Int, _ ownHeight: Int) -> (width: Int, height: Int) {
            guard ownWidth > 0, ownHeight > 0, ownWidth <= limits.side, ownHeight <= limits.side,
                ownWidth * ownHeight <= limits.area
            else { return (0, 0) }
            // The image may be rotated by a quarter turn, so use the larger of both results.
            let across = Double(max(width, height)) / Double(min(ownWidth, ownHeight))
            let factor = covers ? min(1, across) : 1
            func scaled(_ side: Int) -> Int { max(1, Int(clamping: (Double(side) * factor).rounded(.up))) }
            return (scaled(ownWidth), scaled(ownHeight))
        }
    }
}

extension Picture {
    /// Copies the image library's pixels. Returns nil for an unsupported pixel format.
    fileprivate init?(_ image: OpaquePointer, _ limits: ImageFile.Limits) {
        let width = Int(gdk_pixbuf_get_width(image)), height = Int(gdk_pixbuf_get_height(image))
        let channels = Int(gdk_pixbuf_get_n_channels(image)), stride = Int(gdk_pixbuf_get_rowstride(image))
        guard width > 0, height > 0, width <= limits.side, height <= limits.side, width * height <= limits.area,
            gdk_pixbuf_get_bits_per_sample(image) == 8, channels == 3 || channels == 4,
            let source = gdk_pixbuf_read_pixels(image)
        else { return nil }
        self.init(width: width, height: height)
        pixels.withUnsafeMutableBufferPointer { room in
            for y in 0..<height {
                var from = source + y * stride
                let row = room.baseAddress! + y * width
                for x in 0..<width {
                    let alpha = channels == 4 ? UInt32(from[3]) : 255
                    let red = UInt32(from[0]), green = UInt32(from[1]), blue = UInt32(from[2])
                    row[x] =
                        alpha == 255
                        ? 0xff00_0000 | red << 16 | green << 8 | blue
                        : alpha << 24 | (red * alpha + 127) / 255 << 16 | (green * alpha + 127) / 255 << 8
                            | (blue * alpha + 127) / 255
                    from += channels
                }
            }
        }
    }

    /// Draws this picture into the middle of another one, with a good scaling filter.
    fileprivate func draw(into target: inout Picture, fit: ImageFile.Fit) {
        let whole = Rect(0, 0, Double(target.width), Double(target.height))
        let (width, height) = (Double(width), Double(height))
        let box = fit == .cover ? covering(width, height, whole) : fitting(width, height, whole)
        withSurface { surface in
            target.draw { context in
                cairo_translate(context, box.x, box.y)
                cairo_scale(context, box.width / width, box.height / height)
                cairo_set_source_surface(context, surface, 0, 0)
                // The best filter averages when scaling down. When scaling up, it would show single pixels.
                let filter = box.width < width ? CAIRO_FILTER_BEST : CAIRO_FILTER_BILINEAR
                cairo_pattern_set_filter(cairo_get_source(context), filter)
                // Otherwise the outermost pixels blend with transparency, and the edge is blurred.
                cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
                cairo_rectangle(context, 0, 0, width, height)
                cairo_fill(context)
            }
        }
    }
}

private func fitting(_ width: Double, _ height: Double, _ box: Rect) -> Rect {
    placed(width, height, box, by: min(box.width / width, box.height / height))
}

private func covering(_ width: Double, _ height: Double, _ box: Rect) -> Rect {
    placed(width, height, box, by: max(box.width / width, box.height / height))
}

private func placed(_ width: Double, _ height: Double, _ box: Rect, by factor: Double) -> Rect {
    // Align to whole pixels, so that edges in the file stay sharp.
    let width = max(1, (width * factor).rounded()), height = max(1, (height * factor).rounded())
    return Rect(((box.width - width) / 2).rounded(.down), ((box.height - height) / 2).rounded(.down), width, height)
}
