import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Windows that come back after the shell was killed (W-20).
    @Suite(.serialized) struct RestoreTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// Two shells, one after the other, on one folder of kept windows.
        private func sessions(
            _ first: (ShellUnderTest) throws -> Void, between: (String) throws -> Void = { _ in }, config: String? = nil,
            data: String? = nil,
            _ second: (ShellUnderTest) throws -> Void
        ) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kept-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = ["XDG_STATE_HOME": folder].merging(data.map { ["XDG_DATA_DIRS": $0] } ?? [:]) { $1 }
            let before = try ShellUnderTest(config: still, environment: environment)
            do {
                defer { before.clear() }
                try first(before)
                try before.wait("the arrangement on disk") { try Self.isKept(before, in: folder) }
                kill(before.process, SIGKILL)
            }
            try between(folder)
            try ShellUnderTest.with(config: config ?? still, environment: environment) { try second($0) }
        }

        private static func isKept(_ shell: ShellUnderTest, in folder: String) throws -> Bool {
            try shell.client.waitUntilKept()
            return access("\(folder)/mullion/session.db", F_OK) == 0
        }

        private func arrange(_ shell: ShellUnderTest) throws {
            for name in ["one", "two", "three", "four"] { try shell.open("foot", of: "foot", ["--title", name]) }
            let windows = try shell.state().windows.map(\.id)
            try shell.perform(.focus(window: windows[0]))
            try shell.perform(.splitView(window: windows[1], side: .right))
            try shell.perform(.divider(fraction: 0.33))
            try shell.perform(.slideOver(window: windows[2]))
        }

        private func places(_ shell: ShellUnderTest) throws -> [String: WindowReport.PlaceName] {
            Dictionary(try shell.state().windows.map { ($0.title, $0.place) }, uniquingKeysWith: { first, _ in first })
        }

        @Test("after kill -9 of the shell everything is where it was, and programs start when they are shown")
        func arrangement_W20() throws {
            var before: [String: WindowReport.PlaceName] = [:]
            var fraction = 0.0
            try sessions({ shell in
                try arrange(shell)
                before = try places(shell)
                fraction = try #require(try shell.state().divider?.fraction)
            }) { shell in
                try shell.wait("three programs") { try shell.state().windows.count { $0.placeholder == nil && $0.place != .unmapped } == 3 }
                try shell.settle()
                #expect(try places(shell) == before)
                #expect(try abs(#require(try shell.state().divider?.fraction) - fraction) < 0.001)
                let behind = try #require(try shell.state().windows.first { $0.placeholder == true })
                let state = try shell.state()
                #expect(behind.title == "four", "\(state)")
                try shell.perform(.focus(window: behind.id))
                try shell.wait("the fourth") { try shell.state().windows.allSatisfy { $0.placeholder == nil } }
                #expect(try places(shell)["four"] == .full)
            }
        }

        /// What a person sees of each window in each idiom.
        private func look(_ shell: ShellUnderTest) throws -> [String: String] {
            var look: [String: String] = [:]
            for idiom in ["pad", "mac", "phone"] {
                try shell.perform(.idiom(idiom))
                for _ in 0..<3 {
                    // Programs start when they are shown.
                    try shell.wait("programs in sight") { try shell.state().windows.allSatisfy { !$0.shown || $0.placeholder == nil } }
                    try shell.settle()
                }
                for window in try shell.state().windows {
                    look["\(window.title) in \(idiom)"] =
                        "\(window.place), shown: \(window.shown), at \(window.place == .minimized ? Point.zero : window.frame?.origin ?? .zero)"
                }
            }
            return look
        }

        @Test(
            "W-20, W-25: after kill -9 every window is where it was in every idiom, also when the shell begins in another one",
            arguments: ["", "mac"])
        func idioms_W20(begins: String) throws {
            var before: [String: String] = [:]
            let config = still + (begins.isEmpty ? "" : "idiom = \"\(begins)\"\n")
            try sessions(
                { shell in
                    try arrange(shell)
                    let windows = try shell.state().windows
                    try shell.perform(.idiom("mac"))
                    try shell.perform(.focus(window: windows[0].id))
                    try shell.settle()
                    let frame = try #require(try shell.window(windows[0].id).frame)
                    try shell.drag(Point(frame.center.x, frame.minY - 16), Point(frame.center.x - 90, frame.minY + 60))
                    try shell.perform(.tile(window: windows[1].id, to: .right))
                    try shell.perform(.minimize(window: windows[2].id))
                    try shell.settle()
                    before = try look(shell)
                    try shell.perform(.idiom("pad"))
                }, config: config
            ) { shell in
                #expect(try shell.state().idiom == (begins.isEmpty ? "pad" : begins))
                let after = try look(shell)
                for (window, place) in before { #expect(after[window] == place, "\(window)") }
                #expect(after.count == before.count)
            }
        }

        @Test("each window of an app returns to its own place, by its name in the session of the toolkit", arguments: ["xdg", "xx"])
        func toolkitSession_W20(dialect: String) throws {
            let file = "/tmp/mullion-test-session-\(UInt32.random(in: 0 ... .max))"
            defer { unlink(file) }
            let app = ["python3", "\(TestClient.folder)/sessions.py", dialect, "stay", file]
            func arrangement(_ shell: ShellUnderTest, _ left: String, _ right: String) throws -> [WindowReport.PlaceName?] {
                let places = try places(shell)
                return [places[left], places[right]]
            }
            try sessions({ shell in
                try shell.open(app, title: "left")
                let right = try shell.waitForWindow(title: "right")
                try shell.perform(.focus(window: try shell.waitForWindow(title: "left").id))
                try shell.perform(.splitView(window: right.id, side: .right))
                try shell.settle()
                #expect(try arrangement(shell, "left", "right") == [.splitLeft, .splitRight])
            }) { shell in
                try shell.wait("both windows") { try shell.state().windows.count { $0.placeholder == nil } == 2 }
                try shell.settle()
                let state = try shell.state()
                #expect(try arrangement(shell, "left again", "right again") == [.splitLeft, .splitRight], "\(state)")
                #expect(state.windows.count == 2)
            }
        }

        @Test(
            "W-20: an app that opens its windows again is started once, and each returns to its own place, though it gets its title late",
            arguments: [false, true])
        func opensItsWindows_W20(isBrowser: Bool) throws {
            let file = "/tmp/mullion-test-pages-\(UInt32.random(in: 0 ... .max))", data = "\(file)-data"
            defer {
                unlink(file)
                try? FileManager.default.removeItem(atPath: data)
            }
            let program = ["python3", "\(TestClient.folder)/restores.py", file]
            let entry =
                "[Desktop Entry]\nType=Application\nName=Browser\nExec=\(program.joined(separator: " ")) %u\nMimeType=x-scheme-handler/http;\n"
            if isBrowser { try ShellUnderTest.write(entry, to: "\(data)/applications/test.browser.desktop") }
            func window(_ title: String, _ shell: ShellUnderTest) throws -> WindowID { try shell.waitForWindow(title: title).id }
            let wanted: [String: WindowReport.PlaceName] = ["page 1": .full, "page 2": .splitLeft, "page 3": .splitRight]
            try sessions(
                { shell in
                    try shell.open(program + (isBrowser ? ["http://page.example"] : []), title: "page 1")
                    for title in ["page 2", "page 3"] { try shell.perform(.openWaiting(window: window(title, shell))) }
                    try shell.perform(.focus(window: window("page 2", shell)))
                    try shell.perform(.splitView(window: window("page 3", shell), side: .right))
                    try shell.settle()
                    #expect(try places(shell) == wanted)
                }, data: isBrowser ? data : nil
            ) { shell in
                try shell.wait("its windows") { try shell.state().windows.count { $0.placeholder == nil } == 3 }
                try shell.wait("their titles") {
                    try shell.state().windows.allSatisfy { $0.title.hasPrefix("page") && $0.placeholder == nil }
                }
                try shell.settle()
                let state = try shell.state()
                #expect(try places(shell) == wanted, "\(state)")
                #expect(state.windows.count == 3 && state.waiting.isEmpty)
            }
        }

        @Test("a program that is gone leaves its window, and the person is told why")
        func programGone_W20() throws {
            let program = "/tmp/mullion-test-program-\(UInt32.random(in: 0 ... .max))"
            defer { unlink(program) }
            try sessions(
                { shell in
                    try shell.write("#!/bin/sh\nexec foot --title gone\n", to: program)
                    chmod(program, 0o755)
                    try shell.open([program], to: nil, timeout: 20_000)
                }, between: { _ in unlink(program) }
            ) { shell in
                try shell.wait("the alert") { try shell.state().open.contains { $0.contains("alert") || $0.contains("popover") } }
                #expect(try shell.state().windows.first?.placeholder == true)
                shell.expectAlive()
            }
        }

        @Test("a damaged store falls back to the last good copy, and the log says so", arguments: ["cut", "garbage", "empty"])
        func damaged_W20(how: String) throws {
            try sessions(
                { shell in
                    try shell.open("foot", of: "foot", ["--title", "one"])
                    // The copy is made when the session ends in order, too.
                    for _ in 0..<3 {
                        try shell.perform(.home)
                        usleep(700_000)
                        try shell.perform(.focus(window: try #require(try shell.state().windows.first).id))
                        usleep(700_000)
                    }
                },
                between: { folder in
                    let file = "\(folder)/mullion/session.db"
                    for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
                    let bytes = FileManager.default.contents(atPath: file) ?? Data()
                    switch how {
                    case "cut": try bytes.prefix(bytes.count / 2 - 7).write(to: URL(filePath: file))
                    case "garbage": try Data(repeating: 0xff, count: 5000).write(to: URL(filePath: file))
                    default: try Data("no database".utf8).write(to: URL(filePath: file))
                    }
                }
            ) { shell in
                try shell.waitForLog("is damaged")
                try shell.waitForLog("the session is that of the last good copy")
                shell.expectAlive()
            }
        }

        @Test("of two shells with one folder the second keeps nothing, and says which one does")
        func twoShells() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kept-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": folder]) { first in
                try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": folder]) { second in
                    try second.waitForLog("process \(first.process) keeps its session in")
                    try second.open("foot", of: "foot")
                }
            }
        }

        @Test(
            "W-20: the last picture stands for a window until its program shows one, also if it was in sight until the end",
            arguments: [false, true])
        func pictures_W20(isInSight: Bool) throws {
            try sessions({ shell in
                let terminal = try shell.open(
                    "foot", of: "foot", ["--title", "one", "-o", "colors.background=aa3300", "-e", "sleep", "1000"])
                if !isInSight { try shell.perform(.home) }
                try shell.wait("its picture") {
                    let folder = "\(shell.environment["XDG_STATE_HOME"] ?? "")/mullion/pictures"
                    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { $0.hasSuffix(".png") }
                }
                usleep(700_000)
                _ = terminal
            }) { shell in
                try shell.perform(.appSwitcher)
                #expect(try isInSight || shell.state().windows.first?.placeholder == true)
                try shell.wait("the picture in the switcher") {
                    try shell.picture().pixels.count { $0 == 0xffaa3300 } > 10_000
                }
            }
        }
    }
}
