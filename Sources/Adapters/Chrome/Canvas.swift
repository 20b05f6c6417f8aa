import CairoLibrary
import Geometry
import Glibc

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// The largest side of a picture in pixels. A larger one is a mistake, not a screen.
let largestSide = 16384

/// The number of pixels for a length in points, at least 1. Ignores floating point errors above a whole number.
func pixels(_ points: Double, _ scale: Double) -> Int {
    let exact = points * scale
    guard exact.isFinite, exact > 1 else { return 1 }
    return Int(clamping: min((exact - 1e-6).rounded(.up), Double(largestSide)))
}

extension Picture {
    /// Draws into the picture with Cairo, one unit per pixel.
    mutating func draw(_ body: (_ context: OpaquePointer) -> Void) {
        guard width > 0, height > 0 else { return }
        let (width, height, stride) = (Int32(width), Int32(height), Int32(stride))
        pixels.withUnsafeMutableBytes { bytes in
            let surface = cairo_image_surface_create_for_data(
                bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, width, height, stride)
            let context = cairo_create(surface)!
            body(context)
            cairo_destroy(context)
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
    }

    /// Lends the picture to Cairo for reading. Do not use the surface after `body`.
    func withSurface<Result>(_ body: (_ surface: OpaquePointer) -> Result) -> Result {
        pixels.withUnsafeBytes { bytes in
            // Cairo only reads from the memory while the surface is a source.
            let base = UnsafeMutablePointer(mutating: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self))
            let surface = cairo_image_surface_create_for_data(
                base, CAIRO_FORMAT_ARGB32, Int32(width), Int32(height), Int32(stride))!
            defer {
                cairo_surface_finish(surface)
                cairo_surface_destroy(surface)
            }
            return body(surface)
        }
    }

    /// The picture with a soft shadow below it, `radius` pixels wide and `drop` pixels lower. The shadow fades out
    /// before the picture's border, so that it has no visible edge.
    func shadowed(radius: Double, drop: Double, strength: Double) -> Picture {
        let reach = max(1, Int(clamping: radius.rounded())), lower = Int(clamping: drop.rounded()), fade = Double(reach) + 1
        // Painted parts alone have a shadow. The box of a text is often much larger than the text.
        guard let (columns, rows) = shadowed(reach: reach, drop: lower) else { return self }
        let columnCount = columns.count, rowCount = rows.count
        var mask = [Int32](unsafeUninitializedCapacity: columnCount * rowCount) { mask, count in
            count = columnCount * rowCount
            for y in rows {
                for x in columns { mask[(y - rows.lowerBound) * columnCount + x - columns.lowerBound] = Int32(pixels[y * width + x] >> 24) }
            }
        }
        // Two box filters make a tent filter, which is soft enough here.
        for _ in 0..<2 {
            blur(&mask, count: rowCount, apart: columnCount, length: columnCount, step: 1, reach: reach)
            blur(&mask, count: columnCount, apart: 1, length: rowCount, step: columnCount, reach: reach)
        }
        // A tent filter thins out thin strokes, so strengthen the rest.
        let gain = strength * 2.2
        var result = self
        for y in rows {
            let from = y - lower - rows.lowerBound
            guard from >= 0 else { continue }
            for x in columns {
                let value = Double(mask[from * columnCount + x - columns.lowerBound])
                guard value > 0 else { continue }
                let border = Double(min(x, width - 1 - x, y, height - 1 - y))
                let alpha = min(value * gain, 255 * strength) * min(1, border / fade)
                let above = pixels[y * width + x] >> 24
                let shown = UInt32(clamping: alpha * Double(255 - above) / 255)
                result.pixels[y * width + x] &+= shown << 24
            }
        }
        return result
    }

    /// The part of the picture that a shadow reaches; nil if nothing is painted.
    private func shadowed(reach: Int, drop: Int) -> (columns: Range<Int>, rows: Range<Int>)? {
        var left = width, right = -1, top = height, bottom = -1
        for y in 0..<height {
            let line = pixels[(y * width)..<(y * width + width)]
            guard let first = line.firstIndex(where: { $0 >> 24 != 0 }), let last = line.lastIndex(where: { $0 >> 24 != 0 }) else {
                continue
            }
            left = min(left, first - y * width)
            right = max(right, last - y * width)
            top = min(top, y)
            bottom = y
        }
        guard bottom >= 0 else { return nil }
        return (
            max(0, left - 2 * reach)..<min(width, right + 2 * reach + 1),
            max(0, top - 2 * reach)..<min(height, bottom + 2 * reach + max(0, drop) + 1)
        )
    }
}

/// A box filter along each of `count` lines of `length` values.
private func blur(_ values: inout [Int32], count: Int, apart: Int, length: Int, step: Int, reach: Int) {
    var line = [Int32](repeating: 0, count: length)
    let size = Int32(2 * reach + 1)
    values.withUnsafeMutableBufferPointer { values in
        for index in 0..<count {
            let start = index * apart
            var sum: Int32 = 0
            for place in 0..<length { line[place] = values[start + place * step] }
            for place in 0..<min(reach, length) { sum += line[place] }
            for place in 0..<length {
                if place + reach < length { sum += line[place + reach] }
                if place - reach - 1 >= 0 { sum -= line[place - reach - 1] }
                values[start + place * step] = sum / size
            }
        }
    }
}

/// A rounded rectangle as a path of a Cairo context.
func roundedRectangle(_ context: OpaquePointer, _ rect: Rect, radius: Double) {
    let radius = max(0, min(radius, rect.width / 2, rect.height / 2))
    let right = rect.x + rect.width, bottom = rect.y + rect.height
    cairo_new_sub_path(context)
    cairo_arc(context, right - radius, rect.y + radius, radius, -.pi / 2, 0)
    cairo_arc(context, right - radius, bottom - radius, radius, 0, .pi / 2)
    cairo_arc(context, rect.x + radius, bottom - radius, radius, .pi / 2, .pi)
    cairo_arc(context, rect.x + radius, rect.y + radius, radius, .pi, 1.5 * .pi)
    cairo_close_path(context)
}

func setSource(_ context: OpaquePointer, _ colour: Colour4) {
    cairo_set_source_rgba(
        context, Double(colour.red), Double(colour.green), Double(colour.blue), Double(colour.alpha))
}
