import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The settings on the screen and for scripts: by finger, over `kill -9`, and beside the configuration file.
    @Suite(.serialized) struct SettingsViewTests {
        private func settings(_ shell: ShellUnderTest) throws -> [String: SettingReport] {
            Dictionary(try shell.client.ask(.get(.settings), for: [SettingReport].self).map { ($0.key, $0) }) { first, _ in first }
        }

        private func value(_ key: String, _ shell: ShellUnderTest) throws -> String? { try settings(shell)[key]?.value }

        @Test("every setting, set to something else, is still so after kill -9, and a reset undoes all")
        func killed() throws {
            let folder = NSTemporaryDirectory() + "mullion-settings-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = ["XDG_STATE_HOME": folder, "DBUS_SESSION_BUS_ADDRESS": ""]
            func start() throws -> ShellUnderTest {
                try ShellUnderTest(
                    scale: nil, config: "launch = []\nanimation-speed = 10\n", environment: environment, audio: "off", showsSettings: true)
            }
            let wanted = [
                "appearance": "dark", "accent": "green", "wallpaper": "#274a36", "text-size": "1.35", "increased-contrast": "on",
                "reduce-transparency": "on", "reduced-motion": "on", "language": "ko", "direction": "right-to-left",
            ]
            var first: [String: String] = [:]
            do {
                let shell = try start()
                defer { shell.clear() }
                first = try settings(shell).mapValues(\.value)
                for (key, value) in wanted.shuffled() {
                    #expect(first[key] != value, "\(key)")
                    try shell.perform(.setting(key: key, value: value))
                    #expect(try self.value(key, shell) == value, "\(key)")
                }
                #expect(try settings(shell)["animation-speed"]?.fixedBy == "animation-speed, line 2")
                #expect(throws: (any Error).self) { try shell.perform(.setting(key: "animation-speed", value: "1.5")) }
                #expect(throws: (any Error).self) { try shell.perform(.setting(key: "accent", value: "beige")) }
                // The title of the settings' icon follows the language.
                try shell.wait("the language") {
                    try shell.client.ask(.get(.apps), for: [App].self).contains { $0.id == App.settings && $0.name == "설정" }
                }
                try shell.wait("the disk", within: 10) { try shell.statistics().isKept }
                shell.signal(shell.process, SIGKILL)
                try shell.wait("its end", within: 5) { kill(shell.process, 0) != 0 || shell.ending != nil }
            }
            let shell = try start()
            defer { shell.clear() }
            let now = try settings(shell).mapValues(\.value)
            for (key, value) in wanted { #expect(now[key] == value, "\(key)") }
            try shell.perform(.resetSettings())
            let last = try settings(shell).mapValues(\.value)
            for key in wanted.keys { #expect(last[key] == first[key], "\(key)") }
        }

        @Test("what the file fixes shows the value that holds, and what other programs write is there at once: pictures, default apps")
        func followed() throws {
            let web = "MimeType=x-scheme-handler/https;x-scheme-handler/http;text/html;"
            try ShellUnderTest.with(
                apps: [TestApp("test.one", "One", more: web), TestApp("test.two", "Two", more: web)],
                config: "language = \"ko\"\ndirection = \"right-to-left\"\nwallpaper = \"#304050\"\n"
            ) { shell in
                let now = try settings(shell)
                for (key, value) in ["language": "ko", "direction": "right-to-left", "wallpaper": "#304050"] {
                    #expect(now[key]?.value == value && now[key]?.fixedBy != nil, "\(key)")
                }
                try FileManager.default.createDirectory(atPath: "\(shell.room)/home/Pictures", withIntermediateDirectories: true)
                // Whether it can be read is seen when it is chosen.
                try "".write(toFile: "\(shell.room)/home/Pictures/saved.PNG", atomically: false, encoding: .utf8)
                try shell.wait("the picture") { try settings(shell)["dark-wallpaper"]?.allowed.contains("saved.PNG") ?? false }
                try shell.perform(.controlPage(.defaultApps))
                for name in ["Two", "One"] {
                    try FileManager.default.createDirectory(atPath: "\(shell.room)/config", withIntermediateDirectories: true)
                    try "[Default Applications]\nx-scheme-handler/https=test.\(name.lowercased()).desktop\n".write(
                        toFile: "\(shell.room)/config/mimeapps.list", atomically: true, encoding: .utf8)
                    try shell.wait("the default app \(name)") { try shell.views().contains { $0.name.hasSuffix(", \(name)") } }
                }
            }
        }

        @Test("by finger alone: the icon, the search, a page, a switch; a picture is a wallpaper")
        func finger() throws {
            try ShellUnderTest.with(showsSettings: true) { shell in
                func touch(_ id: String) throws {
                    try shell.waitForView(id)
                    try shell.wait("\(id) to rest") { try !shell.state().moving }
                    try shell.touch(id)
                }
                try shell.perform(.openApp(app: App.settings))
                try touch("control-centre/search")
                try shell.client.input(.type(text: "contrast"))
                try touch("control-centre/setting/increased-contrast")
                try shell.wait("the contrast") { try value("increased-contrast", shell) == "on" }
                try touch("control-centre/search/clear")
                try touch("control-centre/page/look")
                try touch("control-centre/setting/accent/purple")
                try shell.wait("the accent") { try value("accent", shell) == "purple" }
                try shell.perform(.setting(key: "wallpaper", value: "/nowhere/at-all.png"))
                #expect(try value("wallpaper", shell) == "/nowhere/at-all.png", "it may come back; the log says that it is not there")
                #expect(throws: (any Error).self) { try shell.perform(.setting(key: "wallpaper", value: "relative.png")) }
                try shell.perform(.dismiss)
                try shell.perform(.dismiss)
            }
        }
    }
}
