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
    /// Unmodified players with real sound, whose level at the speaker is measured.
    @Suite(.serialized, .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed"))
    struct PlayerSoundTests {
        /// The volume of other apps: far below what the measured levels may differ by (-120 dB), but not 0, because what nobody
        /// hears lowers and pauses nothing.
        private static let faint = 0.01

        /// With any player: keys, a call and a prompt.
        private func tour(_ stage: SoundStage, app: String) throws {
            let shell = stage.shell
            try stage.waitForLevel("the player is heard", SoundStage.value)
            let session = try #require(try stage.session(app))
            #expect(session.state == "active" && !session.isDeclared && session.isPlaying && !session.mixes)

            // A key pauses it and resumes it.
            try stage.key(SoundStage.playPause)
            try stage.waitForStatus(.paused, "the key pauses it")
            try stage.waitForLevel("nothing is heard", 0)
            try stage.key(SoundStage.playPause)
            try stage.waitForStatus(.playing, "the key plays it")
            try stage.waitForLevel("it is heard again", SoundStage.value)
            try stage.key(SoundStage.pause)
            try stage.waitForStatus(.paused, "a headset's key pauses it")
            try stage.key(SoundStage.pause)
            try stage.key(SoundStage.play)
            try stage.waitForStatus(.playing, "a headset's key plays it")

            // A prompt ducks it by 14 dB. The navigation app itself is hardly heard, so that the rest can be measured.
            let navigator = try ExampleApp(shell, "navigator")
            try shell.client.perform(.audio(.setAppVolume(Self.faint, app: "mullion-navigator")))
            try stage.waitForLevel("it is as loud as before", SoundStage.value)
            let recording = try SoundRecording(stage.sound, sink: "speaker")
            try stage.sound.wait("the recorder runs") { recording.hasBegun }
            var spoken = 0
            try navigator.tell("say in two hundred metres turn left")
            try navigator.hears(["speaking", "silent"], after: &spoken)
            try shell.wait("it is given back", within: 20) { try stage.session(app)?.duckedBy.isEmpty ?? false }
            usleep(900_000)
            let samples = try recording.finish().samples
            let lowered = SoundStage.value * pow(10, -14 / 20)
            #expect(samples.count { abs($0 - lowered) < 0.002 } > 24_000, "half a second at -14 dB")
            // The recorder is linked a moment after it starts. A player on a busy machine may lose a moment of its sound.
            let softer = samples.drop { $0 == 0 }.count { $0 < lowered - 0.002 }
            #expect(softer < 2400, "softer or silent for \(softer / 48) ms together")
            #expect(samples.last.map { abs($0 - SoundStage.value) < 0.003 } == true)

            // A call interrupts it; afterwards it resumes by itself. The headset's button answers.
            var called = 0
            let phone = try ExampleApp(shell, "phone")
            try shell.client.perform(.audio(.setAppVolume(Self.faint, app: "mullion-phone")))
            try phone.tell("ring")
            try phone.hears(["ringing"], after: &called)
            try stage.waitForStatus(.paused, "the call pauses it")
            try shell.wait("it is interrupted", within: 20) { try stage.session(app)?.state == "interrupted" }
            try stage.waitForLevel("nothing is heard of it", 0)
            try stage.key(SoundStage.media)
            try phone.hears(["accepted", "talking"], after: &called)
            #expect(try stage.report().playing?.status == .paused)
            try phone.tell("end")
            try phone.hears(["ended"], after: &called)
            try stage.waitForStatus(.playing, "it goes on after the call")
            try stage.waitForLevel("and is heard", SoundStage.value)
            let after = try #require(try stage.session(app))
            #expect(after.interruptionsBegun == after.interruptionsEnded)
        }

        // MARK: Browsers

        enum Browser: String, CaseIterable, CustomTestStringConvertible {
            case firefox = "firefox-esr", chromium

            var testDescription: String { rawValue }

            func command(_ page: String, room: String) throws -> [String] {
                switch self {
                case .firefox:
                    // As after the first start; and allow autoplay.
                    try ShellUnderTest.write(
                        """
                        user_pref("browser.aboutwelcome.enabled", false);
                        user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
                        user_pref("browser.shell.checkDefaultBrowser", false);
                        user_pref("browser.startup.homepage_override.mstone", "ignore");
                        user_pref("app.update.enabled", false);
                        user_pref("network.captive-portal-service.enabled", false);
                        user_pref("media.autoplay.default", 0);
                        """, to: "\(room)/home/profile/user.js")
                    return [rawValue, "--no-remote", "--profile", "\(room)/home/profile", page]
                case .chromium:
                    // Its sandbox refuses root and needs namespaces that a container may lack.
                    return [
                        rawValue, "--no-sandbox", "--ozone-platform=wayland", "--user-data-dir=\(room)/home/chromium", "--no-first-run",
                        "--no-default-browser-check", "--password-store=basic", "--disable-gpu", "--disable-background-networking",
                        "--autoplay-policy=no-user-gesture-required", page,
                    ]
                }
            }
        }

        @Test(
            "A-12, A-17, A-18: a browser's page is a player: keys, a call and a prompt reach it",
            arguments: Browser.allCases.filter { ShellUnderTest.has($0.rawValue) })
        func browser(_ browser: Browser) throws {
            let stage = try SoundStage()
            defer { try? stage.end() }
            let room = stage.shell.room
            try stage.shell.write(
                """
                <!doctype html><title>A Page</title><body style="background:#108040"><audio src="file://\(stage.file)" autoplay loop></audio>
                <script>navigator.mediaSession.metadata = new MediaMetadata({title: "Chapter One", artist: "A Reader"})</script>
                """, to: "\(room)/page.html")
            try stage.shell.client.perform(.launch(command: try browser.command("file://\(room)/page.html", room: room)))
            try stage.shell.wait("the page is a player", within: 60) {
                guard let playing = try stage.report().playing else { return false }
                return playing.app == browser.rawValue && playing.status == .playing && playing.title == "Chapter One"
            }
            let playing = try #require(try stage.report().playing)
            #expect(playing.artist == "A Reader" && playing.commands.contains(.play) && playing.commands.contains(.pause))
            try tour(stage, app: browser.rawValue)
            try stage.end()
        }

        @Test("A-12, A-13, A-17, A-18, A-25: mpv shows its card, and keys, a call and a prompt reach it")
        func mpv() throws {
            let script = "/usr/lib/mpv-mpris/mpris.so"
            try #require(ShellUnderTest.has("mpv") && FileManager.default.fileExists(atPath: script), "apt-get install mpv mpv-mpris")
            let stage = try SoundStage()
            defer { try? stage.end() }
            try stage.shell.client.perform(
                .launch(command: [
                    "mpv", "--no-config", "--no-video", "--loop", "--ao=pulse", "--script=\(script)", "--title=An Evening", stage.file,
                ]))
            try stage.waitForStatus(.playing, "mpv plays")
            try tour(stage, app: "mpv")
            let shell = stage.shell
            try shell.perform(.controlCentre)
            try shell.wait("the card") { try shell.views().contains { $0.id == "control-centre/playing/app" } }
            try shell.keepPicture("mpv-card")
            let views = try shell.views()
            let title = try #require(views.first { $0.id == "control-centre/playing/app" }?.name)
            #expect(title.components(separatedBy: "mpv").count == 2, "who plays it is said once: \(title)")
            let buttons = Set(views.filter { $0.id.hasPrefix("control-centre/playing/") && $0.role == .button }.map(\.id))
            let commands = try #require(try stage.report().playing).commands
            #expect(buttons.contains("control-centre/playing/play"))
            #expect(buttons.contains("control-centre/playing/next") == commands.contains(.next), "only what it has enabled")
            try shell.tap(try #require(views.first { $0.id == "control-centre/playing/play" }).frame.center)
            try stage.waitForStatus(.paused, "its button pauses it")
            try stage.end()
        }
    }
}
