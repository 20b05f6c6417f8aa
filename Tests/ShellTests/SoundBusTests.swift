import Control
import Foundation
import Glibc
import Journal
import MullionTesting
import Testing

extension RunningShell {
    /// Apps that declare audio sessions to the real shell, over a real session bus.
    @Suite(.serialized) struct SoundBusTests {
        /// Two apps, one of which interrupts the other, through the running shell.
        private func story(_ shell: ShellUnderTest, bus: String) throws -> [String: JSON] {
            let script = "/usr/bin/python3 -W ignore '\(TestClient.folder)/audio.py'"
            let words = ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus)", "sh", "-c", "\(script) prompt & \(script)"]
            let (status, output) = try shell.run(words, within: 90)
            guard status == 0, let line = output.split(separator: "\n").last else {
                throw ShellUnderTest.Failure("audio.py ended with \(status): \(output)")
            }
            return try #require(try JSON(parsing: Array(line.utf8)).decoded(as: ScriptAnswer.self).steps)
        }

        private func check(_ steps: [String: JSON]) {
            #expect(steps["refused"] == .string("org.mullion.AudioSession1.Error.BadParameter"))
            #expect(steps["category"] == .string("done"))
            #expect(steps["activated"] == .string("done"))
            #expect(steps["state"] == .string("active"))
            #expect(steps["began"] == .array([.string("standard")]))
            #expect(steps["interrupted"] == .string("interrupted"))
            // With or without the hint to resume: there is no sound server here, so neither is audible.
            #expect(steps["ended"] != nil && steps["ended"] != .null)
            #expect(steps["closed"] == .string("done"))
        }

        @Test("A-15, A-05: an app's session is interrupted by another app's, and told of its end; the recording replays")
        func interruption() throws {
            let session = try AccessibleSession()
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": session.address]) { shell in
                check(try story(shell, bus: session.address))
                shell.expectAlive()
            }
        }

        @Test("A-21: a short sound is felt as well, by the feedback service on the bus")
        func haptics() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                let felt = "\(bus.folder)/felt"
                _ = try shell.start(["/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py", "feedback", felt])
                try shell.wait("the service", within: 20) { FileManager.default.fileExists(atPath: felt) }
                try shell.wait("it is asked", within: 20) {
                    try shell.client.perform(.playSound("message-new-instant"))
                    return shell.text(of: felt).hasPrefix("org.mullion.Shell message-new-instant {'profile': 'quiet'} -1\n")
                }
            }
        }

        /// Any program that plays can set artwork. Before, the shell blocked while decoding it.
        @Test("A-25: artwork that never finishes decoding, a pipe or a device blocks nothing", arguments: ["scans.jpg", "pipe", "zero"])
        func artwork(name: String) throws {
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                let file = name == "zero" ? "/dev/zero" : "\(shell.room)/\(name)"
                if name == "scans.jpg" {
                    try Data(ProgressiveJPEG.bytes(width: 2500, height: 2000, scans: 20_000)).write(to: URL(filePath: file))
                }
                if name == "pipe" { try #require(mkfifo(file, 0o600) == 0) }
                let card = #"{"title": "Still Life", "artwork": "file://\#(file)", "can": ["Play", "Pause"]}"#
                _ = try shell.start([
                    "env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus", "/usr/bin/python3",
                    "\(TestClient.folder)/mpris.py", card,
                ])
                try shell.wait("the player", within: 20) {
                    try shell.client.ask(.get(.audio), for: SoundReport.self).playing?.title == "Still Life"
                }
                try shell.client.perform(.controlCentre)
                var longest: Duration = .zero
                for _ in 0..<40 {
                    longest = max(
                        longest, try ContinuousClock().measure { _ = try shell.client.ask(.get(.version), for: VersionReport.self) })
                    usleep(50_000)
                }
                // A screenshot does not wait for it either.
                longest = max(longest, try ContinuousClock().measure { _ = try shell.picture() })
                #expect(longest < .seconds(2))
                try shell.wait("its card") { try shell.views().contains { $0.id == "control-centre/playing/app" } }
                if name == "scans.jpg" { try shell.waitForLog("scans.jpg is not drawn: a JPEG of 20000 scans, where 100 are taken") }
                try shell.settle()
                try shell.keepPicture("artwork-\(name)")
            }
        }

        @Test("Without a session bus, the shell starts one for itself and its apps, which ends with the shell")
        func ownBus() throws {
            try ShellUnderTest.require("dbus-daemon", of: "dbus-daemon")
            var path = ""
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                path = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                try shell.waitForLog("a session bus of its own at \(path)")
                try shell.client.perform(.launch(command: ["sh", "-c", "echo $DBUS_SESSION_BUS_ADDRESS > $XDG_RUNTIME_DIR/told"]))
                try shell.wait("the app to run") { shell.text(of: "\(shell.runtime)/told").hasSuffix("\n") }
                #expect(shell.text(of: "\(shell.runtime)/told") == "unix:path=\(path)\n")
                check(try story(shell, bus: "unix:path=\(path)"))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
