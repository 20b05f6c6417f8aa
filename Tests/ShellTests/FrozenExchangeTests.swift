import Control
import Foundation
import Geometry
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Testing

extension RunningShell {
    /// What is handed to a frozen app, and taken from one, goes on first (S-06, S-08).
    @Suite(.serialized) struct FrozenExchangeTests {
        private static let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        @Test("S-06: what a finger drags out of an app that is frozen on the way is dropped onto one that was frozen, and arrives whole")
        func dragged() throws {
            try ShellUnderTest.with(config: Self.quick) { shell in
                let target = try TestClient(shell, ["--title", "target"])
                let source = try TestClient(shell, ["--title", "source"])
                for client in [target, source] { try client.run("import exchange") }
                try source.run("given = exchange.Source(app)")
                _ = try source.mark()
                try shell.down(Point(500, 400))
                try source.waitFor("wl_touch.down")
                for step in 1...3 { try shell.move(Point(500 + 10 * Double(step), 400)) }
                try source.waitFor("wl_data_device.enter")
                // Its app goes out of sight, below the finger that holds what it gave.
                try shell.waitForPhase(.frozen, of: try target.report)
                try shell.client.perform(.focus(window: target.id))
                try target.run("taken = exchange.Target(app)")
                _ = try target.mark()
                try shell.waitForPhase(.frozen, of: try source.report)
                for step in 1...3 { try shell.move(Point(600, 400 + 10 * Double(step))) }
                try target.waitFor("wl_data_device.motion")
                #expect(try shell.phase(of: source.report) == .frozen)
                try shell.lift()
                try target.waitFor("client.dropped") { $0.a == .array([.string("dragged in time")]) }
                try source.waitFor("wl_data_source.dnd_finished")
                try shell.waitForPhase(.frozen, of: try source.report, within: 10)
                shell.expectAlive()
            }
        }

        @Test(
            "S-06: a frozen app that the bus activates (DBusActivatable) is thawed and takes the call, from a program and from the shell",
            arguments: [true, false])
        func activated(byShell: Bool) throws {
            try ShellUnderTest.require("gtk3-demo-application", of: "gtk-3-examples")
            try ShellUnderTest.require("gdbus", of: "libglib2.0-bin")
            let id = "org.gtk.Demo2", path = "/org/gtk/Demo2"
            let demo = TestApp(id, "Demo", command: "gtk3-demo-application", more: "DBusActivatable=true\n")
            let service = "[D-BUS Service]\nName=\(id)\nExec=/usr/bin/gtk3-demo-application --gapplication-service\n"
            try ShellUnderTest.with(
                apps: [demo], config: Self.quick, files: ["data/dbus-1/services/\(id).service": service],
                environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_DATA_DIRS": "{room}/system:/usr/share"]
            ) { shell in
                let bus = ["env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"]
                let first = try shell.openApp(id)
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: first)
                if byShell {
                    try shell.client.perform(.newWindow(app: id))
                } else {
                    let activate = [
                        "gdbus", "call", "--session", "--timeout", "20", "--dest", id, "--object-path", path,
                        "--method", "org.freedesktop.Application.Activate", "{}",
                    ]
                    let answer = try shell.run(bus + activate, within: 25)
                    #expect(answer.status == 0, "\(answer.output)")
                    // Nobody opened its window, so it waits.
                    #expect(try shell.phase(of: first) == .background && shell.app(of: first).reasons.map(\.kind) == ["called"])
                }
                try shell.wait("its other window", within: 10) { try shell.app(of: first).windows.count == 2 }
                // It is one program, and no other was started.
                #expect(try shell.client.ask(.get(.life), for: LifeReport.self).apps.map(\.app) == [id])
                shell.expectAlive()
            }
        }
    }
}
