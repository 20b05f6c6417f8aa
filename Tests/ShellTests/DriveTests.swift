import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Notices
import Status
import Testing

extension RunningShell {
    /// Removable drives, as UDisks tells of them over the system bus.
    @Suite(.serialized) struct DriveTests {
        private static let files = TestApp(
            "test.files", "Files", command: "python3 \(TestClient.folder)/window.py --app-id test.files --title \"%f\" --colour 3366cc",
            more: "MimeType=inode/directory;")

        private func with(_ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            let disks = try SystemService("drives.py")
            try ShellUnderTest.with(
                apps: [Self.files], config: "launch = []\nreduced-motion = true\n", environment: disks.environment
            ) { shell in
                try shell.wait("the first look") { try status(shell).drives.isEmpty && disks.log.contains("is there") }
                // Drives that are there before the first answer are no news.
                usleep(300_000)
                try body(shell, disks)
            }
        }

        private func status(_ shell: ShellUnderTest) throws -> StatusReport { try shell.client.ask(.get(.status), for: StatusReport.self) }

        private func hex(_ text: String) -> String { text.utf8.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

        private func plug(
            _ name: String, _ label: String, _ kind: String = "stick", at disks: SystemService, _ shell: ShellUnderTest
        ) throws {
            try disks.tell("plug \(name) \(label.isEmpty ? "-" : hex(label)) \(kind)")
            try shell.wait("the drive \(name)") { try status(shell).drives.contains { $0.id == "\(name)1" } }
        }

        private func touch(_ id: String, _ shell: ShellUnderTest) throws {
            try shell.waitForView(id)
            try shell.touch(id)
        }

        private func says(_ words: String, _ shell: ShellUnderTest) throws {
            try shell.wait("the words \"\(words)\"", within: 10) { try shell.views().contains { $0.name.contains(words) } }
        }

        @Test("by touch: a banner, Open mounts and shows the folder in the file manager, Eject unmounts and turns the drive off")
        func opensAndEjects() throws {
            try with { shell, disks in
                try plug("sdb", "Holiday", at: disks, shell)
                try says("Holiday", shell)
                try says("Removable drive, 16 GB", shell)
                usleep(500_000)
                #expect(!disks.log.contains { $0.hasPrefix("Mount") }, "nothing is mounted by itself")
                try shell.keepPicture("drive-banner")
                let banner = try shell.waitForView("notice/open")
                try shell.hold("notice/open")
                try touch("notice/button/0", shell)
                let folder = "\(disks.bus.folder)/media/sdb1"
                _ = try shell.waitForWindow(title: folder)
                #expect(disks.log.filter { $0 != "is there" } == ["Mount sdb1"], "\(banner)")
                try shell.wait("its folder") { try status(shell).drives.first?.folder == folder }
                try shell.perform(.notifications)
                try shell.wait("its place in the list") { try shell.views().contains { $0.name == "Eject" } }
                try shell.keepPicture("drive-list")
                let eject = try shell.views().last { $0.name == "Eject" }!
                try shell.settle()
                try shell.tap(eject.frame.center)
                try shell.wait("the end of the drive") { try status(shell).drives.isEmpty }
                #expect(disks.log.suffix(2) == ["Unmount sdb1", "PowerOff sdb"])
                try shell.perform(.notifications)
                try says("You can take it out now.", shell)
                try shell.keepPicture("drive-freed")
            }
        }

        @Test("one that vanishes takes its banner along; what is no removable drive is not told of; a service that goes leaves nothing")
        func vanishes() throws {
            try with { shell, disks in
                for (name, kind) in [("sda", "disk"), ("sdc", "system"), ("sdd", "ignored")] {
                    try disks.tell("plug \(name) \(hex(name)) \(kind)")
                }
                try plug("sdb", "Holiday", at: disks, shell)
                try plug("loop", "Image", "loop", at: disks, shell)
                #expect(try status(shell).drives.map(\.id) == ["loop1", "sdb1"])
                try says("Holiday", shell)
                try disks.tell("unplug sdb")
                try shell.wait("it to go") { try !shell.views().contains { $0.name.contains("Holiday") } }
                try shell.perform(.controlPage(.drives))
                try shell.waitForView("control-centre/drives/loop1")
                try shell.keepPicture("drive-page")
                try disks.tell("leave")
                try shell.wait("none to be left") { try status(shell).drives.isEmpty }
                try says("Drives that you connect are listed here.", shell)
                try disks.tell("return")
                try shell.wait("it to come back") { try status(shell).drives.map(\.id) == ["loop1"] }
                // It is no news.
                usleep(500_000)
                #expect(try shell.find("notice/open") == nil)
            }
        }

        @Test("errors in words: in use, not allowed, no answer; the shell works meanwhile, and the next try is free")
        func errors() throws {
            try with { shell, disks in
                try plug("sdb", "Holiday", at: disks, shell)
                try disks.tell("deny")
                usleep(100_000)
                try shell.perform(.device(.drive(.open("sdb1"))))
                try says("“Holiday” Was Not Opened", shell)
                try says("without an administrator", shell)
                try shell.keepPicture("drive-denied")
                try shell.perform(.dismiss)
                try disks.tell("allow")
                usleep(100_000)
                try shell.perform(.device(.drive(.open("sdb1"))))
                try shell.wait("its folder") { try status(shell).drives.first?.folder != nil }
                try disks.tell("busy")
                usleep(100_000)
                try shell.perform(.device(.drive(.eject("sdb1"))))
                try says("An app still uses it", shell)
                try shell.perform(.dismiss)
                try disks.tell("free")
                try disks.tell("slow 2")
                usleep(100_000)
                try shell.perform(.device(.drive(.eject("sdb1"))))
                #expect(try status(shell).drives.first?.isBusy == true)
                #expect(throws: (any Error).self) { try shell.perform(.device(.drive(.eject("sdb1")))) }
                let foot = try shell.open("foot", of: "foot")
                #expect(try shell.state()[foot.id] != nil, "the shell works meanwhile")
                try shell.wait("the end of the drive", within: 10) { try status(shell).drives.isEmpty }
                #expect(!disks.log.contains { $0.hasSuffix(" asks") }, "no question for a password")
                #expect(throws: (any Error).self) { try shell.perform(.device(.drive(.open("sdb1")))) }
            }
        }

        @Test("P-06: hostile names, floods, a thousand drives and lies: short words, one look in a second, and the shell stays quick")
        func hostile() throws {
            try with { shell, disks in
                let names = [
                    ("sda", ""), ("sdb", String(repeating: "long ", count: 50)), ("sdc", "a\nb\u{1}c\u{7}"), ("sdd", "\u{202e}txt.exe"),
                    ("sde", "מידע אישי"), ("sdf", "100% %1 %2"), ("sdg", "<b>bold</b> & \u{1f4be}"),
                ]
                for (name, label) in names { try plug(name, label, at: disks, shell) }
                let told = Dictionary(try status(shell).drives.map { ($0.id, $0.name) }) { first, _ in first }
                #expect(told["sda1"] == "ACME sda" && told["sdc1"] == "a b c" && told["sdd1"] == "txt.exe" && told["sdf1"] == "100% %1 %2")
                #expect(told.values.allSatisfy { $0.count <= 60 && !$0.contains("\n") })
                try shell.perform(.controlPage(.drives))
                try shell.waitForView("control-centre/drives/sda1")
                try shell.keepPicture("drive-names")
                let before = try shell.statistics(), began = Date()
                try disks.tell("flood 20000")
                usleep(3_000_000)
                let seconds = Date().timeIntervalSince(began)
                #expect(try shell.statistics().events - before.events < 20)
                #expect(Double(try shell.statistics().cpuNanoseconds - before.cpuNanoseconds) / 1e9 < seconds * 0.7)
                try disks.tell("many 1000")
                try shell.wait("as many as are shown", within: 20) { try status(shell).drives.count == Drives.most }
                try disks.tell("lie")
                try shell.wait("none of a liar", within: 10) { try status(shell).drives.isEmpty }
                shell.expectAlive()
            }
        }

        @Test("a locked session shows no name of a drive, opens and ejects none, and reports none")
        func locked() throws {
            try with { shell, disks in
                let locker = try Locker(shell)
                try disks.tell("plug sdb \(hex("Holiday"))")
                usleep(1_500_000)
                #expect(try status(shell).drives.isEmpty)
                #expect(throws: (any Error).self) { try shell.perform(.device(.drive(.open("sdb1")))) }
                #expect(throws: (any Error).self) { try shell.perform(.device(.drive(.eject("sdb1")))) }
                #expect(try !shell.views().contains { $0.name.contains("Holiday") })
                #expect(disks.log.filter { $0 != "is there" } == [])
                try locker.unlock()
                try shell.wait("it in the report") { try status(shell).drives.map(\.name) == ["Holiday"] }
                try shell.perform(.notifications)
                try says("Holiday", shell)
            }
        }

        @Test("one that is there at the start is in the list without a banner, and a shell that was killed does not tell of it twice")
        func start() throws {
            let disks = try SystemService("drives.py")
            try disks.tell("plug sdb \(hex("Holiday"))")
            let environment = disks.environment.merging(["XDG_STATE_HOME": "\(disks.bus.folder)/state"]) { $1 }
            for _ in 0..<2 {
                let shell = try ShellUnderTest(config: "launch = []\nreduced-motion = true\n", environment: environment)
                defer { shell.clear() }
                try shell.wait("the drive") { try status(shell).drives.map(\.id) == ["sdb1"] }
                usleep(500_000)
                #expect(try shell.find("notice/open") == nil)
                try shell.perform(.notifications)
                try shell.wait("its place in the list") { try shell.views().contains { $0.name.contains("Holiday") } }
                #expect(try shell.views().count { $0.name == "Eject" } == 1)
                shell.signal(shell.process, SIGKILL)
            }
        }
    }
}
