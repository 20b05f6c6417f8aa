import Geometry
import Glibc
import PixbufLibrary
import Stage
import Testing

@testable import Chrome

@Suite struct IconTests {
    private let folder = Folder()

    private func picture(_ path: String?, _ side: Double = 32, scale: Double = 1) -> Picture {
        let painter = Painter { name, _ in name == "app" ? path : nil }
        return painter.picture(of: .icon(AppIcon(name: "app", title: "Files")), size: Size(side, side), scale: scale)
    }

    // MARK: Asked of another process

    @Test func requestsArriveInAnyPieces() {
        let files = [IconFile(path: "/a b\n.svg", width: 48, height: 64), IconFile(path: "/c", width: 1, height: 1)]
        var bytes: [UInt8] = [], taken: [IconFile] = []
        for byte in files.flatMap(\.request) {
            bytes.append(byte)
            while let file = IconFile(taking: &bytes) { taken.append(file) }
        }
        #expect(taken == files && bytes.isEmpty)
        bytes = Array("icon\0x\0-3\0/d\0".utf8)
        #expect(IconFile(taking: &bytes) == IconFile(path: "/d", width: 1, height: 1))
    }

    @Test func answersArriveInAnyPieces() throws {
        let file = IconFile(path: "/a", width: 2, height: 1)
        func outcome(_ bytes: [UInt8]) throws -> IconFile.Outcome {
            for count in 0..<bytes.count { #expect(file.answer(Array(bytes.prefix(count))) == nil, "\(count) bytes") }
            #expect(throws: IconFile.UnknownAnswer.self) { try file.answer(bytes + [0])?.get() }
            return try #require(try file.answer(bytes)?.get())
        }
        guard case .picture(let picture) = try outcome([1, 1, 2, 3, 4, 5, 6, 7, 8]) else { throw Missing() }
        #expect(picture.width == 2 && picture.height == 1)
        guard case .refused("too much") = try outcome(IconFile.refusal("too much")) else { throw Missing() }
        guard case .nothing = try outcome(IconFile.refusal("")) else { throw Missing() }
        #expect(throws: IconFile.UnknownAnswer.self) { try file.answer([7])?.get() }
    }

    private struct Missing: Error {}

    @Test func whatIsAskedOfItIsWhatThePainterPaints() throws {
        let path = folder.write("app.svg", svg("<rect width='10' height='10' fill='#008000'/>"))
        let painter = Painter { name, _ in name == "app" ? path : nil }
        let art = Art.icon(AppIcon(name: "app", title: "Files")), size = Size(32, 32)
        let file = try #require(painter.file(of: art, size: size, scale: 1.5))
        #expect(file == IconFile(path: path, width: 48, height: 48))
        #expect(file.picture == painter.picture(of: art, size: size, scale: 1.5))
        #expect(IconFile(path: "/no/such/file", width: 8, height: 8).picture == nil)
        #expect(painter.file(of: .icon(AppIcon(name: "other", title: "Files")), size: size, scale: 1) == nil)
        #expect(painter.picture(of: art, drawn: nil, size: size, scale: 1) == makePainter().picture(of: art, size: size, scale: 1))
    }

    private func svg(
        _ body: String, viewBox: String = "0 0 10 10", size: String = "width=\"10\" height=\"10\""
    ) -> [UInt8] {
        let names = #"xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink""#
        return Array("<svg \(names) viewBox=\"\(viewBox)\" \(size)>\(body)</svg>".utf8)
    }

    private func png(_ width: Int, _ height: Int, _ fill: UInt32 = 0xff00_8000) throws -> [UInt8] {
        try PNG.encode(Picture(width: width, height: height, fill: fill))
    }

    private func jpeg(_ width: Int32, _ height: Int32) -> [UInt8] {
        let image = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height)!
        gdk_pixbuf_fill(image, 0x0080_00ff)
        defer { g_object_unref(UnsafeMutableRawPointer(image)) }
        var bytes: UnsafeMutablePointer<CChar>?, count: gsize = 0
        _ = gdk_pixbuf_save_to_bufferv(image, &bytes, &count, "jpeg", nil, nil, nil)
        defer { g_free(bytes) }
        return UnsafeBufferPointer(start: bytes, count: Int(count)).map { UInt8(bitPattern: $0) }
    }

    private func packed(_ bytes: [UInt8]) -> [UInt8] {
        let converter = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9)!
        defer { g_object_unref(UnsafeMutableRawPointer(converter)) }
        var result = [UInt8](repeating: 0, count: bytes.count + 1024)
        var read: gsize = 0, written: gsize = 0
        let room = gsize(result.count)
        _ = g_converter_convert(
            converter, bytes, gsize(bytes.count), &result, room, G_CONVERTER_INPUT_AT_END, &read, &written, nil)
        return Array(result.prefix(Int(written)))
    }

    @Test("icons of every kind fill their place in their own colours", arguments: [1, 1.25, 1.5, 2, 3])
    func kinds(scale: Double) throws {
        let green = "<rect width=\"10\" height=\"10\" fill=\"green\"/>"
        let xpm = "/* XPM */\nstatic char *a[] = {\n\"2 2 1 1\",\n\"x c #008000\",\n\"xx\",\n\"xx\"};\n"
        let files: [(String, [UInt8])] = [
            ("a.png", try png(64, 64)), ("b.svg", svg(green)), ("c.svgz", packed(svg(green))), ("d.jpg", jpeg(48, 48)),
            ("e.xpm", Array(xpm.utf8)), ("wrong-name.svg", try png(16, 16)),
        ]
        for (name, bytes) in files {
            let picture = picture(folder.write(name, bytes), 31, scale: scale)
            let side = Int(clamping: (31 * scale).rounded(.up))
            #expect(picture.width == side && picture.height == side)
            let inside = Rect(2, 2, Double(side) - 4, Double(side) - 4)
            let colour = picture.singleColour(in: inside, tolerance: 3)
            #expect(colour?.distance(to: .init(raw: 0xff00_8000)) ?? 255 <= 3, "\(name)")
        }
    }

    @Test("the aspect is kept and the icon is in the middle")
    func aspect() throws {
        for path in [
            folder.write("wide.png", try png(80, 20)),
            folder.write("wide.svg", svg("<rect width=\"80\" height=\"20\"/>", viewBox: "0 0 80 20", size: "")),
        ] {
            #expect(picture(path, 24).ink() == Rect(0, 9, 24, 6))
        }
    }

    @Test(
        "icons of every form get one shape: squares fill it, with or without round corners and margins; others stand on a ground",
        arguments: [
            ("<rect width=\"10\" height=\"10\" fill=\"green\"/>", true),
            ("<rect width=\"10\" height=\"10\" rx=\"2\" fill=\"green\"/>", true),
            ("<rect x=\"1\" y=\"1\" width=\"8\" height=\"8\" rx=\"1.6\" fill=\"green\"/>", true),
            ("<circle cx=\"5\" cy=\"5\" r=\"5\" fill=\"green\"/>", false),
            ("<path d=\"M0 10 5 0 10 10z\" fill=\"green\"/>", false), ("<path d=\"M0 0h4l1 1h5v9H0z\" fill=\"green\"/>", false),
            ("<rect y=\"3\" width=\"10\" height=\"4\" fill=\"green\"/>", false),
            ("<rect x=\"4\" y=\"4\" width=\"2\" height=\"2\" fill=\"green\"/>", false),
            // A line along the sides would be broken at the shell's rounder corners.
            (
                "<rect width=\"10\" height=\"10\" rx=\"0.6\" fill=\"#ddd\"/><rect x=\"0.5\" y=\"0.5\" width=\"9\" height=\"9\" fill=\"green\"/>",
                false
            ),
            // A band at one side is none.
            ("<rect width=\"10\" height=\"10\" fill=\"green\"/><rect y=\"9\" width=\"10\" height=\"1\" fill=\"#ddd\"/>", true),
        ], [false, true])
    func shape(icon: (body: String, fills: Bool), isDark: Bool) throws {
        let (body, fills) = icon
        let painter = makePainter(), file = folder.write("a.svg", svg(body))
        painter.theme.isDark = isDark
        let picture = painter.picture(of: .icon(AppIcon(name: file, title: "Files")), size: Size(60, 80), scale: 1)
        #expect(picture.ink() == Rect(0, 10, 60, 60))
        #expect(picture[1, 11].alpha == 0 && picture[58, 68].alpha == 0 && picture[30, 11].alpha == 255)
        let green = Picture.Pixel(raw: 0xff00_8000)
        #expect(picture[30, 40].distance(to: green) < 5, "the icon is in the middle, in its own colour")
        #expect((picture[30, 12].distance(to: green) < 5) == fills, "\(picture[30, 12])")
        if !fills { #expect(picture[30, 12].distance(to: .init(raw: isDark ? 0xff33_363d : 0xfff5_f5f7)) < 3) }
    }

    @Test(
        "a ground is dark below a light icon, and light below a dark one",
        arguments: [("#fff", false, true), ("#fff", true, true), ("#111", false, false), ("#111", true, false)])
    func ground(colour: String, isDark: Bool, isGroundDark: Bool) throws {
        let painter = makePainter(), file = folder.write("a.svg", svg("<circle cx=\"5\" cy=\"5\" r=\"5\" fill=\"\(colour)\"/>"))
        painter.theme.isDark = isDark
        let picture = painter.picture(of: .icon(AppIcon(name: file, title: "Files")), size: Size(60, 60), scale: 2)
        #expect(picture[60, 4].distance(to: .init(raw: isGroundDark ? 0xff33_363d : 0xfff5_f5f7)) < 3)
    }

    @Test("an absolute path needs no search; the search is told the pixels")
    func search() throws {
        let path = folder.write("a.png", try png(8, 8))
        var asked: [(String, Int)] = []
        let painter = Painter {
            asked.append(($0, $1))
            return nil
        }
        let own = painter.picture(of: .icon(AppIcon(name: path, title: "Files")), size: Size(20, 20), scale: 2)
        #expect(own.singleColour(tolerance: 2) != nil && asked.isEmpty)
        let tile = painter.picture(of: .icon(AppIcon(name: "files", title: "Files")), size: Size(20, 20), scale: 2)
        #expect(asked.count == 1 && asked.first?.0 == "files" && asked.first?.1 == 40)
        #expect(tile == painter.picture(of: .icon(AppIcon(name: nil, title: "Files")), size: Size(20, 20), scale: 2))
    }

    @Test("a broken or hostile file gives the tile, in short time and memory")
    func hostile() throws {
        let secret = folder.write("secret.png", try png(10, 10, 0xffff_0000))
        var huge = try png(8, 8)
        // What its head claims: 60000 by 60000.
        for start in [16, 20] { huge.replaceSubrange(start..<(start + 4), with: [0, 0, 0xea, 0x60]) }
        let good = try png(64, 64)
        var laughs = "<!DOCTYPE svg [<!ENTITY a0 \"ha\">"
        for level in 1...12 {
            laughs += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        laughs += "]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&a12;</text></svg>"
        var copies = "<g id=\"u0\"><rect width=\"1\" height=\"1\"/></g>"
        for level in 1...12 {
            let uses = String(repeating: "<use xlink:href=\"#u\(level - 1)\"/>", count: 10)
            copies += "<g id=\"u\(level)\">\(uses)</g>"
        }
        let size = "width=\"9\" height=\"9\""
        let blurs = "<filter id=\"f\"><feGaussianBlur stdDeviation=\"5\"/><feTurbulence numOctaves=\"50\"/></filter>"
        let style = "<style>rect { filter: url(#f) }</style><filter id=\"f\"><feMorphology radius=\"9\"/></filter>"
        let inside =
            Array("<image width=\"10\" height=\"10\" xlink:href=\"data:image/png;base64,".utf8)
            + Array(encoded(huge).utf8) + Array("\"/>".utf8)
        let files: [(String, [UInt8])] = [
            ("empty.png", []), ("text.png", Array("not a picture".utf8)),
            ("cut.png", Array(good.prefix(40))), ("half.png", Array(good.prefix(good.count / 2))),
            ("huge.png", huge), ("large.png", good + [UInt8](repeating: 0, count: 9 << 20)),
            ("flat.png", try png(4097, 1)),
            ("cut.jpg", Array(jpeg(64, 64).prefix(120))), ("cut.webp", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)),
            ("huge.xpm", Array("/* XPM */\nstatic char *a[] = {\n\"999999 999999 1 1\",\n\"x c #000\",\n\"x\"};".utf8)),
            ("cut.xpm", Array("/* XPM */\nstatic char *a[] = {\n\"9 9 1 1\",".utf8)),
            ("cut.svg", Array(svg("<rect").dropLast(8))), ("nothing.svg", svg("")),
            ("outside.svg", svg("<image width=\"10\" height=\"10\" xlink:href=\"file://\(secret)\"/>")),
            ("beside.svg", svg("<image width=\"10\" height=\"10\" xlink:href=\"secret.png\"/>")),
            ("inside.svg", svg(String(decoding: inside, as: UTF8.self))),
            ("hidden.svg", svg("<image width=\"10\" height=\"10\" xlink:href=\"&#100;ata:image/png;base64,AAAA\"/>")),
            ("laughs.svg", Array(laughs.utf8)), ("copies.svg", svg(copies)),
            ("large.svg", svg(String(repeating: "<g/>", count: 600_000))),
            ("blurs.svg", svg(blurs + String(repeating: "<rect \(size) filter=\"url(#f)\"/>", count: 2000))),
            ("style.svg", svg(style + String(repeating: "<rect \(size)/>", count: 2000))),
            ("text.svg", svg("<text>" + String(repeating: "漢字 ab ", count: 4000) + "</text>")),
            ("coded.svg", svg("<g id=\"a\"><rect \(size)/></g><use xlink:href=\"&#35;a\"/>")),
            ("entity.svg", Array("<!DOCTYPE svg [<!ENTITY a \"<use/>\">]>".utf8) + svg("&a;<rect \(size)/>")),
            ("utf7.svg", Array("<?xml version=\"1.0\" encoding=\"UTF-7\"?>".utf8) + svg("<rect \(size)/>")),
            ("bomb.svgz", packed(svg(String(repeating: " ", count: 40 << 20)))),
            ("cut.svgz", Array(packed(svg("<rect width=\"9\" height=\"9\"/>")).dropLast(12))),
        ]
        let tile = picture(nil)
        let start = ContinuousClock.now
        for (name, bytes) in files {
            let path = folder.write(name, bytes)
            let before = ContinuousClock.now
            #expect(picture(path) == tile, "\(name)")
            #expect(ContinuousClock.now - before < .seconds(3), "\(name)")
        }
        mkfifo("\(folder.path)/pipe", 0o600)
        for path in ["\(folder.path)/pipe", folder.path, "/dev/zero", "\(folder.path)/none", ""] {
            #expect(picture(path) == tile, "\(path)")
        }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    private func encoded(_ bytes: [UInt8]) -> String {
        let text = g_base64_encode(bytes, gsize(bytes.count))!
        defer { g_free(text) }
        return String(cString: text)
    }

    @Test("a picture inside a vector graphic is shown when it is small")
    func embedded() throws {
        let data = encoded(try png(8, 8))
        let body = "<image width=\"10\" height=\"10\" xlink:href=\"data:image/png;base64,\(data)\"/>"
        #expect(picture(folder.write("a.svg", svg(body))).singleColour(in: Rect(2, 2, 28, 28), tolerance: 3) != nil)
    }

    @Test("what drawing programs write is drawn: names for namespaces, styles, gradients, a few filters and copies")
    func usualGraphics() {
        let body = """
            <style type="text/css"><![CDATA[ .a { fill: url(#g) } .b > rect { fill: #123 } ]]></style>
            <!-- a > b < c --><defs><linearGradient id="g"><stop stop-color="green"/></linearGradient>
            <filter id="f"><feGaussianBlur stdDeviation="1"/></filter></defs>
            <g id="r"><rect class="a" width="1" height="1"/></g>
            """
            + String(repeating: "<use xlink:href=\"#r\" transform=\"scale(10)\"/>", count: 40)
            + String(repeating: "<rect class='a' width='9' height='9' style='filter:url(#f)'/>", count: 20)
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- made by hand -->
            <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [
            <!ENTITY ns_svg "http://www.w3.org/2000/svg">
            ]>

            """
        let picture = picture(folder.write("a.svg", Array(head.utf8) + svg(body)))
        let colour = picture.singleColour(in: Rect(4, 4, 24, 24), tolerance: 4)
        #expect(colour?.distance(to: .init(raw: 0xff00_8000)) ?? 255 < 5)
    }

    @Test(
        "an app without an icon has the first letter of its name on a tile",
        arguments: [
            ("Files", "F"), ("Text Editor", "T"), ("notify-send", "N"), ("7 Zip", "7"), ("  GNU  Image Program", "G"),
            ("설정", "설"), ("메모 앱", "메"), ("メモ帳", "メ"), ("日本語 入力", "日"), ("Größe", "G"), ("ßeta", "ß"),
            ("", ""), ("—", ""), ("Files 파일", "F"),
        ])
    func initial(title: String, initial: String) {
        #expect(FallbackTile.initial(title) == initial)
        let painter = makePainter()
        let picture = painter.picture(of: .icon(AppIcon(name: nil, title: title)), size: Size(40, 60), scale: 1)
        // A square in the middle with round corners and something white on it.
        #expect(picture.ink() == Rect(0, 10, 40, 40))
        #expect(picture[0, 10].alpha == 0 && picture[39, 49].alpha == 0 && picture[20, 11].alpha == 255)
        #expect(picture.pixels.contains { Picture.Pixel(raw: $0).distance(to: .init(raw: 0xffff_ffff)) < 60 })
    }

    @Test("apps' tiles differ by name")
    func tileColours() {
        let painter = makePainter()
        let colours = ["Fa", "Fb", "Fc", "Fd", "Fe", "Ff", "Fg", "Fh", "Fi", "Fj", "Fk", "Fl"].map {
            painter.picture(of: .icon(AppIcon(name: nil, title: $0)), size: Size(40, 40), scale: 1)[20, 2]
        }
        #expect(Set(colours).count >= 4)
    }
}
