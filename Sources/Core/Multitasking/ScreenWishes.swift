import Geometry
import Windows

/// What a program wishes the screen to be.
public struct ScreenWish: Hashable, Codable, Sendable {
    /// Before the transform.
    public var pixels: Size
    /// In thousandths of a hertz; 0: any.
    public var refresh: Int
    /// Pixels per point.
    public var scale: Double
    /// wl_output_transform: quarter turns counter-clockwise, from 4 on mirrored.
    public var transform: Int

    public init(pixels: Size, refresh: Int, scale: Double, transform: Int) {
        self.pixels = pixels
        self.refresh = refresh
        self.scale = scale
        self.transform = transform
    }
}

extension System {
    /// The limits of every screen, whoever wants it. `size` in points.
    static func checkScreen(_ size: Size?, scale: Double?) throws(Refusal) {
        if let size, !(1...16384).contains(size.width) || !(1...16384).contains(size.height) {
            throw Refusal("a screen is from 1 to 16384 points wide and high, not \(size.width) x \(size.height)")
        }
        if let scale, !(0.5...8).contains(scale) { throw Refusal("a scale is from 0.5 to 8, not \(scale)") }
    }

    /// More than those of two screens of 8K: each frame of so many holds everybody up.
    static let mostPixels = 67_108_864.0

    static func isPossible(_ wish: ScreenWish) -> Bool {
        guard (0...7).contains(wish.transform), wish.scale > 0, wish.refresh == 0 || (1000...1_000_000).contains(wish.refresh),
            wish.pixels.width * wish.pixels.height <= mostPixels
        else { return false }
        return (try? checkScreen(wish.pixels * (1 / wish.scale), scale: wish.scale)) != nil
    }
}
