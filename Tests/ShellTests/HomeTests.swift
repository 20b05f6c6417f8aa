import Chrome
import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-03: installed apps are on the home screen, and a tap opens them.
    @Suite(.serialized) struct HomeTests {
        private static let wallpaper: UInt32 = 0x232b3a

        private func names(_ shell: ShellUnderTest) throws -> Set<String> {
            Set(try shell.views().filter { $0.id.hasPrefix("home/") && $0.role == .icon }.map(\.name))
        }

        // MARK: What is there

        @Test func installedAppsStandThere_X03() throws {
            let hidden = [
                TestApp("test.hidden", "Hidden", more: "NoDisplay=true"), TestApp("test.deleted", "Deleted", more: "Hidden=true"),
                TestApp("test.elsewhere", "Elsewhere", more: "OnlyShowIn=GNOME;"),
                TestApp("test.missing", "Missing", more: "TryExec=no-such-program-anywhere"),
            ]
            try ShellUnderTest.with(apps: TestApp.three + hidden) { shell in
                let state = try shell.state()
                #expect(state.home && state.open == [] && state.windows.isEmpty)
                #expect(try names(shell) == ["Red", "Green", "Blue"])
                #expect(try shell.installed().map(\.name) == ["Blue", "Green", "Red"], "in the order of their names")
                let views = try shell.views()
                #expect(views.contains { $0.id == "dock/test.red" } && views.contains { $0.id == "search" })
                for view in views where view.press != nil {
                    #expect(ShellUnderTest.whole.contains(view.frame), "\(view.id) is on the screen")
                    #expect(view.target.width >= 44 && view.target.height >= 44, "\(view.id) is large enough for a finger")
                }
            }
        }

        /// An app of the machine that is not hidden costs every start of a test its entry and its icon.
        @Test("X-03: a shell under test shows the machine's apps only if the test asks for them") func machinesApps() throws {
            try ShellUnderTest.require("foot", of: "foot")
            try ShellUnderTest.with { shell in
                _ = try shell.waitForView("home/empty", within: 10)
                #expect(try shell.installed() == [])
            }
            try ShellUnderTest.with(showsInstalledApps: true) { shell in
                try shell.wait("the apps", within: 10) { try shell.installed().contains { $0.id == "foot" } }
                #expect(try shell.find("home/empty") == nil && !names(shell).isEmpty)
            }
        }

        /// Within two seconds after its file appears.
        @Test func installingAndRemovingIsSeenAtOnce_X03() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let new = TestApp("test.new", "Newcomer", colour: "aa22aa")
                try shell.install(new)
                try shell.wait("the new app", within: 2) { try names(shell).contains("Newcomer") }
                try shell.install(TestApp("test.new", "Newcomer the Second", colour: "aa22aa"))
                try shell.wait("its new name", within: 2) { try names(shell).contains("Newcomer the Second") }
                try shell.remove(new)
                try shell.wait("it to go", within: 2) { try names(shell) == ["Red", "Green", "Blue"] }
                for app in TestApp.three { try shell.remove(app) }
                try shell.wait("words for an empty screen", within: 2) { try shell.find("home/empty") != nil }
                #expect(try names(shell).isEmpty)
                try shell.install(TestApp.three[0])
                try shell.wait("the first one again", within: 2) { try names(shell) == ["Red"] }
                #expect(try shell.find("home/empty") == nil)
            }
        }

        /// SVG, PNG, by name from an icon theme, and a tile with an initial for an app with a missing or broken icon.
        @Test func iconsAreDrawn_X03() throws {
            let apps = [
                TestApp("test.svg", "Svg", icon: "{room}/red.svg"), TestApp("test.png", "Png", icon: "{room}/icon.png"),
                TestApp("test.theme", "Theme", icon: "test-theme-icon"), TestApp("test.none", "None"),
                TestApp("test.broken", "Broken", icon: "{room}/broken.svg"),
            ]
            let theme = """
                [Icon Theme]
                Name=Hicolor
                Directories=scalable/apps
                [scalable/apps]
                Size=64
                MinSize=8
                MaxSize=512
                Type=Scalable
                Context=Applications

                """
            let files = [
                "broken.svg": "<svg this is no picture", "system/icons/hicolor/index.theme": theme,
                "system/icons/hicolor/scalable/apps/test-theme-icon.svg": TestApp.svg("118866"),
            ]
            try ShellUnderTest.with(apps: apps, files: files) { shell in
                try PNG.write(Picture(width: 128, height: 128, fill: 0xff00_66cc), to: "\(shell.room)/icon.png")
                try shell.install(TestApp("test.png", "Png", icon: "{room}/icon.png", more: "Comment=written again"))
                // While its entry is being rewritten, there may be none.
                try shell.wait("the PNG") {
                    guard let icon = try shell.find("home/test.png") else { return false }
                    return try shell.pixels(of: icon).share(of: 0x0066cc) > 0.9
                }
                #expect(try shell.pixels(of: shell.view("home/test.svg")).share(of: 0xaa2222) > 0.6)
                #expect(try shell.pixels(of: shell.view("home/test.theme")).share(of: 0x118866) > 0.6)
                for id in ["home/test.none", "home/test.broken"] {
                    let tile = try shell.pixels(of: shell.view(id))
                    #expect(tile.share(of: Self.wallpaper, tolerance: 6) < 0.2, "\(id) has a tile")
                    #expect(tile.isDrawn(in: Rect(16, 16, 40, 40)), "with a letter on it")
                }
                // Each app's name stands below its icon.
                let icon = try shell.view("home/test.svg").frame
                #expect(try shell.picture().isDrawn(in: Rect(icon.x, icon.maxY + 6, icon.width, 20)))
                try shell.keepPicture("home-icons")
            }
        }

        /// Painted in a separate process: no app's file can block the shell, and the SVG library uses none of its
        /// memory.
        @Test func iconsAreDrawnElsewhere_X03() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                try shell.settle()
                #expect(!shell.text(of: "/proc/\(shell.process)/maps").contains("librsvg"))
                #expect(try shell.pixels(of: shell.view("home/test.red")).share(of: 0xaa2222) > 0.6)
                #expect(!shell.text(of: "/proc/\(shell.process)/maps").contains("librsvg"), "they were there before anyone looked")
            }
        }

        /// As on a slow machine that has just started: the process that draws is stopped at one of many icons.
        @Test func anIconThatTookTooLongIsDrawnLater_X03() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                try shell.settle()
                func painter() -> Int32? {
                    guard let all = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return nil }
                    return all.compactMap { Int32($0) }.first {
                        shell.text(of: "/proc/\($0)/cmdline").contains("paint-icons")
                            && shell.text(of: "/proc/\($0)/stat").split(separator: " ").dropFirst(3).first == "\(shell.process)"
                    }
                }
                // It may have been idle when it was stopped. Then request more icons.
                let notice = "takes too long to be drawn"
                for round in 0..<5 where !shell.log.contains(notice) {
                    for number in 0..<20 {
                        try ShellUnderTest.write(TestApp.svg("118866"), to: "\(shell.room)/\(round)-\(number).svg")
                        try shell.install(TestApp("test.icon\(number)", "Icon \(number)", icon: "{room}/\(round)-\(number).svg"))
                    }
                    var stopped: Int32?
                    try shell.wait("the process that draws", within: 20) {
                        stopped = painter()
                        return stopped.map { kill($0, SIGSTOP) } == 0
                    }
                    _ = try? shell.waitForLog(notice, within: 8)
                    if !shell.log.contains(notice), let stopped { kill(stopped, SIGKILL) }
                }
                #expect(shell.log.contains(notice))
                for number in 0..<20 {
                    try shell.wait("icon \(number)", within: 30) {
                        try shell.pixels(of: shell.view("home/test.icon\(number)")).share(of: 0x118866) > 0.6
                    }
                }
            }
        }

        // MARK: Opening

        /// Its card appears in the very next frame, long before its window.
        @Test func aTapOpensAnApp_X03() throws {
            let slow = TestApp("test.red", "Red", command: "sh {room}/red.sh", icon: "{room}/red.svg")
            let script = "echo started >>{room}/starts\nsleep 0.4\nexec \(TestApp.window("test.red", "Red", colour: "aa2222"))\n"
            try ShellUnderTest.with(apps: [slow, TestApp.three[1]], files: ["red.sh": script]) { shell in
                let icon = try shell.view("home/test.red").frame
                let before = try shell.picture()
                try shell.stopClock()
                try shell.down(icon.center)
                try shell.lift()
                #expect(try shell.isOpen("launching"), "at once")
                try shell.step(34)
                let state = try shell.state()
                #expect(state.windows.isEmpty && state.open == ["launching"])
                #expect(try shell.views().contains { $0.id.hasPrefix("launch/") && $0.name.contains("Red") })
                #expect(try shell.picture().difference(from: before, tolerance: 8).count > 1000, "the card is drawn")
                try shell.startClock()
                let window = try shell.waitForWindow(appID: "test.red")
                try shell.settle()
                try shell.expectPlaces([window.id: .full])
                #expect(try shell.state().open == [] && !shell.state().home)
                #expect(try shell.window(window.id).active)
                try shell.expectShown(window.id)

                // Again: the same window, no second process.
                for _ in 0..<2 {
                    try shell.perform(.home)
                    #expect(try shell.state().home)
                    try shell.touch("home/test.red")
                    #expect(try !shell.state().home && shell.window(window.id).active)
                }
                #expect(try shell.windows(of: "test.red").count == 1)
                #expect(shell.text(of: "\(shell.room)/starts") == "started\n")
                #expect(try shell.state().open == [], "an app with one window needs no shelf")
            }
        }

        @Test(arguments: ShellUnderTest.Way.allCases) func everyWayOpens_X02(way: ShellUnderTest.Way) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                try shell.operate("dock/test.green", by: way)
                let green = try shell.waitForWindow(appID: "test.green")
                try shell.settle()
                try shell.perform(.home)
                try shell.operate("home/test.blue", by: way)
                let blue = try shell.waitForWindow(appID: "test.blue")
                try shell.settle()
                try shell.expectPlaces([green.id: .full, blue.id: .full])
                #expect(try shell.window(blue.id).active)
            }
        }

        // MARK: Failures

        enum Failing: String, CaseIterable, Sendable {
            case missing, failing, killed

            /// The message of the alert.
            var reason: String {
                switch self {
                case .missing: "ghost"
                case .failing: "3"
                case .killed: "9"
                }
            }
        }

        private func withFailing<R>(_ body: (ShellUnderTest) throws -> R) throws -> R {
            let apps = [
                TestApp("test.failing", "Quitter", command: "sh {room}/fail.sh"),
                TestApp("test.killed", "Victim", command: "sh {room}/kill.sh"),
            ]
            return try ShellUnderTest.with(apps: apps, files: ["fail.sh": "exit 3\n", "kill.sh": "kill -9 $$\n"]) { shell in
                // An uninstalled program is not shown. This one disappears after it was found.
                let ghost = "\(shell.room)/ghost"
                try ShellUnderTest.write("#!/bin/sh\n", to: ghost)
                chmod(ghost, 0o755)
                try shell.install(TestApp("test.missing", "Absent Friend", command: "{room}/ghost --now"))
                try shell.wait("the app", within: 2) { try shell.find("home/test.missing") != nil }
                unlink(ghost)
                return try body(shell)
            }
        }

        @Test(arguments: Failing.allCases) func anAlertNamesTheAppAndTheReason_X03(how: Failing) throws {
            try withFailing { shell in
                let icon = try shell.view("home/test.\(how.rawValue)")
                for way in ShellUnderTest.Way.allCases {
                    try? shell.operate(icon.id, by: way == .command ? .touch : way)
                    try shell.wait("an alert") { try shell.isOpen("alert") }
                    try shell.settle()
                    let said = try shell.views().map(\.name).joined(separator: "\n")
                    #expect(said.contains(icon.name), "it names the app: \(said)")
                    #expect(said.contains(how.reason), "it says why: \(said)")
                    let state = try shell.state()
                    #expect(!state.open.contains("launching") && state.home)
                    try shell.keepPicture("alert-\(how.rawValue)")
                    // Nothing behind it can be used.
                    #expect(try shell.find("home/test.missing") == nil)
                    if way == .keyboard { try shell.press("Return") } else { try shell.operate("alert/ok", by: way) }
                    #expect(try shell.state().open == [], "OK by \(way)")
                    #expect(try shell.find("home/test.missing") != nil)
                }
            }
        }
    }
}
