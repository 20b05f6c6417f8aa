import Glibc

extension Wallpaper {
    /// Why a file cannot be the wallpaper; nil: it can.
    public static func objection(to path: String) -> String? {
        guard WallpaperPainter.paint(.picture(path: path), width: 16, height: 16) == nil else { return nil }
        guard access(path, R_OK) == 0 else { return String(cString: strerror(errno)) }
        let limits = ImageFile.Limits.wallpaper
        return "it is no picture that can be read, or larger than \(limits.area >> 20) megapixels or \(limits.bytes >> 20) MiB"
    }
}

/// Paints a wallpaper for a whole screen.
enum WallpaperPainter {
    /// Returns nil for the standard wallpaper, and for a picture that cannot be read.
    static func paint(_ wallpaper: Wallpaper, width: Int, height: Int) -> Picture? {
        switch wallpaper {
        case .colour(let red, let green, let blue):
            func byte(_ value: Float) -> UInt8 { value.isFinite ? UInt8(clamping: min(max(value, 0), 1) * 255 + 0.5) : 0 }
            let pixel = Picture.Pixel(red: byte(red), green: byte(green), blue: byte(blue))
            return Picture(width: width, height: height, fill: pixel.raw)
        case .picture(let path):
            var picture = Picture(width: width, height: height)
            if let file = ImageFile(path: path, limits: .wallpaper), file.draw(into: &picture, fit: .cover) {
                // Transparent parts become black.
                for index in picture.pixels.indices { picture.pixels[index] |= 0xff00_0000 }
                return picture
            }
            return nil
        case .standard: return nil
        }
    }

    // MARK: - Hills of light

    /// A hill: the area below a curve across the screen, brightest at its edge.
    private struct Hill {
        /// The height of its edge at the left, and its slope, in heights of the screen.
        var start: Float
        var slope: Float
        var wave: Float
        /// The wavelength along the width, and the phase.
        var length: Float
        var phase: Float
        /// The width of its soft edge, and how far its light reaches down.
        var edge: Float
        var reach: Float
        var light: SIMD3<Float>
        var shade: SIMD3<Float>
        var opacity: Float
    }

    private static let day: (top: SIMD3<Float>, bottom: SIMD3<Float>, hills: [Hill]) = (
        SIMD3(0.09, 0.29, 0.66), SIMD3(0.33, 0.36, 0.74),
        [
            Hill(
                start: 0.14, slope: 0.36, wave: 0.1, length: 0.75, phase: 0.4, edge: 0.16, reach: 0.36,
                light: SIMD3(0.36, 0.63, 0.9), shade: SIMD3(0.13, 0.38, 0.76), opacity: 0.9),
            Hill(
                start: 0.8, slope: -0.52, wave: 0.09, length: 0.85, phase: 2.1, edge: 0.075, reach: 0.3,
                light: SIMD3(0.61, 0.48, 0.88), shade: SIMD3(0.29, 0.3, 0.74), opacity: 0.92),
            Hill(
                start: 0.64, slope: 0.26, wave: 0.1, length: 0.7, phase: 4.0, edge: 0.05, reach: 0.26,
                light: SIMD3(0.85, 0.44, 0.56), shade: SIMD3(0.46, 0.22, 0.6), opacity: 0.92),
            Hill(
                start: 1.0, slope: -0.16, wave: 0.08, length: 0.8, phase: 5.4, edge: 0.035, reach: 0.22,
                light: SIMD3(0.88, 0.48, 0.38), shade: SIMD3(0.42, 0.16, 0.46), opacity: 0.92),
        ]
    )

    private static let night: (top: SIMD3<Float>, bottom: SIMD3<Float>, hills: [Hill]) = (
        SIMD3(0.02, 0.04, 0.10), SIMD3(0.05, 0.06, 0.16),
        [
            Hill(
                start: 0.14, slope: 0.36, wave: 0.1, length: 0.75, phase: 0.4, edge: 0.16, reach: 0.3,
                light: SIMD3(0.09, 0.25, 0.46), shade: SIMD3(0.03, 0.07, 0.19), opacity: 0.9),
            Hill(
                start: 0.8, slope: -0.52, wave: 0.09, length: 0.85, phase: 2.1, edge: 0.075, reach: 0.24,
                light: SIMD3(0.29, 0.22, 0.52), shade: SIMD3(0.06, 0.06, 0.2), opacity: 0.92),
            Hill(
                start: 0.64, slope: 0.26, wave: 0.1, length: 0.7, phase: 4.0, edge: 0.05, reach: 0.2,
                light: SIMD3(0.5, 0.2, 0.38), shade: SIMD3(0.09, 0.05, 0.19), opacity: 0.92),
            Hill(
                start: 1.0, slope: -0.16, wave: 0.08, length: 0.8, phase: 5.4, edge: 0.035, reach: 0.17,
                light: SIMD3(0.54, 0.26, 0.24), shade: SIMD3(0.08, 0.03, 0.13), opacity: 0.92),
        ]
    )

    private static func smooth(_ value: Float) -> Float {
        let t = min(max(value, 0), 1)
        return t * t * (3 - 2 * t)
    }

    static func standard(isDark: Bool, width: Int, height: Int) -> Picture {
        Picture(
            width: width, height: height,
            pixels: [UInt32](unsafeUninitializedCapacity: width * height) { pixels, count in
                count = width * height
                if let base = pixels.baseAddress { standard(isDark: isDark, width: width, height: height, into: base) }
            })
    }

    /// - Parameter pixels: uninitialized memory for `width` times `height` pixels.
    static func standard(isDark: Bool, width: Int, height: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        let look = isDark ? night : day
        // Compute colours on a coarse grid and interpolate linearly. The grid is far finer than any edge here.
        var shift = 0
        while 2 << shift <= min(width, height) / 128 { shift += 1 }
        let cell = 1 << shift
        let columns = (width + cell - 1) / cell + 1, rows = (height + cell - 1) / cell + 1
        let curves = look.hills.map { hill in
            (0..<columns).map { column -> Float in
                let u = Float(column * cell) / Float(width)
                return hill.start + hill.slope * u + hill.wave * sinf(2 * .pi * hill.length * u + hill.phase)
            }
        }
        func row(_ index: Int) -> [SIMD3<Int32>] {
            let v = Float(index * cell) / Float(height)
            let ground = look.top + (look.bottom - look.top) * min(v, 1)
            return (0..<columns).map { column in
                var colour = ground
                for (hill, curve) in zip(look.hills, curves) {
                    let depth = v - curve[column]
                    guard depth > 0 else { continue }
                    let fall = 1 + depth / hill.reach
                    let inside = hill.shade + (hill.light - hill.shade) / (fall * fall)
                    colour += (inside - colour) * (smooth(depth / hill.edge) * hill.opacity)
                }
                // 8 bits and 12 fractional bits. The last step is reserved for the dither. Convert each component by
                // itself, because converting whole vectors is slow.
                let steps = colour * (254 * 4096)
                return SIMD3(
                    Int32(steps.x.rounded(.toNearestOrEven)), Int32(steps.y.rounded(.toNearestOrEven)),
                    Int32(steps.z.rounded(.toNearestOrEven)))
            }
        }

        let dither = ditherTable()
        var above = row(0)
        // For each column, the colour in the current line and its increment per line. Then the same along the line.
        var nodes = [UInt64](repeating: 0, count: columns), downs = nodes
        for cellRow in 0..<(rows - 1) {
            let below = row(cellRow + 1)
            for column in 0..<columns {
                nodes[column] = packed(above[column])
                downs[column] = packed(between(.zero, below[column] &- above[column], times: 1, shift))
            }
            above = below
            for line in 0..<min(cell, height - cellRow * cell) {
                let y = cellRow * cell + line
                let row = pixels + y * width
                dither.withUnsafeBufferPointer { dither in
                    let dither = dither.baseAddress! + ((y & 7) << 3)
                    for cellColumn in 0..<(columns - 1) {
                        var value = nodes[cellColumn]
                        let step = part(of: nodes[cellColumn + 1], minus: value, shift)
                        let left = cellColumn * cell
                        for x in left..<min(left + cell, width) {
                            let shown = value &+ dither[x & 7]
                            row[x] =
                                0xff00_0000
                                | UInt32(truncatingIfNeeded: shown &>> 36) & 0xff0000
                                | UInt32(truncatingIfNeeded: shown &>> 24) & 0xff00
                                | UInt32(truncatingIfNeeded: shown &>> 12) & 0xff
                            value = value &+ step
                        }
                    }
                }
                for column in 0..<columns { nodes[column] = nodes[column] &+ downs[column] }
            }
        }
    }

    /// One part of `1 << shift` of the way between two packed colours, packed.
    @inline(__always)
    private static func part(of to: UInt64, minus from: UInt64, _ shift: Int) -> UInt64 {
        func channel(_ at: UInt64) -> Int64 { Int64(bitPattern: ((to &>> at) & 0xfffff) &- ((from &>> at) & 0xfffff)) &>> Int64(shift) }
        return UInt64(bitPattern: channel(40) &<< 40 &+ channel(20) &<< 20 &+ channel(0))
    }

    /// Moves from `a` towards `b` by `times` parts of `1 << shift`. Per component, because vector shifts are slow.
    @inline(__always)
    private static func between(_ a: SIMD3<Int32>, _ b: SIMD3<Int32>, times: Int32, _ shift: Int) -> SIMD3<Int32> {
        func one(_ a: Int32, _ b: Int32) -> Int32 { a &+ ((b &- a) &* times) &>> Int32(truncatingIfNeeded: shift) }
        return SIMD3(one(a.x, b.x), one(a.y, b.y), one(a.z, b.z))
    }

    /// Packs three numbers of 20 bits into one, so that one addition adds all three. Negative ones borrow from their
    /// neighbour and return it when they are added to a large enough number.
    private static func packed(_ colour: SIMD3<Int32>) -> UInt64 {
        UInt64(bitPattern: Int64(colour.x)) &<< 40 &+ UInt64(bitPattern: Int64(colour.y)) &<< 20
            &+ UInt64(bitPattern: Int64(colour.z))
    }

    /// An ordered 8 by 8 dither. The share of pixels with the next 8-bit value represents the fraction.
    private static func ditherTable() -> [UInt64] {
        (0..<64).map { index in
            let x = index & 7, y = index >> 3
            var rank = 0
            for bit in 0..<3 {
                let one = (x >> bit ^ y >> bit) & 1, two = y >> bit & 1
                rank |= (one << 1 | two) << (2 * (2 - bit))
            }
            let level = Int32(rank * 64 + 32)
            return packed(SIMD3(level, level, level))
        }
    }
}
