import Chrome
import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The Screenshot portal with the real xdg-desktop-portal.
    @Suite(.serialized) struct ScreenshotPortalTests {
        private static let config = "launch = []\nreduced-motion = true\nwallpaper = \"#204060\"\n"

        /// The picture in an answer such as `response 0 {'uri': 'file:///…'}`.
        private func picture(_ line: String) throws -> (picture: Picture, path: String) {
            let uri = try #require(line.split(separator: "'").first { $0.hasPrefix("file://") })
            let path = try #require(URL(string: String(uri))?.path(percentEncoded: false))
            return (try PNG.read(path), path)
        }

        private func press(_ shell: ShellUnderTest, _ view: Int, _ choice: Int) throws {
            _ = try shell.waitForView("modal/\(view)/choice/\(choice)")
            usleep(700_000)
            try shell.tap(try shell.view("modal/\(view)/choice/\(choice)").frame.center)
        }

        @Test("an app gets the whole screen, a window or a part, as a person chooses; nothing of the questions is in the picture")
        func interactive() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                let app = try TestClient(shell, ["--title", "the letter"])
                try shell.settle()
                let screen = try shell.picture()
                let client = try session.client()

                try client.tell("screenshot", "", "interactive")
                _ = try shell.waitForView("modal/1/choice/3")
                try shell.keepPicture("portal-screenshot")
                try press(shell, 1, 0)
                let (whole, path) = try picture(client.says("response 0"))
                #expect(path.hasPrefix("\(shell.room)/home/Pictures/Screenshot "), "\(path)")
                #expect(whole.pixelsDifferent(from: screen, rim: 0) == 0)
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)

                // A window, by the pointer and the keys.
                try client.tell("screenshot", "", "interactive")
                _ = try shell.waitForView("modal/2/choice/1")
                try shell.click(try shell.view("modal/2/choice/1").frame.center)
                let named = try shell.waitForView("modal/3/choice/0")
                #expect(named.name == "the letter")
                try shell.press("Tab")
                try shell.press("Return")
                let window = try picture(client.says("response 0")).picture
                #expect(try window.pixelsDifferent(from: shell.picture(of: app.id), rim: 0) == 0)

                // A part, marked by a finger.
                try client.tell("screenshot", "", "interactive")
                try press(shell, 4, 2)
                _ = try shell.waitForView("modal/5/choice/0")
                try shell.drag(Point(200, 150), Point(500, 350))
                try shell.keepPicture("portal-screenshot-part")
                #expect(try shell.view("modal/5/mark").name == "300 by 200 points are marked")
                usleep(700_000)
                try shell.tap(try shell.view("modal/5/choice/0").frame.center)
                let part = try picture(client.says("response 0")).picture
                #expect(part.width == 300 && part.height == 200)
                #expect((0..<200).allSatisfy { y in (0..<300).allSatisfy { part[$0, y] == screen[$0 + 200, y + 150] } })

                // The same by `mullion ctl`, and left by Escape.
                try client.tell("screenshot", "", "interactive")
                _ = try shell.waitForView("modal/6/choice/2")
                #expect(try shell.run([shell.program, "ctl", "press", "modal/6/choice/2"]).status == 0)
                _ = try shell.waitForView("modal/7/mark")
                #expect(try shell.run([shell.program, "ctl", "mark", "7", "10", "20", "30", "40"]).status == 0)
                #expect(try shell.run([shell.program, "ctl", "mark", "7", "5000", "20", "30", "40"]).status != 0)
                #expect(try shell.run([shell.program, "ctl", "press", "modal/7/choice/0"]).status == 0)
                let small = try picture(client.says("response 0")).picture
                #expect(small.width == 30 && small.height == 40)
                try client.tell("screenshot", "", "interactive")
                _ = try shell.waitForView("modal/8/choice/2")
                try shell.press("Escape")
                #expect(try client.says("response") == "response 1 {}")
                shell.expectAlive()
            }
        }

        @Test("windows out of sight have pictures, too, and where no window is open there is none to choose")
        func outOfSight() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                let client = try session.client()
                try client.tell("screenshot", "", "interactive")
                _ = try shell.waitForView("modal/1/choice/2")
                #expect(
                    try (0...2).map { try shell.view("modal/1/choice/\($0)").name } == ["Whole Screen", "A Part of the Screen", "Cancel"])
                #expect(try shell.find("modal/1/choice/3") == nil)
                try shell.press("Escape")
                #expect(try client.says("response") == "response 1 {}")
                let first = try TestClient(shell, ["--title", "the letter"])
                try shell.settle()
                let picture = try shell.picture(of: first.id)
                let second = try TestClient(shell, ["--title", "the other"])
                try shell.settle()
                try shell.perform(.focus(window: second.id))
                for isHome in [false, true] {
                    if isHome { try shell.perform(.home) }
                    try shell.settle()
                    let view = isHome ? 4 : 2
                    try client.tell("screenshot", "", "interactive")
                    try press(shell, view, 1)
                    _ = try shell.waitForView("modal/\(view + 1)/choice/2")
                    usleep(700_000)
                    if isHome { try shell.keepPicture("portal-screenshot-windows") }
                    let names = try (0...1).map { try shell.view("modal/\(view + 1)/choice/\($0)").name }
                    #expect(Set(names) == ["the letter", "the other"])
                    let index = try #require(names.firstIndex(of: "the letter"))
                    try shell.tap(try shell.view("modal/\(view + 1)/choice/\(index)").frame.center)
                    let window = try self.picture(client.says("response 0")).picture
                    #expect(window.pixelsDifferent(from: picture, rim: 0) == 0)
                }
                shell.expectAlive()
            }
        }

        @Test("without a choice, a person is asked first; a locked session has no picture, and a withdrawn question goes")
        func atOnce() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                let client = try session.client()
                try client.tell("screenshot", "", "at-once")
                _ = try shell.waitForView("modal/1/choice/1")
                try press(shell, 1, 1)
                #expect(try client.says("response").hasPrefix("response 1") || client.said.last?.hasPrefix("response 2") ?? false)
                // The shell's own question, where the portal has not asked.
                let path = "objectpath \"/org/freedesktop/portal/desktop/request/one\""
                try client.tell("backend", "Screenshot", "Screenshot", "(\(path),\"\",\"\",@a{sv} {})")
                try press(shell, 2, 0)
                #expect(try client.says("backend 0").contains("'uri': 'file://"))
                // It takes the question back.
                try client.tell("screenshot", "", "interactive")
                _ = try shell.waitForView("modal/3/choice/1")
                try client.tell("close")
                try client.says("closed")
                try shell.wait("its end") { try shell.find("modal/3/choice/1") == nil }
                let locker = try Locker(shell)
                let checked = "(\(path),\"\",\"\",{\"permission_store_checked\":<true>})"
                for member in ["Screenshot", "PickColor"] {
                    try client.tell("backend", "Screenshot", member, checked)
                    #expect(try client.says("backend") == "backend 2 {}")
                }
                try locker.unlock()
                try client.tell("backend", "Screenshot", "Screenshot", checked)
                #expect(try client.says("backend 0").contains("'uri': 'file://"))
                shell.expectAlive()
            }
        }

        @Test("an app gets the colour of the point that a person touches")
        func colour() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                try shell.perform(.home)
                try shell.settle()
                let pixel = try shell.picture()[300, 200]
                let client = try session.client()
                try client.tell("colour", "")
                _ = try shell.waitForView("modal/1/choice/0")
                try shell.tap(Point(300, 200))
                try shell.keepPicture("portal-colour")
                #expect(try shell.view("modal/1/mark").name == "Marked: 300, 200")
                usleep(700_000)
                try shell.tap(try shell.view("modal/1/choice/0").frame.center)
                let line = try client.says("response 0")
                let numbers = line.split { !"0123456789.e-".contains($0) }.compactMap { Double($0) }.suffix(3)
                let parts = [pixel.red, pixel.green, pixel.blue].map { Double($0) / 255 }
                #expect(numbers.count == 3 && zip(numbers, parts).allSatisfy { abs($0 - $1) < 0.003 }, "\(line) \(parts)")
            }
        }
    }
}
