import Geometry
import Glibc
import Stage
import Testing

@testable import Chrome

@Suite struct GlassTests {
    private static let wallpapers: [Wallpaper] = [
        .standard, .colour(red: 0, green: 0, blue: 0), .colour(red: 1, green: 1, blue: 1), .colour(red: 1, green: 0, blue: 0),
        .colour(red: 0, green: 1, blue: 0), .colour(red: 0, green: 0, blue: 1), .colour(red: 1, green: 1, blue: 0),
        .colour(red: 0.5, green: 0.5, blue: 0.5),
    ]
    private let screen = Size(1180, 820)
    private static let seeThrough = looks.filter { !$0.increasedContrast }

    private func colour(_ pixel: UInt32) -> Colour4 {
        Colour4(Float(pixel >> 16 & 255) / 255, Float(pixel >> 8 & 255) / 255, Float(pixel & 255) / 255)
    }

    /// Black and white squares.
    private func board(_ width: Int, _ height: Int, square: Int) -> Picture {
        var picture = Picture(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { picture[x, y] = Picture.Pixel(raw: (x / square + y / square) % 2 == 0 ? 0xffff_ffff : 0xff00_0000) }
        }
        return picture
    }

    @Test("X-05: texts on a ground of glass, on its buttons and pressed rows have 4.5:1 over any wallpaper", arguments: seeThrough)
    func readable(theme: Theme) {
        let painter = makePainter { $0 = theme }
        var grounds = Self.wallpapers.map { wallpaper in
            painter.wallpaper = wallpaper
            return painter.picture(of: .glass(.panel), size: screen, scale: 1)
        }
        for isInFrame in [false, true] {
            grounds.append(Glass(.panel, theme).picture(of: board(148, 103, square: 20), isInFrame: isInFrame))
        }
        for ground in grounds {
            for pixel in Set(ground.pixels) {
                for over in [[], [Paint.control], [.pressed]] {
                    let fill = over.reduce(colour(pixel)) { Tokens.colour(of: $1, theme).over($0) }
                    for tone in [Tone.primary, .secondary, .destructive, .accent] {
                        let contrast = Tokens.colour(of: tone, theme).contrast(to: fill)
                        #expect(contrast >= 4.5, "\(tone) on \(over) on \(fill): \(contrast)")
                    }
                }
            }
        }
    }

    @Test("X-05: the dots under running apps have 3:1 on the glass of the dock over any wallpaper", arguments: seeThrough)
    func dock(theme: Theme) {
        let painter = makePainter { $0 = theme }
        for wallpaper in Self.wallpapers {
            painter.wallpaper = wallpaper
            let ground = painter.picture(of: .glass(.dock), size: screen, scale: 1)
            let worst = ground.pixels.map { Tokens.colour(of: .mark, theme).contrast(to: colour($0)) }.min()!
            #expect(worst >= 3, "\(wallpaper): \(worst)")
        }
    }

    @Test("the wallpaper's colour is to be seen in it", arguments: seeThrough)
    func shows(theme: Theme) {
        let painter = makePainter { $0 = theme }
        for paint in [Paint.dock, .panel] {
            let grounds = [(Float(1), Float(0)), (0, 1)].map { red, blue in
                painter.wallpaper = .colour(red: red, green: 0.3, blue: blue)
                return painter.picture(of: .glass(paint), size: screen, scale: 1).meanColour()!
            }
            #expect(Int(grounds[0].red) - Int(grounds[1].red) > 8, "\(paint): \(grounds)")
            #expect(Int(grounds[1].blue) - Int(grounds[0].blue) > 8, "\(paint): \(grounds)")
        }
    }

    @Test("blurring keeps the mean colour and leaves no edge")
    func blur() {
        let board = board(148, 103, square: 16), blurred = Glass.blurred(board)
        #expect(blurred.meanColour()!.distance(to: board.meanColour()!) <= 6)
        var steepest = 0
        for y in 1..<blurred.height {
            for x in 1..<blurred.width {
                steepest = max(steepest, blurred[x, y].distance(to: blurred[x - 1, y]), blurred[x, y].distance(to: blurred[x, y - 1]))
            }
        }
        // Before it, 255.
        #expect(steepest > 0 && steepest <= 24)
        #expect(Glass.blurred(Picture(width: 9, height: 5, fill: 0xff12_3456)) == Picture(width: 9, height: 5, fill: 0xff12_3456))
    }

    @Test("it is small, opaque, and there for every screen", arguments: [(1, 1), (7, 5), (390, 844), (2360, 1640), (8192, 240), (600, 3)])
    func extent(width: Int, height: Int) {
        let painter = makePainter()
        let glass = painter.picture(of: .glass(.panel), size: Size(Double(width), Double(height)), scale: 1)
        #expect(glass.width >= 1 && glass.height >= 1 && max(glass.width, glass.height) <= 150)
        #expect(glass.pixels.allSatisfy { $0 >> 24 == 255 })
        let shape = Double(glass.width) / Double(glass.height), wanted = Double(width) / Double(height)
        if min(width, height) > 300 { #expect(abs(shape / wanted - 1) < 0.05) }
    }

    @Test("an average keeps the mean colour, from every size to every size")
    func average() {
        for (width, height) in [(1180, 820), (150, 104), (151, 107)] {
            let board = board(width, height, square: 30), small = board.averaged(width: 148, height: 103)
            #expect(small.meanColour()!.distance(to: board.meanColour()!) <= 4)
        }
        #expect(
            Picture(width: 3, height: 2, fill: 0xff11_2233).averaged(width: 7, height: 5) == Picture(width: 7, height: 5, fill: 0xff11_2233)
        )
    }

    @Test("the glass of a picture is the same whether the wallpaper was painted before or not")
    func thumbnail() throws {
        let path = "/tmp/mullion-glass-\(getpid()).png"
        defer { unlink(path) }
        try PNG.write(board(472, 328, square: 82), to: path)
        let cold = makePainter(), warm = makePainter()
        cold.wallpaper = .picture(path: path)
        warm.wallpaper = .picture(path: path)
        var pixels = [UInt32](repeating: 0, count: 1180 * 820)
        pixels.withUnsafeMutableBufferPointer { warm.paintWallpaper(width: 1180, height: 820, into: $0.baseAddress!) }
        let art = Art.glass(.dock)
        let difference = cold.picture(of: art, size: screen, scale: 1).difference(
            from: warm.picture(of: art, size: screen, scale: 1), tolerance: 6)
        #expect(difference.count == 0, "\(difference)")
        // Another wallpaper has a glass of its own.
        warm.wallpaper = .colour(red: 0, green: 0, blue: 0)
        let black = warm.picture(of: art, size: screen, scale: 1)
        #expect(black.singleColour() != nil)
    }

    @Test(
        "over an app it shows the screen's colours and not the wallpaper's, and without a picture of the screen the wallpaper's",
        arguments: seeThrough)
    func overApps(theme: Theme) {
        let painter = makePainter { $0 = theme }
        painter.wallpaper = .colour(red: 1, green: 0, blue: 0)
        let art = Art.glassOver(.panel, opening: 1), red = painter.picture(of: .glass(.panel), size: screen, scale: 1)
        #expect(painter.picture(of: art, size: screen, scale: 1) == red)
        painter.ground = { Picture(width: 295, height: 205, fill: 0xff00_20ff) }
        let over = painter.picture(of: art, size: screen, scale: 1)
        #expect(over.width == red.width && over.height == red.height)
        #expect(Int(over.meanColour()!.blue) - Int(over.meanColour()!.red) > 8)
    }
}
