import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-02: the list of keys. The Super key alone goes home.
    @Suite(.serialized) struct KeyHelpTests {
        private static let config = "launch = []\nwallpaper = \"#232b3a\"\nanimation-speed = 3\n"

        private func key(_ name: String, _ pressed: Bool, _ shell: ShellUnderTest) throws {
            try shell.client.input(.key(key: .init(name)!, pressed: pressed))
        }

        private func lines(_ shell: ShellUnderTest) throws -> [String] {
            try shell.views().filter { $0.id.hasPrefix("keys/") }.map(\.name)
        }

        @Test func holdingSuperListsTheKeys_X02() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell)
                try shell.stopClock()
                try key("Super_L", true, shell)
                try shell.step(700)
                #expect(try shell.state().open == [], "not yet")
                try shell.step(200)
                #expect(try shell.state().open == ["keys"])
                try shell.step(600)
                #expect(try lines(shell).count > 25)
                try shell.keepPicture("keys")
                try key("Super_L", false, shell)
                #expect(try shell.state().open == [], "letting go hides it")
                try shell.step(1000)
                #expect(try !shell.state().home, "and is no tap")
                #expect(try client.report.active)
                // A chord while it is held is a chord, and opens no list.
                try key("Super_L", true, shell)
                try shell.step(300)
                try key("Down", true, shell)
                try key("Down", false, shell)
                try shell.step(2000)
                #expect(try shell.state().open == [] && client.report.place == .slideOver)
                try key("Super_L", false, shell)
                try shell.step(500)
                #expect(try !shell.state().home)
                try shell.startClock()
                // The app holds no key: each press of Super had its release, or the focus left.
                _ = try client.mark()
                let keys = try client.events(since: 0, "wl_keyboard.key").filter { $0.a[2]?.integer == 125 }.compactMap { $0.a[3]?.integer }
                #expect(!keys.isEmpty && keys.last == 0, "\(keys)")
            }
        }

        /// Opened by its key, the list stays until it is closed. It contains every function with its keys.
        @Test func whatItSays_X02() throws {
            let config = Self.config + "[keys]\nslide-over = \"Super+J\"\nhome = []\n"
            try ShellUnderTest.with(config: config) { shell in
                _ = try TestClient(shell)
                try shell.press("Super+slash")
                #expect(try shell.state().open == ["keys"])
                let lines = try lines(shell)
                #expect(Set(lines).count == lines.count, "each function once")
                #expect(lines.contains { $0.contains("Slide Over") && $0.contains("J") }, "as they are configured: \(lines)")
                #expect(lines.contains { $0.contains("Super Up Arrow") }, "the keys are said: \(lines)")
                let panel = try shell.view("keys").frame
                for view in try shell.views() where view.id.hasPrefix("keys/") {
                    #expect(panel.contains(view.frame), "\(view.name)")
                }
                try shell.press("Escape")
                #expect(try shell.state().open == [])
                try shell.press("Super+slash")
                try shell.press("Super+slash")
                #expect(try shell.state().open == [])
                try shell.perform(.keyHelp)
                try shell.tap(Point(20, 400))
                try shell.settle()
                #expect(try shell.state().open == [])
            }
        }

        /// On a small screen and with large text, no key is left out.
        @Test(arguments: [2.0, 1.5]) func everythingIsSeen_X05(scale: Double) throws {
            try ShellUnderTest.with(scale: scale, config: Self.config) { shell in
                if scale == 1.5 { try shell.perform(.textSize(1.5)) }
                try shell.perform(.keyHelp)
                let small = try lines(shell).count
                try shell.keepPicture("keys-small-\(scale)")
                try shell.perform(.dismiss)
                try shell.perform(.resizeScreen(size: Size(1920, 1400), scale: 1))
                try shell.perform(.textSize(1))
                try shell.perform(.keyHelp)
                #expect(try lines(shell).count == small)
            }
        }

        @Test func aTapOfSuperGoesHomeAndBack_X02() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let client = try TestClient(shell)
                for name in ["Super_L", "Super_R"] {
                    try shell.press(name)
                    #expect(try shell.state().home)
                    try shell.press(name)
                    #expect(try !shell.state().home && client.report.active)
                }
                // Not with another key, a button or a finger in between.
                try key("Super_L", true, shell)
                try shell.client.input(.press(keys: "y"))
                try key("Super_L", false, shell)
                #expect(try !shell.state().home)
                try key("Super_L", true, shell)
                try shell.click(Point(500, 500))
                try key("Super_L", false, shell)
                #expect(try !shell.state().home)
                try key("Super_L", true, shell)
                try shell.tap(Point(500, 500))
                try key("Super_L", false, shell)
                #expect(try !shell.state().home)
                // From the switcher too.
                try shell.perform(.appSwitcher)
                try shell.press("Super_L")
                #expect(try shell.state().home && shell.state().open == [])
            }
        }
    }
}
