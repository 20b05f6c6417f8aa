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
    /// What each idiom lets be heard, measured at the speaker.
    @Suite(.serialized, .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed"))
    struct IdiomSoundTests {
        /// An app with a window that plays a steady sound of a role. The player is a child of the window's process, as helpers of apps are.
        private func app(_ name: String, role: String) -> (TestApp, file: String, script: String) {
            let id = "test.\(name.lowercased())", script = "{room}/\(id).sh"
            return (
                TestApp(id, name, command: "sh \(script)"), "\(id).sh",
                "pw-play --media-role=\(role) {sound} &\nexec \(TestApp.window(id, name, colour: "336688"))\n"
            )
        }

        private func stage(
            _ idiom: String, _ apps: [(name: String, role: String)], size: String = "1180x820", files: [String: String] = [:]
        ) throws -> SoundStage {
            let made = apps.map { app($0.name, role: $0.role) }
            var files = files
            for (_, file, script) in made { files[file] = script }
            let config = "launch = []\nidiom = \"\(idiom)\"\nreduced-motion = true\nnew-windows = \"always\"\n[life]\ngrace = 600\n"
            let stage = try SoundStage(files: files, apps: made.map(\.0), size: size, config: config)
            try stage.shell.wait("the apps") { try stage.shell.installed().count == made.count }
            return stage
        }

        /// -14 dB (A-17).
        private static let lowered = SoundStage.value * pow(10, -14 / 20)

        @Test(
            "V-07: in the Shared Space an app that a person looks away from is lowered, and is as loud as before when looked at",
            .enabled(if: Machine.hasControlGroups, "there are no control groups"))
        func lookAway_V07() throws {
            let stage = try stage("vision", [("Game", "Game"), ("Letter", "Test")])
            defer { try? stage.end() }
            let shell = stage.shell
            let game = try shell.openApp("test.game")
            try stage.waitForLevel("the game is heard", SoundStage.value)
            // A window that plays nothing.
            let letter = try TestClient(shell, ["--title", "Letter"])
            try shell.perform(.focus(window: letter.id))
            try stage.waitForLevel("the game is lowered", Self.lowered)
            #expect(try shell.window(game.id).shown, "its window stays in sight")
            try shell.perform(.focus(window: game.id))
            try stage.waitForLevel("it is as loud as before", SoundStage.value)
            try stage.end()
        }

        @Test(
            "V-04, V-05, V-07: what is Now Playing goes on without focus as loud as before; its window closed, it pauses, and the control centre plays it on"
        )
        func nowPlaying_V05() throws {
            let script = "/usr/lib/mpv-mpris/mpris.so"
            try #require(ShellUnderTest.has("mpv") && FileManager.default.fileExists(atPath: script), "apt-get install mpv mpv-mpris")
            let stage = try stage("vision", [])
            defer { try? stage.end() }
            let shell = stage.shell
            let player = try shell.open([
                "mpv", "--no-config", "--vo=wlshm", "--force-window", "--loop", "--ao=pulse", "--script=\(script)", "--title=An Evening",
                stage.file,
            ])
            try stage.waitForStatus(.playing, "mpv plays")
            try stage.waitForLevel("it is heard", SoundStage.value)
            let letter = try TestClient(shell, ["--title", "Letter"])
            try shell.perform(.focus(window: letter.id))
            #expect(try stage.stays(at: SoundStage.value), "it is lowered")
            // A look shows the controls of its bar, which the letter may cover.
            try shell.perform(.focus(window: player.id))
            try shell.settle()
            try shell.perform(.gaze(at: try #require(try shell.window(player.id).picture).center))
            try shell.operate("sheet/\(player.id.raw)/close", by: .touch)
            try stage.waitForStatus(.paused, "its window closed, it pauses")
            try stage.waitForLevel("nothing is heard", 0)
            #expect(try shell.window(player.id).place == .minimized, "its app runs")
            try shell.perform(.controlCentre)
            try shell.wait("the card") { try shell.views().contains { $0.id == "control-centre/playing/play" } }
            try shell.operate("control-centre/playing/play", by: .touch)
            try stage.waitForStatus(.playing, "the control centre plays it on")
            try stage.waitForLevel("it is heard without a window", SoundStage.value)
            #expect(try shell.window(player.id).place == .minimized)
            try stage.end()
        }

        @Test(
            "A-24: on a watch a clip falls silent when the wrist goes down, and is heard again when it is raised",
            .enabled(if: Machine.hasControlGroups, "there are no control groups"))
        func clip_A24() throws {
            let stage = try stage("watch", [("Game", "Game")], size: "368x448")
            defer { try? stage.end() }
            let shell = stage.shell
            let game = try shell.openApp("test.game")
            try stage.waitForLevel("the clip is heard", SoundStage.value)
            try shell.perform(.wrist(raised: false))
            try stage.waitForLevel("it is silent", 0)
            #expect(try shell.state().focus == game.id, "its app stays in front")
            try shell.perform(.wrist(raised: true))
            try stage.waitForLevel("it is heard again", SoundStage.value)
            try shell.perform(.home)
            try stage.waitForLevel("at home it is silent", 0)
            try stage.end()
        }

        @Test("A-24: on a watch music is silent until a person chose an output, and goes on with the wrist down and another app in front")
        func longForm_A24() throws {
            let stage = try stage("watch", [("Music", "Music")], size: "368x448")
            defer { try? stage.end() }
            let shell = stage.shell
            try shell.openApp("test.music")
            try shell.wait("the outputs are offered", within: 20) { try shell.isOpen("control-centre/outputs") }
            let range = try stage.range(0.6)
            #expect(range == 0...0, "\(range) is heard before an output was chosen")
            let speaker = try #require(try shell.views().first { $0.id.hasPrefix("control-centre/output/") })
            try shell.operate(speaker.id, by: .touch)
            try stage.waitForLevel("it is heard", SoundStage.value)
            try shell.perform(.wrist(raised: false))
            #expect(try stage.stays(at: SoundStage.value), "with the wrist down")
            try shell.perform(.wrist(raised: true))
            _ = try TestClient(shell, ["--title", "Letter"])
            #expect(try stage.stays(at: SoundStage.value), "with another app in front")
            try stage.end()
        }

        @Test("A-23: on a television a notification and an alert are silent, also beside what a person started")
        func television_A23() throws {
            let stage = try stage("tv", [("Music", "Music")], size: "1280x720")
            defer { try? stage.end() }
            let shell = stage.shell
            _ = try TestClient(shell, ["--title", "Letter"])
            try shell.client.perform(.launch(command: ["pw-play", "--media-role=Notification", stage.file]))
            try shell.wait("it plays", within: 20) { try stage.report().sessions.contains { $0.kind == .notification && $0.isPlaying } }
            try shell.client.perform(
                .launch(command: ["notify-send", "--hint=string:sound-name:message-new-instant", "Dinner", "It is ready."]))
            let silent = try stage.range(1)
            #expect(silent == 0...0, "\(silent) is heard of a notification")
            try shell.openApp("test.music")
            try stage.waitForLevel("what a person started is heard, and neither louder nor lowered", SoundStage.value)
            #expect(try stage.stays(at: SoundStage.value))
            try stage.end()
        }

        @Test("A-17: in a car a prompt of the navigation lowers music by 14 dB, and both panes stay")
        func prompt_A17() throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let car = try String(contentsOf: root.appending(path: "share/idioms/car.toml"), encoding: .utf8)
            let stage = try stage("car", [("Map", "Test"), ("Music", "Music")], size: "1280x480", files: ["idioms/car.toml": car])
            defer { try? stage.end() }
            let shell = stage.shell
            #expect(try shell.state().idiom == "car")
            let map = try TestClient(shell, ["--title", "Map"])
            let music = try shell.openApp("test.music", to: .splitView(.right))
            try stage.waitForLevel("the music is heard", SoundStage.value)
            // The prompt adds its own sound, as loud as the lowered music.
            let voice = try stage.sound.steady(0.05, seconds: 4)
            try shell.client.perform(.launch(command: ["pw-play", "--media-role=Navigation", voice]))
            try stage.waitForLevel("the prompt over lowered music", Self.lowered + 0.05)
            #expect(try shell.window(map.id).place == .splitLeft && shell.window(music.id).place == .splitRight)
            try stage.waitForLevel("the music is as loud as before", SoundStage.value)
            try stage.end()
        }
    }
}
