import Chrome
import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-02: every function can be reached by keyboard. These are the default keys (docs/keys.md).
    @Suite(.serialized) struct KeyboardTests {
        private let fast = "launch = []\nreduced-motion = true\n"

        @Test func placesOfAWindow() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell)
                try shell.press("Super+Left")
                try shell.expectPlaces([b.id: .splitLeft, a.id: .splitRight])
                try shell.press("Super+Right")
                try shell.expectPlaces([b.id: .splitRight, a.id: .splitLeft])
                try shell.press("Super+X")
                try shell.expectPlaces([b.id: .splitLeft, a.id: .splitRight])
                try shell.press("Super+F")
                #expect(try a.report.active)
                try shell.press("Super+Down")
                try shell.expectPlaces([a.id: .slideOver, b.id: .full])
                try shell.press("Super+Up")
                try shell.expectPlaces([a.id: .full])
                try shell.press("Super+P")
                try shell.expectPlaces([a.id: .pictureInPicture, b.id: .full])
                #expect(try b.report.active)
                // In portrait, one above the other.
                try shell.perform(.rotate(1))
                try shell.perform(.fullScreen(window: a.id))
                try shell.press("Super+Ctrl+Up")
                try shell.expectPlaces([a.id: .splitTop, b.id: .splitBottom])
                try shell.press("Super+Ctrl+Down")
                try shell.expectPlaces([a.id: .splitBottom, b.id: .splitTop])
                try shell.press("Super+W")
                try shell.waitUntilGone(a.id)
                try shell.settle()
                try shell.expectPlaces([b.id: .full])
            }
        }

        @Test func theDivider() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                func fraction() throws -> Double? { try shell.state().divider.map { ($0.fraction * 100).rounded() } }
                try shell.press("Super+[")
                #expect(try fraction() == 33)
                try shell.press("Super+]")
                #expect(try fraction() == 50)
                try shell.press("Super+]")
                #expect(try fraction() == 67)
                try shell.press("Super+]")
                #expect(try fraction() == nil, "past the last place one window is left")
                try shell.expectPlaces([a.id: .full])
                #expect(try b.report.place == .full)
            }
        }

        @Test func slideOver() throws {
            try ShellUnderTest.with(config: fast) { shell in
                _ = try TestClient(shell)
                let a = try TestClient(shell, to: .slideOver), b = try TestClient(shell, to: .slideOver)
                #expect(try shell.state().slideOver.stack == [b.id, a.id])
                try shell.press("Super+Shift+Left")
                #expect(try shell.state().slideOver.side == .left)
                try shell.press("Super+Shift+Right")
                #expect(try shell.state().slideOver.side == .right)
                try shell.press("Super+grave")
                #expect(try shell.state().slideOver.stack == [a.id, b.id])
                try shell.press("Super+Shift+grave")
                #expect(try shell.state().slideOver.stack == [b.id, a.id])
                try shell.press("Super+S")
                #expect(try shell.state().slideOver.hidden)
                try shell.press("Super+S")
                #expect(try !shell.state().slideOver.hidden)
            }
        }

        @Test func pictureInPicture() throws {
            try ShellUnderTest.with(config: fast) { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell, to: .pictureInPicture)
                for (key, corner) in [("1", Corner.topLeft), ("2", .topRight), ("3", .bottomLeft), ("4", .bottomRight)] {
                    try shell.press("Super+\(key)")
                    #expect(try shell.state().pictureInPicture?.corner == corner)
                }
                let width = try #require(try client.report.frame?.width)
                try shell.press("Super+=")
                #expect(try #require(client.report.frame?.width) > width)
                try shell.press("Super+-")
                #expect(abs(try #require(client.report.frame?.width) - width) < 1)
                try shell.press("Super+H")
                #expect(try shell.state().pictureInPicture?.stashed == .right)
                try shell.press("Super+H")
                #expect(try shell.state().pictureInPicture?.stashed == nil)
            }
        }

        @Test func spaces() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell)
                let second = try #require(try shell.state().space)
                try shell.press("Super+Shift+Tab")
                #expect(try shell.state().space != second)
                #expect(try a.report.active)
                try shell.press("Super+Tab")
                #expect(try shell.state().space == second)
                #expect(try b.report.active)
            }
        }

        /// The app gets every key that the shell does not use, and no other.
        @Test func keysOfTheApp() throws {
            try ShellUnderTest.with(config: fast) { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell)
                let mark = try client.mark()
                try shell.press("Super+Left")
                try shell.press("Ctrl+C")
                try shell.client.input(.type(text: "aB"))
                _ = try client.mark()
                let keys = try client.events(since: mark, "wl_keyboard.key").compactMap { $0.a[2]?.integer }
                #expect(!keys.contains(105), "Left was the shell's: \(keys)")
                #expect(keys.filter { $0 == 46 }.count == 2 && keys.filter { $0 == 30 }.count == 2 && keys.filter { $0 == 48 }.count == 2)
            }
        }

        /// `press` presses keys by their place on a US keyboard.
        @Test("X-02: shortcuts in other layouts", arguments: ["ru", "il", "gr", "fr", "us,ru"])
        func otherLayouts(layout: String) throws {
            let environment = ["XKB_DEFAULT_LAYOUT": layout, "XKB_DEFAULT_OPTIONS": "grp:caps_toggle"]
            try ShellUnderTest.with(config: fast, environment: environment) { shell in
                let a = try TestClient(shell), b = try TestClient(shell)
                if layout == "us,ru" { try shell.press("Caps_Lock") }
                try shell.press("Super+P")
                try shell.expectPlaces([b.id: .pictureInPicture, a.id: .full])
                try shell.press("Super+2")
                #expect(try shell.state().pictureInPicture?.corner == .topRight)
                try shell.press("Super+H")
                #expect(try shell.state().pictureInPicture?.stashed == .right)
                // A French W is where a US keyboard has Z.
                if layout == "fr" {
                    try shell.press("Super+W")
                    #expect(try shell.state()[a.id] != nil)
                }
                try shell.press(layout == "fr" ? "Super+Z" : "Super+W")
                try shell.waitUntilGone(a.id)
            }
        }

        @Test func keysOfTheConfiguration() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n[keys]\nslide-over = \"Super+J\"\n") { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell)
                try shell.press("Super+Down")
                #expect(try client.report.place == .full)
                try shell.press("Super+J")
                #expect(try client.report.place == .slideOver)
            }
        }
    }
}
