import Foundation
import Geometry
import MullionTesting
import Stage
import Synchronization
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
        for url in [
            file, "file://" + file, "file://" + escaped, "file://localhost" + escaped,
            "data:image/png;base64," + Data(try red()).base64EncodedString(),
        ] {
            #expect(middle(url) == Picture.Pixel(red: 255, green: 0, blue: 0), "\(url)")
        }
        let picture = makePainter().picture(of: .artwork(file, radius: 10), size: Size(64, 64), scale: 1)
        #expect(picture[0, 0].alpha == 0)
    }

    @Test(
        "what is no picture of this machine is a note; nothing is fetched and nothing waits",
        arguments: [
            "", "https://example.com/a.png", "file:///dev/zero", "file:///etc/passwd", "file://elsewhere/a.png", "file:///nothing%0",
            "file:///a%00b",
            "data:image/png;base64,!!!!", "data:image/png;base64,iVBORw0KGgo=", "data:text/html,<b>", "relative.png",
        ])
    func refused(url: String) {
        #expect(middle(url) == middle("none"), "\(url)")
    }

    /// As large as one that kept the shell busy for minutes: a scan takes ten bytes, and is work for the whole picture.
    @Test("a JPEG of a thousand scans is refused before it is decoded; usual ones are not")
    func scans() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-scans-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func outcome(_ scans: Int) throws -> (IconFile.Outcome, Duration) {
            let file = folder.appending(path: "\(scans).jpg")
            try Data(ProgressiveJPEG.bytes(width: 2000, height: 1500, scans: scans)).write(to: file)
            var outcome = IconFile.Outcome.nothing
            let time = ContinuousClock().measure {
                outcome = IconFile(.artwork, path: file.path(percentEncoded: false), width: 64, height: 64).outcome
            }
            return (outcome, time)
        }
        let (many, time) = try outcome(20_000)
        guard case .refused(let reason) = many else {
            Issue.record("it was not refused, after \(time)")
            return
        }
        #expect(reason == "a JPEG of 20000 scans, where 100 are taken" && time < .seconds(2))
        guard case .picture = try outcome(12).0 else {
            Issue.record("one of 12 scans is not drawn")
            return
        }
    }

    /// To open a pipe or device is to act on it: who writes to the pipe goes on, a tape winds back, a watchdog begins to bark.
    @Test("what is no file is not even opened")
    func pipe() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "mullion-pipe-\(UUID().uuidString)").path(percentEncoded: false)
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let opened = Mutex(false)
        let writer = Thread {
            let file = open(path, O_WRONLY)
            opened.withLock { $0 = true }
            close(file)
        }
        writer.start()
        usleep(200_000)
        #expect(middle(path) == middle("none"))
        usleep(200_000)
        #expect(!opened.withLock { $0 }, "somebody opened the pipe")
        // The writer ends.
        close(open(path, O_RDONLY | O_NONBLOCK))
        while !writer.isFinished { usleep(10_000) }
    }

    @Test("a data URL has its limit")
    func long() throws {
        let url = "data:image/png;base64," + Data(try red()).base64EncodedString() + String(repeating: " ", count: ArtworkPainter.longest)
        #expect(middle(url) == middle("none"))
    }
}
