import CWlroots
import Stage

/// A small picture of the screen as it was below the shell's views when they opened.
public struct Ground {
    let opening: Int
    /// The size of the output, in pixels.
    private let extent: (width: Int32, height: Int32)
    /// ARGB, rows without padding.
    public let pixels: [UInt32]
    public let width: Int, height: Int

    /// The longer side in pixels: twice that of glass, so that fine lines are averaged.
    private static let longest: Int32 = 300

    /// - Parameter items: all that is drawn below the views.
    init?(_ opening: Int, _ items: UnsafeBufferPointer<mw_item>, _ output: OpaquePointer, _ info: mw_output_info) {
        guard info.width > 0, info.height > 0 else { return nil }
        let step = max(1, (max(info.width, info.height) + Self.longest - 1) / Self.longest)
        let wide = (info.width + step - 1) / step, high = (info.height + step - 1) / step
        var pixels = [UInt32](repeating: 0, count: Int(wide) * Int(high))
        let isDone = pixels.withUnsafeMutableBytes {
            mw_output_capture(
                output, items.baseAddress, items.count, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), wide, high, wide * 4)
        }
        guard isDone else { return nil }
        self.opening = opening
        self.pixels = pixels
        extent = (info.width, info.height)
        (width, height) = (Int(wide), Int(high))
    }

    func isOf(_ info: mw_output_info) -> Bool { extent == (info.width, info.height) }
}

extension Art {
    /// The tint of glass.
    var glassPaint: Paint? {
        switch self {
        case .glass(let paint), .glassOver(let paint, _): paint
        default: nil
        }
    }

    /// The opening whose picture of the screen the glass shows; nil for other art.
    var opening: Int? { if case .glassOver(_, let opening) = self { opening } else { nil } }
}
