import CairoLibrary
import Glibc
import PNGLibrary
import Processes

/// Reads PNG files through Cairo and writes them through libpng.
public enum PNG {
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String

        init(_ status: cairo_status_t, _ what: String) {
            description = "\(what): \(String(cString: cairo_status_to_string(status)))"
        }

        init(_ what: String) { description = what }
    }

    /// Encodes premultiplied ARGB32 rows of `stride` bytes. Throws if the size is empty or memory runs out.
    ///
    /// It prefers speed to small files, because the event loop waits for screenshots, and kept pictures are read again: a third of
    /// the time that Cairo takes, for files up to twice as large.
    public static func encode(
        pixels: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int
    ) throws(Failure) -> [UInt8] {
        guard width > 0, height > 0, width <= 32767, height <= 32767, stride >= width * 4, stride % 4 == 0 else {
            throw Failure("a picture of \(width)x\(height) pixels with rows of \(stride) bytes cannot be written")
        }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = PNG_FORMAT_BGRA
        image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        defer { png_image_free(&image) }
        let straight = unpremultiplied(pixels, width: width, height: height, stride: stride)
        // At most: deflate adds 5 bytes to 16 KiB that it cannot compress, and each chunk of 8 KiB has 12 bytes of its own.
        let most = (width * 4 + 1) * height
        var size = png_alloc_size_t(most + most / 256 + 4096)
        let out = [UInt8](unsafeUninitializedCapacity: Int(size)) { room, count in
            let rows = png_int_32(straight == nil ? stride : width * 4)
            let done =
                straight.map { png_image_write_to_memory(&image, room.baseAddress, &size, 0, $0, rows, nil) }
                ?? png_image_write_to_memory(&image, room.baseAddress, &size, 0, pixels, rows, nil)
            count = done == 0 ? 0 : Int(size)
        }
        guard !out.isEmpty else {
            let reason = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw Failure("the picture cannot be written as PNG: \(reason)")
        }
        return out
    }

    /// The colours as PNG wants them, not multiplied by their alpha; nil if all are opaque, so that `pixels` can be written as they are.
    private static func unpremultiplied(_ pixels: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int) -> [UInt8]? {
        func row(_ y: Int) -> UnsafePointer<UInt8> { pixels + y * stride }
        guard (0..<height).contains(where: { y in (0..<width).contains { row(y)[$0 * 4 + 3] != 255 } }) else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = row(y) + x * 4, alpha = Int(pixel[3])
                for channel in 0..<3 {
                    out.append(alpha == 0 ? 0 : UInt8(min(255, (Int(pixel[channel]) * 255 + alpha / 2) / alpha)))
                }
                out.append(pixel[3])
            }
        }
        return out
    }

    public static func encode(_ picture: Picture) throws(Failure) -> [UInt8] {
        let result: Result<[UInt8], Failure> = picture.pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return .failure(Failure("the picture is empty")) }
            do throws(Failure) {
                return .success(
                    try encode(
                        pixels: base.assumingMemoryBound(to: UInt8.self), width: picture.width, height: picture.height,
                        stride: picture.stride))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Writes a file that only this user can read (0600), atomically. Throws the reason if it cannot be written.
    public static func write(
        pixels: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int, to path: String
    ) throws(Failure) {
        try save(try encode(pixels: pixels, width: width, height: height, stride: stride), to: path)
    }

    public static func write(_ picture: Picture, to path: String) throws(Failure) {
        try save(try encode(picture), to: path)
    }

    private static func save(_ bytes: [UInt8], to path: String) throws(Failure) {
        do throws(PrivateFile.Failure) {
            try PrivateFile.write(bytes, to: path)
        } catch {
            throw Failure(error.description)
        }
    }

    /// Throws if the file cannot be read or is not a PNG.
    public static func read(_ path: String) throws(Failure) -> Picture {
        guard access(path, R_OK) == 0 else { throw Failure("\(path) cannot be read: \(String(cString: strerror(errno)))") }
        return try picture(of: cairo_image_surface_create_from_png(path), named: path)
    }

    /// Throws if the bytes are not a PNG.
    public static func decode(_ bytes: [UInt8]) throws(Failure) -> Picture {
        var rest = bytes[...]
        let surface = withUnsafeMutablePointer(to: &rest) { room in
            cairo_image_surface_create_from_png_stream(
                { user, target, count in
                    let rest = user!.assumingMemoryBound(to: ArraySlice<UInt8>.self)
                    guard rest.pointee.count >= Int(count), let target else { return CAIRO_STATUS_READ_ERROR }
                    for index in 0..<Int(count) { target[index] = rest.pointee[rest.pointee.startIndex + index] }
                    rest.pointee = rest.pointee.dropFirst(Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, room)
        }
        return try picture(of: surface, named: "the picture")
    }

    private static func picture(of surface: OpaquePointer?, named name: String) throws(Failure) -> Picture {
        defer { cairo_surface_destroy(surface) }
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else { throw Failure(status, "\(name) cannot be read as PNG") }
        let format = cairo_image_surface_get_format(surface)
        guard format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24 else {
            throw Failure("\(name) has an unsupported pixel format")
        }
        let width = Int(cairo_image_surface_get_width(surface)), height = Int(cairo_image_surface_get_height(surface))
        guard let data = cairo_image_surface_get_data(surface) else { throw Failure("\(name) has no pixels") }
        var picture = Picture(
            width: width, height: height, stride: Int(cairo_image_surface_get_stride(surface)), bytes: data)
        // Without alpha, these bits are undefined.
        if format == CAIRO_FORMAT_RGB24 { for index in picture.pixels.indices { picture.pixels[index] |= 0xff00_0000 } }
        return picture
    }
}
