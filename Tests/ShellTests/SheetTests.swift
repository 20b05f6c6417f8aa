import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Dialogs of unmodified apps as sheets, by touch (M-01 to M-03, M-10), and windows on windows of other clients.
    @Suite(.serialized) struct SheetTests {
        private func dialog(_ shell: ShellUnderTest, _ title: String) throws -> WindowReport? {
            try shell.state().windows.first { $0.title == title && $0.place == .dialog }
        }

        private func begin(_ shell: ShellUnderTest, _ way: String) throws -> (window: WindowReport, sheet: WindowReport) {
            let window = try shell.open(["/usr/bin/python3", "\(TestClient.folder)/gtk3_dialog.py", way])
            try shell.wait("its dialog", within: 20) { try dialog(shell, "Question") != nil }
            try shell.settle()
            return (window, try #require(try dialog(shell, "Question")))
        }

        private func swipeAway(_ sheet: WindowReport, _ shell: ShellUnderTest) throws {
            let frame = try #require(sheet.frame)
            let grip = Point(frame.center.x, frame.minY - 10)
            try shell.drag(grip, grip + Vector(8, 300), rest: 0)
        }

        /// How bright the window is where nothing stands on it.
        private func brightness(_ shell: ShellUnderTest) throws -> Int {
            let picture = try shell.picture()
            var sum = 0
            for x in 0..<100 {
                let raw = picture[x * 3 + 10, 600].raw
                sum += Int(raw >> 16 & 255) + Int(raw >> 8 & 255) + Int(raw & 255)
            }
            return sum / 100
        }

        @Test("M-02, M-03: GTK 3's modal dialog dims its window, and goes by a swipe")
        func gtk3() throws {
            try ShellUnderTest.with(environment: ["GTK_THEME": "Adwaita"]) { shell in
                let (window, sheet) = try begin(shell, "modal")
                #expect(sheet.modal)
                #expect(sheet.frame!.center.distance(to: window.frame!.center) < 1)
                let dimmed = try brightness(shell)
                try shell.keepPicture("sheet-gtk3")
                try shell.tap(Point(100, 600))
                try shell.settle()
                #expect(try dialog(shell, "Question")?.active ?? false)
                try swipeAway(sheet, shell)
                try shell.wait("its end") { try dialog(shell, "Question") == nil }
                try shell.settle()
                #expect(try brightness(shell) > dimmed + 60)
                shell.expectAlive()
            }
        }

        @Test("W-13: GTK 3's dialog beside its window leaves it alone")
        func gtk3Modeless() throws {
            try ShellUnderTest.with(environment: ["GTK_THEME": "Adwaita"]) { shell in
                let (_, sheet) = try begin(shell, "modeless")
                #expect(!sheet.modal)
                let before = try brightness(shell)
                try swipeAway(sheet, shell)
                try shell.wait("its end") { try dialog(shell, "Question") == nil }
                try shell.settle()
                #expect(abs(try brightness(shell) - before) < 10)
            }
        }

        @Test("M-10: a dialog that its app keeps comes back; a question on it is seen", arguments: ["keeps", "asks"])
        func kept(way: String) throws {
            try ShellUnderTest.with { shell in
                let (_, sheet) = try begin(shell, way)
                try swipeAway(sheet, shell)
                if way == "asks" {
                    try shell.wait("the question") { try dialog(shell, "Really")?.active ?? false }
                } else {
                    usleep(900_000)
                }
                try shell.settle()
                let back = try #require(try dialog(shell, "Question"))
                #expect(back.frame == sheet.frame)
                try shell.keepPicture("sheet-\(way)")
                shell.expectAlive()
            }
        }

        @Test("An app that does not answer for five seconds can be ended by force, after a question")
        func silent() throws {
            try ShellUnderTest.with { shell in
                let other = try TestClient(shell), client = try TestClient(shell)
                try client.tell("refuse")
                try client.tell("hang")
                _ = try client.mark()
                try shell.perform(.close(window: client.id))
                try shell.wait("the question", within: 8) { try shell.isOpen("unresponsive") }
                try shell.settle()
                try shell.keepPicture("unresponsive")
                try shell.tap(try shell.view("unresponsive/wait").frame.center)
                try shell.settle()
                #expect(try !shell.isOpen("unresponsive"))
                #expect(try shell.window(client.id).active)

                try shell.perform(.close(window: client.id))
                try shell.wait("the question again", within: 8) { try shell.isOpen("unresponsive") }
                try shell.settle()
                try shell.tap(try shell.view("unresponsive/close").frame.center)
                try shell.waitUntilGone(client.id)
                #expect(try shell.window(other.id).active)
                shell.expectAlive()
            }
        }

        @Test("An app that answers and keeps its window is asked nothing")
        func keepsAndAnswers() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                try client.tell("refuse")
                _ = try client.mark()
                try shell.perform(.close(window: client.id))
                usleep(6_000_000)
                #expect(try !shell.isOpen("unresponsive"))
            }
        }

        // MARK: Parents of other clients

        @Test("A window on a window of another client is a modal sheet there, by both versions of xdg-foreign", arguments: [1, 2])
        func foreign(version: Int) throws {
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n") { shell in
                let app = try TestClient(shell, ["--title", "app"])
                let export = version == 1 ? "export" : "export_toplevel", take = version == 1 ? "import" : "import_toplevel"
                try app.run("ex = bind('zxdg_exporter_v\(version)'); e = getattr(ex, '\(export)')(surface)")
                let handle = try #require(try app.waitFor("zxdg_exported_v\(version).handle").a.array?.first?.string)
                #expect(handle.count == 32)

                let portal = try TestClient.outside(shell, ["--title", "portal"])
                try portal.run("im = bind('zxdg_importer_v\(version)'); i = getattr(im, '\(take)')('\(handle)'); i.set_parent_of(surface)")
                try shell.wait("it to be a sheet") { try shell.window(portal.id).place == .dialog }
                #expect(try shell.window(portal.id).modal)
                #expect(try shell.window(portal.id).parent == app.id)
                #expect(try shell.window(portal.id).active)

                // Nobody exports it any more: the window stands by itself, and its client hears of it.
                try app.run("e.destroy()")
                try portal.waitFor("zxdg_imported_v\(version).destroyed")
                try shell.wait("it to be a window of its own") { try shell.window(portal.id).place != .dialog }
                #expect(try !shell.window(portal.id).modal)
                // Handles that mean nothing, and windows that are none.
                try portal.run("bad = getattr(im, '\(take)')('nonsense')")
                try portal.waitFor("zxdg_imported_v\(version).destroyed") { _ in true }
                try portal.run("bad.set_parent_of(surface)")
                _ = try portal.mark()
                try portal.run("getattr(bind('zxdg_exporter_v\(version)'), '\(export)')(new_surface())")
                try shell.wait("the end of who exports nothing") { try !shell.state().windows.contains { $0.id == portal.id } }
                shell.expectAlive()
            }
        }

        @Test("Parents in a circle across clients, and a parent that dies, harm nobody")
        func foreignCircle() throws {
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n") { shell in
                let one = try TestClient(shell, ["--title", "one"]), two = try TestClient.outside(shell, ["--title", "two"])
                func handle(_ client: TestClient) throws -> String {
                    try client.run("e = bind('zxdg_exporter_v2').export_toplevel(surface)")
                    return try #require(try client.waitFor("zxdg_exported_v2.handle").a.array?.first?.string)
                }
                let first = try handle(one), second = try handle(two)
                try one.run("i = bind('zxdg_importer_v2').import_toplevel('\(second)'); i.set_parent_of(surface)")
                try two.run("i = bind('zxdg_importer_v2').import_toplevel('\(first)'); i.set_parent_of(surface)")
                _ = try one.mark()
                _ = try two.mark()
                try shell.settle()
                let places = try [one, two].map { try shell.window($0.id).place }
                #expect(places.filter { $0 == .dialog }.count <= 1)
                one.signal(SIGKILL)
                try shell.waitUntilGone(one.id)
                try shell.settle()
                #expect(try shell.window(two.id).place != .dialog)
                shell.expectAlive()
            }
        }
    }
}
