import AudioSessions
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

extension RunningShell {
    /// What is heard of a locked session, measured at the speaker, and what a finger does about it.
    @Suite(.serialized, .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed"))
    struct LockedSoundTests {
        private static let config = "launch = []\nreduced-motion = true\n"

        private func bus(_ stage: SoundStage) -> String { "unix:path=\(stage.shell.runtime)/mullion-\(ShellUnderTest.socket)/bus" }

        private func notify(_ stage: SoundStage, _ call: String) throws {
            _ = try stage.shell.start([
                "env", "DBUS_SESSION_BUS_ADDRESS=\(bus(stage))", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/notifier.py",
                call,
            ])
        }

        /// The loudest sample of what is heard from `body` on until something is, for some seconds at most.
        private func peak(_ stage: SoundStage, _ seconds: Double = 4, _ body: () throws -> Void) throws -> Float {
            let recording = try SoundRecording(stage.sound, sink: "speaker")
            try stage.sound.wait("the recorder runs") { recording.hasBegun }
            try body()
            usleep(UInt32(clamping: seconds * 1e6))
            return try recording.finish().samples.map(abs).max() ?? 0
        }

        private func lock(_ stage: SoundStage) throws -> Locker {
            let locker = try Locker(stage.shell)
            try stage.shell.wait("the lock") { try stage.shell.state().locked }
            return locker
        }

        @Test(
            "S-07: alarms, calls, a critical battery, reminders and messages are heard behind a lock, and none of them in silent mode but by choice"
        )
        func heard() throws {
            let stage = try SoundStage(config: Self.config, hasMicrophone: false)
            defer { try? stage.end() }
            let shell = stage.shell
            try shell.wait("the service") {
                try shell.run([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus(stage))", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                    "owned", "org.freedesktop.Notifications",
                ]).output.contains("yes")
            }
            let locker = try lock(stage)
            for (kind, call) in [
                ("alarm", #"{"title": "Secret", "hints": {"category": ["s", "alarm.ringing"]}}"#),
                ("call", #"{"title": "Secret", "hints": {"category": ["s", "call.incoming"]}}"#),
                ("battery", #"{"title": "Secret", "hints": {"urgency": ["y", 2], "category": ["s", "battery.critical"]}}"#),
                ("message", #"{"title": "Secret", "hints": {"category": ["s", "im.received"]}}"#),
            ] {
                let level = try peak(stage) { try notify(stage, call) }
                #expect(level > 0.01, "\(kind): \(level)")
            }
            let time = Int(clamping: Date().timeIntervalSince1970) + 3
            let reminder = try peak(stage, 7) {
                let (status, output) = try shell.run([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus(stage))", "gdbus", "call", "--session", "--dest", "org.mullion.Notices1",
                    "--object-path", "/org/mullion/Notices1",
                    "--method", "org.mullion.Notices1.Schedule", "tea", "\(time)", "", "", "{'title': <'Secret'>}",
                ])
                #expect(status == 0, "\(output)")
            }
            #expect(reminder > 0.01, "reminder: \(reminder)")
            try shell.keepPicture("locked-card")
            #expect(try shell.views().allSatisfy { !$0.name.contains("Secret") })
            // Silent mode is silent here, too.
            try shell.client.perform(.audio(.silence(true)))
            let silent = try peak(stage, 2) { try notify(stage, #"{"title": "Secret", "app": "Other"}"#) }
            #expect(silent < 0.002, "\(silent)")
            try locker.unlock()
            try stage.end()
        }

        @Test(
            "S-07: a finger silences an alarm that rings over the locker, and puts its card away; the locker hears nothing of it, and nothing opens"
        )
        func silenced() throws {
            let stage = try SoundStage(config: Self.config, hasMicrophone: false)
            defer { try? stage.end() }
            let shell = stage.shell
            let locker = try lock(stage)
            _ = try shell.start(["pw-play", "--media-role", "alarm", stage.file])
            try stage.waitForLevel("the alarm rings behind the lock", SoundStage.value)
            try notify(stage, #"{"title": "Secret", "hints": {"category": ["s", "alarm.ringing"]}}"#)
            try shell.waitForView("lock/card/silence")
            try shell.keepPicture("locked-card-ringing")
            usleep(700_000)
            let touches = try locker.events("wl_touch.down").count, buttons = try locker.events("wl_pointer.button").count
            try shell.tap(try shell.view("lock/card/silence").frame.center)
            try stage.waitForLevel("it is not heard any more", 0)
            try shell.wait("its button to go") { try shell.find("lock/card/silence") == nil }
            // By the pointer, and beside the card.
            try shell.click(try shell.view("lock/card/words").frame.center)
            #expect(try shell.find("lock/card") != nil)
            try shell.click(try shell.view("lock/card/later").frame.center)
            try shell.wait("the card to go") { try shell.find("lock/card") == nil }
            try locker.sync()
            #expect(try locker.events("wl_touch.down").count == touches && locker.events("wl_pointer.button").count == buttons)
            try shell.tap(Point(590, 60))
            try locker.sync()
            #expect(try locker.events("wl_touch.down").count == touches + 1, "where the card was, the locker has its touches again")
            #expect(try shell.state().locked)
            try locker.unlock()
            try stage.end()
        }
    }
}
