import Control
import Foundation
import Geometry
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing
import Windows

extension RunningShell {
    /// Which app xdg-desktop-portal takes a program for that the shell started. It knows host apps by the names of the scopes that the
    /// user's service manager makes; so shell, manager, bus and portal are all real here.
    @Suite(.serialized, .enabled(if: LoginSession.isPossible, "no service manager of a user can be run here")) struct PortalIdentityTests {
        private struct Login {
            let session: LoginSession
            let control: ControlClient
            let outer: ShellUnderTest
            let scopes: String?

            /// The text that a person reads when the next question of a portal comes.
            func question(_ number: Int) throws -> [String] {
                let id = "modal/\(number)/"
                func views() throws -> [ViewReport] {
                    try control.ask(.get(.views), for: [ViewReport].self).filter { $0.id.hasPrefix(id) }
                }
                try outer.wait("the portal's question \(number)", within: 20) { try !views().isEmpty }
                // Whoever reads it says no, and the next one may ask.
                let texts = try views().map(\.name)
                let refusal = try #require(try views().first { $0.id == "\(id)choice/1" })
                try control.input(.tap(at: refusal.frame.center))
                try outer.wait("its end") { try views().isEmpty }
                return texts
            }
        }

        private static let portal = "/usr/libexec/xdg-desktop-portal"

        private static let asks = "/usr/bin/python3 -W ignore \(TestClient.folder)/portal.py account ''"
        /// xdg-desktop-portal 1.16 takes only names of domains for ids: with two dots at least.
        private static let club = "org.example.Club"
        private static let apps = [
            TestApp(club, "Portal Club", command: "sh {room}/club.sh"),
            TestApp("org.example.Terminal", "Plain Terminal", command: "{room}/plain-terminal"),
        ]

        private func with(isManaged: Bool, _ body: (Login) throws -> Void) throws {
            try ShellUnderTest.require(Self.portal, of: "xdg-desktop-portal")
            try ShellUnderTest.require("foot", of: "foot")
            let session = try LoginSession()
            defer { session.end() }
            let packaging = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "packaging/mullion.portal")
            let files = [
                "portals/mullion.portal": try String(contentsOf: packaging, encoding: .utf8),
                "club.sh": "exec foot --app-id \(Self.club) -e \(Self.asks)\n",
                "plain-terminal": "#!/bin/sh\nexec foot \"$@\"\n",
            ]
            // It gives the program, an environment and a folder.
            try ShellUnderTest.with(apps: Self.apps, files: files) { outer in
                chmod("\(outer.room)/plain-terminal", 0o755)
                var environment = outer.environment
                environment["XDG_RUNTIME_DIR"] = session.folder
                environment["DBUS_SESSION_BUS_ADDRESS"] = session.bus
                // With the settings' schemas, without which the portal ends.
                environment["XDG_DATA_DIRS"] = "\(outer.room)/system:/usr/share"
                environment["XDG_STATE_HOME"] = "\(outer.room)/inner"
                environment["XDG_CURRENT_DESKTOP"] = "Mullion"
                environment["XDG_DESKTOP_PORTAL_DIR"] = "\(outer.room)/portals"
                environment["WAYLAND_DISPLAY"] = nil
                environment[ControlPath.variable] = nil
                if !isManaged { environment["MULLION_SCOPES"] = "cgroup2" }
                let launcher = try Launcher()
                defer { launcher.endAll(patience: 2000) }
                try launcher.launch(
                    [
                        outer.program, "run", "--once", "--headless", "--remote-view", "off", "--audio", "off", "--socket", "wayland-login",
                        "--config", outer.configPath,
                    ],
                    environment: environment, log: "\(outer.room)/inner.log")
                var control: ControlClient?
                try outer.wait("the shell", within: 20) {
                    control = try? ControlClient(finding: "\(session.folder)/mullion-wayland-login/control.sock")
                    return control != nil
                }
                let found = try #require(control)
                try outer.wait("the apps") { try found.ask(.get(.apps), for: [App].self).contains { $0.id == Self.apps[0].id } }
                let introspect = [
                    "gdbus", "introspect", "--address", session.bus, "--dest", "org.freedesktop.impl.portal.desktop.mullion",
                    "--object-path", "/org/freedesktop/portal/desktop",
                ]
                try outer.wait("the backend") { try outer.run(introspect).status == 0 }
                try launcher.launch([Self.portal], environment: environment, log: "\(outer.room)/portal.log")
                // A call to the name itself could start another portal.
                let owner = [
                    "gdbus", "call", "--address", session.bus, "--dest", "org.freedesktop.DBus", "--object-path", "/",
                    "--method", "org.freedesktop.DBus.GetNameOwner", "org.freedesktop.portal.Desktop",
                ]
                try outer.wait("the portal", within: 20) { try outer.run(owner).status == 0 }
                let means = try found.ask(.get(.life), for: LifeReport.self).means
                do {
                    try body(Login(session: session, control: found, outer: outer, scopes: means))
                } catch {
                    throw ShellUnderTest.Failure(
                        "\(error)\nportal: \(outer.text(of: "\(outer.room)/portal.log"))\nshell: \(outer.text(of: "\(outer.room)/inner.log").suffix(3000))"
                    )
                }
                try? found.perform(.quit)
            }
        }

        @Test("M-05, S-06: a portal knows an app that the shell started by its desktop id, and a command in a terminal as the terminal")
        func named() throws {
            try with(isManaged: true) { login in
                #expect(login.scopes == "systemd")
                try login.control.perform(.openApp(app: Self.club))
                let first = try login.question(1)
                #expect(first.contains { $0.contains("Portal Club") }, "\(first)")
                // As `mullion ctl launch` does.
                try login.control.perform(.launch(command: ["sh", "\(login.outer.room)/club.sh"]))
                let second = try login.question(2)
                #expect(second.contains { $0.contains("Portal Club") }, "\(second)")
                try login.control.perform(.launch(command: ["\(login.outer.room)/plain-terminal", "-e", "sh", "-c", Self.asks]))
                let third = try login.question(3)
                #expect(third.contains { $0.contains("Plain Terminal") }, "\(third)")
            }
        }

        /// libsystemd finds a user's unit only below `user@UID.service`: without a manager there is none.
        @Test("without a service manager, a portal does not know the app, and the question names none")
        func unnamed() throws {
            try with(isManaged: false) { login in
                #expect(login.scopes == "cgroup2")
                try login.control.perform(.openApp(app: Self.club))
                let asked = try login.question(1)
                #expect(!asked.contains { $0.contains("Portal Club") }, "\(asked)")
            }
        }
    }
}
