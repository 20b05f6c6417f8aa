import Chrome
import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing

extension RunningShell {
    /// The machine sleeps and is switched off, as its login manager says (S-04, S-13).
    @Suite(.serialized) struct PowerTests {
        private let quick =
            "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n[lock]\ncommand = [\"sleep\", \"60\"]\non-sleep = false\n"

        /// A login manager on a bus of its own.
        private final class Manager {
            private let service: SystemService

            init() throws { service = try SystemService("logind.py") }

            /// The calls of the shell.
            var log: [String] { service.log.filter { $0 != "is there" } }
            var environment: [String: String] { service.environment }
            var bus: PrivateBus { service.bus }

            /// Sends a signal: "PrepareForSleep true".
            func tell(_ command: String) throws { try service.tell(command) }
        }

        private static let held = "inhibits sleep:shutdown delay"

        @Test("the machine waits for the shell before it sleeps, not for long, and again the next time")
        func sleep_S13() throws {
            let manager = try Manager()
            try ShellUnderTest.with(config: quick, environment: manager.environment) { shell in
                try shell.wait("the inhibitor") { manager.log == [Self.held] }
                let terminal = try shell.open("foot", of: "foot")
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                for round in 1...2 {
                    try manager.tell("PrepareForSleep true")
                    // Login managers wait five seconds.
                    try shell.wait("the shell to let go", within: 4) { manager.log.count == 2 * round }
                    #expect(manager.log.last == "lets go")
                    usleep(300_000)
                    // What is frozen stays so, and nothing is held before the machine is awake.
                    #expect(try shell.phase(of: terminal) == .frozen && manager.log.count == 2 * round)
                    try manager.tell("PrepareForSleep false")
                    try shell.wait("the next inhibitor") { manager.log.count == 2 * round + 1 }
                    #expect(manager.log.last == Self.held)
                }
                #expect(shell.log.contains("the machine goes to sleep") && shell.log.contains("the machine is awake again"))
            }
            // It was let go of when the shell ended.
            #expect(manager.log.last == "lets go")
        }

        @Test("X-10: before the machine sleeps the session is locked and shown locked, and loginctl locks and does not unlock it")
        func lockBeforeSleep() throws {
            let manager = try Manager()
            let config = "launch = []\nreduced-motion = true\n"
            try ShellUnderTest.with(config: config, environment: manager.environment, files: [:]) { shell in
                try shell.wait("the inhibitor") { manager.log == [Self.held] }
                try shell.open(["python3", "-S", "\(TestClient.folder)/window.py", "--colour", "cc4422"])
                try manager.tell("PrepareForSleep true")
                try shell.wait("the shell to let go", within: 4) { manager.log.last == "lets go" }
                #expect(manager.log == [Self.held, "locked true", "lets go"])
                #expect(try shell.state().locked && shell.views().contains { $0.id == "lock/open" })
                #expect(try !shell.picture().pixels.contains { Picture.Pixel(raw: $0) == Picture.Pixel(0xcc4422) })
                try manager.tell("Unlock session")
                try shell.waitForLog("asks to unlock the session")
                #expect(try shell.state().locked, "every program of the person may ask for that")
                // The configuration says that it may.
                try shell.write(config + "[lock]\nunlock-by-login-manager = true\n", to: shell.configPath)
                try shell.client.ask(.reload)
                try manager.tell("Unlock session")
                try shell.wait("the unlock") { try !shell.state().locked }
                try manager.tell("Lock session")
                try shell.wait("the lock") { try shell.state().locked }
                try manager.tell("Unlock session")
                try shell.wait("the unlock") { try !shell.state().locked }
            }
        }

        @Test(
            "before the machine is switched off, windows are asked to close, frozen or not, and the rest is told to end, all within the delay"
        )
        func shutdown_S06() throws {
            let manager = try Manager()
            try ShellUnderTest.with(config: quick, environment: manager.environment) { shell in
                try shell.wait("the inhibitor") { manager.log == [Self.held] }
                // It stays, and does not end.
                let stays = try shell.open(["sh", "-c", "trap '' TERM; python3 -S \(TestClient.folder)/window.py --stays"])
                let terminal = try shell.open("foot", of: "foot")
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                try shell.waitForPhase(.frozen, of: stays)
                let process = try shell.app(of: stays).process, began = ContinuousClock.now
                try manager.tell("PrepareForShutdown true")
                try shell.wait("the terminal to close") { try !shell.state().windows.contains { $0.id == terminal.id } }
                // A person sees who is still there, and for how long the machine waits.
                _ = try shell.waitForView("log-out/now", within: 4)
                #expect(try shell.view("log-out/app/0/reason").name == "Still Open")
                try shell.keepPicture("shutdown")
                try shell.wait("the shell to let go", within: 6) { manager.log == [Self.held, "lets go"] }
                #expect(ContinuousClock.now - began < .seconds(4.9))
                #expect(!AppIdentity.isFrozen(process: process))
                try manager.tell("PrepareForShutdown false")
                try shell.wait("the next inhibitor") { manager.log.count == 3 }
            }
        }

        @Test("a login manager that comes late, or comes again, is asked to wait")
        func returns() throws {
            let manager = try Manager()
            try ShellUnderTest.with(config: quick, environment: manager.environment) { shell in
                try shell.wait("the inhibitor") { manager.log == [Self.held] }
                try manager.tell("leave")
                try shell.wait("the shell to let go of what ended") { manager.log.last == "lets go" }
                try manager.tell("return")
                try shell.wait("the next inhibitor") { manager.log.last == Self.held }
            }
        }

        @Test("the login manager hears that the session is locked, from a shell that begins locked and after it comes again as well")
        func lockedHint() throws {
            let manager = try Manager()
            var said: [String] { manager.log.filter { $0.hasPrefix("locked") } }
            try ShellUnderTest.with(config: quick, environment: manager.environment) { shell in
                try shell.wait("the inhibitor") { manager.log == [Self.held] }
                let locker = try Locker(shell)
                try shell.wait("the lock") { said == ["locked true"] }
                try manager.tell("leave")
                try shell.wait("its end") { manager.log.last == "lets go" }
                try manager.tell("return")
                try shell.wait("the lock again") { said == ["locked true", "locked true"] }
                try locker.unlock()
                try shell.wait("the unlock") { said.last == "locked false" }
            }
            let state = "\(manager.bus.folder)/state"
            try ShellUnderTest.write("", to: "\(state)/mullion/locked-x")
            try ShellUnderTest.with(config: quick, environment: manager.environment.merging(["XDG_STATE_HOME": state]) { $1 }) { shell in
                try shell.wait("the lock at the start") { said.suffix(2) == ["locked false", "locked true"] }
                try Locker(shell).unlock()
            }
        }

        @Test("without a login manager, or without a system bus, there is one line for troubleshooting and nothing else")
        func nobody() throws {
            let bus = try PrivateBus()
            for address in [bus.address, "unix:path=/does/not/exist", "tcp:host=localhost"] {
                try ShellUnderTest.with(config: "log-level = \"debug\"\n" + quick, environment: ["DBUS_SYSTEM_BUS_ADDRESS": address]) {
                    shell in
                    try shell.waitForLog("sleep and shutdown of the machine are not noticed")
                    usleep(300_000)
                    #expect(shell.log.components(separatedBy: "sleep and shutdown of the machine are not noticed").count == 2)
                }
            }
        }
    }
}
