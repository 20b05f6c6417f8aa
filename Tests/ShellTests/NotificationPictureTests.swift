import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

/// Notifications as they are meant to look (X-03): a banner with a site, all of it with the field for an answer, and the list.
extension RunningShell.PictureTests {
    @Test(
        "X-03: notifications as they are meant to look",
        arguments: [("pad", Size(1180, 820)), ("phone", Size(390, 844)), ("watch", Size(396, 484))])
    func notifications(idiom: String, size: Size) throws {
        try Self.requireFonts()
        let bus = try PrivateBus()
        let config = "launch = []\nidiom = \"\(idiom)\"\nwallpaper = \"#4a6078\"\nreduced-motion = true\n"
        let hints = #""hints": {"desktop-entry": ["s", "test.bakery"], "x-kde-reply-placeholder-text": ["s", "Answer Ada"]}"#
        let calls = [
            #"{"app": "Mail", "title": "Invoice 4711", "body": "It is due in a week.", "hints": {"desktop-entry": ["s", "test.diary"], "x-mullion-thread": ["s", "a"]}}"#,
            #"{"app": "Web", "title": "Ben", "body": "Are you coming?", "hints": {"desktop-entry": ["s", "test.atlas"], "x-kde-origin-name": ["s", "mail.example.org"]}}"#,
            #"{"app": "Bakery", "title": "Ada Lovelace", "body": "Lunch at one? The place by the river has a new menu, and the terrace is open until late.", "actions": ["default", "Open", "inline-reply", "Reply", "mute", "Mute"], \#(hints)}"#,
        ]
        try ShellUnderTest.with(
            apps: Self.apps, size: "\(Int(clamping: size.width))x\(Int(clamping: size.height))", config: config, files: Self.files,
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        ) { shell in
            try shell.wait("the apps") { try shell.installed().count == Self.apps.count }
            try shell.wait("the service", within: 10) {
                try shell.run([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                    "owned", "org.freedesktop.Notifications",
                ]).output.contains("yes")
            }
            // The first two wait in the list, and the third one has the banner.
            try shell.perform(.notice(.quiet(true)))
            func notify(_ calls: [String]) throws -> Int32 {
                try shell.start(
                    [
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore",
                        "\(TestClient.folder)/notifier.py",
                    ] + calls
                ).process
            }
            let first = try notify(Array(calls.prefix(2)))
            try shell.wait("two") { try shell.client.ask(.get(.notifications), for: NoticeReport.self).notifications.count == 2 }
            try shell.perform(.notice(.quiet(false)))
            let second = try notify([calls[2]])
            try shell.waitForView("notice/open")
            func compare(_ name: String) throws {
                try shell.settle()
                usleep(700_000)
                try shell.stopClock()
                try self.compare("\(idiom)-notice-\(name)", shell, size: size)
                try shell.startClock()
            }
            try compare("banner")
            if idiom == "pad" {
                try shell.perform(.notice(.expand(NoticeID(3))))
                try shell.perform(.notice(.press(notice: NoticeID(3), button: "inline-reply")))
                try compare("reply")
                try shell.perform(.notice(.leaveReply))
            }
            try shell.perform(.notifications)
            try compare("list")
            for process in [first, second] { shell.signal(process, SIGKILL) }
        }
    }
}
