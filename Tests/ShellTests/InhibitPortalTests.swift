import Control
import Foundation
import Lifecycle
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The Inhibit portal with the real xdg-desktop-portal (S-06).
    @Suite(.serialized) struct InhibitPortalTests {
        private static let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        private func handle(of app: TestClient) throws -> String {
            try app.run("e = bind('zxdg_exporter_v2').export_toplevel(surface)")
            return "wayland:" + (try #require(try app.waitFor("zxdg_exported_v2.handle").a.array?.first?.string))
        }

        private func isInhibited(_ session: PortalSession, _ flag: Int) throws -> Bool {
            let manager = "org.gnome.SessionManager"
            return try session.call(manager, "/org/gnome/SessionManager", "\(manager).IsInhibited", "\(flag)").output.contains("true")
        }

        @Test("S-06: what an app inhibits by the portal counts as the app's own; it ends with the request, by hand, and with the app")
        func inhibit() throws {
            try PortalSession.with(config: Self.quick) { session in
                let shell = session.shell
                let app = try TestClient(shell, ["--app-id", "test.burner"]), window = try handle(of: app)
                func reasons() throws -> [LifeReport.Reason] {
                    try shell.client.ask(.get(.life), for: LifeReport.self).apps.first { $0.windows.contains(app.id) }?.reasons ?? []
                }
                let client = try session.client()
                try client.tell("inhibit", window, "13", "Burning a disc")
                try client.says("response 0")
                try shell.perform(.home)
                try shell.wait("the reason to run") { try reasons().map(\.kind) == ["inhibits"] }
                #expect(try reasons().first?.name == "Burning a disc")
                for flag in [1, 4, 8] { #expect(try isInhibited(session, flag), "\(flag)") }
                #expect(try !isInhibited(session, 2))

                // The log-out view names it.
                try shell.perform(.quit)
                try shell.waitForView("log-out/anyway")
                #expect(try shell.view("log-out/app/0/reason").name == "Burning a disc")
                try shell.touch("log-out/cancel")

                // Its request ends it.
                try client.tell("close")
                try client.says("closed")
                try shell.wait("the end of the inhibitor") { try reasons().isEmpty && !isInhibited(session, 1) }

                // A person ends it; the app may end its request all the same.
                try client.tell("inhibit", window, "4", "Rendering")
                try client.says("response 0")
                try shell.wait("the reason to run") { try reasons().map(\.name) == ["Rendering"] }
                let number = try #require(try reasons().first?.inhibitor)
                #expect(try shell.run([shell.program, "ctl", "end-inhibitor", "\(number)"]).status == 0)
                try shell.wait("the end of the inhibitor") { try reasons().isEmpty }
                try client.tell("close")
                try client.says("closed")

                // Law 4: an app that vanishes ends it.
                try client.tell("inhibit", window, "4", "Rendering again")
                try client.says("response 0")
                try shell.wait("the reason to run") { try reasons().map(\.name) == ["Rendering again"] }
                try client.tell("end")
                try shell.wait("the end of the inhibitor") { try reasons().isEmpty && !isInhibited(session, 4) }
                shell.expectAlive()
            }
        }

        @Test("the Inhibit portal: flags that mean nothing, a handle in use, and too many at once get clear errors")
        func hostile() throws {
            try PortalSession.with { session in
                let client = try session.client()
                func inhibit(_ handle: String, _ flags: String) throws -> String {
                    let path = "objectpath \"/org/freedesktop/portal/desktop/request/\(handle)\""
                    try client.tell("backend", "Inhibit", "Inhibit", "(\(path),\"org.example.A\",\"\",uint32 \(flags),@a{sv} {})")
                    return try client.says("")
                }
                for flags in ["0", "16", "4294967295"] {
                    #expect(try inhibit("bad/\(flags)", flags).contains("the flags are \(flags), and go from 1 to 15"))
                }
                #expect(try inhibit("one", "8") == "backend")
                #expect(try inhibit("one", "8").contains("there is a request /org/freedesktop/portal/desktop/request/one already"))
                var last = ""
                for number in 2...34 { last = try inhibit("many/\(number)", "8") }
                #expect(last.contains("can have 32 inhibitors"), "\(last)")
                try client.tell("end")
                try session.shell.wait("their end") { try !isInhibited(session, 8) }
                session.shell.expectAlive()
            }
        }

        @Test("the Inhibit portal: a monitor hears that the screen is locked, and that it is not")
        func monitor() throws {
            try PortalSession.with { session in
                let client = try session.client()
                try client.tell("monitor", "")
                #expect(try client.says("StateChanged").contains("{'screensaver-active': False, 'session-state': 1}"))
                let locker = try Locker(session.shell)
                #expect(try client.says("StateChanged").contains("{'screensaver-active': True, 'session-state': 1}"))
                try locker.unlock()
                #expect(try client.says("StateChanged").contains("{'screensaver-active': False, 'session-state': 1}"))
            }
        }
    }
}
