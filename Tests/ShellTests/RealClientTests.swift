import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-01: unmodified real apps, arranged by touch. Checks their pictures and their configures.
    @Suite(.serialized) struct RealClientTests {
        private static let blue: UInt32 = 0x204080

        /// By touch alone through every place and back, beside a window of one colour.
        private func tour(
            _ shell: ShellUnderTest, _ base: TestClient, _ app: WindowID, still: Bool = true, answers: Bool = true
        ) throws {
            typealias S = ShellUnderTest
            func expectPlaces(_ places: [WindowID: WindowReport.PlaceName], _ location: SourceLocation = #_sourceLocation) throws {
                try shell.expectPlaces(places, answered: answers, location)
            }
            try expectPlaces([app: .full])
            #expect(try shell.window(app).frame == S.whole)
            try shell.expectShown(app, still: still)

            try shell.drag(S.grip, S.toRight)
            try expectPlaces([app: .splitRight, base.id: .splitLeft])
            #expect(try shell.window(app).frame == S.rightHalf)
            #expect(try shell.window(base.id).frame == S.leftHalf)
            try shell.expectShown(app, still: still)
            let left = try shell.picture().singleColour(in: Rect(40, 40, 500, 700))
            #expect(left == Picture.Pixel(Self.blue))

            try shell.drag(Point(595 + 292, 18), S.toSlideOver)
            try expectPlaces([app: .slideOver, base.id: .full])
            try shell.expectShown(app, still: still)

            var card = try #require(try shell.state().slideOver.card)
            #expect(card.center.x > 590)
            try shell.drag(Point(card.center.x, card.y + 10), Point(200, card.y + 10))
            card = try #require(try shell.state().slideOver.card)
            #expect(card.center.x < 590, "on the other side (W-02)")
            try shell.expectShown(app, still: still)

            try shell.drag(Point(card.center.x, card.y + 10), S.toPicture, via: [Point(card.center.x, 300)], duration: 500)
            try expectPlaces([app: .pictureInPicture, base.id: .full])
            try shell.expectShown(app, still: still)
            let picture = try #require(try shell.window(app).frame)
            #expect(picture.center.x > 590 && picture.center.y > 410)

            try shell.pinch(picture.center, from: 60, to: 200)
            try expectPlaces([app: .full])
            #expect(try shell.window(app).frame == S.whole)
            try shell.expectShown(app, still: still)

            // W-10: except for its size and whether it is active, it got the same each time.
            let told = try shell.configures(of: app)
            #expect(Set(told.filter { !$0.rest.isEmpty }.map(\.rest)).count == 1, "\(told)")
            for size in [S.whole.size, S.rightHalf.size, picture.size] {
                // A window that cannot be that small gets a size of the same shape (W-11).
                let isTold = told.contains {
                    $0.size == size || $0.size.width > size.width && abs($0.size.width / size.width - $0.size.height / size.height) < 0.02
                }
                #expect(isTold, "\(size) is not among \(told.map(\.size))")
            }
            #expect(told.last == told.first { $0.size == S.whole.size && $0.states.contains("activated") })
            base.signal(9)
            try shell.waitUntilGone(base.id)
        }

        private func withBase(_ body: (ShellUnderTest, TestClient) throws -> Void) throws {
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\n", showsInstalledApps: true) { shell in
                let base = try TestClient(shell, ["--colour", "204080", "--edge", "204080"])
                try body(shell, base)
            }
        }

        /// Otherwise Java's windows are empty. A value that the user has set stays.
        @Test(arguments: [("", "1"), ("0", "0")])
        func javaIsToldOfNoReparenting(before: String, now: String) throws {
            let name = "_JAVA_AWT_WM_NONREPARENTING"
            try ShellUnderTest.with(environment: before.isEmpty ? [:] : [name: before]) { shell in
                let file = "\(shell.room)/java"
                try shell.client.perform(.launch(command: ["sh", "-c", "printenv \(name) > \(file)"]))
                try shell.wait("the program to see it") { shell.text(of: file) == now + "\n" }
            }
        }

        @Test func foot() throws {
            try withBase { shell, base in
                let app = try shell.open("foot", of: "foot", ["sh", "-c", "seq -w 4000; exec sleep 1000"])
                try tour(shell, base, app.id)
            }
        }

        @Test func gtk4() throws {
            try withBase { shell, base in
                let app = try shell.open("gtk4-demo", of: "gtk-4-examples")
                try tour(shell, base, app.id)
            }
        }

        @Test func gtk3() throws {
            try withBase { shell, base in
                let app = try shell.open("gtk3-demo", of: "gtk-3-examples")
                try tour(shell, base, app.id)
            }
        }

        @Test func qt() throws {
            try withBase { shell, base in
                let app = try shell.open("featherpad", of: "featherpad", ["--standalone"])
                try tour(shell, base, app.id)
            }
        }

        /// Rootless, started with the first X11 program.
        @Test func xterm() throws {
            try withBase { shell, base in
                let app = try shell.open("xterm", of: "xterm", ["-e", "sh", "-c", "seq -w 4000; exec sleep 1000"])
                #expect(app.isX11)
                try tour(shell, base, app.id)
                #expect(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display != nil)
            }
        }

        /// Clients that keep their own size are letterboxed (W-11). weston-simple-touch never commits in response to
        /// a configure, so it is not waited for.
        @Test(arguments: ["weston-flower", "weston-simple-touch", "weston-scaler", "weston-subsurfaces"])
        func weston(name: String) throws {
            try withBase { shell, base in
                let app = try shell.open(name, of: "weston")
                try tour(
                    shell, base, app.id, still: name == "weston-simple-touch" || name == "weston-scaler",
                    answers: name != "weston-simple-touch")
            }
        }

        @Test func westonSimpleShm() throws {
            try withBase { shell, base in
                let app = try shell.open("weston-simple-shm", of: "weston")
                try tour(shell, base, app.id, still: false)
            }
        }

        /// A player opens in full screen; sent to a corner at its start, it is Picture in Picture in the film's shape
        /// (W-06).
        @Test func mpv() throws {
            try withBase { shell, base in
                let app = try shell.open(
                    "mpv", of: "mpv",
                    ["--no-config", "--vo=wlshm", "--ao=null", "--loop", "av://lavfi:testsrc=size=640x360:rate=30"])
                try shell.expectPlaces([app.id: .full])
                try shell.perform(.pictureInPicture(window: app.id))
                try shell.expectPlaces([app.id: .pictureInPicture, base.id: .full])
                try shell.settle()
                let first = try #require(try shell.window(app.id).frame)
                #expect(abs(first.width / first.height - 16.0 / 9) < 0.02)
                try shell.expectShown(app.id, still: false)
                let before = try shell.statistics().frameCallbacks
                try shell.wait("the video to go on") { try shell.statistics().frameCallbacks > before + 5 }

                // Thrown to the opposite corner; a pinch enlarges it; past the edge it is stashed; the tab brings it
                // back.
                try shell.drag(first.center, Point(300, 200), duration: 120, rest: 0)
                var picture = try #require(try shell.window(app.id).frame)
                #expect(picture.center.x < 590 && picture.center.y < 410)
                try shell.pinch(picture.center, from: 100, to: 160)
                let larger = try #require(try shell.window(app.id).frame)
                #expect(larger.width > picture.width + 50)
                #expect(abs(larger.width / larger.height - 16.0 / 9) < 0.02)
                try shell.drag(larger.center, Point(-150, larger.center.y), duration: 200, rest: 0)
                #expect(try shell.state().pictureInPicture?.stashed == .left)
                try shell.tap(Point(6, larger.center.y))
                try shell.settle()
                #expect(try shell.state().pictureInPicture?.stashed == nil)

                // Spread wide it fills the screen, and it can be in a split like any other window.
                picture = try #require(try shell.window(app.id).frame)
                try shell.pinch(picture.center, from: 60, to: 240)
                try shell.expectPlaces([app.id: .full])
                try shell.expectShown(app.id, still: false)
                try shell.drag(ShellUnderTest.grip, ShellUnderTest.toLeft)
                try shell.expectPlaces([app.id: .splitLeft, base.id: .splitRight])
                try shell.expectShown(app.id, still: false)
            }
        }

        @Test func firefox() throws {
            try withBase { shell, base in
                try ShellUnderTest.require("firefox-esr", of: "firefox-esr")
                let page = "\(shell.room)/page.html"
                try shell.write("<title>Page</title><body style='background:#108040'>", to: page)
                let profile = "\(shell.room)/home/profile"
                mkdir(profile, 0o700)
                try shell.write(
                    """
                    user_pref("browser.aboutwelcome.enabled", false);
                    user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
                    user_pref("browser.shell.checkDefaultBrowser", false);
                    user_pref("browser.startup.homepage_override.mstone", "ignore");
                    user_pref("app.update.enabled", false);
                    user_pref("toolkit.cosmeticAnimations.enabled", false);
                    user_pref("network.captive-portal-service.enabled", false);
                    """, to: "\(profile)/user.js")
                let app = try shell.open(
                    ["firefox-esr", "--no-remote", "--profile", profile, "file://\(page)"], timeout: 60_000)
                /// The centre of the window's picture at any scale: all of it is the page.
                func waitForPage() throws {
                    try shell.wait("the page", within: 40) {
                        guard let picture = try shell.window(app.id).picture else { return false }
                        let middle = Rect(center: picture.center, size: picture.size * 0.5)
                        return try shell.picture().singleColour(in: middle, tolerance: 2)?.distance(to: .init(0x108040)) ?? 255 < 4
                    }
                }
                try waitForPage()
                try shell.drag(ShellUnderTest.grip, ShellUnderTest.toRight)
                try shell.expectPlaces([app.id: .splitRight, base.id: .splitLeft])
                try waitForPage()
                try shell.drag(Point(887, 18), ShellUnderTest.toSlideOver)
                try shell.expectPlaces([app.id: .slideOver, base.id: .full])
                try waitForPage()
                #expect(Set(try shell.configures(of: app.id).map(\.rest)).count == 1)
            }
        }
    }
}
