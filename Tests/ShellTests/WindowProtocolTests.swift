import Chrome
import Control
import Foundation
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Protocols about windows and the screen: output-management and power, foreign-toplevel-list, xdg-dialog,
    /// session-management.
    @Suite(.serialized) struct WindowProtocolTests {
        // MARK: The screen

        private func randr(_ shell: ShellUnderTest, _ arguments: String...) throws -> (status: Int32, output: String) {
            try shell.run(["wlr-randr"] + (arguments.isEmpty ? [] : ["--output", "HEADLESS-1"] + arguments))
        }

        @Test func outputManagementByWlrRandr() throws {
            try ShellUnderTest.require("wlr-randr", of: "wlr-randr")
            try ShellUnderTest.with { shell in
                let app = try TestClient(shell)
                let list = try randr(shell)
                #expect(list.status == 0 && list.output.contains("1180x820 px") && list.output.contains("Scale: 1.0"))
                #expect(try randr(shell, "--custom-mode", "1600x900@60").status == 0)
                try shell.settle()
                #expect(try shell.state().screen?.size == Size(1600, 900))
                try shell.wait("the app in its new size") { try app.report.size == Size(1600, 900) }
                #expect(try shell.picture().width == 1600)
                // Scale and rotation follow the screen, and other programs are told about changes by the user.
                #expect(try randr(shell, "--scale", "2", "--transform", "90").status == 0)
                try shell.settle()
                #expect(try shell.state().screen?.size == Size(450, 800))
                try shell.perform(.rotate(0))
                let now = try randr(shell).output
                #expect(now.contains("Transform: normal") && now.contains("1600x900 px") && now.contains("Scale: 2.0"))
            }
        }

        /// The answer is truthful: the impossible is refused and changes nothing; a test changes nothing either.
        @Test func outputManagementRefuses() throws {
            try ShellUnderTest.require("wlr-randr", of: "wlr-randr")
            try ShellUnderTest.with { shell in
                let before = try shell.state().screen
                #expect(try randr(shell, "--dryrun", "--scale", "2").status == 0)
                for refused in [["--off"], ["--scale", "99"], ["--scale", "0.1"], ["--pos", "5,5"], ["--custom-mode", "30000x20"]] {
                    let (status, output) = try shell.run(["wlr-randr", "--output", "HEADLESS-1"] + refused)
                    #expect(status != 0 && output.contains("failed"), "\(refused): \(output)")
                }
                #expect(try shell.state().screen == before)
                shell.expectAlive()
            }
        }

        @Test func outputPower() throws {
            try ShellUnderTest.with { shell in
                let app = try TestClient(shell)
                #expect(try shell.script("power.py", "off").steps?["modes"] == .array([.integer(1), .integer(0)]))
                let frames = try shell.statistics().framesDrawn
                try app.tell("title dark")
                try shell.wait("the title") { try app.report.title == "dark" }
                try shell.perform(.home)
                try shell.settle()
                #expect(try shell.statistics().framesDrawn == frames, "nothing is drawn in the dark")
                #expect(try shell.script("power.py", "on").steps?["modes"] == .array([.integer(0), .integer(1)]))
                try shell.wait("a picture") { try shell.statistics().framesDrawn > frames }
                #expect(try shell.state().home)
                #expect(try shell.script("power.py", "bad").code == "zwlr_output_power_v1 1")
                #expect(try shell.script("power.py", "gone").ended == false)
            }
        }

        /// A dark screen shows nothing, so the session is locked at once.
        @Test func outputPowerAndLock() throws {
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                _ = try shell.script("power.py", "off")
                #expect(try shell.script("locker.py", "lifetimes").ended == false)
                _ = try shell.script("power.py", "on")
                #expect(try !shell.state().locked)
            }
        }

        // MARK: The list of windows

        @Test func foreignToplevelList() throws {
            try ShellUnderTest.with { shell in
                let first = try TestClient(shell, ["--title", "one", "--app-id", "org.example.One"])
                let second = try TestClient(shell, ["--title", "two", "--app-id", "org.example.Two"])
                func list() throws -> [String: String] {
                    let windows = try #require(try shell.script("toplevels.py", "list").steps?["windows"])
                    var titles: [String: String] = [:]
                    for index in 0..<3 {
                        guard let window = windows[index], let id = window[0]?.string, let title = window[1]?.string else { continue }
                        #expect((1...32).contains(id.utf8.count))
                        // A window that unmapped itself has lost its names.
                        #expect(title.isEmpty || window[2]?.string?.hasPrefix("org.example.") ?? false)
                        titles[title] = id
                    }
                    return titles
                }
                let before = try list()
                #expect(Set(before.keys) == ["one", "two"] && before["one"] != before["two"])
                #expect(try list() == before, "two lists call a window the same")
                try first.tell("title uno")
                try shell.wait("the title") { try first.report.title == "uno" }
                #expect(try list() == ["uno": before["one"], "two": before["two"]])
                // A window that unmaps and maps again counts as a new one.
                try second.tell("unmap")
                try shell.wait("it to go") { try second.report.place == .unmapped }
                #expect(try Set(list().keys) == ["uno"])
                try second.tell("map")
                try shell.wait("it to come") { try second.report.place != .unmapped }
                let after = try list()
                #expect(after.count == 2 && after["uno"] == before["one"])
                #expect(after.values.allSatisfy { $0 != before["two"] }, "it is not called as before")
                let lifetimes = try #require(try shell.script("toplevels.py", "lifetimes").steps)
                #expect(lifetimes == ["finished": .bool(true), "count": .integer(2)])
                shell.expectAlive()
            }
        }

        @Test func foreignToplevelListTellsChanges() throws {
            try ShellUnderTest.with { shell in
                let log = "\(shell.room)/toplevels.log"
                let process = try shell.start(["python3", "\(TestClient.folder)/toplevels.py", "watch", log]).process
                try shell.wait("the log", within: 20) { access(log, F_OK) == 0 }
                let client = try TestClient(shell, ["--title", "one"])
                func events() -> [String] {
                    shell.text(of: log).split(separator: "\n").compactMap {
                        guard let line = try? JSON(parsing: Array($0.utf8)) else { return nil }
                        return "\(line["e"]?.string ?? "") \(line["title"]?.string ?? "")"
                    }
                }
                try shell.wait("the window in the list") { events().contains("done one") }
                try client.tell("title two")
                try shell.wait("its new title") { events().contains("done two") }
                client.signal(SIGKILL)
                try shell.wait("its end") { events().last == "closed two" }
                kill(process, SIGKILL)
                shell.expectAlive()
            }
        }

        // MARK: Dialogs

        @Test func xdgDialogIsAFactOfTheWindow() throws {
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n") { shell in
                let commands = "\(shell.room)/dialog"
                mkfifo(commands, 0o600)
                _ = try shell.start(["python3", "\(TestClient.folder)/dialog.py", "modal", commands])
                func child() throws -> WindowReport? { try shell.state().windows.first { $0.title == "child" } }
                func tell(_ word: String) throws { try shell.write("\(word)\n", to: commands) }
                try shell.wait("the dialog", within: 20) { try child()?.modal ?? false }
                #expect(try shell.state().windows.first { $0.title == "parent" }?.modal == false)
                try tell("free")
                try shell.wait("it to be modal no more") { try child()?.modal == false }
                try tell("modal")
                try shell.wait("it to be modal again") { try child()?.modal ?? false }
                try tell("destroy")
                try shell.wait("it to be no dialog") { try child()?.modal == false }
            }
        }

        // MARK: Popups

        /// `xdg_positioner.set_reactive`: such a popup is placed again when its window moves.
        @Test(.enabled(if: Machine.hasWlroots18, "the xdg-shell of wlroots 0.15 has none")) func aReactivePopupFollowsItsWindow() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n") { shell in
                let other = try TestClient(shell), client = try TestClient(shell)
                try client.run("p = app.shell.create_positioner(); p.set_size(160, 120); p.set_anchor_rect(1000, 400, 1, 1)")
                try client.run("p.set_anchor(8); p.set_gravity(8); p.set_constraint_adjustment(3); p.set_reactive()")
                try client.run("ps = new_surface(); px = app.shell.get_xdg_surface(ps); pp = px.get_popup(window.xdg, p)")
                try client.run("paint = lambda: (ps.attach(app.painter.buffer(160, 120, 0xffffff, 0), 0, 0), ps.commit())")
                try client.run("px.on('configure', lambda n: (px.ack_configure(n), paint())); ps.commit()")
                func place() throws -> [Int64] {
                    try client.events(since: 0, "xdg_popup.configure").last?.a.array?.prefix(2).compactMap(\.integer) ?? []
                }
                try shell.wait("its first place") { try place() == [1001, 401] }
                try shell.perform(.splitView(window: client.id, side: .right))
                try shell.expectPlaces([client.id: .splitRight, other.id: .splitLeft])
                try shell.wait("its place beside the other window") { try place() == [585 - 160, 401] }
            }
        }

        @Test func xdgDialogAbuse() throws {
            try ShellUnderTest.with { shell in
                let twice = try shell.script("dialog.py", "twice")
                #expect(twice.code == "xdg_wm_dialog_v1 0")
                #expect(try shell.script("dialog.py", "lifetimes").ended == false)
                shell.expectAlive()
            }
        }

        // MARK: Sessions

        @Test(arguments: ["xdg", "xx"])
        func sessionManagement(dialect: String) throws {
            try ShellUnderTest.with { shell in
                for story in ["new", "take", "windows"] {
                    let steps = try #require(try shell.script("sessions.py", dialect, story).steps)
                    for (step, value) in steps { #expect(value == .bool(true) || value == .integer(1), "\(story): \(step) \(value)") }
                }
                #expect(try shell.script("sessions.py", dialect, "lifetimes").ended == false)
                shell.expectAlive()
            }
        }

        @Test(arguments: ["xdg", "xx"])
        func sessionManagementAbuse(dialect: String) throws {
            try ShellUnderTest.with { shell in
                let isDraft = dialect == "xx"
                let inUse = isDraft ? "xx_session_v1 2" : "xdg_session_v1 1"
                // The draft has no errors for invalid text and an invalid reason.
                let expected: [String: String?] = [
                    "in-use": "\(dialect)_session_manager_v1 1", "bad-reason": isDraft ? nil : "xdg_session_manager_v1 3",
                    "bad-session-name": isDraft ? nil : "xdg_session_manager_v1 2", "name-in-use": inUse,
                    "name-in-use-by-restore": inUse, "name-in-use-by-rename": inUse,
                    "restored-too-late": isDraft ? "xx_session_v1 3" : "xdg_session_v1 2",
                    "bad-name": isDraft ? "wl_display 3" : "xdg_session_v1 3",
                ]
                let ways = try shell.script("sessions.py", dialect, "abuse", "--list").ways ?? []
                #expect(Set(ways) == Set(expected.keys))
                for (way, code) in expected { #expect(try shell.script("sessions.py", dialect, "abuse", way).code == code, "\(way)") }
                shell.expectAlive()
            }
        }
    }
}
