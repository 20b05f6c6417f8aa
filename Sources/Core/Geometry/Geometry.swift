/// A position in logical points. The origin is at the top left, and y grows downwards.
public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    public static let zero = Point(0, 0)

    public static func + (a: Point, b: Vector) -> Point { Point(a.x + b.dx, a.y + b.dy) }
    public static func - (a: Point, b: Point) -> Vector { Vector(a.x - b.x, a.y - b.y) }

    public func distance(to other: Point) -> Double { (self - other).length }
}

/// A displacement in points, or a velocity in points per second.
public struct Vector: Hashable, Sendable {
    public var dx: Double
    public var dy: Double

    public init(_ dx: Double, _ dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    public static let zero = Vector(0, 0)

    public var length: Double { (dx * dx + dy * dy).squareRoot() }

    public static func + (a: Vector, b: Vector) -> Vector { Vector(a.dx + b.dx, a.dy + b.dy) }
    public static func * (a: Vector, k: Double) -> Vector { Vector(a.dx * k, a.dy * k) }
    public static prefix func - (a: Vector) -> Vector { Vector(-a.dx, -a.dy) }
}

/// An extent in logical points.
public struct Size: Hashable, Sendable {
    public var width: Double
    public var height: Double

    public init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }

    public static let zero = Size(0, 0)

    public var isEmpty: Bool { width <= 0 || height <= 0 }
    public var isLandscape: Bool { width >= height }

    /// Rounded to whole points, as in Wayland's configure events.
    public var rounded: Size { Size(width.rounded(), height.rounded()) }

    public static func * (a: Size, k: Double) -> Size { Size(a.width * k, a.height * k) }
}

/// A rectangle in logical points.
public struct Rect: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public init(origin: Point, size: Size) {
        self.init(origin.x, origin.y, size.width, size.height)
    }

    public init(center: Point, size: Size) {
        self.init(center.x - size.width / 2, center.y - size.height / 2, size.width, size.height)
    }

    public static let zero = Rect(0, 0, 0, 0)

    public var origin: Point { Point(x, y) }
    public var size: Size { Size(width, height) }
    public var center: Point { Point(x + width / 2, y + height / 2) }
    public var minX: Double { x }
    public var minY: Double { y }
    public var maxX: Double { x + width }
    public var maxY: Double { y + height }
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Half open, like pixels: excludes the right and bottom edges.
    public func contains(_ p: Point) -> Bool {
        p.x >= minX && p.x < maxX && p.y >= minY && p.y < maxY
    }

    public func contains(_ other: Rect, tolerance: Double = 0) -> Bool {
        other.minX >= minX - tolerance && other.maxX <= maxX + tolerance
            && other.minY >= minY - tolerance && other.maxY <= maxY + tolerance
    }

    public func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX), top = max(minY, other.minY)
        let right = min(maxX, other.maxX), bottom = min(maxY, other.maxY)
        guard right > left, bottom > top else { return Rect(left, top, 0, 0) }
        return Rect(left, top, right - left, bottom - top)
    }

    public func intersects(_ other: Rect) -> Bool { !intersection(other).isEmpty }

    public func inset(by insets: Insets) -> Rect {
        Rect(
            x + insets.left, y + insets.top, max(0, width - insets.left - insets.right),
            max(0, height - insets.top - insets.bottom))
    }

    public func inset(by d: Double) -> Rect { inset(by: Insets(d, d, d, d)) }

    public func offset(by v: Vector) -> Rect { Rect(x + v.dx, y + v.dy, width, height) }

    /// The same rectangle in points that are so many times smaller.
    public func times(_ k: Double) -> Rect { Rect(x * k, y * k, width * k, height * k) }

    /// Enlarged around its centre so that no side is shorter than `side`, for touch targets (44 points).
    public func grown(toAtLeast side: Double) -> Rect {
        Rect(center: center, size: Size(max(width, side), max(height, side)))
    }

    /// Rounded to whole points, edge by edge, so that adjacent rectangles stay adjacent.
    public var rounded: Rect {
        let left = minX.rounded(), top = minY.rounded()
        return Rect(left, top, maxX.rounded() - left, maxY.rounded() - top)
    }

    /// The largest centred rectangle with the aspect ratio of `content` that fits, without enlarging the content
    /// (W-11).
    public func fitting(_ content: Size) -> Rect {
        guard !content.isEmpty, !isEmpty else { return self }
        let scale = min(1, min(width / content.width, height / content.height))
        let size = content * scale
        // Unscaled content is aligned to whole points, so that it stays sharp.
        let left = x + (width - size.width) / 2, top = y + (height - size.height) / 2
        return scale == 1
            ? Rect(left.rounded(), top.rounded(), size.width, size.height)
            : Rect(left, top, size.width, size.height)
    }

    /// Maps a point from the coordinates of `other` to this rectangle.
    public func map(_ p: Point, from other: Rect) -> Point {
        // Compute the factor first: without scaling it is exactly 1, so that whole points stay whole.
        Point(
            x + (other.width > 0 ? (p.x - other.x) * (width / other.width) : 0),
            y + (other.height > 0 ? (p.y - other.y) * (height / other.height) : 0))
    }

    /// Maps a rectangle from the coordinates of `other` to this rectangle.
    public func map(_ r: Rect, from other: Rect) -> Rect {
        let a = map(r.origin, from: other), b = map(Point(r.maxX, r.maxY), from: other)
        return Rect(a.x, a.y, b.x - a.x, b.y - a.y)
    }

    /// The nearest position inside `bounds`. If the rectangle is larger than `bounds`, it starts at their origin.
    public func clamped(to bounds: Rect) -> Rect {
        let left = max(bounds.minX, min(x, bounds.maxX - width))
        let top = max(bounds.minY, min(y, bounds.maxY - height))
        return Rect(left, top, width, height)
    }
}

/// Distances from the four edges, in points.
public struct Insets: Hashable, Sendable {
    public var top: Double
    public var right: Double
    public var bottom: Double
    public var left: Double

    public init(_ top: Double, _ right: Double, _ bottom: Double, _ left: Double) {
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }

    public static let zero = Insets(0, 0, 0, 0)

    public static func * (a: Insets, k: Double) -> Insets { Insets(a.top * k, a.right * k, a.bottom * k, a.left * k) }
}

// Encoded as short arrays, because control lines and recordings contain thousands of them.

extension Point: Codable {
    public init(from decoder: any Decoder) throws {
        let v = try decodeNumbers(from: decoder, count: 2)
        self.init(v[0], v[1])
    }

    public func encode(to encoder: any Encoder) throws { try encodeNumbers([x, y], to: encoder) }
}

extension Vector: Codable {
    public init(from decoder: any Decoder) throws {
        let v = try decodeNumbers(from: decoder, count: 2)
        self.init(v[0], v[1])
    }

    public func encode(to encoder: any Encoder) throws { try encodeNumbers([dx, dy], to: encoder) }
}

extension Size: Codable {
    public init(from decoder: any Decoder) throws {
        let v = try decodeNumbers(from: decoder, count: 2)
        self.init(v[0], v[1])
    }

    public func encode(to encoder: any Encoder) throws { try encodeNumbers([width, height], to: encoder) }
}

extension Rect: Codable {
    public init(from decoder: any Decoder) throws {
        let v = try decodeNumbers(from: decoder, count: 4)
        self.init(v[0], v[1], v[2], v[3])
    }

    public func encode(to encoder: any Encoder) throws { try encodeNumbers([x, y, width, height], to: encoder) }
}

extension Insets: Codable {
    public init(from decoder: any Decoder) throws {
        let v = try decodeNumbers(from: decoder, count: 4)
        self.init(v[0], v[1], v[2], v[3])
    }

    public func encode(to encoder: any Encoder) throws {
        try encodeNumbers([top, right, bottom, left], to: encoder)
    }
}

private func decodeNumbers(from decoder: any Decoder, count: Int) throws -> [Double] {
    var container = try decoder.unkeyedContainer()
    var values: [Double] = []
    while !container.isAtEnd {
        let value = try container.decode(Double.self)
        guard value.isFinite else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a coordinate must be finite")
        }
        values.append(value)
    }
    guard values.count == count else {
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "expected \(count) numbers, found \(values.count)")
    }
    return values
}

private func encodeNumbers(_ values: [Double], to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for value in values { try container.encode(value) }
}
