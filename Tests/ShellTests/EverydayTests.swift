import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Status
import Testing
import Windows

extension RunningShell {
    /// Colours of the screen, lamp, films, layouts and default apps, as a person sets them (X-09, X-03).
    @Suite(.serialized) struct EverydayTests {
        private func status(_ shell: ShellUnderTest) throws -> StatusReport { try shell.client.ask(.get(.status), for: StatusReport.self) }

        private func with(_ environment: [String: String], _ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            let device = try SystemService("device.py")
            try ShellUnderTest.with(environment: device.environment.merging(environment) { $1 }, showsStatus: true) { shell in
                try shell.wait("the services") { try !status(shell).ends.isEmpty }
                try body(shell, device)
            }
        }

        @Test("night light changes the ramps of the screen, and a program that sets them has them until it lets go")
        func nightLight() throws {
            try with(["MULLION_VIRTUAL_GAMMA": "1"]) { shell, _ in
                func colours() throws -> [UInt16] { try shell.statistics().colours }
                let none: [UInt16] = [65535, 65535, 65535]
                #expect(try colours() == none)
                try shell.perform(.controlCentre)
                try shell.touch("control-centre/night-light")
                try shell.wait("warmer colours") { try colours() != none }
                let half = try colours()
                #expect(half[0] == 65535 && half[1] < 65535 && half[2] < half[1])
                try shell.perform(.setting(key: "night-light-warmth", value: "1"))
                try shell.wait("more of it") { try colours()[2] < half[2] }
                let full = try colours()
                // wlroots applies the ramps of a program with a frame of its own.
                let program = try shell.start(["python3", "\(TestClient.folder)/gamma.py", "65535", "30000", "20000"])
                try shell.wait("the program's colours") { try colours() == [65535, 30000, 20000] }
                try shell.perform(.setting(key: "night-light-warmth", value: "0.5"))
                try shell.settle()
                #expect(try colours() == [65535, 30000, 20000], "the program has them")
                kill(program.process, SIGKILL)
                try shell.wait("the shell's own") { try colours() == half }
                #expect(full != half)
                let bad = try shell.start(["python3", "\(TestClient.folder)/gamma.py", "short"])
                try shell.wait("a file too short to be refused") { shell.text(of: bad.output).contains("correct size") }
                try shell.wait("the shell's own again") { try colours() == half }
                try shell.perform(.device(.nightLight(false)))
                try shell.wait("the colours as they were") { try colours() == none }
            }
        }

        @Test("a screen without ramps, no lamp and no recorder: no tiles, and a clear refusal")
        func nothing() throws {
            try with(["PATH": "/nowhere"]) { shell, _ in
                try shell.perform(.controlCentre)
                try shell.waitForView("control-centre")
                for name in ["night-light", "flash-light", "record"] {
                    #expect(try shell.find("control-centre/\(name)") == nil)
                }
                for action in [DeviceAction.nightLight(true), .flashLight(true), .record(true)] {
                    #expect(throws: (any Error).self, "\(action)") { try shell.perform(.device(action)) }
                }
            }
        }

        @Test("the lamp beside the camera is set through the login manager")
        func lamp() throws {
            let leds = NSTemporaryDirectory() + "mullion-leds-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: leds) }
            for (name, largest) in [("input3::capslock", 1), ("white:flash", 7), ("white:torch", 5)] {
                try ShellUnderTest.write("\(largest)\n", to: "\(leds)/\(name)/max_brightness")
                try ShellUnderTest.write("0\n", to: "\(leds)/\(name)/brightness")
            }
            try with(["MULLION_LEDS": leds]) { shell, device in
                try shell.perform(.controlCentre)
                try shell.touch("control-centre/flash-light")
                try shell.wait("the call") { device.log.contains { $0.hasSuffix("leds white:torch 5") } }
                // The kernel would have written it.
                try ShellUnderTest.write("5\n", to: "\(leds)/white:torch/brightness")
                try device.tell("refuse")
                try shell.wait("it to refuse") { device.log.contains("refuses") }
                try shell.perform(.device(.flashLight(false)))
                try shell.wait("the reason in words") { try shell.views().contains { $0.name.contains("it is not allowed here") } }
            }
        }

        @Test("an app that has a camera open is named beside the time, in the list and, after it, in the settings")
        func camera() throws {
            let folder = NSTemporaryDirectory() + "mullion-cameras-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try ShellUnderTest.write("", to: "\(folder)/video0")
            try with(["MULLION_CAMERAS": folder]) { shell, _ in
                let viewer = try shell.open("foot", of: "foot", ["-e", "sh", "-c", "read line; exec 3<\(folder)/video2; sleep 600"])
                #expect(try shell.find("status/sensors") == nil)
                #expect(throws: (any Error).self) { try shell.perform(.sensors) }
                // It comes while the shell runs.
                try ShellUnderTest.write("", to: "\(folder)/video2")
                try shell.client.input(.type(text: "\n"))
                try shell.wait("the camera's mark", within: 5) { try shell.find("status/sensors")?.name.contains("Foot") ?? false }
                try shell.touch("status/sensors")
                try shell.wait("the list") { try shell.find("sensors/camera")?.name.contains("Foot") ?? false }
                try shell.perform(.close(window: viewer.id))
                try shell.wait("the end", within: 5) { try shell.find("status/sensors") == nil }
                try shell.perform(.controlPage(.privacy))
                try shell.wait("the past") { try shell.views().contains { $0.id.hasSuffix("privacy/camera/foot") } }
            }
        }

        @Test("a film of the screen begins and ends by the tile, and is whole")
        func film() throws {
            try ShellUnderTest.require("wf-recorder", of: "wf-recorder")
            try with([:]) { shell, _ in
                let folder = "\(shell.environment["HOME"] ?? "")/Videos"
                try shell.perform(.controlCentre)
                try shell.touch("control-centre/record")
                try shell.wait("the recorder") { try status(shell).isRecording == true }
                try shell.perform(.dismiss)
                try shell.wait("the mark of it", within: 10) { try shell.find("status/sensors") != nil }
                for step in 0..<10 { try shell.perform(.setting(key: "appearance", value: step % 2 == 0 ? "dark" : "light")) }
                try shell.perform(.device(.record(false)))
                try shell.wait("its end", within: 10) { try status(shell).isRecording == false }
                let film = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".mkv") })
                let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(film)"))
                // Matroska, with the index that comes last.
                #expect(bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) && bytes.range(of: Data([0x1c, 0x53, 0xbb, 0x6b])) != nil)
            }
        }

        @Test("a layout reaches the app in front, a wrong one is refused, and a reset brings the first one back")
        func layouts() throws {
            try ShellUnderTest.with(config: "launch = []\n") { shell in
                let file = "\(shell.room)/typed"
                try shell.open("foot", of: "foot", ["-e", "sh", "-c", "while read line; do echo \"$line\" >> \(file); done"])
                func typed(_ key: String) throws {
                    for pressed in [true, false] { try shell.client.input(.key(key: .init(code: 21), pressed: pressed)) }
                    for pressed in [true, false] { try shell.client.input(.key(key: .init(code: 28), pressed: pressed)) }
                    try shell.wait("the letter \(key)") { shell.text(of: file).hasSuffix("\(key)\n") }
                }
                try typed("y")
                try shell.perform(.setting(key: "keyboard-layouts", value: "de,us"))
                try typed("z")
                try shell.perform(.setting(key: "keyboard-layouts", value: "us(dvorak)"))
                try typed("f")
                for wrong in ["nowhere", "us,", "us,us", "us,de,fr,kr,jp", "us(nothing)"] {
                    #expect(throws: (any Error).self, "\(wrong)") { try shell.perform(.setting(key: "keyboard-layouts", value: wrong)) }
                }
                try typed("f")
                try shell.perform(.resetSettings(key: "keyboard-layouts"))
                try typed("y")
            }
        }

        @Test("a default app is one for every desktop, and an app opens at login")
        func apps() throws {
            let state = NSTemporaryDirectory() + "mullion-start-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: state) }
            let apps = [
                TestApp("test.one", "One", more: "MimeType=text/html;x-scheme-handler/http;x-scheme-handler/https;"),
                TestApp("test.two", "Two", more: "MimeType=x-scheme-handler/http;x-scheme-handler/https;text/html;"),
            ]
            let environment = ["XDG_STATE_HOME": state, "DBUS_SESSION_BUS_ADDRESS": ""]
            let before = ["config/mimeapps.list": "[Default Applications]\nx-scheme-handler/https=gone.desktop;test.one.desktop\n"]
            try ShellUnderTest.with(apps: apps, files: before, environment: environment) { shell in
                func browser() throws -> String? {
                    try shell.client.ask(.get(.settings), for: [SettingReport].self).first { $0.key == "default/web" }?.value
                }
                #expect(try browser() == "auto", "the first that is installed")
                try shell.perform(.controlPage(.defaultApps))
                #expect(try shell.waitForView("control-centre/setting/default/web/auto").name == "Automatic, One")
                try shell.perform(.setting(key: "default/web", value: "test.two"))
                let list = "\(shell.environment["XDG_CONFIG_HOME"] ?? "\(shell.environment["HOME"] ?? "")/.config")/mimeapps.list"
                try shell.wait("the file") { shell.text(of: list).contains("x-scheme-handler/https=test.two.desktop") }
                #expect(try browser() == "test.two")
                try shell.perform(.setting(key: "default/web", value: "auto"))
                try shell.wait("the file as it was") { !shell.text(of: list).contains("x-scheme-handler/https=test.two.desktop") }
                #expect(try browser() == "auto")
                #expect(throws: (any Error).self) { try shell.perform(.setting(key: "default/web", value: "test.none")) }
                try shell.perform(.setting(key: "start/test.one", value: "on"))
                try shell.wait("the disk", within: 10) { try shell.statistics().isKept }
                #expect(try shell.state().windows.isEmpty)
            }
            try ShellUnderTest.with(apps: apps, config: "wallpaper = \"#232b3a\"\nanimation-speed = 3\n", environment: environment) {
                shell in
                try shell.wait("the app of the login", within: 15) { try shell.windows(of: "test.one").count == 1 }
            }
        }
    }
}
