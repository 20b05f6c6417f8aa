import AudioSessions
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// What a person sets stays set: over `kill -9`, restarts and reloads of the configuration file.
    @Suite(.serialized) struct ChoiceTests {
        private static let standard = "launch = []\nanimation-speed = 10\n"

        private struct Disk {
            let folder = NSTemporaryDirectory() + "mullion-choices-\(UInt32.random(in: 0 ... .max))"
            var environment: [String: String] {
                [
                    "XDG_STATE_HOME": folder, "DBUS_SESSION_BUS_ADDRESS": "", "XDG_DATA_HOME": "\(folder)/data",
                    "XDG_DATA_DIRS": "\(folder)/none",
                ]
            }

            /// Two apps that never run.
            init() throws {
                try FileManager.default.createDirectory(atPath: "\(folder)/data/applications", withIntermediateDirectories: true)
                for name in ["notes", "mail"] {
                    try "[Desktop Entry]\nType=Application\nName=A \(name)\nExec=true\n".write(
                        toFile: "\(folder)/data/applications/test.\(name).desktop", atomically: true, encoding: .utf8)
                }
            }

            func remove() { try? FileManager.default.removeItem(atPath: folder) }

            func start(_ config: String = ChoiceTests.standard, audio: String = "off") throws -> ShellUnderTest {
                try ShellUnderTest(scale: nil, config: config, environment: environment, audio: audio)
            }
        }

        private func die(_ shell: ShellUnderTest) throws {
            shell.signal(shell.process, SIGKILL)
            try shell.wait("its end", within: 5) { kill(shell.process, 0) != 0 || shell.ending != nil }
        }

        private func chosen(_ shell: ShellUnderTest) throws -> [String: Bool] {
            try shell.perform(.controlCentre)
            try shell.waitForView("control-centre/dark")
            let tiles = try ["dark", "motion", "text", "silence"].compactMap { name in
                try shell.find("control-centre/\(name)").map { (name, $0.chosen) }
            }
            try shell.perform(.controlCentre)
            return Dictionary(uniqueKeysWithValues: tiles)
        }

        @Test("everything that a person sets by its own control is still so after kill -9, and after a reload of the file")
        func killed() throws {
            let disk = try Disk()
            defer { disk.remove() }
            let hasSound = ShellUnderTest.has("pipewire") && ShellUnderTest.has("wireplumber")
            var level: Double?
            do {
                let shell = try disk.start(audio: hasSound ? "private" : "off")
                defer { shell.clear() }
                try shell.wait("the apps") { try shell.find("home/test.notes") != nil }
                if hasSound {
                    try shell.wait("sound", within: 20) { try shell.client.ask(.get(.audio), for: SoundReport.self).output != nil }
                }
                try shell.hold("home/test.notes")
                try shell.touch("menu/undock")
                try shell.perform(.controlCentre)
                try shell.waitForView("control-centre/dark")
                for tile in ["dark", "motion", "text"] { try shell.touch("control-centre/\(tile)") }
                if hasSound {
                    try shell.touch("control-centre/silence")
                    try shell.client.perform(.audio(.setVolume(0.4, .ringer)))
                    try shell.client.perform(.audio(.setVolume(0.4, .media)))
                    try shell.settle()
                    level = try shell.client.ask(.get(.audio), for: SoundReport.self).volumes["media"]?.level
                    #expect(try #require(level) < 0.9)
                }
                try shell.touch("control-centre/rotate")
                try shell.perform(.keepRunning(app: "test.mail", true))
                usleep(300_000)
                try shell.keepPicture("choices-before")
                try die(shell)
            }
            for time in 1...2 {
                let shell = try disk.start(audio: hasSound ? "private" : "off")
                defer { shell.clear() }
                try shell.wait("the apps") { try shell.find("home/test.notes") != nil }
                if time == 2 {
                    // A reload changes what the file says, and nothing else.
                    try (Self.standard + "wallpaper = \"#203040\"\n").write(toFile: shell.configPath, atomically: true, encoding: .utf8)
                    try shell.waitForLog("the configuration changed")
                }
                if hasSound {
                    try shell.wait("sound", within: 20) { try shell.client.ask(.get(.audio), for: SoundReport.self).output != nil }
                }
                var wanted = ["dark": true, "motion": true, "text": true]
                if hasSound { wanted["silence"] = true }
                #expect(try chosen(shell) == wanted, "start \(time)")
                let size = try #require(try shell.state().screen?.size)
                #expect(size.height > size.width, "it is turned")
                if hasSound {
                    // The sound server may take a moment to report the level that it was given.
                    try shell.wait("the volumes", within: 5) {
                        let sound = try shell.client.ask(.get(.audio), for: SoundReport.self)
                        return sound.silenced && sound.volumes["ringer"]?.level == 0.4
                            && abs((sound.volumes["media"]?.level ?? 1) - (level ?? 0)) < 0.02
                    }
                }
                try shell.hold("home/test.notes")
                #expect(try shell.find("menu/dock") != nil)
                try shell.perform(.dismiss)
                try shell.keepPicture("choices-after")
                try die(shell)
            }
        }

        @Test("a setting that the file names wins, the control centre says so, and the choice is back when the file is silent")
        func file() throws {
            let disk = try Disk()
            defer { disk.remove() }
            do {
                let shell = try disk.start()
                defer { shell.clear() }
                try shell.perform(.darkAppearance(true))
                usleep(200_000)
                try die(shell)
            }
            let shell = try disk.start(Self.standard + "appearance = \"light\"\n")
            defer { shell.clear() }
            #expect(try chosen(shell)["dark"] == false)
            #expect(throws: (any Error).self) { try shell.client.perform(.darkAppearance(true)) }
            try shell.perform(.controlCentre)
            #expect(try shell.waitForView("control-centre/fixed").name == "A lock: set in the configuration file")
            try shell.touch("control-centre/dark")
            #expect(try shell.view("control-centre/dark").chosen == false)
            try shell.keepPicture("choices-fixed")
            try Self.standard.write(toFile: shell.configPath, atomically: true, encoding: .utf8)
            try shell.wait("the choice") { try shell.view("control-centre/dark").chosen }
            #expect(try shell.find("control-centre/fixed") == nil)
            try shell.quit()
        }

        @Test("choices are kept where windows are not, one that is not understood is left alone, and a damaged store is the last good one")
        func damaged() throws {
            let disk = try Disk(), config = Self.standard + "[life]\nrestore = false\n"
            defer { disk.remove() }
            do {
                let shell = try disk.start(config)
                defer { shell.clear() }
                try shell.perform(.darkAppearance(true))
                // The last good copy is made at the end.
                try shell.quit()
            }
            let file = "\(disk.folder)/mullion/session.db"
            try Data(repeating: 7, count: 30_000).write(to: URL(filePath: file))
            for log in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + log) }
            let shell = try disk.start(config)
            defer { shell.clear() }
            try shell.wait("the alert") { try shell.isOpen("alert") }
            try shell.settle()
            try shell.keepPicture("choices-older")
            try shell.touch("alert/ok")
            #expect(try chosen(shell)["dark"] == true)
            #expect(shell.log.contains("last good copy"))
            try shell.quit()
        }
    }
}
