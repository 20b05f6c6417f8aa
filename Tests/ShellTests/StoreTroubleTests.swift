import Control
import Foundation
import Glibc
import LinuxLibrary
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// A session that cannot be kept: the log says why, a person is told, the files stay, and the shell runs (W-20).
    @Suite(.serialized) struct StoreTroubleTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// A disk of one mebibyte; nil where none can be mounted.
        private static func disk() -> String? {
            let folder = NSTemporaryDirectory() + "mullion-disk-\(UInt32.random(in: 0 ... .max))"
            guard geteuid() == 0, mkdir(folder, 0o700) == 0 else { return nil }
            guard mount("tmpfs", folder, "tmpfs", 0, "size=1m") == 0 else {
                rmdir(folder)
                return nil
            }
            return folder
        }

        private static let canMount: Bool = {
            guard let folder = disk() else { return false }
            umount2(folder, Int32(MNT_DETACH))
            rmdir(folder)
            return true
        }()

        private static func fill(_ disk: String) throws {
            let file = try #require(fopen("\(disk)/filler", "w"))
            defer { fclose(file) }
            let bytes = [UInt8](repeating: 1, count: 4096)
            setvbuf(file, nil, _IONBF, 0)
            while fwrite(bytes, 1, bytes.count, file) == bytes.count {}
        }

        private func withDisk(_ body: (String) throws -> Void) throws {
            let folder = try #require(Self.disk())
            defer {
                umount2(folder, Int32(MNT_DETACH))
                rmdir(folder)
            }
            try body(folder)
        }

        private func expectTold(_ shell: ShellUnderTest, _ picture: String) throws {
            try shell.wait("the alert", within: 8) { try shell.isOpen("alert") }
            try shell.settle()
            try shell.keepPicture(picture)
            // A program that starts does not take the word away.
            try shell.open("foot", of: "foot")
            try shell.wait("the alert again") { try shell.isOpen("alert") }
            try shell.operate("alert/ok", by: .touch)
            try shell.wait("its end") { try !shell.isOpen("alert") }
            try shell.perform(.home)
            usleep(1_200_000)
            #expect(try !shell.isOpen("alert"), "a person is told once")
            shell.expectAlive()
        }

        @Test("W-20: what a newer version kept is left as it is, and a person is told", arguments: ["en", "ko", "ja"])
        func newer(_ language: String) throws {
            let folder = NSTemporaryDirectory() + "mullion-newer-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.open("foot", of: "foot")
                try shell.client.waitUntilKept()
            }
            let files = ["session.db", "session.good.db"].map { "\(folder)/mullion/\($0)" }
            let script =
                "import sqlite3,sys\nfor f in sys.argv[1:]:\n c=sqlite3.connect(f); c.execute('PRAGMA user_version=99'); c.commit(); c.close()"
            let change = Process()
            change.executableURL = URL(filePath: "/usr/bin/python3")
            change.arguments = ["-c", script] + files
            try change.run()
            change.waitUntilExit()
            let before = try files.map { try Data(contentsOf: URL(filePath: $0)) }
            try ShellUnderTest.with(config: "language = \"\(language)\"\n\(still)", environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.waitForLog("has version 99, but this program knows versions up to")
                try expectTold(shell, "store-newer-\(language)")
            }
            #expect(try files.map { try Data(contentsOf: URL(filePath: $0)) } == before)
        }

        @Test("W-20: a session that is damaged, and whose copy is damaged, is said; the files stay, and the new session is kept")
        func damaged() throws {
            let folder = NSTemporaryDirectory() + "mullion-damaged-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.open("foot", of: "foot")
                try shell.client.waitUntilKept()
            }
            for file in ["session.db", "session.good.db"] {
                try Data(repeating: 0xff, count: 5000).write(to: URL(filePath: "\(folder)/mullion/\(file)"))
            }
            try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.waitForLog("it starts empty")
                try shell.wait("the alert", within: 8) { try shell.isOpen("alert") }
                #expect(try shell.views().contains { $0.name == "The Saved Session Was Damaged" })
                try expectTold(shell, "store-damaged")
                try shell.client.waitUntilKept()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/mullion").count { $0.contains("damaged") } == 2)
            try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.wait("the window") { try shell.state().windows.count == 1 }
                #expect(try !shell.isOpen("alert"))
            }
        }

        @Test(
            "W-20: a disk that is full at the start, or becomes so, is said", .enabled(if: canMount, "no disk can be mounted here"),
            arguments: [true, false])
        func full(_ isFullAtTheStart: Bool) throws {
            try withDisk { disk in
                if isFullAtTheStart { try Self.fill(disk) }
                try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": disk]) { shell in
                    if !isFullAtTheStart {
                        try shell.open("foot", of: "foot")
                        try shell.client.waitUntilKept()
                        try Self.fill(disk)
                        try shell.open("foot", of: "foot")
                    }
                    try expectTold(shell, "store-full-\(isFullAtTheStart)")
                    #expect(shell.log.contains("full") || shell.log.contains("No space"), "\(shell.log.suffix(600))")
                }
            }
        }

        /// How room comes back, if it does.
        enum Room: String, CaseIterable, Sendable { case whileItRuns, beforeTheEnd }

        @Test(
            "law 5: choices, notifications, schedules and copied text of a time in which the disk is full are there after it, by themselves or at the end",
            .enabled(if: canMount, "no disk can be mounted here"), arguments: Room.allCases)
        func caughtUp(_ room: Room) throws {
            try ShellUnderTest.require("wl-copy", of: "wl-clipboard")
            try withDisk { disk in
                let bus = try PrivateBus()
                let environment = ["XDG_STATE_HOME": disk, "DBUS_SESSION_BUS_ADDRESS": bus.address]
                let words = ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", try ShellUnderTest.program()]
                let config = "launch = []\nanimation-speed = 8\n"
                func served(_ shell: ShellUnderTest) throws {
                    try shell.wait("the service", within: 15) { try shell.run(words + ["notify", "--list"]).status == 0 }
                }
                func notices(_ shell: ShellUnderTest) throws -> NoticeReport {
                    try shell.client.ask(.get(.notifications), for: NoticeReport.self)
                }
                do {
                    let shell = try ShellUnderTest(config: config, environment: environment)
                    defer { shell.clear() }
                    try served(shell)
                    #expect(try shell.run(words + ["notify", "--at", "+5h", "--name", "early", "Early"]).status == 0)
                    try Self.fill(disk)
                    try shell.perform(.darkAppearance(true))
                    try shell.perform(.reducedMotion(true))
                    let sent = try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "gdbus", "call", "--session", "--dest",
                        "org.freedesktop.Notifications",
                        "--object-path", "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify",
                        "Post", "0", "", "Come", "Words", "[]", "{}", "int32 -1",
                    ])
                    #expect(sent.status == 0, "\(sent.output)")
                    try shell.wait("the alert", within: 8) { try shell.isOpen("alert") }
                    try shell.keepPicture("store-full-\(room)")
                    #expect(try shell.views().contains { $0.name == "Nothing Is Being Saved" })
                    let message = try #require(try shell.views().first { $0.id == "alert/message" }).name
                    for word in ["Windows", "settings", "notifications", "copied text", "states of apps"] {
                        #expect(message.contains(word), "\(word)")
                    }
                    // What is refused is not there, and what it was to replace is.
                    for name in ["late", "early"] {
                        let (status, output) = try shell.run(words + ["notify", "--at", "+6h", "--name", name, "Late"])
                        #expect(status != 0 && output.contains("disk"), "\(output)")
                    }
                    #expect(try notices(shell).scheduled.map(\.title) == ["Early"])
                    _ = try shell.start(["wl-copy", "copied while full"])
                    usleep(1_500_000)
                    #expect(!shell.log.contains("is kept again"))
                    unlink("\(disk)/filler")
                    if room == .beforeTheEnd {
                        try shell.quit()
                    } else {
                        try shell.wait("the disk to have everything", within: 12) {
                            shell.log.contains("everything of this session is kept again")
                        }
                        try shell.wait("the end of the alert") { try !shell.isOpen("alert") }
                        #expect(shell.log.ranges(of: "kept again").count == 1)
                        shell.signal(shell.process, SIGKILL)
                        try shell.wait("its end") { shell.ending != nil }
                    }
                }
                try ShellUnderTest.with(config: config, environment: environment) { shell in
                    try served(shell)
                    #expect(try chosen(shell) == [true, true])
                    let come = try notices(shell).notifications.map(\.title)
                    #expect(come == ["Come"], "\(come); \(shell.log.suffix(1500))")
                    #expect(try notices(shell).scheduled.map(\.title) == ["Early"])
                    try shell.wait("what was copied") { try shell.run(["wl-paste", "--no-newline"]).output == "copied while full" }
                    #expect(try !shell.isOpen("alert"))
                }
            }
        }

        /// Whether the looks are dark, and motion is reduced.
        private func chosen(_ shell: ShellUnderTest) throws -> [Bool?] {
            try shell.perform(.controlCentre)
            try shell.waitForView("control-centre/dark")
            defer { try? shell.perform(.controlCentre) }
            return try ["dark", "motion"].map { try shell.find("control-centre/\($0)")?.chosen }
        }

        @Test("law 5: a choice of a first session that was killed is there although the store is damaged")
        func firstCopy() throws {
            let folder = NSTemporaryDirectory() + "mullion-first-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            do {
                let shell = try ShellUnderTest(config: "launch = []\n", environment: ["XDG_STATE_HOME": folder])
                defer { shell.clear() }
                try shell.perform(.reducedMotion(true))
                sleep(2)
                try shell.perform(.darkAppearance(true))
                usleep(11_500_000)
                shell.signal(shell.process, SIGKILL)
                try shell.wait("its end") { shell.ending != nil }
            }
            for name in ["session.db-wal"] { unlink("\(folder)/mullion/\(name)") }
            try Data(repeating: 0xff, count: 5000).write(to: URL(filePath: "\(folder)/mullion/session.db"))
            try ShellUnderTest.with(config: "launch = []\n", environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.waitForLog("the session is that of the last good copy")
                try shell.operate("alert/ok", by: .touch)
                try shell.settle()
                #expect(try chosen(shell) == [true, true])
            }
        }

        @Test(
            "W-20: a disk that cannot be written is said, and nothing on it changes", .enabled(if: canMount, "no disk can be mounted here"))
        func readOnly() throws {
            try withDisk { disk in
                try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": disk]) { shell in
                    try shell.open("foot", of: "foot")
                    try shell.client.waitUntilKept()
                }
                let file = URL(filePath: "\(disk)/mullion/session.db"), before = try Data(contentsOf: file)
                #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
                try ShellUnderTest.with(config: still, environment: ["XDG_STATE_HOME": disk]) { shell in
                    try shell.waitForLog("this session is not kept")
                    try expectTold(shell, "store-read-only")
                }
                #expect(try Data(contentsOf: file) == before)
            }
        }
    }
}
