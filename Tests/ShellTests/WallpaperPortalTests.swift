import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The Wallpaper portal with the real xdg-desktop-portal.
    @Suite(.serialized) struct WallpaperPortalTests {
        /// A picture of one colour.
        private func write(_ colour: UInt32, _ width: Int = 64, _ height: Int = 48, to path: String) throws {
            try PNG.write(Picture(width: width, height: height, fill: 0xff00_0000 | colour), to: path)
        }

        private func chosen(_ shell: ShellUnderTest) throws -> String {
            try shell.run([shell.program, "ctl", "settings", "get", "wallpaper"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func copies(_ shell: ShellUnderTest) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: "\(shell.room)/state/mullion/wallpapers")) ?? []
        }

        @Test("an app's picture becomes the wallpaper after a person has seen it, and outlives the app's file and the shell")
        func accepted() throws {
            try PortalSession.with { session in
                let shell = session.shell, path = "\(shell.room)/sea of trees.png"
                try write(0x306090, to: path)
                let client = try session.client()
                let before = try chosen(shell)
                try write(0x306090, to: "\(shell.room)/sea.png")
                try client.tell("file", "", "\(shell.room)/sea.png")
                let cancel = try shell.waitForView("modal/1/choice/1")
                try shell.keepPicture("portal-wallpaper")
                try shell.tap(cancel.frame.center)
                try client.says("response 1")
                #expect(try chosen(shell) == before && copies(shell).isEmpty)

                try client.tell("wallpaper", "", "file://\(path.replacingOccurrences(of: " ", with: "%20"))", "preview")
                _ = try shell.waitForView("modal/2/choice/0")
                // The file is gone before the person answers.
                unlink(path)
                usleep(700_000)
                try shell.tap(try shell.view("modal/2/choice/0").frame.center)
                try client.says("response 0")
                let now = try chosen(shell)
                #expect(now.contains("/state/mullion/wallpapers/") && copies(shell).count == 1, "\(now) \(copies(shell))")
                try shell.perform(.home)
                try shell.wait("the picture") { try shell.picture()[5, 400].distance(to: Picture.Pixel(0x306090)) <= 4 }

                // Another one takes its place, and the first copy goes.
                try write(0x903060, to: "\(shell.room)/other.png")
                try client.tell("wallpaper", "", "file://\(shell.room)/other.png", "preview")
                _ = try shell.waitForView("modal/3/choice/0")
                usleep(700_000)
                try shell.tap(try shell.view("modal/3/choice/0").frame.center)
                try client.says("response 0")
                #expect(try chosen(shell) != now && copies(shell).count == 1)
                shell.expectAlive()
            }
        }

        @Test("a picture that cannot be shown, too large, elsewhere, for the lock or withdrawn changes nothing and is answered with 2")
        func refused() throws {
            try PortalSession.with { session in
                let shell = session.shell, room = shell.room
                let before = try chosen(shell)
                try Data("no picture at all".utf8).write(to: URL(filePath: "\(room)/words.png"))
                // A whole picture of 100 megapixels, in 12 KiB.
                let huge = """
                    import sys, zlib, struct
                    def chunk(name, data): return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
                    head = struct.pack('>IIBBBBB', 10000, 10000, 1, 0, 0, 0, 0)
                    rows = zlib.compress(bytes(1251 * 10000), 9)
                    open(sys.argv[1], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', head) + chunk(b'IDAT', rows) + chunk(b'IEND', b''))
                    """
                #expect(try shell.run(["/usr/bin/python3", "-c", huge, "\(room)/huge.png"]).status == 0)
                mkfifo("\(room)/pipe.png", 0o600)
                try write(0x123456, to: "\(room)/good.png")
                let client = try session.client()
                for address in ["words.png", "huge.png", "pipe.png", "gone.png", "."].map({ "file://\(room)/\($0)" })
                    + ["https://example.org/a.png", "file://elsewhere/a.png", "file:///a%00b", "nonsense"]
                {
                    try client.tell("wallpaper", "", address, "preview")
                    #expect(try client.says("response", within: 30) == "response 2 {}", "\(address)")
                }
                try client.tell("wallpaper", "", "file://\(room)/good.png", "preview", "lockscreen")
                #expect(try client.says("response") == "response 2 {}")
                // The app takes its question back.
                try client.tell("wallpaper", "", "file://\(room)/good.png", "preview")
                try shell.wait("the question") { try shell.isOpen("alert") }
                try client.tell("close")
                try client.says("closed")
                try shell.wait("its end") { try !shell.isOpen("alert") }
                #expect(try chosen(shell) == before && copies(shell).isEmpty, "\(copies(shell))")
                shell.expectAlive()
            }
        }

        @Test("where the configuration says the wallpaper, no app is asked for")
        func configured() throws {
            try PortalSession.with(config: "launch = []\nwallpaper = \"#102030\"\n") { session in
                let path = "\(session.shell.room)/good.png"
                try write(0x123456, to: path)
                let client = try session.client()
                try client.tell("wallpaper", "", "file://\(path)", "preview")
                #expect(try client.says("response") == "response 2 {}")
                #expect(try !session.shell.isOpen("alert"))
            }
        }
    }
}
