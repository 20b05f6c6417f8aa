import Chrome
import Control
import Foundation
import Geometry
import MullionTesting
import Status
import Testing
import Windows

extension RunningShell {
    /// The power button, a low battery, updates, and what holds up the end of the machine's work, by touch.
    @Suite(.serialized) struct EndOfDayTests {
        private func with(_ more: [String: String] = [:], _ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            let device = try SystemService("device.py")
            let environment = device.environment.merging(OwnLockTests.environment) { $1 }.merging(more) { $1 }
            let config = "launch = []\nreduced-motion = true\n[lock]\nkeys = \"letters\"\n"
            try ShellUnderTest.with(config: config, environment: environment, files: try OwnLockTests.files()) { shell in
                try shell.wait("the services", within: 15) { device.log.contains("logind CanSuspend") }
                try body(shell, device)
            }
        }

        private func tap(_ id: String, _ shell: ShellUnderTest) throws {
            let view = try shell.waitForView(id)
            try shell.settle()
            try shell.tap(try shell.find(id)?.frame.center ?? view.frame.center)
        }

        private func unlock(_ shell: ShellUnderTest) throws {
            for letter in "sesame" { try shell.press(String(letter)) }
            try shell.press("Return")
            try shell.wait("the unlock") { try !shell.state().locked }
        }

        @Test("where logind cannot say whether the machine can sleep, it can still be turned off")
        func cannotSay() throws {
            try with { shell, device in
                func ends() throws -> [MachineEnd] { try shell.client.ask(.get(.status), for: StatusReport.self).ends }
                try shell.wait("the ends") { try ends() == [.turnOff, .suspend] }
                try device.tell("breaks CanSuspend")
                try shell.wait("what is left", within: 10) { try ends() == [.turnOff] }
            }
        }

        @Test("law 13: a long press on the lock screen offers the ends of the machine's work by finger, and nothing else of the session")
        func endsOnLock() throws {
            try with { shell, device in
                try shell.wait("the ends") {
                    try shell.client.ask(.get(.status), for: StatusReport.self).ends == [.turnOff, .suspend]
                }
                try shell.perform(.lockScreen(.lock))
                try shell.wait("the lock") { try shell.state().locked }
                try shell.perform(.device(.powerButton(isLong: true)))
                _ = try shell.waitForView("lock/greeter/turn-off")
                try shell.keepPicture("lock-ends")
                #expect(throws: (any Error).self, "a script turns it off") { try shell.client.perform(.lockScreen(.end(.turnOff))) }
                try tap("lock/close", shell)
                _ = try shell.waitForView("lock/open")
                try shell.perform(.device(.powerButton(isLong: true)))
                try tap("lock/greeter/suspend", shell)
                try shell.wait("sleep", within: 10) { device.log.contains { $0.hasPrefix("logind Suspend") } }
                #expect(try shell.state().locked)
                try tap("lock/greeter/turn-off", shell)
                try shell.wait("the end", within: 15) { device.log.contains { $0.hasPrefix("logind PowerOff") } }
                try unlock(shell)
            }
        }

        @Test("law 12: what holds the machine up is named, and it ends by a person's word, with logind's question for a password")
        func heldUp() throws {
            try with { shell, device in
                func reads() -> Int { device.log.count { $0 == "logind CanSuspend" } }
                let before = reads()
                try device.tell("block shutdown:sleep Burner A disc is being written")
                try shell.wait("it to be known", within: 10) { reads() > before }
                try shell.wait("what is offered") {
                    // While a program holds it up, logind says nothing of an administrator.
                    try shell.client.ask(.get(.status), for: StatusReport.self).ends == [.turnOff, .restart, .suspend]
                }
                try shell.perform(.controlPage(.power))
                try tap("control-centre/power/turn-off", shell)
                _ = try shell.waitForView("power-alert/anyway")
                #expect(try shell.views().contains { $0.name.contains("Burner: A disc is being written") })
                try shell.keepPicture("held-up")
                try tap("power-alert/cancel", shell)
                try shell.wait("it to close") { try shell.find("power-alert/anyway") == nil }
                #expect(!device.log.contains { $0.hasPrefix("logind PowerOff") })
                try shell.perform(.device(.end(.turnOff)))
                try tap("power-alert/anyway", shell)
                try shell.wait("the end", within: 30) { device.log.contains("logind PowerOff anyway") }
                shell.expectAlive()
            }
        }

        @Test("the alert of a low battery closes when the charger is plugged in")
        func battery() throws {
            try with { shell, device in
                try device.tell("battery 9 2")
                try device.tell("warn 3")
                let message = try shell.waitForView("power-alert/message")
                #expect(message.name.contains("9%"))
                try shell.keepPicture("low-battery")
                try tap("power-alert/save", shell)
                try shell.wait("the profile") {
                    try shell.client.ask(.get(.status), for: StatusReport.self).powerProfile?.active == "power-saver"
                }
                try device.tell("warn 4")
                _ = try shell.waitForView("power-alert/message")
                try device.tell("battery 9 1")
                try shell.wait("it to close") { try shell.find("power-alert/message") == nil }
            }
        }

        @Test("updates that PackageKit has prepared are told of, and installed by a restart")
        func updates() throws {
            let folder = NSTemporaryDirectory() + "mullion-updates-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try ShellUnderTest.write("", to: "\(folder)/prepared-update")
            try with(["MULLION_UPDATES": folder]) { shell, device in
                _ = try shell.waitForView("power-alert/restart")
                try shell.keepPicture("updates-ready")
                try device.tell("reboots")
                try shell.wait("the restart") {
                    try shell.client.ask(.get(.status), for: StatusReport.self).ends.contains(.update)
                }
                try tap("power-alert/restart", shell)
                try shell.wait("the end", within: 30) { device.log.contains("logind Reboot") }
                #expect(device.log.contains("PackageKit Trigger reboot"))
            }
        }

        @Test("the power button locks and makes the screen dark, and shows the lock screen again; held, it opens the ways to end the work")
        func button() throws {
            try with { shell, _ in
                let window = ["python3", "\(TestClient.folder)/window.py", "--title", "my-diary", "--colour", "cc4422"]
                try shell.open(window, title: "my-diary")
                try shell.perform(.device(.powerButton(isLong: true)))
                _ = try shell.waitForView("control-centre/power/turn-off")
                try shell.perform(.dismiss)
                try shell.perform(.device(.powerButton(isLong: false)))
                try shell.wait("the lock") { try shell.state().locked }
                try shell.perform(.device(.powerButton(isLong: false)))
                try shell.wait("the lock screen") { try shell.views().contains { $0.id == "lock/open" } }
                #expect(try !shell.picture().pixels.contains { Picture.Pixel(raw: $0) == Picture.Pixel(0xcc4422) })
                try unlock(shell)
                try shell.wait("the window") { try shell.picture().pixels.contains { Picture.Pixel(raw: $0) == Picture.Pixel(0xcc4422) } }
                shell.expectAlive()
            }
        }

        @Test("another person is let in by the display manager's greeter, and this session is locked")
        func switches() throws {
            try with(["XDG_SEAT_PATH": "/org/freedesktop/DisplayManager/Seat0"]) { shell, device in
                try shell.perform(.controlPage(.power))
                try tap("control-centre/power/switch-user", shell)
                try shell.wait("the greeter") { device.log.contains("DisplayManager SwitchToGreeter") }
                #expect(try shell.state().locked)
                try unlock(shell)
            }
        }
    }
}
