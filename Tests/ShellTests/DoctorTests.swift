import Control
import Foundation
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// `mullion doctor` beside the real portals.
    @Suite(.serialized) struct DoctorTests {
        private static let portal = "/usr/libexec/xdg-desktop-portal"

        @Test("doctor names who serves each portal and how soon it answers, and a backend that does not answer")
        func portals() throws {
            guard access("\(Self.portal)-gtk", X_OK) == 0 else { throw ShellUnderTest.Failure("apt-get install xdg-desktop-portal-gtk") }
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let own = try String(contentsOf: folder.appending(path: "packaging/mullion.portal"), encoding: .utf8)
            let gtk = try String(contentsOfFile: "/usr/share/xdg-desktop-portal/portals/gtk.portal", encoding: .utf8)
            let deaf = "[portal]\nDBusName=test.Deaf\nInterfaces=org.freedesktop.impl.portal.Secret;\nUseIn=mullion\n"
            try ShellUnderTest.with(
                environment: ["DBUS_SESSION_BUS_ADDRESS": ""],
                files: ["portals/mullion.portal": own, "portals/gtk.portal": gtk, "portals/deaf.portal": deaf]
            ) { shell in
                let environment = [
                    "env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus",
                    "XDG_DESKTOP_PORTAL_DIR=\(shell.room)/portals", "XDG_CURRENT_DESKTOP=mullion",
                ]
                try shell.wait("the bus") { access("\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus", F_OK) == 0 }
                // It takes its name and answers nothing.
                let code = """
                    import time; from gi.repository import Gio; bus = Gio.bus_get_sync(Gio.BusType.SESSION); \
                    bus.call_sync('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'RequestName', \
                    __import__('gi').repository.GLib.Variant('(su)', ('test.Deaf', 0)), None, 0, -1, None); \
                    __import__('os').kill(__import__('os').getpid(), 19)
                    """
                let (deaf, _) = try shell.start(environment + ["/usr/bin/python3", "-c", code])
                let (backend, _) = try shell.start(environment + ["\(Self.portal)-gtk"])
                usleep(500_000)
                let (frontend, _) = try shell.start(environment + [Self.portal])
                defer { for process in [deaf, backend, frontend] { shell.signal(process, SIGKILL) } }
                var lines: [String] = []
                func line(_ name: String) -> String { lines.first { $0.contains("portal \(name) ") } ?? "" }
                try shell.wait("the portals", within: 30) {
                    let (_, output) = try shell.run(environment + [try shell.program, "doctor"], within: 30)
                    lines = output.split(separator: "\n").map(String.init)
                    return line("FileChooser").contains("gtk, after") && line("Secret").contains("deaf")
                }
                #expect(line("FileChooser").hasPrefix("ok") && line("FileChooser").hasSuffix(" ms"))
                for name in ["Access", "AppChooser", "Account"] {
                    #expect(line(name).contains("mullion, after "), "\(lines.joined(separator: "\n"))")
                }
                #expect(line("Secret").contains("deaf does not answer, not within 2 s"), "\(line("Secret"))")
                #expect(line("ScreenCast").contains("nobody serves it"), "\(line("ScreenCast"))")
                #expect(lines.contains { $0.contains("apt-get install --no-install-recommends xdg-desktop-portal-wlr") })
            }
        }
    }
}
