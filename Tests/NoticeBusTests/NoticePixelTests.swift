import MessageBus
import Testing

@testable import NoticeBus

@Suite struct NoticePixelTests {
    private func small(_ width: Int, _ height: Int, stride: Int? = nil, channels: Int = 4, bits: Int = 8, bytes: Int? = nil) -> NoticeImage?
    {
        let stride = stride ?? width * channels
        return [UInt8](repeating: 200, count: max(0, bytes ?? stride * max(0, height))).withUnsafeBytes {
            NoticePixels.small(
                BusPixels(
                    width: width, height: height, stride: stride, hasAlpha: channels == 4, bitsPerSample: bits, channels: channels,
                    bytes: $0))
        }
    }

    @Test("sizes that no picture has are refused, whatever the bytes say")
    func refusals() {
        #expect(small(-1, 5, stride: 4, bytes: 100) == nil)
        #expect(small(5, -1, stride: 20, bytes: 100) == nil)
        #expect(small(0, 0, bytes: 100) == nil)
        #expect(small(10_000, 10_000, bytes: 1000) == nil)
        #expect(small(4, 4, stride: 3, bytes: 100) == nil)
        #expect(small(4, 4, bytes: 63) == nil)
        #expect(small(4, 4, bits: 16) == nil)
        #expect(small(.max, .max, stride: .max, bytes: 100) == nil)
        #expect(small(4, 4, channels: 3, bytes: 48) != nil)
    }

    @Test("a large picture becomes a small one of its shape")
    func shrinks() {
        guard case .pixels(let pixels, 96, 48) = small(2000, 1000) else { return #expect(Bool(false), "no picture") }
        #expect(pixels.count == 96 * 48 * 4)
        // 200 of 255, with an alpha of 200.
        #expect(pixels[0] == 156)
        #expect(pixels[3] == 200)
    }
}
