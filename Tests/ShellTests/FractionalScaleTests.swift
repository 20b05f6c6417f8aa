import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension TestClient {
    /// Runs a line of Python in the client (`Clients/inputs.py`).
    func run(_ statement: String) throws { try tell("do \(statement)") }

    /// The protocol error that ended its connection: the object and the code.
    func protocolError() throws -> (object: String, code: Int64) {
        let event = try waitFor("wl_display.error")
        return (event.a[0]?.string ?? "", event.a[1]?.integer ?? -1)
    }
}

extension RunningShell {
    /// fractional-scale-v1: apps draw at scales like 1.25, and the result is shown pixel for pixel.
    @Suite(.serialized) struct FractionalScaleTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// The number of pixels in a row that differ from one-pixel stripes.
        private func blurred(_ picture: Picture, row: Int, from: Int, to: Int) -> Int {
            let white = Picture.Pixel(0xff_ffff), black = Picture.Pixel(0)
            let (even, odd) = picture[from, row] == white ? (white, black) : (black, white)
            return (from..<to).count { x in picture[x, row] != ((x - from) % 2 == 0 ? even : odd) }
        }

        private func preferred(_ client: TestClient) throws -> [Int64] {
            _ = try client.mark()
            return try client.events(since: 0, "wp_fractional_scale_v1.preferred_scale").compactMap { $0.a[0]?.integer }
        }

        @Test(arguments: [1.25, 1.5, 1.75]) func stripesOfOnePixelStaySharp(scale: Double) throws {
            try ShellUnderTest.with(scale: scale, config: still) { shell in
                let a = try TestClient(shell, ["--crisp"])
                #expect(try preferred(a) == [Int64(clamping: scale * 120)])
                try shell.wait("the window in full sharpness") {
                    try blurred(shell.picture(), row: 500, from: 10, to: 1170) == 0
                }
                // Side by side, at positions between pixels.
                let b = try TestClient(shell, ["--crisp"], to: .splitView(.right))
                try shell.settle()
                let left = try #require(try a.report.frame), right = try #require(try b.report.frame)
                try shell.wait("both sharp") {
                    let picture = try shell.picture()
                    return blurred(picture, row: 500, from: 10, to: Int(clamping: left.maxX * scale) - 3) == 0
                        && blurred(picture, row: 500, from: Int(clamping: right.minX * scale) + 3, to: 1170) == 0
                }
                try shell.keepPicture("fractional-\(scale)")
                // The same after a quarter turn of the screen.
                try shell.perform(.rotate(1))
                try shell.wait("sharp on the turned screen") {
                    let frame = try #require(try a.report.frame)
                    return try blurred(shell.picture(), row: 300, from: 10, to: Int(clamping: frame.maxX * scale) - 10) == 0
                }
            }
        }

        @Test func theScaleFollowsTheScreen() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell, ["--crisp"])
                #expect(try preferred(client) == [120])
                try shell.perform(.resizeScreen(scale: 1.5))
                try shell.perform(.resizeScreen(scale: 1.25))
                #expect(try preferred(client) == [120, 180, 150])
                // An object that is made later, for an unmapped surface, gets the scale at once.
                try client.run("late = bind('wp_fractional_scale_manager_v1').get_fractional_scale(new_surface())")
                #expect(try preferred(client).suffix(1) == [150])
                try shell.perform(.resizeScreen(scale: 2))
                #expect(try preferred(client).suffix(2) == [240, 240])
            }
        }

        /// A page with one-pixel stripes, which are two thirds of a CSS pixel wide. Firefox 140 (Debian 13) supports
        /// the protocol but does not enable it by default; newer versions do.
        @Test func firefoxDrawsInThePixelsOfTheScreen() throws {
            try ShellUnderTest.with(scale: 1.5, config: still) { shell in
                try ShellUnderTest.require("firefox-esr", of: "firefox-esr")
                let page = "\(shell.room)/page.html", profile = "\(shell.room)/home/profile"
                try shell.write(
                    """
                    <canvas width=600 height=300 style='position:fixed;left:0;top:0;width:400px;height:200px'></canvas>
                    <script>const c = document.querySelector('canvas').getContext('2d');
                    c.fillStyle = 'white'; c.fillRect(0, 0, 600, 300); c.fillStyle = 'black';
                    for (let x = 0; x < 600; x += 2) c.fillRect(x, 0, 1, 300)</script>
                    """, to: page)
                mkdir(profile, 0o700)
                try shell.write(
                    """
                    user_pref("browser.aboutwelcome.enabled", false);
                    user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
                    user_pref("browser.shell.checkDefaultBrowser", false);
                    user_pref("browser.startup.homepage_override.mstone", "ignore");
                    user_pref("app.update.enabled", false);
                    user_pref("widget.wayland.fractional-scale.enabled", true);
                    """, to: "\(profile)/user.js")
                try shell.open(["firefox-esr", "--no-remote", "--profile", profile, "file://\(page)"], timeout: 60_000)
                try shell.wait("stripes as sharp as they were drawn", within: 60) {
                    let picture = try shell.picture()
                    return (200..<300).contains { blurred(picture, row: $0, from: 20, to: 580) == 0 }
                }
                try shell.keepPicture("fractional-firefox")
            }
        }

        @Test func twoForOneSurfaceAreAnError() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell, ["--crisp"])
                try client.run("bind('wp_fractional_scale_manager_v1').get_fractional_scale(surface)")
                let error = try client.protocolError()
                #expect(error.object.hasPrefix("wp_fractional_scale_manager_v1#") && error.code == 0)
                try shell.client.waitUntilGone(client.id)
            }
        }

        @Test func theyMayEndInAnyOrder() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                // The surface first, then the object; the manager first; a new object after the old one.
                try client.run("m = bind('wp_fractional_scale_manager_v1'); s = new_surface(); f = m.get_fractional_scale(s)")
                try client.run("s.destroy(); app.connection.roundtrip(); f.destroy()")
                try client.run("s = new_surface(); f = m.get_fractional_scale(s); f.destroy(); f = m.get_fractional_scale(s)")
                try client.run("m.destroy(); app.connection.roundtrip()")
                _ = try client.mark()
                try shell.perform(.resizeScreen(scale: 1.5))
                _ = try client.mark()
                // And the client disconnects while everything exists.
                client.signal(9)
                try shell.client.waitUntilGone(client.id)
                try shell.perform(.resizeScreen(scale: 1.25))
                shell.expectAlive()
            }
        }
    }
}
