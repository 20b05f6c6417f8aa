import Geometry
import Glibc

/// Pixels in memory: 32 bits each with premultiplied alpha, as in Cairo and wlroots (ARGB32 in native byte order, so
/// blue comes first on little-endian machines).
public struct Picture: Hashable, Sendable {
    /// In pixels.
    public let width: Int
    public let height: Int
    /// Rows from the top, without padding.
    public var pixels: [UInt32]

    public init(width: Int, height: Int, fill: UInt32 = 0) {
        precondition(width >= 0 && height >= 0)
        self.width = width
        self.height = height
        pixels = Array(repeating: fill, count: width * height)
    }

    public init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count == width * height)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Copies rows of `stride` bytes. Reads `stride * height` bytes.
    public init(width: Int, height: Int, stride: Int, bytes: UnsafeRawPointer) {
        self.init(width: width, height: height)
        pixels.withUnsafeMutableBytes { room in
            for row in 0..<height {
                room[(row * width * 4)..<((row + 1) * width * 4)].copyBytes(
                    from: UnsafeRawBufferPointer(start: bytes + row * stride, count: width * 4))
            }
        }
    }

    /// Bytes from one row to the next.
    public var stride: Int { width * 4 }

    /// A colour with its alpha multiplied in.
    public struct Pixel: Hashable, Sendable, CustomStringConvertible {
        public var raw: UInt32

        public init(raw: UInt32) { self.raw = raw }

        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            raw = UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        }

        public var alpha: UInt8 { UInt8(raw >> 24) }
        public var red: UInt8 { UInt8(raw >> 16 & 0xff) }
        public var green: UInt8 { UInt8(raw >> 8 & 0xff) }
        public var blue: UInt8 { UInt8(raw & 0xff) }

        /// The largest difference of any channel.
        public func distance(to other: Pixel) -> Int {
            func difference(_ shift: UInt32) -> Int { abs(Int(raw >> shift & 0xff) - Int(other.raw >> shift & 0xff)) }
            return max(difference(0), difference(8), difference(16), difference(24))
        }

        public var description: String {
            let digits = String(raw, radix: 16)
            return "#" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }

    public subscript(x: Int, y: Int) -> Pixel {
        get { Pixel(raw: pixels[y * width + x]) }
        set { pixels[y * width + x] = newValue.raw }
    }

    /// The pixel at a point; nil outside of the picture.
    public func pixel(at place: Point) -> Pixel? {
        guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height) else { return nil }
        return self[Int(clamping: place.x), Int(clamping: place.y)]
    }

    /// The pixels completely inside a rectangle; nil if there are none.
    private func area(_ rect: Rect?) -> (x: Range<Int>, y: Range<Int>)? {
        guard let rect else { return width > 0 && height > 0 ? (0..<width, 0..<height) : nil }
        let inside = rect.intersection(Rect(0, 0, Double(width), Double(height)))
        guard !inside.isEmpty else { return nil }
        let left = Int(clamping: inside.minX.rounded(.up)), right = Int(clamping: inside.maxX.rounded(.down))
        let top = Int(clamping: inside.minY.rounded(.up)), bottom = Int(clamping: inside.maxY.rounded(.down))
        return left < right && top < bottom ? (left..<right, top..<bottom) : nil
    }

    /// A part of the picture, in pixels, clipped to its bounds.
    public func cropped(to rect: Rect) -> Picture {
        guard let (xs, ys) = area(rect) else { return Picture(width: 0, height: 0) }
        var part = Picture(width: xs.count, height: ys.count)
        for y in ys {
            let from = y * width + xs.lowerBound, to = (y - ys.lowerBound) * part.width
            part.pixels.replaceSubrange(to..<(to + xs.count), with: pixels[from..<(from + xs.count)])
        }
        return part
    }

    /// The mean of each channel in a rectangle in pixels (nil: everywhere); nil if it contains no pixel.
    public func meanColour(in rect: Rect? = nil) -> Pixel? {
        guard let (xs, ys) = area(rect) else { return nil }
        var alpha = 0, red = 0, green = 0, blue = 0
        // Most pictures have runs of one colour. Handling each pixel is slow in builds without optimization.
        pixels.withUnsafeBufferPointer { pixels in
            for y in ys {
                var x = xs.lowerBound
                while x < xs.upperBound {
                    let begin = x, raw = pixels[y * width + x]
                    repeat { x += 1 } while x < xs.upperBound && pixels[y * width + x] == raw
                    let pixel = Pixel(raw: raw), length = x - begin
                    alpha += Int(pixel.alpha) * length
                    red += Int(pixel.red) * length
                    green += Int(pixel.green) * length
                    blue += Int(pixel.blue) * length
                }
            }
        }
        let count = xs.count * ys.count
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + count / 2) / count) }
        return Pixel(red: mean(red), green: mean(green), blue: mean(blue), alpha: mean(alpha))
    }

    /// The colour of a rectangle in pixels (nil: everywhere) if it is uniform: no channel may differ by more than
    /// `tolerance`.
    public func singleColour(in rect: Rect? = nil, tolerance: Int = 0) -> Pixel? {
        guard let (xs, ys) = area(rect) else { return nil }
        let colour = self[xs.lowerBound, ys.lowerBound]
        for y in ys {
            for x in xs where self[x, y].distance(to: colour) > tolerance { return nil }
        }
        return colour
    }

    public struct Difference: Hashable, Sendable {
        /// Pixels in which a channel differs by more than the tolerance.
        public var count: Int
        /// The largest difference of a channel anywhere.
        public var largest: Int
        /// The bounds of the pixels that differ; nil if there are none.
        public var bounds: Rect?

        public init(count: Int, largest: Int, bounds: Rect? = nil) {
            self.count = count
            self.largest = largest
            self.bounds = bounds
        }
    }

    private func isSameRow(_ y: Int, _ xs: Range<Int>, in other: Picture) -> Bool {
        pixels.withUnsafeBytes { mine in
            other.pixels.withUnsafeBytes { theirs in
                let begin = (y * width + xs.lowerBound) * 4
                return memcmp(mine.baseAddress! + begin, theirs.baseAddress! + begin, xs.count * 4) == 0
            }
        }
    }

    /// Compares with another picture. Pictures of different sizes differ in every pixel.
    public func difference(from other: Picture, in rect: Rect? = nil, tolerance: Int = 0) -> Difference {
        guard other.width == width, other.height == height else {
            return Difference(
                count: max(pixels.count, other.pixels.count), largest: 255,
                bounds: Rect(0, 0, Double(max(width, other.width)), Double(max(height, other.height))))
        }
        var found = Difference(count: 0, largest: 0)
        guard let (xs, ys) = area(rect) else { return found }
        var left = Int.max, right = 0, top = Int.max, bottom = 0
        for y in ys where !isSameRow(y, xs, in: other) {
            for x in xs where pixels[y * width + x] != other.pixels[y * width + x] {
                let distance = self[x, y].distance(to: other[x, y])
                found.largest = max(found.largest, distance)
                guard distance > tolerance else { continue }
                found.count += 1
                left = min(left, x)
                right = max(right, x + 1)
                top = min(top, y)
                bottom = max(bottom, y + 1)
            }
        }
        if found.count > 0 {
            found.bounds = Rect(Double(left), Double(top), Double(right - left), Double(bottom - top))
        }
        return found
    }
}
