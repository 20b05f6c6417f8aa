import Chrome
import Geometry
import Stage
import Testing

@Suite struct WallpaperTests {
    private func picture(_ painter: Painter, _ width: Double, _ height: Double, scale: Double = 1) -> Picture {
        painter.picture(of: .wallpaper, size: Size(width, height), scale: scale)
    }

    @Test("it covers the whole screen and is opaque", arguments: [(1, 1), (7, 5), (333, 217), (219, 401), (600, 3)])
    func covers(width: Int, height: Int) {
        let painter = makePainter()
        for isDark in [false, true] {
            painter.theme.isDark = isDark
            for wallpaper in [Wallpaper.standard, .colour(red: 0.3, green: 2, blue: .nan), .picture(path: "/nowhere")] {
                painter.wallpaper = wallpaper
                let picture = picture(painter, Double(width), Double(height))
                #expect(picture.width == width && picture.height == height)
                #expect(picture.pixels.allSatisfy { $0 >> 24 == 255 })
            }
        }
    }

    @Test("white labels can be read on every part of it", arguments: [false, true])
    func readable(isDark: Bool) {
        let painter = makePainter { $0.isDark = isDark }
        let picture = picture(painter, 400, 300)
        let lightest = picture.pixels.map { pixel in
            let (red, green, blue) = (Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255))
            return Colour4(red / 255, green / 255, blue / 255).luminance
        }.max()!
        // 3:1 before the label's own shadow.
        #expect(1.05 / (lightest + 0.05) >= (isDark ? 7 : 3))
    }

    @Test("its colours flow: neighbours hardly differ, and there are no bands", arguments: [false, true])
    func flows(isDark: Bool) {
        let painter = makePainter { $0.isDark = isDark }
        let picture = picture(painter, 320, 2000)
        var steepest = 0
        for y in 0..<picture.height {
            for x in 1..<picture.width {
                steepest = max(steepest, picture[x, y].distance(to: picture[x - 1, y]))
            }
        }
        #expect(steepest <= 16)
        // Over a few pixels the mean lies between two steps of 8 bits, where bands have a whole one.
        var between = 0, blocks = 0
        for y in stride(from: 0, to: 2000, by: 8) {
            for x in stride(from: 0, to: 320, by: 8) {
                var sum = 0
                for row in y..<(y + 8) { for column in x..<(x + 8) { sum += Int(picture[column, row].red) } }
                blocks += 1
                if sum % 64 != 0 { between += 1 }
            }
        }
        #expect(between * 10 > blocks * 8)
    }

    @Test("light and dark differ, and the same again is the same")
    func looks() {
        let light = makePainter(), dark = makePainter { $0.isDark = true }
        #expect(picture(light, 64, 48) != picture(dark, 64, 48))
        #expect(picture(light, 64, 48) == picture(light, 64, 48))
    }

    @Test("a person's picture keeps its aspect and covers")
    func ownPicture() throws {
        let folder = Folder()
        // Left half red, right half blue, twice as wide as high.
        var source = Picture(width: 200, height: 100, fill: 0xffff_0000)
        for y in 0..<100 { for x in 100..<200 { source[x, y] = .init(raw: 0xff00_00ff) } }
        let painter = makePainter()
        painter.wallpaper = .picture(path: folder.write("wall.png", try PNG.encode(source)))
        for (width, height) in [(50.0, 100.0), (100, 25), (400, 200), (301, 113)] {
            let picture = picture(painter, width, height)
            #expect(picture.pixels.allSatisfy { $0 >> 24 == 255 })
            #expect(picture[0, 0].raw == 0xffff_0000)
            #expect(picture[picture.width - 1, picture.height - 1].raw == 0xff00_00ff)
            let middle = (0..<picture.width).first { picture[$0, 0].blue > 127 }
            #expect(abs((middle ?? 0) - picture.width / 2) <= 1)
        }
    }

    @Test("a picture that cannot be read leaves the standard one")
    func brokenPicture() {
        let folder = Folder()
        let painter = makePainter()
        let standard = picture(painter, 64, 48)
        painter.wallpaper = .picture(path: folder.write("wall.jpg", [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]))
        #expect(picture(painter, 64, 48) == standard)
    }
}
