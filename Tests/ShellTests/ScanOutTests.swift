import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Scan-out: a buffer that is the whole picture goes to the output unchanged (docs/hardware.md). Here the output
    /// is virtual and accepts every buffer; `scripts/vm` does the same with a display.
    @Suite(.serialized) struct ScanOutTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// The animated client fills the screen at its own request.
        private func film(_ shell: ShellUnderTest) throws -> TestClient {
            let client = try TestClient(shell, ["--colour", "205080", "--animate"])
            try client.tell("fullscreen")
            return client
        }

        /// Of the next twenty frames, how many were scanned out.
        private func scannedOut(_ shell: ShellUnderTest) throws -> UInt64 {
            let before = try shell.statistics()
            var after = before
            try shell.wait("twenty frames", within: 20) {
                after = try shell.statistics()
                return after.framesDrawn >= before.framesDrawn + 20
            }
            return after.framesScannedOut - before.framesScannedOut
        }

        private func waitForScanOut(_ shell: ShellUnderTest) throws {
            try shell.wait("twenty frames that nobody painted", within: 30) { try scannedOut(shell) >= 20 }
        }

        /// And only then.
        private func expectPainted(_ shell: ShellUnderTest, _ why: Comment, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
            try shell.wait("the first painted frame", within: 10) { try scannedOut(shell) == 0 }
            #expect(try scannedOut(shell) == 0, why, sourceLocation: sourceLocation)
        }

        @Test(arguments: ["auto", "wlr"]) func whatFillsTheScreenIsNotPainted(draw: String) throws {
            try ShellUnderTest.with(config: still, options: ["--draw", draw]) { shell in
                let client = try TestClient(shell, ["--colour", "205080", "--animate"])
                #expect(try scannedOut(shell) == 0, "the dots and the line at the bottom lie over it")
                try client.tell("fullscreen")
                try waitForScanOut(shell)
                #expect(try shell.statistics().damagePixels == 0)
                let own = Picture.Pixel(0x205080), edge = Picture.Pixel(0xffcc00)
                let picture = try shell.picture()
                #expect(picture.singleColour(in: Rect(3, 3, 1174, 814)) == own, "nothing lies over it")
                #expect(picture[0, 0] == edge && picture[1179, 819] == edge)
                // Another client in front, and back: each is the whole picture.
                _ = try TestClient(shell, ["--colour", "aa2222"])
                #expect(try shell.picture()[590, 410] == .init(0xaa2222))
                try shell.perform(.focus(window: client.id))
                try waitForScanOut(shell)
                client.signal(9)
                try shell.client.waitUntilGone(client.id)
                shell.expectAlive()
            }
        }

        @Test func whatLiesOverItIsSeen() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try film(shell)
                try waitForScanOut(shell)
                // A popup of its own, in a corner.
                try client.tell("popup")
                try expectPainted(shell, "with a popup")
                #expect(try shell.picture()[100, 80] == .init(0xffffff))
                try client.run("w = window.popups.pop(); w[2].destroy(); w[1].destroy(); w[0].destroy()")
                try waitForScanOut(shell)
                // The shell's own: a menu, the app switcher, the home screen.
                for action in [Action.controls(), .appSwitcher] {
                    try shell.perform(action)
                    try expectPainted(shell, "\(action)")
                    try shell.perform(.dismiss)
                    try waitForScanOut(shell)
                }
                // A window over it and beside it.
                let other = try TestClient(shell, ["--colour", "aa2222"], to: .slideOver)
                try expectPainted(shell, "under Slide Over")
                try shell.perform(.pictureInPicture(window: other.id))
                try expectPainted(shell, "under Picture in Picture")
                try shell.perform(.splitView(window: other.id, side: .right))
                try expectPainted(shell, "in Split View")
                try shell.perform(.close(window: other.id))
                try shell.client.waitUntilGone(other.id)
                try waitForScanOut(shell)
                // A panel.
                let panel = try shell.start(["python3", "\(TestClient.folder)/panel.py", "top", "40", "884422"])
                try expectPainted(shell, "beside a panel")
                shell.signal(panel.process, SIGKILL)
                try waitForScanOut(shell)
            }
        }

        /// What is not shown pixel for pixel has to be painted.
        @Test func onlyWhatFitsIsHandedOn() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try film(shell)
                try waitForScanOut(shell)
                try shell.perform(.rotate(1))
                try expectPainted(shell, "on a screen that is turned")
                try shell.perform(.rotate(0))
                try waitForScanOut(shell)
                try client.run("surface.set_buffer_transform(2); surface.damage_buffer(0, 0, 9, 9); surface.commit()")
                try expectPainted(shell, "turned by its app")
                try client.run("surface.set_buffer_transform(0); surface.damage_buffer(0, 0, 9, 9); surface.commit()")
                try waitForScanOut(shell)
                // The app draws for a scale of 1.
                try shell.perform(.resizeScreen(size: Size(1180, 820), scale: 2))
                try expectPainted(shell, "stretched")
            }
        }

        /// A pointer without a cursor plane has to be painted; a finger hides it.
        @Test func aCursorIsPainted() throws {
            try ShellUnderTest.with(config: still) { shell in
                _ = try film(shell)
                try waitForScanOut(shell)
                try shell.client.input(.pointerMotion(at: Point(500, 500)))
                try expectPainted(shell, "with a cursor")
                try shell.tap(Point(600, 400))
                try waitForScanOut(shell)
            }
        }

        /// Screen copies show the visible content, even in the frame after many that were not painted.
        @Test func itIsSeenInScreenCopies() throws {
            try ShellUnderTest.require("grim", of: "grim")
            try ShellUnderTest.with(config: still) { shell in
                let client = try film(shell)
                let path = "\(shell.room)/grim.png"
                for colour: UInt32 in [0x205080, 0x802050] {
                    try client.tell("colour \(String(colour, radix: 16))")
                    try waitForScanOut(shell)
                    let (status, output) = try shell.run(["grim", path])
                    #expect(status == 0, "\(output)")
                    #expect(try PNG.read(path).pixelsDifferent(from: try shell.picture(), rim: 0) == 0)
                    #expect(try PNG.read(path)[590, 410] == .init(colour))
                }
                try waitForScanOut(shell)
            }
        }
    }
}
