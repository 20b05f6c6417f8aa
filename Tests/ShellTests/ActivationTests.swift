import Control
import Foundation
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// Programs that the session bus starts (portals, notification daemons, agents) get the session's environment.
    @Suite(.serialized) struct ActivationTests {
        /// The output file of a service that writes its environment.
        private static let service = "org.mullion.test.Told"

        private static func entry(_ folder: String) -> String {
            "[D-BUS Service]\nName=\(service)\nExec=/usr/bin/python3 -W ignore \(TestClient.folder)/bus.py told \(service) \(folder)/told\n"
        }

        private func words(_ address: String, _ words: String...) -> [String] {
            ["env", "DBUS_SESSION_BUS_ADDRESS=\(address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py"] + words
        }

        private func lines(_ path: String) -> Set<String> {
            Set(((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init))
        }

        /// The environment of a service that the bus starts now; nil while there is no bus.
        private func told(_ shell: ShellUnderTest, _ address: String, in folder: String) throws -> Set<String> {
            unlink("\(folder)/told")
            guard try shell.run(words(address, "start", Self.service)).status == 0 else { return [] }
            try shell.wait("the service to run", within: 10) { !lines("\(folder)/told").isEmpty }
            return lines("\(folder)/told")
        }

        private static let session: Set = [
            "WAYLAND_DISPLAY=\(ShellUnderTest.socket)", "XDG_CURRENT_DESKTOP=Mullion", "XDG_SESSION_TYPE=wayland",
        ]

        @Test("What the bus of a shell without one starts knows display, desktop and the shell's own sound server")
        func ownBus() throws {
            let hasSound = SoundRoom.missing.isEmpty
            let shell = try ShellUnderTest(
                environment: ["DBUS_SESSION_BUS_ADDRESS": ""],
                files: ["data/dbus-1/services/\(Self.service).service": Self.entry("{room}")],
                audio: hasSound ? "private" : "off")
            defer { shell.clear() }
            let folder = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)"
            try shell.waitForLog("a session bus of its own")
            let expected = Self.session.union(hasSound ? ["PIPEWIRE_RUNTIME_DIR=\(folder)/sound"] : [])
            try shell.wait("it is told", within: 20) {
                try told(shell, "unix:path=\(folder)/bus", in: shell.room).isSuperset(of: expected)
            }
            try shell.quit()
        }

        @Test("A session that a login started tells the bus that was there, and the service manager on it")
        func login() throws {
            let bus = try PrivateBus(services: [Self.service: Self.entry("{bus}")])
            // Before the shell starts, as at login.
            let manager = Process()
            manager.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            manager.arguments = ["-W", "ignore", "\(TestClient.folder)/bus.py", "manager", "\(bus.folder)/manager"]
            manager.environment = bus.environment
            manager.standardOutput = FileHandle.nullDevice
            manager.standardError = FileHandle.nullDevice
            try manager.run()
            defer { kill(manager.processIdentifier, SIGKILL) }
            let end = Date().addingTimeInterval(60)
            while !FileManager.default.fileExists(atPath: "\(bus.folder)/manager") {
                guard Date() < end, manager.isRunning else {
                    throw ShellUnderTest.Failure("bus.py does not come: apt-get install python3-gi")
                }
                usleep(20_000)
            }
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_SESSION_DESKTOP": "mullion"]) { shell in
                try shell.wait("the bus is told", within: 20) { try told(shell, bus.address, in: bus.folder).isSuperset(of: Self.session) }
                try shell.wait("the manager is told", within: 20) { lines("\(bus.folder)/manager").isSuperset(of: Self.session) }
                let x11 = try shell.client.ask(.get(.version), for: VersionReport.self).x11Display
                #expect(x11.map { lines("\(bus.folder)/manager").contains("DISPLAY=\($0)") } ?? true)
                let authority = try shell.client.ask(.get(.version), for: VersionReport.self).x11Authority
                #expect(authority.map { lines("\(bus.folder)/manager").contains("XAUTHORITY=\($0)") } ?? (x11 == nil))
            }
        }

        @Test("The portal of wlroots' compositors is woken once it has its name: it leaves unanswered what it was asked before")
        func portal() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_SESSION_DESKTOP": "mullion"]) { shell in
                try shell.wait("the shell serves on the bus", within: 20) {
                    try shell.run(words(bus.address, "owned", "org.mullion.AudioSession1")).output.hasPrefix("yes")
                }
                // A portal may restart. The second one shows that the shell still listens.
                for round in 1...2 {
                    let file = "\(bus.folder)/asked\(round)"
                    let portal = Process()
                    portal.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
                    portal.arguments = ["-W", "ignore", "\(TestClient.folder)/bus.py", "portal", file]
                    portal.environment = bus.environment
                    try portal.run()
                    defer {
                        kill(portal.processIdentifier, SIGKILL)
                        portal.waitUntilExit()
                    }
                    try shell.wait("portal \(round) to be woken", within: 20) { lines(file).contains("Ping") }
                }
            }
        }

        @Test(
            "A shell in or beside another desktop changes no bus environment",
            arguments: [
                [:], ["XDG_SESSION_DESKTOP": "mullion", "WAYLAND_DISPLAY": "wayland-other"],
            ])
        func nested(environment: [String: String]) throws {
            let bus = try PrivateBus(services: [Self.service: Self.entry("{bus}")])
            try ShellUnderTest.with(environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }) { shell in
                // By then the shell has long been on the bus.
                try shell.wait("the shell serves on the bus", within: 20) {
                    try shell.run(words(bus.address, "owned", "org.mullion.AudioSession1")).output.hasPrefix("yes")
                }
                #expect(try told(shell, bus.address, in: bus.folder).isDisjoint(with: Self.session))
            }
        }
    }
}
