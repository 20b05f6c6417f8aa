import Chrome
import Foundation
import Geometry
import Testing

@Suite("Pictures")
struct PictureTests {
    static func sample() -> Picture {
        var picture = Picture(width: 7, height: 5, fill: Picture.Pixel(red: 10, green: 20, blue: 30).raw)
        picture[3, 2] = .init(red: 255, green: 0, blue: 0)
        picture[6, 4] = .init(red: 0, green: 0, blue: 0, alpha: 0)
        picture[0, 4] = .init(red: 64, green: 0, blue: 128, alpha: 128)
        return picture
    }

    @Test("a PNG holds what was written")
    func roundTrip() throws {
        let picture = Self.sample()
        #expect(try PNG.decode(try PNG.encode(picture)) == picture)
        let path = FileManager.default.temporaryDirectory.path + "/mullion-\(UUID().uuidString).png"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try PNG.write(picture, to: path)
        #expect(try PNG.read(path) == picture)
    }

    @Test("every colour of every transparency comes back, and a picture that cannot be compressed")
    func exact() throws {
        var all = Picture(width: 256, height: 256)
        for alpha in 0...255 {
            for colour in 0...alpha {
                all[colour, alpha] = .init(red: UInt8(colour), green: UInt8(alpha - colour), blue: UInt8(alpha / 2), alpha: UInt8(alpha))
            }
        }
        #expect(try PNG.decode(try PNG.encode(all)) == all)
        var random = SystemRandomNumberGenerator()
        for (width, height) in [(1, 4000), (4000, 1), (1180, 820)] {
            var noise = Picture(width: width, height: height)
            for index in noise.pixels.indices { noise.pixels[index] = 0xff00_0000 | UInt32.random(in: 0...0xff_ffff, using: &random) }
            #expect(try PNG.decode(try PNG.encode(noise)) == noise)
        }
    }

    @Test("rows with gaps are read without them")
    func stride() throws {
        let rows: [UInt32] = [1, 2, 99, 3, 4, 99].map { 0xff00_0000 | $0 }
        try rows.withUnsafeBytes { bytes in
            let picture = Picture(width: 2, height: 2, stride: 12, bytes: bytes.baseAddress!)
            #expect(picture.pixels.map { $0 & 0xff } == [1, 2, 3, 4])
            let png = try PNG.encode(
                pixels: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), width: 2, height: 2, stride: 12)
            #expect(try PNG.decode(png) == picture)
        }
    }

    @Test("a picture that cannot be written or read gives an error")
    func failures() throws {
        #expect(throws: PNG.Failure.self) { try PNG.encode(Picture(width: 0, height: 0)) }
        #expect(throws: PNG.Failure.self) { try PNG.write(Self.sample(), to: "/no/such/folder/a.png") }
        #expect(throws: PNG.Failure.self) { try PNG.read("/no/such/file.png") }
        #expect(throws: PNG.Failure.self) { try PNG.decode([]) }
        let whole = try PNG.encode(Self.sample())
        #expect(throws: PNG.Failure.self) { try PNG.decode(Array(whole.prefix(whole.count / 2))) }
    }

    @Test("pixels, means, single colours")
    func looking() {
        let picture = Self.sample()
        let ground = Picture.Pixel(red: 10, green: 20, blue: 30)
        #expect(picture.pixel(at: Point(3.9, 2.1)) == .init(red: 255, green: 0, blue: 0))
        #expect(picture.pixel(at: Point(7, 0)) == nil && picture.pixel(at: Point(-0.1, 0)) == nil)
        #expect(picture.singleColour(in: Rect(0, 0, 3, 4)) == ground)
        #expect(picture.singleColour(in: Rect(0, 0, 4, 3)) == nil)
        #expect(picture.singleColour(in: Rect(50, 50, 4, 3)) == nil)
        #expect(picture.meanColour(in: Rect(3, 2, 1, 1)) == .init(red: 255, green: 0, blue: 0))
        #expect(picture.meanColour(in: Rect(2, 2, 2, 1)) == .init(red: 133, green: 10, blue: 15))
        #expect(picture.cropped(to: Rect(3, 2, 10, 10)).pixels.count == 4 * 3)
        #expect(picture.cropped(to: Rect(3, 2, 10, 10))[0, 0] == .init(red: 255, green: 0, blue: 0))
    }

    @Test("how two pictures differ")
    func difference() {
        let a = Self.sample()
        var b = a
        #expect(a.difference(from: b) == .init(count: 0, largest: 0))
        b[1, 1] = .init(red: 13, green: 20, blue: 30)
        b[4, 3] = .init(red: 10, green: 120, blue: 30)
        #expect(a.difference(from: b) == .init(count: 2, largest: 100, bounds: Rect(1, 1, 4, 3)))
        #expect(a.difference(from: b, tolerance: 3) == .init(count: 1, largest: 100, bounds: Rect(4, 3, 1, 1)))
        #expect(a.difference(from: b, in: Rect(0, 0, 3, 3), tolerance: 3) == .init(count: 0, largest: 3))
        #expect(a.difference(from: Picture(width: 1, height: 1)).count == 35)
    }
}
