import Stage

/// A ground that looks like glass before a wallpaper: the wallpaper blurred, richer in colour, under a tint. It is as light or
/// dark as text on it needs, over any wallpaper.
struct Glass {
    /// What stands on the glass decides how light or dark it may be.
    private let rule: Rule
    private let tint: SIMD3<Float>
    private let share: Float

    private struct Rule {
        /// Texts and marks, with the contrast that each needs.
        var tones: [Colour4]
        var contrast: Float
        /// What lies between them and the glass.
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

    /// Pixels of the longer side. The blur leaves nothing that would need more.
    private static let longest = 150
    /// Of each of the three boxes.
    static let radius = 4

    /// Pixels of the glass for a screen of so many.
    static func extent(width: Int, height: Int) -> (width: Int, height: Int) {
        let step = max(1, (max(width, height) + longest - 1) / longest)
        return ((width + step - 1) / step, (height + step - 1) / step)
    }

    // MARK: - Painting

    /// `wallpaper`: as many pixels as the glass has.
    func picture(of wallpaper: Picture) -> Picture {
        var out = Glass.blurred(wallpaper)
        let bounds = Bounds(rule, isDark: tint.x < 0.5)
        // Neighbours are often the same.
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
        var colour = SIMD3(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255)) / 255
        // Under a tint colours are faint.
        let grey = SIMD3(repeating: (colour * SIMD3(0.2126, 0.7152, 0.0722)).sum())
        colour = (grey + (colour - grey) * 1.8).clamped(lowerBound: .zero, upperBound: .one)
        colour += (tint - colour) * share
        if !bounds.allow(colour) {
            // As little more of the tint as it takes.
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

    /// Whether a colour of the glass leaves enough contrast, by tables.
    private struct Bounds {
        private var luminances: [[SIMD3<Float>]]
        private var limit: Float
        private var isDark: Bool

        init(_ rule: Rule, isDark: Bool) {
            self.isDark = isDark
            let tones = rule.tones.map { $0.luminance + 0.05 }
            // A little more than is needed: tables and pixels have whole steps.
            let contrast = rule.contrast * 1.015
            limit = isDark ? tones.min()! / contrast - 0.05 : tones.max()! * contrast - 0.05
            luminances = rule.between.map { colour in
                (0..<256).map { step in
                    let level = Float(step) / 255
                    let seen = colour.over(Colour4(level, level, level))
                    // Of each channel by itself.
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

    /// Three boxes, one after the other, come close to a bell. Beyond an edge lies what is at the edge.
    static func blurred(_ picture: Picture, radius: Int = Glass.radius) -> Picture {
        guard picture.width > 0, picture.height > 0 else { return picture }
        var pixels = picture.pixels.map { SIMD3(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255)) }
        for _ in 0..<3 {
            pixels = box(pixels, width: picture.width, height: picture.height, radius)
            pixels = box(pixels, width: picture.height, height: picture.width, radius)
        }
        var out = picture
        for index in pixels.indices {
            let bytes = SIMD3<UInt32>(pixels[index] + 0.5)
            out.pixels[index] = 0xff00_0000 | bytes.x << 16 | bytes.y << 8 | bytes.z
        }
        return out
    }

    /// Each row averaged along itself, and written as a column.
    private static func box(_ pixels: [SIMD3<Float>], width: Int, height: Int, _ radius: Int) -> [SIMD3<Float>] {
        var out = [SIMD3<Float>](repeating: .zero, count: pixels.count)
        let share = 1 / Float(2 * radius + 1)
        for y in 0..<height {
            let row = y * width
            var sum = pixels[row] * Float(radius)
            for x in 0...radius { sum += pixels[row + min(x, width - 1)] }
            for x in 0..<width {
                out[x * height + y] = sum * share
                sum += pixels[row + min(x + radius + 1, width - 1)] - pixels[row + max(x - radius, 0)]
            }
        }
        return out
    }
}

extension Picture {
    /// Smaller, each pixel the mean of those that it stands for.
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
