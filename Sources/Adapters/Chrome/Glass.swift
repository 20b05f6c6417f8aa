import Stage

/// A background that looks like glass over a wallpaper: the wallpaper blurred, saturated and tinted. Over any
/// wallpaper, it is as light or dark as text on it needs.
struct Glass {
    /// Decides how light or dark the glass may be, by the texts and symbols on it.
    private let rule: Rule
    private let tint: SIMD3<Float>
    private let share: Float

    private struct Rule {
        /// The colours of texts and symbols, and the contrast that each needs.
        var tones: [Colour4]
        var contrast: Float
        /// Translucent fills between them and the glass.
        var between: [Colour4]
    }

    init(_ paint: Paint, _ theme: Theme) {
        let colour = Tokens.colour(of: paint, theme)
        tint = SIMD3(colour.red, colour.green, colour.blue)
        share = Tokens.tint(of: paint, theme)
        let clear = Colour4(0, 0, 0, 0)
        if paint == .dock {
            rule = Rule(tones: [Tokens.colour(of: .mark, theme)], contrast: 3, between: [clear])
        } else {
            rule = Rule(
                tones: [Tone.primary, .secondary, .destructive, .accent].map { Tokens.colour(of: $0, theme) }, contrast: 4.5,
                between: [clear, Tokens.colour(of: .control, theme), Tokens.colour(of: .pressed, theme)])
        }
    }

    // MARK: - Size

    /// The longer side in pixels. After the blur, more would not be visible.
    private static let longest = 150
    /// The radius of each of the three box filters.
    static let radius = 4

    /// The size of the glass for a screen, both in pixels.
    static func extent(width: Int, height: Int) -> (width: Int, height: Int) {
        let step = max(1, (max(width, height) + longest - 1) / longest)
        return ((width + step - 1) / step, (height + step - 1) / step)
    }

    // MARK: - Painting

    /// - Parameters:
    ///   - ground: in the size of the glass.
    ///   - isInFrame: whether it is painted within a frame. Colours then have 64 levels instead of 256 before the tint, so that few have
    ///     to be computed: a third of the time.
    func picture(of ground: Picture, isInFrame: Bool = false) -> Picture {
        var out = Glass.blurred(ground)
        let bounds = Bounds(rule, isDark: tint.x < 0.5)
        guard !isInFrame else {
            // Opaque, so 0 stands for unknown.
            var known = [UInt32](repeating: 0, count: 1 << 18)
            for index in out.pixels.indices {
                let pixel = out.pixels[index]
                let place = Int(pixel >> 18 & 63) << 12 | Int(pixel >> 10 & 63) << 6 | Int(pixel >> 2 & 63)
                if known[place] == 0 { known[place] = tinted(pixel & 0xfffc_fcfc | 0x02_0202, bounds) }
                out.pixels[index] = known[place]
            }
            return out
        }
        // Neighbouring pixels are often equal.
        var last: (from: UInt32, to: UInt32)?
        for index in out.pixels.indices {
            let pixel = out.pixels[index]
            if let last, last.from == pixel {
                out.pixels[index] = last.to
                continue
            }
            out.pixels[index] = tinted(pixel, bounds)
            last = (pixel, out.pixels[index])
        }
        return out
    }

    private func tinted(_ pixel: UInt32, _ bounds: Bounds) -> UInt32 {
        var colour = SIMD3<Float>(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255))
        colour /= 255
        // The tint makes colours faint, so saturate them.
        let grey = SIMD3(repeating: (colour * SIMD3(0.2126, 0.7152, 0.0722)).sum())
        colour = (grey + (colour - grey) * 1.8).clamped(lowerBound: .zero, upperBound: .one)
        colour += (tint - colour) * share
        if !bounds.allow(colour) {
            // Search for the smallest amount of extra tint that suffices.
            var enough: Float = 1, short: Float = 0
            for _ in 0..<6 {
                let middle = (enough + short) / 2
                if bounds.allow(colour + (tint - colour) * middle) { enough = middle } else { short = middle }
            }
            colour += (tint - colour) * enough
        }
        let bytes = SIMD3<UInt32>(colour * 255 + 0.5)
        return 0xff00_0000 | bytes.x << 16 | bytes.y << 8 | bytes.z
    }

    /// Checks the contrast of a glass colour, using lookup tables.
    private struct Bounds {
        private var luminances: [[SIMD3<Float>]]
        private var limit: Float
        private var isDark: Bool

        init(_ rule: Rule, isDark: Bool) {
            self.isDark = isDark
            let tones = rule.tones.map { $0.luminance + 0.05 }
            // Leave a small margin, because tables and pixels are quantized.
            let contrast = rule.contrast * 1.015
            limit = isDark ? tones.min()! / contrast - 0.05 : tones.max()! * contrast - 0.05
            luminances = rule.between.map { colour in
                (0..<256).map { step in
                    let level = Float(step) / 255
                    let seen = colour.over(Colour4(level, level, level))
                    // Each channel separately.
                    return SIMD3(
                        Colour4(seen.red, 0, 0).luminance, Colour4(0, seen.green, 0).luminance, Colour4(0, 0, seen.blue).luminance)
                }
            }
        }

        func allow(_ colour: SIMD3<Float>) -> Bool {
            let steps = SIMD3<Int32>(colour * 255 + 0.5)
            for table in luminances {
                let luminance = table[Int(steps.x)].x + table[Int(steps.y)].y + table[Int(steps.z)].z
                if isDark ? luminance > limit : luminance < limit { return false }
            }
            return true
        }
    }

    // MARK: - Blurring

    /// Three box filters in a row approximate a Gaussian. Edge pixels extend beyond the edge.
    static func blurred(_ picture: Picture, radius: Int = Glass.radius) -> Picture {
        guard picture.width > 0, picture.height > 0 else { return picture }
        var pixels = picture.pixels.map { SIMD3(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255)) }
        for _ in 0..<3 {
            pixels = box(pixels, width: picture.width, height: picture.height, radius)
            pixels = box(pixels, width: picture.height, height: picture.width, radius)
        }
        var out = picture
        for index in pixels.indices {
            // Each component by itself, because converting whole vectors is slow.
            let value = pixels[index] + 0.5
            out.pixels[index] = 0xff00_0000 | UInt32(value.x) << 16 | UInt32(value.y) << 8 | UInt32(value.z)
        }
        return out
    }

    /// Averages each row along itself, and writes it as a column.
    private static func box(_ pixels: [SIMD3<Float>], width: Int, height: Int, _ radius: Int) -> [SIMD3<Float>] {
        var out = [SIMD3<Float>](repeating: .zero, count: pixels.count)
        let share = 1 / Float(2 * radius + 1)
        for y in 0..<height {
            let row = y * width
            var sum = pixels[row] * Float(radius)
            for x in 0...radius { sum += pixels[row + min(x, width - 1)] }
            for x in 0..<width {
                out[x * height + y] = sum * share
                sum += pixels[row + min(x + radius + 1, width - 1)]
                sum -= pixels[row + max(x - radius, 0)]
            }
        }
        return out
    }
}

extension Picture {
    /// Scales down by averaging.
    func averaged(width: Int, height: Int) -> Picture {
        var out = Picture(width: width, height: height)
        guard width > 0, height > 0, self.width > 0, self.height > 0 else { return out }
        pixels.withUnsafeBufferPointer { from in
            for y in 0..<height {
                let top = y * self.height / height, bottom = max(top + 1, (y + 1) * self.height / height)
                for x in 0..<width {
                    let left = x * self.width / width, right = max(left + 1, (x + 1) * self.width / width)
                    var sum = SIMD4<UInt32>(repeating: 0)
                    for row in top..<bottom {
                        for column in left..<right {
                            let pixel = from[row * self.width + column]
                            sum &+= SIMD4(pixel >> 24, pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
                        }
                    }
                    let count = UInt32((bottom - top) * (right - left))
                    let mean = SIMD4(sum.x / count, sum.y / count, sum.z / count, sum.w / count)
                    out.pixels[y * width + x] = mean.x << 24 | mean.y << 16 | mean.z << 8 | mean.w
                }
            }
        }
        return out
    }
}
