import Control
import Foundation
import Geometry
import Lifecycle
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The background portal, with the real permission store of xdg-desktop-portal (S-06).
    @Suite(.serialized) struct BackgroundPermissionTests {
        @Test("S-06: an app that a portal allowed runs out of sight, until the person stops it; the portal learns of it")
        func allowed() throws {
            let program = "/usr/libexec/xdg-permission-store"
            try ShellUnderTest.require(program, of: "xdg-desktop-portal")
            let config = "launch = []\nnew-windows = \"always\"\n[life]\ngrace = 0.3\n"
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                let bus = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                try shell.wait("the bus") { FileManager.default.fileExists(atPath: bus) }
                let environment = ["env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(bus)"]
                func store(_ method: String, _ arguments: String...) throws -> (status: Int32, output: String) {
                    let name = "org.freedesktop.impl.portal.PermissionStore"
                    return try shell.run(
                        environment + [
                            "gdbus", "call", "--session", "--dest", name, "--object-path", "/org/freedesktop/impl/portal/PermissionStore",
                            "--method", "\(name).\(method)", "background",
                        ] + arguments)
                }
                _ = try shell.start(environment + [program])
                let app = try TestClient(shell, ["--app-id", "test.portal"])
                func life() throws -> LifeReport.App {
                    try #require(shell.client.ask(.get(.life), for: LifeReport.self).apps.first { $0.windows.contains(app.id) })
                }
                try shell.perform(.home)
                try shell.wait("the freeze") { try life().phase == .frozen }
                try shell.wait("the store's answer") {
                    try store("SetPermission", "true", "background", "test.portal", "['yes']").status == 0
                }
                try shell.wait("that it runs") { try life().phase == .background && life().reasons.map(\.kind) == ["allowed"] }
                usleep(600_000)
                #expect(try life().phase == .background)
                let told = try shell.run([ShellUnderTest.program(), "ctl", "stop", "test.portal"])
                #expect(told.status == 0, "\(told.output)")
                try shell.wait("the freeze") { try life().phase == .frozen }
                try shell.wait("the portal's knowledge") { try store("Lookup", "background").output.contains("'test.portal': ['no']") }
                let again = try shell.run([ShellUnderTest.program(), "ctl", "stop", "test.portal"])
                #expect(again.status != 0 && again.output.contains("neither plays"), "\(again.output)")
            }
        }
    }
}
