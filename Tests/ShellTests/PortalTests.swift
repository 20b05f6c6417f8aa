import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Portals with the real xdg-desktop-portal: the shell is the backend (M-05).
    @Suite(.serialized) struct PortalTests {
        private func withPortal(_ body: (ShellUnderTest, (String...) throws -> Void, () -> String) throws -> Void) throws {
            try PortalSession.with { session in
                let shell = session.shell, out = "\(shell.room)/portal.out"
                try body(
                    shell,
                    { (words: String...) in
                        let line = words.map { "'\($0)'" }.joined(separator: " ")
                        _ = try shell.start(
                            session.environment + ["sh", "-c", "/usr/bin/python3 '\(TestClient.folder)/portal.py' \(line) >>\(out) 2>&1"])
                    }, { shell.text(of: out) })
            }
        }

        @Test("Settings: an app reads the look of the shell through the real portal, and hears of changes while it runs")
        func look() throws {
            try withPortal { shell, _, _ in
                let bus = ["env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"]
                let portal = ["--dest", "org.freedesktop.portal.Desktop", "--object-path", "/org/freedesktop/portal/desktop"]
                func read(_ key: String) throws -> String {
                    try shell.run(
                        bus + ["gdbus", "call", "--session"] + portal
                            + ["--method", "org.freedesktop.portal.Settings.Read", "org.freedesktop.appearance", key]
                    ).output
                }
                try shell.wait("the portal", within: 30) { try read("color-scheme").contains("uint32 2") }
                let heard = "\(shell.room)/heard"
                _ = try shell.start(
                    bus + ["sh", "-c", "gdbus monitor --session \(portal.joined(separator: " ")) >\(heard) 2>&1"])
                try shell.wait("the monitor") { shell.text(of: heard).contains("org.freedesktop.portal.Desktop is owned") }
                for (key, value) in [("appearance", "dark"), ("increased-contrast", "on"), ("reduced-motion", "on"), ("accent", "green")] {
                    try shell.perform(.setting(key: key, value: value))
                }
                try shell.wait("the changes") {
                    let text = shell.text(of: heard)
                    return ["'color-scheme', <uint32 1>", "'contrast', <uint32 1>", "'reduced-motion', <uint32 1>", "'accent-color', <("]
                        .allSatisfy(text.contains)
                }
                #expect(try read("color-scheme").contains("uint32 1") && read("contrast").contains("uint32 1"))
                #expect(try read("accent-color").contains("0.0") && shell.run(bus + ["true"]).status == 0)
                #expect(try !read("nothing").contains("uint32"))
            }
        }

        @Test("A portal's question stands over the window of the app that asked, and the answer reaches the app")
        func account() throws {
            try withPortal { shell, call, said in
                let app = try TestClient(shell, ["--title", "app"]), other = try TestClient(shell, to: .splitView(.right))
                try app.run("e = bind('zxdg_exporter_v2').export_toplevel(surface)")
                let handle = try #require(try app.waitFor("zxdg_exported_v2.handle").a.array?.first?.string)
                try call("account", "wayland:\(handle)")
                _ = try shell.waitForView("modal/1/choice/0")
                #expect(try shell.view("modal/1/behind").frame == shell.window(app.id).frame)
                try shell.keepPicture("portal-account")
                try shell.tap(try shell.view("modal/1/choice/0").frame.center)
                try shell.wait("the answer") { said().contains("response 0 {'id': ") }

                try call("account", "wayland:\(handle)")
                _ = try shell.waitForView("modal/2/choice/1")
                try shell.tap(try shell.view("modal/2/choice/1").frame.center)
                try shell.wait("the refusal") { said().contains("response 1 {}") }

                // Its app takes the question back.
                try call("close", "wayland:nonsense")
                _ = try shell.waitForView("modal/3/choice/1")
                try shell.wait("its end") { try !shell.isOpen("alert") }
                try shell.wait("the app's word") { said().contains("closed") }
                #expect(try shell.window(other.id).place == .splitRight)
                shell.expectAlive()
            }
        }

        @Test("S-06: an app outside any sandbox gets leave to run in the background, and is told that it does not begin with the session")
        func background() throws {
            try withPortal { shell, call, said in
                let app = try TestClient(shell, ["--app-id", "test.background"])
                try call("background", "")
                try shell.wait("the answer") { said().contains("response 0 {") }
                // The portal of Debian 13 answers this itself, and does not ask.
                let begins = Machine.hasWlroots18 ? "True" : "False"
                #expect(said().contains("'background': True") && said().contains("'autostart': \(begins)"), "\(said())")
                try call("states", "")
                try shell.wait("the states") { said().contains("notified") }
                #expect(said().contains("'test.background': 2") && said().contains("notified 0 {'result': 2}"), "\(said())")
                #expect(try shell.window(app.id).active)
                shell.expectAlive()
            }
        }

        @Test("a file that no app opens: a person is told so")
        func noApp() throws {
            try withPortal { shell, call, said in
                try call("choose", "", "letter.odd")
                let text = try shell.waitForView("modal/1/choice/0")
                try shell.keepPicture("portal-no-app")
                #expect(try shell.isOpen("alert"))
                try shell.tap(text.frame.center)
                try shell.wait("the answer") { said().contains("chosen 1 {}") }
            }
        }

        @Test("M-07: an app that the portal cannot name uses up no other app's alerts")
        func unnamed() throws {
            try withPortal { shell, call, said in
                var handles: [String] = []
                for name in ["greedy", "modest"] {
                    let app = try TestClient(shell, ["--title", name, "--app-id", "test.\(name)"])
                    try app.run("e = bind('zxdg_exporter_v2').export_toplevel(surface)")
                    handles.append(try #require(try app.waitFor("zxdg_exported_v2.handle").a.array?.first?.string))
                }
                func answers() -> Int { said().components(separatedBy: "response ").count - 1 }
                try shell.perform(.focus(window: try #require(try shell.state().windows.first { $0.title == "greedy" }).id))
                for number in 1...4 {
                    try call("account", "wayland:\(handles[0])")
                    _ = try shell.waitForView("modal/\(number)/choice/1")
                    try shell.tap(try shell.view("modal/\(number)/choice/1").frame.center)
                    try shell.wait("the refusal") { answers() == number }
                }
                try call("account", "wayland:\(handles[0])")
                try shell.wait("the limit") { said().contains("response 2 {}") }
                try shell.perform(.focus(window: try #require(try shell.state().windows.first { $0.title == "modest" }).id))
                try call("account", "wayland:\(handles[1])")
                _ = try shell.waitForView("modal/6/choice/1")
                shell.expectAlive()
            }
        }
    }
}
