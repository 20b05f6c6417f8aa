import Geometry
import Windows

/// A configuration of the screen that a program asks for.
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

extension ScreenWish {
    /// The limits for every screen and every caller. `size` in points.
    static func check(_ size: Size?, scale: Double?) throws(Refusal) {
        if let size, !(1...16384).contains(size.width) || !(1...16384).contains(size.height) {
            throw Refusal("a screen is from 1 to 16384 points wide and high, not \(size.width) x \(size.height)")
        }
        if let scale, !Screen.scales.contains(scale) { throw Refusal("a scale is \(Screen.scalesInWords), not \(scale)") }
    }

    /// More than the pixels of two 8K screens: frames of that size would block everything.
    static let mostPixels = 67_108_864.0

    var isPossible: Bool {
        guard (0...7).contains(transform), Screen.scales.contains(scale), refresh == 0 || (1000...1_000_000).contains(refresh),
            pixels.width * pixels.height <= ScreenWish.mostPixels
        else { return false }
        return (try? ScreenWish.check(pixels * (1 / scale), scale: scale)) != nil
    }
}
