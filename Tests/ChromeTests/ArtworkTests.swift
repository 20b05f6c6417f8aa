import Foundation
import Geometry
import Stage
import Testing

@testable import Chrome

/// pictures of what plays come from anybody.
@Suite struct ArtworkTests {
    private func red() throws -> [UInt8] {
        var picture = Picture(width: 8, height: 8)
        for index in picture.pixels.indices { picture.pixels[index] = 0xffff_0000 }
        return try picture.pixels.withUnsafeBytes { try PNG.encode(pixels: Array($0), width: 8, height: 8, stride: 32) }
    }

    private func middle(_ url: String) -> Picture.Pixel {
        makePainter().picture(of: .artwork(url, radius: 10), size: Size(64, 64), scale: 1)[32, 8]
    }

    @Test("files and data URLs are read, escaped or not; round corners")
    func read() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mullion art \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "cover 1.png").path(percentEncoded: false)
        try Data(red()).write(to: URL(filePath: file))
        let escaped = file.replacingOccurrences(of: " ", with: "%20")
        for url in [file, "file://" + file, "file://" + escaped, "file://localhost" + escaped,
            "data:image/png;base64," + Data(try red()).base64EncodedString()] {
            #expect(middle(url) == Picture.Pixel(red: 255, green: 0, blue: 0), "\(url)")
        }
        let picture = makePainter().picture(of: .artwork(file, radius: 10), size: Size(64, 64), scale: 1)
        #expect(picture[0, 0].alpha == 0)
    }

    @Test("what is no picture of this machine is a note; nothing is fetched and nothing waits", arguments: [
        "", "https://example.com/a.png", "file:///dev/zero", "file:///etc/passwd", "file://elsewhere/a.png", "file:///nothing%0", "file:///a%00b",
        "data:image/png;base64,!!!!", "data:image/png;base64,iVBORw0KGgo=", "data:text/html,<b>", "relative.png",
    ])
    func refused(url: String) {
        #expect(middle(url) == middle("none"), "\(url)")
    }

    @Test("a data URL has its limit")
    func long() throws {
        let url = "data:image/png;base64," + Data(try red()).base64EncodedString() + String(repeating: " ", count: ArtworkPainter.longest)
        #expect(middle(url) == middle("none"))
    }
}
